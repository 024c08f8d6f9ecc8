package overlay

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// streets returns a network of one segment each.
func streets(lines ...[]geo.Fixed) (*graph.Graph, *snap.Tree) {
	b := graph.NewBuilder()
	for _, line := range lines {
		s := graph.SegmentFacts{
			From: b.AddNode(graph.NodeFacts{Position: line[0]}),
			To:   b.AddNode(graph.NodeFacts{Position: line[len(line)-1]}),
		}
		b.AddSegment(s, line)
	}
	g := b.Build()
	return g, snap.Build(g)
}

func at(lon, lat int32) geo.Fixed { return geo.Fixed{Lon: lon * 1000, Lat: lat * 1000} }

// TestClosePolygon lays a street of ten units along the equator under rings.
func TestClosePolygon(t *testing.T) {
	g, tree := streets([]geo.Fixed{at(0, 0), at(4, 0), at(10, 0)})
	e := g.Forward[0]
	ring := func(corners ...[2]float64) (r geo.Ring) {
		for _, c := range corners {
			r = append(r, geo.Point{Lon: c[0] / 1e4, Lat: c[1] / 1e4})
		}
		return r
	}
	for _, c := range []struct {
		what   string
		ring   geo.Ring
		closed bool
		span   Span
	}{
		{"across the middle", ring([2]float64{2, -1}, [2]float64{5, -1}, [2]float64{5, 1}, [2]float64{2, 1}), true, Span{0.2, 0.5}},
		{"around all", ring([2]float64{-1, -1}, [2]float64{11, -1}, [2]float64{11, 1}, [2]float64{-1, 1}), true, Whole},
		{"around the start", ring([2]float64{-1, -1}, [2]float64{3, -1}, [2]float64{3, 1}, [2]float64{-1, 1}), true, Span{0, 0.3}},
		{"touched by a corner", ring([2]float64{7, 0}, [2]float64{8, 1}, [2]float64{6, 1}), true, Span{0.7, 0.7}},
		{"along a side", ring([2]float64{6, 0}, [2]float64{8, 0}, [2]float64{7, 1}), true, Span{0.6, 0.8}},
		{"twice", ring([2]float64{1, -1}, [2]float64{9, -1}, [2]float64{9, 1}, [2]float64{8, 1}, [2]float64{8, -0.5}, [2]float64{2, -0.5}, [2]float64{2, 1}, [2]float64{1, 1}), true, Span{0.1, 0.9}},
		{"beside it", ring([2]float64{2, 1}, [2]float64{5, 1}, [2]float64{5, 2}), false, Span{}},
		{"a box that overlaps and a ring that does not", ring([2]float64{9, -2}, [2]float64{13, -2}, [2]float64{13, 2}), false, Span{}},
	} {
		o := &Overlay{}
		if err := o.ClosePolygon(t.Context(), g, tree, c.ring); err != nil {
			t.Fatal(err)
		}
		if o.Closed(e) != c.closed || o.Closed(g.ByEdge[e].Opposite) != c.closed {
			t.Errorf("%s: closed %v", c.what, o.Closed(e))
			continue
		}
		got, back := o.closed[e], o.closed[g.ByEdge[e].Opposite]
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
		if !near(got.From, c.span.From) || !near(got.To, c.span.To) || c.closed && (!near(back.From, 1-got.To) || !near(back.To, 1-got.From)) {
			t.Errorf("%s: %v is closed, and %v of the other direction; want %v", c.what, got, back, c.span)
		}
	}
}

// TestClosePolygonFindsAll compares with points close together along random
// lines in random triangles: each edge with such a point must be closed there.
func TestClosePolygonFindsAll(t *testing.T) {
	hit := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		random := func() geo.Fixed { return at(r.Int32N(100), r.Int32N(100)) }
		var lines [][]geo.Fixed
		for range 5 {
			line := []geo.Fixed{random()}
			for range 1 + r.IntN(4) {
				line = append(line, random())
			}
			lines = append(lines, line)
		}
		g, tree := streets(lines...)
		ring := geo.Ring{random().Point(), random().Point(), random().Point()}
		if _, _, crosses := ring.Crosses(); crosses {
			continue // without area
		}
		o := &Overlay{}
		if err := o.ClosePolygon(t.Context(), g, tree, ring); err != nil {
			t.Fatal(err)
		}
		for s := range graph.Segment(g.Segments()) {
			e := g.Forward[s]
			line := g.AppendShape(nil, e)
			total, gone := geo.Length(line), 0.0
			for i := 1; i < len(line); i++ {
				a, b := line[i-1], line[i]
				step := geo.Distance(a, b)
				for k := range 51 {
					u := float64(k) / 50
					p := geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*u, Lat: a.Lat + (b.Lat-a.Lat)*u}
					if !ring.Contains(p) || total == 0 {
						continue
					}
					hit++
					along := (gone + u*step) / total
					if span, ok := o.closed[e]; !ok || along < span.From-1e-6 || along > span.To+1e-6 {
						t.Fatalf("seed %d: segment %d is in the ring at %g, closed %v %v %v %v", seed, s, along, ok, span, ring, line)
					}
				}
				gone += step
			}
		}
	}
	if hit < 10_000 {
		t.Errorf("only %d points in rings", hit)
	}
}

