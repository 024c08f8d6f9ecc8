package transit

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/stopwalk"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
)

// Bounds of the walks to the first stop and from the last one.
const (
	mostTried  = 120  // the nearest, straight
	mostStops  = 60   // of those, the nearest on foot
	doorStreet = 1000 // metres within which journeys have a street where they begin and end
	ofAPattern = 3    // stops of each pattern: who walks on along a line is overtaken by its vehicle
)

// usualPace is the walking speed of the walks between stops, in km/h.
const usualPace = 5.1

// slowed returns how long a walk takes, of one that takes so many seconds at the usual pace. Who is
// faster is counted at that.
func (r *JourneysRequest) slowed(seconds int32) int32 {
	if r.Speed >= usualPace {
		return seconds
	}
	return int32(math.Ceil(float64(seconds) * usualPace / r.Speed))
}

// walks are the walks at both ends of journeys.
type walks struct {
	from, to []journey.Access
	direct   int32               // seconds all the way; -1 where there is no way, or a longer one than allowed
	by       [2]map[uint32]entry // the entries of from and of to
}

// near lists the stops within reach of a place on foot as the crow flies where one can board
// a vehicle, or with alight leave one, the nearest first. It leaves out those at which only
// patterns call that have nearer ones.
func (p *Place) near(at geo.Point, r *JourneysRequest, alight bool) entries {
	type found struct {
		stop uint32
		away float64
	}
	var list []found
	p.Timetable.Near(at, r.MaxWalk, func(stop uint32, away float64) {
		if len(p.Timetable.CallsAt(stop)) > 0 && (!r.Wheelchair || p.Timetable.StopAccessible(stop)) {
			list = append(list, found{stop, away})
		}
	})
	slices.SortFunc(list, func(a, b found) int { return cmp.Or(cmp.Compare(a.away, b.away), cmp.Compare(a.stop, b.stop)) })
	near := map[uint32]int{} // how many of the stops each pattern has
	var stops []uint32
	for _, f := range list {
		more := false
		for _, c := range p.Timetable.CallsAt(f.stop) {
			unfit := int(c.Position) == len(p.Timetable.PatternStops(c.Pattern))-1
			if alight {
				unfit = c.Position == 0
			}
			if !unfit && r.Modes.Has(p.Timetable.PatternMode(c.Pattern)) {
				near[c.Pattern]++
				more = more || near[c.Pattern] <= ofAPattern
			}
		}
		if more {
			stops = append(stops, f.stop)
		}
		if len(stops) == mostTried {
			break
		}
	}
	return p.entries(stops, alight, r)
}

// matrices returns the questions of how far it is to the stops near from, with the way to the
// destination behind them, and from the stops near to.
func (p *Place) matrices(r *JourneysRequest, near [2]entries) (from, to *engine.MatrixRequest) {
	origin, destination := []engine.Location{atDoor(r.From)}, []engine.Location{atDoor(r.To)}
	return &engine.MatrixRequest{Sources: origin, Targets: slices.Concat(near[0].streets, destination), Costing: costing.Pedestrian, Options: r.Walking},
		&engine.MatrixRequest{Sources: near[1].streets, Targets: destination, Costing: costing.Pedestrian, Options: r.Walking}
}

func atDoor(at geo.Point) engine.Location {
	return engine.Location{Point: at, SearchCutoff: doorStreet}
}

func atStop(at geo.Point) engine.Location {
	return engine.Location{Point: at, SearchCutoff: stopwalk.Street}
}

// walk works out the walks at both ends.
func (p *Place) walk(ctx context.Context, r *JourneysRequest, near [2]entries) (w walks, err error) {
	w.direct = -1
	from, to := p.matrices(r, near)
	a, err := p.Engine.Matrix(ctx, from)
	if engine.Code(err) == engine.CodeNoSegment {
		return w, p.offStreet(ctx, r, err)
	}
	if err != nil {
		return w, err
	}
	last := len(near[0].streets)
	if a.Targets[last].Miss != "" {
		return w, offStreet("to", r.To)
	}
	if c := a.Cells[0][last]; c.Reached && c.Metres <= r.MaxWalk {
		w.direct = seconds(c)
	}
	w.from, w.by[0] = near[0].accesses(r.MaxWalk, func(i int) engine.MatrixCell { return a.Cells[0][i] })
	if len(near[1].list) == 0 {
		return w, nil
	}
	b, err := p.Engine.Matrix(ctx, to)
	if engine.Code(err) == engine.CodeNoSegment { // of the stops: the destination was found before
		return w, nil
	}
	if err != nil {
		return w, err
	}
	w.to, w.by[1] = near[1].accesses(r.MaxWalk, func(i int) engine.MatrixCell { return b.Cells[i][0] })
	return w, nil
}

