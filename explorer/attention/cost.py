"""What attention costs, in closed form: multiply-adds, parameters, bytes. Whole numbers, however large."""

from dataclasses import dataclass
from typing import Self

from explorer.scene import Scene

AT_ONCE = 2_000_000  # multiply-adds that one core does in about a millisecond
# Bytes of the stages with a number for each query and key, all heads together; beyond, such stages are not held.
HELD_BYTES = 2**31  # by a Trace
HELD_IN_WINDOW = (
    2**25
)  # by the one that a window shows: what takes longer than a frame to compute and to paint
CPU = "cpu"
DEVICE_NAMES = {"cuda": "CUDA", "mps": "MPS"}  # by the names that torch has for what may stand beside it
ITEM_BYTES = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The sizes that the cost depends on. What is None follows: self-attention, d_k = d_v = d_model/H, G = H.

    `d_out` None means that there is no W^O.
    """

    n: int
    d_model: int
    batch: int = 1
    heads: int = 1
    m: int | None = None
    d_context: int | None = None
    kv_heads: int | None = None
    d_k: int | None = None
    d_v: int | None = None
    d_out: int | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value} but must be at least 1.")
        if (self.d_k is None or self.d_v is None) and self.d_model % self.heads:
            raise ValueError(f"{self.heads} heads do not divide d_model = {self.d_model} evenly.")

    @classmethod
    def of(cls, scene: Scene, batch: int = 1) -> Self:
        """The sizes of a scene, times a batch."""
        return cls(
            batch=batch, n=scene.n, m=scene.m, d_model=scene.d_model, d_context=scene.d_context,
            heads=scene.heads, kv_heads=scene.groups, d_k=scene.d_k, d_v=scene.d_v,
            d_out=None if scene.w_o is None else scene.d_out,
        )  # fmt: skip

    @property
    def keys(self) -> int:
        """The number of keys, m."""
        return self.n if self.m is None else self.m

    @property
    def source_width(self) -> int:
        """Width of what keys and values are made from, d_context."""
        return self.d_model if self.d_context is None else self.d_context

    @property
    def groups(self) -> int:
        """The number of K/V heads, G."""
        return self.heads if self.kv_heads is None else self.kv_heads

    @property
    def key_width(self) -> int:
        """Width of one head's queries and keys."""
        return self.d_model // self.heads if self.d_k is None else self.d_k

    @property
    def value_width(self) -> int:
        """Width of one head's values."""
        return self.d_model // self.heads if self.d_v is None else self.d_v


def multiply_adds(sizes: Sizes) -> dict[str, int]:
    """Multiply-adds by the stage that they make; an a × b matrix times a b × c matrix takes a·b·c.

    One multiply-add counts 1, as in fvcore; torch's FlopCounterMode says 2. Matrix products only: bias,
    scale, mask and softmax are left out, as the counters leave them out.
    """
    s = sizes
    pairs = s.batch * s.heads * s.n * s.keys
    costs = {
        "q": s.batch * s.n * s.d_model * s.heads * s.key_width,
        "k": s.batch * s.keys * s.source_width * s.groups * s.key_width,
        "v": s.batch * s.keys * s.source_width * s.groups * s.value_width,
        "scores": pairs * s.key_width,
        "head_outputs": pairs * s.value_width,
    }
    if s.d_out is not None:
        costs["output"] = s.batch * s.n * s.heads * s.value_width * s.d_out
    return costs


def work(scene: Scene) -> int:
    """Multiply-adds of one forward pass, W^O included."""
    return sum(multiply_adds(Sizes.of(scene)).values())


def pair_bytes(scene: Scene) -> int:
    """Bytes of scores, scaled, masked and weights together, as a Trace holds them."""
    return 4 * scene.heads * scene.n * scene.m * (8 if scene.dtype == "float64" else 4)


def is_large(scene: Scene) -> bool:
    """Whether a window shows its heads as maps, computed where one looks."""
    return pair_bytes(scene) > HELD_IN_WINDOW


def parameters(sizes: Sizes) -> dict[str, int]:
    """Numbers in each matrix, biases left out."""
    s = sizes
    counts = {
        "w_q": s.d_model * s.heads * s.key_width,
        "w_k": s.source_width * s.groups * s.key_width,
        "w_v": s.source_width * s.groups * s.value_width,
    }
    if s.d_out is not None:
        counts["w_o"] = s.heads * s.value_width * s.d_out
    return counts


def activation_bytes(sizes: Sizes, dtype: str = "float32") -> dict[str, int]:
    """Bytes of each stage when all are kept, as in training; concat is the head outputs again."""
    s = sizes
    pairs = s.heads * s.n * s.keys
    counts = {
        "x": s.n * s.d_model,
        "q": s.n * s.heads * s.key_width,
        "k": s.keys * s.groups * s.key_width,
        "v": s.keys * s.groups * s.value_width,
        "scores": pairs,
        "weights": pairs,
        "head_outputs": s.n * s.heads * s.value_width,
    }
    if s.d_out is not None:
        counts["output"] = s.n * s.d_out
    return {stage: s.batch * count * ITEM_BYTES[dtype] for stage, count in counts.items()}


def kv_cache_bytes(sizes: Sizes, dtype: str = "float32") -> int:
    """Bytes of the keys and values a layer keeps while generating: m·G·(d_k + d_v) numbers a sequence."""
    s = sizes
    return s.batch * s.keys * s.groups * (s.key_width + s.value_width) * ITEM_BYTES[dtype]


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A published model: the attention of one of its layers, one sequence as long as its context."""

    name: str
    title: str
    sizes: Sizes
    layers: int  # with self-attention of these sizes
    dtype: str  # in which its keys and values are usually kept
    source: str


PRESETS: tuple[Preset, ...] = (
    Preset(
        name="transformer",
        title="Transformer, base",
        sizes=Sizes(n=1024, d_model=512, heads=8, d_out=512),
        layers=6,
        dtype="float32",
        source="Vaswani et al. 2017, table 3; it sets no length, 1024 is an example",
    ),
    Preset(
        name="gpt2",
        title="GPT-2 small",
        sizes=Sizes(n=1024, d_model=768, heads=12, d_out=768),
        layers=12,
        dtype="float32",
        source="Radford et al. 2019, table 2",
    ),
    Preset(
        name="llama2",
        title="Llama 2 7B",
        sizes=Sizes(n=4096, d_model=4096, heads=32, d_out=4096),
        layers=32,
        dtype="float16",
        source="Touvron et al. 2023",
    ),
    Preset(
        name="mistral",
        title="Mistral 7B: 32 heads share 8 K/V heads",
        sizes=Sizes(n=8192, d_model=4096, heads=32, kv_heads=8, d_out=4096),
        layers=32,
        dtype="bfloat16",
        source="Jiang et al. 2023, table 1; its sliding window is left out",
    ),
)

PRESET: dict[str, Preset] = {preset.name: preset for preset in PRESETS}
