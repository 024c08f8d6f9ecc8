package route

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/geo"
)

var alongDoc = edge.Doc{
	Summary: "Rank places along a route by their detour",
	Description: "The route is given by locations, or as a line (shape or encoded_polyline). The detour to each place is measured on the network with a matrix: " +
		"the way by the place less the way without it, at the leg where that is least. With a date_time detours are measured as if each leg began, or ended, then. 501 where the routing engine has no matrix.",
	Tags: []string{"analysis"},
}

type alongInput struct {
	Body struct {
		Travel
		Drawn
		Bends
		Locations  []Position   `json:"locations,omitempty" minItems:"2" maxItems:"50" doc:"the route's stops, in place of a line"`
		Places     []AlongPlace `json:"places" minItems:"1" maxItems:"500" doc:"places that may be called at"`
		MaxDetourS *float64     `json:"max_detour_s,omitempty" minimum:"0" doc:"longer detours are left out"`
		Limit      int          `json:"limit,omitempty" minimum:"1" maximum:"500" doc:"how many places to answer with; all by default"`
	}
}

// AlongPlace is a place that a caller brings.
type AlongPlace struct {
	Position
	ID         string          `json:"id,omitempty" maxLength:"256"`
	Name       string          `json:"name,omitempty" maxLength:"256"`
	Properties json.RawMessage `json:"properties,omitempty" doc:"anything; comes back as it is"`
}

// Price is that of the costing.
func (in *alongInput) Price() edge.Price { return priceOf(costing.Named(in.Body.Costing)) }

func answerAlong(ctx context.Context, in *alongInput) (*along.Answer, error) {
	current, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	req := &along.Request{MaxDetour: b.MaxDetourS, Limit: b.Limit}
	if req.Stops, req.Line, err = b.way(b.Locations); err != nil {
		return nil, err
	}
	if req.Costing, req.Options, err = b.how(); err != nil {
		return nil, err
	}
	if req.Bends, err = b.bends(current); err != nil {
		return nil, err
	}
	for _, p := range b.Places {
		req.Places = append(req.Places, along.Place{ID: p.ID, Name: p.Name, Point: p.point(), Properties: p.Properties})
	}
	here, err := current.At(slices.Concat(req.Stops, req.Line)...)
	if err != nil {
		return nil, err
	}
	answer, err := (&along.Service{Engine: here.Engine}).Rank(ctx, req)
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// way reads a route that is given by its stops or by its line.
func (d *Drawn) way(locations []Position) (stops, line []geo.Point, err error) {
	if err := oneOf("the route", map[string]bool{"locations": len(locations) > 0, "shape": len(d.Shape) > 0, "encoded_polyline": d.Encoded != ""}, "locations", "shape", "encoded_polyline"); err != nil {
		return nil, nil, err
	}
	for _, p := range locations {
		stops = append(stops, p.point())
	}
	if stops == nil {
		line, err = d.line()
	}
	return stops, line, err
}
