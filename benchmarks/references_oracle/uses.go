// Prints, one JSON object a line, what each identifier of a Go module means by go/types: where it is declared, when that is in the
// module and not local to a function; and each pair of a type and an interface of the module that the type's pointer implements.
// Dependencies that are not at hand are replaced by empty packages; what hangs on them stays unresolved.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type unit struct {
	dir   string
	files []*ast.File
}

type loader struct {
	root, module string
	positions    *token.FileSet
	standard     types.Importer
	done         map[string]*types.Package
	info         *types.Info
}

func (l *loader) Import(path string) (*types.Package, error) {
	if known, ok := l.done[path]; ok {
		return known, nil
	}
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		dir := filepath.Join(l.root, strings.TrimPrefix(path, l.module))
		for name, each := range l.parse(dir, false) {
			if !strings.HasSuffix(name, "_test") && name != "main" {
				return l.check(path, each), nil
			}
		}
	}
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		if found, fault := l.standard.Import(path); fault == nil {
			l.done[path] = found
			return found, nil
		}
	}
	empty := types.NewPackage(path, filepath.Base(path))
	empty.MarkComplete()
	l.done[path] = empty
	return empty, nil
}

func (l *loader) parse(dir string, tests bool) map[string]*unit {
	units := map[string]*unit{}
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || (!tests && strings.HasSuffix(name, "_test.go")) {
			continue
		}
		file, fault := parser.ParseFile(l.positions, filepath.Join(dir, name), nil, parser.ParseComments)
		if fault != nil || excluded(file) {
			continue
		}
		if units[file.Name.Name] == nil {
			units[file.Name.Name] = &unit{dir: dir}
		}
		units[file.Name.Name].files = append(units[file.Name.Name].files, file)
	}
	return units
}

// excluded says whether a build constraint that a plain Linux build does not meet keeps a file out.
func excluded(file *ast.File) bool {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:build ") && !strings.Contains(comment.Text, "!") {
				return true
			}
		}
	}
	return false
}

func (l *loader) check(path string, each *unit) *types.Package {
	configuration := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
	checked, _ := configuration.Check(path, l.positions, each.files, l.info)
	l.done[path] = checked
	return checked
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	text, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	module := strings.TrimSpace(strings.TrimPrefix(strings.SplitN(string(text), "\n", 2)[0], "module"))
	positions := token.NewFileSet()
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	lines := json.NewEncoder(output)
	relative := func(at token.Pos) (string, int, int) {
		place := positions.Position(at)
		path, fault := filepath.Rel(root, place.Filename)
		if fault != nil || strings.HasPrefix(path, "..") {
			return "", 0, 0
		}
		return filepath.ToSlash(path), place.Line, place.Offset
	}
	filepath.WalkDir(root, func(dir string, entry fs.DirEntry, fault error) error {
		if fault != nil || !entry.IsDir() {
			return nil
		}
		if name := entry.Name(); dir != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor") {
			return filepath.SkipDir
		}
		path := strings.TrimSuffix(module+"/"+filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(dir, root), "/")), "/")
		l := &loader{root: root, module: module, positions: positions, standard: importer.ForCompiler(positions, "source", nil), done: map[string]*types.Package{}, info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
		for _, each := range l.parse(dir, true) {
			l.info.Uses = map[*ast.Ident]types.Object{}
			checked := l.check(path, each)
			own := map[string]bool{}
			for _, file := range each.files {
				own[positions.Position(file.Package).Filename] = true
			}
			for identifier, object := range l.info.Uses {
				at, line, start := relative(identifier.Pos())
				to, declared, _ := relative(object.Pos())
				if at == "" || to == "" || !own[positions.Position(identifier.Pos()).Filename] || local(object) {
					continue
				}
				lines.Encode(map[string]any{"path": at, "at": line, "start": start, "name": identifier.Name, "to": to, "line": declared})
			}
			if checked != nil {
				pairs(checked, relative, lines)
			}
		}
		return nil
	})
}

// local says whether an object is declared inside a function, or is a package's name.
func local(object types.Object) bool {
	switch kind := object.(type) {
	case *types.PkgName, *types.Label:
		return true
	case *types.Var:
		if kind.IsField() {
			return false
		}
	case *types.Func:
		return false
	}
	return object.Pkg() == nil || object.Parent() != object.Pkg().Scope()
}

// unknown says whether a type embeds one that could not be resolved: go/types then takes it to implement everything.
func unknown(kind types.Type) bool {
	if each, ok := kind.(*types.Struct); ok {
		for index := 0; index < each.NumFields(); index++ {
			if field := each.Field(index); field.Embedded() && field.Type() == types.Typ[types.Invalid] {
				return true
			}
		}
	}
	return kind == types.Typ[types.Invalid]
}

// pairs prints which types of a package implement which of its interfaces.
func pairs(checked *types.Package, relative func(token.Pos) (string, int, int), lines *json.Encoder) {
	names := checked.Scope().Names()
	sort.Strings(names)
	for _, name := range names {
		holder, ok := checked.Scope().Lookup(name).(*types.TypeName)
		if !ok || holder.IsAlias() || unknown(holder.Type().Underlying()) {
			continue
		}
		for _, other := range names {
			wanted, ok := checked.Scope().Lookup(other).(*types.TypeName)
			if !ok || other == name || wanted.IsAlias() {
				continue
			}
			contract, ok := wanted.Type().Underlying().(*types.Interface)
			if !ok || contract.NumMethods() == 0 || !contract.IsMethodSet() {
				continue
			}
			if types.Implements(types.NewPointer(holder.Type()), contract) || types.Implements(holder.Type(), contract) {
				path, line, _ := relative(holder.Pos())
				to, declared, _ := relative(wanted.Pos())
				lines.Encode(map[string]any{"type": name, "path": path, "line": line, "to": to, "to_line": declared})
			}
		}
	}
}
