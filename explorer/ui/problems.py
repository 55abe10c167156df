"""What went wrong, in the user's language: the sentences of the layers below, which speak plain English.

The tables repeat the English, with {names} in place of what varies. The tests look for every such sentence in the
sources below and hold it against them. What nobody has foreseen is shown in English.
"""

import re
from functools import cache
from string import Formatter

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from explorer.ui.choices import kind_name

# Without the full stop. Of two that fit, the first counts.
NUMBERS = (
    QT_TRANSLATE_NOOP("Problem", "A number may have at most {most} characters; this has {count}"),
    QT_TRANSLATE_NOOP("Problem", "Expected a number, but there is no text"),
    QT_TRANSLATE_NOOP("Problem", "The ')' at character {at} closes no bracket"),
    QT_TRANSLATE_NOOP("Problem", "Expected an operator between '{before}' and '{after}' at character {at}"),
    QT_TRANSLATE_NOOP("Problem", "Division by zero at character {at}"),
    QT_TRANSLATE_NOOP("Problem", "Division by zero: 0 to a negative power at character {at}"),
    QT_TRANSLATE_NOOP(
        "Problem", "A negative number to a fractional power at character {at} is no real number"
    ),
    QT_TRANSLATE_NOOP("Problem", "The root of a negative number at character {at} is no real number"),
    QT_TRANSLATE_NOOP("Problem", "Infinities cancel at character {at}, so the result has no value"),
    QT_TRANSLATE_NOOP("Problem", "The result at character {at} is too large for a 64-bit number"),
    QT_TRANSLATE_NOOP("Problem", "Expected '(' after 'sqrt' at character {at}, as in sqrt(2)"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' at character {at} is not a number"),
    QT_TRANSLATE_NOOP("Problem", "The '(' at character {at} is never closed"),
    QT_TRANSLATE_NOOP("Problem", "Expected ')' before '{text}' at character {at}"),
    QT_TRANSLATE_NOOP("Problem", "Brackets and powers may be nested {most} deep at most"),
    QT_TRANSLATE_NOOP("Problem", "Expected a number at the end"),
    QT_TRANSLATE_NOOP("Problem", "Expected a number after '{before}' at the end"),
    QT_TRANSLATE_NOOP("Problem", "Expected a number, but found '{text}' at character {at}"),
    QT_TRANSLATE_NOOP("Problem", "Expected a number after '{before}', but found '{text}' at character {at}"),
    QT_TRANSLATE_NOOP("Problem", "A decimal is written with a point, not a comma (at character {at})"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' at character {at} has no meaning in a number"),
    QT_TRANSLATE_NOOP("Problem", "Expected digits after '{text}', as in 1e-3"),
)
TABLES = (
    QT_TRANSLATE_NOOP("Problem", "The text has {count} characters; at most {most} are read"),
    QT_TRANSLATE_NOOP("Problem", "There is no table in this text: it is empty"),
    QT_TRANSLATE_NOOP("Problem", "There is no table in this text: every cell is empty"),
    QT_TRANSLATE_NOOP("Problem", "The first row has {count} labels for {columns} columns"),
    QT_TRANSLATE_NOOP("Problem", "Row {row} has {count} numbers where row {other} has {width}"),
    QT_TRANSLATE_NOOP("Problem", "Row {row}, column {column} holds '{text}': {problem}"),
    QT_TRANSLATE_NOOP("Problem", "Row {row}, column {column} is empty"),
    QT_TRANSLATE_NOOP("Problem", "The table has more than {most} numbers, which is more than a grid takes"),
    QT_TRANSLATE_NOOP("Problem", "The table has more than {most} cells that are no plain numbers"),
    QT_TRANSLATE_NOOP("Problem", "Line {line} cannot be read: {problem}"),
    QT_TRANSLATE_NOOP(
        "Problem", "This printout is shortened with '...'; print it in full first, with {call} or {other}"
    ),
    QT_TRANSLATE_NOOP("Problem", "'{text}' after the last bracket is not part of a printout"),
    QT_TRANSLATE_NOOP("Problem", "Row {row} of the printout is not as deep in brackets as row 1"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' stands outside the innermost brackets"),
    QT_TRANSLATE_NOOP("Problem", "The brackets of this printout don't match; was it copied whole?"),
    QT_TRANSLATE_NOOP("Problem", "This printout holds {count} tables ({axes} axes); copy one of them"),
    QT_TRANSLATE_NOOP("Problem", "This printout holds no numbers"),
)
FILES = (
    QT_TRANSLATE_NOOP("Problem", "it cannot be read: {reason}"),
    QT_TRANSLATE_NOOP("Problem", "it cannot be saved: {reason}"),
    QT_TRANSLATE_NOOP("Problem", "there is no such file or folder"),
    QT_TRANSLATE_NOOP("Problem", "a file is where its folder should be"),
    QT_TRANSLATE_NOOP("Problem", "it is a folder"),
    QT_TRANSLATE_NOOP("Problem", "permission is denied"),
    QT_TRANSLATE_NOOP("Problem", "the disk is read-only"),
    QT_TRANSLATE_NOOP("Problem", "the disk is full"),
    QT_TRANSLATE_NOOP("Problem", "the disk quota is used up"),
    QT_TRANSLATE_NOOP("Problem", "the file would be too large"),
    QT_TRANSLATE_NOOP("Problem", "the name is too long"),
    QT_TRANSLATE_NOOP("Problem", "it is no ordinary file"),
    QT_TRANSLATE_NOOP("Problem", "it is empty"),
    QT_TRANSLATE_NOOP("Problem", "it is larger than {size} MB, which is no session"),
    QT_TRANSLATE_NOOP("Problem", "it is not UTF-8 text: byte {number} is {value}"),
    QT_TRANSLATE_NOOP("Problem", "it is not JSON: line {line}, column {column}, {problem}"),
    QT_TRANSLATE_NOOP("Problem", "expecting value"),
    QT_TRANSLATE_NOOP("Problem", "expecting {mark} delimiter"),
    QT_TRANSLATE_NOOP("Problem", "expecting property name enclosed in double quotes"),
    QT_TRANSLATE_NOOP("Problem", "unterminated string starting at"),
    QT_TRANSLATE_NOOP("Problem", "extra data"),
    QT_TRANSLATE_NOOP("Problem", "it is nested deeper than {most} levels"),
    QT_TRANSLATE_NOOP("Problem", "it holds more than {most} values or {lists} lists"),
    QT_TRANSLATE_NOOP("Problem", 'the key "{key}" appears more than once'),
    QT_TRANSLATE_NOOP("Problem", "it holds {value} but must hold an object with the keys of a session"),
    QT_TRANSLATE_NOOP("Problem", "format is missing; a session has {wanted} there"),
    QT_TRANSLATE_NOOP(
        "Problem", "it was saved by a newer version: format is {value}, and this one reads {known}"
    ),
    QT_TRANSLATE_NOOP("Problem", "context_tokens is set, but there is no context"),
    QT_TRANSLATE_NOOP("Problem", "{key} is missing"),
    QT_TRANSLATE_NOOP("Problem", "{key} row {row} is empty"),
    QT_TRANSLATE_NOOP("Problem", "{key} row {row} is {value} but must be a list"),
    QT_TRANSLATE_NOOP("Problem", "{key} row {row} has length {length} but row 1 has length {wanted}"),
    QT_TRANSLATE_NOOP("Problem", "{key} has no rows but must be a table: a list of rows"),
    QT_TRANSLATE_NOOP("Problem", "{key} has no numbers but must be a list of numbers"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {value}, which is more than float64 holds"),
    QT_TRANSLATE_NOOP("Problem", "{key} is an object but must be a list, or {form}"),
    QT_TRANSLATE_NOOP("Problem", "{key} lies in {file}, and a text has no files beside it"),
    QT_TRANSLATE_NOOP("Problem", "{key} lies in {file}, which is not in the session's folder"),
    QT_TRANSLATE_NOOP("Problem", "{key} lies in {file}, which cannot be read: {reason}"),
    QT_TRANSLATE_NOOP("Problem", "{key} lies in {file}: {problem}"),
    QT_TRANSLATE_NOOP("Problem", "{key} in {file} has shape {shape} but must have {rank} dimensions"),
    QT_TRANSLATE_NOOP("Problem", "{key} in {file} must be {rule}"),
    QT_TRANSLATE_NOOP("Problem", 'it has no tensor "{key}"; it has {keys}'),
    QT_TRANSLATE_NOOP("Problem", "it is not a whole safetensors file"),
)
ARRAYS = (  # files of numpy and torch
    QT_TRANSLATE_NOOP("Problem", "there is not enough memory for it"),
    QT_TRANSLATE_NOOP("Problem", "It is no text"),
    QT_TRANSLATE_NOOP("Problem", "it is larger than {size} MB, which is more than a grid takes"),
    QT_TRANSLATE_NOOP("Problem", "it is larger than {size} MB, and from a torch before 1.6"),
    QT_TRANSLATE_NOOP("Problem", "it holds no tensors"),
    QT_TRANSLATE_NOOP("Problem", "it is no npy file"),
    QT_TRANSLATE_NOOP("Problem", "it is no whole archive"),
    QT_TRANSLATE_NOOP("Problem", "it is no whole torch file"),
    QT_TRANSLATE_NOOP("Problem", "it is packed, which torch does not do"),
    QT_TRANSLATE_NOOP(
        "Problem", "it is a pickle that torch.save has not written, and such files are never loaded"
    ),
    QT_TRANSLATE_NOOP("Problem", "it is a TorchScript program, and only tensors are read from such a file"),
    QT_TRANSLATE_NOOP("Problem", "it is a spreadsheet's own file; copy the cells there, or save them as CSV"),
    QT_TRANSLATE_NOOP("Problem", 'it has no tensor "{key}"'),
    QT_TRANSLATE_NOOP("Problem", "it has more than {most} tensors"),
    QT_TRANSLATE_NOOP("Problem", "it holds {value}, and only tensors are read from such a file"),
    QT_TRANSLATE_NOOP("Problem", "it claims {count} numbers, which it does not hold"),
    QT_TRANSLATE_NOOP("Problem", "it claims a directory too large to be true"),
    QT_TRANSLATE_NOOP("Problem", "it has {count} members; at most {most} are read"),
    QT_TRANSLATE_NOOP("Problem", "its member {key} is packed in a way that is not read"),
    QT_TRANSLATE_NOOP("Problem", "its member {key} claims {count} bytes and holds {found}"),
    QT_TRANSLATE_NOOP("Problem", "its list of tensors has {count} bytes; at most {most} are read"),
    QT_TRANSLATE_NOOP("Problem", "its header claims {count} bytes; at most {most} are read"),
    QT_TRANSLATE_NOOP("Problem", "its tensors overlap"),
    QT_TRANSLATE_NOOP("Problem", 'its tensor "{key}" is not described as it must be'),
    QT_TRANSLATE_NOOP("Problem", 'its tensor "{key}" reaches past the end of the file'),
    QT_TRANSLATE_NOOP("Problem", 'its tensor "{key}" claims more or fewer numbers than it holds'),
    QT_TRANSLATE_NOOP("Problem", "torch cannot read it: {problem}"),
    QT_TRANSLATE_NOOP("Problem", "{what} has {count} numbers; at most {most} are read"),
    QT_TRANSLATE_NOOP("Problem", "{what} has the type {type}, which is not read"),
    QT_TRANSLATE_NOOP("Problem", "{what} has a header that cannot be read"),
    QT_TRANSLATE_NOOP("Problem", "{what} has a header of {count} bytes; at most {most} are read"),
    QT_TRANSLATE_NOOP("Problem", "{what} ends within its header"),
    QT_TRANSLATE_NOOP("Problem", "{what} ends early"),
    QT_TRANSLATE_NOOP("Problem", "{what} is no npy file"),
    QT_TRANSLATE_NOOP("Problem", "{what} is damaged"),
    QT_TRANSLATE_NOOP("Problem", "{what} claims {count} bytes of numbers and has {found}"),
    QT_TRANSLATE_NOOP("Problem", "{what} holds Python objects (a pickle), which are never loaded"),
)
CODE = (
    QT_TRANSLATE_NOOP("Problem", "This scene has {count} numbers; a script to be read holds at most {most}"),
    QT_TRANSLATE_NOOP("Problem", "{name} cannot express this scene: {reason}"),
    QT_TRANSLATE_NOOP("Problem", "There is no dialect {value}; the dialects are {names}"),
    QT_TRANSLATE_NOOP(
        "Problem", "A worked solution is for scenes with {name} up to {most}, and here {size} = {count}"
    ),
)
SCENES = (
    QT_TRANSLATE_NOOP("Problem", "There is no context: this is self-attention"),
    QT_TRANSLATE_NOOP("Problem", "The last token cannot be deleted"),
    QT_TRANSLATE_NOOP("Problem", "{key} is not set, so it has no cells"),
    QT_TRANSLATE_NOOP("Problem", "{key} is not a width; the widths are {names}"),
    QT_TRANSLATE_NOOP(
        "Problem", "{heads} heads do not divide the {columns} columns of W_q evenly; possible: {counts}"
    ),
    QT_TRANSLATE_NOOP(
        "Problem", "{heads} heads do not divide the columns of W_k and W_v evenly; possible: {counts}"
    ),
    QT_TRANSLATE_NOOP("Problem", "With {heads} heads, {problem}; possible: {counts}"),
    QT_TRANSLATE_NOOP("Problem", "{groups} K/V heads do not divide {heads} heads; possible: {counts}"),
    QT_TRANSLATE_NOOP("Problem", "mask entry {number} ({kind}): {problem}"),
    QT_TRANSLATE_NOOP("Problem", "position ({kind}): {problem}"),
    QT_TRANSLATE_NOOP(
        "Problem", "it turns pairs of columns, and d_k = {d_k} is odd; set dims to an even number"
    ),
    QT_TRANSLATE_NOOP("Problem", "context_table is missing, and there is a context"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {shape} but must have at least {rows} rows of {width} numbers"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {shape} but must have {size} = {count} rows"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {shape} but must have {size} = {count} columns"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {shape}: its columns must be divisible by {size} = {count}"),
    QT_TRANSLATE_NOOP(
        "Problem", "{key} has length {length} but must have length {wanted}, one label per row"
    ),
    QT_TRANSLATE_NOOP("Problem", "{key} has length {length} but must have length {wanted}, one flag per key"),
    QT_TRANSLATE_NOOP("Problem", "{key} has length {length} but must have length {wanted}"),
    QT_TRANSLATE_NOOP("Problem", "{key} has shape {shape} but must be {rule}, at least one"),
    QT_TRANSLATE_NOOP("Problem", "{key} has the kind {value} but must have one of the kinds {kinds}"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {value} but must have one of the kinds {kinds}"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {value} but must divide heads = {heads}"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {value} but must be {rule}"),
    QT_TRANSLATE_NOOP("Problem", "{key} must be {rule}"),
)
RULES = (  # what a {rule} or a {value} can be
    QT_TRANSLATE_NOOP("Problem", "an object"),
    QT_TRANSLATE_NOOP("Problem", "a list"),
    QT_TRANSLATE_NOOP("Problem", "a list of labels"),
    QT_TRANSLATE_NOOP("Problem", "a list of masks"),
    QT_TRANSLATE_NOOP("Problem", "a list of numbers"),
    QT_TRANSLATE_NOOP("Problem", "a list of true and false"),
    QT_TRANSLATE_NOOP("Problem", "a table: a list of rows"),
    QT_TRANSLATE_NOOP("Problem", "a table: rows of equally many numbers"),
    QT_TRANSLATE_NOOP("Problem", "a table of true and false with equally long rows"),
    QT_TRANSLATE_NOOP("Problem", "one row of numbers"),
    QT_TRANSLATE_NOOP("Problem", "numbers"),
    QT_TRANSLATE_NOOP("Problem", "true and false"),
    QT_TRANSLATE_NOOP("Problem", "true or false"),
    QT_TRANSLATE_NOOP("Problem", "text"),
    QT_TRANSLATE_NOOP("Problem", "a number"),
    QT_TRANSLATE_NOOP("Problem", "a number above 0"),
    QT_TRANSLATE_NOOP("Problem", "a number above 0, or null"),
    QT_TRANSLATE_NOOP("Problem", "at least {least}"),
    QT_TRANSLATE_NOOP("Problem", "a whole number from {least}"),
    QT_TRANSLATE_NOOP("Problem", "a whole number of at least {least}"),
    QT_TRANSLATE_NOOP("Problem", "an even number from 2 to d_k = {d_k}"),
    QT_TRANSLATE_NOOP("Problem", "one of {choices}"),
    QT_TRANSLATE_NOOP("Problem", "{value}, {other} or a finite number"),
    QT_TRANSLATE_NOOP("Problem", "{value} or a finite number"),
    QT_TRANSLATE_NOOP("Problem", '"{one}" or "{other}"'),
    QT_TRANSLATE_NOOP("Problem", "mask entry {number}"),
    QT_TRANSLATE_NOOP("Problem", 'its tensor "{key}"'),
    QT_TRANSLATE_NOOP("Problem", "it"),
)
TORCH = (  # why one of torch's functions cannot be compared with
    QT_TRANSLATE_NOOP("Problem", "it has no softcap"),
    QT_TRANSLATE_NOOP("Problem", "it has no grouped K/V heads"),
    QT_TRANSLATE_NOOP("Problem", "it has no {kind} position"),
    QT_TRANSLATE_NOOP("Problem", "it always divides by √d_k"),
    QT_TRANSLATE_NOOP("Problem", "it needs {size} = {other}, here {value} and {wanted}"),
    QT_TRANSLATE_NOOP("Problem", "a finite fill gives hidden keys weight, and it can only hide them"),
    QT_TRANSLATE_NOOP("Problem", "This scene could not be computed: {problem}"),
)
FROM_FILE = QT_TRANSLATE_NOOP("Problem", "{name}: {problem}")
STOP = QT_TRANSLATE_NOOP("Problem", "{sentence}.")

SENTENCES = (*NUMBERS, *TABLES, *FILES, *ARRAYS, *CODE, *SCENES, *TORCH)
PHRASES = ("problem", "reason", "rule", "value", "key", "what")  # names of what can have words in it again


def problem_text(sentence: str) -> str:
    """A sentence from below, or one without its full stop, in the user's language; as it is if it is not known."""
    body = sentence.removesuffix(".")
    found = _told(body, SENTENCES) or _of_file(body)
    if found is None:
        return sentence
    return found if body == sentence else _translated(STOP).format(sentence=found)


def _of_file(body: str) -> str | None:
    """'mine.attn.json: it is empty': any text may come before the colon, so what comes after must be known."""
    for colon in re.finditer(": ", body):
        if (found := _told(body[colon.end() :], SENTENCES)) is not None:
            return _translated(FROM_FILE).format(name=body[: colon.start()], problem=found)
    return None


def _told(text: str, templates: tuple[str, ...]) -> str | None:
    for template in templates:
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
def _pattern(template: str) -> re.Pattern[str]:
    parts = []
    for plain, name, _form, _kind in Formatter().parse(template):
        letter = "[^:]" if name == "key" else "."  # the name of a file may come before a key
        parts.append(re.escape(plain) + ("" if name is None else f"(?P<{name}>{letter}+?)"))
    return re.compile("".join(parts), re.DOTALL)


def _translated(template: str) -> str:
    return QCoreApplication.translate("Problem", template)
