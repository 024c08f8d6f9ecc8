package incidents

import (
	"math"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/road/link"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// at returns a place so many metres east and north of a corner of Berkshire.
func at(east, north float64) geo.Point {
	return geo.Destination(geo.Destination(geo.Point{Lon: -1.5, Lat: 51.5}, 90, east), 0, north)
}

func record(id string, change func(*traffic.Record)) *traffic.Record {
	r := &traffic.Record{ID: id, Incident: &traffic.Incident{Kind: "accident", Severity: "high", Roads: []string{"A 1", "E 2"}}}
	if change != nil {
		change(r)
	}
	return r
}

// outdated is a feed that has published nothing new for too long.
type outdated struct{}

func (outdated) Source() *feed.Source { return &feed.Source{ID: "a", Name: "A"} }
func (outdated) Status() feed.Status  { return feed.Status{ID: "a", State: feed.Stale} }

// TestAlong walks a way of 2 km to the east and back beside itself.
func TestAlong(t *testing.T) {
	line := []geo.Point{at(0, 0), at(1000, 0), at(2000, 0), at(2000, 40), at(1000, 40)}
	east, west := 90.0, 270.0
	r := &Reports{Incidents: []Incident{
		{Record: record("on", nil), Lines: [][]geo.Point{{at(200, 3), at(600, 3)}}, Attribution: "Told by us."},
		{Record: record("other way", nil), Lines: [][]geo.Point{{at(600, 3), at(200, 3)}}},
		{Record: record("closed", func(r *traffic.Record) { r.Closed = true }), Lines: [][]geo.Point{{at(800, 0), at(900, 0)}}, Stale: true},
		{Record: record("over", func(r *traffic.Record) { r.Windows = []traffic.Window{{Until: noon}} }), Lines: [][]geo.Point{{at(800, 0), at(900, 0)}}},
		{Record: record("to come", func(r *traffic.Record) { r.Windows = []traffic.Window{{From: noon.Add(time.Hour)}} }), Lines: [][]geo.Point{{at(800, 0), at(900, 0)}}},
		{Record: record("a point", func(r *traffic.Record) { r.Place = link.Place{Heading: &east} }), Lines: [][]geo.Point{{at(1500, 5)}}},
		{Record: record("the way back", func(r *traffic.Record) { r.Place = link.Place{Heading: &west} }), Lines: [][]geo.Point{{at(1500, 40)}}},
		{Record: record("beside", nil), Lines: [][]geo.Point{{at(300, -45), at(300, -400)}}},
		{Record: record("far", nil), Lines: [][]geo.Point{{at(300, -900)}}},
		{Record: record("works", func(r *traffic.Record) { r.Incident.Kind = "roadworks" }), Lines: [][]geo.Point{{at(100, 0), at(150, 0)}}},
	}, Sources: []along.Feed{outdated{}}}
	boxes := make([]geo.Bounds, len(r.Incidents))
	for i := range boxes {
		boxes[i] = geo.NoBounds()
		for _, p := range r.Incidents[i].Lines[0] {
			boxes[i] = boxes[i].Extend(p)
		}
	}
	r.Index = corridor.NewIndex(boxes)
	way := &along.Way{Corridor: corridor.New(line), Ahead: along.Ahead{Depart: noon}}
	a, err := r.Along(t.Context(), way, &Request{Buffer: 100, Kinds: []string{"accident"}, Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Incidents) != 4 || a.Excluded.Limit != 1 {
		t.Fatalf("found %+v, excluded %+v", a.Incidents, a.Excluded)
	}
	if a, err = r.Along(t.Context(), way, &Request{Buffer: 100, Kinds: []string{"accident"}}); err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return a > b-16 && a < b+16 }
	want := []struct {
		id       string
		from, to float64
		on       bool
	}{{"on", 200, 600, true}, {"beside", 300, 300, false}, {"closed", 800, 900, true}, {"a point", 1500, 1500, true}, {"the way back", 2540, 2540, true}}
	if len(a.Incidents) != len(want) {
		t.Fatalf("found %+v", a.Incidents)
	}
	for i, w := range want {
		if f := a.Incidents[i]; f.ID != w.id || !near(f.Arc, w.from) || !near(f.ToArc, w.to) || f.On != w.on || f.Closes != (w.id == "closed") {
			t.Errorf("found %+v, want %+v", f, w)
		}
	}
	if f := a.Incidents[0]; *f.Road != "A 1, E 2" || f.Severity != "high" || f.Stale || f.From != nil || f.At != nil {
		t.Errorf("found %+v", f)
	}
	if a.Closures != 1 || a.Excluded.OtherDirection != 1 || a.Excluded.NotInForce != 2 || a.Excluded.OtherKind != 1 || len(a.Attribution) != 1 || a.Caveat[0] != 'A' {
		t.Errorf("answered %+v, %v, %q", a.Excluded, a.Attribution, a.Caveat)
	}
}

// TestLineAcross looks for a line of two points that crosses the way between its ends, and for
// one whose ends are far from the way, but which comes near it between them.
func TestLineAcross(t *testing.T) {
	way := &along.Way{Corridor: corridor.New([]geo.Point{at(0, 0), at(2000, 0)}), Ahead: along.Ahead{Depart: noon}}
	for _, c := range []struct {
		what   string
		line   []geo.Point
		buffer float64
		arc    float64 // below 0 is not found
		off    float64
	}{
		{"across", []geo.Point{at(700, -600), at(700, 500)}, 100, 700, 0},
		{"across, with a small buffer", []geo.Point{at(700, -600), at(700, 500)}, 5, 700, 0},
		{"across at a slant", []geo.Point{at(400, -500), at(1000, 500)}, 5, 700, 0},
		{"not quite to it", []geo.Point{at(700, -600), at(700, -30)}, 100, 700, 30},
		{"not near", []geo.Point{at(700, -600), at(700, -130)}, 100, -1, 0},
		{"past its end", []geo.Point{at(2040, -600), at(2040, 600)}, 100, 2000, 40},
	} {
		box := geo.NoBounds()
		for _, p := range c.line {
			box = box.Extend(p)
		}
		r := &Reports{Incidents: []Incident{{Record: record("x", nil), Lines: [][]geo.Point{c.line}}}, Sources: []along.Feed{outdated{}}, Index: corridor.NewIndex([]geo.Bounds{box})}
		a, err := r.Along(t.Context(), way, &Request{Buffer: c.buffer})
		if err != nil {
			t.Fatal(err)
		}
		if c.arc < 0 {
			if len(a.Incidents) > 0 {
				t.Errorf("%s: found %+v", c.what, a.Incidents)
			}
			continue
		}
		if len(a.Incidents) != 1 || math.Abs(a.Incidents[0].Arc-c.arc) > 3 || math.Abs(a.Incidents[0].OffLine-c.off) > 1 || a.Incidents[0].On {
			t.Errorf("%s: found %+v, want it at %.0f m, %.0f m off", c.what, a.Incidents, c.arc, c.off)
		}
	}
}

// TestSlipRoad closes a carriageway from where a slip road leaves it.
func TestSlipRoad(t *testing.T) {
	closed := []geo.Point{at(1000, 0), at(1500, 0), at(2000, 0)}
	start, fork, slip := at(0, 0), at(1000, 0), at(1400, 20)
	for name, c := range map[string]struct {
		line     []geo.Point
		ownShape bool // the way is as the caller drew it
		ownRoads bool // the incident is where its source drew it
		on       bool
		arc      float64
	}{
		"leaves by the slip road": {line: []geo.Point{start, fork, slip}, arc: 1000},
		"drawn by the caller":     {line: []geo.Point{start, fork, slip}, ownShape: true, on: true, arc: 1000},
		"drawn by the source":     {line: []geo.Point{start, fork, slip}, ownRoads: true, on: true, arc: 1000},
		"goes on":                 {line: []geo.Point{start, fork, at(3000, 0)}, on: true, arc: 1000},
		"ends just after":         {line: []geo.Point{start, at(1005, 0)}, on: true, arc: 1000},
		"begins just before":      {line: []geo.Point{at(1995, 0), at(3000, 0)}, on: true, arc: 0},
	} {
		t.Run(name, func(t *testing.T) {
			box := geo.NoBounds()
			for _, p := range closed {
				box = box.Extend(p)
			}
			r := &Reports{
				Incidents: []Incident{{Record: record("closed", func(r *traffic.Record) { r.Closed = true }), Lines: [][]geo.Point{closed}, OnRoads: !c.ownRoads}},
				Index:     corridor.NewIndex([]geo.Bounds{box}),
			}
			way := &along.Way{Corridor: corridor.New(c.line), Ahead: along.Ahead{Depart: noon}}
			a, err := r.Along(t.Context(), way, &Request{Buffer: 50, Exact: !c.ownShape})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Incidents) != 1 {
				t.Fatalf("found %+v", a.Incidents)
			}
			if f := a.Incidents[0]; f.On != c.on || f.Closes != c.on || math.Abs(f.Arc-c.arc) > 16 {
				t.Errorf("found %+v, want it on the way: %v, at %.0f m", f, c.on, c.arc)
			}
		})
	}
}

