"""Emitted scripts, run as they are and compared with the trace."""

import ast
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import Phase, given, settings
from torch.nn import functional

from explorer import resources
from explorer.attention import attend
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.positions import Alibi, Learned, Relative, Rotary, Sinusoidal
from explorer.attention.precision import EPS
from explorer.files.code import DIALECTS, MAX_NUMBERS, CodeError, mask_spellings, reason_against, script
from explorer.files.session import load
from explorer.norm import Norm
from explorer.scene import Array, Scene
from tests.attention.random_scenes import scenes

EYE = np.eye(4)
SQUARE = Scene(x=np.arange(12.0).reshape(3, 4) / 10, w_q=EYE, w_k=EYE, w_v=EYE, heads=2)
SHIPPED = sorted(resources.path("scenes").glob("*.attn.json"))

# Every script of a folder in one process: torch takes longer to import than a thousand of them take to run.
RUNNER = """
import contextlib, io, json, pathlib, runpy, sys
printed = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(str(path), run_name="__main__")
    printed[path.stem] = out.getvalue()
print(json.dumps(printed))
"""


def run(scripts: Sequence[str], folder: Path) -> list[Array]:
    """What each prints. Warnings are errors there too."""
    for number, text in enumerate(scripts):
        (folder / f"{number:05}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "error", "-c", RUNNER, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    return [read(printed[f"{number:05}"]) for number in range(len(scripts))]


def read(printed: str) -> Array:
    return np.array(json.loads(printed.replace("nan", "NaN").replace("inf", "Infinity")))


def check(cases: Sequence[tuple[Scene, str]], folder: Path) -> None:
    """float64: to 1e-9. Coarser precisions round after each operation, and torch's own order is another."""
    outputs = run([script(scene, dialect) for scene, dialect in cases], folder)
    for (scene, dialect), output in zip(cases, outputs, strict=True):
        trace = attend(scene)
        assert output.shape == trace.output.shape
        if scene.dtype == "float64":
            tolerance = 1e-9
        else:
            reach = 1 if scene.w_o is None else np.abs(scene.w_o).sum(axis=0).max()
            bias = 0 if scene.b_o is None else np.abs(scene.b_o).max()
            largest = np.abs(trace.v).max() * reach + bias
            tolerance = 8 * EPS[scene.dtype] * (1 + np.abs(trace.scaled).max()) * (1 + largest)
        np.testing.assert_allclose(
            output, trace.output, rtol=1e-9, atol=tolerance, err_msg=f"{dialect}\n{script(scene, dialect)}"
        )


def test_random_scenes_print_their_output(tmp_path: Path) -> None:
    cases: list[tuple[Scene, str]] = []

    @settings(max_examples=150, phases=[Phase.generate])
    @given(scenes())
    def collect(scene: Scene) -> None:
        cases.extend((scene, dialect) for dialect in DIALECTS if not reason_against(scene, dialect))

    collect()
    assert {dialect for _, dialect in cases} == set(DIALECTS)
    check(cases, tmp_path)


FLAGS = np.array([[False, False, False], [True, False, True], [True, True, True]])
EVERY_DIALECT: dict[str, dict[str, Any]] = {
    "nothing set": {},
    "one bias": {"b_k": [1, 2, 3, 4]},
    "all biases": {"b_q": [1, 0, 2, 0], "b_k": [1, 2, 3, 4], "b_v": [0, 1, 0, 1], "b_o": [9, 8, 7, 6]},
    "w_o": {"w_o": np.arange(16.0).reshape(4, 4)},
    "causal": {"mask": (Causal(),)},
    "causal of another kind": {"mask": (Causal(align="bottom_right"),)},
    "window": {"mask": (Window(left=0, right=1),)},
    "padding": {"mask": (Padding(keys=(True, True, False)),)},
    "two paddings": {"mask": (Padding(keys=(True, True, False)), Padding(keys=(False, True, True)))},
    "blind rows": {"mask": (Custom(table=FLAGS),), "b_o": [1, 2, 3, 4]},
    "all of it blind": {"mask": (Padding(keys=(False,) * 3), Causal()), "b_o": [1, 2, 3, 4]},
    "all kinds": {"mask": (Causal(), Padding(keys=(True, False, True)), Window(), Custom(table=FLAGS))},
    "finite fill": {"mask": (Causal(),), "mask_fill": -1e9},
    "cross": {"context": EYE[:2] * 3, "mask": (Padding(keys=(True, False)),)},
    "other width": {"context": np.ones((5, 2)), "w_k": np.eye(2, 4), "w_v": np.eye(2, 4), "b_v": [1, 2, 3, 4]},
    "sinusoidal": {"position": Sinusoidal(base=100)},
    "sinusoidal cross": {"position": Sinusoidal(), "context": EYE[:2]},
    "learned": {"position": Learned(table=np.arange(20.0).reshape(5, 4))},
    "learned cross": {
        "position": Learned(table=np.ones((3, 4)), context_table=EYE[1:3]),
        "context": EYE[:2],
    },
    "negative zero": {"b_o": [-0.0, 0, 0, 0]},
    "float32": {"dtype": "float32"},
}  # fmt: skip


TWO_DIALECTS: dict[str, dict[str, Any]] = {
    "rotary": {"position": Rotary(base=3)},
    "part of it rotary": {"heads": 1, "position": Rotary(dims=2)},
    "part of it interleaved": {"heads": 1, "position": Rotary(dims=2, layout="interleaved")},
    "interleaved": {"position": Rotary(layout="interleaved"), "dtype": "bfloat16"},
    "normed": {"q_norm": Norm(weight=[2.0, -0.5]), "k_norm": Norm(weight=[1.0, 3.0], eps=0.25)},
    "normed and turned": {"q_norm": Norm(weight=[2.0, 0.5]), "position": Rotary(), "dtype": "bfloat16"},
    "alibi": {"position": Alibi()},
    "relative": {"position": Relative(table=[[0.5, -1.0, 0.25], [2.0, 0.0, -0.5]])},
    "own frequencies": {"position": Rotary(dims=2, frequencies=[[0.3]])},
    "stretched": {"position": Rotary(factor=1.5), "dtype": "float32"},
    "alibi causal": {"position": Alibi(), "mask": (Causal(),)},
    "alibi blind": {"position": Alibi(), "mask": (Custom(table=FLAGS),)},
    "no scale": {"scale": "none"},
    "negative scale": {"scale": -0.3},
    "grouped": {"kv_heads": 1, "w_k": EYE[:, :2], "w_v": EYE[:, :3]},
    "grouped causal": {"kv_heads": 1, "w_k": EYE[:, :2], "w_v": EYE[:, :3], "mask": (Causal(),)},
}
PLAIN_ALONE: dict[str, dict[str, Any]] = {
    "softcap": {"softcap": 2.0},
    "fill that counts": {"mask": (Padding(keys=(True, False, False)),), "mask_fill": -1.0},
    "blind rows filled": {"mask": (Custom(table=FLAGS),), "mask_fill": -1e9},
    "blind rows where the fill is infinite": {
        "mask": (Custom(table=FLAGS),),
        "mask_fill": -1e9,
        "dtype": "float16",
    },
    "nan and infinity": {"x": [[np.nan, 1, 2, 3], [4, 5, -np.inf, 7], [8, 9, 10, 11]]},
    "huge and tiny": {"x": [[1e300, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 1e-310]]},
}
# Whatever a title or a token holds, it stays a comment.
EVIL = SQUARE.replace(
    title="\nraise SystemExit(3)\u2029",
    tokens=("a\nraise SystemExit(3)", '"""\\', "\r\x0c\u2028\udc80 猫"),
)


def test_known_scenes_print_their_output(tmp_path: Path) -> None:
    cases = [(EVIL, dialect) for dialect in DIALECTS]
    for count, table in ((3, EVERY_DIALECT), (2, TWO_DIALECTS), (1, PLAIN_ALONE)):
        made = [SQUARE.replace(**changes) for changes in table.values()]
        cases += [(scene, dialect) for scene in made for dialect in DIALECTS[:count]]
    shipped = [load(path) for path in SHIPPED]
    cases += [(s, d) for s in shipped for d in DIALECTS if not reason_against(s, d)]
    check(cases, tmp_path)


def test_run_by_hand(tmp_path: Path) -> None:
    """As somebody would: python3 two-tokens.py, and nothing on the way."""
    path = tmp_path / "two-tokens.py"
    path.write_text(script(load(resources.path("scenes", "two-tokens.attn.json"))), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", str(path)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert np.round(ast.literal_eval(done.stdout), 2).tolist() == [[0.33, 0.67], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("changes", "dialect", "sentence"),
    [
        (
            {"softcap": 1.0},
            "sdpa",
            "F.scaled_dot_product_attention cannot express this scene: it has no softcap.",
        ),
        (
            {"position": Rotary()},
            "mha",
            "nn.MultiheadAttention cannot express this scene: it has no rotary position.",
        ),
        (
            {"mask": (Causal(),), "mask_fill": -1.0},
            "sdpa",
            "F.scaled_dot_product_attention cannot express this scene: a finite fill gives hidden keys weight, "
            "and it can only hide them.",
        ),
    ],
)
def test_why_not(changes: dict[str, Any], dialect: str, sentence: str) -> None:
    with pytest.raises(CodeError) as error:
        script(SQUARE.replace(**changes), dialect)
    assert str(error.value) == sentence


def test_a_scene_too_large_to_read() -> None:
    large = Scene(x=np.ones((MAX_NUMBERS // 2, 2)), w_q=np.eye(2), w_k=np.eye(2), w_v=np.eye(2))
    with pytest.raises(CodeError, match="200,012 numbers; a script to be read holds at most 200,000"):
        script(large)
    with pytest.raises(ValueError, match="There is no dialect 'numpy'; the dialects are plain, sdpa, mha."):
        script(SQUARE, "numpy")


def test_foreign_text() -> None:
    text = script(EVIL)
    assert text.encode("utf-8") and "猫" in text and "\r" not in text
    assert text.startswith("# \\nraise SystemExit(3)\\u2029\n")


def test_stands_on_torch_alone() -> None:
    for scene in (SQUARE, SQUARE.replace(mask=(Causal(),), position=Sinusoidal(), dtype="float32")):
        for dialect in DIALECTS:
            imports = [
                n
                for n in ast.walk(ast.parse(script(scene, dialect)))
                if isinstance(n, ast.Import | ast.ImportFrom)
            ]
            names = {
                alias.name if isinstance(n, ast.Import) else n.module for n in imports for alias in n.names
            }
            assert names <= {"torch", "torch.nn", "math", "pprint"}


def spelled(scene: Scene, name: str, of: str = "attn_mask") -> torch.Tensor:
    space: dict[str, Any] = {"torch": torch}
    exec(mask_spellings(scene)[name], space)
    mask = space[of]
    assert isinstance(mask, torch.Tensor)
    return mask


@pytest.mark.parametrize("length", [3, 70])
def test_masks_in_the_conventions_of_torch(length: int) -> None:
    scene = Scene(
        x=np.ones((length, 2)), w_q=np.eye(2), w_k=np.eye(2), w_v=np.eye(2),
        mask=(Causal(), Padding(keys=(*[True] * (length - 1), False)), Window(left=2, right=0)),
    )  # fmt: skip
    visible = torch.tensor(scene.visible())
    assert torch.equal(spelled(scene, "sdpa"), visible)
    assert torch.equal(spelled(scene, "mha"), ~visible)
    own, keys = spelled(scene, "padding"), spelled(scene, "padding", "key_padding_mask")
    assert keys.tolist() == [[False] * (length - 1) + [True]] and torch.equal(own | keys, ~visible)
    hidden = torch.where(visible, 0.0, -torch.inf).double()
    assert torch.equal(spelled(scene, "additive"), hidden)
    assert torch.equal(spelled(scene.replace(dtype="float32"), "additive"), hidden.float())
    assert torch.equal(spelled(scene.replace(mask_fill=-1e9), "additive"), hidden.clamp(min=-1e9))
    assert spelled(scene.replace(mask=()), "sdpa").all()


@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (70, 80)])
def test_copied_masks_give_what_the_program_shows(shape: tuple[int, int]) -> None:
    """By torch itself, each convention in the argument that it is for."""
    (n, m), rng = shape, np.random.default_rng(3)
    table = rng.random((n, m)) < 0.7
    table[:, 0] = True
    keys = (True, *(rng.random(m - 1) < 0.8).tolist())
    scene = Scene(
        x=rng.normal(size=(n, 4)), context=rng.normal(size=(m, 4)),
        w_q=np.eye(4), w_k=np.eye(4), w_v=np.eye(4), heads=2,
        mask=(Causal(align="bottom_right"), Padding(keys=keys), Custom(table=table)),
    )  # fmt: skip
    if n > m:
        scene = scene.replace(mask=scene.mask[1:])
    shown = torch.tensor(attend(scene).output)
    x, context = torch.tensor(scene.x), torch.tensor(scene.source)
    q, k = (t.view(-1, 2, 2).transpose(0, 1) for t in (x, context))
    for name in ("sdpa", "additive"):
        found = functional.scaled_dot_product_attention(q, k, k, attn_mask=spelled(scene, name))
        assert torch.allclose(found.transpose(0, 1).reshape(n, 4), shown, atol=1e-12), name
    module = torch.nn.MultiheadAttention(4, 2, bias=False, batch_first=True, dtype=torch.float64)
    eye = torch.eye(4, dtype=torch.float64)
    module.load_state_dict({"in_proj_weight": torch.cat([eye] * 3), "out_proj.weight": eye})
    both = {"attn_mask": spelled(scene, "padding")}
    both["key_padding_mask"] = spelled(scene, "padding", "key_padding_mask")
    for masks in (both, {"attn_mask": spelled(scene, "mha")}, {"attn_mask": spelled(scene, "additive")}):
        found, _ = module(x[None], context[None], context[None], need_weights=False, **masks)
        assert torch.allclose(found[0], shown, atol=1e-12), list(masks)


def test_causal_over_five_keys_as_torch_has_it() -> None:
    scene = Scene(
        x=np.ones((2, 1)), context=np.ones((5, 1)), w_q=[[1]], w_k=[[1]], w_v=[[1]], mask=(Causal(),)
    )
    assert spelled(scene, "sdpa").int().tolist() == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]]
    scene = scene.replace(mask=(Causal(align="bottom_right"),))
    assert spelled(scene, "sdpa").int().tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]


def test_a_large_painted_mask_is_spelled_by_its_strokes() -> None:
    table = np.ones((512, 512), dtype=bool)
    table[3, 5:9] = table[500, 0] = table[500, 511] = False
    eye = np.eye(2)
    scene = Scene(x=np.ones((512, 2)), w_q=eye, w_k=eye, w_v=eye, mask=(Custom(table=table),))
    text = mask_spellings(scene)["sdpa"]
    assert "(3, 5, 9), (500, 0, 1), (500, 511, 512)" in text and len(text) < 600
    assert np.array_equal(spelled(scene, "sdpa").numpy(), table)


def test_mask_texts() -> None:
    scene = load(resources.path("scenes", "nothing-to-see.attn.json"))
    found = mask_spellings(scene)
    assert found["mha"] == (
        "# nn.MultiheadAttention, a mask of flags: True = blocked\n"
        "attn_mask = torch.tensor([\n    [ True, True],\n    [False, True],\n])  # (n, m)\n"
    )
    assert "True = may be attended" in found["sdpa"] and "added to the scaled scores" in found["additive"]
