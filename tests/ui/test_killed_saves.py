"""A program that is killed while it saves large tables leaves half a file; the next one takes it away."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer import resources
from explorer.files.session import load, save
from explorer.ui.main_window import MainWindow

Opener = Callable[..., MainWindow]

SAVING = """
import sys
import numpy as np
import explorer.files.session as session
session.MAX_NUMBERS = 1000
scene = session.load(sys.argv[1])
scene = scene.replace(x=np.ones((2000, 2)), tokens=())

def wait():  # before the first number is written
    print("writing", flush=True)
    sys.stdin.readline()

session.save(scene, sys.argv[1], wait)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process says when it began")
def test_what_a_killed_save_left_goes_when_the_session_is_opened_or_saved(
    tmp_path: Path, open_it: Opener
) -> None:
    """And what a living program is writing stays."""
    session = tmp_path / "mine.attn.json"
    save(load(resources.path("scenes", "two-tokens.attn.json")), session)
    command = [sys.executable, "-c", SAVING, session]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}

    def begin() -> subprocess.Popen[str]:
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert child.stdout is not None and child.stdout.readline() == "writing\n"
        return child

    def drafts() -> int:
        return len(list(tmp_path.glob(".*")))

    for number, tidied in enumerate((lambda: open_it(session), lambda: save(load(session), session))):
        with begin() as killed, begin() as living:
            killed.kill()
            assert killed.wait() == -signal.SIGKILL and drafts() == 2
            tidied()
            assert drafts() == 1, number
            living.communicate("\n" * 10)
            assert living.returncode == 0
        assert drafts() == 0 and load(session).x.shape == (2000, 2)
        save(load(resources.path("scenes", "two-tokens.attn.json")), session)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.attn.json"]
