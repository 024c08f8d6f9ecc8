// Package rationale explains why a route is as it is: which of a caller's declarations
// changed it. It calls the engine again with a declaration taken back, and compares the ways.
package rationale

import (
	"encoding/json"
	"maps"
	"strconv"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
)

// Baselines: what a declaration is compared with.
const (
	relaxed = "relaxed_to_non_binding" // a vehicle that no limit stops
	usual   = "engine_default"
	lifted  = "cap_lifted"
)

// declaration is an option that a caller declared such that it keeps a route
// off some roads.
type declaration struct {
	kind, baseline string
	constraint     string // the option that declares it
	value          any
	change         map[string]json.RawMessage // takes it back; nil leaves an option out
}

// declarations lists what a caller declared on the avoiding side.
func declarations(c costing.Costing, s *costing.Settings) []declaration {
	var list []declaration
	for _, o := range costing.Of(c) {
		row := o.Row()
		if !row.Explained(c) {
			continue
		}
		d := declaration{kind: row.Rationale, baseline: baseline(row), change: map[string]json.RawMessage{}}
		if s.On(row.Hard) {
			d.constraint, d.value, d.change[row.Hard.String()] = row.Hard.String(), true, nil
		}
		if s.Given(o) && avoids(c, s, o) {
			if d.change[row.Name] = taken(row); d.constraint == "" { // what is ruled out is more than disliked
				d.constraint, d.value = row.Name, value(s, row.Name)
			}
		}
		if d.constraint != "" {
			list = append(list, d)
		}
	}
	return list
}

// baseline names the value of an option that a route is compared with when the option is taken back.
func baseline(row *costing.Row) string {
	switch row.Effect {
	case costing.Closing:
		return relaxed
	case costing.Opening:
		return lifted
	}
	return usual
}

// avoids reports whether a caller's value of the option avoids: any value of
// what closes roads or caps them, any but the default of another choice, and a
// number on the dearer side of its default.
func avoids(c costing.Costing, s *costing.Settings, o costing.Option) bool {
	row, given, usual := o.Row(), s.Of(c), costing.Default(c)
	switch {
	case row.Kind == costing.Bool:
		return s.On(o)
	case row.Effect == costing.Closing, row.Effect == costing.Opening:
		return true
	case row.Kind == costing.Choice:
		return s.Text(o) != row.Text
	case row.Effect == costing.Dearer, row.Effect == costing.DearerClosing:
		return row.Get(&given) > row.Get(&usual)
	}
	return row.Get(&given) < row.Get(&usual) // of a wish: the less, the dearer
}

// taken returns the value with which a declared option no longer binds; nil where
// leaving it out does.
func taken(row *costing.Row) json.RawMessage {
	if row.Kind == costing.Choice || row.Kind == costing.Bool || baseline(row) == usual {
		return nil
	}
	return strconv.AppendFloat(nil, row.Free(), 'g', -1, 64)
}

func value(s *costing.Settings, option string) any {
	var v any
	_ = json.Unmarshal(s.Raw()[option], &v) // it was read already
	return v
}

// without returns the options with declarations taken back.
func without(c costing.Costing, s *costing.Settings, list ...declaration) costing.Settings {
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
	free, _, _ := costing.Parse(c, raw, "") // checked before
	return free
}

// Most returns the largest number of computations that explaining a request's route
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
