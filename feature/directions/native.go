package directions

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// capabilities are members that ask for more than a route. Where one is set,
// the answer is a 501 of its own.
var capabilities = []string{"rationale", "scenic", "landmarks", "traffic", "emissions", "avoid_zones"}

// binding are members of an engine's native request that change which route
// is right. An engine that cannot honour them must not answer as if they had
// not been there.
var binding = []string{
	"recostings", "elevation_interval", "linear_references",
}

// bending are members that POST /route reads, and that bind on other endpoints
// too.
var bending = []string{"date_time", "exclude_locations", "exclude_polygons", "avoid_locations", "avoid_polygons"}

// harmless are members of an engine's native request without which the route
// is still the right one.
var harmless = []string{
	"prioritize_bidirectional", "roundabout_exits", "admin_crossings", "turn_lanes",
}

// readers read the members that are checked here, other than those that
// depend on each other (locations, costing, costing_options, adr, avoid,
// exclude).
var readers = map[string]func(d *decoder, raw json.RawMessage, at string){
	"alternates": func(d *decoder, raw json.RawMessage, at string) {
		v, ok := d.number(raw, at, "", 0, MaxAlternates)
		if ok && v != float64(int(v)) {
			d.refuse(at, raw, "must be a whole number")
		}
		d.req.Route.Alternates = int(v)
	},
	"units": func(d *decoder, raw json.RawMessage, at string) {
		v := d.word(raw, at, "kilometers", "km", "miles", "mi")
		d.req.Route.Miles = v == "miles" || v == "mi"
	},
	"language": func(d *decoder, raw json.RawMessage, at string) { d.req.Route.Language = d.language(raw, at) },
	"directions_type": func(d *decoder, raw json.RawMessage, at string) {
		d.req.Route.Directions = engine.Directions(d.word(raw, at, "none", "maneuvers", "instructions"))
	},
	"shape_format": func(d *decoder, raw json.RawMessage, at string) {
		d.req.Route.ShapeFormat = d.word(raw, at, "polyline6", "polyline5", "geojson", "no_shape")
	},
	"format": func(d *decoder, raw json.RawMessage, at string) {
		if d.word(raw, at, "json", "osrm") == "osrm" {
			d.req.Route.Face = engine.Compatible
		}
	},
	"banner_instructions": func(d *decoder, raw json.RawMessage, at string) { d.req.Route.Banners = d.flag(raw, at) },
	"voice_instructions":  func(d *decoder, raw json.RawMessage, at string) { d.req.Route.Voice = d.flag(raw, at) },
	"filters":             (*decoder).filters,

	"date_time":         (*decoder).when,
	"speed_types":       (*decoder).speedTypes,
	"exclude_locations": (*decoder).excludedLocations,
	"exclude_polygons":  (*decoder).excludedPolygons,
	// Former names of the two.
	"avoid_locations": (*decoder).excludedLocations,
	"avoid_polygons":  (*decoder).excludedPolygons,
	"id":              func(d *decoder, raw json.RawMessage, at string) { d.req.Route.ID = d.text(raw, at, maxID) },
}

// apart are the members that readers does not have.
var apart = []string{"locations", "costing", "costing_options", "adr", "avoid", "exclude", "directions_options"}

