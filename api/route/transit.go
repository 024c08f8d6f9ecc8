package route

import (
	"context"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/valhalla"
	"github.com/waygate/waygate/world"
)

// publicTransport answers about reach by the costing transit.
type publicTransport struct{ *transit.Service }

func newPublicTransport(d Deps) publicTransport {
	now := d.Now
	if now == nil {
		now = time.Now
	}
	return publicTransport{&transit.Service{Updates: d.Updates, Now: now}}
}

// at returns what journeys of a region are found with, beside the timetables of all regions.
func (publicTransport) at(ctx context.Context, here *world.Region) ([]*timetable.Index, transit.Place, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, transit.Place{}, err
	}
	return w.Timetables(), transit.Place{Timetable: here.Timetable, Network: here.Journeys, Engine: here.Engine}, nil
}

// ride returns how one travels by the options of a request.
func ride(o *native.TransitOptions, when *engine.When, arriveBy bool) *transit.Ride {
	r := &transit.Ride{When: when, ArriveBy: arriveBy, Window: o.Window, Share: o.Share, MaxChanges: 4, MaxWalk: 1500, MinChange: 60, Modes: timetable.All, Wheelchair: o.Wheelchair}
	if o.MaxChanges != nil {
		r.MaxChanges = *o.MaxChanges
	}
	if o.MaxWalk != nil {
		r.MaxWalk = *o.MaxWalk
	}
	if o.MinChange != nil {
		r.MinChange = int32(*o.MinChange)
	}
	if len(o.Modes) > 0 {
		r.Modes = 0
		for _, name := range o.Modes {
			mode, _ := timetable.ModeOf(name) // one of the enum
			r.Modes |= mode.Set()
		}
	}
	return r
}

// about returns the member that says how the times came about.
func about(r *transit.Reach) json.Block { return json.Block{Name: "transit", Value: r} }

// matrix answers with a matrix by public transport.
func (p publicTransport) matrix(ctx context.Context, in *edge.Question[native.MatrixRequest], form valhalla.MatrixForm) ([]byte, error) {
	sources, targets, warnings, err := in.Body.TransitMatrix()
	if err != nil {
		return nil, err
	}
	indexes, here, err := p.at(ctx, in.Region)
	if err != nil {
		return nil, err
	}
	when := in.Body.Conditions.Engine().When
	found, err := p.ReachMatrix(ctx, indexes, here, sources, targets, ride(in.Body.Transit, when, when != nil && when.Type == engine.Arrive))
	if err != nil {
		return nil, engine.WithHint(err, in.Region.Bounds, in.Points(), nil)
	}
	form.Square, form.ID, form.Warnings = in.Body.Square(), in.Body.ID, slices.Concat(in.Warnings, warnings)
	form.Why, form.Blocks = found.Why, []json.Block{about(&found.Reach)}
	return valhalla.WriteMatrix(found.Matrix, form)
}

// isochrone answers with outlines by public transport.
func (p publicTransport) isochrone(ctx context.Context, in *edge.Question[native.IsochroneRequest]) ([]byte, error) {
	q, warnings, err := in.Body.TransitIsochrone()
	if err != nil {
		return nil, err
	}
	indexes, here, err := p.at(ctx, in.Region)
	if err != nil {
		return nil, err
	}
	a, found, err := p.ReachOutline(ctx, indexes, here, q, ride(in.Body.Transit, in.Body.Conditions.Engine().When, in.Body.Reverse))
	if err != nil {
		return nil, engine.WithHint(err, in.Region.Bounds, in.Points(), nil)
	}
	return writeIsochrone(ctx, in, q, a, warnings, about(found))
}
