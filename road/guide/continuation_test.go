package guide_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// Continuations that are worked out beforehand must not change the instructions: neither in
// towns whose streets go on for long nor in those where hardly any does.
func TestContinuationsChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	modes := []graph.Modes{0, graph.Auto, graph.Bicycle, graph.Pedestrian, graph.Truck, graph.Auto | graph.Truck}
	went, steps := 0, 0
	for n := range 120 {
		g := townOf(r, 6, []int{1, 2, 3, 25}[n%4])
		for e := range g.ByEdge {
			if n%3 == 0 && r.IntN(4) == 0 {
				g.ByEdge[e].Access &^= modes[1+r.IntN(len(modes)-1)]
			}
		}
		onward, err := guide.Continuations(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		for m := range 40 {
			p := wander(r, g, r.IntN(30), func(e graph.Edge) graph.Edge { return mostlyAhead(r, g, e) })
			line := guide.Shape(g, p)
			o := guide.Options{Modes: modes[r.IntN(len(modes))]}
			g.Continuations = nil
			want, total := guide.Manoeuvres(g, p, line, o), guide.Total(g, p, o)
			g.Continuations = onward
			if err := g.Verify(); err != nil {
				t.Fatal(err)
			}
			got := guide.Manoeuvres(g, p, line, o)
			what := fmt.Sprintf("town %d, walk %d", n, m)
			near(t, what, "total", guide.Total(g, p, o), total)
			if len(got) != len(want) {
				t.Fatalf("%s: %d manoeuvres, %d without", what, len(got), len(want))
			}
			for i := range got {
				near(t, what, fmt.Sprint("manoeuvre ", i), got[i], want[i])
			}
			for i := range p[1:] {
				o := g.Continuations[p[i].Edge]
				if o&(graph.ContinuesByMotor|graph.ContinuesByBicycle|graph.ContinuesOnFoot) != 0 && g.FirstOut[g.ByEdge[p[i].Edge].Head]+graph.Edge(o.Next()) == p[i+1].Edge {
					went++
				}
				steps++
			}
		}
	}
	if went < steps/10 {
		t.Errorf("only %d of %d steps went on along their road: the towns prove nothing", went, steps)
	}
}

// mostlyAhead chooses the edge straight ahead more often than another.
func mostlyAhead(r *rand.Rand, g *graph.Graph, e graph.Edge) graph.Edge {
	first, end := g.FirstOut[g.ByEdge[e].Head], g.FirstOut[g.ByEdge[e].Head+1]
	if r.IntN(5) == 0 {
		return first + graph.Edge(r.IntN(int(end-first)))
	}
	best := first
	for c := first; c < end; c++ {
		if off(g.TurnDegrees(e, c)) < off(g.TurnDegrees(e, best)) {
			best = c
		}
	}
	return best
}

// off returns the angle between two bearings in 256ths of a circle.
func off(turn int) int { return min(turn, 360-turn) }

// near compares two stretches; sums may differ in their last digits.
func near(t *testing.T, what, which string, got, want guidance.Manoeuvre) {
	t.Helper()
	for _, v := range [...]struct{ got, want *float64 }{{&got.Metres, &want.Metres}, {&got.Seconds, &want.Seconds}, {&got.Cost, &want.Cost}} {
		if math.Abs(*v.got-*v.want) > 1e-6*(1+*v.want) {
			t.Fatalf("%s: %s adds up to %g, want %g", what, which, *v.got, *v.want)
		}
		*v.got = *v.want
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: %s is\n%+v, without\n%+v", what, which, got, want)
	}
}
