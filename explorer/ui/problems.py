"""What went wrong, in the user's language: the sentences of the layers below, which speak plain English.

What nobody has foreseen in problem_texts.py is shown in English.
"""

import re
from functools import cache
from string import Formatter

from PySide6.QtCore import QCoreApplication

from explorer.ui.choices import kind_name
from explorer.ui.problem_texts import FROM_FILE, FROM_LINE, RULES, SENTENCES, STOP

PHRASES = ("problem", "reason", "rule", "value", "key", "what")  # names of what can have words in it again
_LINE = re.compile(r"(?P<name>.+), line (?P<line>\d+): (?P<problem>.+)", re.DOTALL)


def problem_text(sentence: str) -> str:
    """A sentence from below, or one without its full stop, in the user's language; as it is if it is not known."""
    body = sentence.removesuffix(".")
    found = _of_line(body) or _told(body, SENTENCES) or _of_file(body)
    if found is None:
        return sentence
    return found if body == sentence else _translated(STOP).format(sentence=found)


def _of_line(body: str) -> str | None:
    """'mine.toml, line 3: name is missing here'"""
    if (match := _LINE.fullmatch(body)) is None:
        return None
    problem = _told(match["problem"], SENTENCES) or match["problem"]
    return _translated(FROM_LINE).format(name=match["name"], line=match["line"], problem=problem)


def _of_file(body: str) -> str | None:
    """'mine.attn.json: it is empty': any text may come before the colon, so what comes after must be known."""
    for colon in re.finditer(": ", body):
        if (found := _told(body[colon.end() :], SENTENCES)) is not None:
            return _translated(FROM_FILE).format(name=body[: colon.start()], problem=found)
    return None


def _told(text: str, templates: tuple[str, ...]) -> str | None:
    for template in templates:
        if not all(part in text for part in _parts(template)):
            continue  # there are hundreds, and a pattern takes long to make
        if (match := _pattern(template).fullmatch(text)) is not None:
            values = {name: _value(name, value) for name, value in match.groupdict().items()}
            return _translated(template).format(**values)
    return None


def _value(name: str, value: str) -> str:
    if name == "kind":
        return kind_name(value)
    if name in PHRASES:
        return _told(value, SENTENCES if name in ("problem", "reason") else RULES) or value
    return value


@cache
def _parts(template: str) -> tuple[str, ...]:
    """What is the same in each of its sentences."""
    return tuple(plain for plain, *_field in Formatter().parse(template))


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = []
    for plain, name, _form, _kind in Formatter().parse(template):
        letter = "[^:]" if name == "key" else "."  # the name of a file may come before a key
        parts.append(re.escape(plain) + ("" if name is None else f"(?P<{name}>{letter}+?)"))
    return re.compile("".join(parts), re.DOTALL)


def _translated(template: str) -> str:
    return QCoreApplication.translate("Problem", template)
