"""Where the executable begins."""

import sys

if sys.argv[1:2] == [
    "--selftest"
]:  # for the build: does all of it work that was put together? Tells no user anything
    from executable.selftest import main
else:
    from explorer.cli import main

sys.exit(main())
