package match_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/road/snap"
)

// network is a real network with a car.
type network struct {
	g      *graph.Graph
	tree   *snap.Tree
	car    *profile.Costing
	search *search.Query
	random *rand.Rand
}

func county(tb testing.TB) *network {
	tb.Helper()
	return newNetwork(tb, importertest.County(tb))
}

// newNetwork reads the region in a folder.
func newNetwork(tb testing.TB, dir string) *network {
	tb.Helper()
	r := regiontest.Open(tb, dir)
	n := &network{random: rand.New(rand.NewPCG(7, 9))}
	var err error
	if n.g, err = graph.Open(r); err != nil {
		tb.Fatal(err)
	}
	if n.tree, err = snap.Open(r); err != nil {
		tb.Fatal(err)
	}
	n.car, n.search = profile.New(n.g, costing.Default(costing.Auto)), search.NewQuery(n.g)
	return n
}

// journey draws a route of a car between two random places, 2 to 30 km long.
func (n *network) journey(tb testing.TB) graph.Path {
	tb.Helper()
	for range 1000 {
		place := func() []search.End {
			for {
				e := graph.Edge(n.random.Uint32N(uint32(n.g.Base)))
				if !n.car.Allowed(e) || n.g.BySegment[n.g.Segment(e)].Use != graph.Road {
					continue
				}
				ends := []search.End{{Edge: e, Along: n.random.Float64()}}
				if back := n.g.ByEdge[e].Opposite; n.car.Allowed(back) {
					ends = append(ends, search.End{Edge: back, Along: 1 - ends[0].Along})
				}
				return ends
			}
		}
		f, ok, err := n.search.Shortest(tb.Context(), search.Weights{Costing: n.car}, place(), place())
		if err != nil {
			tb.Fatal(err)
		}
		if !ok {
			continue
		}
		path := make(graph.Path, len(f.Edges))
		for i, e := range f.Edges {
			path[i] = graph.Step{Edge: e, End: 1}
		}
		path[0].Begin, path[len(path)-1].End = f.From.Along, f.To.Along
		ferry := false
		for _, s := range path {
			use := n.g.BySegment[n.g.Segment(s.Edge)].Use
			ferry = ferry || use == graph.Ferry || use == graph.RailFerry
		}
		if m := path.Metres(n.g); !ferry && m > 2000 && m < 30_000 {
			return path
		}
	}
	tb.Fatal("no journeys in this network")
	return nil
}

// sample calls put for the place every so many seconds of a path, which is travelled at a speed
// in metres a second by edge, and gives the time at its end.
func (n *network) sample(path graph.Path, every float64, speedOf func(graph.Edge) float64, put func(p geo.Point, clock float64)) (clock float64) {
	next := 0.0
	for _, s := range path {
		line := n.g.AppendShape(nil, s.Edge)
		total, speed := geo.Length(line), speedOf(s.Edge)
		at := 0.0
		for i := 1; i < len(line); i++ {
			d := geo.Distance(line[i-1], line[i])
			from, to := math.Max(at, s.Begin*total), math.Min(at+d, s.End*total)
			for to > from {
				wait := (next - clock) * speed
				if from+wait > to {
					clock += (to - from) / speed
					break
				}
				from += wait
				clock = next
				next += every
				put(geo.Between(line[i-1], line[i], (from-at)/d), clock)
			}
			at += d
		}
	}
	return clock
}

// drive samples a journey every so many seconds at the costing's speeds, with
// gaussian noise of a standard deviation in each direction; its end is sampled
// too.
func (n *network) drive(path graph.Path, every, noise float64) []match.Point {
	var trace []match.Point
	put := func(p geo.Point, clock float64) {
		p = geo.Destination(geo.Destination(p, 90, n.random.NormFloat64()*noise), 0, n.random.NormFloat64()*noise)
		trace = append(trace, match.Point{At: p, Time: clock})
	}
	clock := n.sample(path, every, func(e graph.Edge) float64 { return n.car.Speed(n.g.Original(e)) / 3.6 }, put)
	last := path[len(path)-1]
	line := n.g.AppendShape(nil, last.Edge)
	left := last.End * geo.Length(line)
	for i := 1; i < len(line); i++ {
		d := geo.Distance(line[i-1], line[i])
		if left <= d {
			t := left / math.Max(d, 1e-9)
			put(geo.Point{Lon: line[i-1].Lon + (line[i].Lon-line[i-1].Lon)*t, Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*t}, clock)
			break
		}
		left -= d
	}
	return trace
}

// stretch is a piece of road in one direction.
type stretch struct {
	segment  graph.Segment
	backward bool
}

// right compares a matched way with the true one between the same ends, in
// metres: how much of the truth was found, and how much was added to it.
func (n *network) right(truth graph.Path, found []match.Match) (whole, missed, added float64) {
	sum := func(path graph.Path, into map[stretch]float64, sign float64) (metres float64) {
		for _, s := range path {
			d := n.g.EdgeLength(s.Edge) * (s.End - s.Begin)
			metres += d
			into[stretch{n.g.Segment(s.Edge), n.g.Backward(s.Edge)}] += sign * d
		}
		return metres
	}
	left := map[stretch]float64{}
	whole = sum(truth, left, 1)
	for _, m := range found {
		sum(m.Path, left, -1)
	}
	for _, d := range left {
		if d > 0 {
			missed += d
		} else {
			added -= d
		}
	}
	return whole, missed, added
}

