"""Lua names: scope ``Crate:lids`` -> ``Crate.lids``, ``crates['north'][1]`` -> ``crates.north.1``."""

from __future__ import annotations

import re

_KEY = re.compile(r"""\[(?:"([^"]*)"|'([^']*)'|([^\]]*))\]""")


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name unchanged, the scope with dots alone."""
    return name, _KEY.sub(r".\1\2\3", scope).replace(":", ".")
