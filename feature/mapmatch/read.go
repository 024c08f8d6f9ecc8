package mapmatch

import (
	"encoding/json"
	"maps"
	"slices"

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
	"filters":        (*reader).filters,
}

// apart are members that readers does not have, and harmless those that an
// engine may use and without which the match is still the right one.
var (
	apart    = []string{"shape", "encoded_polyline", "begin_time", "durations", "costing", "costing_options", "banner_instructions", "voice_instructions"}
	harmless = []string{"best_paths", "linear_references", "recostings", "verbose"}
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
	m.Bends = d.Bends(doc)
	n := d.Narration(doc)
	m.Format, m.Miles, m.Language, m.Directions, m.ShapeFormat, m.ID = n.Format, n.Miles, n.Language, n.Directions, n.ShapeFormat, n.ID
	m.Detail = d.Detail(doc)
	m.Voice, m.Banners = d.Switch(doc, "voice_instructions"), d.Switch(doc, "banner_instructions")
	for _, name := range body.Names(doc) {
		if read, ok := readers[name]; ok && !body.Absent(doc[name]) {
			read(d, doc[name], name)
		}
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	if m.Format != engine.OSRM && (m.Voice || m.Banners) {
		d.Warn(body.WithoutEffect, "voice_instructions and banner_instructions have an effect with format osrm only")
	}
	timed := func(p engine.TracePoint) bool { return p.Time != nil }
	if m.UseTimestamps && !slices.ContainsFunc(m.Trace, timed) {
		d.Warn(body.WithoutEffect, "use_timestamps has no effect: the positions have no times")
	}
	can := s.Engine.Can()
	for _, name := range body.Bending() {
		if body.Wanted(doc[name]) && !can.MatchConditions {
			d.Warn(body.WithoutEffect, "%s has no effect on the routing engine here: a trace is matched to all roads, closed ones too", name)
		}
	}
	extra, err := d.Beyond(doc, body.Rest{Known: known(), Harmless: harmless, Passed: can.UnknownMembers})
	if err != nil {
		return nil, err
	}
	m.Extra, d.req.warnings = extra, d.Warnings
	return d.req, nil
}

// tellsNothing warns of members that say how a route is told, where none is.
func (r *Request) tellsNothing() {
	if m := &r.Match; m.Detail == (engine.Detail{}) && !m.Voice && !m.Banners {
		return
	}
	r.warnings = append(r.warnings, engine.Warning{
		Code: body.WithoutEffect,
		Text: "roundabout_exits, turn_lanes, admin_crossings, voice_instructions and banner_instructions have an effect on trace_route only",
	})
}

// known lists the members that are read here.
func known() []string {
	return slices.AppendSeq(slices.Concat(apart, body.Narrating(), body.Details(), body.Bending()), maps.Keys(readers))
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
