package transit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
	"github.com/waygate/waygate/wire/null"
)

// errNoTimetableHere is of a region without a timetable beside one that has one.
var errNoTimetableHere = fault.NotEnabled("transit", "journeys are not enabled here: the region of these places was imported without a timetable (waygate import --gtfs)")

// Journeys finds journeys from door to door. It fails where there are no streets near one of
// its places, with the engine's refusal.
func (s *Service) Journeys(ctx context.Context, indexes []*timetable.Index, here Place, r JourneysRequest) (*Journeys, error) {
	if err := Enabled(indexes); err != nil {
		return nil, err
	}
	if here.Timetable == nil || here.Network == nil {
		return nil, errNoTimetableHere
	}
	on := page{at: r.At}
	if r.At.IsZero() {
		on.at = s.Now()
	}
	if r.Page != "" {
		var err error
		if on, err = readPage(r.Page); err != nil {
			return nil, err
		}
	}
	on.at = on.at.Truncate(time.Second)
	here.updates = s.updatesOn(here.Timetable)
	near := [2]entries{here.near(r.From, &r, false), here.near(r.To, &r, true)}
	return engine.WorkFor(ctx, here.effort(&r, near), func(ctx context.Context) (*Journeys, error) {
		return s.journeys(ctx, here, &r, on, near)
	})
}

// Work of searches, about, in nanoseconds for each stop of the timetable: for one departure,
// and beside that for each hour of a window.
const (
	searchNanos = 60
	windowNanos = 180
)

// mostWalked is about how many walks an answer shows.
const mostWalked = 12

// effort returns the work that a request is expected to take.
func (p *Place) effort(r *JourneysRequest, near [2]entries) engine.Estimate {
	from, to := p.matrices(r, near)
	sum := p.Engine.Estimate(engine.CallMatrix, from)
	if len(near[1].list) > 0 {
		sum = sum.Plus(p.Engine.Estimate(engine.CallMatrix, to))
	}
	stops := float64(p.Timetable.Stops())
	sum = sum.Plus(engine.Estimate{Cores: 1, Bytes: int64(stops) * 500, Work: time.Duration(stops * (2*searchNanos + windowNanos*r.Window.Hours()))})
	walk := p.Engine.Estimate(engine.CallRoute, &engine.RouteRequest{Locations: engine.Stops([]geo.Point{r.From, r.From}), Costing: costing.Pedestrian, Options: r.Walking, Want: engine.WantLine})
	walk.Work *= mostWalked
	sum = sum.Plus(walk)
	if r.Wheelchair { // the second search says why there is none
		sum.Work *= 2
	}
	sum.Kind, sum.Cheaper = "transit-journeys", "a smaller window_minutes, limit or max_walk_m"
	return sum
}

// journeys finds journeys. Where there is none by wheelchair it says whether that is why.
func (s *Service) journeys(ctx context.Context, here Place, r *JourneysRequest, on page, near [2]entries) (*Journeys, error) {
	found, err := s.journeysFrom(ctx, here, r, on, near)
	if err != nil || !r.Wheelchair || found.None == nil {
		return found, err
	}
	all := *r
	all.Wheelchair, all.Limit = false, 1
	other, err := s.journeysFrom(ctx, here, &all, on, [2]entries{here.near(r.From, &all, false), here.near(r.To, &all, true)})
	if err == nil && other.None == nil {
		found.None.Reason, found.None.Message = wheelchairs, "There are journeys, and none whose trips and stops the timetable states to be accessible by wheelchair, with ways between them that are."
	}
	return found, err
}

