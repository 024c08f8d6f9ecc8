package overlay

import (
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// TestTravel checks the time that 10 km take whose limit of 100 km/h is 50 at times: whoever
// sets out later is there later, forwards and back are the same, and nothing changes where
// time stands still.
func TestTravel(t *testing.T) {
	b := graph.NewBuilder()
	from, to := b.AddNode(graph.NodeFacts{Position: at(0, 0)}), b.AddNode(graph.NodeFacts{Position: at(9, 0)})
	d := graph.Direction{Access: graph.AllModes, Speed: 100, Limited: 100, Flags: graph.Conditional, Attributes: b.Set("maxspeed:conditional", "50 @ (07:00-08:00,10:00-10:02)")}
	s := b.AddSegment(graph.SegmentFacts{From: from, To: to, Forward: d, Backward: d}, []geo.Fixed{at(0, 0), at(9, 0)})
	g := b.Build()
	e := g.Forward[s]
	const metres = 10_000
	kmh := func(l graph.SpeedLimits) float64 { return float64(l.All) }
	clock := func(change func(k *Clock)) *Clock {
		k := NewClock(ReadConditions(g), Traveller{Mode: graph.Auto, Vehicle: &conditional.Vehicle{Mode: graph.Auto, Range: conditional.AnyRange}}, time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC))
		change(k)
		return k
	}
	const minute = 60_000
	departs := clock(func(*Clock) {})
	for _, c := range []struct{ at, want int64 }{
		{0, 6 * minute}, {57 * minute, 9 * minute}, {60 * minute, 12 * minute}, {70 * minute, 12 * minute}, {117 * minute, 7*minute + 30_000}, {120 * minute, 6 * minute}, {237 * minute, 7 * minute},
	} {
		if got := departs.Travel(e, metres, c.at, kmh); got != c.want {
			t.Errorf("from minute %d on it takes %d ms, want %d", c.at/minute, got, c.want)
		}
	}
	arrives := clock(func(k *Clock) { k.Arrive = true })
	last := int64(0)
	for at := int64(0); at < 260*minute; at += 777 {
		there := at + departs.Travel(e, metres, at, kmh)
		if there < last {
			t.Fatalf("whoever sets out at %d is there at %d, before %d", at, there, last)
		}
		last = there
		if began := there - arrives.Travel(e, metres, there, kmh); began < at-1 || began > at+1 {
			t.Fatalf("whoever is there at %d set out at %d, want %d", there, began, at)
		}
	}
	if got := clock(func(k *Clock) { k.Frozen = true }).Travel(e, metres, 70*minute, kmh); got != 6*minute {
		t.Errorf("where time stands still it takes %d ms", got)
	}
	if !departs.Limited(e) || (*Clock)(nil).Limited(e) || clock(func(k *Clock) { k.traveller.Mode = graph.Bicycle }).Limited(e) {
		t.Error("it is limited for a car with a time, and for nobody else")
	}
	usual := graph.SpeedLimits{All: 100}
	if !departs.LimitsStay(e, usual, 59*minute) || departs.LimitsStay(e, usual, 60*minute) {
		t.Error("the limits are as usual for an hour")
	}
	if departs.OpenThroughout() {
		t.Error("a limit is as high as at the best of times all day")
	}
	still := departs.Stopped()
	still.Travel(e, metres, 0, kmh)
	if still.ValidFor() != 60*minute {
		t.Errorf("nothing changes for %d ms", still.ValidFor())
	}
}
