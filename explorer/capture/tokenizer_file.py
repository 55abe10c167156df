"""A tokenizer.json before the library opens it, whose own code believes what the file claims."""

import base64
import json
from pathlib import Path
from typing import Any

from explorer.capture.naming import CaptureError


def check_charsmap(path: Path, name: str) -> None:
    """Raises CaptureError for a tokenizer.json whose table of characters claims more than it has.

    The tokenizers' own code would ask for as much memory as is claimed, and end the process where there is not.
    """
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return  # whoever opens it next says it better
    parts = [content]
    while parts:
        part = parts.pop()
        inner = list(part.values()) if isinstance(part, dict) else part if isinstance(part, list) else ()
        parts += [each for each in inner if isinstance(each, dict | list)]
        if isinstance(part, dict) and part.get("type") == "Precompiled":
            if not _is_charsmap(part.get("precompiled_charsmap")):
                raise CaptureError(f"{name}: tokenizer.json: precompiled_charsmap is not whole.")


def _is_charsmap(value: Any) -> bool:
    """Four bytes of length, so many bytes of a trie in whole words, text; in base64."""
    try:
        table = base64.b64decode(value, validate=True)
    except (TypeError, ValueError):
        return False
    length = int.from_bytes(table[:4], "little")
    return len(table) >= 4 and length % 4 == 0 and 0 < length <= len(table) - 4
