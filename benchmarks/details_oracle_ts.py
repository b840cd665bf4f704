"""Compares what a bundle says of TypeScript's exported declarations with what TypeScript's compiler says.

    NODE_PATH=.../node_modules python benchmarks/details_oracle_ts.py TREE [TREE ...] [--misses FILE]

Needs ``node`` and npm's ``typescript``, which ``NODE_PATH`` must lead to. Every ``.ts``, ``.tsx``, ``.mts`` and ``.cts`` file below
each TREE except in ``node_modules``. Compared are the exported interfaces, classes, functions, type aliases and enums (exported
where they stand, or by name elsewhere in the file), and all members of those: supertypes, generic parameters, parameters, results,
types, values, modifiers, visibility. Members without a name (index, call and construct signatures) are no symbols and are left out.
Exit status 1 when a kind falls below 97 %.
"""

from __future__ import annotations

import sys

from details_oracle_tally import Entry, arguments_of, finished, tally_of

MARK = 0.97

PROGRAM = r"""
const fs = require('fs');
const path = require('path');
const ts = require('typescript');
const MODIFIERS = ['static', 'abstract', 'readonly', 'async', 'override', 'declare', 'accessor', 'const'];
let file;
let listed;

const leaves = (node) => {
  const inner = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
  return inner.length ? inner.flatMap(leaves) : [node.getText(file)];
};
// Comments inside are no part of what is said.
const text = (node) => {
  const raw = node ? node.getText(file) : '';
  return /\/[/*]/.test(raw) ? leaves(node).join(' ') : raw;
};
const texts = (nodes) => (nodes ? nodes.map(text) : []);
const words = (node) => (ts.canHaveModifiers(node) ? (ts.getModifiers(node) || []).map(text) : []);

// What an interface or a type asks for has no body: for us that is abstract.
const stated = (node) => (ts.isMethodSignature(node) ? [...words(node), 'abstract'] : words(node));

function emit(group, node, name, facts) {
  const at = name.getStart(file);
  const line = file.getLineAndCharacterOfPosition(at).line + 1;
  const label = ts.isStringLiteralLike(name) ? name.text : text(name);
  const modifiers = stated(node).filter((word) => MODIFIERS.includes(word)).sort();
  console.log(JSON.stringify({ path: file.fileName, line, name: label, group, facts: { modifiers, ...facts } }));
}

function signature(node) {
  const parameters = node.parameters.map((parameter) => [
    text(parameter.dotDotDotToken) + text(parameter.name) + text(parameter.questionToken),
    text(parameter.type),
    text(parameter.initializer),
  ]);
  return { parameters, result: text(node.type), generics: texts(node.typeParameters) };
}

const bases = (node, token) =>
  (node.heritageClauses || []).filter((clause) => clause.token === token).flatMap((clause) => texts(clause.types));

function visibility(node) {
  if (node.name && ts.isPrivateIdentifier(node.name)) return 'private';
  return words(node).find((word) => ['public', 'protected', 'private'].includes(word)) || 'public';
}

function member(node, owner) {
  const place = { owner, visibility: visibility(node) };
  if (ts.isConstructorDeclaration(node)) {
    const name = node.getChildren(file).find((child) => child.kind === ts.SyntaxKind.ConstructorKeyword);
    const { parameters } = signature(node);
    emit('constructors', node, name, { parameters, ...place });
    for (const parameter of node.parameters.filter((each) => ts.isParameterPropertyDeclaration(each, node))) {
      const facts = { type: text(parameter.type), value: text(parameter.initializer), optional: false, owner };
      emit('properties', parameter, parameter.name, { ...facts, visibility: visibility(parameter) });
    }
  } else if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) {
    emit('methods', node, node.name, { ...signature(node), optional: !!node.questionToken, ...place });
  } else if (ts.isGetAccessor(node) || ts.isSetAccessor(node)) {
    emit('accessors', node, node.name, { ...signature(node), ...place });
  } else if (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node)) {
    const isFunction = node.initializer && (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer));
    const facts = { type: text(node.type), optional: !!node.questionToken, ...place };
    emit('properties', node, node.name, isFunction ? facts : { ...facts, value: text(node.initializer) });
  }
}

const isExported = (node) => words(node).includes('export') || (node.name && listed.has(node.name.text));

function visit(statement) {
  if (ts.isModuleDeclaration(statement) && statement.body && ts.isModuleBlock(statement.body)) {
    statement.body.statements.forEach(visit);
  } else if (!isExported(statement) || !statement.name) {
    return;
  } else if (ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)) {
    const generics = texts(statement.typeParameters);
    const facts = { extends: bases(statement, ts.SyntaxKind.ExtendsKeyword), generics, exported: true };
    const implemented = { implements: bases(statement, ts.SyntaxKind.ImplementsKeyword) };
    const group = ts.isClassDeclaration(statement) ? 'classes' : 'interfaces';
    emit(group, statement, statement.name, { ...facts, ...(group === 'classes' ? implemented : {}) });
    statement.members.forEach((each) => member(each, statement.name.text));
  } else if (ts.isFunctionDeclaration(statement)) {
    emit('functions', statement, statement.name, { ...signature(statement), exported: true });
  } else if (ts.isTypeAliasDeclaration(statement)) {
    const facts = { 'stands for': text(statement.type), generics: texts(statement.typeParameters), exported: true };
    emit('type aliases', statement, statement.name, facts);
  } else if (ts.isEnumDeclaration(statement)) {
    emit('enums', statement, statement.name, { exported: true });
    statement.members.forEach((each) => emit('enum members', each, each.name, { value: text(each.initializer) }));
  }
}

function* walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* walk(at);
    else if (entry.isFile() && /\.[mc]?tsx?$/.test(entry.name)) yield at;
  }
}

for (const at of walk(process.argv[1])) {
  file = ts.createSourceFile(at, fs.readFileSync(at, 'utf8'), ts.ScriptTarget.Latest, true);
  if (file.parseDiagnostics.length) {
    console.log(JSON.stringify({ path: at, fault: ts.flattenDiagnosticMessageText(file.parseDiagnostics[0].messageText, ' ') }));
    continue;
  }
  listed = new Set();
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement) && !statement.moduleSpecifier && statement.exportClause?.elements) {
      for (const element of statement.exportClause.elements) listed.add((element.propertyName || element.name).text);
    } else if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression)) {
      listed.add(statement.expression.text);
    }
  }
  file.statements.forEach(visit);
}
"""
MODIFIERS = frozenset({"static", "abstract", "readonly", "async", "override", "declare", "accessor", "const"})


