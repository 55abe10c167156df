"""Whole files of every kind, to be damaged."""

import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from fuzzing import models

ROOT = Path(__file__).resolve().parent.parent.parent

TABLES = (
    "1\t2\n3\t4\n",
    "1,2\n3,4",
    "\ufeffa;b\n1,5;-2,25\n1e-3;4,0\n",
    "token,a,b\n\"The, one\",1,2\n\"say \"\"hi\"\"\",3,4\n",
    "\ta\tb\r\nThe\t1/3\tsqrt(2)\r\ncat\t-inf\tnan\r\n",
    "1 2 3\n4 5 6",
    "[[1. 2.]\n [3. 4.]]",
    "array([[1., 2.],\n       [3., 4.]], dtype=float32)",
    "tensor([[1., 2.],\n        [3., 4.]], device='cuda:0', grad_fn=<AddBackward0>)",
    "Parameter containing:\ntensor([[[1.5, -2.0000e+00],\n         [3., 4.]]], requires_grad=True)",
    "<table><tr><th>t</th><th>a</th></tr><tr><td>The</td><td x:num=\"0.5\">1/2</td></tr><!-- x --></table>",
    "<html><table border=0><tr><td colspan=2>&#49;<td sdval=\"2\">2&nbsp;<tr><td>3<td>4<td>5</table>",
    "\n".join("\t".join(str(i * j / 7) for j in range(12)) for i in range(12)),
)  # fmt: skip

ARRAYS: tuple[Mapping[str, np.ndarray], ...] = (
    {"x": np.arange(6.0).reshape(2, 3)},
    {"w_q": np.eye(4, dtype=np.float32), "w_k": np.ones((4, 4), np.float16), "n": np.array(3)},
    {"deep": np.arange(24, dtype=np.int16).reshape(2, 3, 4), "flags": np.array([True, False])},
    {"in_proj_weight": np.ones((12, 4)), "in_proj_bias": np.zeros(12), "out_proj.weight": np.eye(4)},
)


def samples() -> dict[str, list[tuple[str, bytes]]]:
    """Kind → the files of this kind: suffix and content."""
    return {
        "session": [(".attn.json", path.read_bytes()) for path in _sessions()],
        "beside": [(".safetensors", path.read_bytes()) for path in _of("tests/data/sessions/weights", "*")],
        "table": [(".html" if text[0] == "<" else ".csv", text.encode()) for text in TABLES],
        "npy": [(".npy", npy(array)) for arrays in ARRAYS for array in arrays.values()],
        "npz": [(".npz", npz(arrays, packed)) for arrays in ARRAYS for packed in (False, True)],
        "safetensors": [(".safetensors", save(dict(arrays))) for arrays in ARRAYS],
        "torch": [(".pt", content) for content in torch_files()],
        "config": list(models.configs()),
        "index": list(models.indexes()),
        "model": list(models.whole()),
        "lesson": [(".toml", path.read_bytes()) for path in _of("resources/lessons", "*.toml")],
    }


def npy(array: np.ndarray) -> bytes:
    """An array as a .npy file."""
    out = io.BytesIO()
    np.save(out, np.asarray(array, order="F" if array.ndim == 2 else "C"))
    return out.getvalue()


def npz(arrays: Mapping[str, np.ndarray], packed: bool) -> bytes:
    """Arrays as an .npz file."""
    out = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(out, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


def torch_files() -> list[bytes]:
    """A state dict as torch saves it now, and as it did before 1.6."""
    import torch

    found = []
    for zipped in (True, False):
        out = io.BytesIO()
        content = torch.nn.MultiheadAttention(4, 2).state_dict() | {"more": [torch.ones(2, 3).bfloat16()]}
        torch.save(content, out, _use_new_zipfile_serialization=zipped)
        found.append(out.getvalue())
    return found


def _sessions() -> list[Path]:
    return [*_of("tests/data/sessions", "*.attn.json"), *_of("resources/scenes", "*.attn.json")]


def _of(folder: str, pattern: str) -> list[Path]:
    return sorted(ROOT.joinpath(folder).glob(pattern))
