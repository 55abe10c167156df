"""Labels that bear the marks of a tokenizer are written as one reads them."""

import pytest

from explorer.ui.tips import plain
from explorer.ui.words import is_special, shown

LETTERS = {0x20: "Ġ", 0x0A: "Ċ", 0x09: "ĉ"}


def byte_level(text: str) -> str:
    """As GPT-2's vocabulary spells a text."""
    others = [b for b in range(256) if not (0x21 <= b < 0x7F or 0xA1 <= b < 0xAD or 0xAE <= b)]
    return "".join(chr(0x100 + others.index(b)) if b in others else chr(b) for b in text.encode())


def test_word_pieces_of_bert() -> None:
    labels = ("[CLS]", "play", "##ing", "##", ",", "##好", "[SEP]")
    assert shown(labels) == ("[CLS]", "play", "‑ing", "##", ",", "‑好", "[SEP]")


def test_a_heading_is_no_word_piece() -> None:
    assert shown(("##a", "b")) == ("##a", "b")


def test_byte_level_of_gpt2() -> None:
    assert byte_level(" \n\t") == "ĠĊĉ"
    texts = (
        "The",
        " cat",
        "s",
        ",",
        " naïve",
        " 你好",
        "吗",
        " 日",
        "本",
        "\n",
        "\n\n",
        "  ",
        "   for",
        "\t",
        "x",
    )
    expected = (
        "The",
        "cat",
        "‑s",
        ",",
        "naïve",
        "你好",
        "吗",
        "日",
        "本",
        "↵",
        "↵↵",
        "␣␣",
        "␣␣for",
        "⇥",
        "x",
    )
    assert shown(tuple(map(byte_level, texts))) == expected


def test_a_part_of_a_character_is_told_as_bytes() -> None:
    smile = byte_level(" 😀")
    assert shown((smile[:3], smile[3:], "<|endoftext|>", "The")) == (
        "⟨F0⟩⟨9F⟩",
        "⟨98⟩⟨80⟩",
        "<|endoftext|>",
        "The",
    )
    assert shown((smile,)) == ("😀",)


def test_a_special_token_in_other_letters_stays() -> None:
    assert shown(("<｜begin｜>", "The", "Ġcat")) == ("<｜begin｜>", "The", "cat")


def test_right_to_left_words_go_on_at_their_left() -> None:
    texts = (" שלום", "ים", " مرحب", "ا")
    assert shown(tuple(map(byte_level, texts))) == ("שלום", "\u200f‑ים", "مرحب", "\u200f‑ا")


def test_sentence_pieces() -> None:
    labels = ("<s>", "▁Hel", "lo", "▁", "<0x0A>", "<0xE4>", "▁▁if", "▁你", "好", "</s>", "x")
    assert shown(labels) == ("<s>", "Hel", "‑lo", "␣", "↵", "⟨E4⟩", "␣if", "你", "好", "</s>", "x")


@pytest.mark.parametrize("word", ["Ġorġ", "naïve", "##", "", "a b", "e\u0301", "👩‍👩‍👧"])
def test_plain_words_stay_as_they_are(word: str) -> None:
    assert shown((word,)) == (word,)


def test_breaks_and_spaces_are_seen() -> None:
    assert shown(("a\nb", " ", "\r\n")) == ("a↵b", "␣", "↵")


def test_special_tokens() -> None:
    assert all(map(is_special, ("[CLS]", "[unused1]".upper(), "<s>", "</s>", "<pad>", "<|im_start|>")))
    assert not any(map(is_special, ("[", "a", "<", "[x]", "")))


def test_tool_tips_show_tags_as_they_are(qapp: object) -> None:
    assert plain("猫 → cat: 0.5") == "猫 → cat: 0.5"
    assert "&lt;s&gt;" in plain("<s> → a & b")
