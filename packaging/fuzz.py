#!/usr/bin/env python3
"""Damaged and hostile files of every kind the program reads: python3 packaging/dev.py fuzz [--count 20000] [--seed 0]

Each must give a Scene, a table or a lesson, or one sentence that names the file; never a traceback, never more
than 5 s or 1 GB. Exit status 1 if one does not. Runs in the environment that dev.py has made.
"""

import sys

from fuzzing.run import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
