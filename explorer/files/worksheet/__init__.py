"""Exercise sheets: which cells are blank, what stands on the sheet, versions with whole numbers; as Markdown.

On paper: explorer.ui.export.
"""

from explorer.files.worksheet.blanks import blanks_of, default_stages
from explorer.files.worksheet.model import ExpTable, Grid, Part, Sheet, Task, Worked, WorksheetError
from explorer.files.worksheet.sheet import worksheet
from explorer.files.worksheet.versions import versions

__all__ = [
    "ExpTable",
    "Grid",
    "Part",
    "Sheet",
    "Task",
    "Worked",
    "WorksheetError",
    "blanks_of",
    "default_stages",
    "versions",
    "worksheet",
]
