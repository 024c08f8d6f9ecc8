package embedded_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// limited requests the way from a to c in a town with one road of 2 km, abc, and one of 3 km
// around it, adec, that is driven at 60 km/h. A time of 0:00 gives none.
type limited struct {
	t    *testing.T
	town *towntest.Town
	e    *embedded.Engine
}

func drawLimited(t *testing.T, abc string) *limited {
	t.Helper()
	town := towntest.Draw(t, `
		a---------b---------c
		|                   |
		|                   |
		d-------------------e`, towntest.Ways{{"ab", abc}, {"bc", abc}, {"adec", "primary maxspeed=60"}}, towntest.Cell(100))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return &limited{t, town, e}
}

func when(t *testing.T, kind engine.TimeType, clock string) engine.Conditions {
	t.Helper()
	if clock == "" {
		return engine.Conditions{}
	}
	at, err := time.Parse(engine.TimeForm, clock)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Conditions{When: &engine.When{Type: kind, Local: at}}
}

// route returns the seconds of the way, its metres and its limits in the answer.
func (x *limited) route(k costing.Costing, options, from, to string, c engine.Conditions) (seconds, metres float64, limits []uint8) {
	x.t.Helper()
	r := &engine.RouteRequest{Costing: k, Options: chosen(x.t, k, options), Conditions: c, Locations: stops(x.town, from, to)}
	r.Want = engine.WantLine | engine.WantPieces
	a, err := x.e.Route(x.t.Context(), r)
	if err != nil {
		x.t.Fatal(err)
	}
	for _, p := range a.Routes[0].Legs[0].Pieces {
		seconds += p.Seconds
		metres += p.Metres
		if n := len(limits); n == 0 || limits[n-1] != p.Limit {
			limits = append(limits, p.Limit)
		}
	}
	return seconds, metres, limits
}

