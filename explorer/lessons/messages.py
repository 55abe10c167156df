"""What a verdict says, in every language. To add a language: one column here, one text per lesson."""

from collections.abc import Mapping

from explorer.attention.trace import STAGES, Cell
from explorer.attention.variants import SLIPS
from explorer.lessons.lesson import Text


def _text(en: str, zh: str) -> Text:
    return Text({"en": en, "zh": zh})


SENTENCES: dict[str, Text] = {
    "right": _text("Right.", "正确。"),
    "right_number": _text("Right: {value}.", "正确：{value}。"),
    "almost_decimals": _text(
        "Right as far as it goes. Give it to {decimals} decimals.",
        "到这一位是对的。请写到小数点后 {decimals} 位。",
    ),
    "almost_rounding": _text(
        "Very close: only the last digit is off. Keep more digits on the way and round at the end.",
        "非常接近，只差在最后一位。中间步骤多留几位，最后再四舍五入。",
    ),
    "almost_close": _text(
        "Close, but this number can be had exactly.", "很接近，不过这个数可以算得一点不差。"
    ),
    "almost_sign": _text("The size is right; look at the sign again.", "大小是对的，再看看正负号。"),
    "almost_transposed": _text(
        "Row and column have changed places: a row is a query, a column is a key.",
        "行和列弄反了：一行是一个查询，一列是一个键。",
    ),
    "almost_head": _text("The right place, but in another head.", "位置对了，但不是这个头。"),
    "wrong_number": _text("Not yet. Try again, or take a hint.", "还不对。再试一次，或者看看提示。"),
    "wrong_guess": _text("Not yet. Try again, or reveal it.", "还不对。再试一次，或者揭开看看。"),
    "wrong_choice": _text("Not this one.", "不是这一项。"),
    "wrong_cell": _text("That is {cell}. Not this one.", "你点的是{cell}，不是这一格。"),
    "wrong_place": _text("That is {cell}. Look in {place}.", "你点的是{cell}。请到{place}里找。"),
    "slip": _text(
        "Not yet, but this number is an old acquaintance. {slip}", "还不对，不过这个数很眼熟：{slip}"
    ),
    "open": _text(
        "Not there yet: {what} is {actual}, and it must be {sign}{wanted}.",
        "还没到：{what} 现在是 {actual}，应当是 {sign}{wanted}。",
    ),
    "unreadable": _text(
        "That cannot be read as a number: {reason}. Write 0.5, 1/3 or sqrt(2)/2.",
        "这不是能读懂的数。请写成 0.5、1/3 或 sqrt(2)/2 这样。",
    ),
    "solution_number": _text("The answer is {value}.", "答案是 {value}。"),
    "solution_choice": _text("The answer: {option}", "答案：{option}"),
    "solution_cell": _text("It is {cell}.", "答案是{cell}。"),
    "solution_edit": _text("It takes {goal}.", "需要做到：{goal}。"),
    "cell": _text("row {row}, column {col} of {place}", "{place}的第 {row} 行第 {col} 列"),
    "cell_head": _text(
        "row {row}, column {col} of {place}, head {head}", "第 {head} 个头{place}的第 {row} 行第 {col} 列"
    ),
}

_STAGES_ZH = {
    "x": "输入",
    "q": "查询",
    "k": "键",
    "v": "值",
    "scores": "原始分数",
    "scaled": "缩放后的分数",
    "masked": "掩码后的分数",
    "weights": "权重",
    "head_outputs": "头的输出",
    "concat": "拼接结果",
    "output": "输出",
}
_MATRICES = {
    "context": _text("the context", "上下文"),
    "w_q": _text("W_q", "W_q"),
    "w_k": _text("W_k", "W_k"),
    "w_v": _text("W_v", "W_v"),
    "w_o": _text("W^O", "W^O"),
    "b_q": _text("b_q", "b_q"),
    "b_k": _text("b_k", "b_k"),
    "b_v": _text("b_v", "b_v"),
    "b_o": _text("b^O", "b^O"),
}
PLACES: dict[str, Text] = {
    **{stage.name: _text(f"the {stage.title}", _STAGES_ZH[stage.name]) for stage in STAGES},
    **_MATRICES,
}

_SLIPS_ZH = {
    "softmax_over_queries": "softmax 沿查询方向做了，于是每一列加起来是 1，而不是每一行。",
    "softmax_over_heads": "softmax 沿头的方向做了，而不是沿键的方向。",
    "no_exponential": "分数没有先取指数，就直接除以了它们的和。",
    "no_quotient": "取了指数，却没有除以这一行的总和。",
    "split_without_transpose": "切分头时用了 view(H, n, d) 而没有转置，于是每个头分到的是整个词元，而不是若干列。",
    "scale_forgotten": "分数没有除以 √d_k。",
    "scale_sqrt_d_model": "分数除以了 √d_model，而不是 √d_k（一个头的宽度）。",
    "scale_without_root": "分数除以了 d_k 本身，忘了开平方。",
    "scores_transposed": "算成了 K·Qᵀ 而不是 Q·Kᵀ：查询和键互换了位置。",
    "mask_inverted": "掩码反了：该看的被遮住，该遮的反而露了出来。",
    "mask_forgotten": "忘了掩码：所有的键都被看到了。",
    "mask_after_softmax": "掩码加在了 softmax 之后，于是各行之和不再是 1。",
    "mask_multiplied": "被遮住的分数是乘以 0，而不是换成 −∞；e⁰ = 1 照样参与了分配。",
    "mask_added": "由 0 和 1 组成的掩码被加到了分数上，结果什么也没遮住。",
    "weights_averaged": "权重在与 V 相乘之前先对各个头取了平均。",
    "w_o_forgotten": "输出就是拼接结果本身：忘了乘 W^O。",
}
SLIP_SENTENCES: dict[str, Text] = {
    slip.name: _text(slip.sentence, _SLIPS_ZH.get(slip.name, slip.sentence)) for slip in SLIPS
}


def say(code: str, language: str, data: Mapping[str, str] | None = None) -> str:
    """The sentence of a code with its data put in."""
    return SENTENCES[code].to(language).format_map(data or {})


def cell_name(cell: Cell, language: str) -> str:
    """Such as: row 1, column 2 of the weights, head 1; counted from 1."""
    code = "cell" if cell.head is None else "cell_head"
    place = PLACES[cell.place].to(language)
    head = "" if cell.head is None else str(cell.head + 1)
    return say(
        code, language, {"row": str(cell.row + 1), "col": str(cell.col + 1), "place": place, "head": head}
    )
