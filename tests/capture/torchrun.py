"""Two processes that divide a layer's heads, really started."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def torchrun(folder: Path, who: str, groups: int) -> None:
    """split.py in two processes, which write their parts into the folder."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    environment = os.environ | {"PYTHONPATH": str(HERE.parents[1]), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, str(HERE / "split.py"), str(folder), who, str(groups)],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
