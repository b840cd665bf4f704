"""Compares what a bundle says of PHP's declarations with what php-ast says.

    python benchmarks/details_oracle_php.py TREE [TREE ...] [--misses FILE]

Needs ``php`` with the ``ast`` extension (Debian: php-cli, php-ast). Every ``.php`` file below each TREE; files that PHP rejects are
named among the misses. Compared are all classes, interfaces, traits and enums with their supertypes and modifiers, all functions
and methods with visibility, modifiers, result and parameters (name with ``&`` and ``...``, type, whether there is a default), and
all properties, promoted ones too, class constants and cases. Type names are compared in any case, as PHP takes them. Exit status 1
when a kind falls below 99 %.
"""

from __future__ import annotations

import sys
from typing import Any

from details_oracle_tally import Entry, arguments_of, finished, tally_of

MARK = 0.99

PROGRAM = r"""
use ast\flags as F;
const BUILT_IN = [
    F\TYPE_ARRAY => 'array', F\TYPE_CALLABLE => 'callable', F\TYPE_ITERABLE => 'iterable', F\TYPE_OBJECT => 'object',
    F\TYPE_VOID => 'void', F\TYPE_NULL => 'null', F\TYPE_FALSE => 'false', F\TYPE_TRUE => 'true', F\TYPE_BOOL => 'bool',
    F\TYPE_LONG => 'int', F\TYPE_DOUBLE => 'float', F\TYPE_STRING => 'string', F\TYPE_STATIC => 'static',
    F\TYPE_MIXED => 'mixed', F\TYPE_NEVER => 'never',
];
const PREFIXES = [F\NAME_FQ => '\\', F\NAME_NOT_FQ => '', F\NAME_RELATIVE => 'namespace\\'];
const MODIFIERS = [
    'abstract' => F\MODIFIER_ABSTRACT, 'final' => F\MODIFIER_FINAL,
    'readonly' => F\MODIFIER_READONLY, 'static' => F\MODIFIER_STATIC,
];
const PROMOTES = F\PARAM_MODIFIER_PUBLIC | F\PARAM_MODIFIER_PROTECTED | F\PARAM_MODIFIER_PRIVATE | F\MODIFIER_READONLY;

function type($node): string {
    if ($node === null) return '';
    return match ($node->kind) {
        ast\AST_TYPE => BUILT_IN[$node->flags],
        ast\AST_NAME => PREFIXES[$node->flags] . $node->children['name'],
        ast\AST_NULLABLE_TYPE => '?' . type($node->children['type']),
        ast\AST_TYPE_UNION => implode('|', array_map(part(...), $node->children)),
        ast\AST_TYPE_INTERSECTION => implode('&', array_map(type(...), $node->children)),
    };
}

function part($node): string {
    return $node->kind === ast\AST_TYPE_INTERSECTION ? '(' . type($node) . ')' : type($node);
}

function names($list): array {
    return array_map(type(...), $list === null ? [] : $list->children);
}

function modifiers(int $flags): array {
    return array_keys(array_filter(MODIFIERS, fn($flag) => $flags & $flag));
}

function visibility(int $flags): string {
    return $flags & F\MODIFIER_PRIVATE ? 'private' : ($flags & F\MODIFIER_PROTECTED ? 'protected' : 'public');
}

function emit(string $group, int $line, string $name, array $facts): void {
    global $path;
    echo json_encode(['path' => $path, 'line' => $line, 'name' => $name, 'group' => $group, 'facts' => $facts]), "\n";
}

function callable_facts($node): array {
    $parameters = [];
    foreach ($node->children['params']->children as $each) {
        $marks = ($each->flags & F\PARAM_REF ? '&' : '') . ($each->flags & F\PARAM_VARIADIC ? '...' : '');
        $has_default = $each->children['default'] !== null;
        $parameters[] = [$marks . '$' . $each->children['name'], type($each->children['type']), $has_default];
    }
    return ['parameters' => $parameters, 'result' => type($node->children['returnType'])];
}

function visit_class($node): void {
    $children = $node->children;
    $owner = $node->flags & F\CLASS_ANONYMOUS ? [] : ['owner' => $children['name']];
    $uses = [];
    foreach ($children['stmts']->children as $each) {
        if ($each->kind === ast\AST_USE_TRAIT) $uses = [...$uses, ...names($each->children['traits'])];
        else visit_member($each, $owner, (bool) ($node->flags & F\CLASS_INTERFACE));
    }
    if (!$owner) return;
    $is_interface = (bool) ($node->flags & F\CLASS_INTERFACE);
    $extends = $children['extends'] === null ? [] : [type($children['extends'])];
    $facts = ['extends' => $is_interface ? names($children['implements']) : $extends, 'uses' => $uses];
    if (!$is_interface) $facts['implements'] = names($children['implements']);
    if ($node->flags & F\CLASS_ENUM) emit('enums', $node->lineno, $children['name'], $facts + ['type' => type($children['type'])]);
    elseif ($is_interface) emit('interfaces', $node->lineno, $children['name'], $facts);
    elseif ($node->flags & F\CLASS_TRAIT) emit('traits', $node->lineno, $children['name'], $facts);
    else {
        $words = ['abstract' => F\CLASS_ABSTRACT, 'final' => F\CLASS_FINAL];
        if (defined('ast\flags\CLASS_READONLY')) $words['readonly'] = F\CLASS_READONLY;
        $stated = array_keys(array_filter($words, fn($flag) => $node->flags & $flag));
        emit('classes', $node->lineno, $children['name'], $facts + ['modifiers' => $stated]);
    }
}

function visit_member($node, array $owner, bool $is_asked_for): void {
    $place = ['visibility' => visibility($node->flags), 'modifiers' => modifiers($node->flags)] + $owner;
    if ($node->kind === ast\AST_METHOD) {
        // PHP's reflection calls what an interface asks for abstract too.
        if ($is_asked_for) $place['modifiers'] = ['abstract', ...$place['modifiers']];
        emit('methods', $node->lineno, $node->children['name'], callable_facts($node) + $place);
        foreach ($node->children['params']->children as $each) {
            if ($each->flags & PROMOTES) {
                $promoted = ['visibility' => visibility($each->flags), 'modifiers' => modifiers($each->flags)] + $owner;
                emit('properties', $each->lineno, $each->children['name'], ['type' => type($each->children['type'])] + $promoted);
            }
        }
    } elseif ($node->kind === ast\AST_PROP_GROUP) {
        $facts = ['type' => type($node->children['type'])] + $place;
        foreach ($node->children['props']->children as $each) {
            $has_value = ['value' => $each->children['default'] !== null];
            emit('properties', $each->lineno, $each->children['name'], $facts + $has_value);
        }
    } elseif ($node->kind === ast\AST_CLASS_CONST_GROUP) {
        $facts = ['value' => true] + $place;
        foreach ($node->children['const']->children as $each) emit('constants', $each->lineno, $each->children['name'], $facts);
    } elseif ($node->kind === ast\AST_ENUM_CASE) {
        emit('cases', $node->lineno, $node->children['name'], ['value' => $node->children['expr'] !== null] + $owner);
    }
}

function walk($node): void {
    if (!$node instanceof ast\Node) return;
    if ($node->kind === ast\AST_CLASS) visit_class($node);
    if ($node->kind === ast\AST_FUNC_DECL) emit('functions', $node->lineno, $node->children['name'], callable_facts($node));
    foreach ($node->children as $child) walk($child);
}

$found = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($argv[1], FilesystemIterator::SKIP_DOTS));
foreach ($found as $each) {
    if (!$each->isFile() || $each->getExtension() !== 'php') continue;
    $path = $each->getPathname();
    try {
        $tree = ast\parse_code(file_get_contents($path), 90);
    } catch (ParseError $fault) {
        echo json_encode(['path' => $path, 'fault' => $fault->getMessage()]), "\n";
        continue;
    }
    walk($tree);
}
"""
MODIFIERS = frozenset({"abstract", "final", "readonly", "static"})


