package native

import (
	"encoding/json"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// AlongRequest is the body of POST /route/along.
type AlongRequest struct {
	Travel
	Stops
	Conditions
	Places     []AlongPlace `json:"places,omitempty" minItems:"1" maxItems:"500" of:"places" doc:"places that may be called at; required without dataset"`
	Dataset    string       `json:"dataset,omitempty" enum:"own" doc:"in place of places: those that the key has uploaded with PUT /places"`
	Categories []string     `json:"categories,omitempty" minItems:"1" maxItems:"20" of:"categories" maxLength:"100" doc:"of own places: those with one of these"`
	CorridorM  *float64     `json:"corridor_m,omitempty" minimum:"100" maximum:"50000" default:"5000" unit:"metres" doc:"of own places: those no further from the route, straight"`
	MaxDetourS *float64     `json:"max_detour_s,omitempty" minimum:"0" unit:"seconds" doc:"longer detours are left out"`
	Limit      int          `json:"limit,omitempty" minimum:"1" maximum:"500" doc:"how many places to answer with; all by default"`
	Rest       schema.Rest
}

// AlongPlace is a place that a caller brings.
type AlongPlace struct {
	Position
	ID         string          `json:"id,omitempty" maxLength:"256"`
	Name       string          `json:"name,omitempty" maxLength:"256"`
	Properties json.RawMessage `json:"properties,omitempty" doc:"anything; comes back as it is"`
}

// Check checks what depends on several members.
func (r *AlongRequest) Check(c *schema.Context) {
	r.Travel.Check(c)
	r.Stops.Check(c)
	switch own := r.Dataset != ""; {
	case !own && r.Places == nil:
		c.Refuse("places", nil, "is missing: it must be a list of 1 to 500 places, or dataset says to take your own")
	case own && r.Places != nil:
		c.Refuse("places", nil, "stands beside dataset: one of them says which places")
	case !own && r.Categories != nil:
		c.Refuse("categories", nil, "is of own places and needs dataset")
	}
	if r.Dataset == "" && r.CorridorM != nil {
		c.Warn(schema.WithoutEffect, "corridor_m has no effect on places: it is of own places, by dataset")
	}
}

// Corridor is how far from the route own places may be, in metres.
func (r *AlongRequest) Corridor() float64 {
	if r.CorridorM == nil {
		return 5000
	}
	return *r.CorridorM
}

// ReportRequest is the body of POST /route/report.
type ReportRequest struct {
	Travel
	Stops
	Conditions
	Rest schema.Rest
}

// Check checks what depends on several members.
func (r *ReportRequest) Check(c *schema.Context) {
	r.Travel.Check(c)
	r.Stops.Check(c)
	if r.given() && len(r.Conditions.names()) > 0 {
		c.Refuse("shape", nil, "stands beside what bends a route (date_time, speed_types, exclude_locations, exclude_polygons): a trace is reported as it was travelled")
	}
}

// Points are where the route is.
func (r *AlongRequest) Points() []geo.Point { return r.Stops.points() }

// Points are where the route or the trace is.
func (r *ReportRequest) Points() []geo.Point { return r.Stops.points() }

// Features names what makes the call Premium: truck, adr.
func (r *AlongRequest) Features() []string { return features(&r.Travel, has(r.Rest, "adr")) }

// Features names what makes the call Premium: truck, adr.
func (r *ReportRequest) Features() []string { return features(&r.Travel, has(r.Rest, "adr")) }

// Features names what makes the call Premium: truck, adr.
func (r *ProgressRequest) Features() []string { return features(&r.Travel, has(r.Rest, "adr")) }

// Heeded gives what an engine is to heed, and the warnings of what no part of the
// answer does: these endpoints are the gateway's own, and nothing is passed on.
func (r *AlongRequest) Heeded() (engine.Conditions, []engine.Warning, error) {
	return heeded(&r.Conditions, r.Rest)
}

// Heeded is as of AlongRequest.
func (r *ReportRequest) Heeded() (engine.Conditions, []engine.Warning, error) {
	return heeded(&r.Conditions, r.Rest)
}

// Heeded is as of AlongRequest.
func (r *ProgressRequest) Heeded() (engine.Conditions, []engine.Warning, error) {
	return heeded(&Conditions{Exclusions: r.Exclusions}, r.Rest)
}

func heeded(x *Conditions, rest schema.Rest) (engine.Conditions, []engine.Warning, error) {
	var b beyond
	if err := b.read(rest); err != nil {
		return engine.Conditions{}, nil, err
	}
	return x.engine(), b.warnings, nil
}