// Members lists every member of a native request that the gateway knows.
func Members() []string {
	all := slices.Concat(apart, capabilities, binding, harmless)
	for name := range readers {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// LocationMembers lists every member of a location that the gateway knows.
func LocationMembers() []string {
	all := []string{"lat", "lon"}
	for name := range locationMembers {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// Native checks the body of a native request.
func (s *Service) Native(body []byte) (*Request, error) {
	doc, err := Object(body)
	if err != nil {
		return nil, err
	}
	d := &decoder{bounds: s.Bounds, req: &Request{}}
	d.costing(doc["costing"])
	d.locations(doc["locations"])
	d.older(doc["directions_options"])
	for _, name := range sorted(doc) {
		if read, ok := readers[name]; ok && !absent(doc[name]) {
			read(d, doc[name], name)
		}
	}
	d.face(doc["shape_format"])
	var chosen map[string]json.RawMessage
	if d.req.Route.Costing != "" {
		chosen = d.options(doc["costing_options"])
		if !absent(doc["adr"]) {
			d.req.adr = d.load(doc["adr"])
		}
	}
	if err := fault.Invalid(d.bad...); err != nil {
		return nil, err
	}
	if l := d.req.adr; l != nil {
		if err := l.merge(chosen); err != nil {
			return nil, err
		}
	}
	if err := d.req.lists(doc, chosen); err != nil {
		return nil, err
	}
	d.settle(chosen, "costing_options."+string(d.req.Route.Costing))
	if err := fault.Invalid(d.bad...); err != nil {
		return nil, err
	}
	if err := s.beyond(d, doc); err != nil {
		return nil, err
	}
	d.finish(s.Remote)
	return d.req, nil
}

// older reads directions_options, the former place of three members. The
// present place wins.
func (d *decoder) older(raw json.RawMessage) {
	if absent(raw) {
		return
	}
	all := d.members(raw, "directions_options")
	for _, name := range sorted(all) {
		at := "directions_options." + name
		switch name {
		case "units", "language", "directions_type", "format":
			if !absent(all[name]) {
				readers[name](d, all[name], at)
			}
		default:
			d.warn(unknownMember, "%s is not known here and had no effect", at)
		}
	}
}

// face sets what the compatible form of a native request implies: steps and
// the whole geometry, as the engine the request comes from has it.
func (d *decoder) face(shape json.RawMessage) {
	r := &d.req.Route
	if r.Face != engine.Compatible {
		for name, on := range map[string]bool{"banner_instructions": r.Banners, "voice_instructions": r.Voice, "filters": r.Annotations != 0} {
			if on {
				d.warn(withoutEffect, "%s has an effect with format osrm only", name)
			}
		}
		r.Banners, r.Voice, r.Annotations = false, false, 0
		return
	}
	r.Steps, r.Overview, r.Geometries = true, "full", "polyline6"
	switch r.ShapeFormat {
	case "polyline5":
		r.Geometries = "polyline"
	case "geojson":
		r.Geometries = "geojson"
	case "no_shape":
		d.refuse("shape_format", shape, "no_shape is not possible with format osrm")
	}
}

// filters reads which attributes of the line a compatible answer tells of, in
// the words of the engine the request comes from.
func (d *decoder) filters(raw json.RawMessage, at string) {
	all := d.members(raw, at)
	if all == nil {
		return
	}
	for _, name := range sorted(all) {
		if name != "attributes" && name != "action" {
			d.warn(unknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
	include := absent(all["action"]) || d.word(all["action"], at+".action", "include", "exclude") == "include"
	var list []string
	if !absent(all["attributes"]) && json.Unmarshal(all["attributes"], &list) != nil {
		d.refuse(at+".attributes", all["attributes"], "must be a list of strings such as shape_attributes.time")
		return
	}
	var named, every engine.Annotations
	for _, a := range lineAttributes {
		every |= a.set
		if slices.Contains(list, a.name) {
			named |= a.set
		}
	}
	d.req.Route.Annotations = named
	if !include {
		d.req.Route.Annotations = every &^ named
	}
}

// lineAttributes are the engine's names for what is told of each piece of a
// line.
var lineAttributes = []struct {
	name string
	set  engine.Annotations
}{
	{"shape_attributes.length", engine.AnnotateDistance},
	{"shape_attributes.time", engine.AnnotateDuration},
	{"shape_attributes.speed", engine.AnnotateSpeed},
	{"shape_attributes.speed_limit", engine.AnnotateLimit},
}

// beyond handles members that the gateway leaves to the engine: a remote one
// gets them as they came; ours refuses those that would change the route and
// has the caller warned of the rest.
func (s *Service) beyond(d *decoder, doc map[string]json.RawMessage) error {
	for _, name := range capabilities {
		if wanted(doc[name]) {
			slug := fault.Slug(strings.ReplaceAll(name, "_", "-") + "-not-enabled")
			return fault.New(slug, "%s is not enabled on this deployment; leave it out or send false", name).With("field", name)
		}
	}
	extra := map[string]json.RawMessage{}
	for _, name := range sorted(doc) {
		_, read := readers[name]
		if read || slices.Contains(apart, name) || slices.Contains(capabilities, name) || !wanted(doc[name]) {
			continue
		}
		known := slices.Contains(binding, name) || slices.Contains(harmless, name)
		switch {
		case s.Remote:
			extra[name] = doc[name]
			if !known {
				d.warn(unknownMember, "%s is not known here; the routing engine got it as it is", name)
			}
		case slices.Contains(binding, name):
			return fault.New(fault.NotEnabled, "%s is not enabled on this deployment: its routing engine cannot honour it, and a route without it could be the wrong one; leave it out", name).
				With("field", name)
		case known:
			d.warn(withoutEffect, "%s has no effect on the routing engine here", name)
		default:
			d.warn(unknownMember, "%s is not known here and had no effect", name)
		}
	}
	if len(extra) > 0 {
		d.req.Route.Extra = extra
	}
	return nil
}

// wanted reports whether a member asks for anything.
func wanted(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", "[]", "{}":
		return false
	}
	return true
}

// finish drops what a valid request asks for in vain.
func (d *decoder) finish(remote bool) {
	r := &d.req.Route
	if remote && r.Alternates > 0 && len(r.Locations) > 2 {
		r.Alternates = 0
		d.warn(withoutEffect, "the routing engine here finds alternates between two locations only; this request has %d", len(r.Locations))
	}
}
