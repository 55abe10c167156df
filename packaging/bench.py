#!/usr/bin/env python3
"""Time from an edit to pixels, beside torch alone and what one would write first: python3 packaging/dev.py bench

Prints a table and a plain sentence for each line. Exit status 1 if a ratio that has to hold is missed.
Runs in the environment that dev.py has made.
"""

import sys

if sys.platform == "win32":
    import torch  # noqa: F401  there, torch fails to load once Qt has been (pytorch issue 166628)

from benchmarks.suite import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
