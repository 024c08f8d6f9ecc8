package waygate

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestIndicesAreOfOneType holds every slice that is a field to one type of
// number: an array by edge is not asked for a node. The compiler sees to that
// wherever a number is passed on, but takes any integer for an index.
func TestIndicesAreOfOneType(t *testing.T) {
	seen := map[string]map[string]string{} // by field, by type of the index: where
	for _, p := range checked(t, "./road/...", "./importer/...", "./engine/embedded/...", "./bench") {
		for _, file := range p.files {
			ast.Inspect(file, func(n ast.Node) bool {
				x, ok := n.(*ast.IndexExpr)
				if !ok {
					return true
				}
				field, index := fieldOf(p.info, x.X), numberOf(p.info, x.Index)
				if field == "" || index == "" {
					return true
				}
				if seen[field] == nil {
					seen[field] = map[string]string{}
				}
				seen[field][index] = p.fset.Position(x.Pos()).String()
				return true
			})
		}
	}
	if len(seen) < 50 {
		t.Fatalf("found only %d fields with typed indices", len(seen))
	}
	for field, places := range seen {
		if len(places) > 1 {
			t.Errorf("%s is asked for different numbers: %v", field, places)
		}
	}
}

// numberOf names the type of an expression if it is one of ours with the
// numbers of things, "" for another.
func numberOf(info *types.Info, x ast.Expr) string {
	named, ok := info.TypeOf(x).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !strings.HasPrefix(named.Obj().Pkg().Path(), module) || named.Underlying() != types.Typ[types.Uint32] {
		return ""
	}
	return named.String()
}

// fieldOf names the field that an expression selects, "" for any other.
func fieldOf(info *types.Info, x ast.Expr) string {
	selector, ok := x.(*ast.SelectorExpr)
	if !ok || info.Selections[selector] == nil {
		return ""
	}
	owner := info.Selections[selector].Recv()
	if p, ok := owner.Underlying().(*types.Pointer); ok {
		owner = p.Elem()
	}
	return fmt.Sprint(owner, ".", selector.Sel.Name)
}

// typed is a package with the types of its expressions.
type typed struct {
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
}

// checked reads the types of some packages, tests left out.
func checked(t *testing.T, patterns ...string) []typed {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-export", "-deps", "-f", `{{.ImportPath}}|{{.Export}}|{{.Dir}}|{{if not .DepOnly}}{{join .GoFiles " "}}{{end}}`}, patterns...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	export, fset := map[string]string{}, token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(export[path]) })
	var all []typed
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		export[part[0]] = part[1]
		if part[3] == "" {
			continue
		}
		p := typed{fset, nil, &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Uses: map[*ast.Ident]types.Object{}}}
		for name := range strings.FieldsSeq(part[3]) {
			file, err := parser.ParseFile(fset, filepath.Join(part[2], name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			p.files = append(p.files, file)
		}
		config := types.Config{Importer: from}
		if _, err := config.Check(part[0], fset, p.files, p.info); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}
