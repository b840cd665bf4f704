"""Imports the MCP SDK without the parts that a server does not need, because an agent waits for every import of a server.

Two things take much of the SDK's import time, and a server over standard input and output needs little of either. ``mcp`` and
``mcp.server`` re-export a client, its HTTP library and a second kind of server; and hundreds of message models build their
validators at import, of which a session uses a few. So both packages are put into ``sys.modules`` without running their
``__init__``, which runs when code first asks for a name of theirs; and a setting of pydantic's builds validators on first use.
Nothing of the SDK is replaced.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

_PACKAGES: Final = ("mcp", "mcp.server")


class _LazyPackage(ModuleType):
    """A package whose ``__init__`` runs when a name of it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or self.__spec__ is None or self.__spec__.loader is None:
            raise AttributeError(name)
        object.__setattr__(self, "__class__", ModuleType)
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


@contextmanager
def imported_lightly() -> Iterator[None]:
    """Import the SDK, and what imports it, within this context.

    Raises:
        ModuleNotFoundError: the SDK is not installed.
    """
    gc.disable()  # collecting takes a seventh of the import time and frees nothing, as modules stay
    for name in _PACKAGES:
        _register_lazily(name)
    from pydantic import BaseModel

    BaseModel.model_config["defer_build"] = True
    try:
        yield
    finally:
        del BaseModel.model_config["defer_build"]
        gc.freeze()
        gc.enable()


def _register_lazily(name: str) -> None:
    """Put a package into ``sys.modules`` without running it, unless it is imported already."""
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    package = _LazyPackage(name)
    package.__spec__, package.__path__, package.__file__ = spec, spec.submodule_search_locations, spec.origin
    sys.modules[name] = package
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, package)
