"""Session files (`.attn.json`) <-> Scene: UTF-8 JSON, one object with the keys of READERS."""

import errno
import glob
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np

from explorer.attention.masks import MASKS
from explorer.attention.positions import POSITIONS
from explorer.files import atomic, cells, plain_json, stamp, tensors
from explorer.files.atomic import opened, reason, replacing, write
from explorer.norm import Norm
from explorer.patience import GoingOn, go_on
from explorer.scene import BIASES, MATRICES, NORMS, Scene, SceneError, Setting, told

FORMAT = "attention-explorer"
VERSION = 1
SUFFIX = ".attn.json"
REQUIRED = ("x", "w_q", "w_k", "w_v")

MAX_BYTES = 32 * 1024 * 1024  # of JSON; what is larger belongs into a .safetensors file
MAX_NUMBERS = 1_000_000  # of a scene in JSON; beyond that each table of more than SMALL goes beside it
SMALL = 1000


class SessionError(ValueError):
    """A session that cannot be read or written: one plain sentence that begins with the file's name.

    `key` names the entry at fault, None where it is the file as a whole.
    """

    def __init__(self, name: str, sentence: str, key: str | None = None) -> None:
        super().__init__(f"{name}: {sentence}")
        self.key = key


def load(path: str | os.PathLike[str], going_on: GoingOn = go_on) -> Scene:
    """The Scene that a file holds. Raises SessionError. `going_on` is called now and then; what it raises ends it."""
    name = Path(path).name or str(path)
    try:
        with opened(path) as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SessionError(name, f"it cannot be read: {reason(error)}.") from None
    except ValueError:  # a NUL in the name
        raise SessionError(ascii(name), "it cannot be read: there is no such file or folder.") from None
    if len(content) > MAX_BYTES:
        raise SessionError(name, f"it is larger than {MAX_BYTES >> 20} MB, which is no session.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1:,} is 0x{content[error.start]:02x}"
        raise SessionError(name, f"it is not UTF-8 text: {where}.") from None
    # What lies beside a session lies beside the file itself, not beside a link to it.
    return parse(text, name, Path(os.path.realpath(path)).parent, going_on)


def parse(
    source: str | Mapping[str, Any],
    name: str = "session",
    folder: Path | None = None,
    going_on: GoingOn = go_on,
) -> Scene:
    """The Scene of a session's text, or of its parsed object. Raises SessionError, which begins with `name`.

    `folder` is where matrices that lie beside the session are looked for; None: they are refused.
    """
    try:
        return _scene(plain_json.loads(source) if isinstance(source, str) else source, folder, going_on)
    except plain_json.JsonError as error:
        raise SessionError(name, str(error)) from None
    except SceneError as error:
        raise SessionError(name, str(error), error.key) from None


def dump(scene: Scene) -> str:
    """The text of a session, every number in it. `parse` gives the same scene, float64 bit for bit."""
    return plain_json.dumps(entries_of(scene))


def save(scene: Scene, path: str | os.PathLike[str], going_on: GoingOn = go_on) -> str:
    """Write a session; `path` holds the old or the new one, whole, whatever happens. Raises SessionError.

    Tables too large for JSON go to a `.safetensors` file beside it. That one is always a new file, so that
    the old session stays whole until the new one is in place; then the old session's tables are deleted.
    Returns the fingerprint of the new content. `going_on` is called while that can be given up; what it raises ends it.
    """
    target = Path(os.path.realpath(path))
    entries = entries_of(scene)
    large = _take_large(entries, beside := _free_name(target))
    try:
        if large:
            with replacing(beside, of=target) as draft:
                tensors.write(draft, large, {"session": target.name}, going_on)
        content = plain_json.dumps(entries).encode()
        if len(content) > MAX_BYTES:  # only notes or keys of somebody else can be that large
            raise OSError(errno.EFBIG, "")
        write(target, content)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise SessionError(Path(path).name, f"it cannot be saved: {reason(error)}.") from None
    _delete_unused(target, beside if large else None)
    return stamp.fingerprint_of(content, target.parent)


def tidy(path: str | os.PathLike[str]) -> None:
    """Delete what programs left beside a session that were killed while they saved it."""
    with suppress(ValueError):  # a NUL in the name
        target = Path(os.path.realpath(path))
        atomic.tidy(target.parent, target.name)


def fingerprint(path: str | os.PathLike[str]) -> str | None:
    """Tells one content of a session from another, its tables beside it included; None where there is no file."""
    return stamp.fingerprint(path, MAX_BYTES + 1)


def files_beside(path: Path) -> list[Path]:
    """The files of tables that a session refers to."""
    return stamp.files_beside(path, MAX_BYTES + 1)


def sources(sessions: Iterable[Path]) -> frozenset[str]:
    """What some sessions are read from, their tables beside them included; for `check_apart`."""
    return frozenset(_real(file) for path in sessions for file in (path, *files_beside(path)))


def check_apart(path: Path, kept: Collection[str]) -> None:
    """Raises OSError for a file that something is read from: what is made of it must not take its place."""
    if _real(path) in kept:
        raise OSError(None, "the session is read from it")


def _real(path: Path) -> str:
    return os.path.normcase(os.path.realpath(path))


def stem(path: Path) -> str:
    """`two` of `two.attn.json`; of any other file the name without its suffix."""
    return path.name.removesuffix(SUFFIX) if path.name.endswith(SUFFIX) else path.stem


# ---- reading ----


def _scene(entry: Any, folder: Path | None, going_on: GoingOn) -> Scene:
    if not isinstance(entry, Mapping):
        raise SceneError(
            "format", f"it holds {told(entry)} but must hold an object with the keys of a session."
        )
    _check_format(entry.get("format"))
    plain_json.check_depth({key: value for key, value in entry.items() if key not in (*MATRICES, "bias")})
    for key in REQUIRED:
        if entry.get(key) is None:
            raise SceneError(key, f"{key} is missing.")
    given = {key: value for key, value in entry.items() if key in READERS and value is not None}
    if given.get("context_tokens") and "context" not in given:
        raise SceneError("context_tokens", "context_tokens is set, but there is no context.")
    known = {}
    for key, value in given.items():
        going_on()
        known[key] = READERS[key](key, value, folder)
    extra = {key: value for key, value in entry.items() if key not in READERS and key != "format"}
    return Scene(**known, extra=extra)


def _check_format(value: Any) -> None:
    expected = f'"{FORMAT}/{VERSION}"'
    if value is None:
        raise SceneError("format", f"format is missing; a session has {expected} there.")
    match = re.fullmatch(rf"{FORMAT}/([1-9][0-9]{{0,5}})", value) if isinstance(value, str) else None
    if match is None:
        raise SceneError("format", f"format is {told(value)} but must be {expected}.")
    if int(match[1]) > VERSION:
        raise SceneError(
            "format",
            f"it was saved by a newer version: format is {value}, and this one reads {FORMAT}/{VERSION}.",
        )


def _text(key: str, value: Any, _: Path | None) -> str:
    if not isinstance(value, str):
        raise SceneError(key, f"{key} is {told(value)} but must be text.")
    return value


def _labels(key: str, value: Any, _: Path | None) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise SceneError(key, f"{key} is {told(value)} but must be a list of labels.")
    return tuple(value)


def _setting_value(_key: str, value: Any, _: Path | None) -> Any:
    """One number, text or truth value; whether it will do is the Scene's to say."""
    return value


def _fill(_key: str, value: Any, _: Path | None) -> Any:
    return float(value) if value == "-inf" else value


def _norm(key: str, value: Any, folder: Path | None) -> Norm:
    if not isinstance(value, Mapping) or value.get("weight") is None:
        raise SceneError(key, f"{key} is {told(value)} but must be an object with weight and eps.")
    given: dict[str, Any] = {"weight": cells.vector(f"{key}.weight", value["weight"], folder)}
    given |= {} if value.get("eps") is None else {"eps": value["eps"]}
    return Norm(**given, extra={k: v for k, v in value.items() if k not in ("weight", "eps")})


def _masks(key: str, value: Any, folder: Path | None) -> tuple[Setting, ...]:
    if not isinstance(value, list):
        raise SceneError(key, f"{key} is {told(value)} but must be a list of masks.")
    return tuple(_setting(MASKS, key, f"mask entry {i}", mask, folder) for i, mask in enumerate(value, 1))


def _position(key: str, value: Any, folder: Path | None) -> Setting:
    return _setting(POSITIONS, key, key, value, folder)


def _setting(
    kinds: Mapping[str, type[Setting]], key: str, place: str, entry: Any, folder: Path | None
) -> Setting:
    """One `{"kind": …}` entry, its tables read cell by cell."""
    kind = entry.get("kind") if isinstance(entry, Mapping) else None
    if not isinstance(kind, str) or kind not in kinds:
        what = f"has the kind {told(kind)}" if isinstance(entry, Mapping) else f"is {told(entry)}"
        raise SceneError(key, f"{place} {what} but must have one of the kinds {', '.join(kinds)}.")
    setting = kinds[kind]
    readers = dict.fromkeys(setting.tables, cells.table) | dict.fromkeys(setting.flags, cells.flags)
    tables = {}
    for name, read in readers.items():
        if entry.get(name) is not None:
            try:
                tables[name] = read(name, entry[name], folder)
            except SceneError as error:
                raise SceneError(key, f"{place} ({kind}): {error}") from None
    return setting.from_json({**entry, **tables})


READERS: dict[str, Callable[[str, Any, Path | None], Any]] = {
    "title": _text,
    "notes": _text,
    "tokens": _labels,
    "context_tokens": _labels,
    "x": cells.table,
    "context": cells.table,
    "heads": _setting_value,
    "kv_heads": _setting_value,
    **dict.fromkeys(NORMS, _norm),
    **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), cells.table),
    **dict.fromkeys(BIASES, cells.vector),
    "scale": _setting_value,
    "softcap": _setting_value,
    "bias": cells.tables,
    "mask": _masks,
    "mask_fill": _fill,
    "position": _position,
    "dtype": _setting_value,
}  # in the order in which they are written


