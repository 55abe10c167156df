"""The inspector's part of the style sheet."""

from explorer.ui import theme
from explorer.ui.theme import Theme

SHEET = """
#inspector_content, #inspector_empty {{ background: {surface}; }}
#card, #row_card, #steps_card {{ background: {surface}; border: 1px solid {line}; border-radius: 8px; }}
#foot {{ background: {surface}; border: none; border-top: 1px solid {line}; }}
QLabel[muted="true"], #where, #caption, #step_number, #row_title, #row_rest, #row_facts, #reach, #empty_keys,
#steps_title {{
    color: {muted};
}}
#where, #caption, #row_title, #row_rest, #row_facts, #reach, #note, #trouble, QLabel[muted="true"],
#step_number, #steps_title {{ font-size: {small}px; }}
#step_number {{ font-weight: bold; min-width: {number}px; max-width: {number}px; }}
#value {{ border: none; border-bottom: 2px solid transparent; }}
#value:focus {{ border-bottom-color: {accent}; }}
#note {{ border: none; border-left: 3px solid {accent}; padding-left: 8px; color: {text}; }}
#trouble {{ border: none; border-left: 3px solid {error}; padding-left: 8px; color: {error}; }}
#empty_title {{ font-size: {large}px; font-weight: bold; color: {text}; }}
#unfold, #largest_first {{ padding: 2px 8px; font-size: {small}px; }}
#unfold {{ color: {accent}; }}
Chip {{
    padding: 0; border: 1px solid {line}; border-radius: 3px; font-size: {small}px; color: {text};
}}
#sources Chip {{ border: 2px solid {source}; }}
#dependents Chip {{ border: 2px dashed {dependent}; border-radius: 0; }}
#trail Chip {{ border-color: transparent; color: {accent}; }}
#trail #tail {{ font-size: {small}px; font-weight: bold; color: {text}; }}
Chip:hover, #sources Chip:hover, #dependents Chip:hover, #trail Chip:hover {{ background: {background}; }}
Chip:focus, #sources Chip:focus, #dependents Chip:focus, #trail Chip:focus {{ border: 2px solid {accent}; }}
"""


def sheet(colours: Theme) -> str:
    """In these colours, and in the size of everything."""
    names = ("surface", "background", "line", "muted", "text", "accent", "error", "source", "dependent")
    small = theme.ui_font(0.92).pixelSize()
    return SHEET.format(
        small=small,
        large=theme.ui_font(1.25).pixelSize(),
        number=theme.ui_font(0.8).pixelSize(),
        **{name: getattr(colours, name).name() for name in names},
    )
