"""What the executable leaves out of the libraries it is made with, and why. Used by the spec and by the tests.

PyInstaller follows imports, and links of shared libraries; this takes away what that brings too much. What is gone
is proven unneeded twice: tests/test_packaging.py runs the program with these modules forbidden, and the smoke test
has the built program do all that it can do.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

Entry = tuple[str, str, str]  # a line of PyInstaller's tables: name in the executable, source, kind

# Modules, each with everything below it.
LEFT_OUT = {
    # torch's compiler and what it alone needs; no_compiler.py stands in for torch._dynamo
    "torch._dynamo", "torch._inductor", "torch.onnx", "functorch", "triton", "pygments", "rich", "markdown_it",
    "sympy", "mpmath", "networkx", "jinja2", "markupsafe", "fsspec", "filelock",
    # torch on many machines and on other hardware; its test benches
    "torch.distributed.elastic", "torch.distributed.pipelining", "torch.distributed.checkpoint",
    "torch.distributed.fsdp", "torch.utils.benchmark", "torch.utils.bottleneck", "torch.utils.tensorboard",
    "torch.testing._internal.common_utils", "torch.testing._internal.opinfo",
    # of pyqtgraph we use the plots; what of Qt it would like to have, it does without
    "pyqtgraph.examples", "pyqtgraph.opengl", "pyqtgraph.canvas", "pyqtgraph.jupyter", "pyqtgraph.console",
    "PySide6.QtNetwork", "PySide6.QtTest",
    "OpenGL", "cupy", "numba", "h5py", "matplotlib", "scipy", "pandas", "PIL", "IPython",
    # the extra "models": who reads models into sessions has Python
    "transformers", "tokenizers", "huggingface_hub", "accelerate", "tqdm", "yaml", "regex", "requests", "httpx",
    # of Python and numpy; no network, so no cryptography either
    "ssl", "_ssl", "_hashlib", "sqlite3", "readline", "curses", "tkinter", "turtle", "idlelib", "lib2to3",
    "pydoc_data", "ensurepip", "distutils", "numpy.f2py", "numpy.distutils",
    # what happens to be in the environment that builds
    "setuptools", "pkg_resources", "pip", "wheel", "pytest", "_pytest", "hypothesis", "mypy",
    "PyQt5", "PyQt6", "PySide2",
}  # fmt: skip

# Qt's plugins that stay, by their folder; an empty set keeps all of a folder.
QT_PLUGINS: dict[str, set[str]] = {
    "platforms": {"qxcb", "qwayland", "qoffscreen", "qwindows", "qcocoa"},
    "imageformats": {"qsvg", "qico", "qicns", "qjpeg", "qgif"},
    "iconengines": {"qsvgicon"},
    "platforminputcontexts": {"composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"},
    "platformthemes": {"qxdgdesktopportal"},  # not gtk3: GTK must be the system's own, and whole
    "wayland-shell-integration": {"xdg-shell"},
    "wayland-decoration-client": set(),
    "printsupport": set(),
    "styles": set(),
}
QT_TRANSLATIONS = {"qtbase_zh_CN"}  # Qt's own texts, such as Cancel; English needs none

# Other files, by their name in the executable. torch insists on torch_shm_manager when it is imported.
UNUSED_FILES = re.compile(
    r"""
      torch/(test|include|share)/ | torch/bin/(?!torch_shm_manager)
    | torch/lib/lib(jitbackend_test|torchbind_test|backend_with_compiler|aoti_custom_ops)\b
    | torch/lib/libshm_windows/ | torch/.*\.(h|hpp|cuh|cpp|cu|cmake|lib|a)$ | torchgen/packaged/
    | pyqtgraph/(?!colors/)
    | (.*/)?(opengl32sw|Qt6Pdf|d3dcompiler_\d+)\.dll$
    | explorer/resources/.*(README\.md|\.ts)$
    | .*\.dist-info/(?!METADATA$) | .*\.pyi$ | .*/tests?/
    """,
    re.VERBOSE,
)
# Shared libraries that something else loads by name: they stay although nothing that stays is linked to them.
LOADED_BY_NAME = re.compile(r"torch/(lib|bin)/|(.*/)?(lib)?python3|(.*/)?(vcruntime|msvcp|ucrtbase)")
# Qt's plugins whose own needs the system meets, or there is nothing for them to do: printers belong to the system.
LEFT_TO_THE_SYSTEM = {"printsupport"}


def keeps_module(name: str) -> bool:
    """Whether a module goes into the executable."""
    parts = name.split(".")
    return not any(".".join(parts[:end]) in LEFT_OUT for end in range(1, len(parts) + 1))


def keeps_file(name: str) -> bool:
    """Whether a file (a library, data) of this name inside the executable goes into it."""
    path = PurePosixPath(name.replace("\\", "/"))
    stem = path.name.partition(".")[0].removeprefix("lib")
    if "PySide6" in path.parts and "plugins" in path.parts:
        plugins = QT_PLUGINS.get(path.parent.name)
        return plugins is not None and (not plugins or stem in plugins)
    if "PySide6" in path.parts and path.suffix == ".qm":
        return path.stem in QT_TRANSLATIONS
    if path.suffix == ".py" and not keeps_module(".".join(path.with_suffix("").parts)):
        return False  # a source beside the module
    return UNUSED_FILES.match(str(path)) is None


def kept(entries: Iterable[Entry]) -> list[Entry]:
    """The entries whose file is kept."""
    return [entry for entry in entries if keeps_file(entry[0])]


def is_wanted_link(entry: Entry, there: set[str]) -> bool:
    """Whether a symbolic link to a library is kept: not without its target, and none that misleads Qt.

    Qt finds its translations from the place that its library was loaded from; the libraries find one another without.
    """
    return entry[1] in there and "PySide6/Qt/lib/" not in entry[1]


def linked(entries: list[Entry], links: Callable[[str], Iterable[str]]) -> list[Entry]:
    """The entries without the shared libraries that nothing is linked to.

    What was left out leaves such libraries behind. `links` names the libraries that a file needs.
    """
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        by_name.setdefault(_base(entry[0]), []).append(entry)
    waiting = [entry for entry in entries if _is_root(entry)]
    found = set(waiting)
    while waiting:
        name, source, kind = waiting.pop()
        if PurePosixPath(name.replace("\\", "/")).parent.name in LEFT_TO_THE_SYSTEM:
            continue
        names = [source] if kind == "SYMLINK" else links(source)
        for entry in (entry for name in names for entry in by_name.get(_base(name), [])):
            if entry not in found:
                found.add(entry)
                waiting.append(entry)
    return [entry for entry in entries if entry in found]


def _is_root(entry: Entry) -> bool:
    """A Python extension, a plugin of Qt, or what else is loaded by its name."""
    name, _source, kind = entry
    path = name.replace("\\", "/")
    return kind == "EXTENSION" or "/plugins/" in path or LOADED_BY_NAME.match(path) is not None


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].lower()
