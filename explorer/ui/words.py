"""Labels of tokens as a person reads them: the marks of sub-word tokenizers become hyphens, spaces and arrows.

Known are the marks of WordPiece (BERT: "##ing" goes on with a word), of byte-level BPE (GPT-2: "Ġthe" begins with a
space, each other letter is one byte of UTF-8) and of SentencePiece ("▁the", "<0x0A>"). Which of them a scene's labels
bear is seen from all of them together. Only what is drawn changes: labels are kept, typed and exported as they are.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

from explorer.scene import Scene

HYPHEN = "‑"  # one that no line breaks at: what follows goes on with the word before it
SPACE = "␣"
RIGHT_TO_LEFT = "\u200f"  # makes a hyphen before Hebrew or Arabic stand at its right
BREAKS = {"\r\n": "↵", "\n": "↵", "\r": "↵", "\t": "⇥"}
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
# Scripts written without spaces (CJK, Thai …), where no hyphen is needed to see that a word goes on.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]"
)
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


def shown(labels: Sequence[str]) -> tuple[str, ...]:
    """How each label (a tuple of them) is written beside a row, above a column or in a list of words."""
    global _last  # of 32,768 labels it takes a while to see that they are the same, and each line asks
    last, written = _last
    if last is not labels:
        written = _shown(labels)
        _last = labels, written
    return written


_last: tuple[Sequence[str], tuple[str, ...]] = (), ()


def prepare(scene: Scene) -> Scene:
    """Have those of a scene written, where nobody waits for it: of a long text that takes a while."""
    for labels in {scene.tokens, scene.key_tokens}:
        shown(labels)
    return scene


@lru_cache(maxsize=64)
def _shown(labels: Sequence[str]) -> tuple[str, ...]:
    every = "".join(labels)
    if _is_byte_level(every, labels):
        return _with_spaces(_each(_decoded, labels))
    if "▁" in every and any(label.startswith("▁") for label in labels):
        return _with_spaces(_each(_of_pieces, labels))
    if every.isalnum():
        return tuple(labels)  # as those are that were made up
    return *(_visible(label) or label for label in labels[:1]), *_each(_of_word_pieces, labels[1:])


def _each(write: Callable[[str], str], labels: Sequence[str]) -> list[str]:
    """Each label written, those that a text has many times once."""
    written = {label: write(label) for label in set(labels)}
    return [written[label] for label in labels]


def is_special(label: str) -> bool:
    """Whether it is a mark of the tokenizer, such as [CLS], </s> or <|endoftext|>, and no word of the text."""
    return re.fullmatch(r"\[[A-Z]+\d*\]|</?[a-z_]+\d*>|<\|.+\|>", label) is not None


def _of_word_pieces(label: str) -> str:
    """One that is not the first."""
    if len(label) > 2 and label.startswith("##"):
        return _continued(label[2:])
    return _visible(label) or label


def _with_spaces(texts: list[str]) -> tuple[str, ...]:
    """Texts whose words begin with a space: it is left out, and a hyphen put where a word goes on instead."""
    found = []
    before = ""
    for text in texts:
        found.append(
            _continued(text) if _goes_on(before[-1:], text[:1]) and not is_special(before) else _visible(text)
        )
        before = text
    return tuple(found)


@cache
def _goes_on(before: str, letter: str) -> bool:
    """Whether these two letters, or nothing, stand within a word where no space is between them."""
    both = before.isalnum() and letter.isalnum()
    return both and not _UNSPACED.match(before) and not _UNSPACED.match(letter)


@lru_cache(maxsize=4096)
def _continued(text: str) -> str:
    mark = RIGHT_TO_LEFT if _RIGHT_TO_LEFT.match(text) else ""
    return mark + HYPHEN + _visible(text)


@lru_cache(maxsize=4096)
def _visible(text: str) -> str:
    """Without the one space that begins a word; spaces and breaks that stand for themselves become signs."""
    if text.isalnum():
        return text  # as most of a thousand are
    for sign, drawn in BREAKS.items():
        text = text.replace(sign, drawn)
    if text.startswith(" ") and text.strip():
        text = text[1:]
    spaces = len(text) - len(text.lstrip(" "))
    return SPACE * spaces + text[spaces:]


def _of_pieces(label: str) -> str:
    byte = _BYTE.fullmatch(label)
    return label.replace("▁", " ") if byte is None else _of_bytes(bytes([int(byte[1], 16)]))


def _is_byte_level(every: str, labels: Sequence[str]) -> bool:
    """Some label begins with the sign for a space or a line break, and none of them would hold a control character.

    `every` letter of the labels tells most of them quickly.
    """
    if not ("Ġ" in every or "Ċ" in every) or not any(label.startswith(("Ġ", "Ċ")) for label in labels):
        return False
    letters = _letters()
    known = [label for label in set(labels) if all(letter in letters for letter in label)]
    decoded = bytes(letters[letter] for label in known for letter in label)
    return not any(byte < 32 and byte not in b"\n\r\t" or byte == 127 for byte in decoded)


def _decoded(label: str) -> str:
    letters = _letters()
    if not all(letter in letters for letter in label):
        return label  # a special token in another script
    return _of_bytes(bytes(letters[letter] for letter in label))


def _of_bytes(data: bytes) -> str:
    """UTF-8 as text; bytes that are only a part of a character as ⟨E4⟩."""
    text = data.decode("utf-8", "surrogateescape")
    return re.sub(r"[\udc80-\udcff]", lambda found: f"⟨{ord(found[0]) - 0xDC00:02X}⟩", text)


@cache
def _letters() -> dict[str, int]:
    """Which byte each letter of byte-level BPE stands for: printable Latin-1 for itself, the others from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + k): byte for k, byte in enumerate(others)}