func TestFree(t *testing.T) {
	o := &Overlay{}
	o.Close(7, Span{0.4, 0.6})
	o.Close(7, Span{0.5, 0.7})
	for _, c := range []struct {
		part Span
		free bool
	}{{Span{0, 0.3}, true}, {Span{0.8, 1}, true}, {Span{0, 0.5}, false}, {Whole, false}, {Span{0.65, 1}, false}} {
		if o.Free(7, c.part) != c.free || o.Affects(7, c.part) == c.free {
			t.Errorf("%v: want free %v", c.part, c.free)
		}
	}
	if !o.Free(8, Whole) || o.Affects(8, Whole) {
		t.Error("an edge without a change is changed")
	}
	var none *Overlay
	if _, slow := none.Speed(1); slow || none.Closed(1) || !none.Free(1, Whole) || !none.Empty() || none.Affects(1, Whole) {
		t.Error("nothing changes something")
	}
}

// TestLive lets a closure and a queue come and go.
func TestLive(t *testing.T) {
	noon := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	var live Live
	if live.Get() != nil {
		t.Error("there is a snapshot before the first")
	}
	changes := []Change{
		{Edge: 1, Closed: true, From: noon, Until: noon.Add(time.Hour)},
		{Edge: 2, Speed: 20},
		{Edge: 3},
		{Edge: 4, Closed: true},
	}
	for _, c := range []struct {
		what           string
		at             time.Time
		view           View
		closed, slowed bool
	}{
		{"before", noon.Add(-time.Second), View{Closing: HoldingClosures, Live: true}, false, true},
		{"at its beginning", noon, View{Closing: HoldingClosures, Live: true}, true, true},
		{"at its end", noon.Add(time.Hour), View{Closing: HoldingClosures, Live: true}, false, true},
		{"ignoring closures", noon, View{Live: true}, false, true},
		{"without current speeds", noon, View{Closing: HoldingClosures}, true, false},
		{"those of a clock", noon, View{Closing: LastingClosures}, false, false},
	} {
		live.Set(NewSnapshot(Roads{Taken: c.at, Changes: changes}, live.Get()))
		o := WithLayer(live.Get().Layer(c.view), false)
		_, slowed := o.Speed(2)
		if o.Closed(1) != c.closed || slowed != c.slowed || o.Closed(3) || o.Closed(4) == (c.view.Closing == NoClosures) || o.Affects(2, Whole) != slowed {
			t.Errorf("%s: closed %v, slowed %v", c.what, o.Closed(1), slowed)
		}
		if o := WithLayer(live.Get().Layer(c.view), true); !o.Empty() || o.Unchanged() || o.Affects(2, Whole) || o.Affects(4, Whole) {
			t.Errorf("%s: what is applied changes something", c.what)
		}
	}
	s := live.Get()
	again := NewSnapshot(Roads{Taken: noon.Add(2 * time.Hour), Changes: changes}, s)
	if v := (View{Closing: LastingClosures}); s.Layer(v) != again.Layer(v) {
		t.Error("what says the same is not shared")
	}
	if next := s.NextChange(noon); !next.Equal(noon.Add(time.Hour)) {
		t.Errorf("the next change is at %v", next)
	}
	if !s.ClosedAt(1, noon) || s.ClosedAt(1, noon.Add(time.Hour)) || !s.ClosedAt(4, noon) || s.ClosedAt(4, s.Taken.Add(25*time.Hour)) {
		t.Error("closures are at other times than given")
	}
}