// TestLimitsByTheHour checks that the speed limits of the hour decide on the way and its time,
// and that routes, matrices and annotations have them alike.
func TestLimitsByTheHour(t *testing.T) {
	t.Parallel()
	const straight, around = 2000.0, 2600.0
	at := func(kmh float64) float64 { return straight / kmh * 3.6 }
	for _, c := range []struct {
		what    string
		abc     string
		costing costing.Costing
		options string
		back    bool
		clock   string // on Tuesday, 1 September 2026, unless it has a date
		kind    engine.TimeType
		seconds float64 // along the straight way; 0 is the other way
		limit   uint8
	}{
		{what: "no time given", abc: `primary maxspeed=80 maxspeed:conditional="50 @ (22:00-06:00)"`, seconds: at(80), limit: 80},
		{what: "by day", abc: `primary maxspeed=80 maxspeed:conditional="50 @ (22:00-06:00)"`, clock: "12:00", seconds: at(80), limit: 80},
		{what: "by night", abc: `primary maxspeed=80 maxspeed:conditional="50 @ (22:00-06:00)"`, clock: "23:00", seconds: at(50), limit: 50},
		{what: "to arrive by night", abc: `primary maxspeed=80 maxspeed:conditional="50 @ (22:00-06:00)"`, clock: "23:00", kind: engine.Arrive, seconds: at(50), limit: 50},
		{what: "in a night that stands still", abc: `primary maxspeed=80 maxspeed:conditional="50 @ (22:00-06:00)"`, clock: "23:00", kind: engine.Invariant, seconds: at(50), limit: 50},
		{what: "slower than the way around", abc: `primary maxspeed=80 maxspeed:conditional="30 @ (22:00-06:00)"`, clock: "23:00"},
		{what: "faster at times", abc: `primary maxspeed=30 maxspeed:conditional="60 @ (20:00-07:00)"`, clock: "05:00", seconds: at(60), limit: 60},
		{what: "faster at other times", abc: `primary maxspeed=30 maxspeed:conditional="60 @ (20:00-07:00)"`, clock: "08:00"},
		{what: "none at times", abc: `motorway maxspeed=80 maxspeed:conditional="none @ (20:00-07:00)"`, clock: "05:00", seconds: at(105), limit: 140},
		{what: "miles an hour", abc: `primary maxspeed="50 mph" maxspeed:conditional="30 mph @ (Mo-Fr 08:00-09:30)"`, clock: "08:30", seconds: at(48), limit: 48},
		{what: "school holidays, of which nothing is known", abc: `primary maxspeed=80 maxspeed:conditional="50 @ (Mo-Fr 07:00-17:00; SH off)"`, clock: "08:30", seconds: at(50), limit: 50},
		{what: "on a Sunday", abc: `primary maxspeed=80 maxspeed:conditional="50 @ (Mo-Fr 07:00-17:00; SH off)"`, clock: "2026-09-06T08:30", seconds: at(80), limit: 80},
		{what: "in the rain, of which nothing is known", abc: `primary maxspeed=80 maxspeed:conditional="50 @ wet"`, clock: "08:30", seconds: at(80), limit: 80},
		{what: "one way, that", abc: `primary maxspeed=80 maxspeed:forward:conditional="50 @ (22:00-06:00)"`, clock: "23:00", seconds: at(50), limit: 50},
		{what: "one way, the other", abc: `primary maxspeed=80 maxspeed:forward:conditional="50 @ (22:00-06:00)"`, clock: "23:00", back: true, seconds: at(80), limit: 80},
		{what: "for lorries, a car", abc: `primary maxspeed=80 maxspeed:hgv:conditional="50 @ (22:00-06:00)"`, clock: "23:00", seconds: at(80), limit: 80},
		{what: "for lorries, one", abc: `primary maxspeed=80 maxspeed:hgv:conditional="50 @ (22:00-06:00)"`, costing: costing.Truck, clock: "23:00", seconds: at(50), limit: 80},
		{what: "for heavy lorries, a light one", abc: `primary maxspeed=80 maxspeed:hgv:conditional="50 @ (22:00-06:00 AND weight>12)"`, costing: costing.Truck, options: `"weight": 9`, clock: "23:00", seconds: at(80), limit: 80},
		{what: "for heavy lorries, one", abc: `primary maxspeed=80 maxspeed:hgv:conditional="50 @ (22:00-06:00 AND weight>12)"`, costing: costing.Truck, options: `"weight": 20`, clock: "23:00", seconds: at(50), limit: 80},
		{what: "for all above a weight, a car", abc: `primary maxspeed=80 maxspeed:conditional="50 @ (22:00-06:00 AND weight>7.5)"`, clock: "23:00", seconds: at(80), limit: 80},
		{what: "for buses", abc: `primary maxspeed=80 maxspeed:bus:conditional="50 @ (22:00-06:00)"`, costing: costing.Bus, clock: "23:00", seconds: at(50), limit: 80},
		{what: "the last that holds", abc: `primary maxspeed=80 maxspeed:conditional="40 @ (00:00-24:00); 50 @ (22:00-06:00)"`, clock: "23:00", seconds: at(50), limit: 50},
		// Half of the road is behind one when it begins.
		{what: "that begins on the way", abc: `primary maxspeed=60 maxspeed:conditional="40 @ (23:01-06:00)"`, clock: "23:00", seconds: at(60)/2 + at(40)/2, limit: 60},
		{what: "that ends on the way", abc: `primary maxspeed=60 maxspeed:conditional="30 @ (22:00-23:01)"`, clock: "23:00"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			x := drawLimited(t, c.abc)
			k := costing.Auto
			if c.costing.Valid() {
				k = c.costing
			}
			kind, from, to := engine.Depart, "a", "c"
			if c.kind != engine.Now {
				kind = c.kind
			}
			if c.back {
				from, to = to, from
			}
			if len(c.clock) == len("23:00") {
				c.clock = "2026-09-01T" + c.clock
			}
			conditions := when(t, kind, c.clock)
			for range 3 { // the first time without a metric of the options
				seconds, metres, limits := x.route(k, c.options, from, to, conditions)
				if c.seconds == 0 {
					if math.Abs(metres-around) > 20 {
						t.Errorf("it takes %.0f s over %.0f m, want the way around", seconds, metres)
					}
				} else if math.Abs(metres-straight) > 20 || math.Abs(seconds-c.seconds) > 1+c.seconds/50 || limits[0] != c.limit {
					t.Errorf("it takes %.0f s over %.0f m with limits of %d; want %.0f s and %d", seconds, metres, limits, c.seconds, c.limit)
				}
				m := &engine.MatrixRequest{Sources: stops(x.town, from, to), Targets: stops(x.town, to, from), Costing: k, Options: chosen(t, k, c.options), Conditions: conditions}
				a, err := x.e.Matrix(t.Context(), m)
				if err != nil {
					t.Fatal(err)
				}
				if got := a.Cells[0][0]; math.Abs(got.Seconds-seconds) > 1 || math.Abs(got.Metres-metres) > 1 {
					t.Errorf("a matrix says %.1f s and %.0f m, a route %.1f s and %.0f m", got.Seconds, got.Metres, seconds, metres)
				}
			}
		})
	}
}

