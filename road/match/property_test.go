package match

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/road/snap"
)

// TestLocalAgainstSearch compares ways without penalties for turns with those
// the search of the whole graph finds for the shortest route.
func TestLocalAgainstSearch(t *testing.T) {
	reached, copies := 0, 0
	for drawn := range searchtest.Draw(searchtest.Cases(600), 1, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		o := costing.Default(costing.Auto)
		o.Shortest = true
		for e := range n.Graph.ByEdge { // which costs the shortest route more than metres
			n.Graph.ByEdge[e].Private = 0
		}
		c := profile.New(n.Graph, o)
		l := localSearch{g: n.Graph}
		l.begin(c, Options{})
		plain := search.NewQuery(n.Graph)
		for range 4 {
			from, to := n.End(r, c), n.End(r, c)
			if from.Edge == to.Edge && from.Along <= to.Along {
				continue // that is no search
			}
			want, ok, err := plain.Shortest(context.Background(), search.Weights{Costing: c}, []search.End{from}, []search.End{to})
			if err != nil {
				t.Fatal(err)
			}
			metres, found := distance(&l, from, to, math.Inf(1))
			if ok != found || ok && math.Abs(metres-float64(want.Cost)/1000) > 0.01 {
				t.Fatalf("seed %d: %v to %v is %g m (%v), want %g (%v)", seed, from, to, metres, found, float64(want.Cost)/1000, ok)
			}
			if !ok {
				continue
			}
			reached++
			if len(n.Graph.CopyOf) > 0 {
				copies++
			}
			if _, found := distance(&l, from, to, metres-0.1); found {
				t.Fatalf("seed %d: a way of %g m is within a limit of %g", seed, metres, metres-0.1)
			}
		}
	}
	if reached < searchtest.Cases(600) || copies < reached/10 {
		t.Errorf("only %d ways, %d near restrictions over several ways: the cases prove too little", reached, copies)
	}
}

func distance(l *localSearch, from, to search.End, limit float64) (float64, bool) {
	target := l.g.Position[l.g.ByEdge[to.Edge].Tail].Point()
	l.towards(targetAt(target, l.g.EdgeLength(to.Edge)))
	l.seed(0, from.Edge, from.Along, 0, limit)
	for {
		m, k := l.next()
		if m == nil {
			return 0, false
		}
		if l.g.Original(l.edge(m)) == to.Edge {
			metres := m.metres + l.touched[m.edge].metres*to.Along
			return metres, metres <= limit
		}
		l.expand(k, limit)
	}
}

// slow finds the least weight and the metres to every edge's beginning by
// relaxing all turns until nothing changes.
type slow struct {
	g                       *graph.Graph
	c                       *profile.Costing
	turn                    float64
	weight, metres, seconds map[graph.Edge]float64
}

func (s *slow) from(e graph.Edge, along float64) {
	s.weight, s.metres, s.seconds = map[graph.Edge]float64{}, map[graph.Edge]float64{}, map[graph.Edge]float64{}
	type at struct {
		edge                    graph.Edge
		weight, metres, seconds float64 // at its end
	}
	rest := s.g.EdgeLength(e) * (1 - along)
	queue := []at{{e, rest, rest, s.c.Seconds(e) * (1 - along)}}
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		n := s.g.ByEdge[x.edge].Head
		for f := s.g.FirstOut[n]; f < s.g.FirstOut[n+1]; f++ {
			if !s.c.Allowed(f) || s.c.Turn(x.edge, f).Cost == profile.Forbidden {
				continue
			}
			to, ok := s.c.Follow(x.edge, f)
			if !ok {
				continue
			}
			w := x.weight + s.penalty(s.g.Original(x.edge), f)
			if old, there := s.weight[to]; there && old <= w+1e-9 {
				continue
			}
			s.weight[to], s.metres[to], s.seconds[to] = w, x.metres, x.seconds
			length := s.g.EdgeLength(f)
			queue = append(queue, at{to, w + length, x.metres + length, x.seconds + s.c.Seconds(f)})
		}
	}
}

func (s *slow) penalty(e, f graph.Edge) float64 {
	n := s.g.ByEdge[e].Head
	if s.g.FirstOut[n+1]-s.g.FirstOut[n] <= 2 && f != s.g.ByEdge[e].Opposite {
		return 0
	}
	off := float64(s.g.TurnDegrees(e, f))
	return s.round(min(off, 360-off))
}

func (s *slow) round(degrees float64) float64 {
	return s.turn * (math.Exp(-(180-degrees)/45) - math.Exp(-4))
}

