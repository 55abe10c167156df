"""The languages of the program: English, and what resources/translations holds."""

from pathlib import Path

import PySide6
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLibraryInfo, QLocale, QTranslator

from explorer import resources
from explorer.ui.preferences import preferences

# Code → its own name. To add one: a .ts file in resources/translations, and a line here.
LANGUAGES = {"en": "English", "zh_CN": "简体中文"}
# What Qt's own translation leaves in English in its dialogs.
GAPS = (
    QT_TRANSLATE_NOOP("QFileDialog", "&Look in:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Files of &type:"),
    QT_TRANSLATE_NOOP("QPrintSettingsOutput", "Page &Set:"),
)
TRANSLATIONS = resources.path("translations")

_installed: list[QTranslator] = []
_for_now = [""]


def find(code: str) -> str | None:
    """The key of LANGUAGES that `code` means: "zh", "zh-cn" and "zh_Hans" are "zh_CN"; None where there is none."""
    wanted = code.replace("-", "_").lower()
    exact = [key for key in LANGUAGES if key.lower() == wanted]
    alike = [key for key in LANGUAGES if key.split("_")[0] == wanted.split("_")[0]]
    return next(iter(exact + alike), None)


def current() -> str:
    """This run's language, else the chosen one, else the system's where the program speaks it, else English."""
    for code in (_for_now[0], preferences().language):
        if code in LANGUAGES:
            return code
    known = filter(None, map(find, QLocale.system().uiLanguages()))
    return next(known, "en")


def speak(code: str) -> None:
    """Speak this language (a key of LANGUAGES) until another is chosen or the program ends; "": as chosen."""
    _for_now[0] = code


def choose(code: str) -> None:
    """Speak this language from now on, also after the next start."""
    _for_now[0] = ""
    preferences().language = code


def lesson_code() -> str:
    """The language as lessons name it: "en", "zh"."""
    return current().split("_")[0]


def qt_translations() -> Path:
    """Where Qt's own texts are. PySide6 tells Qt its place in a settings file, where a comma in a path makes a list."""
    told = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    package = Path(PySide6.__file__).parent
    places = (told, package / "Qt" / "translations", package / "translations")
    return next((place for place in places if place.is_dir()), told)


def sentences(*parts: str) -> str:
    """One after the other, without those that are empty; in Chinese no blank stands between them."""
    return ("" if lesson_code() == "zh" else " ").join(filter(None, parts))


def apply() -> None:
    """Translate everything that is made from now on; windows that exist are to be made anew."""
    app = QCoreApplication.instance()
    assert app is not None
    for translator in _installed:
        app.removeTranslator(translator)
    _installed.clear()
    code = current()
    if code == "en":
        return
    folders = (  # of two translators the one installed last is asked first
        (f"qtbase_{code}", str(qt_translations())),
        (f"explorer_{code}", str(TRANSLATIONS)),
    )
    for name, folder in folders:
        translator = QTranslator(app)
        if translator.load(name, folder):
            app.installTranslator(translator)
            _installed.append(translator)
