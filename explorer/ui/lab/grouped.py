"""Grouped K/V heads: from multi-head over grouped to multi-query attention, and what that saves."""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from explorer.attention.cost import ITEM_BYTES, Sizes, kv_cache_bytes
from explorer.reshape import possible_kv_heads
from explorer.scene import Scene, SceneError
from explorer.ui.boxes import CountBox
from explorer.ui.lab.pieces import Bar, Bars, Heading, Words, muted
from explorer.ui.lab.sharing import Sharing
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.language import sentences
from explorer.ui.problems import problem_text


def token_bytes(scene: Scene, groups: int) -> int:
    """Bytes that one token adds to the K/V cache with so many K/V heads: G·(d_k + d_v) numbers."""
    return kv_cache_bytes(replace(Sizes.of(scene), n=1, m=1, kv_heads=groups), scene.dtype)


class Grouped(Tool):
    """Keeps nothing of its own: the number of K/V heads is the scene's."""

    name = "grouped"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Grouped", "Grouped K/V heads")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "Grouped", "Which query heads read the same keys and values, and what does sharing save?"
        )

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.kv_heads = CountBox(lambda: possible_kv_heads(self.scene))
        self.kv_heads.setObjectName("grouped_kv_heads")
        self.kv_heads.setAccessibleName(self.tr("K/V heads"))
        self.kv_heads.valueChanged.connect(self._set)
        self.kind = Words()
        self.kind.setObjectName("grouped_kind")
        self.page.addWidget(self._line())
        self.page.addWidget(self.kind)
        self.sharing = Sharing()
        self.page.addWidget(self.sharing)
        self.page.addWidget(Heading(self.tr("K/V cache, bytes a token")))
        self.bars = Bars()
        self.bars.setObjectName("grouped_bars")
        self.bars.setAccessibleName(self.tr("K/V cache, bytes a token"))
        self.page.addWidget(self.bars)
        self.cache = Words()
        self.cache.setObjectName("grouped_cache")
        self.page.addWidget(self.cache)
        self.page.addWidget(Heading(self.tr("What becomes of W_k and W_v")))
        self.page.addWidget(
            muted(
                self.tr(
                    "Fewer K/V heads: those that are joined become their mean. More: each is repeated, and the"
                    " output stays. Stepping back brings the matrices back as they were, until you change them,"
                    " the heads or the file; undo always does."
                )
            )
        )
        self.page.addStretch(1)

    def show_scene(self, scene: Scene) -> None:
        self.kv_heads.show_count(scene.groups)
        self.kind.setText(self._kind_text(scene))
        self.sharing.show_scene(scene)
        possible = possible_kv_heads(scene)
        costs = {groups: token_bytes(scene, groups) for groups in reversed(possible)}
        most = costs[scene.heads]
        self.bars.show_bars(
            Bar(self._short(scene, groups), cost / most, f"{cost:,}", groups == scene.groups)
            for groups, cost in costs.items()
        )
        self._show_cache(scene, costs[scene.groups], most)

    # ---- stepping ----

    def _line(self) -> QWidget:
        line = QWidget()
        layout = QHBoxLayout(line)
        layout.setContentsMargins(0, 0, 0, 0)
        label = QLabel(self.tr("K/V heads"))
        label.setBuddy(self.kv_heads)
        layout.addWidget(label)
        layout.addWidget(self.kv_heads)
        layout.addStretch(1)
        return line

    def _set(self, groups: int) -> None:
        try:
            scene = self.bench.memory.shared.with_groups(self.scene, groups)
        except SceneError as error:
            self.bench.banner.say(problem_text(str(error)))
            self.kv_heads.show_count(self.scene.groups)
            return
        self.bench.document.end_merge()
        text = QCoreApplication.translate("Controls", "Set K/V heads to %1")
        self.bench.document.edit(scene, text.replace("%1", str(groups)))

    # ---- what it says ----

    def _kind_text(self, scene: Scene) -> str:
        if scene.heads == 1:
            return self.tr("There is one query head, so there is nothing to share: choose more heads above.")
        if scene.groups == scene.heads:
            return self.tr("Multi-head attention (MHA): each query head has keys and values of its own.")
        if scene.groups == 1:
            text = self.tr(
                "Multi-query attention (MQA): all {heads} query heads read the same keys and values."
            )
            return text.format(heads=scene.heads)
        text = self.tr(
            "Grouped-query attention (GQA): {share} query heads each read one K/V head. Counted from 0, head h reads"
            " ⌊h·G/H⌋ = ⌊h·{groups}/{heads}⌋."
        )
        return text.format(share=scene.heads // scene.groups, groups=scene.groups, heads=scene.heads)

    def _short(self, scene: Scene, groups: int) -> str:
        """'8 · MHA', '4 · GQA', '1 · MQA'."""
        kind = "MHA" if groups == scene.heads else "MQA" if groups == 1 else "GQA"
        return f"G = {groups} · {kind}"

    def _show_cache(self, scene: Scene, now: int, most: int) -> None:
        sum_ = f"{scene.groups}·({scene.d_k} + {scene.d_v})·{ITEM_BYTES[scene.dtype]}"
        text = self.tr("G·(d_k + d_v)·bytes = {sum} = {now} in {dtype}.")
        text = text.format(sum=sum_, now=f"{now:,}", dtype=scene.dtype)
        if scene.groups != scene.heads:
            more = self.tr("Multi-head attention keeps {most}, {times} times as much.")
            text = sentences(text, more.format(most=f"{most:,}", times=scene.heads // scene.groups))
        self.cache.setText(text)
