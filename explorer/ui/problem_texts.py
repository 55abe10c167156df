"""The sentences with which the layers below the window say what went wrong, for translators.

The tables repeat the English, with {names} in place of what varies. The tests look for every such sentence in the
sources below and hold it against them. problems.py finds the one that fits.
"""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from explorer.ui.model_problem_texts import MODELS

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
    QT_TRANSLATE_NOOP("Problem", "the session is read from it"),
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
    QT_TRANSLATE_NOOP("Problem", "another program has changed it meanwhile; open it again"),
    QT_TRANSLATE_NOOP("Problem", 'it has two tensors "{tensor}"'),
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
LESSONS = (  # of teachers
    QT_TRANSLATE_NOOP("Problem", "'{text}' names no cells; write them like weights[1,2,:]"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' is no stage and no matrix; there are {names}"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' has {count} indices, but {place} takes {axes}: head, row, column"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' has {count} indices, but {place} takes {axes}: row, column"),
    QT_TRANSLATE_NOOP("Problem", "'{text}': '{part}' is no index; write 2, 1:3 or :"),
    QT_TRANSLATE_NOOP("Problem", "'{text}': indices count from 1, and upwards"),
    QT_TRANSLATE_NOOP("Problem", "'{text}': '{part}' is not a number"),
    QT_TRANSLATE_NOOP("Problem", "'{text}': a word can only be compared by = or !="),
    QT_TRANSLATE_NOOP("Problem", "'{text}' compares with nothing"),
    QT_TRANSLATE_NOOP(
        "Problem", "'{text}' is no condition; write one like heads = 2 or weights[1,1,2] > 0.9"
    ),
    QT_TRANSLATE_NOOP("Problem", "'{text}' is no cost; there are {names}"),
    QT_TRANSLATE_NOOP(
        "Problem", "'{text}' is no cell, setting, cost or number; write one like weights[1,1,2] or heads"
    ),
    QT_TRANSLATE_NOOP("Problem", "'{text}' gives {count} values for {cells} cells"),
    QT_TRANSLATE_NOOP("Problem", "{place} is not set in this step's scene"),
    QT_TRANSLATE_NOOP("Problem", "{text} asks for column {number}, but {place} has {count} columns"),
    QT_TRANSLATE_NOOP("Problem", "{text} asks for row {number}, but {place} has {count} rows"),
    QT_TRANSLATE_NOOP("Problem", "{text} asks for head {number}, but {place} has {count} heads"),
    QT_TRANSLATE_NOOP("Problem", "{text} asks for a slip, and the step has none"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' is no slip; there are {names}"),
    QT_TRANSLATE_NOOP("Problem", "the slip {name} changes nothing in this step's scene"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' is no size; there are {names}"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' is no key of a scene"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' is no language; write its two or three letters, such as en"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' means nothing here; '{near}' may be meant"),
    QT_TRANSLATE_NOOP("Problem", "'{text}' means nothing here; there are {names}"),
    QT_TRANSLATE_NOOP("Problem", "there is no example scene '{name}'"),
    QT_TRANSLATE_NOOP("Problem", "there is no scene yet; give the lesson or this step a scene"),
    QT_TRANSLATE_NOOP("Problem", "the scene has H·n·m = {count} scores, and a lesson's may have {most}"),
    QT_TRANSLATE_NOOP("Problem", "a lesson has at most {most} steps"),
    QT_TRANSLATE_NOOP("Problem", "the lesson has no [[step]]"),
    QT_TRANSLATE_NOOP("Problem", "a goal can only ask for what the learner can change: cells and settings"),
    QT_TRANSLATE_NOOP("Problem", "there is no text for the language '{language}', which the title has"),
    QT_TRANSLATE_NOOP("Problem", "{key} has no text for the language '{language}', which the title has"),
    QT_TRANSLATE_NOOP("Problem", "the title has no language '{language}'"),
    QT_TRANSLATE_NOOP("Problem", "{key} must be equally many in every language: there are {counts}"),
    QT_TRANSLATE_NOOP("Problem", "{key} is missing here"),
    QT_TRANSLATE_NOOP("Problem", "it is no TOML at column {column}: {what}"),
    QT_TRANSLATE_NOOP("Problem", "it is no TOML: {what}"),
    QT_TRANSLATE_NOOP("Problem", "it is no UTF-8 text here"),
    QT_TRANSLATE_NOOP("Problem", "it is nested too deeply"),
    QT_TRANSLATE_NOOP("Problem", "it is larger than {size} KB, which is no lesson"),
)
SCENES = (
    QT_TRANSLATE_NOOP("Problem", "There is no context: this is self-attention"),
    QT_TRANSLATE_NOOP("Problem", "The last token cannot be deleted"),
    QT_TRANSLATE_NOOP("Problem", "{key} is not set, so it has no cells"),
    QT_TRANSLATE_NOOP("Problem", "{key} is not a width; the widths are {names}"),
    QT_TRANSLATE_NOOP(
        "Problem", "bias is {shape} but must be n × m = {wanted}, or one for each head, {each}"
    ),
    QT_TRANSLATE_NOOP("Problem", "bias must have finite numbers; what hides keys belongs to mask"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {shape} but {other} is {wanted}"),
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
    QT_TRANSLATE_NOOP("Problem", "it turns pairs of columns, so d_k must be at least 2, and it is {d_k}"),
    QT_TRANSLATE_NOOP(
        "Problem", "it turns pairs of columns, and d_k = {d_k} is odd; set dims to an even number"
    ),
    QT_TRANSLATE_NOOP("Problem", "context_table is missing, and there is a context"),
    QT_TRANSLATE_NOOP("Problem", "{key} is {shape} but must have at least {rows} rows of {width} numbers"),
    QT_TRANSLATE_NOOP(
        "Problem", "{key} is {shape} but must have an odd number of columns: distances −K to K"
    ),
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
    QT_TRANSLATE_NOOP("Problem", "a number of at least {least}"),
    QT_TRANSLATE_NOOP("Problem", "a list of numbers above 0"),
    QT_TRANSLATE_NOOP("Problem", "an object with weight and eps"),
    QT_TRANSLATE_NOOP("Problem", "at least {least}"),
    QT_TRANSLATE_NOOP("Problem", "a whole number from {least}"),
    QT_TRANSLATE_NOOP("Problem", "a whole number of at least {least}"),
    QT_TRANSLATE_NOOP("Problem", "an even number from 2 to d_k = {d_k}"),
    QT_TRANSLATE_NOOP("Problem", "one of {choices}"),
    QT_TRANSLATE_NOOP("Problem", "a count from 1"),
    QT_TRANSLATE_NOOP("Problem", "a list of words"),
    QT_TRANSLATE_NOOP("Problem", "{value}, {other} or a finite number"),
    QT_TRANSLATE_NOOP("Problem", "{value} or a finite number"),
    QT_TRANSLATE_NOOP("Problem", '"{one}" or "{other}"'),
    QT_TRANSLATE_NOOP("Problem", "a table"),
    QT_TRANSLATE_NOOP("Problem", "a list of tables"),
    QT_TRANSLATE_NOOP("Problem", "a list of tables; entry {number} is none"),
    QT_TRANSLATE_NOOP("Problem", 'a list of texts, such as ["weights[1,1,2]"]'),
    QT_TRANSLATE_NOOP("Problem", "a list of texts"),
    QT_TRANSLATE_NOOP("Problem", "a whole number"),
    QT_TRANSLATE_NOOP("Problem", "the name of a slip"),
    QT_TRANSLATE_NOOP("Problem", "the number of an option"),
    QT_TRANSLATE_NOOP("Problem", "the number of an option, from 1 to {most}"),
    QT_TRANSLATE_NOOP("Problem", "at least two"),
    QT_TRANSLATE_NOOP("Problem", "from 0 to {most}"),
    QT_TRANSLATE_NOOP("Problem", "of small letters, digits and hyphens"),
    QT_TRANSLATE_NOOP("Problem", "one text, such as weights[1]"),
    QT_TRANSLATE_NOOP("Problem", 'cells, such as "weights[1,1,2]"'),
    QT_TRANSLATE_NOOP("Problem", 'a number or one cell, such as "weights[1,1,2]"'),
    QT_TRANSLATE_NOOP("Problem", "one number, and {text} is several"),
    QT_TRANSLATE_NOOP("Problem", 'a list of conditions, such as ["heads = 2"]'),
    QT_TRANSLATE_NOOP("Problem", "a table with keys of a session file"),
    QT_TRANSLATE_NOOP("Problem", "a table with the keys of a session file, or the name of an example"),
    QT_TRANSLATE_NOOP("Problem", "given by language, such as {form}"),
    QT_TRANSLATE_NOOP("Problem", "rows of numbers, {one} or {other} (at most {most} numbers)"),
    QT_TRANSLATE_NOOP("Problem", "mask entry {number}"),
    QT_TRANSLATE_NOOP("Problem", "the mask"),
    QT_TRANSLATE_NOOP("Problem", "the width of a head"),
    QT_TRANSLATE_NOOP("Problem", "the width of the output"),
    QT_TRANSLATE_NOOP("Problem", 'its tensor "{key}"'),
    QT_TRANSLATE_NOOP("Problem", "it"),
)
TORCH = (  # why one of torch's functions cannot be compared with
    QT_TRANSLATE_NOOP("Problem", "it has no softcap"),
    QT_TRANSLATE_NOOP("Problem", "it has no norm of queries and keys"),
    QT_TRANSLATE_NOOP("Problem", "it has no grouped K/V heads"),
    QT_TRANSLATE_NOOP("Problem", "it has no {kind} position"),
    QT_TRANSLATE_NOOP("Problem", "it always divides by √d_k"),
    QT_TRANSLATE_NOOP("Problem", "it needs {size} = {other}, here {value} and {wanted}"),
    QT_TRANSLATE_NOOP("Problem", "a finite fill gives hidden keys weight, and it can only hide them"),
    QT_TRANSLATE_NOOP("Problem", "This scene could not be computed: {problem}"),
    QT_TRANSLATE_NOOP("Problem", "{name} has {shape} numbers, too many to be held"),
)
DEVICES = (  # why a large scene is not computed where somebody wants it
    QT_TRANSLATE_NOOP("Problem", "torch sees no {name} here, so large scenes are computed on the processor"),
    QT_TRANSLATE_NOOP("Problem", "{name} has no float64, so this scene is computed on the processor"),
    QT_TRANSLATE_NOOP(
        "Problem", "{name} has too little memory for this scene, which is computed on the processor now"
    ),
    QT_TRANSLATE_NOOP(
        "Problem", "{name} cannot compute this scene ({what}), which is computed on the processor now"
    ),
)
PAPER = (
    QT_TRANSLATE_NOOP("Problem", "no cell is left blank, so there is nothing to fill in"),
    QT_TRANSLATE_NOOP(
        "Problem", "{count} cells would be blank, and {most} are the most; choose fewer stages"
    ),
    QT_TRANSLATE_NOOP(
        "Problem", "{name} is {rows} × {columns}, and paper has room for {most} × {most_columns}"
    ),
    QT_TRANSLATE_NOOP("Problem", "a picture of this size can have at most {most} dpi, not {dpi}"),
)
FROM_LINE = QT_TRANSLATE_NOOP("Problem", "{name}, line {line}: {problem}")
FROM_FILE = QT_TRANSLATE_NOOP("Problem", "{name}: {problem}")
STOP = QT_TRANSLATE_NOOP("Problem", "{sentence}.")

SENTENCES = (*NUMBERS, *TABLES, *FILES, *ARRAYS, *CODE, *LESSONS, *SCENES, *TORCH, *DEVICES, *PAPER, *MODELS)
