"""Lessons: one data file each, in every language, with scenes, questions and checks. No Qt, no torch."""

from explorer.lessons.builtin import LESSONS, catalogue, find
from explorer.lessons.judge import Verdict, predict, solution
from explorer.lessons.lesson import Lesson, LessonError, Step, Text
from explorer.lessons.player import Progress
from explorer.lessons.reader import load

__all__ = [
    "LESSONS",
    "Lesson",
    "LessonError",
    "Progress",
    "Step",
    "Text",
    "Verdict",
    "catalogue",
    "find",
    "load",
    "predict",
    "solution",
]
