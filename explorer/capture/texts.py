"""A text through a model on disk: its own tokenizer, its own forward pass up to the layer that was asked for.

With the optional extra `models` (transformers, tokenizers). Everything comes from the model's folder; the libraries
are told to stay off the network before they are loaded.
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import nn

from explorer.capture.agreement import difference, is_close
from explorer.capture.copies import Copies
from explorer.capture.families import spots
from explorer.capture.naming import KEY, CaptureError
from explorer.capture.projected import ProjectedWatch
from explorer.capture.tokenizer_file import check_charsmap
from explorer.capture.watching import Forward, stood_in
from explorer.checkpoints import CheckpointError, Model, Spot
from explorer.checkpoints.reader import INDEXES, WHOLE
from explorer.scene import Scene, SceneError

OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_XET": "1",
}
TOKENIZERS = (
    "tokenizer.json", "tokenizer.model", "vocab.txt", "vocab.json", "spiece.model", "sentencepiece.bpe.model",
    "tekken.json",
)  # fmt: skip
LOCAL = {"local_files_only": True, "trust_remote_code": False}
LAYERS = ("encoder_layers", "num_layers", "num_hidden_layers")  # how configurations count them
TARGETS = ("decoder", "cross")  # the parts of a model that read the second text
MOST = 4096  # tokens of a text


class TextModel:
    """A model with its tokenizer, once loaded. Raises CaptureError, CheckpointError: one sentence each."""

    def __init__(self, files: Model, upto: Spot | None = None) -> None:
        """Layers after `upto` are not loaded where that can be done; None: all of them are wanted."""
        self.files = files
        self._folder = _folder(files)
        self._name = Path(os.path.realpath(self._folder)).name
        library = _library()
        self._config = self._opened(lambda: library.AutoConfig.from_pretrained(self._folder, **LOCAL))
        check_charsmap(self._folder / TOKENIZERS[0], self._name)
        self._tokenizer = self._opened(lambda: library.AutoTokenizer.from_pretrained(self._folder, **LOCAL))
        if (
            upto is not None
            and upto.part == ""
            and isinstance(getattr(self._config, "num_hidden_layers", None), int)
        ):
            _cut(self._config, upto.number + 1)
        else:
            self._check_layers()
        self._model: Any = self._loaded(library)

    def scene(self, spot: Spot, text: str, target: str | None = None) -> Scene:
        """What a layer receives of a text; `target` is the text of the decoder in a model that has one."""
        (scene,) = self._scenes([spot], text, target)
        return scene

    def scenes(self, text: str, target: str | None = None) -> list[Scene]:
        """Of all layers that the texts reach."""
        return self._scenes(self.reached(target), text, target)

    def reached(self, target: str | None = None) -> list[Spot]:
        """The layers that texts reach."""
        return [s for s in self.files.spots if s.part != "vision" and (target or s.part not in TARGETS)]

    def _scenes(self, wanted: Sequence[Spot], text: str, target: str | None) -> list[Scene]:
        model = self._model
        if any(spot.part == "vision" for spot in wanted) or self.files.family.name == "ViT":
            raise CaptureError(f"{self._name}: this layer looks at pictures, and no text reaches it.")
        if any(spot.part == "text" for spot in wanted):  # one of two models that share a file
            model = model.get_submodule("text_model") if hasattr(model, "text_model") else model
        if target is None and any(spot.part in TARGETS for spot in wanted):
            raise CaptureError(
                f"{self._name}: this layer belongs to the decoder; say the text that it reads as well (--target)."
            )
        ids = self._ids(text=text)
        inputs: dict[str, Any] = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        tokens = self._labels(ids)
        targets: tuple[str, ...] = ()
        if all(spot.part == "encoder" for spot in wanted):
            model = self._model.get_encoder()
        elif any(spot.part in (*TARGETS, "encoder") for spot in wanted):
            said = self._target_ids("" if target is None else target)
            inputs["decoder_input_ids"], targets = said, self._labels(said)
        copies = Copies((0,))
        by_place = {(spot.part, spot.number): watch for spot, watch in spots(self._model, copies)}
        watches = [by_place[spot.part, spot.number] for spot in wanted]
        self._run(model, inputs, watches, len(tokens))
        copies.arrived()
        about = f"{self.files.family.name}. X is what the layer received of: {text!r}"
        found = []
        for spot, watch in zip(wanted, watches, strict=True):
            own, other = (targets, tokens) if spot.part in TARGETS else (tokens, ())
            scene = self._scene(watch).replace(tokens=own, title=self._title(spot), notes=about)
            found.append(scene.replace(context_tokens=other) if scene.is_cross else scene)
        return found

    def _title(self, spot: Spot) -> str:
        return f"{self._name} · {f'{spot.part} ' if spot.part else ''}layer {spot.number}"

    def _run(
        self, model: nn.Module, inputs: dict[str, Any], watches: Sequence[ProjectedWatch], count: int
    ) -> None:
        """The forward pass, until each of the layers has been called."""
        with ExitStack() as stack:
            for watch in watches:
                for module, stand_in in watch.stand_ins():
                    stack.enter_context(stood_in(module, stand_in))
            for module in {id(m): m for watch in watches for m in (watch.module,)}.values():
                stack.enter_context(stood_in(module, _until(lambda: all(watch.calls for watch in watches))))
            try:
                with torch.no_grad():
                    model(**inputs)
            except _EnoughError:
                pass
            except (IndexError, RuntimeError, ValueError) as error:
                most = getattr(self._config, "max_position_embeddings", None)
                if isinstance(most, int) and count > most:
                    raise CaptureError(
                        f"{self._name}: the text has {count} tokens; this model takes {most}."
                    ) from None
                raise CaptureError(
                    f"{self._name}: the model cannot compute it: {_first_line(error)}."
                ) from None

    def _scene(self, watch: ProjectedWatch) -> Scene:
        try:
            (item,) = watch.calls[0].items()
            assert item.output is not None  # a model in eval mode
            apart = difference(item.scene, item.output)
        except (CheckpointError, SceneError, ValueError) as error:
            raise CaptureError(f"{self._name}: {watch.name}: {str(error).rstrip('.')}.") from None
        if not is_close(item.scene, apart, item.output):
            raise CaptureError(
                f"{self._name}: {watch.name} computes something that is not known here: its output differs by up to"
                f" {apart:.2g}."
            )
        place = {"module": watch.name, "layer": watch.number, "call": 1, "item": 1, "difference": apart}
        return item.scene.replace(extra={KEY: place})

    def _ids(self, **texts: str) -> torch.Tensor:
        """(1, n): the tokens of a text, with those that the tokenizer puts around it."""
        if not all(text.isascii() or _is_unicode(text) for text in texts.values()):
            raise CaptureError(f"{self._name}: the text holds half of a character (a lone surrogate).")
        ids: torch.Tensor = self._opened(lambda: self._tokenizer(**texts, return_tensors="pt")["input_ids"])
        count = ids.shape[-1]
        if count == 0:
            raise CaptureError(f"{self._name}: the text has no tokens.")
        if count > MOST:
            raise CaptureError(f"{self._name}: the text has {count:,} tokens; at most {MOST:,} are taken.")
        return ids.long()

    def _target_ids(self, text: str) -> torch.Tensor:
        """(1, n): what a decoder reads while it writes the text: its start token, then the text but for its end."""
        start = self._start()
        rest = self._ids(text_target=text)[:, :-1] if text else torch.zeros((1, 0), dtype=torch.long)
        return torch.cat([torch.tensor([[start]]), rest], dim=1)

    def _start(self) -> int:
        """The token that a decoder begins with. Raises CaptureError where the files do not say."""
        sources = [self._config]
        if os.path.isfile(self._folder / "generation_config.json"):
            kind = _library().GenerationConfig
            sources.append(self._opened(lambda: kind.from_pretrained(self._folder, local_files_only=True)))
        for key in ("decoder_start_token_id", "bos_token_id"):
            for source in sources:
                if isinstance(value := getattr(source, key, None), int):
                    return value
        raise CaptureError(
            f"{self._name}: config.json does not say which token the decoder starts with (decoder_start_token_id)."
        )

    def _labels(self, ids: torch.Tensor) -> tuple[str, ...]:
        """The tokens as the tokenizer writes them; how their marks are shown is the window's matter."""
        return tuple(str(token) for token in self._tokenizer.convert_ids_to_tokens(ids[0].tolist()))

    def _check_layers(self) -> None:
        """Raises CaptureError where config.json counts other layers than the files hold: those would be made up."""
        for part in self.files.parts:
            if part == "cross":  # its layers are the decoder's
                continue
            config = getattr(self._config, f"{part or 'text'}_config", self._config)
            keys = ("decoder_layers", "num_decoder_layers") if part == "decoder" else LAYERS
            said = next((count for key in keys if isinstance(count := getattr(config, key, None), int)), None)
            held = len(self.files.spots_of(part))
            if said not in (None, held):
                raise CaptureError(
                    f"{self._name}: config.json counts {said:,} layers; its files hold {held}."
                )

    def _loaded(self, library: Any) -> nn.Module:
        loaded: tuple[nn.Module, dict[str, Any]] = self._opened(
            lambda: library.AutoModel.from_pretrained(
                self._folder,
                config=self._config,
                attn_implementation="eager",
                output_loading_info=True,
                **LOCAL,
            )
        )
        model, found = loaded
        # What the files lack the library makes up, at random. A pooler comes after all layers.
        missing = sorted(name for name in found.get("missing_keys", ()) if "pooler" not in name)
        if missing or found.get("mismatched_keys"):
            what = missing[0] if missing else str(next(iter(found["mismatched_keys"])))
            raise CaptureError(
                f"{self._name}: its files lack {what}, without which the model computes nothing true."
            )
        return model.float().eval()

    def _opened(self, work: Callable[[], Any]) -> Any:
        """What the library makes of the files. It raises whatever it stumbles over."""
        try:
            return work()
        except MemoryError:
            raise
        except BaseException as error:
            # What its tokenizers' Rust code gives up on is no Exception.
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            if "ignore_mismatched_sizes" in str(error):
                raise CaptureError(
                    f"{self._name}: config.json says other sizes than those of its tensors, which transformers cannot"
                    " use."
                ) from None
            raise CaptureError(f"{self._name}: transformers cannot use it: {_first_line(error)}.") from None


