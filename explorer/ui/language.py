"""The languages of the program: English, and what resources/translations holds."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from explorer import resources
from explorer.ui.preferences import preferences

# Code → its own name. To add one: a .ts file in resources/translations, and a line here.
LANGUAGES = {"en": "English", "zh_CN": "简体中文"}

_installed: list[QTranslator] = []


def current() -> str:
    """The chosen language, or the system's where the program speaks it, else English; a key of LANGUAGES."""
    chosen = preferences().language
    if chosen in LANGUAGES:
        return chosen
    return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def lesson_code() -> str:
    """The language as lessons name it: "en", "zh"."""
    return current().split("_")[0]


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
    folders = (
        (f"explorer_{code}", str(resources.path("translations"))),
        (f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
    )
    for name, folder in folders:
        translator = QTranslator(app)
        if translator.load(name, folder):
            app.installTranslator(translator)
            _installed.append(translator)
