"""The style sheet on a window, part by part: Qt needs long to dress all of a window, or the application, at once."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialogButtonBox, QDockWidget, QMainWindow, QWidget

from explorer import resources
from explorer.ui import theme
from explorer.ui.turns import turns
from explorer.ui.veil import Veil

# Always the same, for with another one Qt would dress all that stands in the window.
FRAME = """
QMainWindow {{ background: palette(window); }}
QMainWindow::separator {{ background: palette(mid); width: 1px; height: 1px; }}
QDockWidget {{
    color: palette(placeholder-text); titlebar-close-icon: url("{close}"); titlebar-normal-icon: url("{float}");
}}
QDockWidget::close-button, QDockWidget::float-button {{ background: transparent; border: none; }}
QDockWidget::close-button:hover, QDockWidget::float-button:hover {{ background: palette(mid); border-radius: 3px; }}
QDockWidget::title {{ background: palette(window); padding: 6px 10px 2px 10px; }}
"""


class Wardrobe(QObject):
    """Dresses what stands directly in a main window or in a dock, and dialogs over it; each with all in it.

    A widget there that has a sheet of its own begins that with theme.sheet(), and says so with `dresses_itself`.
    One that would take long says with `wearers` what in it is dressed instead of it.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        icons = {name: resources.path("icons", f"dock-{name}.svg").as_posix() for name in ("close", "float")}
        window.setStyleSheet(FRAME.format(**icons))
        theme.watcher().changing.connect(self._hold)
        theme.watcher().changed.connect(self._begin)

    def dress(self) -> None:
        """All of it, now: before the window is shown that takes least."""
        for part in self.parts():
            self.welcome(part)

    def welcome(self, part: QWidget) -> None:
        """What comes later, such as a dialog; it is about to be shown."""
        for wearer in _wearers(part):
            _dress(wearer)

    def parts_in_view(self) -> list[QWidget]:
        """What is seen of the window, from the top on; dialogs are left out, and veils, which soon go."""
        seen = [
            part
            for part in self.parts()
            if part.isVisible() and not part.isWindow() and not isinstance(part, Veil)
        ]
        return sorted(seen, key=lambda part: (part.y(), part.x()))

    def _hold(self) -> None:
        turns().hold(self._window)

    def _begin(self) -> None:
        """Other colours, or another size of type: a part per turn of the event loop, those in view seen together."""
        self._window.style().polish(self._window)
        for part in self.parts():
            if isinstance(part, QDockWidget):
                part.style().polish(part)
            for wearer in _wearers(part):
                if wearer.isVisible():
                    turns().add(wearer, partial(_dress, wearer))
        turns().add(self, self._go_on)

    def _go_on(self) -> None:
        """What is out of view, once the rest is painted."""
        for part in self.parts():
            for wearer in _wearers(part):
                turns().add(wearer, partial(_dress, wearer))

    def parts(self) -> list[QWidget]:
        """All that stands directly in it, and the dialogs over it."""
        return self._window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)


def _wearers(part: QWidget) -> Iterable[QWidget]:
    if isinstance(part, QDockWidget):
        return () if part.widget() is None else _wearers(part.widget())
    found: Iterable[QWidget] = getattr(part, "wearers", (part,))
    return found


def _dress(part: QWidget) -> None:
    sheet = theme.sheet()
    if not getattr(part, "dresses_itself", False) and part.styleSheet() != sheet:
        part.setStyleSheet(sheet)
        _tell_around(part)
    for box in part.findChildren(QDialogButtonBox):
        for button in box.buttons():  # made before the sheet could tell that they have none
            button.setIcon(QIcon())


def _tell_around(part: QWidget) -> None:
    """What it stands in may need another size now; out of view Qt would keep the one before."""
    around = part.parentWidget()
    while around is not None and not around.isWindow():
        if (layout := around.layout()) is not None:
            layout.invalidate()
        around.updateGeometry()
        around = around.parentWidget()
