"""Does what we say of Python's functions and classes equal what Python's own ``ast`` says?

    python benchmarks/details_oracle_python.py TREE [TREE ...] [--misses FILE]

Every ``.py`` file below each TREE that this interpreter can parse; the others are counted and named among the misses. A function is
equal when its parameters (kind, name, annotation, default, in order), result, decorators, ``async`` and docstring are; a class when
its bases, decorators and docstring are. Expressions are compared as ``ast.unparse`` writes them, docstrings up to whitespace. Exit
status 1 below 99 %.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from details_oracle_tally import LONGEST, Entry, Tally, arguments_of, entries_of, finished
from hardtack.model import Parameter

MARK = 0.99

Function = ast.FunctionDef | ast.AsyncFunctionDef
Stated = tuple[str, str, str]
"""Name with its stars, annotation, default."""


def main() -> int:
    """The exit status."""
    arguments = arguments_of(__doc__ or "", "TREE")
    warnings.simplefilter("ignore")
    return finished([tally_of(tree) for tree in arguments.trees], arguments.misses, MARK)


def tally_of(tree: Path) -> Tally:
    """Every function and class below ``tree``."""
    tally = Tally(str(tree))
    unread = 0
    for path in sorted(tree.rglob("*.py")):
        text = path.read_bytes()
        try:
            source = text.decode("utf-8-sig")
            module = ast.parse(text)
        except (SyntaxError, ValueError) as fault:
            unread += 1
            tally.misses.append(f"{path}\tnot read\t{type(fault).__name__}\t-")
            continue
        entries = entries_of(path, text)
        for node in ast.walk(module):
            if isinstance(node, Function | ast.ClassDef):
                group = "classes" if isinstance(node, ast.ClassDef) else "functions"
                ours = entries.get((node.name, node.lineno), ())
                theirs = _class(node, source) if isinstance(node, ast.ClassDef) else _function(node, source)
                said = _ours(ours[0], theirs) if ours else None
                tally.compare(group, f"{path.relative_to(tree)}:{node.lineno}:{node.name}", theirs, said)
    tally.title += f" ({unread} files not read)"
    return tally


def _function(node: Function, source: str) -> dict[str, object]:
    return {
        "parameters": _parameters(node.args, source),
        "result": [_text(node.returns, source)] if node.returns else [],
        "decorators": [_decorator(decorator, source) for decorator in node.decorator_list],
        "async": isinstance(node, ast.AsyncFunctionDef),
        **_docstring(node),
    }


def _class(node: ast.ClassDef, source: str) -> dict[str, object]:
    return {
        "bases": [_text(base, source) for base in node.bases],
        "decorators": [_decorator(decorator, source) for decorator in node.decorator_list],
        **_docstring(node),
    }


def _docstring(node: Function | ast.ClassDef) -> dict[str, object]:
    """Where there is none, ours is the comment above, of which ``ast`` knows nothing."""
    docstring = ast.get_docstring(node)
    return {"docstring": docstring} if docstring else {}


def _parameters(arguments: ast.arguments, source: str) -> list[Stated]:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    stated = [_parameter(node, default, source) for node, default in zip(positional, defaults, strict=True)]
    if arguments.posonlyargs:
        stated.insert(len(arguments.posonlyargs), ("/", "", ""))
    if arguments.vararg:
        stated.append(_parameter(arguments.vararg, None, source, stars="*"))
    elif arguments.kwonlyargs:
        stated.append(("*", "", ""))
    stated += [_parameter(*pair, source) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if arguments.kwarg:
        stated.append(_parameter(arguments.kwarg, None, source, stars="**"))
    return stated


def _parameter(node: ast.arg, default: ast.expr | None, source: str, *, stars: str = "") -> Stated:
    return stars + node.arg, _text(node.annotation, source), _text(default, source)


def _text(node: ast.expr | None, source: str) -> str:
    """The expression as ``ast.unparse`` writes it; one that we would cut stays as it is written, so that its beginning compares."""
    if node is None:
        return ""
    written = ast.get_source_segment(source, node) if (node.end_lineno or 0) > node.lineno or _is_long(node) else None
    return written if written and len(" ".join(written.split())) > LONGEST - 2 else ast.unparse(node)


def _decorator(node: ast.expr, source: str) -> str:
    return f"@{_text(node, source)}"


def _is_long(node: ast.expr) -> bool:
    return (node.end_col_offset or 0) - node.col_offset > LONGEST - 2


def _ours(entry: Entry, theirs: dict[str, object]) -> dict[str, object]:
    symbol, detail = entry
    everything: dict[str, object] = {
        "parameters": _written(detail.parameters, symbol.doc, theirs.get("parameters", [])),
        "result": [_plain(result.type) for result in detail.returns if result.source_hint == "type_hint"],
        "decorators": [_plain(decorator) for decorator in detail.decorators],
        "async": "async" in detail.modifiers,
        "bases": [_plain(base.name) for base in detail.supertypes],
        "docstring": symbol.doc,
    }
    return {aspect: everything[aspect] for aspect in theirs}


def _written(parameters: Sequence[Parameter], doc: str, theirs: object) -> list[Stated]:
    """Our parameters as the syntax has them: a type that only the docstring declares is not compared with an annotation."""
    assert isinstance(theirs, list)
    words = " ".join(doc.split())
    stated: list[Stated] = []
    for index, parameter in enumerate(parameters):
        is_documented = index < len(theirs) and not theirs[index][1] and parameter.type in words
        name = "".join(parameter.name.split())
        stated.append((name, "" if is_documented else _plain(parameter.type), _plain(parameter.default)))
    return stated


def _plain(text: str) -> str:
    """Our text of an expression as ``ast.unparse`` writes it, where it is one."""
    if len(text) == LONGEST and text.endswith("..."):
        return text
    mark = "@" if text.startswith("@") else ""
    try:
        return mark + ast.unparse(ast.parse(text.removeprefix("@"), mode="eval"))
    except SyntaxError:
        return text


if __name__ == "__main__":
    sys.exit(main())
