"""What torch's own attention cannot express: each reason is the end of a sentence, empty where it can."""

from explorer.attention.trace import Trace
from explorer.scene import Scene


def sdpa_reason(scene: Scene) -> str:
    """Why F.scaled_dot_product_attention cannot express the scene, whatever its numbers."""
    return "it has no softcap" if scene.softcap is not None else ""


def mha_reason(scene: Scene) -> str:
    """Why nn.MultiheadAttention cannot express the scene, whatever its numbers."""
    if scene.groups != scene.heads:
        return "it has no grouped K/V heads"
    if scene.heads * scene.d_k != scene.d_model:
        return f"it needs H·d_k = d_model, here {scene.heads}·{scene.d_k} and {scene.d_model}"
    if scene.d_v != scene.d_k:
        return f"it needs d_v = d_k, here {scene.d_v} and {scene.d_k}"
    if scene.d_out != scene.d_model:
        return f"it needs d_out = d_model, here {scene.d_out} and {scene.d_model}"
    if scene.q_norm is not None or scene.k_norm is not None:
        return "it has no norm of queries and keys"
    if scene.scale != "sqrt_dk":
        return "it always divides by √d_k"
    if scene.softcap is not None:
        return "it has no softcap"
    if scene.position.kind in ("rotary", "alibi", "relative"):
        return f"it has no {scene.position.kind} position"
    return ""


def fill_reason(trace: Trace) -> str:
    """A finite fill replaces a score; torch adds or hides. Without weight on hidden keys that is the same."""
    if trace.scene.mask_fill != float("-inf") and (trace.weights[:, ~trace.visible] != 0).any():
        return "a finite fill gives hidden keys weight, and it can only hide them"
    return ""
