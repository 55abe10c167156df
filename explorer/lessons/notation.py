"""The field's notation in a lesson's text: which letters of W_q, d_model, W^O, W_i^Q are to stand low or high."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_INDEXED = re.compile(
    r"(?<![A-Za-z0-9_.])(?:[A-Za-z]|head)[₀-₉]?"
    r"(?=[_^])(?:_(?P<sub>model|context|out|[a-zH]))?(?:\^(?P<sup>[A-Z]))?(?![A-Za-z0-9_^(])"
)

# What there is of low and high letters, for titles that are plain text.
_LOW = {"k": "ₖ", "v": "ᵥ", "i": "ᵢ", "o": "ₒ"}
_HIGH = {"O": "ᴼ", "K": "ᴷ", "V": "ⱽ"}


class Index(NamedTuple):
    """Letters start … end−1 of a text; the `_` or `^` before them is not shown."""

    start: int
    end: int
    is_low: bool


def indices(text: str) -> Iterator[Index]:
    """The indices in a text, in their order. Names such as attn_mask and powers such as e^2 have none."""
    for match in _INDEXED.finditer(text):
        for name in ("sub", "sup"):
            if match[name]:
                yield Index(match.start(name), match.end(name), name == "sub")


def plain(text: str) -> str:
    """The text with low and high letters where Unicode has them: √dₖ, Wᴼ."""
    for index in reversed(list(indices(text))):
        letters = text[index.start : index.end]
        if changed := (_LOW if index.is_low else _HIGH).get(letters):
            text = text[: index.start - 1] + changed + text[index.end :]
    return text