func (s *Service) journeysFrom(ctx context.Context, here Place, r *JourneysRequest, on page, near [2]entries) (*Journeys, error) {
	x := here.Timetable
	if r.Wheelchair {
		here.Network = here.Network.Accessible()
	}
	zone := x.Zone(0)
	if len(near[0].list) > 0 {
		zone = x.Zone(near[0].list[0].stop)
	}
	out := &Journeys{
		From: JourneyEnd{r.From.Lat, r.From.Lon}, To: JourneyEnd{r.To.Lat, r.To.Lon},
		At: on.at.In(zone).Format(time.RFC3339), ArriveBy: r.ArriveBy, Window: int(r.Window / time.Minute), Basis: "timetable", Label: Label,
		Journeys: []Journey{}, Coverage: s.coverage([]*timetable.Index{x}), Attribution: append(attribution([]*timetable.Index{x}), here.updates.attribution...),
		Updates: here.updates.state,
	}
	if r.From == r.To {
		out.None = &None{Reason: samePlace, Message: "from and to are the same place."}
		return out, nil
	}
	w, err := here.walk(ctx, r, near)
	if err != nil {
		return nil, err
	}
	d := drawing{&ways{&here, r, w.by, map[walked]way{}}, zone}
	if w.direct >= 0 && r.Page == "" {
		all, err := d.onFoot(ctx, on.at, w.direct)
		if err != nil {
			return nil, err
		}
		out.Journeys = append(out.Journeys, all)
	}
	if out.None = here.without(r, w, on.at, zone); out.None != nil {
		return out, nil
	}
	found, err := here.find(ctx, r, w, on.at, r.Window)
	if err != nil {
		return nil, err
	}
	list, part := on.cut(found, r.Limit)
	if r.ArriveBy { // the last comes first
		slices.Reverse(list)
	}
	before, after := on.around(part, len(found), r)
	rides := 0
	for i := range list {
		j, possible, err := d.journey(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		if possible {
			out.Journeys = append(out.Journeys, j)
			rides++
			if j.live() {
				out.Basis = "live"
			}
		}
	}
	if len(list) == 0 {
		if out.None, err = s.later(ctx, &here, r, w, d, on.at, &before, &after); err != nil {
			return nil, err
		}
	} else if rides == 0 {
		out.None = &None{Reason: noService, Message: fmt.Sprintf("The changes of the journeys are too short at %g km/h.", r.Speed)}
	}
	if r.Window > 0 {
		out.Previous, out.Next = here.page(before, zone), here.page(after, zone)
	}
	return out, nil
}

// page writes a page; nil where the timetable has no service on its day.
func (p *Place) page(of page, zone *time.Location) *string {
	if first, last, ok := p.Timetable.Span(); !ok || gtfs.DateOf(of.at.In(zone)) < first-1 || gtfs.DateOf(of.at.In(zone)) > last+gtfs.Date(p.Timetable.LongestTrip()) {
		return nil
	}
	return null.IfZero(of.String())
}

// find searches for the journeys of a window by at least one vehicle.
func (p *Place) find(ctx context.Context, r *JourneysRequest, w walks, at time.Time, window time.Duration) ([]journey.Journey, error) {
	list, err := p.Network.Find(ctx, &journey.Query{
		From: w.from, To: w.to, Direct: w.direct, At: at, ArriveBy: r.ArriveBy, Window: window,
		MaxRides: r.MaxChanges + 1, Modes: r.Modes, MinChange: r.MinChange, Live: p.updates.journeys(p.Network),
	})
	return slices.DeleteFunc(list, func(j journey.Journey) bool { return j.Rides == 0 }), err
}

// without says why there can be no journey by public transport; nil where there can be.
func (p *Place) without(r *JourneysRequest, w walks, at time.Time, zone *time.Location) *None {
	first, last, ok := p.Timetable.Span()
	day := gtfs.DateOf(at.In(zone))
	switch {
	case !ok || day < first || day > last+gtfs.Date(p.Timetable.LongestTrip()):
		none := &None{Reason: outOfSpan, Message: "The timetable has no service at all."}
		if ok {
			none.Message = fmt.Sprintf("The timetable has services from %s to %s, and none on %s.", first, last, day)
		}
		return none
	case len(w.from) == 0:
		return &None{Reason: noStopsFrom, Message: fmt.Sprintf("No stop with departures of the modes asked for is within %g m on foot of from.", r.MaxWalk)}
	case len(w.to) == 0:
		return &None{Reason: noStopsTo, Message: fmt.Sprintf("No stop with departures of the modes asked for is within %g m on foot of to.", r.MaxWalk)}
	}
	return nil
}

// later says of a window without a journey which is the nearest one after it, with ArriveBy
// before it, and has the page there begin with it.
func (s *Service) later(ctx context.Context, p *Place, r *JourneysRequest, w walks, d drawing, at time.Time, before, after *page) (*None, error) {
	zone := d.zone
	changes, window := fault.Counted(r.MaxChanges, "change", "changes"), fault.Counted(int(r.Window.Minutes()), "minute", "minutes")
	none := &None{Reason: noService, Message: fmt.Sprintf("No journey with up to %s sets out within %s from %s.", changes, window, at.In(zone).Format(time.RFC3339))}
	if r.ArriveBy {
		none.Message = fmt.Sprintf("No journey with up to %s arrives within %s before %s.", changes, window, at.In(zone).Format(time.RFC3339))
	}
	if r.Window > 0 {
		found, err := p.find(ctx, r, w, at, 0)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			// All of these leave outside the window. Pages go on from the nearest.
			nearest := slices.MinFunc(found, func(a, b journey.Journey) int { return a.Depart.Compare(b.Depart) })
			if r.ArriveBy {
				nearest = slices.MaxFunc(found, func(a, b journey.Journey) int { return a.Arrive.Compare(b.Arrive) })
				before.at, before.part = nearest.Arrive, 0
			} else {
				after.at, after.part = nearest.Depart, 0
			}
			ride := slices.IndexFunc(nearest.Legs, func(l journey.Leg) bool { return l.Ride })
			none.Next = d.next(&nearest.Legs[ride])
			return none, nil
		}
	}
	none.Message = fmt.Sprintf("No journey with up to %s is within a day of %s.", changes, at.In(zone).Format(time.RFC3339))
	if !r.ArriveBy && !r.Wheelchair {
		none.Next = d.departure(w, at)
	}
	return none, nil
}
