import pytest

from explorer.lessons.notation import indices, plain


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("X·W_q, d_k", "X·W<sub>q</sub>, d<sub>k</sub>"),
        ("√d_model 与d_v", "√d<sub>model</sub> 与d<sub>v</sub>"),
        ("Concat·W^O.", "Concat·W<sup>O</sup>."),
        ("W_i^Q and W₁^Q", "W<sub>i</sub><sup>Q</sup> and W₁<sup>Q</sup>"),
        ("<b>head_H</b>", "<b>head<sub>H</sub></b>"),
        ("n·d² e^5 e^(1/√2) 10^9", "n·d² e^5 e^(1/√2) 10^9"),
        ("attn_mask=~keep, batch_first, nn.x_y", "attn_mask=~keep, batch_first, nn.x_y"),
        ("scaled_dot_product_attention", "scaled_dot_product_attention"),
        ("W_qk d_kv W_", "W_qk d_kv W_"),
        ("a_b_c", "a_b_c"),
    ],
)
def test_indices(text: str, html: str) -> None:
    shown = text
    for index in reversed(list(indices(text))):
        tag = "sub" if index.is_low else "sup"
        letters = f"<{tag}>{text[index.start : index.end]}</{tag}>"
        shown = shown[: index.start - 1] + letters + shown[index.end :]
    assert shown == html


def test_titles_have_what_unicode_has() -> None:
    assert plain("Why divide by √d_k") == "Why divide by √dₖ"
    assert plain("Concat and W^O") == "Concat and Wᴼ"
    assert plain("W_q, d_model, W_i^Q, attn_mask") == "W_q, d_model, Wᵢ^Q, attn_mask"
