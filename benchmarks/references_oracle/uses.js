// Prints, one JSON object a line, what each identifier of a repository's TypeScript and JavaScript means by TypeScript's compiler:
// where it is declared, when that is in the repository and not local to a function. Dependencies need not be at hand; what hangs on
// them stays unresolved. Packages of the repository's own workspace are found by their names, at their sources.
//
//     NODE_PATH=<where typescript is> node uses.js REPOSITORY
"use strict";
const fs = require("fs");
const path = require("path");
const ts = require("typescript");

const root = fs.realpathSync(process.argv[2]);
const EXTENSIONS = /\.[cm]?[jt]sx?$/;
const LEFT_OUT = new Set(["node_modules", ".git", "dist", "build", ".next"]);

function walk(folder, files, manifests) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const whole = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!LEFT_OUT.has(entry.name)) walk(whole, files, manifests);
    } else if (entry.isFile()) {
      if (EXTENSIONS.test(entry.name)) files.push(whole);
      if (entry.name === "package.json") manifests.push(whole);
    }
  }
}

// Name of a package of the workspace -> where TypeScript is to look for it.
function mapped(manifests) {
  const paths = {};
  for (const manifest of manifests) {
    try {
      const name = JSON.parse(fs.readFileSync(manifest, "utf8")).name;
      if (!name || paths[name]) continue;
      const folder = path.dirname(manifest);
      paths[name] = [path.join(folder, "src/index"), path.join(folder, "index"), folder];
      paths[`${name}/*`] = [path.join(folder, "src/*"), path.join(folder, "*")];
    } catch {
      continue;
    }
  }
  return paths;
}

// By the nearest tsconfig.json: paths that only hold there.
function projects(files, paths) {
  const found = new Map();
  for (const file of files) {
    let folder = path.dirname(file);
    while (folder !== root && !fs.existsSync(path.join(folder, "tsconfig.json"))) folder = path.dirname(folder);
    if (!found.has(folder)) found.set(folder, []);
    found.get(folder).push(file);
  }
  return [...found].map(([folder, own]) => {
    const read = ts.readConfigFile(path.join(folder, "tsconfig.json"), ts.sys.readFile);
    const parsed = read.config ? ts.parseJsonConfigFileContent(read.config, ts.sys, folder) : { options: {} };
    const base = parsed.options.baseUrl || folder;
    const declared = {};
    for (const [name, targets] of Object.entries(parsed.options.paths || {})) {
      declared[name] = targets.map((target) => path.resolve(base, target));
    }
    const options = {
      ...parsed.options,
      allowJs: true,
      checkJs: false,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      composite: false,
      incremental: false,
      jsx: parsed.options.jsx || ts.JsxEmit.Preserve,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      paths: { ...paths, ...declared },
    };
    return { own, options };
  });
}

// UTF-16 offset -> byte offset.
function bytesOf(text) {
  if (Buffer.byteLength(text) === text.length) return (at) => at;
  const sums = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const size = unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
    sums[at + 1] = sums[at] + size;
  }
  return (at) => sums[at];
}

function relative(file) {
  const found = path.relative(root, file).split(path.sep).join("/");
  return found.startsWith("..") || found.includes("node_modules/") ? "" : found;
}

function isLocal(declaration) {
  if (ts.isTypeParameterDeclaration(declaration) || ts.isInferTypeNode(declaration.parent)) return true;
  if (ts.isParameter(declaration)) return !ts.isParameterPropertyDeclaration(declaration, declaration.parent);
  for (let node = declaration.parent; node; node = node.parent) {
    if (ts.isFunctionLike(node)) return true;
  }
  return false;
}

// Where a declaration's own name stands; null where it has none.
function nameOf(declaration) {
  const name = ts.getNameOfDeclaration(declaration);
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name)) ? name : null;
}

function meaning(checker, node) {
  let symbol;
  if (ts.isShorthandPropertyAssignment(node.parent)) symbol = checker.getShorthandAssignmentValueSymbol(node.parent);
  else if (ts.isBindingElement(node.parent) && node.parent.propertyName === node) {
    symbol = checker.getTypeAtLocation(node.parent.parent).getProperty(node.text);
  } else symbol = checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return symbol;
}

// A name that is bound where it stands is no use of it.
function isBinding(node) {
  const parent = node.parent;
  if (ts.isImportClause(parent) || ts.isNamespaceImport(parent) || ts.isNamespaceExport(parent)) return true;
  if ((ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) && parent.propertyName) return true;
  return parent.name === node && !ts.isPropertyAccessExpression(parent) && !ts.isShorthandPropertyAssignment(parent)
    && !ts.isImportSpecifier(parent) && !ts.isExportSpecifier(parent) && !ts.isMetaProperty(parent);
}

function usesOf(checker, file, lines) {
  const bytes = bytesOf(file.text);
  const visit = (node) => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && !isBinding(node)) {
      let symbol;
      try {
        symbol = meaning(checker, node);
      } catch {
        symbol = undefined; // the compiler's own fault
      }
      const declarations = [...((symbol && symbol.declarations) || [])];
      for (const each of declarations.filter(ts.isShorthandPropertyAssignment)) {
        const value = checker.getShorthandAssignmentValueSymbol(each); // { open } stands for what open means
        const meant = value && value.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(value) : value;
        declarations.push(...((meant && meant.declarations) || []));
      }
      const places = [];
      for (const declaration of declarations) {
        const to = relative(declaration.getSourceFile().fileName);
        if (!to || ts.isSourceFile(declaration) || isLocal(declaration)) continue;
        const name = nameOf(declaration);
        const at = name || declaration;
        if (at.getSourceFile() === file && at.getStart() === node.getStart()) continue; // it is declared here
        places.push([to, at.getSourceFile().getLineAndCharacterOfPosition(at.getStart()).line + 1, name ? name.text : ""]);
      }
      if (places.length) {
        const start = node.getStart();
        const record = {
          path: relative(file.fileName),
          at: file.getLineAndCharacterOfPosition(start).line + 1,
          start: bytes(start),
          name: node.text,
          to: places[0][0],
          line: places[0][1],
          declared: places[0][2],
        };
        if (places.length > 1) record.others = places.slice(1);
        lines.push(JSON.stringify(record));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

const files = [];
const manifests = [];
walk(root, files, manifests);
for (const { own, options } of projects(files, mapped(manifests))) {
  const program = ts.createProgram(own, options);
  const checker = program.getTypeChecker();
  for (const name of own) {
    const file = program.getSourceFile(name);
    const lines = [];
    if (file) usesOf(checker, file, lines);
    if (lines.length) fs.writeSync(1, lines.join("\n") + "\n");
  }
}
