"""From an edit to pixels, for one case: the program, the straightforward window and torch alone, in turn."""

from dataclasses import dataclass

from benchmarks.bare import Bare
from benchmarks.cases import Case, edits
from benchmarks.goals import Goal
from benchmarks.measure import Times, in_turn
from benchmarks.notebook import Notebook, bertviz_view, matplotlib_redraw
from benchmarks.plain import Place, PlainWindow
from benchmarks.real import RealWindow

PLAIN_SHARE = 0.25  # of the straightforward window's time, at 3840 × 2160


@dataclass(frozen=True)
class Row:
    """What was measured of one case."""

    case: Case
    panels: int  # in view
    numbers: int  # in view
    attention_ms: float  # computing every stage, within `real`
    real: Times
    plain: Times
    bare: Times
    matplotlib: Notebook | None
    bertviz: Notebook | None

    @property
    def share(self) -> float:
        """Of the straightforward window's time."""
        return self.real.p95 / self.plain.p95

    def goals(self) -> list[Goal]:
        """What p95 may be."""
        found = [Goal(f"{self.case.name}, p95", self.real.p95, self.case.limit_ms, " ms")]
        if self.case.scale < 1:
            found.append(
                Goal(f"{self.case.name}, p95, share of the straightforward", self.share, PLAIN_SHARE)
            )
        return found

    def sentence(self) -> str:
        """The line in words."""
        text = (
            f"{self.case.name}: with {self.panels} panels and {self.numbers:,} numbers in view an edit is on"
            f" screen after {self.real.p50:.1f} ms (p95 {self.real.p95:.1f} ms), of which computing every stage"
            f" takes {self.attention_ms:.1f} ms. A straightforward window takes {self.plain.p50:.1f} ms (p95"
            f" {self.plain.p95:.1f} ms), so ours takes {self.share:.2f} of that; torch alone computes the output"
            f" in {self.bare.p50:.2f} ms."
        )
        if self.matplotlib is not None:
            text += f" A notebook's heat maps take {self.matplotlib.ms:,.0f} ms to redraw."
        if self.bertviz is not None:
            text += (
                f" BertViz takes {self.bertviz.ms:,.0f} ms and {self.bertviz.size / 1e6:.1f} MB of HTML before the"
                " browser starts."
            )
        return text


def measure(real: RealWindow, case: Case, rounds: int, notebooks: bool) -> Row:
    """The case's row; `rounds` of 20 edits each."""
    real.open(case)
    panels = real.panels_in_view()
    places = [Place(p.kind, p.head, real.place(p), p.shows_numbers) for p in panels]
    scene, trace = real.scene, real.trace
    bare = Bare(scene)
    assert bare.agrees(trace.output)
    plain = PlainWindow(scene, places, real.window.pipeline.viewport().size().toTuple())
    others = edits(scene)
    attention: list[float] = []

    def real_once() -> float:
        took = real.once()
        attention.append(real.trace.seconds * 1000)
        return took

    rivals = (real_once, lambda: plain.once(next(others)), bare.once)
    ours, theirs, alone = in_turn(rivals, rounds, each=20)
    plain.close()
    with_numbers = notebooks and any(place.numbers for place in places)
    return Row(
        case=case,
        panels=len(panels),
        numbers=real.numbers_in_view(),
        attention_ms=Times(tuple(attention)).p50,
        real=ours,
        plain=theirs,
        bare=alone,
        matplotlib=matplotlib_redraw(trace) if with_numbers else None,
        bertviz=bertviz_view(trace) if notebooks else None,
    )
