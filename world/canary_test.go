package world

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/towntest"
)

func TestQuestions(t *testing.T) {
	const good = `{"costing":"auto","locations":[{"lat":51.5,"lon":-1.5},{"lat":51.6,"lon":-1.5}]}`
	if list, err := parseQuestions([]byte(good + "\n\n" + good)); err != nil || len(list) != 2 || list[0].Costing != costing.Auto || list[0].Locations[1].Lat != 51.6 {
		t.Errorf("%+v %v", list, err)
	}
	for text, want := range map[string]string{
		"":  "no questions",
		"{": "line 1",
		good + "\n" + strings.Replace(good, "auto", "car", 1): "line 2: \"car\" is no costing",
		strings.Replace(good, "51.6", "516", 1):               "locations[1]",
		strings.Replace(good, `"lat":51.6,`, "", 1):           "locations[1]",
		`{"costing":"auto","locations":[{"lat":1,"lon":1}]}`:  "two locations",
		strings.Repeat(good+"\n", mostQuestions+1):            "more than 1000",
	} {
		if list, err := parseQuestions([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v %v, want %q", text, list, err, want)
		}
	}
}

func FuzzQuestions(f *testing.F) {
	f.Add([]byte(`{"costing":"auto","locations":[{"lat":51.5,"lon":-1.5},{"lat":51.6,"lon":-1.5}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parseQuestions(text)
		for _, q := range list {
			if err != nil || len(q.Locations) < 2 || !q.Costing.Known() {
				t.Errorf("%+v", q)
			}
		}
	})
}

// TestABadRegionNeverServes swaps ten regions under canary questions: those that answer as the
// one before take its place, and one without a road that the questions need never serves.
func TestABadRegionNeverServes(t *testing.T) {
	good := towntest.Draw(t, "a---b\n|   |\nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	bad := towntest.Draw(t, "a   b\n|   |\nc---d", towntest.Ways{{"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	dir := t.TempDir()
	seal(t, good, dir)
	at := func(a, b string) []geo.Point { return []geo.Point{good.Point(a), good.Point(b)} }
	questions := []Question{{costing.Auto, at("a", "b")}, {costing.Pedestrian, at("c", "d")}}
	set, err := Open(Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: questions, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	for i := range 10 {
		town, want := good, i%3 != 1
		if !want {
			town = bad
		}
		seal(t, town, dir)
		if err := set.replace(0); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "1 of 2 questions") {
			t.Errorf("swap %d: %v, want it in service %v", i+1, err, want)
		}
		w, done := set.Acquire()
		if r, err := answerTo(w.Regions()[0].Engine, &questions[0]); err != nil || r.Metres > 450 {
			t.Errorf("after swap %d: %+v %v", i+1, r, err)
		}
		done()
	}
}

// TestBackWhenErrorsRise takes a region into service that passes the questions and fails other
// calls: the one before is back after these, stays open until then, and is closed at the end.
func TestBackWhenErrorsRise(t *testing.T) {
	good := towntest.Draw(t, "a---b\n|    \nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}})
	bad := towntest.Draw(t, "a---b\n     \nc---d", towntest.Ways{{"ab", "primary"}, {"cd", "primary"}})
	dir := t.TempDir()
	seal(t, good, dir)
	passes := Question{costing.Auto, []geo.Point{good.Point("a"), good.Point("b")}}
	other := Question{costing.Auto, []geo.Point{good.Point("a"), good.Point("d")}}
	refused := 0
	set, err := Open(Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: []Question{passes}, Log: slog.New(slog.DiscardHandler), Swapped: func(bool) { refused++ }})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(n int) (failed int) {
		w, done := set.Acquire()
		defer done()
		for range n {
			if _, err := answerTo(w.Regions()[0].Engine, &other); err != nil {
				failed++
			}
		}
		return failed
	}
	if failed := ask(20); failed != 0 {
		t.Fatalf("%d calls fail", failed)
	}
	seal(t, bad, dir)
	if err := set.replace(0); err != nil {
		t.Fatal(err)
	}
	if failed := ask(leastCalls - 1); failed != leastCalls-1 {
		t.Fatalf("%d calls fail", failed)
	}
	if set.probation(0); ask(1) != 1 || refused != 0 {
		t.Fatal("the region before is back after fewer calls than judge it")
	}
	if set.probation(0); ask(20) != 0 || refused != 1 {
		t.Errorf("the region before is not back (%d swaps)", refused)
	}
	seal(t, good, dir)
	if err := set.replace(0); err != nil {
		t.Fatal(err)
	}
	if failed := ask(mostCalls); failed != 0 {
		t.Errorf("%d calls fail", failed)
	}
	set.probation(0)
	if n := len(set.inUse); n != 1 {
		t.Errorf("%d regions are open after the probation", n)
	}
	set.Close()
	if n := len(set.inUse); n != 0 {
		t.Errorf("%d regions are open at the end", n)
	}
}

// seal puts the region of a town into a folder, as an import does.
func seal(t *testing.T, town *towntest.Town, dir string) {
	t.Helper()
	from := town.Region(t).Dir
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string) {
		to := filepath.Join(dir, name)
		data, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(to+".new", data, 0o600)
		}
		if err == nil {
			err = os.Rename(to+".new", to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range entries {
		if !e.IsDir() && e.Name() != region.ManifestName {
			put(e.Name())
		}
	}
	put(region.ManifestName)
}