# ---- writing ----


def entries_of(scene: Scene) -> dict[str, Any]:
    """The session's keys in order, defaults left out; arrays still as arrays."""
    defaults = {f.name: f.default for f in fields(Scene) if f.default is not MISSING}
    defaults |= {
        "tokens": tuple(f"x{i + 1}" for i in range(scene.n)),
        "context_tokens": tuple(f"c{i + 1}" for i in range(scene.m)) if scene.is_cross else (),
    }
    entries: dict[str, Any] = {"format": f"{FORMAT}/{VERSION}"}
    for key in READERS:
        value = getattr(scene, key)
        if key == "mask":
            value = [_setting_entry(mask) for mask in value]
        elif key == "position":
            value = _setting_entry(value)
        elif isinstance(value, Norm):
            value = value.entry()
        elif isinstance(value, float):
            value = plain_json.short(value)
        if isinstance(value, np.ndarray) or value not in (defaults.get(key), [], {"kind": "none"}):
            entries[key] = value
    return entries | {key: value for key, value in scene.extra.items() if key not in entries}


def _setting_entry(setting: Setting) -> dict[str, Any]:
    return {
        key: plain_json.short(value) if isinstance(value, float) else value
        for key, value in setting.entry().items()
    }


def _take_large(entries: dict[str, Any], beside: Path) -> dict[str, Any]:
    """What is too large for JSON, by its name in the file `beside`; in `entries` a reference is left."""
    holders = list(tables_of(entries))
    if sum(holder[key].size for _, holder, key in holders) <= MAX_NUMBERS:
        return {}
    large = {}
    for name, holder, key in holders:
        if holder[key].size > SMALL:
            large[name] = holder[key]
            holder[key] = {"file": beside.name, "key": name}
    return large


