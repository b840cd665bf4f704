// node judge.js OLD_TREE NEW_TREE ENTRY -> JSON lines [name, what] of each export, or member of one, whose use breaks, as TypeScript's
// own checker says: it is gone, or what is there now cannot be assigned to what was there.
const ts = require(process.env.TYPESCRIPT || "typescript"), path = require("path"), fs = require("fs"), os = require("os")
const [oldTree, newTree, entry] = process.argv.slice(2)
const out = fs.mkdtempSync(path.join(os.tmpdir(), "declared-"))
const options = { declaration: true, emitDeclarationOnly: true, allowJs: false, skipLibCheck: true, noEmitOnError: false, strict: true,
  target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, experimentalDecorators: true,
  stripInternal: true, types: ["node"], typeRoots: [path.join(__dirname, "../../npm/node_modules/@types")], isolatedModules: false, declarationMap: false }
function emitted(tree, name) {
  const source = path.join(tree, entry)
  const program = ts.createProgram([source], { ...options, outDir: path.join(out, name), rootDir: tree })
  program.emit(undefined, (file, text) => {
    if (!file.endsWith(".d.ts")) return
    fs.mkdirSync(path.dirname(file), { recursive: true })
    text = text.replace(/^\s*(?:private|protected) (?!constructor).*;$/gm, "").replace(/^\s*#private;$/gm, "")  // a class with such compares by name
    text = text.replace(/^(\s*)private constructor/gm, "$1constructor")
    fs.writeFileSync(file, text)
  })
  return path.join(out, name, entry.replace(/\.tsx?$/, ".d.ts"))
}
const files = [emitted(oldTree, "old"), emitted(newTree, "new")]
const program = ts.createProgram(files, { ...options, noEmit: true, declaration: false, emitDeclarationOnly: false })
const checker = program.getTypeChecker()
function exportsOf(file) {
  const source = program.getSourceFile(file)
  const symbol = checker.getSymbolAtLocation(source)
  const found = new Map()
  if (symbol) for (const each of checker.getExportsOfModule(symbol)) {
    const target = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each
    found.set(each.name, target)
  }
  return [found, source]
}
const [before, oldSource] = exportsOf(files[0]), [after, newSource] = exportsOf(files[1])
const told = new Set()
function tell(name, what) { const line = JSON.stringify([name, what]); if (!told.has(line)) { told.add(line); console.log(line) } }
const F = ts.SymbolFlags
const isValue = s => (s.flags & F.Value) !== 0, isType = s => (s.flags & F.Type) !== 0
function string(t, at) { return checker.typeToString(t, at, ts.TypeFormatFlags.NoTruncation).replace(/import\("[^"]*"\)\./g, "").slice(0, 4000) }
const isPrivate = p => (p.declarations || []).some(d => ts.getCombinedModifierFlags(d) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected))
function members(name, one, other, way) {
  const olds = checker.getPropertiesOfType(one)
  for (const p of olds) {
    if (isPrivate(p) || p.name.startsWith("__@") || p.name === "prototype") continue
    const q = checker.getPropertyOfType(other, p.name)
    if (!q) { tell(`${name}.${p.name}`, "removed"); continue }
    if ((q.flags & F.Optional) && !(p.flags & F.Optional)) tell(`${name}.${p.name}`, "optional now")
    const a = checker.getTypeOfSymbolAtLocation(p, oldSource), b = checker.getTypeOfSymbolAtLocation(q, newSource)
    if (string(a, oldSource) !== string(b, newSource) && !checker.isTypeAssignableTo(b, a)) tell(`${name}.${p.name}`, `type ${string(a)} -> ${string(b)}`)
  }
}
for (const [name, old] of before) {
  const now = after.get(name)
  if (!now) { tell(name, "removed"); continue }
  if (isValue(old) && !isValue(now)) { tell(name, "no value any more"); continue }
  if (isType(old) && !isType(now)) { tell(name, "no type any more"); continue }
  const isClass = (old.flags & F.Class) && (now.flags & F.Class)
  if (isClass || (old.flags & F.Interface && now.flags & F.Interface)) {
    members(name, checker.getDeclaredTypeOfSymbol(old), checker.getDeclaredTypeOfSymbol(now))
    const one = checker.getDeclaredTypeOfSymbol(old).typeParameters || [], other = checker.getDeclaredTypeOfSymbol(now).typeParameters || []
    const required = other.filter(t => !checker.getDefaultFromTypeParameter(t)).length
    if (one.length > other.length || required > one.length) tell(name, "type parameters")
  } else if (old.flags & F.TypeAlias && now.flags & F.TypeAlias) {
    const a = checker.getDeclaredTypeOfSymbol(old), b = checker.getDeclaredTypeOfSymbol(now)
    const one = old.declarations[0].typeParameters || [], other = now.declarations[0].typeParameters || []
    if (one.length > other.length || other.filter(t => !t.default).length > one.length) tell(name, "type parameters")
    else if (old.declarations[0].type.getText() !== now.declarations[0].type.getText() && !(checker.isTypeAssignableTo(b, a) && checker.isTypeAssignableTo(a, b)))
      tell(name, "alias")
  } else if (old.flags & F.Enum && now.flags & F.Enum) {
    for (const [key] of old.exports) if (!now.exports.has(key)) tell(`${name}.${key}`, "removed")
  }
  if (isValue(old) && isValue(now)) {
    const a = checker.getTypeOfSymbolAtLocation(old, oldSource), b = checker.getTypeOfSymbolAtLocation(now, newSource)
    if (isClass) {
      members(name, a, b)
      const heads = [old, now].map(s => s.declarations.flatMap(d => (d.members || []).filter(ts.isConstructorDeclaration).map(c => c.getText())).join("\n"))
      if (heads[0] !== heads[1] && !checker.isTypeAssignableTo(b, a)) tell(`${name}.constructor`, `${heads[0]} -> ${heads[1]}`.slice(0, 300))
    } else if (old.flags & F.Enum) { /* told above */ }
    else if (string(a, oldSource) !== string(b, newSource) && !checker.isTypeAssignableTo(b, a)) tell(name, `type ${string(a)} -> ${string(b)}`.slice(0, 400))
  }
}
fs.rmSync(out, { recursive: true })
