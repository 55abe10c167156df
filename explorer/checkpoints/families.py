"""The model families that are known."""

from explorer.checkpoints.bart import BART
from explorer.checkpoints.bert import BERT
from explorer.checkpoints.bloom import Bloom
from explorer.checkpoints.clip import CLIP
from explorer.checkpoints.distilbert import DistilBERT
from explorer.checkpoints.family import Family
from explorer.checkpoints.gemma import Gemma
from explorer.checkpoints.gemma3 import Gemma3
from explorer.checkpoints.gpt2 import GPT2
from explorer.checkpoints.llama import Llama
from explorer.checkpoints.nanogpt import NanoGPT
from explorer.checkpoints.neox import NeoX
from explorer.checkpoints.opt import OPT
from explorer.checkpoints.phi3 import Phi3
from explorer.checkpoints.qwen import Qwen
from explorer.checkpoints.qwen3 import Qwen3
from explorer.checkpoints.t5 import T5
from explorer.checkpoints.timm_vit import TimmViT
from explorer.checkpoints.torch_mha import TorchMHA
from explorer.checkpoints.vit import ViT

FAMILIES: tuple[Family, ...] = (
    GPT2(), NanoGPT(), BERT(), DistilBERT(), ViT(), TimmViT(), TorchMHA(), CLIP(), OPT(), BART(), T5(),
    Llama(), Qwen(), Qwen3(), Gemma(), Gemma3(), Phi3(), NeoX(), Bloom(),
)  # fmt: skip
