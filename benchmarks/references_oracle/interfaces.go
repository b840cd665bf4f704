// Prints the interfaces of the standard library with their method sets, as languages/go/interfaces.toml holds them.
//
//	go run interfaces.go
package main

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"sort"
	"strings"
)

func main() {
	out, _ := exec.Command("go", "list", "std").Output()
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, path := range strings.Fields(string(out)) {
		if strings.Contains(path, "internal") || strings.HasPrefix(path, "vendor/") {
			continue
		}
		pkg, err := imp.Import(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, path, err)
			continue
		}
		lines := []string{}
		for _, name := range pkg.Scope().Names() {
			obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || !obj.Exported() {
				continue
			}
			if n, ok := obj.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
				continue
			}
			iface, ok := obj.Type().Underlying().(*types.Interface)
			if !ok || iface.NumMethods() == 0 || !iface.IsMethodSet() {
				continue
			}
			parts := []string{}
			for i := 0; i < iface.NumMethods(); i++ {
				m := iface.Method(i)
				s := m.Type().(*types.Signature)
				spell := func(t *types.Tuple, variadic bool) string {
					l := []string{}
					for j := 0; j < t.Len(); j++ {
						x := types.TypeString(t.At(j).Type(), func(p *types.Package) string { return p.Path() })
						if variadic && j == t.Len()-1 {
							x = "..." + strings.TrimPrefix(x, "[]")
						}
						l = append(l, strings.Join(strings.Fields(x), ""))
					}
					return strings.Join(l, ",")
				}
				n := m.Name()
				if !m.Exported() {
					n = path + ":" + n
				}
				parts = append(parts, fmt.Sprintf("%s = \"(%s)(%s)\"", quote(n), spell(s.Params(), s.Variadic()), spell(s.Results(), false)))
			}
			sort.Strings(parts)
			lines = append(lines, fmt.Sprintf("%s = { %s }", name, strings.Join(parts, ", ")))
		}
		if len(lines) > 0 {
			fmt.Printf("\n[%q]\n%s\n", path, strings.Join(lines, "\n"))
		}
	}
}

func quote(n string) string {
	if strings.ContainsAny(n, ":/") {
		return fmt.Sprintf("%q", n)
	}
	return n
}
