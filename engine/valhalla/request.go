package valhalla

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
)

// location is a place as Valhalla's JSON has it; what is absent has Valhalla's
// default.
type location struct {
	Lat              float64         `json:"lat"`
	Lon              float64         `json:"lon"`
	Type             engine.Stop     `json:"type,omitempty"`
	Heading          *float64        `json:"heading,omitempty"`
	HeadingTolerance float64         `json:"heading_tolerance,omitempty"`
	Radius           float64         `json:"radius,omitempty"`
	SearchCutoff     float64         `json:"search_cutoff,omitempty"`
	Side             engine.Side     `json:"preferred_side,omitempty"`
	SideTolerance    *float64        `json:"street_side_tolerance,omitempty"`
	SideMaxDistance  *float64        `json:"street_side_max_distance,omitempty"`
	SideCutoff       string          `json:"street_side_cutoff,omitempty"`
	Filter           json.RawMessage `json:"search_filter,omitempty"`
	Name             string          `json:"name,omitempty"`
	DateTime         string          `json:"date_time,omitempty"` // of a matrix
}

type filter struct {
	ExcludeTunnel   bool   `json:"exclude_tunnel,omitempty"`
	ExcludeBridge   bool   `json:"exclude_bridge,omitempty"`
	ExcludeRamp     bool   `json:"exclude_ramp,omitempty"`
	ExcludeToll     bool   `json:"exclude_toll,omitempty"`
	ExcludeFerry    bool   `json:"exclude_ferry,omitempty"`
	ExcludeClosures bool   `json:"exclude_closures"` // Valhalla's default is true
	MinClass        string `json:"min_road_class,omitempty"`
	MaxClass        string `json:"max_road_class,omitempty"`
}

func locations(list []engine.Location) []location {
	out := make([]location, len(list))
	for i, l := range list {
		out[i] = location{
			Lat: l.Point.Lat, Lon: l.Point.Lon, Type: l.Stop,
			Heading: l.Heading, HeadingTolerance: l.HeadingTolerance,
			Radius: l.Radius, SearchCutoff: l.SearchCutoff,
			Side: l.Side, SideTolerance: l.SideTolerance, SideMaxDistance: l.SideMaxDistance, SideCutoff: l.SideCutoff,
			Name: l.Name,
		}
		if l.Filter != (engine.SearchFilter{}) {
			// Strings and switches always marshal.
			out[i].Filter, _ = json.Marshal(filter(l.Filter))
		}
	}
	return out
}

// routeBody returns the body of POST /route: the members the gateway has no use for
// as they came, and over them those it checked.
func routeBody(r *engine.RouteRequest) map[string]any {
	body := map[string]any{}
	for name, value := range r.Extra {
		body[name] = value
	}
	set := map[string]any{
		"locations": locations(r.Locations),
		"units":     "kilometers",
		"language":  "en-GB",
		"format":    "json",
	}
	travel(set, r.Costing, &r.Options, &r.Conditions)
	if r.Language != "" {
		set["language"] = r.Language
	}
	if r.Alternates > 0 {
		set["alternates"] = r.Alternates
	}
	if r.ID != "" {
		set["id"] = r.ID
	}
	addOutput(set, &r.Output)
	switch r.Format {
	case engine.OSRM:
		maps.Copy(set, osrmFormat(&r.Output))
	case engine.Native:
		if r.Miles {
			set["units"] = "miles"
		}
		if r.Directions != "" {
			set["directions_type"] = r.Directions
		}
		if r.ShapeFormat != "" {
			set["shape_format"] = r.ShapeFormat
		}
	case engine.NoFormat:
		set["directions_type"] = engine.NoDirections
		if r.Want&engine.WantManoeuvres != 0 {
			set["directions_type"] = engine.Manoeuvres
		}
	}
	maps.Copy(body, set)
	return body
}

// addOutput adds which parts of the answer are wanted.
func addOutput(set map[string]any, o *engine.Output) {
	if o.JoinRoundabouts {
		set["roundabout_exits"] = false
	}
	if o.Format != engine.Native {
		return
	}
	if o.TurnLanes {
		set["turn_lanes"] = true
	}
	if o.Admins {
		set["admin_crossings"] = true
	}
}

// travel adds who travels, when, and what that excludes.
func travel(set map[string]any, c costing.Costing, s *costing.Settings, b *engine.Conditions) {
	set["costing"] = c
	options := maps.Clone(s.Raw())
	if b.SpeedTypes != nil {
		if options == nil {
			options = map[string]json.RawMessage{}
		}
		// Strings always marshal.
		options["speed_types"], _ = json.Marshal(b.SpeedTypes)
	}
	if len(options) > 0 {
		set["costing_options"] = map[costing.Costing]any{c: options}
	}
	if w := b.When; w != nil {
		when := map[string]any{"type": w.Type}
		if w.Type != engine.Now {
			when["value"] = w.Local.Format(engine.TimeForm)
		}
		set["date_time"] = when
	}
	if len(b.ExcludeLocations) > 0 {
		set["exclude_locations"] = locations(b.ExcludeLocations)
	}
	excluded := slices.Clone(b.ExcludePolygons)
	for _, a := range b.ExcludeAreas {
		for _, p := range a.Shape.Polygons() {
			excluded = append(excluded, p[0])
		}
	}
	if len(excluded) > 0 {
		rings := make([][][2]float64, len(excluded))
		for i, ring := range excluded {
			for j := range len(ring) + 1 {
				p := ring[j%len(ring)]
				rings[i] = append(rings[i], [2]float64{p.Lon, p.Lat})
			}
		}
		set["exclude_polygons"] = rings
	}
}

// osrmFormat has the members that make Valhalla answer in OSRM's format: with
// shape_format it writes geometries of any precision, and without directions
// the legs carry empty steps, as OSRM's steps=false does.
func osrmFormat(o *engine.Output) map[string]any {
	set := map[string]any{"format": "osrm", "shape_format": "polyline5", "directions_type": engine.Instructions}
	switch o.Geometries {
	case "polyline6", "geojson":
		set["shape_format"] = o.Geometries
	}
	switch {
	case !o.Steps:
		set["directions_type"] = engine.NoDirections
	case !o.Speaks():
		set["directions_type"] = engine.Manoeuvres
	}
	set["banner_instructions"], set["voice_instructions"] = o.Banners, o.Voice
	if o.Miles {
		set["units"] = "miles"
	}
	names := lineAttributes(o.Annotations)
	if o.Urban {
		names = append(names, "edge.is_urban")
	}
	if len(names) > 0 {
		set["filters"] = map[string]any{"action": "include", "attributes": names}
	}
	return set
}

// lineAttributes are Valhalla's names for what it can tell of a line's pieces:
// it knows neither their nodes nor their weights nor where speeds are from.
func lineAttributes(a engine.Annotations) []string {
	var names []string
	for _, x := range []struct {
		set  engine.Annotations
		name string
	}{
		{engine.AnnotateDistance, "shape_attributes.length"},
		{engine.AnnotateDuration, "shape_attributes.time"},
		{engine.AnnotateSpeed, "shape_attributes.speed"},
		{engine.AnnotateLimit, "shape_attributes.speed_limit"},
	} {
		if a&x.set != 0 {
			names = append(names, x.name)
		}
	}
	return names
}
