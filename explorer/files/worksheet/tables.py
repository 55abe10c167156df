"""Powers of e to look up, as many as the scores of a sheet need."""

from math import ceil, exp, floor, isfinite

import numpy as np

from explorer.attention.formula import Sym, number
from explorer.attention.score_steps import out_of_reach
from explorer.attention.trace import Trace
from explorer.files.worksheet.model import ExpTable
from explorer.files.worksheet.texts import say
from explorer.scene import Array, Flags

MOST = 13  # columns
LEAST = -8  # the power of e below which 0.000 is left
DECIMALS = 2  # of the scores in it


def power_text(value: float) -> str:
    """A power of e to three figures or so: 148.4, 2.72, 0.050."""
    decimals = 1 if value >= 100 else 2 if value >= 1 else 3
    return f"{0:.3f}" if 0 < value < 0.0005 else number(value, decimals)


def shifted(trace: Trace) -> Flags:
    """(H, n): rows whose largest score must be subtracted first for their powers to be readable."""
    tops = trace.masked.astype(np.float64).max(axis=2)  # (H, n)
    return np.array([[isfinite(top) and out_of_reach(top) for top in row] for row in tops.tolist()])


def exponents(trace: Trace) -> Array:
    """(H, n, m): what e is raised to; −∞ for what is hidden."""
    masked = trace.masked.astype(np.float64)
    return masked - np.where(shifted(trace), masked.max(axis=2), 0.0)[..., None]


def tables(trace: Trace, language: str) -> tuple[ExpTable, ...]:
    """One table for scores that are whole numbers before they are scaled; else one to put powers together from."""
    powers = exponents(trace)
    wanted = powers[np.isfinite(powers)]
    if not wanted.size or not np.isfinite(trace.scaled).all():
        return ()
    table = None if shifted(trace).any() else _whole(trace)
    return (table,) if table is not None else _parts(float(wanted.min()), float(wanted.max()), language)


def _whole(trace: Trace) -> ExpTable | None:
    """e to the power of each whole number that occurs as a raw score, scaled; None where there are others."""
    scene = trace.scene
    seen = np.isfinite(trace.masked) & trace.visible
    raw, scaled = trace.scores[seen], trace.masked[seen].astype(np.float64)
    plain = np.allclose(scaled, raw * scene.factor, atol=1e-6)
    if not plain or not np.array_equal(raw, np.rint(raw)) or np.isfinite(trace.masked[~seen]).any():
        return None
    first, last = int(raw.min()) - 1, int(raw.max()) + 1  # one more at each end, which gives nothing away
    if last - first + 1 > MOST + 2:
        return None
    whole = range(first, last + 1)
    s = Sym("s", "s", "s")
    rows = [
        (Sym("q·k", "q·k", r"q\cdot k") if scene.factor != 1.0 else s, tuple(number(k, 0) for k in whole))
    ]
    if scene.factor != 1.0:
        rows.append((s, tuple(number(k * scene.factor, DECIMALS) for k in whole)))
    rows.append((Sym("e^s", "e<sup>s</sup>", "e^s"), tuple(power_text(exp(k * scene.factor)) for k in whole)))
    return ExpTable(tuple(rows))


def _parts(low: float, high: float, language: str) -> tuple[ExpTable, ...]:
    """e^a for whole a and e^b for tenths b: e^(a+b) = e^a·e^b."""
    last = ceil(high)
    first = max(floor(low), LEAST, last - MOST + 1)
    whole = range(min(first, last), last + 1)
    tenths = [k / 10 for k in range(10)]
    middle = round((max(low, first) + high) / 2, 1)
    a, b = floor(middle), round(middle - floor(middle), 1)
    both = f"e^{number(a + b, 1)} = e^{number(a, 0)}·e^{number(b, 1)}"
    both += f" ≈ {power_text(exp(a))}·{power_text(exp(b))}"
    return (
        ExpTable(
            (
                (Sym("a", "a", "a"), tuple(number(k, 0) for k in whole)),
                (Sym("e^a", "e<sup>a</sup>", "e^a"), tuple(power_text(exp(k)) for k in whole)),
            )
        ),
        ExpTable(
            (
                (Sym("b", "b", "b"), tuple(number(k, 1) for k in tenths)),
                (Sym("e^b", "e<sup>b</sup>", "e^b"), tuple(power_text(exp(k)) for k in tenths)),
            ),
            say("table_parts", language, example=both),
        ),
    )
