package optimise

import (
	"context"
	"errors"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/geo"
)

// mostStops is how many places one call of the engine draws a line through.
const mostStops = 50

// draw has the engine draw the line of each route.
func (s *Service) draw(ctx context.Context, t *Task, o *Outcome) error {
	o.Lines = make([][]geo.Point, len(o.Plan.Routes))
	for i := range o.Plan.Routes {
		r := &o.Plan.Routes[i]
		var places []geo.Point
		for k := range r.Steps {
			at := r.Steps[k].Location
			if at != fleet.None && (len(places) == 0 || places[len(places)-1] != t.Points[at]) {
				places = append(places, t.Points[at])
			}
		}
		line, err := s.line(ctx, t, &o.Problem.Vehicles[r.Vehicle], places)
		if err != nil {
			return err
		}
		o.Lines[i] = line
	}
	return nil
}

// line returns the way through places, asked for in parts.
func (s *Service) line(ctx context.Context, t *Task, v *fleet.Vehicle, places []geo.Point) ([]geo.Point, error) {
	if len(places) < 2 {
		return places, nil
	}
	profile := t.Profiles[v.Profile]
	var line []geo.Point
	for first := 0; first+1 < len(places); first += mostStops - 1 {
		part := places[first:min(len(places), first+mostStops)]
		best, err := engine.Best(ctx, s.Engine, &engine.RouteRequest{Locations: engine.Stops(part), Costing: profile.Costing, Options: profile.Options, Conditions: t.Conditions})
		if err != nil {
			return nil, errors.Join(errLine, err)
		}
		for _, p := range best.Line() {
			if len(line) == 0 || line[len(line)-1] != p {
				line = append(line, p)
			}
		}
	}
	return line, nil
}

var errLine = errors.New("the line of a route could not be drawn")
