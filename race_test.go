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

// raceList names the packages of which make test runs the tests that end in atOnce
// under the race detector.
const (
	raceList = "scripts/race-packages.txt"
	atOnce   = "AtOnce"
)

// TestRaceList checks that the list names exactly the packages whose code or
// tests hold goroutines or locks. Not e2e: its binary is built
// without the race detector.
func TestRaceList(t *testing.T) {
	got := raced(t)
	var want []string
	tested := map[string]bool{}
	sources(t, func(pkg string, source *ast.File, test bool) {
		tested[pkg] = tested[pkg] || test
		if concurrent(source) {
			want = append(want, pkg)
		}
	})
	slices.Sort(want)
	want = slices.DeleteFunc(slices.Compact(want), func(pkg string) bool { return !tested[pkg] })
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

// TestRacedTests checks that each package of the list has a test for the race detector,
// and that none is elsewhere, where it would not be run under it.
func TestRacedTests(t *testing.T) {
	list, have := raced(t), map[string]bool{}
	sources(t, func(pkg string, source *ast.File, test bool) {
		for _, d := range source.Decls {
			f, is := d.(*ast.FuncDecl)
			if !test || !is || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") || !strings.HasSuffix(f.Name.Name, atOnce) {
				continue
			}
			if have[pkg] = true; !slices.Contains(list, pkg) {
				t.Errorf("%s of %s is for the race detector, and the package is not in %s", f.Name.Name, pkg, raceList)
			}
		}
	})
	for _, pkg := range list {
		if !have[pkg] {
			t.Errorf("%s is in %s and has no test whose name ends in %s", pkg, raceList, atOnce)
		}
	}
}

// raced returns the packages of the list.
func raced(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(raceList)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// sources calls each for all source files but those of e2e.
func sources(t *testing.T, each func(pkg string, source *ast.File, test bool)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
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
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err == nil {
			each(pkg, source, strings.HasSuffix(file, "_test.go"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
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
