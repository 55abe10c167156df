"""Names from the layers below, in the user's language: below the interface everything speaks plain English."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

# Listed so that the translation tools find them; the keys are Stage names.
STAGE_TITLES = {
    "x": QT_TRANSLATE_NOOP("Stage", "input"),
    "q": QT_TRANSLATE_NOOP("Stage", "queries"),
    "k": QT_TRANSLATE_NOOP("Stage", "keys"),
    "v": QT_TRANSLATE_NOOP("Stage", "values"),
    "scores": QT_TRANSLATE_NOOP("Stage", "raw scores"),
    "scaled": QT_TRANSLATE_NOOP("Stage", "scaled scores"),
    "masked": QT_TRANSLATE_NOOP("Stage", "masked scores"),
    "weights": QT_TRANSLATE_NOOP("Stage", "weights"),
    "head_outputs": QT_TRANSLATE_NOOP("Stage", "head output"),
    "concat": QT_TRANSLATE_NOOP("Stage", "concat"),
    "output": QT_TRANSLATE_NOOP("Stage", "output"),
}


def stage_title(name: str) -> str:
    """'raw scores', translated."""
    return QCoreApplication.translate("Stage", STAGE_TITLES[name])
