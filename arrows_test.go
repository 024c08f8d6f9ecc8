package waygate

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/waygate/waygate/"

// arrows is the architecture: who may import whom. "road/..." is a room with
// everything in it, "engine" that one package. The longest rule that covers a
// package holds; "" is none of ours. A row uses only rows above it and its
// own folder, so there are no cycles between rooms.
var arrows = [][2]string{
	{"geo", ""},
	{"geo/proj", ""},
	{"geo/corridor", "geo"},
	{"fault", ""},
	{"parallel", ""},
	{"hours/...", "hours geo"},
	{"realdata", ""},
	{"waittest", ""},
	{"web", ""},
	{"store/...", "store fault"},
	{"costing/...", "costing fault"},
	{"osm", "geo fault parallel"},
	{"osm/osmtest", "osm geo"},
	{"region", "geo fault"},
	{"region/regiontest", "region"},
	{"guidance/...", "guidance geo"},
	{"road/...", "hours/... costing road/... guidance region geo fault parallel"},
	{"ev/...", "ev ev/preset"},
	{"fleet", "parallel"},
	{"upstream", "fault"},
	{"fleet/vroom", "fleet upstream fault"},
	{"fleet/vroom/vroomtest", "fleet"},
	{"index/...", "index/... region osm geo fault"},
	{"internet", ""},
	{"feed/...", "feed/... internet index/timezone road/link road/openlr realdata geo geo/corridor fault parallel"},
	{"style", "index/..."},
	{"blob", "internet"},
	{"territory", "blob index/... region geo"},
	{"engine", "guidance costing geo fault"},
	{"wire/json", "geo"},
	{"wire/country", ""},
	{"wire/schema", "engine geo fault"},
	{"wire/schema/schematest", ""},
	{"wire/osrm", "wire/schema wire/json wire/country guidance/... costing engine geo fault"},
	{"wire/native", "wire/osrm wire/schema wire/json wire/country guidance/... costing engine geo fault"},
	{"engine/counted", "engine"},
	{"engine/scheduled", "engine fault parallel"},
	{"engine/valhalla", "wire/native wire/osrm wire/json costing engine upstream geo fault"},
	{"engine/embedded", "costing engine road/... guidance/... region geo fault parallel"},
	{"render", "parallel"},
	{"feature/*", "fleet render territory internet blob hours costing engine guidance/... index/... style store geo geo/proj fault parallel feed/... geo/corridor ev"},
	{"idn", ""},
	{"outbox", "idn internet store fault parallel"},
	{"outbox/outboxtest", ""},
	{"job", "store fault parallel"},
	{"account/...", "account/... idn outbox store fault parallel"},
	{"sample", "osm geo"},
	{"importer/importertest", "importer osm sample realdata"},
	{"importer/...", "costing importer/... road/... index/... region osm geo geo/proj fault parallel"},
	{"towntest", "importer/... region osm geo"},
	{"engine/enginetest", "wire/native costing towntest realdata osm engine geo fault"},
	{"bench/...", "fleet costing osm road/... geo parallel"},
	{"world", "feed/... road/overlay road/link road/graph geo/corridor costing engine engine/counted engine/scheduled engine/embedded feature/along/... feature/watch feature/landmarks feature/tiles guidance/narrate index/... region geo fault parallel"},
	{"api/edge", "account/... world engine engine/scheduled wire/json wire/schema geo fault parallel feed/..."},
	{"api/record", "account/..."},
	{"api/*", "job store outbox fleet hours/holiday costing api/edge api/record world style territory feature/... engine engine/... wire/... account/... geo fault feed/... ev/..."},
	{"api", "feature/optimise job api/... world engine/scheduled account/... feature/boundary feature/elevation feature/feedback feature/staticmap feature/styles feature/territories feature/places feature/geocode feed/... geo"},
	{"api/apitest", "feature/optimise fleet/vroom fleet/vroom/vroomtest api/plan job api api/edge world store/... outbox account/... feature/feedback feature/styles feature/landmarks feature/places feature/geocode index/landmark engine engine/counted engine/scheduled engine/embedded towntest costing geo fault feed/... wire/schema/schematest"},
	{"cmd/...", "job costing cmd/... api api/... wire/native world bench/... fleet fleet/vroom feature/... engine engine/... guidance/... road/... account/... outbox index/... importer/... render territory blob sample web region osm store geo fault parallel feed/... geo/corridor"},
	{"e2e", "geo"},
	{"e2e/clients", ""},
}

// folders hold no Go packages of the architecture.
var folders = []string{"docs", "deploy", "scripts", "bin", "data", "dist", "shared"}