def main() -> int:
    """The exit status."""
    arguments = arguments_of(__doc__ or "", "TREE")
    tallies = [tally_of(tree, ["php", "-r", PROGRAM, "--", tree], "PHP", _ours, _facts) for tree in arguments.trees]
    return finished(tallies, arguments.misses, MARK)


def _facts(theirs: dict[str, Any]) -> dict[str, Any]:
    return {aspect: _any_case(aspect, fact) for aspect, fact in theirs.items()}


def _any_case(aspect: str, fact: Any) -> Any:
    """Types in lower case."""
    if aspect == "parameters":
        return [[name, type_.lower(), has_default] for name, type_, has_default in fact]
    return fact.lower() if aspect in ("type", "result") else fact


def _owner(entry: Entry) -> str:
    return entry[0].qualified_name.rpartition(".")[0].rpartition(".")[2]


def _ours(entry: Entry) -> dict[str, object]:
    """Our side; a type that only the doc comment declares is none of PHP's."""
    detail = entry[1]
    return {
        "parameters": [
            [each.name, "" if each.source_hint else each.type.lower(), bool(each.default)] for each in detail.parameters
        ],
        "result": next((result.type.lower() for result in detail.returns if result.source_hint == "type_hint"), ""),
        "extends": [base.name for base in detail.supertypes if base.relation == "inherits"],
        "implements": [base.name for base in detail.supertypes if base.relation == "implements"],
        "uses": [base.name for base in detail.supertypes if base.relation == "uses"],
        "type": "" if detail.type_source else detail.type.lower(),
        "value": bool(detail.value),
        "modifiers": sorted(word for word in detail.modifiers if word in MODIFIERS),
        "visibility": detail.visibility,
        "owner": _owner(entry),
    }


if __name__ == "__main__":
    sys.exit(main())