func TestCounty(t *testing.T) {
	n := county(t)
	t.Run("noisy journeys", func(t *testing.T) { score(t, n, 10) })
	t.Run("unknown noise", func(t *testing.T) { unknownNoise(t, n) })
	t.Run("walk", func(t *testing.T) { walk(t, n) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, n) })
}

func TestNoisyJourneysInNewport(t *testing.T) {
	score(t, newNetwork(t, importertest.Region(t, realdata.File(t, "osm/newport-wales-20230613.osm.pbf"))), 40)
}

// score matches journeys with noise and demands that over 97 % of their length
// is found, and that no more than 3 % is added to it.
func score(t *testing.T, n *network, journeys int) {
	t.Helper()
	q := match.NewQuery(n.g, n.tree)
	for _, noise := range []float64{5, 15} {
		for _, every := range []float64{1, 5, 10, 30} {
			var total, missed, added, points float64
			var spent time.Duration
			gaps := 0
			for range journeys {
				truth := n.journey(t)
				trace := n.drive(truth, every, noise)
				began := time.Now()
				found, err := q.Match(t.Context(), n.car, trace, match.ForAccuracy(noise))
				spent += time.Since(began)
				if err != nil {
					t.Fatal(err)
				}
				d, m, a := n.right(truth, found.Matches)
				total, missed, added, points = total+d, missed+m, added+a, points+float64(len(trace))
				gaps += len(found.Matches) - 1
			}
			t.Logf("noise %2.0f m, every %2.0f s: %.1f km, missed %.2f %%, added %.2f %%, %d gaps, %.0f points, %v a point",
				noise, every, total/1000, 100*missed/total, 100*added/total, gaps, points, spent/time.Duration(points))
			if missed > 0.03*total || added > 0.03*total {
				t.Errorf("noise %.0f m, every %.0f s: missed %.2f %% and added %.2f %%, both may be 3 %%", noise, every, 100*missed/total, 100*added/total)
			}
		}
	}
}

// unknownNoise matches positions that are worse than the usual accuracy
// says.
func unknownNoise(t *testing.T, n *network) {
	t.Helper()
	q := match.NewQuery(n.g, n.tree)
	var total, missed, added float64
	for range 20 {
		truth := n.journey(t)
		found, err := q.Match(t.Context(), n.car, n.drive(truth, 5, 12), match.ForAccuracy(5))
		if err != nil {
			t.Fatal(err)
		}
		d, m, a := n.right(truth, found.Matches)
		total, missed, added = total+d, missed+m, added+a
	}
	t.Logf("missed %.2f %%, added %.2f %%", 100*missed/total, 100*added/total)
	if missed > 0.05*total || added > 0.05*total {
		t.Errorf("missed %.2f %% and added %.2f %%, both may be 5 %%", 100*missed/total, 100*added/total)
	}
}

// walk follows the lines of routes to the metre.
func walk(t *testing.T, n *network) {
	t.Helper()
	q := match.NewQuery(n.g, n.tree)
	left := 0
	for range 12 {
		truth := n.journey(t)
		var trace []match.Point
		for _, p := range guide.Shape(n.g, truth).Points {
			p = geo.Point{Lon: math.Round(p.Lon*1e6) / 1e6, Lat: math.Round(p.Lat*1e6) / 1e6}
			trace = append(trace, match.Point{At: p, Time: math.NaN()})
		}
		found, err := q.Match(t.Context(), n.car, trace, match.EdgeWalk())
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Matches) != 1 {
			t.Fatalf("a route of %d points has %d matches", len(trace), len(found.Matches))
		}
		if d, m, a := n.right(truth, found.Matches); m+a > 10 {
			t.Errorf("of %.0f m the walk missed %.1f m and added %.1f m", d, m, a)
		}
		k := len(trace) / 2
		trace[k].At = geo.Destination(trace[k].At, 90+geo.Bearing(trace[k-1].At, trace[k+1].At), 30)
		if found, err = q.Match(t.Context(), n.car, trace, match.EdgeWalk()); err != nil {
			t.Fatal(err)
		}
		left += min(1, len(found.Matches))
	}
	if left > 1 {
		t.Errorf("%d of 12 lines that leave the road were walked", left)
	}
}

// cancelled ends the context in the middle of a long trace: the match ends with its next
// look, and looks at least once in a hundred positions.
func cancelled(t *testing.T, n *network) {
	t.Helper()
	q := match.NewQuery(n.g, n.tree)
	var trace []match.Point
	for len(trace) < 20_000 {
		trace = append(trace, n.drive(n.journey(t), 1, 15)...)
	}
	for _, at := range []int{1, 10, len(trace) / 100} {
		gone := &searchtest.CancelledContext{Context: t.Context(), After: at}
		if _, err := q.Match(gone, n.car, trace, match.ForAccuracy(15)); !errors.Is(err, context.Canceled) || gone.Checks > at+1 {
			t.Errorf("the caller goes at look %d: the match ended with %v after %d looks", at, err, gone.Checks)
		}
	}
}
