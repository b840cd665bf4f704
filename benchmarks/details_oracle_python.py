"""Compares what a bundle says of Python's functions and classes with what Python's ``ast`` says.

    python benchmarks/details_oracle_python.py TREE [TREE ...] [--misses FILE]

Every ``.py`` file below each TREE that this interpreter can parse; the others are counted and named among the misses. A function is
equal when its parameters (kind, name, annotation, default, in order), result, decorators, ``async``, ``static`` and docstring are;
a class when its bases, decorators, docstring, the fields of its body (name, annotation) and the attributes that assignments to
``self`` give its instances (name, annotation) are. Expressions are compared as ``ast.unparse`` writes them, docstrings up to their
margin. Exit status 1 below 99 %.
"""

from __future__ import annotations

import ast
import sys
import tokenize
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from details_oracle_tally import LONGEST, Entry, Tally, arguments_of, entries_of, finished
from hardtack.nouns.details import Detail, Parameter
from hardtack.nouns.model import Kind
from hardtack.nouns.outline import Symbol

MARK = 0.99

_FIELDS = frozenset({Kind.FIELD, Kind.CONSTANT, Kind.VARIABLE, Kind.ENUM_MEMBER})

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
                said = _ours(ours[0], theirs, entries) if ours else None
                tally.compare(group, f"{path.relative_to(tree)}:{node.lineno}:{node.name}", theirs, said)
    tally.title += f" ({unread} files not read)"
    return tally


def _function(node: Function, source: str) -> dict[str, object]:
    return {
        "parameters": _parameters(node.args, source),
        "result": [_text(node.returns, source)] if node.returns else [],
        "decorators": [_decorator(decorator, source) for decorator in node.decorator_list],
        "async": isinstance(node, ast.AsyncFunctionDef),
        "static": any(isinstance(each, ast.Name) and each.id in ("staticmethod", "classmethod") for each in node.decorator_list),
        **_docstring(node),
    }


def _class(node: ast.ClassDef, source: str) -> dict[str, object]:
    return {
        "bases": [_text(base, source) for base in node.bases],
        "decorators": [_decorator(decorator, source) for decorator in node.decorator_list],
        "fields": sorted({(name, type_) for name, type_ in _fields(node.body, source)}),
        "attributes": sorted(_attributes(node, source).items()),
        **_docstring(node),
    }


def _fields(body: Sequence[ast.stmt], source: str) -> Iterator[tuple[str, str]]:
    """What a class's body assigns or annotates, with the annotation."""
    for statement in body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, _text(statement.annotation, source)
        elif isinstance(statement, ast.Assign) and not isinstance(statement.value, ast.Lambda):
            names = (name for target in statement.targets for name in ast.walk(target) if isinstance(name, ast.Name))
            yield from ((name.id, "") for name in names if isinstance(name.ctx, ast.Store))


def _attributes(node: ast.ClassDef, source: str) -> dict[str, str]:
    """What assignments in a class's functions, but for those of classes inside, give ``self``, with the first annotation.

    Names that the class's body defines are left out; those in ``__slots__`` are in.
    """
    found: dict[str, str] = {}
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        inner = waiting.pop(0)
        if isinstance(inner, ast.ClassDef):
            continue
        waiting[:0] = ast.iter_child_nodes(inner)
        if isinstance(inner, ast.AnnAssign):
            _add(found, inner.target, _text(inner.annotation, source))
        elif isinstance(inner, ast.Assign):
            for target in inner.targets:
                _add(found, target, "")
                if inner in node.body and isinstance(target, ast.Name) and target.id == "__slots__":
                    found |= dict.fromkeys(_texts(inner.value), "")
    defined = {name for name, _ in _fields(node.body, source)}
    defined |= {each.name for each in node.body if isinstance(each, Function | ast.ClassDef)}
    return {name: type_ for name, type_ in found.items() if name not in defined}


def _texts(node: ast.expr) -> list[str]:
    """The texts of a literal list, or the one text."""
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return [each.value for each in items if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def _add(found: dict[str, str], target: ast.expr, type_: str) -> None:
    if isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            _add(found, each, type_)
    elif isinstance(target, ast.Starred):
        _add(found, target.value, type_)
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
        found[target.attr] = found.get(target.attr) or type_


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
    written = _uncommented(written) if written and "#" in written else written
    return written if written and len(" ".join(written.split())) > LONGEST - 2 else ast.unparse(node)


def _uncommented(source: str) -> str:
    """An expression without comments."""
    lines = f"({source}\n)".splitlines(keepends=True)
    for token in tokenize.generate_tokens(iter(list(lines)).__next__):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column] + "\n"
    return "".join(lines)[1:-1].strip()


def _decorator(node: ast.expr, source: str) -> str:
    return f"@{_text(node, source)}"


def _is_long(node: ast.expr) -> bool:
    return (node.end_col_offset or 0) - node.col_offset > LONGEST - 2


def _ours(entry: Entry, theirs: dict[str, object], entries: Mapping[tuple[str, int], Sequence[Entry]]) -> dict[str, object]:
    symbol, detail = entry
    everything: dict[str, object] = {
        "parameters": _written(detail.parameters),
        "result": [_plain(result.type) for result in detail.returns if result.source_hint == "type_hint"],
        "decorators": [_plain(decorator) for decorator in detail.decorators],
        "async": "async" in detail.modifiers,
        "static": "static" in detail.modifiers,
        "fields": sorted({field for each in entries.values() for field in _fields_of(symbol, each)}) if "fields" in theirs else [],
        "attributes": _given(detail, theirs.get("attributes", [])),
        "bases": [_plain(base.name) for base in detail.supertypes],
        "docstring": symbol.doc,
    }
    return {aspect: everything[aspect] for aspect in theirs}


def _fields_of(owner: Symbol, entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Those of our symbols that are fields of the class."""
    for symbol, detail in entries:
        is_inside = owner.span.start <= symbol.span.start < owner.span.end
        if is_inside and symbol.kind in _FIELDS and symbol.qualified_name == f"{owner.qualified_name}.{symbol.name}":
            yield symbol.name, "" if detail.type_source else _plain(detail.type)


def _given(detail: Detail, theirs: object) -> list[tuple[str, str]]:
    """Our attributes without those of which only the docstring knows."""
    assert isinstance(theirs, list)
    names = {name for name, _ in theirs}
    stated = (each for each in detail.attributes if each.name in names or not (each.description or each.source_hint == "phpdoc"))
    return sorted((each.name, "" if each.source_hint else _plain(each.type)) for each in stated)


def _written(parameters: Sequence[Parameter]) -> list[Stated]:
    """Our parameters as the syntax has them: a type that only the docstring declares is no annotation."""
    return [
        ("".join(each.name.split()), "" if each.source_hint else _plain(each.type), _plain(each.default)) for each in parameters
    ]


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
