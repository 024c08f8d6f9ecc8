package mapmatch

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// reader collects what is wrong with a request while it is read, so that a
// caller hears of everything at once.
type reader struct {
	s   *Service
	bad []fault.Violation
	req *Request
}

// readers read the members that do not depend on others.
var readers = map[string]func(d *reader, raw json.RawMessage, at string){
	"shape_match": func(d *reader, raw json.RawMessage, at string) {
		d.req.Match.How = engine.ShapeMatch(d.word(raw, at, "walk_or_snap", "map_snap", "edge_walk"))
	},
	"use_timestamps": func(d *reader, raw json.RawMessage, at string) { d.req.Match.UseTimestamps = d.flag(raw, at) },
	"trace_options":  (*reader).tuning,
	"units": func(d *reader, raw json.RawMessage, at string) {
		v := d.word(raw, at, "kilometers", "km", "miles", "mi")
		d.req.Match.Miles = v == "miles" || v == "mi"
	},
	"language": (*reader).language,
	"directions_type": func(d *reader, raw json.RawMessage, at string) {
		d.req.Match.Directions = engine.Directions(d.word(raw, at, "none", "maneuvers", "instructions"))
	},
	"shape_format": func(d *reader, raw json.RawMessage, at string) {
		d.req.Match.ShapeFormat = d.word(raw, at, "polyline6", "polyline5", "geojson", "no_shape")
	},
	"format": func(d *reader, raw json.RawMessage, at string) {
		if d.word(raw, at, "json", "osrm") == "osrm" {
			d.req.Match.Face = engine.Compatible
		}
	},
	"id":      func(d *reader, raw json.RawMessage, at string) { d.req.Match.ID = d.text(raw, at, maxID) },
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
	all := slices.Concat(apart, harmless)
	for name := range readers {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// Read checks a request, whose body is one JSON object.
func (s *Service) Read(doc map[string]json.RawMessage) (*Request, error) {
	d := &reader{s: s, req: &Request{}}
	d.costing(doc["costing"])
	d.trace(doc)
	d.older(doc["directions_options"])
	for _, name := range sorted(doc) {
		if read, ok := readers[name]; ok && !absent(doc[name]) {
			read(d, doc[name], name)
		}
	}
	if d.req.Match.Face == engine.Compatible && d.req.Match.ShapeFormat == "no_shape" {
		d.refuse("shape_format", doc["shape_format"], "no_shape is not possible with format osrm")
	}
	if d.req.Match.Costing != "" {
		d.options(doc["costing_options"])
	}
	if err := fault.Invalid(d.bad...); err != nil {
		return nil, err
	}
	timed := func(p engine.TracePoint) bool { return p.Time != nil }
	if d.req.Match.UseTimestamps && !slices.ContainsFunc(d.req.Match.Trace, timed) {
		d.warn(withoutEffect, "use_timestamps has no effect: the positions have no times")
	}
	d.rest(doc)
	return d.req, nil
}

// older reads directions_options, the former place of some members.
func (d *reader) older(raw json.RawMessage) {
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

// rest handles members the gateway has no use for: a remote engine gets them
// as they came, of others the caller is warned.
func (d *reader) rest(doc map[string]json.RawMessage) {
	extra := map[string]json.RawMessage{}
	for _, name := range sorted(doc) {
		_, read := readers[name]
		if read || slices.Contains(apart, name) || !wanted(doc[name]) {
			continue
		}
		known := slices.Contains(harmless, name)
		switch {
		case d.s.Remote:
			extra[name] = doc[name]
			if !known {
				d.warn(unknownMember, "%s is not known here; the routing engine got it as it is", name)
			}
		case known:
			d.warn(withoutEffect, "%s has no effect on the routing engine here", name)
		default:
			d.warn(unknownMember, "%s is not known here and had no effect", name)
		}
	}
	if len(extra) > 0 {
		d.req.Match.Extra = extra
	}
}

// wanted reports whether a member asks for anything.
func wanted(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", "[]", "{}":
		return false
	}
	return true
}

func (d *reader) costing(raw json.RawMessage) {
	var v string
	if absent(raw) {
		d.refuse("costing", nil, "is missing: one of %s", costings())
		return
	}
	if json.Unmarshal(raw, &v) != nil || !engine.Costing(v).Known() {
		d.refuse("costing", raw, "must be one of %s", costings())
		return
	}
	d.req.Match.Costing = engine.Costing(v)
}

func costings() string {
	var names []string
	for _, c := range engine.Costings() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// options reads the options of the chosen costing. Those of others are
// allowed, as engines allow them, and have no effect.
func (d *reader) options(raw json.RawMessage) {
	c := d.req.Match.Costing
	chosen := map[string]json.RawMessage{}
	if !absent(raw) {
		all := d.members(raw, "costing_options")
		for _, name := range sorted(all) {
			at := "costing_options." + name
			switch {
			case absent(all[name]):
			case !engine.Costing(name).Known():
				d.warn(unknownMember, "%s is not one of the costings %s and had no effect", at, costings())
			case engine.Costing(name) == c:
				chosen = d.members(all[name], at)
			default:
				d.members(all[name], at)
			}
		}
	}
	at := "costing_options." + string(c)
	settings, unknown, bad := engine.ParseSettings(c, chosen, at)
	for _, name := range unknown {
		d.warn(unknownOption, "%s.%s is not an option of %s and had no effect", at, name, c)
	}
	d.bad = append(d.bad, bad...)
	d.req.Match.Options = settings
}

// tuning reads trace_options.
func (d *reader) tuning(raw json.RawMessage, at string) {
	t := &d.req.Match.Tuning
	all := d.members(raw, at)
	for _, name := range sorted(all) {
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
		case absent(all[name]):
		case into == nil:
			d.warn(unknownMember, "%s.%s is not known here and had no effect", at, name)
		default:
			if v, ok := d.number(all[name], at+"."+name, most); ok {
				*into = &v
			}
		}
	}
}

func (d *reader) filters(raw json.RawMessage, at string) {
	all := d.members(raw, at)
	for _, name := range sorted(all) {
		switch name {
		case "action":
			d.req.Match.Filter.Include = d.word(all[name], at+".action", "include", "exclude") == "include"
		case "attributes":
			var list []string
			if json.Unmarshal(all[name], &list) != nil {
				d.refuse(at+".attributes", all[name], "must be a list of names of attributes")
				return
			}
			if len(list) > maxNames {
				d.refuse(at+".attributes", nil, "has %d names and may have %d", len(list), maxNames)
				return
			}
			for _, n := range list {
				if !slices.Contains(Attributes(), n) {
					d.warn(unknownMember, "%s.attributes has %s, which is no attribute here", at, n)
				}
			}
			d.req.Match.Filter.Names = list
		default:
			d.warn(unknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
	if len(d.req.Match.Filter.Names) > 0 && absent(all["action"]) {
		d.refuse(at+".action", nil, "is missing: include or exclude")
	}
}

func (d *reader) language(raw json.RawMessage, at string) {
	v := d.text(raw, at, 35)
	for part := range strings.FieldsFuncSeq(v, func(c rune) bool { return c == '-' || c == '_' }) {
		if len(part) > 8 || strings.ContainsFunc(part, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')
		}) {
			d.refuse(at, raw, "must be a BCP 47 language tag such as en-GB")
			return
		}
	}
	d.req.Match.Language = v
}

func sorted(m map[string]json.RawMessage) []string { return slices.Sorted(maps.Keys(m)) }

// absent reports whether a member is missing or null, which mean the same.
func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func (d *reader) refuse(at string, raw json.RawMessage, format string, args ...any) {
	var v any
	if len(raw) > 0 && json.Unmarshal(raw, &v) != nil {
		v = string(raw) // a number beyond all numbers
	}
	d.bad = append(d.bad, fault.Violation{Location: at, Value: v, Message: fmt.Sprintf(format, args...)})
}

// mostWarnings bounds what one answer carries.
const mostWarnings = 40

func (d *reader) warn(code int, format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = fault.Clip(s)
		}
	}
	switch n := len(d.req.warnings); {
	case n < mostWarnings:
		d.req.warnings = append(d.req.warnings, Warning{code, fmt.Sprintf(format, args...)})
	case n == mostWarnings:
		d.req.warnings = append(d.req.warnings, Warning{code, "more had no effect; the list ends here"})
	}
}

// number reads a number from 0 to a limit, in metres where it has a unit.
func (d *reader) number(raw json.RawMessage, at string, most float64) (float64, bool) {
	var v float64
	if json.Unmarshal(raw, &v) != nil {
		d.refuse(at, raw, "must be a number between 0 and %g", most)
		return 0, false
	}
	if !(v >= 0 && v <= most) {
		d.refuse(at, raw, "is %g and must be between 0 and %g", v, most)
		return 0, false
	}
	return v, true
}

func (d *reader) flag(raw json.RawMessage, at string) bool {
	var v bool
	if json.Unmarshal(raw, &v) != nil {
		d.refuse(at, raw, "must be true or false")
	}
	return v
}

func (d *reader) word(raw json.RawMessage, at string, words ...string) string {
	var v string
	if json.Unmarshal(raw, &v) != nil || !slices.Contains(words, v) {
		d.refuse(at, raw, "must be one of %s", strings.Join(words, ", "))
		return ""
	}
	return v
}

func (d *reader) text(raw json.RawMessage, at string, longest int) string {
	var v string
	if json.Unmarshal(raw, &v) != nil {
		d.refuse(at, raw, "must be a string")
		return ""
	}
	if len(v) > longest {
		d.refuse(at, raw, "has %d bytes and may have %d", len(v), longest)
		return ""
	}
	return v
}

// members reads an object; nil where it is none.
func (d *reader) members(raw json.RawMessage, at string) map[string]json.RawMessage {
	var v map[string]json.RawMessage
	if json.Unmarshal(raw, &v) != nil || v == nil {
		d.refuse(at, raw, "must be an object")
		return nil
	}
	return v
}
