"""The sentences of the layers below, as the window says them."""

from explorer.attention.remarks import REMARKS, Remark
from explorer.ui.remarks import TEXTS, remark_text


def test_they_are_the_same_in_english() -> None:
    assert TEXTS == REMARKS
    remark = Remark("mask", {"old": "causal", "new": "none"})
    assert remark_text(remark) == remark.text == "mask causal → none"
