package match_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide/sketch"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/road/snap"
)

type traveller struct {
	n           *network
	c           *profile.Costing
	speed       func(graph.Edge) float64 // metres a second
	least, most float64                  // metres as the crow flies
}

func (n *network) traveller(by costing.Costing) *traveller {
	t := &traveller{n: n, c: profile.New(n.g, costing.Default(by)), least: 400, most: 2500}
	switch by {
	case costing.Pedestrian:
		t.speed = func(graph.Edge) float64 { return 1.4 }
	case costing.Bicycle:
		t.speed = func(graph.Edge) float64 { return 4.5 }
		t.most = 5000
	default:
		t.speed = func(e graph.Edge) float64 { return t.c.Speed(n.g.Original(e)) / 3.6 }
		t.least, t.most = 1500, 10_000
	}
	return t
}

// journey draws the cheapest way between two random places.
func (t *traveller) journey(tb testing.TB, r *rand.Rand) graph.Path {
	n := t.n
	place := func() (graph.Edge, geo.Point) {
		for {
			e := graph.Edge(r.Uint32N(uint32(n.g.Base)))
			use := n.g.BySegment[n.g.Segment(e)].Use
			if t.c.Allowed(e) && use != graph.Ferry && use != graph.RailFerry && !t.c.Excluded(e) {
				return e, n.g.Position[n.g.ByEdge[e].Tail].Point()
			}
		}
	}
	for range 1000 {
		a, from := place()
		b, to := a, from
		for k := 0; k < 2000; k++ {
			b, to = place()
			if d := geo.Distance(from, to); d >= t.least && d <= t.most {
				break
			}
		}
		if d := geo.Distance(from, to); d < t.least || d > t.most {
			continue
		}
		f, ok, err := n.search.Shortest(tb.Context(), search.Weights{Costing: t.c}, []search.End{{Edge: a, Along: 0.5}}, []search.End{{Edge: b, Along: 0.5}})
		if err != nil {
			tb.Fatal(err)
		}
		if !ok {
			continue
		}
		path := make(graph.Path, len(f.Edges))
		ferry := false
		for i, e := range f.Edges {
			path[i] = graph.Step{Edge: e, End: 1}
			use := n.g.BySegment[n.g.Segment(e)].Use
			ferry = ferry || use == graph.Ferry || use == graph.RailFerry
		}
		path[0].Begin, path[len(path)-1].End = f.From.Along, f.To.Along
		if !ferry && path.Metres(n.g) < 3*t.most {
			return path
		}
	}
	tb.Fatal("no journeys in this network")
	return nil
}

// travel samples a path every so many seconds.
func (t *traveller) travel(path graph.Path, every float64, noise func() (x, y float64)) (trace []match.Point) {
	t.n.sample(path, every, t.speed, func(p geo.Point, clock float64) {
		x, y := noise()
		trace = append(trace, match.Point{At: geo.Destination(geo.Destination(p, 90, x), 0, y), Time: clock})
	})
	return trace
}

// drifting is noise of a standard deviation in metres in each direction that lasts for
// some seconds; 0 makes it of each position by itself.
func drifting(r *rand.Rand, metres, every, seconds float64) func() (x, y float64) {
	keep := 0.0
	if seconds > 0 {
		keep = math.Exp(-every / seconds)
	}
	x, y := r.NormFloat64()*metres, r.NormFloat64()*metres
	return func() (float64, float64) {
		s := metres * math.Sqrt(1-keep*keep)
		x, y = keep*x+s*r.NormFloat64(), keep*y+s*r.NormFloat64()
		return x, y
	}
}

