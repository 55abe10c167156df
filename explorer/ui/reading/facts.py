"""What is said of a head, in the user's language."""

from collections.abc import Sequence
from math import isnan

from PySide6.QtCore import QCoreApplication

from explorer.attention.heads import MEASURES, HeadFacts


def facts_lines(facts: HeadFacts, keys: tuple[str, ...]) -> list[str]:
    """The numbers of a head, one per line, those that there are; and that it is a sink, if it is one."""
    translate = QCoreApplication.translate
    texts = (
        translate("Heads", "entropy {value} bit"),
        translate("Heads", "attention to the first token {value}"),
        translate("Heads", "to the previous token {value}"),
        translate("Heads", "to itself {value}"),
    )
    values = [(text, getattr(facts, name)) for name, text in zip(MEASURES, texts, strict=True)]
    lines = [text.format(value=f"{value:.2f}") for text, value in values if not isnan(value)]
    if facts.sink is not None:
        text = translate(
            "Heads",
            "A sink: on average the queries put {share} % of their weight on “{token}”.",
        )
        lines.append(text.format(share=percent(facts), token=keys[facts.sink]))
    return lines


def sink_text(facts: HeadFacts, keys: tuple[str, ...]) -> str:
    """Likewise in a few words; empty for a head that is none."""
    if facts.sink is None:
        return ""
    text = QCoreApplication.translate("Heads", "sink: {share} % on “{token}”")
    return text.format(share=percent(facts), token=keys[facts.sink])


def measure_text(facts: HeadFacts, measure: str) -> str:
    """The number that heads are sorted by; empty where that is their own."""
    if measure not in MEASURES:
        return ""
    value = getattr(facts, measure)
    if isnan(value):
        return "–"
    if measure == "entropy":
        return QCoreApplication.translate("Heads", "{bits} bit").format(bits=f"{value:.2f}")
    return f"{value:.2f}"


def sort_texts() -> Sequence[tuple[str, str]]:
    """What heads can be sorted by, and how it is called."""
    translate = QCoreApplication.translate
    texts = (
        translate("Heads", "entropy, the sharpest first"),
        translate("Heads", "attention to the first token"),
        translate("Heads", "attention to the previous token"),
        translate("Heads", "attention to itself"),
    )
    return [("number", translate("Heads", "head number")), *zip(MEASURES, texts, strict=True)]


def percent(facts: HeadFacts) -> int:
    """Rounded down, so that nothing short of everything is called everything."""
    return int(100 * facts.sunk + 1e-9)
