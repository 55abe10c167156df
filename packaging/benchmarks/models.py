"""How long one layer of a large sharded checkpoint takes, beside a bare read of the same tensors; and how much memory.

Both in processes of their own, so that each pays for what it imports before the clock starts and for nothing else.
"""

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH, HEADS, KV_HEADS = 4096, 32, 8
LAYER = 3
MB = 2**20

_PEAK = """
def peak():  # MB; -1 where the system does not tell
    from pathlib import Path
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), -1.0)
"""

SCRIPTS = {
    "bare": """
from safetensors import safe_open
import numpy
before, start = peak(), perf_counter()
with safe_open(file, "np") as opened:
    held = [opened.get_tensor(name) for name in names]
""",
    "layer": """
import explorer.scene
from explorer.checkpoints import Model
before, start = peak(), perf_counter()
model = Model(Path(folder))
held = model.scene(model.spot(layer))
""",
}


@dataclass(frozen=True)
class Opened:
    """Medians. Seconds; `mb` is the memory that the layer takes at most beyond its tensors, None if unknown."""

    total_gb: float
    tensors_mb: float
    bare: float
    layer: float
    mb: float | None


def measure(folder: Path, gigabytes: float, runs: int) -> Opened:
    """Write a checkpoint of so many GB, open one layer of it, and delete it."""
    names = _write(folder, max(LAYER + 1, round(gigabytes * 2**30 / _layer_bytes())))
    try:
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in SCRIPTS}
        for number in range(runs + 1):
            for script in SCRIPTS:
                seconds = _run(script, folder, names)
                if number:  # the first round fills the disk's cache
                    found[script].append(seconds)
        total = sum(file.stat().st_size for file in folder.iterdir())
    finally:
        for file in folder.iterdir():
            file.unlink()
    bare, layer = (statistics.median(seconds for seconds, _ in found[name]) for name in SCRIPTS)
    tensors = 4 * WIDTH * WIDTH * (2 + 2 * KV_HEADS / HEADS) / MB
    grown = statistics.median(mb for _, mb in found["layer"])
    return Opened(total / 2**30, tensors, bare, layer, None if grown < 0 else grown - tensors)


def _layer_bytes() -> int:
    return 4 * WIDTH * (2 * WIDTH + 2 * WIDTH * KV_HEADS // HEADS + 3 * WIDTH)


def _write(folder: Path, layers: int) -> list[str]:
    """A Llama in float32, two layers to a file; the names of one layer's tensors."""
    numbers = np.random.default_rng(0)
    rows = {"q": WIDTH, "k": WIDTH * KV_HEADS // HEADS, "v": WIDTH * KV_HEADS // HEADS, "o": WIDTH}
    shapes = {f"self_attn.{letter}_proj.weight": count for letter, count in rows.items()}
    shapes["mlp.up_proj.weight"] = 3 * WIDTH
    arrays = {
        name: numbers.standard_normal((count, WIDTH), dtype=np.float32) for name, count in shapes.items()
    }
    places: dict[str, str] = {}
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, layers, 2):
        held = {
            f"model.layers.{layer}.{name}": array
            for layer in range(first, min(layers, first + 2))
            for name, array in arrays.items()
        }
        file = f"model-{first // 2:05d}.safetensors"
        save_file(held, folder / file)
        places |= dict.fromkeys(held, file)
    index = {"weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    config = {"model_type": "llama", "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return [f"model.layers.{LAYER}.{name}" for name in shapes if "attn" in name]


def _run(script: str, folder: Path, names: list[str]) -> tuple[float, float]:
    """Seconds, and MB that it added."""
    given = f"folder, layer, names = {str(folder)!r}, {LAYER}, {names!r}\n"
    given += f"file = {str(folder / f'model-{LAYER // 2:05d}.safetensors')!r}\n"
    code = f"from pathlib import Path\nfrom time import perf_counter\n{given}{_PEAK}{SCRIPTS[script]}"
    code += "print(perf_counter() - start, peak() - before)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    seconds, mb = done.stdout.split()
    return float(seconds), float(mb)