// TestNoisyTraces matches dense traces that do not state their noise. Ways are hardly longer
// than the true ones, and no less of these is found than with the usual accuracy.
func TestNoisyTraces(t *testing.T) {
	for name, dir := range map[string]func(*testing.T) string{
		"county": func(t *testing.T) string { return importertest.County(t) },
		"Newport": func(t *testing.T) string {
			return importertest.Region(t, realdata.File(t, "osm/newport-wales-20230613.osm.pbf"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNetwork(t, dir(t))
			for _, by := range []costing.Costing{costing.Pedestrian, costing.Bicycle, costing.Auto} {
				someone := n.traveller(by)
				r := rand.New(rand.NewPCG(5, 6))
				var paths []graph.Path
				for range searchtest.Cases(8) {
					paths = append(paths, someone.journey(t, r))
				}
				for _, metres := range []float64{3, 10, 20} {
					limit := 1.05
					if by == costing.Pedestrian {
						limit = map[float64]float64{3: 1.05, 10: 1.1, 20: 1.3}[metres]
					}
					for _, seconds := range []float64{0, 5} {
						someone.noisy(t, r, paths, noisiness{metres, seconds, limit})
					}
				}
			}
		})
	}
}

// noisiness is noise of a standard deviation in metres, that lasts for some seconds, and
// how many times as long as the true way a matched one may be.
type noisiness struct{ metres, seconds, limit float64 }

func (t *traveller) noisy(tb *testing.T, r *rand.Rand, paths []graph.Path, by noisiness) {
	tb.Helper()
	q := match.NewQuery(t.n.g, t.n.tree)
	var truth, length, recall, before, points float64
	var spent [2]time.Duration
	for _, path := range paths {
		trace := t.travel(path, 1, drifting(r, by.metres, 1, by.seconds))
		points += float64(len(trace))
		truth += path.Metres(t.n.g)
		began := time.Now()
		res, err := q.MatchUnknown(tb.Context(), t.c, trace, match.Unknown{Usual: 5, Options: match.ForAccuracy})
		if err != nil {
			tb.Fatal(err)
		}
		spent[0] += time.Since(began)
		recall += t.n.recall(path, res.Matches)
		for _, m := range res.Matches {
			length += m.Path.Metres(t.n.g)
		}
		if len(res.Matches) == 1 {
			placed(tb, len(trace), res)
		}
		began = time.Now()
		if res, err = q.Match(tb.Context(), t.c, trace, match.ForAccuracy(5)); err != nil {
			tb.Fatal(err)
		}
		spent[1] += time.Since(began)
		before += t.n.recall(path, res.Matches)
	}
	tb.Logf("%s, %2.0f m of noise that lasts %g s: %.3f times as long, %.2f %% found, %.2f %% with the usual accuracy; %.1f and %.1f us a position",
		t.c.Options().Costing, by.metres, by.seconds, length/truth, 100*recall/truth, 100*before/truth, float64(spent[0].Microseconds())/points, float64(spent[1].Microseconds())/points)
	if length > by.limit*truth {
		tb.Errorf("%s, %g m of noise that lasts %g s: the ways are %.3f times as long, %g is the most", t.c.Options().Costing, by.metres, by.seconds, length/truth, by.limit)
	}
	if recall < before-0.02*truth {
		tb.Errorf("%s, %g m of noise that lasts %g s: %.2f %% is found, %.2f %% with the usual accuracy", t.c.Options().Costing, by.metres, by.seconds, 100*recall/truth, 100*before/truth)
	}
}

// placed checks that the positions of a trace matched without a gap have places, but for
// outliers, none on an earlier step than the one before it, from the beginning of the path to its end.
func placed(t *testing.T, positions int, r *match.Result) {
	t.Helper()
	m := &r.Matches[0]
	if len(r.Places) != positions || m.First > positions/50 || m.Last < positions-1-positions/50 {
		t.Fatalf("of %d positions %d have places, %d to %d are matched", positions, len(r.Places), m.First, m.Last)
	}
	first, last := &r.Places[m.First], &r.Places[m.Last]
	if first.Kind == match.Unmatched || last.Kind == match.Unmatched || first.Step != 0 || last.Step != len(m.Path)-1 {
		t.Errorf("the ends are at %+v and %+v of %d steps", *first, *last, len(m.Path))
	}
	step, unmatched := 0, 0
	for i := range r.Places {
		p := &r.Places[i]
		if p.Kind == match.Unmatched {
			unmatched++
			continue
		}
		if p.Step < step || p.Along < 0 || p.Along > 1 {
			t.Fatalf("position %d of %d is at %+v, after step %d", i, positions, *p, step)
		}
		step = p.Step
	}
	if unmatched > 2+positions/20 {
		t.Errorf("%d of %d positions have no place", unmatched, positions)
	}
}

// recall returns how much of a path was found, in metres.
func (n *network) recall(path graph.Path, found []match.Match) (metres float64) {
	on := map[graph.Segment]bool{}
	for _, m := range found {
		for _, s := range m.Path {
			on[n.g.Segment(s.Edge)] = true
		}
	}
	for _, s := range path {
		if on[n.g.Segment(s.Edge)] {
			metres += n.g.EdgeLength(s.Edge) * (s.End - s.Begin)
		}
	}
	return metres
}

// TestNoiseOf estimates the noise of traces along straight roads and round bends.
func TestNoiseOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	line := func(pace, metres, seconds, bend float64) (trace []match.Point) {
		noise, at, bearing := drifting(r, metres, 1, seconds), geo.Point{Lon: 7, Lat: 50}, 30.0
		for i := range 600 {
			x, y := noise()
			trace = append(trace, match.Point{At: geo.Destination(geo.Destination(at, 90, x), 0, y)})
			at = geo.Destination(at, bearing, pace)
			if bearing += bend * pace; i%8 < 4 {
				bearing -= 2 * bend * pace
			}
		}
		return trace
	}
	for _, c := range []struct{ pace, metres, seconds, bend, least, most float64 }{
		{1.4, 0, 0, 0, 0, 0.1},
		{1.4, 3, 0, 0, 2.5, 4},
		{1.4, 20, 0, 0, 17, 25},
		{1.4, 20, 5, 0, 12, 25},
		{4.5, 10, 0, 0, 8, 13},
		{15, 20, 0, 0, 17, 25},
		{8, 0, 0, 3, 0, 5},    // round bends of 19 m
		{30, 0, 0, 0.6, 0, 5}, // on a slip road of 95 m
		{150, 10, 0, 0, 0, 0}, // too sparse to tell
		{0, 10, 0, 0, 8, 13},  // stands
		{10, 500, 0, 0, 0, 0}, // no positions of anybody
		{0.5, 20, 0, 0, 16, 26},
	} {
		if n := match.NoiseOf(line(c.pace, c.metres, c.seconds, c.bend)); n.Sigma < c.least || n.Sigma > c.most {
			t.Errorf("%+v: the noise is %+v", c, n)
		}
	}
	if n := match.NoiseOf(line(1.4, 20, 0, 0)[:5]); n.Sigma != 0 {
		t.Errorf("five positions have the noise %+v", n)
	}
}

