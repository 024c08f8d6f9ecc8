package waygate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mostMethods = 25
	mostFiles   = 24
)

// manyMethods are the types with more than mostMethods methods, each with the reason why
// it is not split yet. Whoever splits one takes its row out: the test fails for a row
// that is not needed any more. No package has more than mostFiles files, tests left out.
var manyMethods = map[string]string{
	"index/timetable.Index":  "one getter for each fact of a stop, a line, a pattern and a trip",
	"road/cch.Topology":      "one structure and all that is done to it: contraction, its sections, their checks, metrics; its searches are types of their own",
	"road/graph.Graph":       "one getter for each fact of an edge or a node, and one check for each of its arrays",
	"road/profile.Costing":   "one method for each law of costs, all on the same factors of one traveller: searches call them for every edge, and a split would cost each call a step",
	"transit/journey.search": "one search over its scratch: rounds, rides and legs; to be split by these",
	"wire/json.Writer":       "one method for each kind of JSON value",
}

// TestTypesAndPackagesAreSmall counts methods and files, tests left out.
func TestTypesAndPackagesAreSmall(t *testing.T) {
	methods, files := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(t, file, d.Name())
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(file))
		files[pkg]++
		for _, d := range source.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv != nil {
				methods[pkg+"."+receiver(f.Recv.List[0].Type)]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	few(t, "methods", methods, mostMethods, manyMethods)
	few(t, "files", files, mostFiles, nil)
}

// few compares counts with the most that each may have, but for the exceptions.
func few(t *testing.T, of string, counts map[string]int, most int, exceptions map[string]string) {
	t.Helper()
	for name, n := range counts {
		if n > most && exceptions[name] == "" {
			t.Errorf("%s has %d %s, and at most %d are allowed: split it, or give the reason in the table", name, n, of, most)
		}
	}
	for name := range exceptions {
		if n := counts[name]; n <= most {
			t.Errorf("%s has %d %s and needs no exception any more: take it out of the table", name, n, of)
		}
	}
}

// receiver names the type that a method belongs to.
func receiver(of ast.Expr) string {
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
