"""What a pickle would run, found out without running it."""

import pickletools
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from explorer.files.tensors import TensorError
from explorer.scene import brief

MAX_BYTES = 4 * 1024 * 1024  # a state dict of 20,000 tensors

# what torch.save writes for tensors and for the dicts and lists around them
_NAMES = {
    "collections.OrderedDict",
    "torch.Size",
    "torch.device",
    "torch.storage.UntypedStorage",
    "torch.nn.parameter.Parameter",
    "torch.serialization._get_layout",
    "torch._tensor._rebuild_from_type_v2",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_sparse_tensor",
}
_KINDS = ("float", "bfloat", "int", "uint", "bool", "complex", "quint", "qint")


def check(pickles: bytes, count: int, largest: int) -> None:
    """Raises TensorError unless `count` pickles in a row hold tensors alone, and no number past `largest`.

    A larger number would be the size of something that the file does not have.
    """
    stream = BytesIO(pickles)
    for number in range(count):
        for name, argument in _operations(stream):
            if name == "STACK_GLOBAL" or (name in ("GLOBAL", "INST") and not _is_known(argument)):
                told = brief(str(argument).replace(" ", "."), 60) if argument else "something"
                raise TensorError(f"it holds {told}, and only tensors are read from such a file")
            if name == "PROTO" and argument != 2:  # what torch writes; its reader warns of any other
                raise TensorError("it is no whole torch file")
            # the first three of five are a magic number and notes on the machine
            if type(argument) is int and argument > largest and (count == 1 or number >= 3):
                raise TensorError(f"it claims {argument:,} numbers, which it does not hold")


def _operations(stream: BytesIO) -> Iterator[tuple[str, Any]]:
    try:
        for operation, argument, _ in pickletools.genops(stream):
            yield operation.name, argument
    except (ValueError, EOFError, OverflowError, MemoryError, AttributeError):
        raise TensorError("it is no whole torch file") from None


def _is_known(argument: Any) -> bool:
    name = str(argument).replace(" ", ".")
    if name in _NAMES:
        return True
    library, _, last = name.partition(".")
    is_kind = last.startswith(_KINDS) or (last.endswith("Storage") and last.isalnum())
    return library == "torch" and is_kind and "." not in last
