// Package plan turns a request into values, finds its locations on the network, searches
// for paths, and joins them into routes.
package plan

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// Request is one request as values: its places, who travels and when, and what changes the
// roads for it.
type Request struct {
	Base    *Base
	Query   *engine.RouteRequest
	Ctx     context.Context // of the caller; nil where the work is never cancelled
	Places  int             // locations of the request; 0 is those in r
	Who     metric.Traveller
	Costing *profile.Costing
	Weights metric.Weights // of costing, with what changes the roads for the request
	// Excludes is true where the request itself closes roads.
	Excludes bool
	// OmitExcluded is true where a location may not lie on roads that the options exclude.
	OmitExcluded bool
	LocalTime    time.Time      // local: of the next hop's beginning, or of its end for a journey with a time of arrival
	began        time.Time      // local: of the journey's beginning where that is now
	Clock        *overlay.Clock // nil where nothing depends on the time
	Arrives      bool           // closures count by the time of arrival there though the request has no time
	Detoured     *atomic.Int64  // ways that a live closure keeps from being the cheapest; nil counts none
	notes
}

// Searcher answers a request with the scratch of one goroutine.
type Searcher struct {
	*Request
	Scratch *Scratch
	locator
	pathTimer
	pathFinder
}

// Searcher returns what answers a request on some scratch.
func (p *Request) Searcher(s *Scratch) *Searcher {
	q := &Searcher{Request: p, Scratch: s, locator: locator{Request: p, s: s}, pathTimer: pathTimer{Request: p, s: s}}
	q.pathFinder.pathTimer = &q.pathTimer
	return q
}

// Fork returns what answers the request on another goroutine, with a clock of its own.
func (p *Request) Fork(ctx context.Context, s *Scratch) *Searcher {
	q := *p
	q.Ctx = ctx
	if q.Clock != nil {
		q.Clock = q.Clock.Clone()
	}
	return q.Searcher(s)
}

// With returns what answers a request of the same traveller for other locations.
func (p *Request) With(s *Scratch, list []engine.Location) *Searcher {
	q, r := *p, *p.Query
	r.Locations = list
	q.Query = &r
	return q.Searcher(s)
}

// PlanOf returns the traveller of a request without a route, and the conditions of the roads for
// it. The time zone is that of its first place.
func (e *Base) PlanOf(ctx context.Context, r *engine.RouteRequest) (*Request, error) {
	return e.PlanArriving(ctx, r, false)
}

// PlanArriving is planOf; arrives is as that of a request.
func (e *Base) PlanArriving(ctx context.Context, r *engine.RouteRequest, arrives bool) (*Request, error) {
	s := e.Scratch.Get().(*Scratch)
	defer e.Scratch.GiveBack(s)
	p := &Request{Base: e, Query: r, Ctx: ctx, Arrives: arrives}
	if err := p.Searcher(s).Prepare(); err != nil {
		return nil, err
	}
	if o := p.Weights.Overlay; p.Clock != nil || !o.Empty() {
		// Searches for many ways look at more roads than the hierarchy leaves out.
		if w := e.Metrics.Get(p.Who, true); w.Layer == p.Weights.Layer { // or the overlay is of another
			p.Weights = w
		}
		p.Weights.Overlay, p.Costing = o, p.Weights.Costing
		if p.Clock != nil {
			p.Clock.Wait = p.Costing.Wait()
		}
	}
	return p, nil
}

// Plain returns a request without a time, on the roads as they are without conditions.
func (e *Base) Plain(ctx context.Context, r *engine.RouteRequest) *Request {
	p := &Request{Base: e, Query: r, Ctx: ctx, Who: metric.Traveller{Options: r.Options.Of(r.Costing)}}
	p.Weights = e.Metrics.Get(p.Who, false)
	p.Costing = p.Weights.Costing
	return p
}

// ContextError is the context's error.
func (p *Request) ContextError() error {
	if p.Ctx == nil {
		return nil
	}
	return p.Ctx.Err()
}

// Locations returns how many locations the request has.
func (p *Request) Locations() int { return max(p.Places, len(p.Query.Locations)) }

// Usable returns the places on a segment where the traveller may set out or
// arrive, one for each direction that is allowed and that the location's
// filter and heading admit.
func (p *Request) Usable(l *engine.Location, c snap.Candidate) []search.End {
	return p.appendUsable(nil, l, c)
}

func (p *Request) appendUsable(ends []search.End, l *engine.Location, c snap.Candidate) []search.End {
	g := p.Base.Graph
	if !admits(p.Costing, &l.Filter, c.Segment) {
		return ends
	}
	for _, e := range p.edgesOf(c.Segment) {
		if !p.Costing.Allowed(e) || p.OmitExcluded && p.Costing.Excluded(e) || !p.heading(l, e, c) || l.Filter.ExcludeClosures && (p.Weights.Overlay.ClosedThrough(e) || p.Clock.Closed(e)) {
			continue
		}
		along := c.Along
		if g.Backward(e) {
			along = 1 - along
		}
		ends = append(ends, search.End{Edge: e, Along: along})
	}
	return ends
}

