"""The lesson pane's part of the style sheet."""

from explorer.ui import theme
from explorer.ui.theme import Theme

SHEET = """
#lesson_pane, #lesson_content, #lesson_scroll {{ background: {surface}; border: none; }}
#lesson_pane Prose {{ background: transparent; border: none; color: {text}; }}
#lesson_step {{ font-size: {small}px; color: {muted}; }}
#lesson_card, #lesson_end {{ background: {background}; border: 1px solid {line}; border-radius: 8px; }}
#lesson_slip {{ border: none; border-left: 3px solid {source}; padding: 2px 0 2px 8px; font-size: {small}px; }}
#lesson_foot {{ background: {surface}; border: none; border-top: 1px solid {line}; }}
#lesson_pane QPushButton {{ padding: 5px 14px; }}
#lesson_pane QPushButton[quiet="true"] {{
    background: transparent; border: 1px solid transparent; color: {accent}; padding: 3px 6px; text-align: left;
}}
#lesson_pane QPushButton[quiet="true"]:hover {{ border-color: {line}; }}
#lesson_pane QPushButton[quiet="true"]:focus {{ border-color: {accent}; }}
#lesson_pane QPushButton[primary="true"] {{ background: {accent}; color: {surface}; border-color: {accent}; }}
#lesson_pane QPushButton[primary="true"]:hover {{ border-color: {text}; }}
#lesson_pane QPushButton[primary="true"]:focus {{ border: 2px solid {text}; padding: 4px 13px; }}
#lesson_answer {{ padding: 5px 8px; }}
#lesson_answer:disabled {{ color: {text}; background: {background}; }}
#lesson_pane QRadioButton::indicator {{
    width: {box}px; height: {box}px; border: 1px solid {muted}; border-radius: {half}px; background: {surface};
}}
#lesson_pane QRadioButton::indicator:checked {{
    background: qradialgradient(cx:0.5, cy:0.5, radius:0.5, fx:0.5, fy:0.5,
        stop:0 {accent}, stop:0.5 {accent}, stop:0.6 {surface}, stop:1 {surface});
    border-color: {accent};
}}
#lesson_pane QRadioButton::indicator:focus {{ border: 2px solid {accent}; border-radius: {focused}px; }}
#lesson_pane QRadioButton::indicator:disabled {{ border-color: {line}; }}
"""


def sheet(colours: Theme) -> str:
    """In these colours, and in the size of everything."""
    names = ("surface", "background", "line", "muted", "text", "accent", "source")
    box = 2 * (theme.ui_font(1.1).pixelSize() // 2)
    return SHEET.format(
        small=theme.ui_font(0.92).pixelSize(),
        box=box,
        half=box // 2 + 1,
        focused=box // 2 + 2,
        **{name: getattr(colours, name).name() for name in names},
    )
