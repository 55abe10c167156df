"""A Trace as a file: every stage by its name, as `.npz` or as JSON."""

from pathlib import Path

import numpy as np

from explorer.attention.trace import STAGES, Trace
from explorer.files import plain_json
from explorer.files.atomic import replacing

SUFFIXES = (".npz", ".json")


def save(trace: Trace, path: Path) -> None:
    """Every stage to `path`, in the form that its suffix names; whole or not at all. Raises OSError.

    The shapes: the comments in Trace. In JSON, NaN and infinities are the strings "nan", "inf" and "-inf".
    """
    arrays = {stage.name: trace.stage(stage.name) for stage in STAGES}
    with replacing(path) as draft:
        if path.suffix == ".json":
            draft.write_text(plain_json.dumps(arrays), encoding="utf-8", newline="\n")
        else:
            np.savez(draft, **arrays)  # type: ignore[arg-type]  # numpy's stub: a stage may not be named allow_pickle
