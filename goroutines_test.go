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

// TestGoroutinesHandPanicsOn checks that goroutines are started by package parallel, which
// hands their panics on: one that is not recovered ends the process. Tests and their helpers
// are left out.
func TestGoroutinesHandPanicsOn(t *testing.T) {
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(t, file, d.Name())
		}
		pkg := path.Dir(filepath.ToSlash(file))
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasSuffix(pkg, "test") || pkg == "parallel" {
			return nil
		}
		source, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		var group, starts bool
		ast.Inspect(source, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: a bare go statement; parallel.Go and parallel.Group hand its panic on", files.Position(x.Pos()))
			case *ast.SelectorExpr:
				of, is := x.X.(*ast.Ident)
				group = group || is && of.Name == "sync" && x.Sel.Name == "WaitGroup"
				starts = starts || x.Sel.Name == "Go" && !(is && of.Name == "parallel")
			}
			return true
		})
		for _, i := range source.Imports {
			group = group || strings.HasSuffix(i.Path.Value, `/errgroup"`)
		}
		if group && starts {
			t.Errorf("%s: goroutines of a group that lets their panics end the process; parallel.Group hands them on", file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
