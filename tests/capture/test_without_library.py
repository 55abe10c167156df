"""Without the extra `models`, a text is answered with how to get it."""

import subprocess
import sys
from pathlib import Path

from torch import nn

ASK = """
import sys
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("transformers", "PySide6"):
            raise ImportError(name)
sys.meta_path.insert(0, Refused())
{frozen}
from explorer.cli import main
sys.exit(main(["import", sys.argv[1], "--layer", "0", "--text", "a", "-o", sys.argv[2]]))
"""


def test_it_says_where_the_library_comes_from(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    prefix = "encoder.layer.0.attention."
    names = [f"self.{name}" for name in ("query", "key", "value")] + ["output.dense"]
    tensors = {}
    for name in names:
        linear = nn.Linear(8, 8)
        tensors |= {f"{prefix}{name}.{key}": value for key, value in linear.state_dict().items()}
    save_file(tensors, tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text('{"model_type": "bert", "num_attention_heads": 2}')
    (tmp_path / "tokenizer.json").write_text("{}")
    for frozen, sentence in (
        ("", "the library transformers; install it with"),
        ("sys.frozen = True", "standalone"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", ASK.format(frozen=frozen), str(tmp_path), str(tmp_path / "out.attn.json")],
            cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 2
        assert sentence in done.stderr and 'pip install "attention-explorer[models]"' in done.stderr
        assert len(done.stderr.splitlines()) == 1
