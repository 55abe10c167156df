"""What is done to a file: blind damage to its bytes, and lies where its form has room for them."""

import io
import json
import random
import re
import struct
import zipfile
from collections.abc import Callable
from typing import Any

NUMBERS = [0, -1, 1, 2, 255, 2**16, 2**31 - 1, 2**31, 2**32, 2**40, 2**60, 2**63, 2**64, 10**30, 10**400]
WORDS = [
    "[", "]", "{", "}", "(", ")", ",", ";", ":", '"', "'", "\\", "\n", "\t", "\r", "=", "#", "-", "−", "…",
    "null", "true", "NaN", "-inf", "1e999", "1/0", "2**9**9**9", "sqrt(-1)", "0x10", "1_0", "\\u", "\\ud800",
    "\x00", "\ufeff", "\u202e", "\U0001f600", "kind", "format", "shape", "tensor(", "[[", "]]", "<table>", "<td",
    "&#99999999999;", "<!--", '"""', "[[step]]", "scene", "weights[1,1,1]", "descr", "'|O'", "BF16", "heads",
]  # fmt: skip
VALUES: list[Any] = [
    None,
    True,
    False,
    [],
    {},
    [1.0] * 99,
    [[]],
    {"a": 1},
    0.5,
    1e-300,
    1e308,
    float("nan"),
    float("inf"),
    "",
]
Random = random.Random


def mutated(kind: str, content: bytes, other: bytes, rng: Random) -> bytes:
    """A damaged file; `other` is one more of its kind, to be crossed with it."""
    lie = LIES.get(kind)
    if lie is not None and rng.random() < 0.5:
        try:
            content = lie(content, rng)
        except (ValueError, KeyError, IndexError, struct.error, zipfile.BadZipFile):
            pass  # a sample without such a part
        if rng.random() < 0.7:
            return content
    for _ in range(rng.choice((1, 1, 2, 4, 12))):
        content = rng.choice(DAMAGES)(content, other, rng)
    return content


# ---- blind damage ----


