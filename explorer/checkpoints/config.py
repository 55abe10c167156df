"""config.json of a model: what it says, asked for by name, each answer checked."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.checkpoints.errors import CheckpointError
from explorer.files import plain_json
from explorer.files.atomic import opened, reason
from explorer.scene import brief, told

MAX_BYTES = 16 * 1024 * 1024
MAX_COUNT = 1 << 20


class Config:
    """The keys of a config.json. Every method raises CheckpointError for an answer that cannot be meant."""

    def __init__(self, values: Mapping[str, Any], name: str = "config.json") -> None:
        self._values, self.name = values, name

    @property
    def model_type(self) -> str:
        """What the model calls its kind; empty where it does not say."""
        value = self._values.get("model_type")
        return value if isinstance(value, str) else ""

    def has(self, key: str) -> bool:
        """Whether a key is there and not null."""
        return self._values.get(key) is not None

    def filled(self, key: str) -> bool:
        """Whether a key is there and says something: not null, and no empty list or object."""
        return self.has(key) and self._values[key] not in ({}, [])

    def count(self, *keys: str, default: int | None = None) -> int:
        """A number of something, at least 1: of the first of `keys` that is there."""
        key, value = self._first(keys, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_COUNT:
            raise CheckpointError(f"{self.name}: {key} is {told(value)} but must be a count from 1")
        return value

    def number(self, *keys: str, default: float | None = None) -> float:
        """A finite number above 0."""
        key, value = self._first(keys, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
            raise CheckpointError(f"{self.name}: {key} is {told(value)} but must be a number above 0")
        return float(value)

    def numbers(self, key: str) -> list[float]:
        """A list of finite numbers above 0."""
        value = self._values.get(key)
        good = isinstance(value, list) and all(
            isinstance(each, int | float) and not isinstance(each, bool) and 0 < each < math.inf
            for each in value
        )
        if not good or not value:
            raise CheckpointError(
                f"{self.name}: {key} is {told(value)} but must be a list of numbers above 0"
            )
        return [float(each) for each in value]

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self._values.get(key)
        value = default if value is None else value
        if not isinstance(value, bool):
            raise CheckpointError(f"{self.name}: {key} is {told(value)} but must be true or false")
        return value

    def text(self, key: str, default: str) -> str:
        """A word."""
        value = self._values.get(key)
        value = default if value is None else value
        if not isinstance(value, str):
            raise CheckpointError(f"{self.name}: {key} is {told(value)} but must be text")
        return value

    def texts(self, key: str) -> list[str] | None:
        """A list of words, None where there is none."""
        value = self._values.get(key)
        if value is not None and not (isinstance(value, list) and all(isinstance(v, str) for v in value)):
            raise CheckpointError(f"{self.name}: {key} is {told(value)} but must be a list of words")
        return value

    def part(self, key: str) -> "Config | None":
        """The object under a key."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, Mapping):
            raise CheckpointError(f"{self.name}: {key} is {told(value)} but must be an object")
        return None if value is None else Config(value, f"{self.name}, {key}")

    def _first(self, keys: tuple[str, ...], default: float | None) -> tuple[str, Any]:
        for key in keys:
            if self.has(key):
                return key, self._values[key]
        if default is None:
            raise CheckpointError(f"{self.name}: {keys[0]} is missing")
        return keys[0], default


def load(path: Path) -> Config:
    """Raises CheckpointError, which begins with the file's name."""
    values = read_object(path)
    config = Config(values, path.name)
    quantised = values.get("quantization_config")
    if quantised:
        method = quantised.get("quant_method") if isinstance(quantised, Mapping) else None
        kind = f" ({brief(method)})" if isinstance(method, str) else ""
        raise CheckpointError(f"{path.name}: the model is quantised{kind}; only plain weights are read")
    return config


def read_object(path: Path) -> dict[str, Any]:
    """A JSON object. Raises CheckpointError, which begins with the file's name."""
    try:
        with opened(path) as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise CheckpointError(f"{path.name}: it is larger than {MAX_BYTES >> 20} MB")
        values = plain_json.loads(content.decode("utf-8-sig"))
        plain_json.check_depth([values])
    except OSError as error:
        raise CheckpointError(f"{path.name}: it cannot be read: {reason(error)}") from None
    except UnicodeDecodeError:
        raise CheckpointError(f"{path.name}: it is not UTF-8 text") from None
    except plain_json.JsonError as error:
        raise CheckpointError(f"{path.name}: {str(error).rstrip('.')}") from None
    if not isinstance(values, dict):
        raise CheckpointError(f"{path.name}: it holds {told(values)} but must hold an object")
    return values
