package world

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/canary"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
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
		if err := set.replace(t.Context(), 0); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "answers 1 of 2 questions") {
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
	if err := set.replace(t.Context(), 0); err != nil {
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
	if err := set.replace(t.Context(), 0); err != nil {
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
	good, bad, worse := streets("50", 0), streets("50", 6), streets("50", 7)
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
	if err := set.replace(t.Context(), 0); err == nil || !strings.Contains(err.Error(), "questions otherwise") {
		t.Fatalf("the bad region is taken: %v", err)
	}
	serves("Good", "it was turned down on")
	if err := set.replace(t.Context(), 0); refusalOf(err) == nil {
		t.Errorf("at the second look: %v", err)
	}
	restart()
	serves("Good", "it was turned down on")
	imported(t, dir, "town", "Worse", worse)
	if err := set.replace(t.Context(), 0); err == nil || refusalOf(err) != nil {
		t.Errorf("the worse region: %v", err)
	}
	restart()
	serves("Good", "it was turned down on")
	if err := region.Accept(dir); err != nil {
		t.Fatal(err)
	}
	if err := set.replace(t.Context(), 0); err != nil {
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

// streets draws a town of twelve streets each way, 200 m apart, with a limit of speed. No street
// leads over the line before column cut; 0 cuts none.
func streets(limit string, cut int) *towntest.Town {
	const n = 12
	data := &osm.Data{}
	id := func(x, y int) int64 { return int64(1 + y*n + x) }
	way := func(nodes []int64) {
		if len(nodes) > 1 {
			data.Ways = append(data.Ways, osm.Way{ID: int64(1 + len(data.Ways)), Version: 1, Nodes: nodes, Tags: osm.Tags{{Key: "highway", Value: "primary"}, {Key: "maxspeed", Value: limit}}})
		}
	}
	for y := range n {
		var row, column []int64
		for x := range n {
			at := corner(float64(x), float64(y)).Fix()
			data.Nodes = append(data.Nodes, osm.Node{ID: id(x, y), Version: 1, Lon: at.Lon, Lat: at.Lat})
			row, column = append(row, id(x, y)), append(column, id(y, x))
		}
		way(row[:cut])
		way(row[cut:])
		way(column)
	}
	return towntest.Of(data)
}

// corner returns a place in the town of streets.
func corner(x, y float64) geo.Point { return geo.Point{Lon: 9 + x*0.0027, Lat: 47 + y*0.0018} }

// TestVerdictsThatDoNotCount opens a folder whose region was turned down: it is served where the
// verdicts cannot be read, as after a full disk, and where no region is compared; else the error
// names the folder. What another server has turned down is noted.
func TestVerdictsThatDoNotCount(t *testing.T) {
	dir := t.TempDir()
	imported(t, dir, "town", "Town", grid(t, "a---b\n|   |\nc---d", towntest.England))
	m, err := region.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func() {
		t.Helper()
		if err := region.Refuse(dir, region.Refusal{Hash: m.Hash(), Reason: "answers otherwise"}); err != nil {
			t.Fatal(err)
		}
	}
	serves := func(on bool) error {
		set, err := Open(Options{Dirs: []string{dir}, Canary: Canary{On: on}, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			set.Close()
		}
		return err
	}
	refuse()
	if err := serves(true); err == nil || !strings.Contains(err.Error(), dir+" is not served: it was turned down on") || !strings.Contains(err.Error(), "waygate verify --accept") {
		t.Errorf("the only region was turned down: %v", err)
	}
	if err := serves(false); err != nil {
		t.Errorf("no region is compared: %v", err)
	}
	if _, release, err := OpenFolder(dir, t.Output()); err != nil {
		t.Errorf("without a server: %v", err)
	} else {
		release()
	}
	if err := os.WriteFile(filepath.Join(dir, region.VerdictsName), []byte(`{"refused": [{"hash`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := serves(true); err != nil {
		t.Errorf("half of the verdicts: %v", err)
	}
	set, err := Open(Options{Dirs: []string{dir}, Canary: Canary{On: true}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	imported(t, dir, "town", "New Town", grid(t, "a----b\n|    |\nc----d", towntest.England))
	if m, err = region.ReadManifest(dir); err != nil {
		t.Fatal(err)
	}
	refuse()
	err = set.replace(t.Context(), 0)
	w, done := set.Acquire()
	defer done()
	if refusalOf(err) == nil || !strings.Contains(w.Regions()[0].Notice(), "as it answers otherwise") {
		t.Errorf("turned down by another server: %v, %q", err, w.Regions()[0].Notice())
	}
}

// TestLiveClosuresDoNotCount imports a region anew while a feed closes all but one of the streets
// between its halves: the new one, to whose roads no feed is applied so far, agrees.
func TestLiveClosuresDoNotCount(t *testing.T) {
	dir := t.TempDir()
	imported(t, dir, "town", "Town", streets("50", 0))
	set, err := Open(Options{Dirs: []string{dir}, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	w, done := set.Acquire()
	defer done()
	e := w.Regions()[0].embedded
	var closed []overlay.Change
	for edge := range graph.Edge(e.Edges()) {
		line := e.LineOf(edge)
		a, b, middle := line[0], line[len(line)-1], corner(5.5, 0.5)
		if (a.Lon < middle.Lon) != (b.Lon < middle.Lon) && a.Lat > middle.Lat {
			closed = append(closed, overlay.Change{Edge: edge, Closed: true})
		}
	}
	e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Changes: closed}, nil))
	way := &engine.RouteRequest{Costing: costing.Auto, Locations: engine.Stops([]geo.Point{corner(4, 11), corner(7, 11)})}
	if a, err := e.Route(t.Context(), way); err != nil || a.Routes[0].Metres < 4000 {
		t.Fatalf("a closed street is travelled: %+v %v", a, err)
	}
	if err := set.replace(t.Context(), 0); err != nil {
		t.Error(err)
	}
}

// TestNoVerdictWhileItEnds has the server end while a new region answers: no verdict is kept.
func TestNoVerdictWhileItEnds(t *testing.T) {
	good, bad := streets("50", 0), streets("50", 6)
	dir := t.TempDir()
	imported(t, dir, "town", "Good", good)
	set, err := Open(Options{Dirs: []string{dir}, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler), Swapped: func(bool) { t.Error("a swap is counted") }})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	imported(t, dir, "town", "Bad", bad)
	gone, leave := context.WithCancel(t.Context())
	leave()
	set.reload(gone, 0)
	if v, err := region.ReadVerdicts(dir); err != nil || len(v.Refused) > 0 {
		t.Errorf("%+v %v", v, err)
	}
	if n := len(set.inUse); n != 1 {
		t.Errorf("%d regions are open", n)
	}
}

// TestOtherSpeeds imports a region anew with other speeds of the same roads, as a newer extract or
// another version of the gateway makes them: it is taken, and one that is cut in halves is not.
func TestOtherSpeeds(t *testing.T) {
	for _, c := range []struct {
		name  string
		town  *towntest.Town
		taken bool
	}{
		{"other speeds", streets("70", 0), true},
		{"halves", streets("50", 6), false},
	} {
		dir := t.TempDir()
		imported(t, dir, "town", "Slow", streets("50", 0))
		set, err := Open(Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		imported(t, dir, "town", "Next", c.town)
		if err := set.replace(t.Context(), 0); (err == nil) != c.taken {
			t.Errorf("%s: %v", c.name, err)
		}
		set.Close()
	}
}

// TestFailuresOfOthers checks which failures of calls a region is blamed for.
func TestFailuresOfOthers(t *testing.T) {
	busy := fault.New(fault.UpstreamUnavailable, "busy").With("retry_after", 1)
	for _, c := range []struct {
		err           error
		calls, failed int64
	}{
		{nil, 1, 0},
		{engine.Refused(engine.CodeNoRoute, "no way"), 1, 1},
		{fault.New(fault.Internal, "a defect"), 1, 1},
		{busy, 0, 0},
		{fault.New(fault.BadRequest, "no place"), 0, 0},
		{fault.New(fault.UpstreamUnavailable, "no server"), 0, 0},
		{fault.New(fault.UpstreamTimeout, "no answer"), 0, 0},
		{fault.New(fault.Upstream, "it failed").With("upstream_status", 503), 0, 0},
	} {
		now := &tally{}
		now.observe(t.Context(), "", engine.CallRoute, 0, c.err)
		if now.calls.Load() != c.calls || now.failed.Load() != c.failed {
			t.Errorf("%v: %d calls, %d failed", c.err, now.calls.Load(), now.failed.Load())
		}
	}
}

// TestFewCallsAreNoMeasure judges regions beside ones that have had few calls or many.
func TestFewCallsAreNoMeasure(t *testing.T) {
	for _, c := range []struct {
		before, failed, calls, failing int64
		worse                          bool
	}{
		{0, 0, 100, 20, false},
		{10, 0, 100, 59, false},
		{0, 0, 100, 61, true},
		{1000, 0, 100, 20, true},
		{1000, 150, 100, 20, false},
		{0, 0, leastCalls - 1, leastCalls - 1, false},
	} {
		before, now := &tally{}, &tally{}
		before.calls.Store(c.before)
		before.failed.Store(c.failed)
		now.calls.Store(c.calls)
		now.failed.Store(c.failing)
		now.compare(before, nil)
		if now.worse() != c.worse {
			t.Errorf("%+v", c)
		}
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
	if err := set.replace(t.Context(), 0); err != nil {
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
// and are of several costings, and that there are none of a region with few junctions.
func TestDrawnQuestions(t *testing.T) {
	e, err := embedded.New(streets("50", 0).Region(t))
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
