package osrm

import (
	"context"
	"strconv"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/osrm"
)

// mostNearest is how many roads a server lists with its default limit.
const mostNearest = 100

// Nearest asks for the roads near a place.
func (e *Engine) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	list := []engine.Location{r.Location}
	if _, err := ignored(r.Costing, &r.Options, &engine.Conditions{}, list); err != nil {
		return nil, err
	}
	q := query{"generate_hints", "false", "number", strconv.Itoa(min(r.Number, mostNearest))}
	q.locate(list)
	q.exclude(&r.Options)
	body, err := e.ask(ctx, r.Costing, "nearest", coordinates(points(list)), q)
	if err != nil {
		return nil, err
	}
	served, err := osrm.ReadServed(body, &valueOutput)
	if err != nil {
		return nil, err
	}
	a := &engine.NearestAnswer{}
	for _, p := range served.Places {
		if p != nil && len(a.Roads) < r.Number {
			a.Roads = append(a.Roads, engine.NearRoad{Point: p.On, Metres: p.Metres, Nodes: p.Nodes})
		}
	}
	if len(a.Roads) == 0 {
		return nil, unlike("a list of roads")
	}
	return a, nil
}
