"""A symbol in, why it is an entry point out: who runs the program reaches it without a caller in the source.

By name (``main``), by a decorator or annotation of the usual web and command frameworks, or by a fact that the build found (a route
of Laravel). It is a convention: an entry point that none of these tells is not recognised.
"""

from __future__ import annotations

import re
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, Tag

_MAINS: Final = frozenset({"go", "c", "cpp", "rust", "java", "kotlin", "csharp", "swift", "dart", "zig", "scala", "objc"})
_MARKS: Final = (
    (
        "route",
        re.compile(
            r"[@\[(]*(?:[\w.]+\.(?:route|get|post|put|patch|delete|websocket|api_route|add_api_route)\s*\(|"
            r"(?:route|api_view|RequestMapping|GetMapping|PostMapping|PutMapping|PatchMapping|DeleteMapping|HttpGet|HttpPost|HttpPut|"
            r"HttpDelete|HttpPatch|Route|Path|GET|POST|PUT|DELETE|PATCH)\b)"
        ),
    ),
    ("command", re.compile(r"[@\[(]*(?:[\w.]+\.)?(?:command|group)\s*(?:\(|$)")),
    (
        "task",
        re.compile(
            r"[@\[(]*(?:[\w.]+\.)?(?:task|shared_task|periodic_task|actor|Scheduled|KafkaListener|RabbitListener|JmsListener|EventListener|"
            r"receiver)\b"
        ),
    ),
)


def entry_of(bundle: Bundle, symbol: int) -> str:
    """``main``, ``route``, ``command`` or ``task``; empty for what is none."""
    if Tag.LARAVEL_ROUTE in bundle.tags_of(symbol):
        return "route"
    name = bundle.symbol_name(symbol)
    if name.kind not in FUNCTIONS:
        return ""
    language = bundle.file(bundle.symbol(symbol).file).language
    if name.name == ("Main" if language == "csharp" else "main") and language in _MAINS:
        return "main"
    decorators = bundle.detail(symbol).decorators
    return next((entry for entry, mark in _MARKS if any(map(mark.match, decorators))), "")
