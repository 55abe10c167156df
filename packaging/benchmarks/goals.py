"""What the numbers are held against."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """`value` may be at most `limit`; the bench fails where it is not."""

    name: str
    value: float
    limit: float
    unit: str = ""

    @property
    def met(self) -> bool:
        """Whether it holds in this run."""
        return self.value <= self.limit

    def __str__(self) -> str:
        state = "met" if self.met else "MISSED"
        return f"{self.name}: {self.value:.3g}{self.unit} of at most {self.limit:.3g}{self.unit}, {state}"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Text in columns, which is a table in Markdown too; the first column is words, the others numbers."""
    lines = [head, *rows]
    widths = [max(len(line[col]) for line in lines) for col in range(len(head))]

    def written(line: tuple[str, ...]) -> str:
        cells = [line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))]
        return f"| {' | '.join(cells)} |"

    rule = f"|{'-' * (widths[0] + 2)}|" + "".join(f"{'-' * (width + 1)}:|" for width in widths[1:])
    return "\n".join([written(head), rule, *(written(row) for row in rows)])