// TestNothingBeyondTheBuffer asks for what lies within several distances of a way, where
// sources put their incidents beside the road that these were put on: a place, a line
// along it, and a place that its source has no line for.
func TestNothingBeyondTheBuffer(t *testing.T) {
	road := []geo.Point{at(0, 0), at(2000, 0)}
	placed := func(line ...geo.Point) func(*traffic.Record) {
		return func(r *traffic.Record) { r.Place = link.Place{Line: line} }
	}
	r := &Reports{Incidents: []Incident{
		{Record: record("3 m", placed(at(500, 3))), Lines: [][]geo.Point{{at(500, 0)}}, OnRoads: true},
		{Record: record("28 m", placed(at(700, 28))), Lines: [][]geo.Point{{at(700, 0)}}, OnRoads: true},
		{Record: record("line of 40 m", placed(at(900, 40), at(1100, 40))), Lines: [][]geo.Point{{at(900, 0), at(1100, 0)}}, OnRoads: true},
		{Record: record("by its ways", placed()), Lines: [][]geo.Point{{at(1200, 0), at(1300, 0)}}, OnRoads: true},
		{Record: record("long line", placed(at(-9000, 2), at(9000, 2))), Lines: [][]geo.Point{road}, OnRoads: true},
		{Record: record("another kind", func(r *traffic.Record) { r.Incident.Kind = "roadworks" }), Lines: [][]geo.Point{{at(900, 400), at(2600, -100)}}},
	}}
	boxes := make([]geo.Bounds, len(r.Incidents))
	for i := range boxes {
		boxes[i] = geo.NoBounds()
		for _, p := range r.Incidents[i].Lines[0] {
			boxes[i] = boxes[i].Extend(p)
		}
	}
	r.Index = corridor.NewIndex(boxes)
	way := &along.Way{Corridor: corridor.New(road), Ahead: along.Ahead{Depart: noon}}
	for buffer, further := range map[float64]int{15: 2, 30: 1, 50: 0} {
		a, err := r.Along(t.Context(), way, &Request{Buffer: buffer, Exact: true, Kinds: []string{"accident"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Incidents) != 5-further || a.Excluded.Further != further || a.Excluded.OtherKind != 0 {
			t.Errorf("within %g m: %+v, excluded %+v; want %d left out", buffer, a.Incidents, a.Excluded, further)
		}
	}
}

func TestNotEnabled(t *testing.T) {
	if err := (*Reports)(nil).Enabled(); !fault.IsNotEnabled(err) {
		t.Errorf("without feeds: %v", err)
	}
}