// TestTurningBackIsKept goes into a dead end of 100 m and out again, and turns round on a
// street: it was no noise.
func TestTurningBackIsKept(t *testing.T) {
	d := sketch.Sketch{
		Picture: `
                    d




a.........b.........c.........e.........f`,
		Cell: 20,
		Ways: []sketch.Way{{Places: "abcef", Name: "Long Street"}, {Places: "cd", Name: "Close"}},
	}.Draw()
	n := &network{g: d.Graph, tree: snap.Build(d.Graph)}
	for _, by := range []costing.Costing{costing.Pedestrian, costing.Bicycle, costing.Auto} {
		someone := n.traveller(by)
		someone.speed = func(graph.Edge) float64 {
			return map[costing.Costing]float64{costing.Pedestrian: 1.4, costing.Bicycle: 4.5, costing.Auto: 8}[by]
		}
		for _, metres := range []float64{3, 10, 15, 20} {
			for _, walk := range []string{"abcdcef", "abcecba"} {
				truth := d.Path(walk)
				for seed := range uint64(searchtest.Cases(10)) {
					r := rand.New(rand.NewPCG(seed, 3))
					res, err := match.NewQuery(n.g, n.tree).MatchUnknown(t.Context(), someone.c, someone.travel(truth, 1, drifting(r, metres, 1, 0)), match.Unknown{Usual: 5, Options: match.ForAccuracy})
					if err != nil {
						t.Fatal(err)
					}
					length := 0.0
					for _, m := range res.Matches {
						length += m.Path.Metres(n.g)
					}
					if whole := truth.Metres(n.g); len(res.Matches) != 1 || length < whole-4*metres-30 || length > whole+4*metres+30 {
						t.Errorf("%s on %s, %g m of noise, seed %d: %d matches of %.0f m, want %.0f", by, walk, metres, seed, len(res.Matches), length, whole)
					}
				}
			}
		}
	}
}