def truncated(content: bytes, _: bytes, rng: Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def flipped(content: bytes, _: bytes, rng: Random) -> bytes:
    if not content:
        return b"\xff"
    changed = bytearray(content)
    for _bit in range(rng.choice((1, 1, 3, 20))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(content: bytes, _: bytes, rng: Random) -> bytes:
    start, end = _slice(content, rng)
    return content[:start] + content[end:]


def doubled(content: bytes, _: bytes, rng: Random) -> bytes:
    start, end = _slice(content, rng)
    times = rng.choice((1, 2, 50)) if end - start < 10_000 else 1
    return content[:start] + content[start:end] * times + content[start:]


def crossed(content: bytes, other: bytes, rng: Random) -> bytes:
    start, end = _slice(other, rng)
    at = rng.randrange(len(content) + 1)
    return content[:at] + other[start:end] + content[at + rng.choice((0, end - start)) :]


def worded(content: bytes, _: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(WORDS).encode() + content[at + rng.choice((0, 0, 1, 4)) :]


def numbered(content: bytes, _: bytes, rng: Random) -> bytes:
    """Another number in the place of one that is spelled out."""
    found = list(re.finditer(rb"[0-9]+", content[:200_000]))
    if not found:
        return content
    match = rng.choice(found)
    return content[: match.start()] + str(rng.choice(NUMBERS)).encode() + content[match.end() :]


def packed(content: bytes, _: bytes, rng: Random) -> bytes:
    """Extreme whole numbers in binary."""
    width = rng.choice((2, 4, 8))
    value = (rng.choice(NUMBERS) & ((1 << 8 * width) - 1)).to_bytes(width, rng.choice(("little", "big")))
    at = rng.randrange(len(content) + 1)
    return content[:at] + value + content[at + width :]


def nested(content: bytes, _: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    opening = rng.choice((b"[", b"(", b'{"a":', b"<table>", b"-", b"[[", b"a.", b"((", b"<td "))
    return content[:at] + opening * rng.choice((10, 300, 5000, 100_000)) + content[at:]


DAMAGES: list[Callable[[bytes, bytes, Random], bytes]] = [
    truncated, flipped, cut, doubled, crossed, worded, worded, numbered, numbered, packed, nested,
]  # fmt: skip


def _slice(content: bytes, rng: Random) -> tuple[int, int]:
    start = rng.randrange(len(content) + 1)
    return start, min(len(content), start + rng.choice((1, 2, 8, 64, 1000, len(content))))


# ---- lies within the form ----


def _npy(content: bytes, rng: Random) -> bytes:
    """A damaged header whose length is right."""
    length = struct.unpack_from("<H", content, 8)[0]
    header = _damaged(content[10 : 10 + length], rng)
    return content[:8] + struct.pack("<H", len(header) & 0xFFFF) + header + content[10 + length :]


def _safetensors(content: bytes, rng: Random) -> bytes:
    length = struct.unpack_from("<Q", content)[0]
    header = content[8 : 8 + length]
    if rng.random() < 0.5:
        table = json.loads(header)
        entry = table[rng.choice([key for key in table if key != "__metadata__"])]
        key = rng.choice(("shape", "data_offsets", "dtype"))
        entry[key] = rng.choice(
            ([rng.choice(NUMBERS), 4], [0, rng.choice(NUMBERS)], [4, 0], [], "F64", "BF16", None, [1] * 99)
        )
        header = json.dumps(table).encode()
    else:
        header = _damaged(header, rng)
    return struct.pack("<Q", len(header)) + header + content[8 + length :]


def _archive(content: bytes, rng: Random) -> bytes:
    """One member damaged, its checksum right; perhaps packed, perhaps claiming another size."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old:
        names = old.namelist()
        victim = rng.choice(names)
        with zipfile.ZipFile(out, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as new:
            for name in names:
                member = old.read(name)
                if name == victim:
                    lie = _npy if name.endswith(".npy") and rng.random() < 0.6 else _damaged
                    member = lie(member, rng)
                new.writestr(name, member)
    content = out.getvalue()
    if rng.random() < 0.3:  # the directory's sizes
        at = content.rindex(b"PK\x01\x02") + rng.choice((20, 24))
        content = content[:at] + struct.pack("<I", rng.choice(NUMBERS) & 0xFFFFFFFF) + content[at + 4 :]
    return content


def _json(content: bytes, rng: Random) -> bytes:
    """Another value somewhere, or none."""
    whole = json.loads(content)
    for _ in range(rng.choice((1, 1, 2, 3))):
        holder = whole
        while True:
            key = rng.choice(list(holder) if isinstance(holder, dict) else list(range(len(holder))))
            if not (isinstance(holder[key], dict | list) and holder[key] and rng.random() < 0.7):
                break
            holder = holder[key]
        if rng.random() < 0.2:
            del holder[key]
        else:
            holder[key] = rng.choice(
                (*NUMBERS, *range(3, 13), *VALUES, *map(str, NUMBERS), rng.choice(WORDS))
            )
    return json.dumps(whole).encode()


def _model(content: bytes, rng: Random) -> bytes:
    """Tensors that are whole, of other shapes, types or names; of torch's files any damage."""
    if content.startswith(b"PK"):
        return _archive(content, rng)
    if rng.random() < 0.3:
        return _safetensors(content, rng)
    length = struct.unpack_from("<Q", content)[0]
    table = json.loads(content[8 : 8 + length])
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice([key for key in table if key != "__metadata__"])
        entry = table[name]
        shape, (start, end) = entry["shape"], entry["data_offsets"]
        what = rng.randrange(5)
        if what == 0:
            entry["shape"] = rng.choice((shape[::-1], [1, *shape], [(end - start) // 4], [*shape, 1], []))
        elif what == 1:
            entry["shape"], entry["data_offsets"] = (
                [0 if rng.random() < 0.5 else 1, *shape[1:]],
                [start, start],
            )
            entry["data_offsets"][1] += 4 * entry["shape"][0] * (shape[1] if len(shape) > 1 else 1)
        elif what == 2:
            entry["dtype"] = rng.choice(("I32", "U32", "F32", "F8_E4M3"))
        elif what == 3:
            table[rng.choice((name.replace("0", "1"), name.replace("q", "k"), f"x.{name}", name[3:]))] = (
                table.pop(name)
            )
        else:
            del table[name]
    header = json.dumps(table).encode()
    return struct.pack("<Q", len(header)) + header + content[8 + length :]


def _damaged(content: bytes, rng: Random) -> bytes:
    return rng.choice((numbered, numbered, worded, flipped, cut))(content, content, rng)


LIES: dict[str, Callable[[bytes, Random], bytes]] = {
    "npy": _npy, "npz": _archive, "torch": _archive, "safetensors": _safetensors, "beside": _safetensors,
    "config": _json, "index": _json, "model": _model,
}  # fmt: skip