// offStreet says which end of a journey has no street, where one has none.
func (p *Place) offStreet(ctx context.Context, r *JourneysRequest, because error) error {
	_, err := p.Engine.Nearest(ctx, &engine.NearestRequest{Location: atDoor(r.From), Costing: costing.Pedestrian, Options: r.Walking, Number: 1})
	switch {
	case engine.Code(err) == engine.CodeNoSegment:
		return offStreet("from", r.From)
	case err != nil:
		return because
	}
	return offStreet("to", r.To)
}

func offStreet(name string, at geo.Point) error {
	return engine.Refused(engine.CodeNoSegment, "%s (lat %g, lon %g) has no street that one may walk on within %d m", name, at.Lat, at.Lon, doorStreet)
}

// way is a walk as it is shown.
type way struct {
	line    []geo.Point
	metres  float64
	seconds int32
	out, in entry // the doors of its stops
}

// walked identifies a walk: its stops, None at the ends of the journeys, and its counted time.
type walked struct {
	from, to uint32
	seconds  int32
}

// ways are the walks of the journeys of an answer, each worked out once.
type ways struct {
	*Place
	r     *JourneysRequest
	by    [2]map[uint32]entry // those of the walks to the first stop and from the last one
	known map[walked]way
}

// of returns the walk of a leg. Its time is the one that was counted, but on a change of
// a traveller in a wheelchair or one who walks at another pace than usual: that is his own. A walk within a station,
// or one that is in the timetable alone, is drawn straight.
func (w *ways) of(ctx context.Context, l *journey.Leg) (way, error) {
	key := walked{l.From, l.To, l.Walk}
	if found, ok := w.known[key]; ok {
		return found, nil
	}
	found := way{seconds: l.Walk, out: entry{stop: l.From, door: l.From}, in: entry{stop: l.To, door: l.To}}
	change := l.From != timetable.None && l.To != timetable.None
	inside := change && w.inside(l.From, l.To)
	switch {
	case inside:
	case change:
		var err error
		if found.out, found.in, err = w.between(ctx, l.From, l.To); err != nil {
			return way{}, err
		}
	default:
		if e, known := w.by[0][l.To]; known {
			found.in = e
		}
		if e, known := w.by[1][l.From]; known {
			found.out = e
		}
	}
	from, to := w.location(found.out.door, w.r.From), w.location(found.in.door, w.r.To)
	found.through(w, []geo.Point{from.Point, to.Point}, geo.Distance(from.Point, to.Point))
	if change {
		found.seconds = w.r.slowed(l.Walk)
	}
	if !inside {
		a, err := w.Engine.Route(ctx, &engine.RouteRequest{Locations: []engine.Location{from, to}, Costing: costing.Pedestrian, Options: w.r.Walking, Want: engine.WantLine})
		if err != nil && engine.Code(err) == 0 {
			return way{}, err
		}
		if err == nil {
			route := &a.Routes[0]
			took := found.out.seconds + int32(math.Ceil(route.Rounded().Seconds)) + found.in.seconds
			switch {
			case !change, took <= l.Walk && w.r.Speed == usualPace:
				found.through(w, route.Line(), route.Metres)
			case w.r.Speed != usualPace, w.r.Wheelchair:
				found.through(w, route.Line(), route.Metres)
				found.seconds = took
			}
		} else if change && w.r.Wheelchair {
			found.seconds = int32(journey.Longest / time.Second) // there is no way: the walks of changes are those of walkers
		}
	}
	w.known[key] = found
	return found, nil
}

// through sets a way's line over the streets, with the ways between its doors and its stops.
func (f *way) through(w *ways, street []geo.Point, metres float64) {
	f.line, f.metres = nil, f.out.metres+metres+f.in.metres
	if f.out.door != f.out.stop {
		f.line = append(f.line, w.Timetable.Stop(f.out.stop).At)
	}
	f.line = append(f.line, street...)
	if f.in.door != f.in.stop {
		f.line = append(f.line, w.Timetable.Stop(f.in.stop).At)
	}
}

func (w *ways) location(stop uint32, end geo.Point) engine.Location {
	if stop == timetable.None {
		return atDoor(end)
	}
	return atStop(w.Timetable.Stop(stop).At)
}

// inside reports whether a walk is one within a station, as a feed states it.
func (w *ways) inside(from, to uint32) bool {
	return slices.ContainsFunc(w.Timetable.Walks(from), func(x timetable.Walk) bool { return x.To == to })
}
