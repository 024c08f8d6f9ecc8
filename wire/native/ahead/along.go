package ahead

import (
	"encoding/json"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// AlongRequest is the body of POST /route/along.
type AlongRequest struct {
	native.Travel
	native.Stops
	native.Conditions
	Places     []AlongPlace `json:"places,omitempty" minItems:"1" maxItems:"500" of:"places" doc:"places that may be called at; required without dataset and kind"`
	Kind       string       `json:"kind,omitempty" maxLength:"100" doc:"an extension, in place of places: those of the region that are of a kind as people say it, such as petrol station, Apotheke or a category of the index"`
	OpenNow    bool         `json:"open_now,omitempty" doc:"an extension, of kind: those that their opening hours as mapped prove shut at the moment are left out"`
	Dataset    string       `json:"dataset,omitempty" enum:"own" doc:"in place of places: those that the key has uploaded with PUT /places"`
	Categories []string     `json:"categories,omitempty" minItems:"1" maxItems:"20" of:"categories" maxLength:"100" doc:"of own places: those with one of these"`
	CorridorM  *float64     `json:"corridor_m,omitempty" minimum:"100" maximum:"50000" default:"5000" unit:"metres" doc:"of own places and kind: those no further from the route, straight"`
	MaxDetourS *float64     `json:"max_detour_s,omitempty" minimum:"0" unit:"seconds" doc:"longer detours are left out"`
	Limit      int          `json:"limit,omitempty" minimum:"1" maximum:"500" doc:"how many places to answer with; all by default"`
	Rest       schema.UnknownMembers
}

// AlongPlace is a place that a caller brings.
type AlongPlace struct {
	native.Position
	ID         string          `json:"id,omitempty" maxLength:"256"`
	Name       string          `json:"name,omitempty" maxLength:"256"`
	Properties json.RawMessage `json:"properties,omitempty" doc:"anything; comes back as it is"`
}

// Check checks what depends on several members.
func (r *AlongRequest) Check(c *schema.Context) {
	r.Travel.Check(c)
	r.Stops.Check(c)
	switch own := r.Dataset != ""; {
	case !own && r.Kind == "" && r.Places == nil:
		c.Refuse("places", nil, "is missing: it must be a list of 1 to 500 places, or dataset says to take your own, or kind those of a kind")
	case own && r.Places != nil:
		c.Refuse("places", nil, "stands beside dataset: one of them says which places")
	case r.Kind != "" && (own || r.Places != nil):
		c.Refuse("kind", r.Kind, "stands beside places or dataset: one of them says which places")
	case r.OpenNow && r.Kind == "":
		c.Refuse("open_now", r.OpenNow, "is of places of a kind and needs kind")
	case !own && r.Categories != nil:
		c.Refuse("categories", nil, "is of own places and needs dataset")
	}
	if r.Places != nil && r.CorridorM != nil {
		c.Warn(schema.WithoutEffect, "corridor_m has no effect on places: it is of own places, by dataset, and of a kind")
	}
}

// Corridor returns how far from the route own places, and those of a kind, may be, in metres.
func (r *AlongRequest) Corridor() float64 {
	if r.CorridorM == nil {
		return 5000
	}
	return *r.CorridorM
}

// ReportRequest is the body of POST /route/report.
type ReportRequest struct {
	native.Travel
	native.Stops
	native.Conditions
	Rest schema.UnknownMembers
}

// Check checks what depends on several members.
func (r *ReportRequest) Check(c *schema.Context) {
	r.Travel.Check(c)
	r.Stops.Check(c)
	if r.Given() && len(r.Conditions.Names()) > 0 {
		c.Refuse("shape", nil, "stands beside what bends a route (date_time, speed_types, exclude_locations, exclude_polygons): a trace is reported as it was travelled")
	}
}

// Points returns where the route is.
func (r *AlongRequest) Points() []geo.Point { return r.Stops.All() }

// Points returns where the route or the trace is.
func (r *ReportRequest) Points() []geo.Point { return r.Stops.All() }

// Features names what makes the call Premium: truck, adr.
func (r *AlongRequest) Features() []string {
	return native.Features(&r.Travel, native.Has(r.Rest, "adr"))
}

// Features names what makes the call Premium: truck, adr.
func (r *ReportRequest) Features() []string {
	return native.Features(&r.Travel, native.Has(r.Rest, "adr"))
}

// Features names what makes the call Premium: truck, adr.
func (r *ProgressRequest) Features() []string {
	return native.Features(&r.Travel, native.Has(r.Rest, "adr"))
}

// Heeded returns what an engine is to heed, and the warnings of what no part of the
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
	return heeded(&native.Conditions{Exclusions: r.Exclusions}, r.Rest)
}

func heeded(x *native.Conditions, rest schema.UnknownMembers) (engine.Conditions, []engine.Warning, error) {
	var b native.Beyond
	if err := b.Read(rest); err != nil {
		return engine.Conditions{}, nil, err
	}
	return x.Engine(), b.Warnings, nil
}
