"""Threads beside the window's."""

import os
import sys
import threading

NICE = 5


def step_back() -> None:
    """For the thread that calls it: where both want the processor, the window's comes first. Known on Linux alone."""
    if sys.platform.startswith("linux"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