func TestProfile(t *testing.T) {
	p := NewProfile(4)
	var hours [HoursOfWeek]uint8
	hours[8], hours[167] = 20, 90
	p.Set(2, hours)
	s := NewSnapshot(Roads{Profile: p, Speeds: []uint8{0, 50}}, nil)
	for hour, want := range map[uint16]float64{9: 20, 168: 90, 1: 0, 0: 0} {
		o := WithLayer(s.Layer(View{Live: true, Hour: hour}), false)
		if got, _ := o.Speed(2); got != want {
			t.Errorf("hour %d: %g km/h, want %g", hour, got, want)
		}
		if got, _ := o.Speed(1); got != 50 {
			t.Errorf("the live speed is %g", got)
		}
	}
	if at := HourOfWeek(time.Date(2026, 5, 3, 23, 30, 0, 0, time.UTC)); at != 167 {
		t.Errorf("Sunday night is hour %d", at)
	}
}

// TestChangedIsWhatDiffers asks each edge of two layers what they say of it.
func TestChangedIsWhatDiffers(t *testing.T) {
	const edges = 12
	r := rand.New(rand.NewPCG(1, 1))
	draw := func() *Layer {
		if r.IntN(8) == 0 {
			return nil
		}
		roads := Roads{Taken: time.Unix(1e9, 0), Turns: map[Turn]float32{}}
		for e := range graph.Edge(edges) {
			switch r.IntN(4) {
			case 0:
				roads.Changes = append(roads.Changes, Change{Edge: e, Closed: true})
			case 1:
				roads.Changes = append(roads.Changes, Change{Edge: e, Speed: uint8(10 + r.IntN(2))})
			}
		}
		for range r.IntN(3) {
			roads.Turns[Turn{From: graph.Edge(r.IntN(edges)), To: graph.Edge(r.IntN(edges))}] = float32(r.IntN(2))
		}
		return NewSnapshot(roads, nil).Layer(View{Closing: HoldingClosures, Live: true})
	}
	for range 2000 {
		a, b := draw(), draw()
		got := map[graph.Edge]bool{}
		a.Changed(b, func(e graph.Edge) { got[e] = true })
		x, y := WithLayer(a, false), WithLayer(b, false)
		for e := range graph.Edge(edges) {
			v, is := x.Speed(e)
			w, was := y.Speed(e)
			want := x.Closed(e) != y.Closed(e) || v != w || is != was
			for f := range graph.Edge(edges) {
				for _, turn := range [...][2]graph.Edge{{e, f}, {f, e}} {
					v, is := x.TurnSeconds(turn[0], turn[1])
					w, was := y.TurnSeconds(turn[0], turn[1])
					want = want || v != w || is != was
				}
			}
			if got[e] != want {
				t.Fatalf("edge %d of %+v and %+v: changed %t, want %t", e, a, b, got[e], want)
			}
		}
	}
}

// TestChanged compares what an overlay lists with what it says of each edge.
func TestChanged(t *testing.T) {
	live := NewSnapshot(Roads{Changes: []Change{{Edge: 9, Closed: true}}, Turns: map[Turn]float32{{From: 11, To: 12}: 30}}, nil).Layer(View{Closing: HoldingClosures, Live: true})
	slow := NewSnapshot(Roads{Speeds: []uint8{0, 20}}, nil).Layer(View{Live: true})
	own := func(o *Overlay) *Overlay {
		o.Close(5, Span{0.2, 0.4})
		o.Close(2, Whole)
		o.CloseThrough(7)
		o.SetSpeed(2, 30)
		o.SetTurn(Turn{From: 3, To: 4}, 20)
		return o
	}
	shared := &Overlay{}
	shared.Share(&Closure{closed: map[graph.Edge]Span{6: Whole}})
	for _, c := range []struct {
		what string
		o    *Overlay
		most int
		want []graph.Edge // nil where it is too much
	}{
		{"nothing", nil, 0, []graph.Edge{}},
		{"its own", own(&Overlay{}), 6, []graph.Edge{2, 3, 4, 5, 7}},
		{"too many", own(&Overlay{}), 5, nil},
		{"shared", shared, 1, []graph.Edge{6}},
		{"live", own(WithLayer(live, false)), 20, []graph.Edge{2, 3, 4, 5, 7, 9, 11, 12}},
		{"live, too many", own(WithLayer(live, false)), 8, nil},
		{"live and applied", own(WithLayer(live, true)), 6, []graph.Edge{2, 3, 4, 5, 7}},
		{"live speeds", WithLayer(slow, false), 1 << 20, nil},
		{"live speeds, applied", WithLayer(slow, true), 0, []graph.Edge{}},
	} {
		got, ok := c.o.Changed(c.most)
		if ok != (c.want != nil) || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.what, got, ok, c.want)
		}
	}
}
