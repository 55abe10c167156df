"""Cost: multiply-adds, parameters and bytes in closed form, beside what torch counts."""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from explorer.attention.cost import Sizes, activation_bytes, kv_cache_bytes, multiply_adds, parameters
from explorer.scene import Scene
from explorer.ui.boxes import ChoiceBox, CountBox, StepBox
from explorer.ui.lab.pieces import Bar, Bars, Choice, Heading, Words, muted
from explorer.ui.lab.plot import Curve, Plot
from explorer.ui.lab.sizes import (
    MOST,
    PRESETS,
    SCENE,
    Preset,
    bytes_text,
    divisors,
    is_usual,
    kept_preset,
    layer_of,
    preset_name,
)
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.lab.torch_count import TorchCount
from explorer.ui.language import sentences
from explorer.ui.texts import place_title, stage_title

POINTS = 33  # of a curve


class Cost(Tool):
    """Keeps {"preset": …, "batch": …, "n": …, "heads": …}, each only where it is not as it comes."""

    name = "cost"
    any_size = True

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Cost", "Cost")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate("Cost", "What does a layer cost, and what does that depend on?")

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.preset = ChoiceBox()
        self.preset.setObjectName("cost_preset")
        self.preset.setAccessibleName(self.tr("Layer"))
        self.preset.fill([(SCENE, self.tr("this scene")), *((key, preset_name(key)) for key in PRESETS)])
        self.preset.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.preset.activated.connect(lambda _index: self._choose(self.preset.currentData()))
        self.page.addWidget(self.preset)
        self.batch, self.n = StepBox(), StepBox()
        self.heads = CountBox(lambda: divisors(self.layer.sizes.d_model))
        self.page.addWidget(self._fields())
        self.facts = muted()
        self.page.addWidget(self.facts)
        self.measure = Choice(
            (
                ("adds", self.tr("multiply-adds")),
                ("numbers", self.tr("weights")),
                ("bytes", self.tr("bytes")),
            ),
            lambda _key: self._show_layer(),
            self.tr("Measure"),
        )
        self.measure.show_key("adds")
        self.bars = Bars()
        self.bars.setObjectName("cost_bars")
        self.bars.setAccessibleName(self.tr("Cost of each stage"))
        self.form = Words()
        self.form.setObjectName("cost_form")
        self.page.addWidget(self.measure)
        self.page.addWidget(self.bars)
        self.page.addWidget(self.form)
        self.cache = Words()
        self.cache.setObjectName("kv_cache")
        self.page.addWidget(Heading(self.tr("K/V cache")))
        self.page.addWidget(self.cache)
        self.over = Choice(
            (("n", self.tr("over n")), ("heads", self.tr("over heads"))),
            lambda _key: self._show_layer(),
            self.tr("Multiply-adds"),
        )
        self.over.show_key("n")
        self.plot = Plot(self.tr("Multiply-adds"))
        self.plot_note = muted()
        self.page.addWidget(Heading(self.tr("Multiply-adds")))
        self.page.addWidget(self.over)
        self.page.addWidget(self.plot)
        self.page.addWidget(self.plot_note)
        self.page.addWidget(Heading(self.tr("What torch counts")))
        self.counter = TorchCount()
        self.page.addWidget(self.counter)
        self.page.addWidget(muted(self._known_numbers()))
        self.page.addStretch(1)

    @property
    def layer(self) -> Preset:
        """What is looked at."""
        return layer_of(self.scene, self.kept)

    def show_scene(self, scene: Scene) -> None:
        key = kept_preset(self.kept)
        sizes = self.layer.sizes
        self.preset.show_kind(key)
        for box, value in ((self.batch, sizes.batch), (self.n, sizes.n)):
            with QSignalBlocker(box):
                box.setValue(value)
            box.updateGeometry()
        self.heads.show_count(sizes.heads)
        self.n.setEnabled(key != SCENE)
        self.heads.setEnabled(key != SCENE)
        self._show_layer()
        self.counter.show_scene(scene)

    # ---- what it is made of ----

    def _fields(self) -> QWidget:
        fields = QWidget()
        grid = QGridLayout(fields)
        grid.setContentsMargins(0, 0, 0, 0)
        items = (
            (self.batch, "batch", self.tr("Batch")), (self.n, "n", "n"), (self.heads, "heads", self.tr("Heads")),
        )  # fmt: skip
        for column, (box, name, text) in enumerate(items):
            label = QLabel(text)
            label.setBuddy(box)
            box.setObjectName(f"cost_{name}")
            box.setAccessibleName(text)
            box.setRange(1, MOST)
            box.setKeyboardTracking(False)
            box.valueChanged.connect(lambda value, name=name: self._set(name, value))
            grid.addWidget(label, 0, column)
            grid.addWidget(box, 1, column, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(3, 1)
        return fields

    def _choose(self, key: str) -> None:
        if key != kept_preset(self.kept):
            text = self.tr("Cost of {layer}").format(layer=self.preset.currentText())
            self.keep(None if key == SCENE else {"preset": key}, text)

    def _set(self, name: str, value: int) -> None:
        old = self.kept if isinstance(self.kept, dict) else {}
        sizes = self.layer.sizes
        if name == "heads" and sizes.d_model % value:
            self.heads.show_count(sizes.heads)
            text = self.tr("{heads} heads do not divide d_model = {width} evenly.")
            self.bench.banner.say(text.format(heads=value, width=sizes.d_model))
        elif value != getattr(sizes, name):
            self.keep(
                {**old, name: value},
                self.tr("Cost: {name} {value}").format(name=name, value=value),
                f"cost {name}",
            )

    # ---- numbers ----

    def _show_layer(self) -> None:
        layer = self.layer
        sizes = layer.sizes
        shape = f"{sizes.batch} × {sizes.n:,} × {sizes.d_model:,}"
        one = self.tr("One layer, {shape} (batch × n × d_model), one head of width {width}.")
        several = self.tr("One layer, {shape} (batch × n × d_model), {heads} heads of width {width}.")
        text = one if sizes.heads == 1 else several
        self.facts.setText(text.format(shape=shape, heads=sizes.heads, width=sizes.key_width))
        self._show_bars(layer)
        self._show_form(sizes)
        self._show_cache(layer)
        self._show_plot(sizes)

    def _show_bars(self, layer: Preset) -> None:
        measure = self.measure.key
        if measure == "adds":
            costs = {stage_title(name): cost for name, cost in multiply_adds(layer.sizes).items()}
            text = _plain
        elif measure == "numbers":
            costs = {place_title(name): cost for name, cost in parameters(layer.sizes).items()}
            text = _plain
        else:
            found = activation_bytes(layer.sizes, layer.dtype)
            costs = {stage_title(name): cost for name, cost in found.items()}
            text = bytes_text
        total = sum(costs.values())
        rows = [Bar(label, cost / total, text(cost)) for label, cost in costs.items()]
        self.bars.show_bars([*rows, Bar(self.tr("together"), float(total > 0), text(total), marked=True)])

    def _show_form(self, sizes: Sizes) -> None:
        key = self.measure.key
        if key == "numbers":
            self.form.setText(self.tr("Biases are left out. The batch and n play no part."))
        elif key == "bytes":
            text = self.tr(
                "When every stage is kept, as in training, in {dtype}. Scores and weights grow with H·n²."
            )
            self.form.setText(text.format(dtype=self.layer.dtype))
        elif is_usual(sizes):
            last = " + nd²" if sizes.d_out is not None else ""
            text = self.tr(
                "Of one sequence: 3nd² + 2n²d{last}, where d = d_model. The number of heads drops out."
            )
            self.form.setText(text.format(last=last))
        else:
            self.form.setText(
                self.tr("An a × b matrix times a b × c matrix takes a·b·c multiply-adds; this is their sum.")
            )

    def _show_cache(self, layer: Preset) -> None:
        sizes = replace(layer.sizes, batch=1)
        token = kv_cache_bytes(replace(sizes, n=1, m=1), layer.dtype)
        whole = kv_cache_bytes(layer.sizes, layer.dtype)
        text = self.tr("{token} bytes a token in {dtype}; {whole} for the whole batch.")
        text = text.format(token=_plain(token), dtype=layer.dtype, whole=bytes_text(whole))
        if layer.layers > 1:
            more = self.tr("In all {layers} layers {token} bytes a token.")
            text = sentences(text, more.format(layers=layer.layers, token=_plain(layer.layers * token)))
        self.cache.setText(text)

    def _show_plot(self, sizes: Sizes) -> None:
        if self.over.key == "n":
            counts = sorted({max(1, round(sizes.n * k / 8)) for k in range(1, POINTS)})
            # keys grow along: as many as queries, or a context in proportion
            found = [
                multiply_adds(replace(sizes, n=n, m=max(1, round(sizes.keys * n / sizes.n)))) for n in counts
            ]
            mixing = [cost["scores"] + cost["head_outputs"] for cost in found]
            whole = [sum(cost.values()) for cost in found]
            rest = [a - b for a, b in zip(whole, mixing, strict=True)]
            curves = [
                Curve(self.tr("together"), counts, whole, 0),
                Curve(self.tr("projections: ∝ n"), counts, rest, 2, dashed=True),
                Curve(self.tr("scores, A·V: ∝ n²"), counts, mixing, 1, dashed=True),
            ]
            along = sizes.keys != sizes.n
            self.plot.show_curves(
                curves, self.tr("n, and the keys in proportion") if along else "n", mark=sizes.n
            )
            even = sizes.d_model * (4 if sizes.d_out is not None else 3) // 2
            text = self.tr("The two parts are equal at n = {n}; beyond that, length is what costs.")
            self.plot_note.setText(text.format(n=f"{even:,}") if is_usual(sizes) else "")
        else:
            counts = divisors(sizes.d_model)
            plain = replace(sizes, heads=1, d_k=None, d_v=None, kv_heads=None)
            whole = [sum(multiply_adds(replace(plain, heads=h)).values()) for h in counts]
            weights = [plain.batch * h * plain.n * plain.keys for h in counts]
            curves = [
                Curve(self.tr("multiply-adds"), counts, whole, 0, dots=True),
                Curve(self.tr("weights held: ∝ H"), counts, weights, 1, dashed=True),
            ]
            self.plot.show_curves(curves, self.tr("heads"), log=(True, True), mark=sizes.heads)
            self.plot_note.setText(
                self.tr(
                    "Each of H heads is d_model/H wide, so the products cost the same; only more weights are held."
                )
            )

    def _known_numbers(self) -> str:
        one, eight = (sum(multiply_adds(PRESETS[key].sizes).values()) for key in ("one_head", "eight_heads"))
        bare = sum(multiply_adds(replace(PRESETS["eight_heads"].sizes, d_out=None)).values())
        text = self.tr(
            "Known numbers, for 32 × 1024 × 512: one head without W^O {one}; eight heads without W^O {bare}, the"
            " same; eight heads with W^O {eight}, for W^O adds nd²."
        )
        return text.format(one=_plain(one), bare=_plain(bare), eight=_plain(eight))


def _plain(count: int) -> str:
    return f"{count:,}"