// TestLimitsOfTraces checks that a trace's speeds and limits are those of its time: of the
// request, and of its positions where their times count.
func TestLimitsOfTraces(t *testing.T) {
	t.Parallel()
	x := drawLimited(t, `primary maxspeed=80 maxspeed:conditional="50 @ (22:00-06:00)"`)
	for _, c := range []struct {
		what  string
		clock string
		took  float64 // seconds from one position to the next, 0 without times
		want  []uint8
		kmh   float64
	}{
		{"no time given", "", 0, []uint8{80}, 80},
		{"by day", "2026-09-01T12:00", 0, []uint8{80}, 80},
		{"by night", "2026-09-01T23:00", 0, []uint8{50}, 50},
		{"into the night, by its own times", "2026-09-01T21:59", 40, []uint8{80, 50}, 80},
	} {
		r := &engine.MatchRequest{Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Conditions: when(t, engine.Depart, c.clock), How: engine.MapSnap, UseTimestamps: c.took > 0}
		for i := range 5 {
			p := engine.TracePoint{Point: x.town.Between("a", "c", 0.02+0.24*float64(i))}
			if c.took > 0 {
				seconds := 1000 + c.took*float64(i)
				p.Time = &seconds
			}
			r.Trace = append(r.Trace, p)
		}
		a, err := x.e.TraceAttributes(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		var limits []uint8
		for i := range a.Edges {
			if n := len(limits); n == 0 || limits[n-1] != a.Edges[i].SpeedLimit {
				limits = append(limits, a.Edges[i].SpeedLimit)
			}
		}
		if !slices.Equal(limits, c.want) || math.Abs(a.Edges[0].Speed-c.kmh) > 1 {
			t.Errorf("%s: limits %d, the first at %.0f km/h; want %d and %.0f", c.what, limits, a.Edges[0].Speed, c.want, c.kmh)
		}
		if seconds := a.Edges[0].Metres / c.kmh * 3.6; c.took == 0 && math.Abs(a.Edges[0].Seconds-seconds) > 1 {
			t.Errorf("%s: the first edge takes %.1f s, want %.1f", c.what, a.Edges[0].Seconds, seconds)
		}
	}
}

// TestLimitsWithinReach checks that less is within reach in an hour of low limits, and as
// much as at no time in others.
func TestLimitsWithinReach(t *testing.T) {
	t.Parallel()
	x := drawLimited(t, `primary maxspeed=80 maxspeed:conditional="30 @ (22:00-06:00)"`)
	for _, reverse := range []bool{false, true} {
		area := func(clock string) float64 {
			kind := engine.Depart
			if reverse {
				kind = engine.Arrive
			}
			r := &engine.IsochroneRequest{
				Location: engine.Location{Point: x.town.Point("a")}, Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Contours: []engine.Contour{{Minutes: 1}}, Reverse: reverse,
				Conditions: when(t, kind, clock),
			}
			a, err := x.e.Isochrone(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, p := range a.Outlines[0].Polygons {
				sum += geo.Length(p.Outer)
			}
			return sum
		}
		none, noon, night := area(""), area("2026-09-01T12:00"), area("2026-09-01T23:00")
		if noon != none || night > 0.8*noon || night < 0.3*noon {
			t.Errorf("reverse %v: the outline is %.0f m at no time, %.0f at noon, %.0f at night", reverse, none, noon, night)
		}
	}
}