class _EnoughError(Exception):
    """The layers have been called; what comes after them is not computed."""


def _until(done: Callable[[], bool]) -> Callable[[Forward], Forward]:
    def stand_in(original: Forward) -> Forward:
        def forward(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if done():
                raise _EnoughError
            return result

        return forward

    return stand_in


def _folder(files: Model) -> Path:
    """Where the model lies, with all that a text needs. Raises CaptureError that says what to put there."""
    path = files.checkpoint.path
    folder = path if os.path.isdir(path) else path.parent
    name = Path(os.path.realpath(folder)).name
    if not os.path.isdir(path) and path.name not in (*INDEXES, *WHOLE, "config.json"):
        raise CaptureError(f"{path.name}: a text goes through the whole model; name its folder.")
    if files.checkpoint.config is None:
        raise CaptureError(f"{name}: a text needs the model's config.json; put it there. Nothing is fetched.")
    if not any(os.path.isfile(folder / file) for file in TOKENIZERS):
        raise CaptureError(
            f"{name}: it has no tokenizer. Put the model's own there, beside config.json: tokenizer.json (or"
            f" {', '.join(TOKENIZERS[1:4])} …) and tokenizer_config.json. Nothing is fetched."
        )
    return folder


def _library() -> Any:
    """transformers, told to stay off the network. Raises CaptureError where it is not installed."""
    os.environ.update(OFFLINE)
    try:
        library = import_module("transformers")
    except ImportError:
        if getattr(sys, "frozen", False):
            raise CaptureError(
                "A text goes through the model with the library transformers, which the standalone program leaves out;"
                ' install the Python package with pip install "attention-explorer[models]".'
            ) from None
        raise CaptureError(
            "A text goes through the model with the library transformers; install it with"
            ' pip install "attention-explorer[models]".'
        ) from None
    library.utils.logging.set_verbosity_error()
    library.utils.logging.disable_progress_bar()
    return library


def _cut(config: Any, layers: int) -> None:
    """A configuration of the first layers alone."""
    config.num_hidden_layers = layers
    kinds = getattr(config, "layer_types", None)
    if isinstance(kinds, list):
        config.layer_types = kinds[:layers]


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _first_line(error: BaseException) -> str:
    """What it says, in one line: the first one, or two where that announces something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if isinstance(error, KeyError) or not lines:
        return f"{type(error).__name__} {' '.join(lines)}".strip()[:300]
    said = " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]
    return said.rstrip(".,:")[:300]
