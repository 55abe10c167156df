"""What is shown step by step: pure lists, made from a Scene."""

from dataclasses import dataclass

from explorer.scene import Scene


@dataclass(frozen=True)
class Item:
    """One matrix on the screen: a stage or a matrix of the Scene, and the sign that stands before it."""

    place: str
    head: int | None = None
    sign: str = ""


@dataclass(frozen=True)
class Step:
    """One screen. `key` names it (texts.STEP_TITLES); the last item is what is new."""

    key: str
    items: tuple[Item, ...]

    @property
    def new(self) -> Item:
        """What this step adds to what was there."""
        return self.items[-1]


def steps_of(scene: Scene, head: int) -> tuple[Step, ...]:
    """The walk through one head (from 0) and on to the output."""
    group = scene.kv_head(head)
    source = "context" if scene.is_cross else "x"
    steps = [Step("x", (Item("x"),))]
    if scene.is_cross:
        steps.append(Step("context", (Item("x"), Item("context"))))
    steps += [
        Step("q", (Item("x"), Item("w_q", head, "·"), Item("q", head, "="))),
        Step("k", (Item(source), Item("w_k", group, "·"), Item("k", group, "="))),
        Step("v", (Item(source), Item("w_v", group, "·"), Item("v", group, "="))),
        Step("scores", (Item("q", head), Item("k", group, "·"), Item("scores", head, "→"))),
        Step("scaled", (Item("scores", head), Item("scaled", head, "→"))),
    ]
    if scene.mask:
        steps.append(Step("masked", (Item("scaled", head), Item("masked", head, "→"))))
    steps += [
        Step("weights", (Item("masked", head), Item("weights", head, "→"))),
        Step("head_outputs", (Item("weights", head), Item("v", group, "·"), Item("head_outputs", head, "="))),
    ]
    if scene.heads > 1:
        shown = range(scene.heads) if scene.heads <= 4 else sorted({0, head, scene.heads - 1})
        outputs = [Item("head_outputs", h, "," if number else "") for number, h in enumerate(shown)]
        steps.append(Step("concat", (*outputs, Item("concat", None, "→"))))
    if scene.w_o is not None:
        steps.append(Step("output", (Item("concat"), Item("w_o", None, "·"), Item("output", None, "="))))
    elif scene.heads == 1:
        steps.append(Step("output", (Item("head_outputs", 0), Item("output", None, "="))))
    return tuple(steps)
