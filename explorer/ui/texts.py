"""Names and sentences from the layers below, which speak plain English, in the user's language.

The tables repeat the English so that the translation tools find it; the tests hold them against their originals.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from explorer.attention.trace import Cell
from explorer.scene import Scene

if TYPE_CHECKING:
    from explorer.attention.explain import Explanation
    from explorer.attention.steps import Sentence

Label = TypeVar("Label")

# The keys are Stage names.
STAGE_TITLES = {
    "x": QT_TRANSLATE_NOOP("Stage", "input"),
    "q": QT_TRANSLATE_NOOP("Stage", "queries"),
    "k": QT_TRANSLATE_NOOP("Stage", "keys"),
    "v": QT_TRANSLATE_NOOP("Stage", "values"),
    "scores": QT_TRANSLATE_NOOP("Stage", "raw scores"),
    "scaled": QT_TRANSLATE_NOOP("Stage", "scaled scores"),
    "masked": QT_TRANSLATE_NOOP("Stage", "masked scores"),
    "weights": QT_TRANSLATE_NOOP("Stage", "weights"),
    "head_outputs": QT_TRANSLATE_NOOP("Stage", "head output"),
    "concat": QT_TRANSLATE_NOOP("Stage", "concat"),
    "output": QT_TRANSLATE_NOOP("Stage", "output"),
}

# The keys are matrices that are no stages.
MATRIX_TITLES = {
    "context": QT_TRANSLATE_NOOP("Matrix", "context"),
    "w_q": QT_TRANSLATE_NOOP("Matrix", "query projection"),
    "w_k": QT_TRANSLATE_NOOP("Matrix", "key projection"),
    "w_v": QT_TRANSLATE_NOOP("Matrix", "value projection"),
    "w_o": QT_TRANSLATE_NOOP("Matrix", "output projection"),
    "b_q": QT_TRANSLATE_NOOP("Matrix", "query bias"),
    "b_k": QT_TRANSLATE_NOOP("Matrix", "key bias"),
    "b_v": QT_TRANSLATE_NOOP("Matrix", "value bias"),
    "b_o": QT_TRANSLATE_NOOP("Matrix", "output bias"),
}

# What explains a number: the keys are those of explorer.attention.steps.SENTENCES.
EXPLANATIONS = {
    "given": QT_TRANSLATE_NOOP("Explanation", "set by you"),
    "position": QT_TRANSLATE_NOOP("Explanation", "the position added"),
    "sum": QT_TRANSLATE_NOOP("Explanation", "sum of products"),
    "bias": QT_TRANSLATE_NOOP("Explanation", "the bias added"),
    "score_bias": QT_TRANSLATE_NOOP("Explanation", "the bias of this query and key added"),
    "squares": QT_TRANSLATE_NOOP("Explanation", "sum of squares of the row"),
    "mean": QT_TRANSLATE_NOOP("Explanation", "their mean, and ε"),
    "root": QT_TRANSLATE_NOOP("Explanation", "the root of it"),
    "norm": QT_TRANSLATE_NOOP("Explanation", "divided by the root, times the norm's weight"),
    "rotary": QT_TRANSLATE_NOOP("Explanation", "turned by its position"),
    "scale": QT_TRANSLATE_NOOP("Explanation", "divided by √d_k"),
    "scale_factor": QT_TRANSLATE_NOOP("Explanation", "times the scale"),
    "softcap": QT_TRANSLATE_NOOP("Explanation", "capped softly at ±{cap}"),
    "alibi": QT_TRANSLATE_NOOP("Explanation", "less the distance times the head's slope"),
    "mask": QT_TRANSLATE_NOOP("Explanation", "hidden, so replaced by {fill}"),
    "hidden_weight": QT_TRANSLATE_NOOP("Explanation", "hidden, so nothing"),
    "unscaled": QT_TRANSLATE_NOOP("Explanation", "neither scaled nor bent, so as it is"),
    "visible": QT_TRANSLATE_NOOP("Explanation", "visible, so as it is"),
    "identity": QT_TRANSLATE_NOOP("Explanation", "no W_o, so as it is"),
    "concat": QT_TRANSLATE_NOOP("Explanation", "taken over from head {head}"),
    "shift": QT_TRANSLATE_NOOP("Explanation", "the largest of the row subtracted"),
    "exp": QT_TRANSLATE_NOOP("Explanation", "exponential"),
    "sum_exp": QT_TRANSLATE_NOOP("Explanation", "sum over the keys"),
    "normalise": QT_TRANSLATE_NOOP("Explanation", "divided by the sum"),
    "cast": QT_TRANSLATE_NOOP("Explanation", "rounded to {dtype}"),
    "hidden_later": QT_TRANSLATE_NOOP(
        "Explanation", "Hidden by {masks}: the score will be replaced, so nothing depends on it."
    ),
    "hidden": QT_TRANSLATE_NOOP(
        "Explanation", "Hidden by {masks}: {fill} stands in place of the score {score}."
    ),
    "hidden_key": QT_TRANSLATE_NOOP("Explanation", "Hidden by {masks}: the weight is 0 whatever the score."),
    "hidden_filled": QT_TRANSLATE_NOOP(
        "Explanation", "Hidden by {masks}, yet {fill} counts in the sum like any score."
    ),
    "blind": QT_TRANSLATE_NOOP(
        "Explanation", "{token} attends to nothing: every key is hidden, so the weights are 0."
    ),
    "only_key": QT_TRANSLATE_NOOP(
        "Explanation", "It is the only key that {token} may see, so its weight is 1 whatever the score."
    ),
    "shared": QT_TRANSLATE_NOOP("Explanation", "K/V head {group} is shared by heads {first}–{last}."),
    "shifted": QT_TRANSLATE_NOOP(
        "Explanation",
        "Subtracting {top} from every score of the row leaves the weights as they are and keeps the"
        " exponentials within reach.",
    ),
    "normed": QT_TRANSLATE_NOOP(
        "Explanation",
        "{name} is the row as it was projected; its root mean square is {root}, with ε = {eps} under the root.",
    ),
    "turned": QT_TRANSLATE_NOOP(
        "Explanation",
        "Columns {first} and {second} turn together by θ = {position}·{base}^(−{power}/{dims}) = {angle};"
        " positions count from 0.",
    ),
    "turned_at": QT_TRANSLATE_NOOP(
        "Explanation",
        "Columns {first} and {second} turn together by θ = {position}·{frequency} = {angle}; positions count from 0.",
    ),
    "stretched": QT_TRANSLATE_NOOP(
        "Explanation", "Cosine and sine are those of θ times the position's factor {factor}."
    ),
    "by_distance": QT_TRANSLATE_NOOP(
        "Explanation",
        "The number for the distance {distance} from the query to the key; farther than {reach} is as far as that.",
    ),
    "sinusoidal": QT_TRANSLATE_NOOP(
        "Explanation",
        "p = {function}({position}/{base}^({power}/{width})) = {value}; positions count from 0.",
    ),
    "learned": QT_TRANSLATE_NOOP("Explanation", "p is in row {row} of the learned table of positions."),
    "nan_here": QT_TRANSLATE_NOOP("Explanation", "NaN arises here: {reason} has no value."),
    "nan_from": QT_TRANSLATE_NOOP("Explanation", "The NaN comes from {name}."),
    "infinite_here": QT_TRANSLATE_NOOP(
        "Explanation", "{value} arises here: the result is more than {dtype} can hold."
    ),
    "infinite_from": QT_TRANSLATE_NOOP("Explanation", "The ∞ comes from {name}."),
}

MASK_NAMES = {
    "causal": QT_TRANSLATE_NOOP("MaskName", "the causal mask"),
    "padding": QT_TRANSLATE_NOOP("MaskName", "the padding mask"),
    "window": QT_TRANSLATE_NOOP("MaskName", "the window mask"),
    "custom": QT_TRANSLATE_NOOP("MaskName", "the custom mask"),
}

# Titles of the scenes in resources/scenes.
EXAMPLES = (
    QT_TRANSLATE_NOOP("Example", "Two tokens by hand"),
    QT_TRANSLATE_NOOP("Example", "The cat sat down: two heads, causal"),
    QT_TRANSLATE_NOOP("Example", "Heads own columns"),
    QT_TRANSLATE_NOOP("Example", "A row that sees nothing"),
    QT_TRANSLATE_NOOP("Example", "Order does not matter"),
    QT_TRANSLATE_NOOP("Example", "Rotary: only the distance counts"),
    QT_TRANSLATE_NOOP("Example", "Four heads share two sets of keys"),
    QT_TRANSLATE_NOOP("Example", "Cross-attention: translating"),
)

_HEAD = re.compile(r"\b(K/V head|head) (\d+)")


def stage_title(name: str) -> str:
    """'raw scores', translated; empty for a matrix that is no stage."""
    return QCoreApplication.translate("Stage", STAGE_TITLES[name]) if name in STAGE_TITLES else ""


def place_title(place: str) -> str:
    """What a stage or a matrix is: 'weights', 'key projection'."""
    if place in STAGE_TITLES:
        return stage_title(place)
    return QCoreApplication.translate("Matrix", MATRIX_TITLES[place])


def part_text(part: str) -> str:
    """What a part of a model is called; empty where it has one kind of attention alone."""
    translate = QCoreApplication.translate
    names = {
        "encoder": translate("Part", "encoder"),
        "decoder": translate("Part", "decoder"),
        "cross": translate("Part", "decoder, cross-attention"),
        "text": translate("Part", "text"),
        "vision": translate("Part", "images"),
    }
    return names.get(part, part)


def head_text(number: int, shared: bool = False) -> str:
    """'head 2'; 'K/V head 2' where several heads share it. Counted from 1."""
    translate = QCoreApplication.translate
    text = translate("Place", "K/V head {number}") if shared else translate("Place", "head {number}")
    return text.format(number=number)


def heads_text(heads: Sequence[int]) -> str:
    """'heads 1–4' for heads from 0 that follow one another; empty for none."""
    if len(heads) < 2:
        return head_text(heads[0] + 1) if heads else ""
    text = QCoreApplication.translate("Place", "heads {number}")
    return text.format(number=f"{heads[0] + 1}–{heads[-1] + 1}")


def head_of(scene: Scene, cell: Cell) -> str:
    """The head of a cell as `head_text`; nothing where the scene or the place has but one."""
    if cell.head is None or scene.heads == 1:
        return ""
    return head_text(cell.head + 1, cell.place in ("k", "v") and scene.groups != scene.heads)


def cell_text(scene: Scene, cell: Cell) -> str:
    """'weights · head 1 · row 3 · column 2': a cell in words, for screen readers and tool tips."""
    where = QCoreApplication.translate("Place", "row {row} · column {col}")
    where = where.format(row=cell.row + 1, col=cell.col + 1)
    return " · ".join(filter(None, (place_title(cell.place), head_of(scene, cell), where)))


def told(sentence: "Sentence") -> str:
    """A step's title or a note."""
    values = {key: _value(key, value) for key, value in sentence.values.items()}
    text = QCoreApplication.translate("Explanation", EXPLANATIONS[sentence.key]).format(**values)
    return text.replace("d_k", "dₖ")


