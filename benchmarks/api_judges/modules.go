// Prints folder, kind and message of each incompatible change between the modules at two roots, by golang.org/x/exp/apidiff.
// The third argument is the path of the module, for a tree without go.mod. To be compiled by a Go before 1.23, since apidiff knows no
// *types.Alias. What a module depends on need not be there: a type of another module is taken for the same on both sides.
package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/exp/apidiff"
)

type loader struct {
	root, module string
	fset         *token.FileSet
	std          types.Importer
	done         map[string]*types.Package
	busy         map[string]bool
}

func (l *loader) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		return l.load(path)
	}
	if p, ok := l.done[path]; ok {
		return p, nil
	}
	if !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") {
		if p, err := l.std.Import(path); err == nil {
			l.done[path] = p
			return p, nil
		}
	}
	name := path[strings.LastIndex(path, "/")+1:]
	p := types.NewPackage(path, name)
	p.MarkComplete()
	l.done[path] = p
	return p, nil
}

func (l *loader) load(path string) (*types.Package, error) {
	if p, ok := l.done[path]; ok {
		return p, nil
	}
	if l.busy[path] {
		return types.NewPackage(path, "cycle"), nil
	}
	l.busy[path] = true
	dir := filepath.Join(l.root, strings.TrimPrefix(strings.TrimPrefix(path, l.module), "/"))
	ctx := build.Default
	ctx.CgoEnabled = false
	bp, err := ctx.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range bp.GoFiles {
		f, err := parser.ParseFile(l.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: l, Error: func(error) {}, IgnoreFuncBodies: true, FakeImportC: true}
	p, _ := conf.Check(path, l.fset, files, nil)
	l.done[path] = p
	return p, nil
}

func moduleOf(root string) string {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err == nil {
		for _, line := range strings.Split(string(data), "\n") {
			if strings.HasPrefix(line, "module ") {
				return strings.Trim(strings.TrimSpace(strings.TrimPrefix(line, "module ")), "\"")
			}
		}
	}
	return os.Args[3] // from before there were modules
}

func loadAll(root string, std types.Importer, fset *token.FileSet) map[string]*types.Package {
	l := &loader{root, moduleOf(root), fset, std, map[string]*types.Package{}, map[string]bool{}}
	found := map[string]*types.Package{}
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(root, path)
		base := d.Name()
		if rel != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "internal" || base == "testdata" || base == "vendor") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && rel != "." {
			return filepath.SkipDir
		}
		name := l.module
		if rel != "." {
			name += "/" + filepath.ToSlash(rel)
		}
		if p, err := l.load(name); err == nil && p != nil && p.Name() != "main" {
			found[rel] = p
		}
		return nil
	})
	return found
}

func main() {
	fset := token.NewFileSet()
	std := importer.ForCompiler(fset, "source", nil)
	before, after := loadAll(os.Args[1], std, fset), loadAll(os.Args[2], std, fset)
	var names []string
	for name := range before {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if after[name] == nil {
			if _, err := build.Default.ImportDir(filepath.Join(os.Args[2], name), 0); err == nil {
				continue // it is a module of its own now
			}
			fmt.Printf("%s\t!\tpackage removed\n", name)
			continue
		}
		compare(name, before[name], after[name])
	}
}

func compare(name string, before, after *types.Package) {
	defer func() {
		if fault := recover(); fault != nil { // generics of today are more than some versions of apidiff know
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, fault)
			os.Exit(1)
		}
	}()
	for _, c := range apidiff.Changes(before, after).Changes {
		if !c.Compatible {
			fmt.Printf("%s\ti\t%s\n", name, strings.Join(strings.Fields(atOwner(c.Message, before)), " "))
		}
	}
}

// atOwner gives a message of a promoted field or method the name of the type that declares it, whose own change it is.
func atOwner(message string, pkg *types.Package) string {
	object, rest, found := strings.Cut(message, ": ")
	parts := strings.Split(strings.Trim(strings.SplitN(object, ",", 2)[0], "()*"), ".")
	if !found || len(parts) != 2 {
		return message
	}
	owner := pkg.Scope().Lookup(strings.Trim(parts[0], "()*"))
	if owner == nil {
		return message
	}
	_, index, _ := types.LookupFieldOrMethod(owner.Type(), true, pkg, parts[1])
	at := owner.Type()
	for _, step := range index[:max(0, len(index)-1)] {
		if pointer, ok := at.Underlying().(*types.Pointer); ok {
			at = pointer.Elem()
		}
		structure, ok := at.Underlying().(*types.Struct)
		if !ok {
			return message
		}
		at = structure.Field(step).Type()
	}
	if pointer, ok := at.(*types.Pointer); ok {
		at = pointer.Elem()
	}
	if named, ok := at.(*types.Named); ok && len(index) > 1 && named.Obj().Pkg() == pkg {
		return named.Obj().Name() + "." + parts[1] + ": " + rest
	}
	return message
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}
