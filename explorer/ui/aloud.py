"""What screen readers are told while a person goes from number to number."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def say(widget: QWidget, text: str) -> None:
    """Describe `widget` by `text`, and have it read where somebody listens; what was said last is not said again."""
    if text and text != widget.accessibleDescription():
        widget.setAccessibleDescription(text)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
