"""The verbs of the command line that write files; cli.py has the others. Each imports what it needs when it runs."""