// to returns the way to a place on an edge, copies of it included.
func (s *slow) to(e graph.Edge, along float64) (weight, metres, seconds float64) {
	weight = math.Inf(1)
	for x, w := range s.weight {
		if s.g.Original(x) == e && w < weight {
			weight, metres, seconds = w, s.metres[x], s.seconds[x]
		}
	}
	part := s.g.EdgeLength(e) * along
	return weight + part, metres + part, seconds + s.c.Seconds(e)*along
}

// viterbi returns the model as written down, without any of the bounds that make it
// fast. It gives the cost of the likeliest sequence, infinite where there is
// none.
func (s *slow) viterbi(q *Query, trace []Point, o Options) float64 {
	flip := s.round(180) / o.Beta
	var costs []float64
	var before []state
	for i := range trace {
		q.states = q.states[:0]
		l := q.candidates(i)
		now := append([]state(nil), q.states[l.first:l.last]...)
		next := make([]float64, len(now))
		if i > 0 {
			straight := geo.Distance(trace[i-1].At, trace[i].At)
			least := math.Inf(1)
			for _, c := range costs {
				least = min(least, c)
			}
			for j := range next {
				next[j] = math.Inf(1)
			}
			for k, a := range before {
				if math.IsInf(costs[k], 1) || costs[k] > least+beam {
					continue
				}
				s.from(a.edge, a.along)
				for j, b := range now {
					weight, metres, seconds := s.to(b.edge, b.along)
					length := s.g.EdgeLength(b.edge)
					if a.edge == b.edge && (b.along-a.along)*length >= -backwardSigmas*o.Sigma {
						metres = (b.along - a.along) * length
						weight = metres
						seconds = s.c.Seconds(a.edge) * (b.along - a.along)
					}
					if (costs[k]-least)*o.Beta+weight > 2*straight+beam*o.Beta {
						continue
					}
					if passed := trace[i].Time - trace[i-1].Time; metres > 0 && (metres-backwardSigmas*o.Sigma)*seconds > tooFast*metres*(passed+1) {
						continue
					}
					next[j] = min(next[j], costs[k]+(math.Abs(metres-straight)+weight-metres)/o.Beta)
				}
			}
			turned := append([]float64(nil), next...)
			for j, b := range now {
				if b.reverse >= 0 {
					turned[j] = min(next[j], next[int(b.reverse)-l.first]+flip)
				}
			}
			next = turned
		}
		for j := range next {
			off := now[j].metres / o.Sigma
			next[j] += off * off / 2
		}
		costs, before = next, now
	}
	best := math.Inf(1)
	for _, c := range costs {
		best = min(best, c)
	}
	return best
}

// TestViterbiAgainstSlow compares the cost of the sequence found with that of
// the model worked out without any bound.
func TestViterbiAgainstSlow(t *testing.T) {
	found, turned, late := 0, 0, 0
	for drawn := range searchtest.Draw(searchtest.Cases(600), 2, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		tree := snap.Build(n.Graph)
		c := profile.New(n.Graph, costing.Default(costing.Auto))
		o := ForAccuracy([]float64{3, 5, 15}[r.IntN(3)])
		o.Interpolation, o.Beta, o.Turn = 0, []float64{0.5, 3, 15}[r.IntN(3)], []float64{0, 20, 200}[r.IntN(3)]
		trace := make([]Point, 2+r.IntN(5))
		at := geo.Fixed{Lon: r.Int32N(20000), Lat: r.Int32N(20000)}
		clock, hurried := math.NaN(), r.IntN(3) == 0
		if hurried {
			clock = 0
		}
		for i := range trace {
			trace[i] = Point{At: at.Point(), Time: clock}
			clock += float64(r.IntN(4))
			at.Lon, at.Lat = at.Lon+r.Int32N(6000)-3000, at.Lat+r.Int32N(6000)-3000
		}
		q := NewQuery(n.Graph, tree)
		got, err := q.Match(context.Background(), c, trace, o)
		if err != nil {
			t.Fatal(err)
		}
		q.c, q.o, q.trace = c, o, trace
		s := &slow{g: n.Graph, c: c, turn: o.Turn}
		want := s.viterbi(q, trace, o)
		whole := len(got.Matches) == 1 && got.Matches[0].First == 0 && got.Matches[0].Last == len(trace)-1
		for _, p := range got.Places {
			whole = whole && p.Kind == Matched
		}
		if whole == math.IsInf(want, 1) {
			t.Fatalf("seed %d: matched as a whole: %v, want a cost of %g", seed, whole, want)
		}
		for i := range got.Matches {
			turned += sound(t, seed, n.Graph, c, &got.Matches[i])
		}
		if !whole {
			continue
		}
		found++
		if hurried {
			late++
		}
		if math.Abs(got.Matches[0].Score-want) > 1e-3*(1+want) {
			t.Fatalf("seed %d: the sequence costs %g, want %g", seed, got.Matches[0].Score, want)
		}
	}
	if found < searchtest.Cases(600)/4 || turned == 0 || late < found/10 {
		t.Errorf("only %d matched, %d turned round, %d with times: the cases prove too little", found, turned, late)
	}
}

