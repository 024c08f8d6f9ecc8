package waygate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// raceList names the packages that make test runs under the race detector.
const raceList = "scripts/race-packages.txt"

// TestRaceList holds that the list names exactly the packages whose code or
// tests hold goroutines or locks. Not e2e: it asks a binary that is built
// without the race detector.
func TestRaceList(t *testing.T) {
	text, err := os.ReadFile(raceList)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	tested := map[string]bool{}
	err = filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(t, file, d.Name())
		}
		pkg := "./" + path.Dir(filepath.ToSlash(file))
		if !strings.HasSuffix(file, ".go") || pkg == "./e2e" {
			return nil
		}
		tested[pkg] = tested[pkg] || strings.HasSuffix(file, "_test.go")
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err == nil && concurrent(source) {
			want = append(want, pkg)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	want = slices.DeleteFunc(slices.Compact(want), func(pkg string) bool { return !tested[pkg] })
	got := strings.Fields(string(text))
	for _, pkg := range want {
		if !slices.Contains(got, pkg) {
			t.Errorf("%s holds goroutines or locks and is not in %s", pkg, raceList)
		}
	}
	for _, pkg := range got {
		if !slices.Contains(want, pkg) {
			t.Errorf("%s is in %s and holds no goroutine and no lock, or no test", pkg, raceList)
		}
	}
	if !slices.IsSorted(got) {
		t.Errorf("%s is not sorted", raceList)
	}
}

// concurrent reports whether a file starts goroutines or shares memory between
// them. What sync makes once and gives to all is safe as it stands.
func concurrent(source *ast.File) (found bool) {
	for _, i := range source.Imports {
		found = found || i.Path.Value == `"sync/atomic"`
	}
	ast.Inspect(source, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			of, is := x.X.(*ast.Ident)
			found = found || is && of.Name == "sync" && !strings.HasPrefix(x.Sel.Name, "Once")
			found = found || is && of.Name == "parallel" && (x.Sel.Name == "Go" || x.Sel.Name == "Group")
		}
		return !found
	})
	return found
}
