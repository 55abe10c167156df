"""PyInstaller's view of torch, in place of the one that comes with it, which takes every module and file there is.

Modules are those that imports lead to; shared libraries are torch's own.
"""

from pathlib import Path

from PyInstaller.utils.hooks import PY_DYLIB_PATTERNS, collect_dynamic_libs, get_package_paths

# torch reads its own source when it is imported (torch.utils._config_module)
module_collection_mode = "pyz+py"
binaries = collect_dynamic_libs("torch", search_patterns=[*PY_DYLIB_PATTERNS, "*.so.*"])
# torch looks for it when it is imported, and never calls it here
manager = Path(get_package_paths("torch")[1], "bin", "torch_shm_manager")
binaries += [(str(manager), "torch/bin")] if manager.is_file() else []
# Beside the extensions, not linked from above them: there torch looks for its own libraries.
bindepend_symlink_suppression = ["**/torch/lib/*.so*"]
