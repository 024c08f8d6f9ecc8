package directions

import (
	"encoding/json"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
)

// Limits of a request.
const (
	MaxLocations  = 50
	MaxAlternates = 3
)

// Request is a checked request for a route.
type Request struct {
	Route     engine.RouteRequest
	Rationale bool // the route is to be explained
	Landmarks bool // places are to be named where it turns

	warnings []engine.Warning
	adr      *load
	avoid    *Avoidance

	// Of the compatible endpoint.
	continueThrough bool
	stops           []int // coordinates that begin or end a leg; nil is all
}

// Premium reports whether the call is of the dearer price class: a truck
// costing or an adr object.
func (r *Request) Premium() bool { return r.Route.Costing == costing.Truck || r.adr != nil }

// Features names what makes the call Premium: truck, adr.
func (r *Request) Features() []string {
	var names []string
	if r.Route.Costing == costing.Truck {
		names = append(names, "truck")
	}
	if r.adr != nil {
		names = append(names, "adr")
	}
	return names
}

// decoder reads one native request.
type decoder struct {
	body.Reader
	req *Request
}

// narrate reads how the routes are to be told.
func (d *decoder) narrate(doc map[string]json.RawMessage) {
	r, n := &d.req.Route, d.Narration(doc)
	r.Format, r.Miles, r.Language, r.Directions, r.ShapeFormat, r.ID = n.Format, n.Miles, n.Language, n.Directions, n.ShapeFormat, n.ID
}

func quoted(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		return nil // a string always marshals
	}
	return b
}
