package overlay

import (
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// timed is a junction b with roads from a, to c, d and e. That to c is closed to vehicles
// in the morning, and so is the turn from a to d; that to e always is.
type timed struct {
	g                  *graph.Graph
	ab, cb, bc, bd, be graph.Edge
}

func drawTimed() timed {
	b := graph.NewBuilder()
	node := func(at geo.Fixed) graph.AddedNode { return b.AddNode(graph.NodeFacts{Position: at}) }
	middle := node(at(0, 0))
	road := func(end geo.Fixed, hours string) graph.Segment {
		s := graph.SegmentFacts{From: middle, To: node(end), Forward: graph.Direction{Access: graph.AllModes}, Backward: graph.Direction{Access: graph.AllModes}}
		if hours != "" {
			s.Forward.Flags, s.Forward.Attributes = graph.Conditional, b.Set("motor_vehicle:conditional", "no @ ("+hours+")")
		}
		return b.AddSegment(s, []geo.Fixed{at(0, 0), end})
	}
	a, c, d, e := road(at(-9, 0), ""), road(at(9, 0), "07:00-09:30"), road(at(0, 9), ""), road(at(0, -9), "Mo-Su 00:00-24:00")
	b.Restrict(graph.Restriction{Path: []graph.DirectedSegment{a.Backwards(), d.Forwards()}, Modes: graph.Auto, Timed: true, Set: b.Set("condition", "07:00-09:30")})
	g := b.Build()
	back := func(s graph.Segment) graph.Edge { return g.ByEdge[g.Forward[s]].Opposite }
	return timed{g, back(a), back(c), g.Forward[c], g.Forward[d], g.Forward[e]}
}

func (x timed) clock(hhmm string, mode graph.Modes, change func(k *Clock)) *Clock {
	departure, err := time.Parse("2006-01-02 15:04", "2026-11-23 "+hhmm) // a Monday
	if err != nil {
		panic(err)
	}
	k := NewClock(ReadConditions(x.g), Traveller{
		Mode: mode, Vehicle: &conditional.Vehicle{Mode: mode, Range: conditional.AnyRange},
		HasAccess: func(graph.Edge) bool { return true }, Always: func(graph.Edge) bool { return true },
	}, departure)
	change(k)
	return k
}

func TestClockOpens(t *testing.T) {
	x := drawTimed()
	depart, arrive, frozen := func(*Clock) {}, func(k *Clock) { k.Arrive = true }, func(k *Clock) { k.Frozen = true }
	const never = -1 << 60
	minute := func(n int64) int64 { return n * 60_000 }
	for _, c := range []struct {
		what     string
		clock    string
		mode     graph.Modes
		change   func(k *Clock)
		from, to graph.Edge
		at, want int64
	}{
		{"before it closes", "06:00", graph.Auto, depart, x.ab, x.bc, minute(60) - 1, minute(60) - 1},
		{"as it closes", "06:00", graph.Auto, depart, x.ab, x.bc, minute(60), minute(210)},
		{"as it opens", "06:00", graph.Auto, depart, x.ab, x.bc, minute(210), minute(210)},
		{"to others", "06:00", graph.Pedestrian, depart, x.ab, x.bc, minute(60), minute(60)},
		{"for good", "06:00", graph.Auto, depart, x.ab, x.be, 0, never},
		{"the turn", "08:00", graph.Auto, depart, x.ab, x.bd, 0, minute(90)},
		{"another turn", "08:00", graph.Auto, depart, x.cb, x.bd, 0, 0},
		{"the turn to others", "08:00", graph.Truck, depart, x.ab, x.bd, 0, 0},
		{"nobody waits", "08:00", graph.Auto, frozen, x.ab, x.bc, minute(5), never},
		{"time stands still", "06:59", graph.Auto, frozen, x.ab, x.bc, minute(5), minute(5)},
		{"the turn of one who does not wait", "08:00", graph.Auto, frozen, x.ab, x.bd, 0, never},
		{"to arrive after it has opened", "12:00", graph.Auto, arrive, x.ab, x.bc, -minute(150), -minute(150)},
		{"to arrive, while it is closed", "12:00", graph.Auto, arrive, x.ab, x.bc, -minute(151), -minute(300) - 1},
		{"to arrive, where it is closed for good", "12:00", graph.Auto, arrive, x.ab, x.be, 0, never},
	} {
		k := x.clock(c.clock, c.mode, c.change)
		if got, ok := k.Enter(c.from, c.to, c.at); ok != (c.want != never) || ok && got != c.want {
			t.Errorf("%s: it is entered at %d (%v), want %d", c.what, got, ok, c.want)
		}
	}
}

// TestClockTells checks what depends on the time, and for how long a journey stays as it is.
func TestClockTells(t *testing.T) {
	x := drawTimed()
	k := x.clock("06:58", graph.Auto, func(*Clock) {})
	for _, c := range []struct {
		what     string
		from, to graph.Edge
		want     bool
	}{
		{"a road", graph.None, x.bc, true},
		{"a turn", x.ab, x.bd, true},
		{"another turn", x.cb, x.bd, false},
		{"the road it leads to", graph.None, x.bd, false},
	} {
		if got := k.Timed(c.from, c.to); got != c.want {
			t.Errorf("%s depends on the time: %v", c.what, got)
		}
	}
	k.Roads = &Snapshot{closures: map[graph.Edge][]Change{}}
	if k.Timed(x.cb, x.bd) {
		t.Error("a road depends on the time by closures of which there are none")
	}
	from := k.Epoch().Add(time.Minute)
	k.Roads = NewSnapshot(Roads{Taken: k.Epoch(), Changes: []Change{{Edge: x.bd, Closed: true, From: from, Until: from.Add(time.Minute)}}}, nil)
	for at, want := range map[int64]bool{59_999: true, 60_000: false, 119_999: false, 120_000: true} {
		if when, ok := k.Enter(x.cb, x.bd, at); ok != want || ok && when != at {
			t.Errorf("a road closed in the second minute is entered at %d of %d ms: %v", when, at, ok)
		}
	}
	if !k.Timed(x.cb, x.bd) {
		t.Error("a road that is closed for a while does not depend on the time")
	}
	k.Roads = nil
	if k.OpenThroughout() || !x.clock("06:58", graph.Pedestrian, func(*Clock) {}).OpenThroughout() {
		t.Error("what is closed to cars at times is open to them throughout, or not to walkers")
	}
	still := k.Stopped()
	if _, ok := still.Enter(x.ab, x.bc, 0); !ok || still.ValidFor() != 120_000 {
		t.Errorf("it stands for %d ms, want the two minutes until it closes", still.ValidFor())
	}
	var shut []Exception
	k.Exceptions(60_000, func(e Exception) bool { shut = append(shut, e); return true })
	if want := []Exception{{graph.None, x.be, true}}; !slices.Equal(shut, want) {
		t.Errorf("closed in the first minute are %v, want %v", shut, want)
	}
	shut = nil
	k.Exceptions(180_000, func(e Exception) bool { shut = append(shut, e); return true })
	for _, want := range []Exception{{graph.None, x.be, true}, {graph.None, x.bc, false}, {x.ab, x.bd, false}} {
		if !slices.Contains(shut, want) || len(shut) != 3 {
			t.Errorf("closed in the first three minutes are %v, without %v", shut, want)
		}
	}
}

// TestDuring checks whether a timetable is open, or shut, all of a time: it opens at a
// moment and is shut from the moment of its end on.
func TestDuring(t *testing.T) {
	table := &timetable{[]int64{10, 20, 30, 40}}
	for _, c := range []struct {
		from, to   int64
		open, shut bool
	}{
		{10, 19, true, false},
		{10, 20, false, false},
		{9, 15, false, false},
		{30, 39, true, false},
		{15, 35, false, false},
		{0, 9, false, true},
		{0, 10, false, false},
		{20, 29, false, true},
		{20, 30, false, false},
		{40, 99, false, true},
		{0, 99, false, false},
	} {
		if open, shut := table.during(c.from, c.to); open != c.open || shut != c.shut {
			t.Errorf("from %d to %d it is open %v and shut %v", c.from, c.to, open, shut)
		}
	}
}
