"""The parts of fuzz.py: whole files (samples), what is done to them (mutate), what must come of it (judge)."""
