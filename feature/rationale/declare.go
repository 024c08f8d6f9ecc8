// Package rationale tells why a route is as it is: which of a caller's
// declarations changed it. It asks the engine again with a declaration taken
// back, and compares the ways.
package rationale

import (
	"encoding/json"
	"maps"
	"strconv"

	"github.com/waygate/waygate/engine"
)

// Baselines: what a declaration is compared with.
const (
	relaxed = "relaxed_to_non_binding" // a vehicle that no limit stops
	usual   = "engine_default"
	lifted  = "cap_lifted"
)

// aversion is an option that keeps a route off some roads when it is declared
// on the avoiding side, and how it is taken back: the value that does not
// bind, "" where leaving the option out does.
type aversion struct {
	kind, option, baseline string
	side                   side
	free                   string
}

// side is which values of an option avoid.
type side uint8

const (
	below side = iota // the engine's default
	above
	given    // any value but the default
	anything // any value at all
)

// hard is the switch that goes with a preference: a route that must not use
// what it would rather not.
var hard = map[string]string{"use_tolls": "exclude_tolls", "use_highways": "exclude_highways", "use_ferry": "exclude_ferries"}

var (
	tolls   = aversion{kind: "toll_avoided", option: "use_tolls", baseline: usual}
	ferries = aversion{kind: "ferry_avoided", option: "use_ferry", baseline: usual}
	living  = aversion{kind: "living_street_avoided", option: "use_living_streets", baseline: usual}
	hills   = aversion{kind: "hill_avoided", option: "use_hills", baseline: usual}
)

// aversions lists what is attributed, by costing.
var aversions = map[engine.Costing][]aversion{
	engine.Truck: {
		{kind: "max_height", option: "height", baseline: relaxed, side: anything, free: "0"},
		{kind: "max_width", option: "width", baseline: relaxed, side: anything, free: "0"},
		{kind: "max_length", option: "length", baseline: relaxed, side: anything, free: "0"},
		{kind: "max_weight", option: "weight", baseline: relaxed, side: anything, free: "0"},
		{kind: "hazmat", option: "hazmat", baseline: relaxed, side: above},
		{kind: "adr_tunnel", option: "adr_tunnel_code", baseline: relaxed, side: anything},
	},
	engine.Auto: {{kind: "highway_avoided", option: "use_highways", baseline: usual}, tolls, ferries, living},
	engine.Bicycle: {
		hills,
		{kind: "surface_avoided", option: "avoid_bad_surfaces", baseline: usual, side: above},
		{kind: "road_avoided", option: "use_roads", baseline: usual},
		ferries, living,
	},
	engine.Pedestrian: {
		{kind: "unlit_street_avoided", option: "use_lit", baseline: usual, side: above},
		{kind: "hiking_difficulty_limited", option: "max_hiking_difficulty", baseline: lifted, side: anything, free: "6"},
		ferries, living,
		{kind: "access_profile", option: "type", baseline: usual, side: given},
	},
	engine.MotorScooter: {hills, {kind: "primary_road_avoided", option: "use_primary", baseline: usual}, tolls, ferries},
}

// declaration is an aversion that a caller declared.
type declaration struct {
	aversion
	constraint string // the option that declares it
	value      any
	change     map[string]json.RawMessage // takes it back; nil leaves an option out
}

// declarations lists what a caller declared on the avoiding side.
func declarations(c engine.Costing, s *engine.Settings) []declaration {
	var list []declaration
	for _, a := range aversions[c] {
		d := declaration{aversion: a, change: map[string]json.RawMessage{}}
		if x := hard[a.option]; x != "" && s.Given(x) && s.Bool(x) {
			d.constraint, d.value, d.change[x] = x, true, nil
		}
		if a.declared(c, s) {
			if d.change[a.option] = nil; d.constraint == "" { // what is ruled out is more than disliked
				d.constraint, d.value = a.option, value(s, a.option)
			}
			if a.free != "" {
				d.change[a.option] = json.RawMessage(a.free)
			}
		}
		if d.constraint != "" {
			list = append(list, d)
		}
	}
	return list
}

// declared reports whether a caller's value of the option avoids.
func (a aversion) declared(c engine.Costing, s *engine.Settings) bool {
	if !s.Given(a.option) {
		return false
	}
	none, _, _ := engine.ParseSettings(c, nil, "")
	switch a.side {
	case anything:
		return true
	case given:
		return s.Text(a.option) != none.Text(a.option)
	case above:
		return s.Number(a.option) > none.Number(a.option)
	}
	return s.Number(a.option) < none.Number(a.option)
}

func value(s *engine.Settings, option string) any {
	var v any
	_ = json.Unmarshal(s.Raw()[option], &v) // it was read already
	return v
}

// without gives the options with declarations taken back.
func without(c engine.Costing, s *engine.Settings, list ...declaration) engine.Settings {
	raw := maps.Clone(s.Raw())
	for _, d := range list {
		for option, v := range d.change {
			if v == nil {
				delete(raw, option)
			} else {
				raw[option] = v
			}
		}
	}
	free, _, _ := engine.ParseSettings(c, raw, "") // checked before
	return free
}

// Most is the largest number of computations that explaining a request's route
// takes, the route's own included: at most eight.
func Most(r *engine.RouteRequest) int {
	switch n := len(declarations(r.Costing, &r.Options)); n {
	case 0, 1:
		return 1 + n
	default:
		return 2 + n
	}
}

// worded puts a value into words.
func worded(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "?" // it came out of JSON
	}
	return string(b)
}
