"""Lessons: one data file each, in every language, with scenes, questions and checks. No Qt, no torch."""
