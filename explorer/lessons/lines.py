"""Where in a TOML file a key stands. tomllib gives values without lines; a broken lesson should say which."""

import re
from collections.abc import Sequence

Path = tuple[
    str | int, ...
]  # ("step", 2, "question", "expected"): keys, and the number (from 0) of an array's table

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}'  # strings over several lines: their text is no key
    r'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
    r"|#[^\n]*|[\[\]{}=,\n]|[^\"'#\[\]{}=,\n]+",
    re.DOTALL,
)
_HEADER = re.compile(r"(\[\[?)([^\]\n]*)\]")
_KEY_PART = re.compile(r'"((?:\\.|[^"\\])*)"|\'([^\']*)\'|([A-Za-z0-9_-]+)')


class Lines:
    """The lines of one valid TOML text."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        self._scan(text)

    def of(self, path: Sequence[str | int]) -> int:
        """The line (from 1) of this key, or of the nearest table or key around it."""
        wanted = tuple(path)
        while wanted and wanted not in self._lines:
            wanted = wanted[:-1]
        return self._lines.get(wanted, 1)

    def _scan(self, text: str) -> None:
        table: Path = ()
        key: Path = ()
        counts: dict[Path, int] = {}  # of arrays of tables: the number of the last one
        line, depth, element = 1, 0, 0
        words: str | None = ""  # a key so far; None: past the key
        for match in _TOKEN.finditer(text):
            token = match[0]
            if depth == 0 and token == "\n":
                words = ""
            elif depth == 0 and words is not None and token == "=":
                key, words = table + _keys(words), None
                self._note(key, line)
            elif depth == 0 and words is not None and token == "[":
                header = _HEADER.match(text, match.start())
                assert header is not None  # the text is valid
                table = key = self._table(_keys(header[2]), len(header[1]) == 2, counts)
                self._note(table, line)
                depth, element, words = 1, -1, None
            elif token in ("[", "{"):
                depth += 1
                if depth == 1:
                    element = 0 if token == "[" else -1  # −1: keys, not elements
                elif depth == 2 and element >= 0:
                    self._note((*key, element), line)
            elif token in ("]", "}"):
                depth -= 1
            elif token == ",":
                element += depth == 1 and element >= 0
            elif words is not None:
                words += "" if token.startswith("#") else token
            elif depth == 1 and element >= 0 and token.strip() and not token.startswith("#"):
                self._note((*key, element), line)
            line += token.count("\n")

    def _table(self, keys: tuple[str, ...], double: bool, counts: dict[Path, int]) -> Path:
        """The full path of `[a.b]` or `[[a.b]]`: a name of an array of tables means its last table."""
        path: Path = ()
        for at, key in enumerate(keys, 1):
            path += (key,)
            if double and at == len(keys):
                counts[path] = counts.get(path, -1) + 1
            if path in counts:
                path += (counts[path],)
        return path

    def _note(self, path: Path, line: int) -> None:
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], line)


def _keys(text: str) -> tuple[str, ...]:
    return tuple(
        next(part for part in match.groups() if part is not None) for match in _KEY_PART.finditer(text)
    )
