package costing

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/waygate/waygate/fault"
)

// Settings are the options a caller gave, checked. The zero value has none.
type Settings struct {
	options Options
	given   [beyond]bool
	raw     map[string]json.RawMessage
	// CodeAssumed is true where the tunnel code is none that the caller gave, see Complete.
	CodeAssumed bool
}

// Parse reads the options of one costing. at is where they stand in the
// request, for messages. It gives a violation for each option of the wrong type
// or out of range, and the names, sorted, of unknown ones:
// they are kept in Raw for engines that may.
func Parse(c Costing, raw map[string]json.RawMessage, at string) (s Settings, unknown []string, bad []fault.Violation) {
	if len(raw) == 0 {
		return Settings{options: Default(c), raw: raw}, nil, nil
	}
	got := &Settings{options: Default(c), raw: raw}
	keys := slices.AppendSeq(make([]string, 0, len(raw)), maps.Keys(raw))
	slices.Sort(keys)
	for _, name := range keys {
		o := Find(name)
		if !o.In(c) {
			unknown = append(unknown, name)
			continue
		}
		if string(raw[name]) == "null" {
			continue
		}
		if message := got.read(o, raw[name]); message != "" {
			var value any
			_ = json.Unmarshal(raw[name], &value) // only to show it; the body parsed already
			bad = append(bad, fault.Violation{Location: at + "." + name, Value: value, Message: message})
			continue
		}
		got.given[o] = true
	}
	if c == Bicycle && !got.given[CyclingSpeed] {
		got.options.CyclingSpeed = bicyclePace[got.options.Bicycle]
	}
	return *got, unknown, bad
}

// read takes one value and gives what is wrong with it, or "".
func (s *Settings) read(o Option, raw json.RawMessage) string {
	row := &table[o]
	var number float64
	switch row.Kind {
	case Bool:
		switch string(raw) {
		case "true":
			number = 1
		case "false":
			return "" // another switch of the same field may be on
		default:
			return "must be true or false"
		}
	case Choice:
		var v string
		if json.Unmarshal(raw, &v) != nil || !slices.Contains(row.Values, v) {
			return fmt.Sprintf("must be one of %q", row.Values)
		}
		number = row.Code(v)
	case Number, Integer:
		if json.Unmarshal(raw, &number) != nil {
			return "must be a number"
		}
		if number < row.Min || number > row.Max {
			return fmt.Sprintf("must be between %g and %g%s", row.Min, row.Max, unitSuffix(row.Unit))
		}
		if row.Kind == Integer && number != math.Trunc(number) {
			return "must be a whole number"
		}
		number = row.Rounded(s.options.Costing, number)
	}
	row.Set(&s.options, number)
	return ""
}

func unitSuffix(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}

// Costing is whose options they are; the zero value where nothing was read.
func (s *Settings) Costing() Costing { return s.options.Costing }

// Of returns the options of a costing: what the caller gave for it, and the
// defaults.
func (s *Settings) Of(c Costing) Options {
	if s.options.Costing != c {
		return Default(c)
	}
	return s.options
}

// Given reports whether the caller set the option.
func (s *Settings) Given(o Option) bool { return s.given[o] }

// On reports whether the caller set a switch.
func (s *Settings) On(o Option) bool { return s.given[o] && string(s.raw[table[o].Name]) == "true" }

// Text returns a choice, in the caller's word or the default.
func (s *Settings) Text(o Option) string {
	text := table[o].Text
	if s.given[o] {
		_ = json.Unmarshal(s.raw[table[o].Name], &text) // it was read already
	}
	return text
}

// Raw returns the options as the caller wrote them, unknown ones included.
func (s *Settings) Raw() map[string]json.RawMessage { return s.raw }
