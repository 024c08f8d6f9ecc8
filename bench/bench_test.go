package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// ladder draws a long road with rungs, 100 m apart.
func ladder(t *testing.T, rungs int) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder()
	node := func(x, y int) graph.AddedNode { return graph.AddedNode(2*x + y) }
	for x := range rungs {
		for y := range 2 {
			b.AddNode(graph.NodeFacts{OSM: int64(2*x + y), Access: graph.AllModes, Position: geo.Point{Lon: 9 + float64(x)*0.001, Lat: 47 + float64(y)*0.001}.Fix()})
		}
	}
	road := func(from, to graph.AddedNode) {
		both := graph.Direction{Access: graph.AllModes, Speed: 50}
		b.AddSegment(graph.SegmentFacts{From: from, To: to, Class: graph.Residential, Forward: both, Backward: both}, []geo.Fixed{b.Node(from).Position, b.Node(to).Position})
	}
	for x := range rungs {
		road(node(x, 0), node(x, 1))
		if x > 0 {
			road(node(x-1, 0), node(x, 0))
			road(node(x-1, 1), node(x, 1))
		}
	}
	return b.Build()
}

func TestMaker(t *testing.T) {
	g := ladder(t, 200)
	draw := func(seed uint64) []Request {
		m := NewMaker(g, costing.Auto, seed)
		routes, err := m.Routes(t.Context(), 60)
		if err != nil {
			t.Fatal(err)
		}
		squares, err := m.Matrices(3, 7)
		if err != nil {
			t.Fatal(err)
		}
		drives, err := m.Traces(t.Context(), 5, 40, Noise{Metres: 5, Every: 2})
		if err != nil {
			t.Fatal(err)
		}
		return append(append(routes, squares...), drives...)
	}
	set := draw(1)
	if len(set) != 68 || !reflect.DeepEqual(set, draw(1)) || reflect.DeepEqual(set, draw(2)) {
		t.Errorf("%d requests; the same seed must draw the same, another another", len(set))
	}
	near, far := 0.0, 0.0
	for _, q := range set {
		if err := q.check(); err != nil {
			t.Errorf("%+v: %v", q, err)
		}
		apart := geo.Distance(q.Points[0].Point(), q.Points[1].Point())
		switch {
		case q.Kind == Trace:
			// 50 km/h for 2 s are 28 m; the noise rarely takes away or adds more than as much.
			if len(q.Points) < 10 || len(q.Points) > 40 || apart > 90 {
				t.Errorf("a drive of %d positions, %f m apart", len(q.Points), apart)
			}
		case q.Rank == lowestRank:
			near = max(near, apart)
		case q.Rank == 9:
			far = max(far, apart)
		}
	}
	if near == 0 || far <= near {
		t.Errorf("pairs of rank %d are up to %f m apart, of rank 9 %f", lowestRank, near, far)
	}
	var file bytes.Buffer
	if err := Write(&file, set); err != nil {
		t.Fatal(err)
	}
	if again, err := Read(&file); err != nil || !reflect.DeepEqual(again, set) {
		t.Errorf("a set is another after it was written: %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":  "no requests",
		"{": "line 1",
		`{"kind":"swim","points":[[1,2],[3,4]],"costing":"auto"}`:   "swim",
		"\n" + `{"kind":"route","points":[[1,2]],"costing":"auto"}`: "line 2: 1 points",
		`{"kind":"route","points":[[1,2],[3,94]],"costing":"auto"}`: "points[1]",
		`{"kind":"route","points":[[1,2],[3,4]]}`:                   "costing",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"kind":"route","points":[[1,2],[3,4]],"costing":"auto"}`)
	f.Fuzz(func(t *testing.T, text string) {
		set, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for i := range set {
			if path := osrmPath(&set[i]); !strings.HasPrefix(path, "/") {
				t.Errorf("%q", path)
			}
		}
	})
}

func TestParseServer(t *testing.T) {
	s, err := ParseServer("mine=waygate@http://127.0.0.1:8080/,key=wg_x,pid=7")
	if err != nil || s.Name != "mine" || s.Protocol != Waygate || s.Address != "http://127.0.0.1:8080" || s.Key != "wg_x" || s.PID != 7 {
		t.Errorf("%+v %v", s, err)
	}
	if s, err = ParseServer("osrm=http://localhost:5000"); err != nil || s.Name != "osrm" || s.Protocol != OSRM {
		t.Errorf("%+v %v", s, err)
	}
	for _, bad := range []string{"", "waygate", "google=http://x", "waygate=localhost", "waygate=http://x,pid=none", "waygate=http://x,colour=red"} {
		if _, err := ParseServer(bad); err == nil {
			t.Errorf("%q is a server", bad)
		}
	}
}

// line returns one along the equator, between two metres.
func line(from, to float64, north float64) []geo.Point {
	const degree = 111_195
	return []geo.Point{{Lon: from / degree, Lat: north / degree}, {Lon: to / degree, Lat: north / degree}}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b []geo.Point
		want float64
	}{
		{line(0, 1000, 0), line(0, 1000, 0), 1},
		{line(0, 1000, 0), line(0, 1000, 10), 1},
		{line(0, 1000, 0), line(0, 1000, 200), 0},
		{line(0, 1000, 0), line(500, 1500, 0), 0.5},
		{line(0, 1000, 0), line(0, 500, 0), 1},
		{line(0, 500, 0), line(0, 1000, 0), 0.5},
	} {
		if got := Overlap(c.a, c.b); math.Abs(got-c.want) > 0.06 {
			t.Errorf("%v and %v share %f, want %f", c.a, c.b, got, c.want)
		}
	}
}

func TestSameLength(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want bool
	}{{100, 149, true}, {100, 151, false}, {10_000, 10_190, true}, {10_000, 10_250, false}, {0, 0, true}} {
		if SameLength(c.a, c.b) != c.want {
			t.Errorf("%f and %f", c.a, c.b)
		}
	}
}

// echo answers every route with a straight line, slower by a factor, and
// refuses every request whose costing is truck.
func echo(t *testing.T, factor float64) *Server {
	t.Helper()
	self := &Server{PID: os.Getpid()}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The kernel counts the time of a thread that runs at its ticks: each answer takes one.
		for before := self.Processor(); before > 0 && self.Processor() == before; {
		}
		var q struct {
			Costing   string
			Locations []struct{ Lon, Lat float64 }
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Costing == "truck" || r.Header.Get("Authorization") != "Bearer k" {
			http.Error(w, "no lorries here", http.StatusBadRequest)
			return
		}
		ends := []geo.Point{{Lon: q.Locations[0].Lon, Lat: q.Locations[0].Lat}, {Lon: q.Locations[1].Lon, Lat: q.Locations[1].Lat}}
		metres := geo.Distance(ends[0], ends[1])
		_, _ = fmt.Fprintf(w, `{"trip":{"summary":{"time":%f,"length":%f},"legs":[{"shape":%q}]}}`, metres/10*factor, metres/1000, geo.EncodePolyline(ends, 6))
	})
	address := httptest.NewServer(h)
	t.Cleanup(address.Close)
	s, err := ParseServer(fmt.Sprintf("s%.0f=waygate@%s,key=k", 10*factor, address.URL))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRunAtOnce(t *testing.T) {
	set, err := NewMaker(ladder(t, 100), costing.Auto, 3).Routes(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	lorry := set[0]
	lorry.Costing = "truck"
	set = append(set, lorry)
	results, err := Run(t.Context(), set, Plan{Servers: []*Server{echo(t, 1), echo(t, 1.2)}, Clients: 3, Repeat: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if len(r.Took) != 40 || r.Failed != 2 || !strings.Contains(r.Example, "no lorries") || r.Quantile(0.5) <= 0 || r.Quantile(0.99) < r.Quantile(0.5) {
			t.Errorf("%s: %d answered, %d failed: %s", r.Server.Name, len(r.Took), r.Failed, r.Example)
		}
	}
	a := results[1].Agreement
	if a.Requests != 20 || a.Lengths != 20 || a.Times != 0 || len(a.Differences) != 20 || a.SameWay(0.9) != 1 || math.Abs(a.SumOwn/a.SumOther-1/1.2) > 1e-3 {
		t.Errorf("%+v", a)
	}
	var report bytes.Buffer
	if err := Report(&report, results, 2); err != nil || strings.Count(report.String(), "% shared") != 2 || !strings.Contains(report.String(), "s12") {
		t.Errorf("%v\n%s", err, &report)
	}
	worst := a.Worst(1)[0]
	if !strings.Contains(report.String(), fmt.Sprintf("request %d, auto [[", worst.Number)) || !reflect.DeepEqual(set[worst.Number-1].Points, worst.Request.Points) {
		t.Errorf("request %d is not the reported one: %s", worst.Number, &report)
	}
	if !strings.HasPrefix(results[0].Example, "request 21: ") {
		t.Errorf("the failure of the last of 21 requests is reported as %s", results[0].Example)
	}
}

// TestTracesAreTold reports a difference on a recorded drive of 500 positions in a line
// that a person can read, with the number by which it is found in the set.
func TestTracesAreTold(t *testing.T) {
	q := &Request{Kind: Trace, Costing: "auto"}
	for i := range 500 {
		q.Points = append(q.Points, Position{float64(i) / 1000, 51})
	}
	second := &Result{Server: &Server{Name: "b"}}
	second.Agreement.add(7, q, &Answer{Metres: 1000, Seconds: 100}, &Answer{Metres: 2000, Seconds: 100})
	var report bytes.Buffer
	if err := Report(&report, []*Result{{Server: &Server{Name: "a"}}, second}, 1); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(report.String()) {
		if len(line) > 300 {
			t.Errorf("a line of %d bytes: %.200s", len(line), line)
		}
	}
	if want := "request 7, auto 500 positions from [0 51] to [0.499 51]"; !strings.Contains(report.String(), want) {
		t.Errorf("%s is not in %s", want, &report)
	}
}

func TestBlocksOfAllServersAreAlike(t *testing.T) {
	set, err := NewMaker(ladder(t, 100), costing.Auto, 3).Routes(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	one, two := echo(t, 1), echo(t, 1.2)
	one.PID = os.Getpid() // the servers of this test are in its process
	results, err := Run(t.Context(), set, Plan{Servers: []*Server{one, two}, Repeat: 3, Block: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		var sizes []int
		for _, b := range r.Blocks {
			sizes = append(sizes, b.Requests)
		}
		if want := []int{8, 8, 4, 8, 8, 4, 8, 8, 4}; !slices.Equal(sizes, want) || len(r.Took) != 60 {
			t.Errorf("%s: blocks of %v, %d answered", r.Server.Name, sizes, len(r.Took))
		}
		if r == results[1] && (r.Processor() != Spread{} || r.Times(results[0]) != Spread{}) {
			t.Errorf("%s: processor time of a process that is not known", r.Server.Name)
		}
	}
	if _, err := os.Stat("/proc/self/task"); err == nil && results[0].Processor().Median <= 0 {
		t.Error("no processor time of a process that is known")
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want Spread
	}{
		{nil, Spread{}}, {[]float64{3}, Spread{3, 3, 3}}, {[]float64{5, 1, 3}, Spread{2, 3, 4}}, {[]float64{4, 1, 2, 3}, Spread{1.75, 2.5, 3.25}},
	} {
		if got := spreadOf(c.of); got != c.want {
			t.Errorf("%v: %v, want %v", c.of, got, c.want)
		}
	}
	first := &Result{Blocks: []Block{{1, 10}, {1, 20}, {1, 0}}}
	if got := (&Result{Blocks: []Block{{1, 30}, {1, 20}, {1, 5}}}).Times(first); math.Abs(got.Median-2) > 1e-9 || math.Abs(got.Low-1.5) > 1e-9 || math.Abs(got.High-2.5) > 1e-9 {
		t.Errorf("%+v", got)
	}
}

func TestVariants(t *testing.T) {
	m := NewMaker(ladder(t, 100), costing.Auto, 3)
	set, err := m.Routes(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	Variant{Alternates: 2, Departure: "2026-03-04T08:00", Polygon: 500, NewOptions: true}.Apply(set)
	seen := map[string]bool{}
	for _, q := range append(anew(set, 0, len(set), 0), anew(set[4:], 4, len(set), 1)...) {
		_, body := valhallaBody(&q)
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		if body["alternates"] != 2 || body["date_time"] == nil || len(body["exclude_polygons"].([][]Position)[0]) != 5 || body["locations"] == nil {
			t.Errorf("%s", text)
		}
		options, err := json.Marshal(q.Options)
		if err != nil || seen[string(options)] {
			t.Errorf("options %s again (%v)", options, err)
		}
		seen[string(options)] = true
	}
	rings, err := m.Isochrones(2, 10)
	if err != nil {
		t.Fatal(err)
	}
	Variant{Polygon: 500, NewVehicle: true}.Apply(rings)
	other := anew(rings, 0, len(rings), 1)
	for i, q := range anew(rings, 0, len(rings), 0) {
		ring := q.Body["exclude_polygons"].([][]Position)[0]
		if away := geo.Distance(ring[0].Point(), q.Points[0].Point()); away < 500 || away > 2000 {
			t.Errorf("a corner of the square is %.0f m from the place", away)
		}
		if q.Options["height"] == nil || maps.Equal(q.Options, other[i].Options) {
			t.Errorf("the vehicles are %v and %v", q.Options, other[i].Options)
		}
	}
	var text bytes.Buffer
	if err := Write(&text, append(rings, set...)); err != nil {
		t.Fatal(err)
	}
	if back, err := Read(&text); err != nil || len(back) != 12 || back[0].Minutes != 10 {
		t.Errorf("%d requests came back: %v", len(back), err)
	}
}