def _value(key: str, value: str) -> str:
    """A value put into a sentence, as far as it has words in it."""
    translate = QCoreApplication.translate
    if key == "masks":  # "the causal and window masks"
        names = [translate("MaskName", name) for kind, name in MASK_NAMES.items() if kind in value.split()]
        return translate("MaskName", " and ").join(names)
    if key == "name":  # "α₁,₂, head 2"
        return _HEAD.sub(lambda found: head_text(int(found[2]), found[1] != "head"), value)
    return value


def arithmetic_text(scene: Scene, found: "Explanation", decimals: int) -> str:
    """All that explains a number as plain text, for the clipboard."""
    translate = QCoreApplication.translate
    where = (place_title(found.cell.place), head_of(scene, found.cell), found.where)
    return found.text(
        decimals,
        heading=" · ".join(filter(None, where)),
        say=told,
        exactly=translate("Explanation", "full precision: {value}"),
        terms=translate("Explanation", "{count} terms"),
    )


def scene_title(title: str) -> str:
    """A scene's title: that of an example translated, anybody else's as it is."""
    return QCoreApplication.translate("Example", title) if title else ""


# Titles of the presenter's steps; the keys are those of present/steps.py.
STEP_TITLES = {
    "x": QT_TRANSLATE_NOOP("Step", "The input: one row per token"),
    "context": QT_TRANSLATE_NOOP("Step", "The context: where keys and values come from"),
    "q": QT_TRANSLATE_NOOP("Step", "Queries: what each token asks"),
    "k": QT_TRANSLATE_NOOP("Step", "Keys: what each token answers to"),
    "v": QT_TRANSLATE_NOOP("Step", "Values: what each token hands over"),
    "scores": QT_TRANSLATE_NOOP("Step", "Scores: every query with every key"),
    "scaled": QT_TRANSLATE_NOOP("Step", "Scaled, so that softmax stays soft"),
    "masked": QT_TRANSLATE_NOOP("Step", "The mask hides keys"),
    "weights": QT_TRANSLATE_NOOP("Step", "Softmax over the keys"),
    "head_outputs": QT_TRANSLATE_NOOP("Step", "Weights mix the values"),
    "concat": QT_TRANSLATE_NOOP("Step", "The heads side by side"),
    "output": QT_TRANSLATE_NOOP("Step", "The output"),
}


def step_title(key: str) -> str:
    """The title of a presenter's step, translated."""
    return QCoreApplication.translate("Step", STEP_TITLES[key])


def some_of(many: Sequence[Label]) -> Sequence[Label]:
    """All of few, some from all over of many: to learn how wide they are is not worth a second."""
    return many if len(many) <= 400 else [*many[:: len(many) // 200], many[-1]]
