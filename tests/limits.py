"""What a system refuses, for real."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

limited = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")


@contextmanager
def only_so_much_fits(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: the system refuses in the middle of writing, as a full disk would."""
    import resource
    import signal

    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
