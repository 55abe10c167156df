"""The field's notation in a lesson's text: W_q, d_model, W^O, W_i^Q with real indices."""

import re

_INDEXED = re.compile(
    r"(?<![A-Za-z0-9_.])(?P<base>(?:[A-Za-z]|head)[₀-₉]?)"
    r"(?=[_^])(?:_(?P<sub>model|context|out|[a-zH]))?(?:\^(?P<sup>[A-Z]))?(?![A-Za-z0-9_^(])"
)


def with_indices(html: str) -> str:
    """HTML in which `W_q` has become W<sub>q</sub> and `W_i^Q` W<sub>i</sub><sup>Q</sup>; names stay."""
    return _INDEXED.sub(_typeset, html)


def _typeset(match: re.Match[str]) -> str:
    sub = f"<sub>{match['sub']}</sub>" if match["sub"] else ""
    sup = f"<sup>{match['sup']}</sup>" if match["sup"] else ""
    return f"{match['base']}{sub}{sup}"
