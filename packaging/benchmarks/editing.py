"""From an edit to pixels, for one case: the program, the straightforward window and torch alone, in turn."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.bare import Bare
from benchmarks.cases import EDITS, Case, edits
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
    real: dict[str, Times]  # by the matrix that is edited
    plain: Times
    bare: Times
    matplotlib: Notebook | None  # None: not installed, not asked, or nothing to compare
    bertviz: Notebook | None

    @property
    def p95(self) -> float:
        """Of the kind of edit that takes longer."""
        return max(times.p95 for times in self.real.values())

    @property
    def share(self) -> float:
        """Of the straightforward window's time, p95 by p95."""
        return self.p95 / self.plain.p95

    def goals(self) -> list[Goal]:
        """What p95 may be."""
        found = [Goal(f"{self.case.name}, p95", self.p95, self.case.limit_ms, " ms")]
        if self.case.scale < 1:
            found.append(
                Goal(f"{self.case.name}, p95, share of the straightforward", self.share, PLAIN_SHARE)
            )
        return found

    def sentence(self) -> str:
        """The line in words."""
        w_q, x = (self.real[name].p50 for name in EDITS)
        text = (
            f"{self.case.name}: with {self.panels} panels and {self.numbers:,} numbers in view an edit of W_q is on"
            f" screen after {w_q:.1f} ms, one of X after {x:.1f} ms (p95 {self.p95:.1f} ms); computing all stages takes"
            f" {self.attention_ms:.1f} ms of it. A straightforward window takes {self.plain.p50:.1f} ms (p95"
            f" {self.plain.p95:.1f} ms), so ours takes {self.share:.2f} of that; torch alone computes the output in"
            f" {self.bare.p50:.2f} ms."
        )
        if self.matplotlib is not None:
            share = self.p95 / self.matplotlib.ms
            text += (
                f" A notebook's heat maps (matplotlib) take {self.matplotlib.ms:,.0f} ms to redraw, of which ours"
                f" takes {share:.3f}."
            )
        if self.bertviz is not None:
            text += (
                f" BertViz takes {self.bertviz.ms:,.0f} ms and {self.bertviz.size / 1e6:.1f} MB of HTML before the"
                " browser starts."
            )
        return text


def _check_view(real: RealWindow, case: Case) -> None:
    assert real.numbers_in_view() >= case.numbers, f"only {real.numbers_in_view()} numbers are in view"
    assert not case.hidden or real.all_in_view(), "not everything is in view"


def measure(real: RealWindow, case: Case, rounds: int, notebooks: bool) -> Row:
    """The case's row; `rounds` of 20 edits each."""
    real.open(case)
    _check_view(real, case)
    for name in EDITS:
        assert real.painted_by(name), f"an edit of {name} paints no panel"
    panels = real.panels_in_view()
    places = [Place(p.kind, p.head, real.place(p), p.shows_numbers) for p in panels]
    scene, trace = real.scene, real.trace
    bare = Bare(scene)
    assert bare.agrees(trace.output)
    plain = PlainWindow(scene, places, real.window.pipeline.viewport().size().toTuple())
    others = edits(scene)
    attention: list[float] = []

    def ours(name: str) -> Callable[[], float]:
        def once() -> float:
            took = real.once(name)
            attention.append(real.trace.seconds * 1000)
            return took

        return once

    rivals = (*map(ours, EDITS), lambda: plain.once(next(others)), bare.once)
    *found, theirs, alone = in_turn(rivals, rounds, each=20)
    plain.close()
    _check_view(real, case)  # no edit has taken numbers out of it
    with_numbers = notebooks and any(place.numbers for place in places)
    return Row(
        case=case,
        panels=len(panels),
        numbers=real.numbers_in_view(),
        attention_ms=Times(tuple(attention)).p50,
        real=dict(zip(EDITS, found, strict=True)),
        plain=theirs,
        bare=alone,
        matplotlib=matplotlib_redraw(trace) if with_numbers else None,
        bertviz=bertviz_view(trace) if notebooks else None,
    )
