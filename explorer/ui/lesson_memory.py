"""Which lessons were finished, and how far one got in the others: remembered between starts."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QUrl

if TYPE_CHECKING:
    from explorer.lessons.lesson import Lesson
    from explorer.lessons.player import Progress

ROOT = "lessons"


class LessonMemory:
    """Kept in QSettings. A lesson's key is the name of a built-in one, or the path of a file."""

    @property
    def last(self) -> str | None:
        """The key of the lesson that was open last."""
        return str(QSettings().value(f"{ROOT}/last", "")) or None

    @property
    def is_new(self) -> bool:
        """True as long as no lesson has been opened, and nobody has said that none is wanted."""
        return self.last is None and not QSettings().contains(f"{ROOT}/declined")

    def decline(self) -> None:
        """Do not point to the lessons any more."""
        QSettings().setValue(f"{ROOT}/declined", "yes")

    def is_finished(self, key: str) -> bool:
        """Whether its last step was reached, once, with no question open."""
        return QSettings().value(_name(key, "finished"), "") == "yes"

    def step(self, key: str) -> int:
        """The step one was at, from 0."""
        return next(iter(_numbers(QSettings().value(_name(key, "step"), ""))), 0)

    def start(self, key: str, lesson: "Lesson") -> "Progress":
        """Where one left off; the beginning if that was the end, or if the file has other steps now."""
        from explorer.lessons.player import Progress

        settings = QSettings()
        count = len(lesson.steps)
        at = self.step(key)
        if settings.value(_name(key, "steps"), "") != str(count) or not 0 <= at < count:
            return Progress(lesson)
        solved, shown = (_numbers(settings.value(_name(key, name), "")) for name in ("solved", "shown"))
        kept = Progress(lesson, at, solved & set(range(count)), shown & set(range(count)))
        return Progress(lesson) if kept.done else kept

    def keep(self, key: str, progress: "Progress") -> None:
        """Remember this."""
        settings = QSettings()
        settings.setValue(f"{ROOT}/last", key)
        settings.setValue(_name(key, "steps"), str(len(progress.lesson.steps)))
        settings.setValue(_name(key, "step"), str(progress.index))
        for name, numbers in (("solved", progress.solved), ("shown", progress.shown)):
            settings.setValue(_name(key, name), " ".join(map(str, sorted(numbers))))
        if progress.done:
            settings.setValue(_name(key, "finished"), "yes")


def _name(key: str, what: str) -> str:
    quoted = bytes(QUrl.toPercentEncoding(key).data()).decode()  # a path would be taken for nested groups
    return f"{ROOT}/of/{quoted}/{what}"


def _numbers(value: object) -> frozenset[int]:
    """Of "1 4 5"; whatever somebody wrote into the file by hand is passed over."""
    return frozenset(int(word) for word in str(value).split() if word.isdecimal() and len(word) < 6)