// covers reports whether a rule is for a package. "feature/*" is one feature
// and what lies below it.
func covers(rule, pkg string) bool {
	if room, ok := strings.CutSuffix(rule, "/*"); ok {
		return strings.HasPrefix(pkg, room+"/")
	}
	room, all := strings.CutSuffix(rule, "/...")
	return pkg == room || all && strings.HasPrefix(pkg, room+"/")
}

// rule finds the row for a package.
func rule(pkg string) (name, uses string, ok bool) {
	for _, row := range arrows {
		if covers(row[0], pkg) && len(row[0]) >= len(name) {
			name, uses, ok = row[0], row[1], true
		}
	}
	return name, uses, ok
}

// allowed reports whether a package may import another under a row.
func allowed(name, uses, pkg, imported string) bool {
	if name == "feature/*" && own(pkg) == own(imported) {
		return true // below its own feature; siblings never
	}
	if imported == "waittest" && strings.HasSuffix(pkg, "test") {
		return true // what is for tests waits as they do
	}
	return slices.ContainsFunc(strings.Fields(uses), func(use string) bool { return covers(use, imported) })
}

// own is the feature a package belongs to: feature/x of feature/x/y.
func own(pkg string) string {
	parts := strings.SplitN(pkg, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

func TestRowsUseRowsAbove(t *testing.T) {
	for i, row := range arrows {
		for use := range strings.FieldsSeq(row[1]) {
			room := strings.TrimSuffix(use, "/...")
			found := slices.ContainsFunc(arrows[:i+1], func(above [2]string) bool {
				return covers(above[0], room) || strings.HasPrefix(above[0], room+"/")
			})
			if !found {
				t.Errorf("%s uses %s, which is not above it", row[0], use)
			}
		}
	}
}

func TestArrows(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(t, file, d.Name())
		}
		pkg := filepath.ToSlash(filepath.Dir(file))
		if !strings.HasSuffix(file, ".go") || pkg == "." {
			return nil
		}
		name, uses, ok := rule(pkg)
		if !ok {
			t.Errorf("%s: no such room; add it to arrows and ARCHITECTURE.md", pkg)
			return nil
		}
		used[name] = true
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		imports, err := ours(file)
		for _, imported := range imports {
			if !allowed(name, uses, pkg, imported) {
				t.Errorf("%s may not import %s (%s may use: %s)", file, imported, name, uses)
			}
			if strings.HasSuffix(imported, "test") && !strings.HasSuffix(pkg, "test") {
				t.Errorf("%s imports %s, which is for tests", file, imported)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range arrows {
		if !used[row[0]] {
			t.Errorf("%s has a row, and no package is there that it is for", row[0])
		}
	}
}

// enter skips what is no part of the architecture and reports folders that
// nobody has told of.
func enter(t *testing.T, path, name string) error {
	switch {
	case path == ".":
		return nil
	case strings.HasPrefix(name, "."), name == "testdata", name == "node_modules", slices.Contains(folders, path):
		return filepath.SkipDir
	case !strings.ContainsRune(filepath.ToSlash(path), '/') && !known(name):
		t.Errorf("%s: no such room; add it to arrows and ARCHITECTURE.md", name)
	}
	return nil
}

func known(room string) bool {
	return slices.ContainsFunc(arrows, func(row [2]string) bool { return row[0] == room || strings.HasPrefix(row[0], room+"/") })
}

// ours lists the packages of this module that a file imports.
func ours(file string) ([]string, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if imported, is := strings.CutPrefix(path, module); is {
			all = append(all, imported)
		}
	}
	return all, nil
}

// textless are the rooms that know no format: what they give is values, and
// somebody else's to write.
var textless = []string{"guidance/...", "road/...", "fleet", "engine/counted", "engine/scheduled", "engine/embedded"}

func TestOnlyWireKnowsText(t *testing.T) {
	files := 0
	for _, room := range textless {
		top, whole := strings.CutSuffix(room, "/...")
		err := filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && file != top && !whole {
				return filepath.SkipDir
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			files++
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, spec := range f.Imports {
				if spec.Path.Value == `"encoding/json"` {
					t.Errorf("%s imports encoding/json; text is read and written in wire", file)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Fatalf("looked at %d files only", files)
	}
}

func TestSiblingsStayApart(t *testing.T) {
	name, uses, _ := rule("feature/coordinates")
	for imported, want := range map[string]bool{"geo/proj": true, "feature/adr": false, "engine": true, "engine/embedded": false, "api": false} {
		if got := allowed(name, uses, "feature/coordinates", imported); got != want {
			t.Errorf("feature/coordinates importing %s: %v", imported, got)
		}
	}
}
