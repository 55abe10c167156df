"""A deliberate mistake made visible: the Trace as a program would have it that does one step wrong."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QCoreApplication

from explorer.attention.precision import widened
from explorer.attention.trace import Trace
from explorer.attention.variants import SLIP


def slip_text() -> str:
    """What is said beside a picture with such a mistake."""
    return QCoreApplication.translate(
        "LessonPane", "The picture contains a deliberate mistake: it shows what a faulty program prints."
    )


def slipped(trace: Trace, name: str) -> Trace:
    """`trace` with the stages that this slip gets wrong; `trace` itself where the scene leaves no room for it.

    What counts as hidden follows the wrong mask, so that the panels hatch what that program hides.
    """
    slip = SLIP[name]
    stages = slip.stages(trace.scene, trace)
    if not stages:
        return trace
    visible = slip.seen(trace.visible)
    blind = ~visible.any(axis=1) & (widened(trace.scene).mask_fill == -np.inf)
    return replace(trace, **stages, visible=visible, blind=blind)
