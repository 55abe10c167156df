"""The pipeline's panels. To add one: a class with the methods of StagePanel in a file of its own, and a line here."""

from explorer.ui.panels.kinds import InputPanel, StagePanel

PANELS: tuple[StagePanel, ...] = (
    InputPanel(),
    StagePanel("q", "projections"),
    StagePanel("k", "projections"),
    StagePanel("v", "projections"),
    StagePanel("scores", "attention"),
    StagePanel("scaled", "attention"),
    StagePanel("masked", "attention"),
    StagePanel("weights", "attention"),
    StagePanel("head_outputs", "attention"),
    StagePanel("concat", "joined"),
    StagePanel("output", "joined"),
)
