"""The layers whose cost can be looked at: the present scene, and published ones."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from explorer.attention.cost import Sizes
from explorer.scene import Scene

SCENE = "scene"
MOST = 10_000_000  # of a batch or a length


@dataclass(frozen=True)
class Preset:
    """One published layer."""

    name: str
    sizes: Sizes
    dtype: str
    layers: int = 1


# d_model 512 and 8 heads: Vaswani et al. 2017. GPT-2 small: Radford et al. 2019. 7B: Llama 2, Touvron et al. 2023.
PRESETS: dict[str, Preset] = {
    "one_head": Preset(
        QT_TRANSLATE_NOOP("Cost", "32 × 1024 × 512, one head, no W^O"),
        Sizes(batch=32, n=1024, d_model=512, heads=1),
        "float32",
    ),
    "eight_heads": Preset(
        QT_TRANSLATE_NOOP("Cost", "32 × 1024 × 512, eight heads, W^O"),
        Sizes(batch=32, n=1024, d_model=512, heads=8, d_out=512),
        "float32",
    ),
    "base": Preset(
        QT_TRANSLATE_NOOP("Cost", "base Transformer"),
        Sizes(n=512, d_model=512, heads=8, d_out=512),
        "float32",
        6,
    ),
    "gpt2": Preset(
        QT_TRANSLATE_NOOP("Cost", "GPT-2 small"),
        Sizes(n=1024, d_model=768, heads=12, d_out=768),
        "float32",
        12,
    ),
    "seven_b": Preset(
        QT_TRANSLATE_NOOP("Cost", "a 7B model (Llama 2)"),
        Sizes(n=4096, d_model=4096, heads=32, d_out=4096),
        "float16",
        32,
    ),
}


def preset_name(key: str) -> str:
    """What a preset is called, translated."""
    return QCoreApplication.translate("Cost", PRESETS[key].name)


def kept_preset(entry: Any) -> str:
    """The preset that a session keeps; "scene" where it keeps none that is known."""
    key = entry.get("preset") if isinstance(entry, Mapping) else None
    return key if isinstance(key, str) and key in PRESETS else SCENE


def layer_of(scene: Scene, entry: Any) -> Preset:
    """What the tool's entry in the session means for this scene."""
    key = kept_preset(entry)
    layer = Preset("", Sizes.of(scene), scene.dtype) if key == SCENE else PRESETS[key]
    given = {name: _whole(entry, name) for name in ("batch", "n", "heads")}
    wanted = {
        name: value
        for name, value in given.items()
        if value is not None and (key != SCENE or name == "batch")
    }
    if layer.sizes.d_model % wanted.get("heads", 1):
        del wanted["heads"]
    return replace(layer, sizes=replace(layer.sizes, **wanted))


def _whole(entry: Any, name: str) -> int | None:
    value = entry.get(name) if isinstance(entry, Mapping) else None
    good = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST
    return value if good else None


def divisors(number: int) -> list[int]:
    """The numbers that divide it, in order."""
    return [d for d in range(1, number + 1) if number % d == 0]


def bytes_text(count: int) -> str:
    """'96 B', '1.5 KiB', '2 GiB'."""
    value, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB", "PiB"):
        if value < 1024 or unit == "PiB":
            break
        value /= 1024
    return f"{value:,.4g} {unit}" if value < 1000 else f"{value:,.0f} {unit}"


def is_usual(sizes: Sizes) -> bool:
    """Self-attention with d_k = d_v = d_model/H, a K/V head each, and a W^O that keeps the width or none."""
    wide = sizes.heads * sizes.key_width == sizes.heads * sizes.value_width == sizes.d_model
    own = sizes.groups == sizes.heads and sizes.keys == sizes.n and sizes.source_width == sizes.d_model
    return wide and own and sizes.d_out in (None, sizes.d_model)
