package mapmatch

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
)

// reader reads one request.
type reader struct {
	body.Reader
	req *Request
}

// readers read the members that do not depend on others.
var readers = map[string]func(d *reader, raw json.RawMessage, at string){
	"shape_match": func(d *reader, raw json.RawMessage, at string) {
		d.req.Match.How = engine.ShapeMatch(d.Word(raw, at, "walk_or_snap", "map_snap", "edge_walk"))
	},
	"use_timestamps": func(d *reader, raw json.RawMessage, at string) { d.req.Match.UseTimestamps = d.Flag(raw, at) },
	"trace_options":  (*reader).tuning,
	"units": func(d *reader, raw json.RawMessage, at string) {
		v := d.Word(raw, at, "kilometers", "km", "miles", "mi")
		d.req.Match.Miles = v == "miles" || v == "mi"
	},
	"language": (*reader).language,
	"directions_type": func(d *reader, raw json.RawMessage, at string) {
		d.req.Match.Directions = engine.Directions(d.Word(raw, at, "none", "maneuvers", "instructions"))
	},
	"shape_format": func(d *reader, raw json.RawMessage, at string) {
		d.req.Match.ShapeFormat = d.Word(raw, at, "polyline6", "polyline5", "geojson", "no_shape")
	},
	"format": func(d *reader, raw json.RawMessage, at string) {
		if d.Word(raw, at, "json", "osrm") == "osrm" {
			d.req.Match.Face = engine.Compatible
		}
	},
	"id":      func(d *reader, raw json.RawMessage, at string) { d.req.Match.ID = d.Text(raw, at) },
	"filters": (*reader).filters,
}

// apart are members that readers does not have, and harmless those that an
// engine may use and without which the match is still the right one.
var (
	apart    = []string{"shape", "encoded_polyline", "begin_time", "durations", "costing", "costing_options", "directions_options"}
	harmless = []string{"best_paths", "linear_references", "roundabout_exits", "banner_instructions", "voice_instructions", "admin_crossings", "turn_lanes", "speed_types", "date_time", "recostings", "verbose"}
)

// Members lists every member of a request that the gateway knows.
func Members() []string {
	all := append(known(), harmless...)
	slices.Sort(all)
	return all
}

// Read checks a request, whose body is one JSON object.
func (s *Service) Read(doc map[string]json.RawMessage) (*Request, error) {
	d := &reader{req: &Request{}}
	m := &d.req.Match
	d.Elsewhere(doc)
	m.Costing, m.Options = d.Costing(doc)
	d.trace(doc)
	d.older(doc["directions_options"])
	for _, name := range body.Names(doc) {
		if read, ok := readers[name]; ok && !body.Absent(doc[name]) {
			read(d, doc[name], name)
		}
	}
	if m.Face == engine.Compatible && m.ShapeFormat == "no_shape" {
		d.Refuse("shape_format", doc["shape_format"], "no_shape is not possible with format osrm")
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	timed := func(p engine.TracePoint) bool { return p.Time != nil }
	if m.UseTimestamps && !slices.ContainsFunc(m.Trace, timed) {
		d.Warn(body.WithoutEffect, "use_timestamps has no effect: the positions have no times")
	}
	extra, err := d.Beyond(doc, body.Rest{Known: known(), Harmless: harmless, Remote: s.Remote})
	if err != nil {
		return nil, err
	}
	m.Extra, d.req.warnings = extra, d.Warnings
	return d.req, nil
}

// known lists the members that are read here.
func known() []string { return slices.AppendSeq(slices.Clone(apart), maps.Keys(readers)) }

// older reads directions_options, the former place of some members.
func (d *reader) older(raw json.RawMessage) {
	if body.Absent(raw) {
		return
	}
	all := d.Members(raw, "directions_options")
	for _, name := range body.Names(all) {
		at := "directions_options." + name
		switch name {
		case "units", "language", "directions_type", "format":
			if !body.Absent(all[name]) {
				readers[name](d, all[name], at)
			}
		default:
			d.Warn(body.UnknownMember, "%s is not known here and had no effect", at)
		}
	}
}

// tuning reads trace_options.
func (d *reader) tuning(raw json.RawMessage, at string) {
	t := &d.req.Match.Tuning
	all := d.Members(raw, at)
	for _, name := range body.Names(all) {
		into, most := (**float64)(nil), 0.0
		switch name {
		case "gps_accuracy":
			into, most = &t.GPSAccuracy, 100
		case "search_radius":
			into, most = &t.SearchRadius, 100
		case "breakage_distance":
			into, most = &t.Breakage, 20_000
		case "interpolation_distance":
			into, most = &t.Interpolation, 1000
		case "turn_penalty_factor":
			into, most = &t.TurnPenalty, 100_000
		}
		switch {
		case body.Absent(all[name]):
		case into == nil:
			d.Warn(body.UnknownMember, "%s.%s is not known here and had no effect", at, name)
		default:
			if v, ok := d.Number(all[name], at+"."+name, "", 0, most); ok {
				*into = &v
			}
		}
	}
}

func (d *reader) filters(raw json.RawMessage, at string) {
	all := d.Members(raw, at)
	for _, name := range body.Names(all) {
		switch name {
		case "action":
			d.req.Match.Filter.Include = d.Word(all[name], at+".action", "include", "exclude") == "include"
		case "attributes":
			var list []string
			if json.Unmarshal(all[name], &list) != nil {
				d.Refuse(at+".attributes", all[name], "must be a list of names of attributes")
				return
			}
			if len(list) > maxNames {
				d.Refuse(at+".attributes", nil, "has %d names and may have %d", len(list), maxNames)
				return
			}
			for _, n := range list {
				if !slices.Contains(Attributes(), n) {
					d.Warn(body.UnknownMember, "%s.attributes has %s, which is no attribute here", at, n)
				}
			}
			d.req.Match.Filter.Names = list
		default:
			d.Warn(body.UnknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
	if len(d.req.Match.Filter.Names) > 0 && body.Absent(all["action"]) {
		d.Refuse(at+".action", nil, "is missing: include or exclude")
	}
}

func (d *reader) language(raw json.RawMessage, at string) {
	v := d.Text(raw, at)
	for part := range strings.FieldsFuncSeq(v, func(c rune) bool { return c == '-' || c == '_' }) {
		if len(part) > 8 || strings.ContainsFunc(part, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')
		}) {
			d.Refuse(at, raw, "must be a BCP 47 language tag such as en-GB")
			return
		}
	}
	d.req.Match.Language = v
}
