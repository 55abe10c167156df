"""Presenting: one stage after another, full screen, in letters that the back row can read."""
