"""The parts of bench.py: what is measured (cases, start, steady), against what (bare, plain, notebook), and how."""
