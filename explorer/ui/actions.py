"""The menus: every action with its text, its key and what it calls."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog, QMenu

from explorer import resources
from explorer.attention.cost import CPU, DEVICE_NAMES
from explorer.files.session import SessionError, load
from explorer.ui import language, theme
from explorer.ui.guides import GUIDES, GuideDialog, guide_entry
from explorer.ui.keys import PLAIN_TEXT, KeysDialog
from explorer.ui.panels import PANELS
from explorer.ui.panels.panel import Panel
from explorer.ui.preferences import preferences
from explorer.ui.reading.settings import OVERVIEW
from explorer.ui.texts import scene_title, stage_title

if TYPE_CHECKING:
    from explorer.ui.main_window import MainWindow

Key = QKeySequence.StandardKey


class Actions(QObject):
    """Builds the menu bar of a window. Actions live on the window, so that their keys work everywhere in it.

    `ask_title` is a plain callable, so that tests can answer.
    """

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.ask_title: Callable[[str], str | None] = self._title_dialog
        self._file_menu()
        self._edit_menu()
        self._view_menu()
        self._window.lessons.set_menu(self._window.menuBar().addMenu(self.tr("&Lessons")))
        self._window.lab.set_menu(self._window.menuBar().addMenu(self.tr("La&b")))
        self._present_menu()
        self._help_menu()

    def _add(
        self, menu: QMenu, text: str, do: Callable[[], object], key: Key | str | None = None, name: str = ""
    ) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        if key is not None:
            action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda: do())
        menu.addAction(action)
        return action

    # ---- File ----

    def _file_menu(self) -> None:
        window, files = self._window, self._window.files
        menu = window.menuBar().addMenu(self.tr("&File"))
        self._add(menu, self.tr("&New"), lambda: files.open_example(first_scene()), Key.New, "new")
        self._add(menu, self.tr("&Open…"), files.open, Key.Open, "open")
        self._add(
            menu, self.tr("Open folder of &layers…"), self._window.reading.open_folder, name="open_folder"
        )
        self._recent = menu.addMenu(self.tr("Open &Recent"))
        files.recent_changed.connect(self._fill_recent)
        self._fill_recent()
        self._examples = menu.addMenu(self.tr("&Examples"))
        self._examples.aboutToShow.connect(self._fill_examples)
        self._add(
            menu, self.tr("Import a layer of a &model…"), self._import_model, "Ctrl+Shift+M", "import_model"
        )
        menu.addSeparator()
        self._add(menu, self.tr("&Save"), files.save, Key.Save, "save")
        self._add(
            menu, self.tr("Save &As…"), files.save_as, QKeySequence("Ctrl+Shift+S").toString(), "save_as"
        )
        menu.addSeparator()
        self._add(
            menu,
            self.tr("Export &picture…"),
            lambda: window.exports.export_picture(),
            "Ctrl+E",
            "export_picture",
        )
        self._add(
            menu,
            self.tr("Export num&bers…"),
            lambda: window.exports.export_numbers(),
            "Ctrl+Shift+E",
            "export_numbers",
        )
        self._add(menu, self.tr("&Worksheet…"), lambda: window.exports.worksheet(), name="worksheet")
        self._add(menu, self.tr("Pr&int…"), lambda: window.exports.print_pipeline(), Key.Print, "print")
        menu.addSeparator()
        leave = self._add(menu, self.tr("&Quit"), self._window.close, "Ctrl+Q", "quit")
        leave.setMenuRole(QAction.MenuRole.QuitRole)  # macOS guesses it from English texts alone

    def _import_model(self) -> None:
        from explorer.ui.imports.model_dialog import ModelDialog  # with what it needs, when it is asked for

        dialog = ModelDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.imported.connect(self._window.files.open_scene)
        dialog.open()

    def _fill_recent(self) -> None:
        self._recent.clear()
        files = self._window.files
        for path in files.recent:
            self._add(self._recent, _escaped(str(path)), lambda path=path: files.open(path))  # type: ignore[misc]
        self._recent.setEnabled(bool(files.recent))

    def _fill_examples(self) -> None:
        if not self._examples.isEmpty():
            return
        for path in example_scenes():
            title = _title_of(path)
            self._add(
                self._examples, _escaped(title), lambda path=path: self._window.files.open_example(path)
            )  # type: ignore[misc]

    # ---- Edit ----

    def _edit_menu(self) -> None:
        steps = self._window.document.undo_group
        menu = self._window.menuBar().addMenu(self.tr("&Edit"))
        for make, text, key, name in (
            (steps.createUndoAction, self.tr("&Undo"), Key.Undo, "undo"),
            (steps.createRedoAction, self.tr("&Redo"), Key.Redo, "redo"),
        ):
            action = make(self._window, text)
            action.setObjectName(name)
            action.setProperty(PLAIN_TEXT, text)
            action.setShortcuts(QKeySequence.keyBindings(key))
            menu.addAction(action)
        menu.addSeparator()
        self._add(menu, self.tr("&Title of the scene…"), self._retitle, name="title")

    def _retitle(self) -> None:
        document = self._window.document
        shown = scene_title(document.scene.title)
        title = self.ask_title(shown)
        if title is not None and title != shown:
            document.end_merge()
            document.edit(document.scene.replace(title=title), self.tr("Change the title"))

    def _title_dialog(self, now: str) -> str | None:
        text = self.tr("What worksheets and pictures call this scene, and the window while it has no file:")
        title, given = QInputDialog.getText(self._window, self.tr("Title of the scene"), text, text=now)
        return title.strip() if given else None

    # ---- View ----

    def _view_menu(self) -> None:
        window = self._window
        menu = window.menuBar().addMenu(self.tr("&View"))
        self._stages_menu(menu.addMenu(self.tr("&Stages")))
        self._decimals_menu(menu.addMenu(self.tr("&Decimals")))
        menu.addSeparator()
        self._add(
            menu, self.tr("Larger cells"), lambda: window.pipeline.zoom_by(1.15), "Ctrl+Alt++", "zoom_in"
        )
        self._add(
            menu,
            self.tr("Smaller cells"),
            lambda: window.pipeline.zoom_by(1 / 1.15),
            "Ctrl+Alt+-",
            "zoom_out",
        )
        self._add(
            menu, self.tr("Fit cells to the window"), lambda: window.pipeline.set_zoom(1.0), "Ctrl+Alt+0"
        )
        self._add(menu, self.tr("One head alone"), self._show_one_head, "Ctrl+Shift+H", "one_head")
        self._add(menu, self.tr("All heads"), lambda: window.pipeline.show_head(None), "Ctrl+H", "all_heads")
        menu.addSeparator()
        reading = window.reading
        self._add(
            menu,
            self.tr("Heads side by side"),
            lambda: reading.soon(lambda: reading.open(OVERVIEW)),
            "F8",
            "read_heads",
        )
        self._add(
            menu,
            self.tr("Words and their lines"),
            lambda: reading.soon(reading.read_chosen),
            "Shift+F8",
            "read_words",
        )
        menu.addSeparator()
        larger = self._add(menu, self.tr("Everything &larger"), lambda: theme.step_scale(+1), name="larger")
        larger.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self._add(menu, self.tr("Everything s&maller"), lambda: theme.step_scale(-1), "Ctrl+-", "smaller")
        self._add(menu, self.tr("Usual si&ze"), lambda: theme.set_scale(1.0), "Ctrl+0", "usual_size")
        self._colours_menu(menu.addMenu(self.tr("&Colours")))
        self._language_menu(menu.addMenu("Lan&guage · 语言"))
        self._device_menu(menu.addMenu(self.tr("Large scenes computed &on")))
        menu.addSeparator()
        for dock in (window.inputs_dock, window.inspector_dock, window.lab.dock):
            menu.addAction(dock.toggleViewAction())

    def _stages_menu(self, menu: QMenu) -> None:
        for kind in PANELS:
            action = self._add(menu, stage_title(kind.name), lambda: None)
            action.setCheckable(True)
            action.setChecked(kind.name not in preferences().hidden_panels)
            action.toggled.connect(lambda on, name=kind.name: _show_panel(name, on))

    def _show_one_head(self) -> None:
        """The head of the panel that has the keyboard, else of the chosen number, else the first."""
        scene, chosen = self._window.document.scene, self._window.selection.cell
        panel = QApplication.focusWidget()
        if isinstance(panel, Panel):
            place, head = panel.kind.name, panel.head or 0
        else:
            place, head = ("", 0) if chosen is None else (chosen.place, chosen.head or 0)
        shared = place in ("k", "v")
        self._window.pipeline.show_head(head * scene.heads // scene.groups if shared else head)

    def _decimals_menu(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        for number in range(7):
            action = self._add(menu, str(number), lambda number=number: _set_decimals(number))  # type: ignore[misc]
            action.setObjectName(f"decimals_{number}")
            action.setCheckable(True)
            group.addAction(action)
        self._check_decimals("decimals")
        preferences().changed.connect(self._check_decimals)

    def _check_decimals(self, preference: str) -> None:
        """The inspector has a chooser, too."""
        if preference == "decimals":
            chosen = self._window.findChild(QAction, f"decimals_{preferences().decimals}")
            if chosen is not None:
                chosen.setChecked(True)

    def _colours_menu(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        texts = {
            "system": self.tr("As the system"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
            "contrast": self.tr("High contrast"),
        }
        for mode in theme.MODES:
            action = self._add(menu, texts[mode], lambda mode=mode: theme.set_mode(mode))  # type: ignore[misc]
            action.setCheckable(True)
            action.setChecked(mode == preferences().theme)
            group.addAction(action)

    def _language_menu(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        for code, name in language.LANGUAGES.items():
            action = self._add(menu, name, lambda code=code: self._speak(code), name=f"language_{code}")  # type: ignore[misc]
            action.setCheckable(True)
            action.setChecked(code == language.current())
            group.addAction(action)

    def _device_menu(self, menu: QMenu) -> None:
        self._devices = menu
        engine = self._window.engine
        engine.devices_found.connect(self._fill_devices)
        engine.device_failed.connect(self._fill_devices)
        self._fill_devices()

    def _fill_devices(self) -> None:
        """What torch sees here is known some time after the first numbers."""
        menu, engine = self._devices, self._window.engine
        menu.clear()
        group = QActionGroup(menu)
        names = {CPU: self.tr("the processor (CPU)"), **DEVICE_NAMES}
        for device in (CPU, *(engine.devices or ())):
            action = self._add(menu, names[device], lambda device=device: self._compute_on(device))  # type: ignore[misc]
            action.setObjectName(f"device_{device}")
            action.setCheckable(True)
            action.setChecked(device == engine.device)
            group.addAction(action)
        if not engine.devices:
            menu.addAction(self.tr("torch sees neither CUDA nor MPS on this computer")).setEnabled(False)

    def _compute_on(self, device: str) -> None:
        preferences().device = device
        self._window.engine.use(device)  # also where it had failed: the preference is no other then

    def _speak(self, code: str) -> None:
        if code != language.current():
            language.choose(code)
            self._window.remake_asked.emit()

    # ---- Present ----

    def _present_menu(self) -> None:
        window, covers = self._window, self._window.covers
        menu = window.menuBar().addMenu(self.tr("&Present"))
        self._add(menu, self.tr("&Present step by step"), window.present, "F5", "present")
        menu.addSeparator()
        predict = self._add(menu, self.tr("&Cover numbers by clicking"), lambda: None, "F6", "cover")
        predict.setCheckable(True)
        predict.toggled.connect(covers.set_covering)
        covers.covering_changed.connect(predict.setChecked)
        self._add(menu, self.tr("&Reveal all numbers"), covers.reveal, "Shift+F6", "reveal")

    # ---- Help ----

    def _help_menu(self) -> None:
        menu = self._window.menuBar().addMenu(self.tr("&Help"))
        for name in GUIDES:
            self._add(menu, guide_entry(name), lambda name=name: self._show_guide(name), name=f"guide_{name}")  # type: ignore[misc]
        self._add(menu, self.tr("&Keys"), lambda: self._show_once("keys_dialog", KeysDialog), "F1", "keys")
        menu.addSeparator()
        about = self._add(menu, self.tr("&About"), self._about, name="about")
        about.setMenuRole(QAction.MenuRole.AboutRole)
        about_qt = self._add(menu, self.tr("About &Qt"), QApplication.aboutQt)
        about_qt.setMenuRole(QAction.MenuRole.AboutQtRole)

    def _show_guide(self, name: str) -> None:
        self._show_once(f"guide_{name}", lambda window: GuideDialog(name, window))

    def _show_once(self, name: str, make: "Callable[[MainWindow], QDialog]") -> None:
        """A dialog that stays beside the window; the one that is there comes to the front."""
        dialog = self._window.findChild(QDialog, name) or make(self._window)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _about(self) -> None:
        from explorer.ui.about import AboutDialog

        dialog = AboutDialog(self._window)
        dialog.exec()
        dialog.deleteLater()


def first_scene() -> Path:
    """The scene on first start: the two-token example."""
    return resources.path("scenes", "two-tokens.attn.json")


def example_scenes() -> list[Path]:
    """The scenes that come with the program, the first one first."""
    found = sorted(resources.path("scenes").glob("*.attn.json"))
    return sorted(found, key=lambda path: path != first_scene())


def _title_of(path: Path) -> str:
    try:
        return scene_title(load(path).title) or path.name
    except SessionError:
        return path.name


def _escaped(text: str) -> str:
    """A menu takes & as the mark of a key."""
    return text.replace("&", "&&")


def _show_panel(name: str, on: bool) -> None:
    hidden = preferences().hidden_panels
    preferences().hidden_panels = hidden - {name} if on else hidden | {name}


def _set_decimals(number: int) -> None:
    preferences().decimals = number
