"""Large libraries, loaded when they are first asked for."""

import ast
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec, module_from_spec
from types import ModuleType


def load(name: str) -> ModuleType:
    """A module that brings one: torch alone makes a quarter of a million objects, and they stay."""
    with _not_looked_at():
        return import_module(name)


def load_in_steps(name: str) -> Iterator[None]:
    """Likewise a package that imports much, with the chance to do something else after each statement that it begins
    with. At once where its source is not there.
    """
    spec = None if name in sys.modules else find_spec(name)
    loader = None if spec is None else spec.loader
    source = loader.get_source(name) if isinstance(loader, InspectLoader) else None
    if spec is None or source is None:
        load(name)
        yield
        return
    module = sys.modules[name] = module_from_spec(spec)
    try:
        for statement in ast.parse(source).body:
            code = compile(ast.Module([statement], []), spec.origin or name, "exec")
            with _not_looked_at():
                exec(code, module.__dict__)  # as an import does with all of them
            yield
    except BaseException:
        sys.modules.pop(name, None)
        raise


@contextmanager
def _not_looked_at() -> Iterator[None]:
    """The garbage collector does not look at what comes meanwhile, which halves the time of an import, nor later, where
    each time it would hold up the window for a fifth of a second.
    """
    if not gc.isenabled():  # another thread is at it
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
