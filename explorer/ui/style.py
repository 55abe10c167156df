"""The style sheet of what stands in a window: flat controls with room around them, drawn from the Theme's colours."""

from typing import TYPE_CHECKING

from explorer import resources

if TYPE_CHECKING:
    from explorer.ui.theme import Theme

SHEET = """
QDialog {{ background: {surface}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QToolBar {{ background: {surface}; border: none; border-bottom: 1px solid {line}; padding: 5px 8px; spacing: 6px; }}
QStatusBar {{ background: {surface}; border-top: 1px solid {line}; color: {muted}; }}
QStatusBar::item {{ border: none; }}
QScrollArea, QScrollArea > QWidget > QWidget {{ border: none; }}
QToolTip {{ background: {surface}; color: {text}; border: 1px solid {line}; padding: 4px 6px; }}
QPushButton, QToolButton, QComboBox, QSpinBox, QDoubleSpinBox, QLineEdit {{
    background: {surface}; color: {text}; border: 1px solid {line}; border-radius: 5px; padding: 3px 8px;
}}
QToolButton, QPushButton {{ padding: 4px 10px; }}
QPushButton:hover, QToolButton:hover, QComboBox:hover, QSpinBox:hover {{ border-color: {muted}; }}
QPushButton:focus, QToolButton:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QLineEdit:focus {{
    border: 1px solid {accent};
}}
QPushButton:checked, QToolButton:checked {{ background: {accent}; color: {surface}; border-color: {accent}; }}
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QSpinBox:disabled {{ color: {muted}; }}
QFileDialog QToolButton {{ padding: 3px; }}
QToolButton::menu-indicator {{ image: none; width: 0; }}
QTabBar::tab {{ background: transparent; color: {muted}; padding: 5px 10px; border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ color: {text}; border-bottom: 2px solid {accent}; }}
QTabBar::tab:focus {{ color: {accent}; }}
QTabWidget::pane {{ border: none; }}
QScrollBar {{ background: transparent; border: none; margin: 0; }}
QScrollBar:vertical {{ width: {bar}px; }}
QScrollBar:horizontal {{ height: {bar}px; }}
QScrollBar::handle {{ background: {line}; border-radius: {round}px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: {grip}px; }}
QScrollBar::handle:horizontal {{ min-width: {grip}px; }}
QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: none; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QTabBar {{ qproperty-drawBase: 0; border: none; }}
MatrixGrid, MatrixGrid QHeaderView, MatrixGrid QTableCornerButton::section {{
    background: {surface}; border: none;
}}
MatrixSection > QToolButton {{ border: none; padding: 0; color: {muted}; }}
MatrixSection > QLabel[quiet="true"] {{ color: {muted}; }}
QCheckBox {{ spacing: 7px; }}
QCheckBox::indicator {{
    width: {box}px; height: {box}px; border: 1px solid {muted}; border-radius: 3px; background: {surface};
}}
QCheckBox::indicator:checked {{ background: {accent}; border-color: {accent}; image: url("{check}"); }}
QCheckBox:focus {{ color: {accent}; }}
QMenu {{ background: {surface}; color: {text}; border: 1px solid {line}; padding: 4px 0; }}
QMenu::item {{ padding: 5px 26px 5px 22px; }}
QMenu::item:selected {{ background: {accent}; color: {surface}; }}
QMenu::item:disabled {{ color: {muted}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 0; }}
QMenuBar {{ background: {surface}; color: {text}; }}
QMenuBar::item {{ padding: 4px 9px; background: transparent; }}
QMenuBar::item:selected {{ background: {accent}; color: {surface}; border-radius: 4px; }}
"""


def style_sheet(theme: "Theme", text_size: float) -> str:
    """The style sheet in the colours of `theme`, for text of so many pixels."""
    names = ("surface", "line", "muted", "text", "accent")
    check = resources.path("icons", "check-dark.svg" if theme.is_dark else "check-white.svg").as_posix()
    sizes = {"box": round(text_size), "bar": round(text_size), "grip": round(2.5 * text_size)}
    sizes["round"] = (sizes["bar"] - 4) // 2
    return SHEET.format(check=check, **sizes, **{n: getattr(theme, n).name() for n in names})
