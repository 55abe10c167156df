"""Large libraries, loaded when they are first asked for."""

import ctypes
import gc
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType


def load(name: str) -> ModuleType:
    """A module that brings one.

    The garbage collector does not look at what comes meanwhile (torch alone makes a quarter of a million objects),
    which halves the time of an import, nor later, where each time it would hold up the window for a fifth of a second.
    """
    if not gc.isenabled():  # another thread is at it
        return import_module(name)
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()


def open_torch() -> None:
    """Have the system load torch's libraries: 0.2 s, for which its import would hold up all threads of Python.

    What is called in C holds up none, but those that have a library loaded themselves, as the window does for
    `unicodedata`: that comes first. What cannot be opened is left to the import, which says why; so is all on Windows,
    where torch itself does likewise.
    """
    import_module("unicodedata")
    spec = find_spec("torch")
    if sys.platform == "win32" or spec is None or spec.origin is None:
        return
    folder, suffix = Path(spec.origin).parent / "lib", "dylib" if sys.platform == "darwin" else "so"
    dlopen = ctypes.CDLL(None).dlopen
    dlopen.argtypes, dlopen.restype = (ctypes.c_char_p, ctypes.c_int), ctypes.c_void_p
    for name, scope in (("torch_global_deps", os.RTLD_GLOBAL), ("torch_python", os.RTLD_LOCAL)):
        dlopen(os.fsencode(folder / f"lib{name}.{suffix}"), os.RTLD_NOW | scope)
