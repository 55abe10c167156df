"""Reading TOML tables key by key: whatever is not as it must be is a LessonError with its line."""

import difflib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from explorer.lessons.cells import CellsError
from explorer.lessons.check import CheckError
from explorer.lessons.lesson import LessonError, Text
from explorer.lessons.lines import Lines

T = TypeVar("T")


class Source:
    """The file that tables come from, for errors."""

    def __init__(self, name: str, lines: Lines) -> None:
        self.name = name
        self.lines = lines
        self.languages: tuple[str, ...] = ()


class Table:
    """One TOML table, read key by key; what nobody asked for is an error in `close`."""

    def __init__(self, data: Mapping[str, Any], path: tuple[str | int, ...], source: Source) -> None:
        self.data = data
        self.path = path
        self.source = source
        self.known: list[str] = []

    def fail(self, sentence: str, *path: str | int) -> NoReturn:
        """Raise the LessonError for a key of this table, or for the table."""
        raise LessonError(self.source.name, self.line(*path), sentence)

    def line(self, *path: str | int) -> int:
        """Where a key of this table, or the table, stands in the file."""
        return self.source.lines.of((*self.path, *path))

    def get(self, key: str, kind: type[T], what: str, default: T | None = None) -> T:
        """A value of one kind; `default` None means that the key is required."""
        self.known.append(key)
        if key not in self.data:
            if default is None:
                self.fail(f"{key} is missing here.")
            return default
        value = self.data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fail(f"{key} must be {what}.", key)
        return value

    def number(self, key: str) -> float:
        """A number that is required."""
        self.known.append(key)
        value = self.data.get(key)
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.fail(f"{key} must be a number.", key)
        return float(value)

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        self.known.append(key)
        return key in self.data

    def table(self, key: str) -> "Table":
        """A table in this one."""
        return Table(self.get(key, dict, "a table"), (*self.path, key), self.source)

    def tables(self, key: str) -> Iterator["Table"]:
        """The tables of a list, of which there may be none."""
        for i, entry in enumerate(self.get(key, list, "a list of tables", [])):
            if not isinstance(entry, dict):
                self.fail(f"{key} must be a list of tables; entry {i + 1} is none.", key, i)
            yield Table(entry, (*self.path, key, i), self.source)

    def parsed(self, key: str, parser: Callable[[str], T]) -> tuple[T, ...]:
        """A list of texts, each parsed; a single text is a list of one."""
        self.known.append(key)
        value = self.data.get(key, [])
        entries = [value] if isinstance(value, str) else value
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            self.fail(f'{key} must be a list of texts, such as ["weights[1,1,2]"].', key)
        return tuple(self.parse(parser, entry, key, i) for i, entry in enumerate(entries))

    def parse(self, parser: Callable[[str], T], text: str, *path: str | int) -> T:
        """What `parser` makes of a text of this table."""
        try:
            return parser(text)
        except (CellsError, CheckError) as error:
            self.fail(str(error), *path)

    def text(self, key: str) -> Text:
        """`key.en = "…"`, in every language of the lesson."""
        words = self.get(key, dict, f'given by language, such as {key}.en = "…"')
        return self._text(words, key)

    def optional_text(self, key: str) -> Text | None:
        """The same where it may be left out."""
        return self.text(key) if self.has(key) else None

    def own_text(self) -> Text:
        """This table's own `en = "…"`."""
        self.known += self.source.languages
        return self._text({k: v for k, v in self.data.items() if k in self.source.languages})

    def texts(self, key: str) -> tuple[Text, ...]:
        """`key.en = ["…", …]`, equally many in every language."""
        lists = self.get(key, dict, f'given by language, such as {key}.en = ["…"]', {})
        for language, entries in lists.items():
            if not isinstance(entries, list):
                self.fail(f"{key}.{language} must be a list of texts.", key, language)
        counts = {language: len(entries) for language, entries in lists.items()}
        if len(set(counts.values())) > 1:
            told = ", ".join(f"{count} in {language}" for language, count in counts.items())
            self.fail(f"{key} must be equally many in every language: there are {told}.", key)
        rows = [dict(zip(lists, entry, strict=True)) for entry in zip(*lists.values(), strict=True)]
        return tuple(self._text(row, key) for row in rows)

    def _text(self, words: Mapping[str, Any], *path: str | int) -> Text:
        for language, entry in words.items():
            if not isinstance(entry, str) or not entry.strip():
                self.fail(f"{'.'.join(map(str, (*path, language)))} must be text.", *path, language)
        languages = self.source.languages or tuple(words)
        for language in languages:
            if language not in words:
                where = f"{path[-1]} has" if path else "there is"
                self.fail(f"{where} no text for the language '{language}', which the title has.", *path)
        for language in words:
            if language not in languages:
                self.fail(f"the title has no language '{language}'.", *path, language)
        return Text({language: words[language].strip() for language in languages})

    def close(self) -> None:
        """Refuse keys that mean nothing, with the likely one."""
        for key in self.data:
            if key not in self.known:
                near = difflib.get_close_matches(key, self.known, 1)
                names = ", ".join(dict.fromkeys(self.known))
                hint = f"'{near[0]}' may be meant." if near else f"there are {names}."
                self.fail(f"'{key[:40]}' means nothing here; {hint}", key)