def tables_of(entries: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Every array: a name for it, the entry that holds it, and its key there."""
    yield from ((key, entries, key) for key in (*MATRICES, "bias") if key in entries)
    settings = {f"mask.{i}": mask for i, mask in enumerate(entries.get("mask", ()), 1)}
    settings |= {key: entries[key] for key in (*NORMS, "position") if key in entries}
    for name, entry in settings.items():
        yield from ((f"{name}.{k}", entry, k) for k, value in entry.items() if isinstance(value, np.ndarray))


def _free_name(target: Path) -> Path:
    """`two.safetensors` for `two.attn.json`; with a number where there is one already."""
    number = 1
    while True:
        path = target.with_name(f"{stem(target)}{f'-{number}' if number > 1 else ''}.safetensors")
        if not os.path.lexists(path):
            return path
        number += 1


def _delete_unused(target: Path, used: Path | None) -> None:
    """The tables that earlier versions of this session left, unless another session here has them too."""
    with suppress(OSError):
        unused = [
            path
            for path in target.parent.glob(glob.escape(stem(target)) + "*.safetensors")
            if path != used and tensors.metadata(path).get("session") == target.name
        ]
        if not unused:
            return
        # Backups too (two.attn.json.bak, two.attn.json~); a pipe, which keeps its reader waiting, refers to nothing.
        others = [path for path in target.parent.glob("*.json*") if path != target and path.is_file()]
        if not all(os.access(path, os.R_OK) for path in others):  # who knows what it refers to
            return
        others_have = sources(others)
        for path in unused:
            if _real(path) not in others_have:
                path.unlink()
