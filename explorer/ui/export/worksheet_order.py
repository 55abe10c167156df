"""What a worksheet shall be, and what that comes to: no widget here, so that any thread can make it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from explorer import attention
from explorer.attention.trace import Cell, Trace
from explorer.files.worksheet import Sheet, WorksheetError, blanks_of, versions, worksheet
from explorer.patience import GoingOn, go_on
from explorer.ui.paper.sheets import Page, pages
from explorer.ui.texts import scene_title


@dataclass(frozen=True)
class Made:
    """What an order comes to; or why there can be no such worksheet, in plain English."""

    sheets: Sequence[Sheet] = ()
    pages: Sequence[Page] = ()
    problem: str = ""


@dataclass(frozen=True)
class Order:
    """What shall be put together: the scene's own numbers, or so many versions from a seed; the cells that the window
    covers, or all of some stages.
    """

    trace: Trace
    versions: tuple[int, int] | None
    covered: Collection[Cell] | None
    stages: Sequence[str]
    language: str
    decimals: int
    paper: str
    parts: Sequence[str]

    def made(self, going_on: GoingOn = go_on) -> Made:
        """For any thread; `going_on` is called now and then."""
        try:
            sheets = self.sheets(going_on)
        except WorksheetError as error:
            return Made(problem=str(error))
        return Made(sheets, pages(sheets, self.paper, self.parts, going_on))

    def sheets(self, going_on: GoingOn = go_on) -> list[Sheet]:
        """One per version. Raises WorksheetError."""
        own = self._sheet(
            "", self.trace, going_on
        )  # also before versions are looked for: is there room for such a scene?
        if self.versions is None:
            return [own]
        made = []
        for letter, scene in versions(self.trace.scene, *self.versions):
            going_on()
            made.append(self._sheet(letter, attention.attend(scene), going_on))
        return made

    def _sheet(self, letter: str, trace: Trace, going_on: GoingOn) -> Sheet:
        blanks = blanks_of(trace, self.stages) if self.covered is None else self.covered
        title = scene_title(trace.scene.title)
        return worksheet(trace, blanks, self.language, title, letter, self.decimals, going_on)
