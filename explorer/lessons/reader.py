"""A lesson file (TOML) -> Lesson. Whatever is wrong with it is told with its line, in one sentence.

What may stand in a lesson file: the table in resources/lessons/README.md.
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from explorer.attention.cost import Sizes
from explorer.attention.variants import SLIP
from explorer.lessons import scenes
from explorer.lessons.cells import Cells, parse_cells
from explorer.lessons.check import Condition, parse_condition
from explorer.lessons.lesson import Lesson, LessonError, Step
from explorer.lessons.lines import Lines
from explorer.lessons.questions import check_slip, read_question
from explorer.lessons.table import Source, Table
from explorer.scene import Scene

FORMAT = "attention-explorer-lesson/1"
MAX_BYTES = 512 * 1024
MAX_STEPS = 200

# a.a.a… fifty times, at which tomllib works for ever: for each of n parts it looks at all before
_DEEP = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){50}""")


def load(path: str | os.PathLike[str]) -> Lesson:
    """The lesson that a file holds. Raises LessonError."""
    name = Path(path).name or str(path)
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "there is no such file"
        raise LessonError(ascii(name)[1:-1], None, f"it cannot be read: {reason}.") from None
    if len(content) > MAX_BYTES:
        raise LessonError(name, None, f"it is larger than {MAX_BYTES >> 10} KB, which is no lesson.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise LessonError(name, line, "it is no UTF-8 text here.") from None
    return parse(text, name)


def parse(text: str, name: str = "lesson") -> Lesson:
    """The lesson of a text; `name` begins every error. Raises LessonError."""
    text = text.replace("\r\n", "\n")
    if (deep := _DEEP.search(text)) is not None:
        raise LessonError(name, text.count("\n", 0, deep.start()) + 1, "it is nested too deeply.")
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise LessonError(name, None, "it is nested too deeply.") from None
    except ValueError as error:  # TOMLDecodeError; a whole number of thousands of digits
        raise _syntax_error(name, text, str(error)) from None
    return _lesson(Table(data, (), Source(name, Lines(text))))


def _syntax_error(name: str, text: str, message: str) -> LessonError:
    """Python below 3.14 has the line only in the message: 'Invalid value (at line 3, column 5)'."""
    match = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", message, re.DOTALL)
    if match is None:
        return LessonError(name, None, f"it is no TOML: {message}.")
    if match[2] is None:
        return LessonError(name, text.rstrip().count("\n") + 1, f"it is no TOML: {match[1]} at the end.")
    return LessonError(name, int(match[2]), f"it is no TOML at column {match[3]}: {match[1]}.")


def _lesson(table: Table) -> Lesson:
    if (found := table.get("format", str, f'"{FORMAT}"')) != FORMAT:
        table.fail(f"format is '{found[:40]}' but must be '{FORMAT}'.", "format")
    name = table.get("name", str, "text")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,60}", name):
        table.fail("name must be of small letters, digits and hyphens.", "name")
    order = table.get("order", int, "a whole number", 1000)
    title = table.text("title")
    for language in title.words:
        if not re.fullmatch(r"[a-z]{2,3}", language):
            table.fail(
                f"'{language[:40]}' is no language; write its two or three letters, such as en.",
                "title",
                language,
            )
    languages = tuple(sorted(title.words, key=lambda language: (language != "en", language)))
    table.source.languages = languages
    summary = table.text("summary")
    steps = _steps(table)
    table.close()
    return Lesson(
        name=name, order=order, title=title, summary=summary, steps=steps, languages=languages,
        file=table.source.name,
    )  # fmt: skip


def _steps(table: Table) -> tuple[Step, ...]:
    now = _Now(table)
    steps: list[Step] = []
    for step in table.tables("step"):
        if len(steps) == MAX_STEPS:
            step.fail(f"a lesson has at most {MAX_STEPS} steps.")
        steps.append(_step(step, now))
    if not steps:
        table.fail("the lesson has no [[step]].")
    return tuple(steps)


class _Now:
    """The scene and the sizes as they are after the steps read so far."""

    def __init__(self, lesson: Table) -> None:
        self.table: scenes.Table = {}
        self.scene: Scene | None = None
        self.sizes: Sizes | None = None
        self.read(lesson)

    def read(self, step: Table) -> None:
        """What `scene`, `change`, `without` and `cost` of a step make of it."""
        table = self.table
        if step.has("scene"):
            table = self._named(step, step.data["scene"])
        change = step.get("change", dict, "a table with keys of a session file", {})
        without = step.parsed("without", str)
        if change or without:
            table = scenes.changed(table, change, without)
        if table is not self.table:
            key = "scene" if step.has("scene") else "change"
            try:
                self.scene = scenes.scene(table)
            except scenes.SceneTableError as error:
                at = "change" if error.key in change else key
                step.fail(str(error), at, *([error.key] if error.key else []))
            self.table = table
        if step.has("cost"):
            self.sizes = _sizes(step.table("cost"))

    def _named(self, step: Table, value: Any) -> scenes.Table:
        if isinstance(value, dict):
            return value
        if not isinstance(value, str):
            step.fail(
                "scene must be a table with the keys of a session file, or the name of an example.", "scene"
            )
        try:
            return scenes.example(value)
        except scenes.SceneTableError as error:
            step.fail(str(error), "scene")


def _sizes(table: Table) -> Sizes:
    for key, value in table.data.items():
        if key not in Sizes.__dataclass_fields__:
            table.fail(f"'{key[:40]}' is no size; there are {', '.join(Sizes.__dataclass_fields__)}.", key)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 10**12:
            table.fail(f"{key} must be a whole number of at least 1.", key)
    for key in ("n", "d_model"):
        if key not in table.data:
            table.fail(f"{key} is missing here.")
    try:
        return Sizes(**table.data)
    except ValueError as error:
        table.fail(str(error))


def _step(table: Table, now: _Now) -> Step:
    now.read(table)
    if now.scene is None:
        table.fail("there is no scene yet; give the lesson or this step a scene.")
    scene = now.scene
    slip = table.get("slip", str, "the name of a slip", "") or None
    if slip is not None and slip not in SLIP:
        table.fail(f"'{slip[:40]}' is no slip; there are {', '.join(SLIP)}.", "slip")
    if slip is not None and not SLIP[slip].possible(scene):
        table.fail(f"the slip {slip} changes nothing in this step's scene.", "slip")
    focus = table.parsed("focus", parse_cells)
    if len(focus) > 1:
        table.fail("focus must be one text, such as weights[1].", "focus")
    step = Step(
        text=table.text("text"),
        scene=scene,
        sizes=now.sizes or Sizes.of(scene),
        focus=focus[0] if focus else None,
        highlight=table.parsed("highlight", parse_cells),
        cover=table.parsed("cover", parse_cells),
        slip=slip,
        facts=table.parsed("facts", parse_condition),
        question=read_question(table.table("question"), scene, slip) if table.has("question") else None,
        line=table.line(),
    )
    marks: dict[str, tuple[Cells | Condition, ...]] = {
        "focus": focus, "highlight": step.highlight, "cover": step.cover, "facts": step.facts
    }  # fmt: skip
    for key, entries in marks.items():
        for i, entry in enumerate(entries):
            if problem := entry.problem(scene):
                table.fail(problem, key, i)
    for i, fact in enumerate(step.facts):
        check_slip(table, fact.quantity, slip, "facts", i)
    table.close()
    return step
