package overlay

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
)

// TestClosure lays a street of ten units along the equator under areas: what is
// within is closed, what is touched is not.
func TestClosure(t *testing.T) {
	g, tree := streets([]geo.Fixed{at(0, 0), at(4, 0), at(10, 0)})
	e := g.Forward[0]
	square := func(west, south, east, north float64) geo.Ring {
		r := geo.Ring{{Lon: west, Lat: south}, {Lon: east, Lat: south}, {Lon: east, Lat: north}, {Lon: west, Lat: north}}
		for i := range r {
			r[i] = geo.Point{Lon: r[i].Lon / 1e4, Lat: r[i].Lat / 1e4}
		}
		return r
	}
	for what, c := range map[string]struct {
		area   geo.Polygon
		closed bool
		span   Span
	}{
		"across the middle": {geo.Polygon{square(2, -1, 5, 1)}, true, Span{0.2, 0.5}},
		"around all":        {geo.Polygon{square(-1, -1, 11, 1)}, true, Whole},
		"beside it":         {geo.Polygon{square(2, 1, 5, 2)}, false, Span{}},
		"up to it":          {geo.Polygon{square(3, -2, 8, -0.0001)}, false, Span{}},
		"in a hole":         {geo.Polygon{square(-5, -5, 15, 5), square(-1, -1, 11, 1)}, false, Span{}},
		"out of a hole":     {geo.Polygon{square(-5, -5, 15, 5), square(-1, -1, 7, 1)}, true, Span{0.7, 1}},
	} {
		closure, err := NewClosure(context.Background(), g, tree, geo.NewArea(c.area))
		if err != nil {
			t.Fatal(err)
		}
		o := &Overlay{}
		o.Share(closure)
		span, closed := o.span(e)
		back, _ := o.span(g.ByEdge[e].Opposite)
		if closed != c.closed || o.Closed(e) != c.closed || o.Empty() == c.closed {
			t.Errorf("%s: closed %v", what, closed)
		} else if math.Abs(span.From-c.span.From)+math.Abs(span.To-c.span.To) > 1e-6 || closed && math.Abs(back.From-1+span.To)+math.Abs(back.To-1+span.From) > 1e-9 {
			t.Errorf("%s: %v and %v, want %v", what, span, back, c.span)
		}
	}
}

// TestClosuresTogether checks that joined closures, and one beside an overlay's own
// closures, close what each does.
func TestClosuresTogether(t *testing.T) {
	var lines [][]geo.Fixed
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		lines = append(lines, []geo.Fixed{at(random.Int32N(100), random.Int32N(100)), at(random.Int32N(100), random.Int32N(100))})
	}
	g, tree := streets(lines...)
	var all []*Closure
	for i := range 4 {
		x := float64(i) * 2e-3
		c, err := NewClosure(context.Background(), g, tree, geo.NewArea(geo.Polygon{{{Lon: x, Lat: 0}, {Lon: x + 1.5e-3, Lat: 0}, {Lon: x + 1.5e-3, Lat: 9e-3}, {Lon: x, Lat: 9e-3}}}))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	o := &Overlay{}
	o.Share(JoinClosures(all))
	o.Close(g.Forward[0], Span{0.9, 1})
	for s := range lines {
		e := g.Forward[s]
		want, closed := Span{math.Inf(1), math.Inf(-1)}, false
		for _, c := range all {
			if x, ok := c.closed[e]; ok {
				want, closed = Span{min(want.From, x.From), max(want.To, x.To)}, true
			}
		}
		if s == 0 {
			want, closed = Span{min(want.From, 0.9), 1}, true
		}
		if got, ok := o.span(e); ok != closed || ok && got != want {
			t.Errorf("street %d: %v %v, want %v %v", s, got, ok, want, closed)
		}
	}
}