// edgesOf returns the two original edges of a segment.
func (p *Request) edgesOf(s graph.Segment) [2]graph.Edge {
	forward := p.Base.Graph.Forward[s]
	return [2]graph.Edge{forward, p.Base.Graph.ByEdge[forward].Opposite}
}

// heading reports whether an edge leads the way a location wants to go.
func (p *Request) heading(l *engine.Location, e graph.Edge, c snap.Candidate) bool {
	if l.Heading == nil {
		return true
	}
	tolerance := l.HeadingTolerance
	if tolerance == 0 {
		tolerance = engine.UsualHeadingTolerance
	}
	off := geo.Turn(*l.Heading, kernel.BearingAt(p.Base.Graph, e, c.Point))
	return math.Min(off, 360-off) <= tolerance
}

// Prepare finds out who travels, when, and what bends the roads.
func (p *Searcher) Prepare() error {
	p.Scratch.steps = p.Scratch.steps[:0]
	p.Who = metric.Traveller{Options: p.Query.Options.Of(p.Query.Costing)}
	p.setTime(p.Base.Now())
	p.Weights = p.Base.Metrics.Get(p.Who, false)
	p.Costing = p.Weights.Costing
	if p.Clock != nil {
		p.Clock.Wait = p.Costing.Wait()
	}
	return p.applyConditions()
}

// setTime puts the time of a request on a clock, before it is known what the
// roads cost: what opens at times is open to requests with a time. The time of
// day is that of the roads' own clocks. Local times are held in the location
// UTC, so that a day has 24 hours.
func (p *Searcher) setTime(now time.Time) {
	w, live := p.Query.When, p.Base.Current.Get()
	if live != nil {
		defer func() {
			if v := live.Counts(p.view(p.LocalTime)); !live.Layer(v).Empty() {
				p.Who.View = v
			}
		}()
	}
	heeds := live != nil && p.Query.Wants("current") && !p.Query.Options.On(costing.IgnoreClosures)
	if w == nil {
		if p.Arrives && heeds && live.Passing() {
			// Nothing else of the roads depends on a time that the request does not have.
			p.LocalTime = WallClock(now.UTC())
			p.Clock = overlay.NewClock(p.Base.Conditions(), overlay.Traveller{}, p.LocalTime)
			p.Clock.Roads = live
		}
		return
	}
	p.LocalTime = w.Local
	var ahead time.Duration
	if zone := p.zone(w.Type == engine.Now); w.Type == engine.Now {
		p.LocalTime = WallClock(now.In(zone))
		p.began = p.LocalTime
		ahead = p.LocalTime.Sub(now)
	} else {
		ahead = p.LocalTime.Sub(time.Date(p.LocalTime.Year(), p.LocalTime.Month(), p.LocalTime.Day(), p.LocalTime.Hour(), p.LocalTime.Minute(), 0, 0, zone))
	}
	o := &p.Who.Options
	v := p.vehicle()
	p.Who.Open = v.Mode != 0 && p.Base.Metrics.BestTimes[o.Costing]().Any()
	p.Clock = overlay.NewClock(p.Base.Conditions(), overlay.Traveller{
		Mode: v.Mode, Vehicle: v, HasAccess: func(e graph.Edge) bool { return p.Costing.HasAccess(e) }, Always: func(e graph.Edge) bool { return p.Costing.OpenAlways(e) },
	}, p.LocalTime)
	if heeds {
		p.Clock.Roads, p.Clock.Ahead = live, ahead
	}
	p.Clock.Arrive, p.Clock.Frozen = w.Type == engine.Arrive, w.Type == engine.Invariant
}

// vehicle returns the traveller's properties that conditions depend on.
func (p *Request) vehicle() *conditional.Vehicle {
	o := &p.Who.Options
	v := profile.Vehicle(o)
	if o.IgnoreRestrictions || o.IgnoreNonVehicular {
		v.Mode = 0 // whom none concerns
	}
	return v
}

// zone returns the time zone of the first location, by the country of the nearest road;
// UTC where that is unknown, with a warning for a request that sets out now.
func (p *Searcher) zone(now bool) *time.Location {
	zone, known := time.UTC, false
	p.Scratch.Snap.Nearest(p.Query.Locations[0].Point, FarCutoff, func(c snap.Candidate) bool {
		if z, ok := conditional.Zone(p.Base.Graph.Country[c.Segment]); ok {
			zone, known = z, true
		}
		return false
	})
	if !known && now {
		p.warn(engine.WarnZone, "the time zone of the first location is not known: now was taken as UTC")
	}
	return zone
}
