"""The sentences of the layers below the window, in the user's language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.ui.problem_texts import RULES, SENTENCES
from explorer.ui.problems import problem_text
from tests.ui.language_helpers import SOURCES

BELOW = (
    "norm.py", "numbers.py", "scene.py", "reshape.py", "attention/masks.py", "attention/positions.py",
    "attention/torch_limits.py", "attention/devices.py", "files/session.py", "files/cells.py", "files/tables.py",
    "files/tensors.py", "files/plain_json.py", "files/atomic.py", "files/arrays.py", "files/npy.py",
    "files/pickles.py", "files/torch_file.py", "files/zips.py", "files/table_files.py", "files/html_tables.py",
    "checkpoints/config.py", "checkpoints/family.py", "checkpoints/model.py", "checkpoints/reader.py",
    "checkpoints/tensors.py", "checkpoints/rotary.py", "checkpoints/bert.py", "checkpoints/gpt2.py",
    "checkpoints/gemma3.py", "checkpoints/llama.py", "checkpoints/phi3.py", "checkpoints/t5.py",
    "checkpoints/torch_mha.py", "capture/joining.py", "capture/texts.py", "capture/tokenizer_file.py",
    "files/code.py", "files/latex.py", "files/worksheet/sheet.py", "ui/picture.py",
    "lessons/cells.py", "lessons/check.py", "lessons/table.py",
    "lessons/questions.py", "lessons/reader.py", "lessons/scenes.py",
)  # fmt: skip
# What variables with words in them can hold.
PUT_IN = {
    "numbers.py": {"before": " after '7'"}
    | {f"{name}.place": "character 7" for name in ("token", "operator", "opening", "found")},
    "files/tables.py": {"where": "Row 7, column 7"},
    "files/session.py": {
        "place": "mask entry 7",
        "what": "is 7",
        "where": "byte 7 is 7",
        "error": "it is empty",
    },
    "checkpoints/config.py": {"kind": " (gptq)", "str(error).rstrip('.')": "it is empty"},
    "capture/texts.py": {"str(error).rstrip('.')": "it is empty"},
    "checkpoints/llama.py": {"apart": "false, but its tensors have biases"},
    "files/cells.py": {"what": "is 7"},
    "files/arrays.py": {"error": "it ends early"},
    "files/table_files.py": {"error": "It is no text"},
    "files/code.py": {"reason": "it has no softcap"},
    "lessons/cells.py": {"name[:-1]": "row", "name": "rows", "meaning": "row, column"},
    "lessons/table.py": {"where": "there is", "hint": "there are 7"},
}


def sentences(path: Path) -> Iterator[str]:
    """The literals with which errors are raised and problems are returned."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    put_in = PUT_IN.get(path.relative_to(SOURCES).as_posix(), {})
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node).endswith(("Error", "fail")):
            if called(node) not in ("OSError", "LookupError"):
                yield from (text for arg in node.args for text in spelled(arg, put_in) if " " in text)
        elif isinstance(node, ast.FunctionDef) and re.search("problem|reason|sentence|too_large", node.name):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    yield from (text for text in spelled(inner.value, put_in) if " " in text)
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("sentence", "_REASONS"):
            values = node.value.values if isinstance(node.value, ast.Dict) else [node.value]
            yield from (text for value in values for text in spelled(value, put_in))


def called(node: ast.Call) -> str:
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def spelled(node: ast.expr, put_in: dict[str, str]) -> list[str]:
    """What an expression can say; `put_in`: what its variables hold, else 7."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return spelled(node.body, put_in) + spelled(node.orelse, put_in)
    if isinstance(node, ast.JoinedStr):
        found = [""]
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                name = ast.unparse(part.value)
                ends = spelled(part.value, put_in) if isinstance(part.value, ast.IfExp) else []
                ends = ends or [put_in.get(name, "7")]
            else:
                ends = spelled(part, put_in)
            found = [text + end for text in found for end in ends]
        return found
    return []


@pytest.mark.parametrize("name", BELOW)
def test_sentences_from_below_are_known(name: str, chinese: None) -> None:
    """A new one wants a line in explorer/ui/problem_texts.py."""
    strange = [text for text in sentences(SOURCES / name) if problem_text(text) == text]
    assert strange == []


def test_in_english_sentences_from_below_stay_as_they_are() -> None:
    texts = [text for name in BELOW for text in sentences(SOURCES / name)]
    assert len(texts) > 100
    assert [problem_text(text) for text in texts] == texts


@pytest.mark.parametrize(
    ("sentence", "chinese_one"),
    [
        ("Expected ')' before '2' at character 3.", "第 3 个字符处，“2”前面缺少“)”。"),
        ("Division by zero at character 2", "第 2 个字符处除以了零"),
        (
            "3 heads do not divide the 4 columns of W_q evenly; possible: 1, 2, 4.",
            "3 个头不能平分 W_q 的 4 列；可以是：1, 2, 4。",
        ),
        (
            "With 4 heads, position (rotary): it turns pairs of columns, so d_k must be at least 2,"
            " and it is 1; possible: 1, 2.",
            "4 个头不行：位置编码（旋转）：它让列两两成对旋转，所以 d_k 至少要是 2，而现在是 1；可以是：1, 2。",
        ),
        (
            "a: b.attn.json: w_k is 2 × 3 but must have G·d_k = 1·2 = 2 columns.",
            "a: b.attn.json：w_k 是 2 × 3，但必须有 G·d_k = 1·2 = 2 列。",
        ),
        (
            "x.attn.json: it cannot be saved: there is no such file or folder.",
            "x.attn.json：无法保存：没有这个文件或文件夹。",
        ),
        ("heads is 'two' but must be a whole number from 1.", "heads 是 'two'，但必须是不小于 1 的整数。"),
        ("This scene could not be computed: out of luck", "这个场景算不出来：out of luck"),
        (
            "mine.toml, line 3: weights[1,:] asks for head 2, but weights has 1 heads.",
            "mine.toml 第 3 行：weights[1,:] 要第 2 个头，而 weights 有 1 个头。",
        ),
        ("mine.toml, line 3: Out of luck.", "mine.toml 第 3 行：Out of luck。"),
        ("Out of luck.", "Out of luck."),
    ],
)
def test_a_sentence_from_below_in_chinese(chinese: None, sentence: str, chinese_one: str) -> None:
    assert problem_text(sentence) == chinese_one


def test_no_sentence_is_there_twice() -> None:
    tables = (*SENTENCES, *RULES)
    assert len(set(tables)) == len(tables)