def main() -> int:
    """The exit status."""
    arguments = arguments_of(__doc__ or "", "TREE")
    tallies = [tally_of(tree, ["node", "-e", PROGRAM, "--", tree], "TypeScript", _ours) for tree in arguments.trees]
    return finished(tallies, arguments.misses, MARK)


def _owner(entry: Entry) -> str:
    """The type's own name, without the namespaces around it."""
    return entry[0].qualified_name.rpartition(".")[0].rpartition(".")[2]


def _ours(entry: Entry) -> dict[str, object]:
    detail = entry[1]
    return {
        "parameters": [[item.name, "" if item.source_hint else item.type, item.default] for item in detail.parameters],
        "result": next((result.type for result in detail.returns if result.source_hint == "type_hint"), ""),
        "generics": list(detail.type_parameters),
        "extends": [base.name for base in detail.supertypes if base.relation == "inherits"],
        "implements": [base.name for base in detail.supertypes if base.relation == "implements"],
        "stands for": detail.value,
        "type": "" if detail.type_source else detail.type,
        "value": detail.value,
        "modifiers": sorted(word for word in detail.modifiers if word in MODIFIERS),
        "optional": "optional" in detail.modifiers,
        "visibility": detail.visibility,
        "exported": detail.visibility == "exported",
        "owner": _owner(entry),
    }


if __name__ == "__main__":
    sys.exit(main())
