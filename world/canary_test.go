package world

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/canary"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// TestABadRegionNeverServes swaps ten regions under canary questions: those that answer as the
// one before take its place, and one without a road that the questions need never serves.
func TestABadRegionNeverServes(t *testing.T) {
	good := towntest.Draw(t, "a---b\n|   |\nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	bad := towntest.Draw(t, "a   b\n|   |\nc---d", towntest.Ways{{"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	dir := t.TempDir()
	seal(t, good, dir)
	at := func(a, b string) []geo.Point { return []geo.Point{good.Point(a), good.Point(b)} }
	questions := []canary.Question{{Costing: costing.Auto, Locations: at("a", "b")}, {Costing: costing.Pedestrian, Locations: at("c", "d")}}
	set, err := Open(Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Questions: questions}, Log: slog.New(slog.DiscardHandler)})
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
		if err := set.replace(0); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "answers 1 of 2 questions") {
			t.Errorf("swap %d: %v, want it in service %v", i+1, err, want)
		}
		w, done := set.Acquire()
		if r, err := canary.Of(w.Regions()[0].Engine)(t.Context(), &questions[0]); err != nil || r.Metres > 450 {
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
	passes := canary.Question{Costing: costing.Auto, Locations: []geo.Point{good.Point("a"), good.Point("b")}}
	other := canary.Question{Costing: costing.Auto, Locations: []geo.Point{good.Point("a"), good.Point("d")}}
	refused := 0
	set, err := Open(Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Questions: []canary.Question{passes}}, Log: slog.New(slog.DiscardHandler), Swapped: func(bool) { refused++ }})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(n int) (failed int) {
		w, done := set.Acquire()
		defer done()
		for range n {
			if _, err := canary.Of(w.Regions()[0].Engine)(t.Context(), &other); err != nil {
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

// TestARefusedRegionStaysOut turns a region down by questions drawn from the one in service:
// it is not served after a restart either, the next import over it leaves the good one to fall
// back on, and its operator may have it served.
func TestARefusedRegionStaysOut(t *testing.T) {
	ways := towntest.Ways{{"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}}
	good := towntest.Draw(t, "a---b\n|   |\nc---d", append(ways, towntest.Ways{{"ab", "primary"}}...))
	bad, worse := towntest.Draw(t, "a   b\n|    \nc   d", ways[:1]), towntest.Draw(t, "a   b\n     \nc---d", ways[1:2])
	dir := t.TempDir()
	options := Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler)}
	var set *Set
	restart := func() {
		t.Helper()
		if set != nil {
			set.Close()
		}
		var err error
		if set, err = Open(options); err != nil {
			t.Fatal(err)
		}
	}
	serves := func(name, newer string) {
		t.Helper()
		w, done := set.Acquire()
		defer done()
		if r := w.Regions()[0]; r.Name != name || !strings.Contains(r.Notice(), newer) || newer == "" && r.Notice() != "" || r.Trouble() != "" {
			t.Errorf("in service is %s with the notices %q and %q, want %s and %q", r.Name, r.Notice(), r.Trouble(), name, newer)
		}
	}
	imported(t, dir, "town", "Good", good)
	restart()
	imported(t, dir, "town", "Bad", bad)
	if err := set.replace(0); err == nil || !strings.Contains(err.Error(), "questions otherwise") {
		t.Fatalf("the bad region is taken: %v", err)
	}
	serves("Good", "it was turned down on")
	if err := set.replace(0); refusalOf(err) == nil {
		t.Errorf("at the second look: %v", err)
	}
	restart()
	serves("Good", "it was turned down on")
	imported(t, dir, "town", "Worse", worse)
	if err := set.replace(0); err == nil || refusalOf(err) != nil {
		t.Errorf("the worse region: %v", err)
	}
	restart()
	serves("Good", "it was turned down on")
	if err := region.Accept(dir); err != nil {
		t.Fatal(err)
	}
	if err := set.replace(0); err != nil {
		t.Error(err)
	}
	serves("Worse", "")
	restart()
	serves("Worse", "")
	set.Close()
}

// TestARefusedRegionAlone opens a folder with nothing but a region that was turned down: it is
// out of service, and says why.
func TestARefusedRegionAlone(t *testing.T) {
	east, west := t.TempDir(), t.TempDir()
	imported(t, east, "east", "East", grid(t, "a---b\n|   |\nc---d", towntest.England))
	imported(t, west, "west", "West", grid(t, "a---b\n|   |\nc---d", towntest.Germany))
	m, err := region.ReadManifest(west)
	if err != nil {
		t.Fatal(err)
	}
	if err := region.Refuse(west, region.Refusal{Hash: m.Hash(), Reason: "answers otherwise"}); err != nil {
		t.Fatal(err)
	}
	set, err := Open(Options{Dirs: []string{east, west}, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	w, done := set.Acquire()
	defer done()
	if err := w.InService("west"); err == nil || !strings.Contains(err.Error(), "it was turned down") || !strings.Contains(w.Regions()[1].Trouble(), "as it answers otherwise; waygate verify --accept") {
		t.Errorf("%v, %q", err, w.Regions()[1].Trouble())
	}
}

// TestProbationEndsWithoutPolls has calls fail in a region on probation where folders are not
// looked at: the one before is back all the same.
func TestProbationEndsWithoutPolls(t *testing.T) {
	good := towntest.Draw(t, "a---b\n|    \nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}})
	bad := towntest.Draw(t, "a---b\n     \nc---d", towntest.Ways{{"ab", "primary"}, {"cd", "primary"}})
	dir := t.TempDir()
	imported(t, dir, "town", "Good", good)
	passes := canary.Question{Costing: costing.Auto, Locations: []geo.Point{good.Point("a"), good.Point("b")}}
	other := canary.Question{Costing: costing.Auto, Locations: []geo.Point{good.Point("a"), good.Point("d")}}
	set, err := Open(Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Questions: []canary.Question{passes}}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	imported(t, dir, "town", "Bad", bad)
	if err := set.replace(0); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	watching := make(chan struct{})
	go func() { set.Watch(ctx, nil, 0); close(watching) }()
	defer func() { stop(); <-watching }()
	for range leastCalls {
		w, done := set.Acquire()
		_, _ = canary.Of(w.Regions()[0].Engine)(t.Context(), &other) // fails, which is the point
		done()
	}
	seen(t, set, "the region before is back", func(w *World) bool { return w.Regions()[0].Name == "Good" })
	imported(t, dir, "town", "Late", towntest.Draw(t, "a---b\n|    \nc---d", towntest.Ways{{"ab", "primary name=Late"}, {"ac", "primary"}, {"cd", "primary"}}))
	waittest.Until(t, "the refusal is kept", func() bool {
		v, err := region.ReadVerdicts(dir)
		return err == nil && len(v.Refused) == 1 && strings.Contains(v.Refused[0].Reason, "fails 100 % of 50 calls")
	})
}

// TestDrawnQuestions checks that the questions drawn from a region are the same at every time
// and are of several costings.
func TestDrawnQuestions(t *testing.T) {
	town := towntest.Draw(t, "a---b\n|   |\nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	list := drawn(e, 1)
	by := map[costing.Costing]int{}
	for _, q := range list {
		by[q.Costing]++
	}
	if len(list) != mostDrawn || by[costing.Truck] == 0 || by[costing.Pedestrian] == 0 || !reflect.DeepEqual(list, drawn(e, 1)) {
		t.Errorf("%d questions, by costing %v", len(list), by)
	}
	if list := drawn(nil, 1); list != nil {
		t.Errorf("without a region: %v", list)
	}
	if list := drawn(e, leastJunctions); list != nil {
		t.Errorf("from a few streets: %v", list)
	}
}
