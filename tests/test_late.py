"""Large libraries, loaded when they are first asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

OPENED = """
import sys
from pathlib import Path
from explorer import late

late.open_torch()
assert "torch" not in sys.modules
assert "libtorch_python.so" in Path("/proc/self/maps").read_text()
attend = late.load("explorer.attention.attend")
import torch
assert torch.ones(3).sum() == 3
late.open_torch()  # there already
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux tells what a process has loaded")
def test_the_libraries_of_torch_are_there_before_it_is_imported() -> None:
    subprocess.run([sys.executable, "-c", OPENED], check=True, timeout=120)