// sound checks that a path is one, and counts where it turns round within an
// edge.
func sound(t *testing.T, seed uint64, g *graph.Graph, c *profile.Costing, m *Match) (turned int) {
	t.Helper()
	for i, s := range m.Path {
		if s.Begin < 0 || s.End > 1 || s.Begin > s.End || s.Begin == s.End && len(m.Path) > 1 {
			t.Fatalf("seed %d: step %d goes from %g to %g", seed, i, s.Begin, s.End)
		}
		if !c.Allowed(g.Original(s.Edge)) {
			t.Fatalf("seed %d: step %d is forbidden", seed, i)
		}
		if i == 0 {
			continue
		}
		p := m.Path[i-1]
		switch {
		case p.End == 1 && s.Begin == 0 && g.ByEdge[p.Edge].Head == g.ByEdge[s.Edge].Tail:
		case g.Original(s.Edge) == g.ByEdge[g.Original(p.Edge)].Opposite && math.Abs(p.End+s.Begin-1) < 1e-9:
			turned++
		default:
			t.Fatalf("seed %d: step %d does not follow: %+v, %+v", seed, i, p, s)
		}
	}
	return turned
}

// TestNothingIsLeftOfAnotherTrace matches traces of several travellers with one query
// and each with a new one.
func TestNothingIsLeftOfAnotherTrace(t *testing.T) {
	matched, unlike := 0, 0
	for drawn := range searchtest.Draw(searchtest.Cases(100), 5, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		tree := snap.Build(n.Graph)
		trace := make([]Point, 4)
		at := geo.Fixed{Lon: r.Int32N(20000), Lat: r.Int32N(20000)}
		for i := range trace {
			trace[i] = Point{At: at.Point(), Time: math.NaN()}
			at.Lon, at.Lat = at.Lon+r.Int32N(6000)-3000, at.Lat+r.Int32N(6000)-3000
		}
		var places [][]Place
		q := NewQuery(n.Graph, tree)
		for _, k := range []costing.Costing{costing.Auto, costing.Pedestrian, costing.Auto, costing.Bicycle} {
			c := profile.New(n.Graph, costing.Default(k))
			got, err := q.Match(t.Context(), c, trace, ForAccuracy(15))
			if err != nil {
				t.Fatal(err)
			}
			want, err := NewQuery(n.Graph, tree).Match(t.Context(), c, trace, ForAccuracy(15))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %v: %+v after other traces, %+v without", seed, k, got, want)
			}
			matched += len(want.Matches)
			places = append(places, want.Places)
		}
		if !reflect.DeepEqual(places[0], places[1]) {
			unlike++
		}
	}
	if matched < searchtest.Cases(100) || unlike < searchtest.Cases(100)/20 {
		t.Errorf("only %d matched, %d unlike for walkers: the cases prove too little", matched, unlike)
	}
}

// TestForgettingChangesNothing drops what searches have come to again and again, as long
// traces do, also while the path is laid.
func TestForgettingChangesNothing(t *testing.T) {
	matched, dropped := 0, 0
	for drawn := range searchtest.Draw(searchtest.Cases(200), 6, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		tree, c := snap.Build(n.Graph), profile.New(n.Graph, costing.Default(costing.Auto))
		trace := make([]Point, 5)
		at := geo.Fixed{Lon: r.Int32N(20000), Lat: r.Int32N(20000)}
		for i := range trace {
			trace[i] = Point{At: at.Point(), Time: math.NaN()}
			at.Lon, at.Lat = at.Lon+r.Int32N(6000)-3000, at.Lat+r.Int32N(6000)-3000
		}
		keeps, forgets := NewQuery(n.Graph, tree), NewQuery(n.Graph, tree)
		forgets.local.most = 0
		want, err := keeps.Match(t.Context(), c, trace, ForAccuracy(15))
		if err != nil {
			t.Fatal(err)
		}
		got, err := forgets.Match(t.Context(), c, trace, ForAccuracy(15))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %+v, %+v where nothing is forgotten", seed, got, want)
		}
		matched += len(want.Matches)
		if len(forgets.local.arcs) < len(keeps.local.arcs) {
			dropped++
		}
	}
	if matched < searchtest.Cases(200)/2 || dropped < searchtest.Cases(200)/4 {
		t.Errorf("only %d matched, %d dropped: the cases prove too little", matched, dropped)
	}
}
