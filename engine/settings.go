package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/waygate/waygate/fault"
)

func asFault(err error) *fault.Error {
	var e *fault.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Settings are the costing options a caller gave, checked. What was not given
// has the costing's default. The zero value has every default of auto.
type Settings struct {
	costing Costing
	raw     map[string]json.RawMessage
	number  map[string]float64
	text    map[string]string
}

// ParseSettings reads the options of one costing. at is where they stand in
// the request, for messages. It gives a violation for each option of the wrong
// type or out of range, and the names, sorted, of those the costing does not
// know: they are kept in Raw for engines that may.
func ParseSettings(c Costing, raw map[string]json.RawMessage, at string) (s Settings, unknown []string, bad []fault.Violation) {
	s = Settings{costing: c, raw: raw, number: map[string]float64{}, text: map[string]string{}}
	names := make([]string, 0, len(raw))
	for name := range raw {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		o, ok := option(c, name)
		if !ok {
			unknown = append(unknown, name)
			continue
		}
		if string(raw[name]) == "null" {
			continue
		}
		if message := s.read(o, raw[name]); message != "" {
			var value any
			_ = json.Unmarshal(raw[name], &value) // only to show it; the body parsed already
			bad = append(bad, fault.Violation{Location: at + "." + name, Value: value, Message: message})
		}
	}
	return s, unknown, bad
}

// read takes one value and gives what is wrong with it, or "".
func (s *Settings) read(o *Option, raw json.RawMessage) string {
	switch o.Kind {
	case Bool:
		var v bool
		if json.Unmarshal(raw, &v) != nil {
			return "must be true or false"
		}
		s.number[o.Name] = 0
		if v {
			s.number[o.Name] = 1
		}
	case Choice:
		var v string
		if json.Unmarshal(raw, &v) != nil || !slices.Contains(o.Values, v) {
			return fmt.Sprintf("must be one of %q", o.Values)
		}
		s.text[o.Name] = v
	case Number, Integer:
		var v float64
		if json.Unmarshal(raw, &v) != nil {
			return "must be a number"
		}
		if v < o.Min || v > o.Max {
			return fmt.Sprintf("must be between %g and %g%s", o.Min, o.Max, unitSuffix(o.Unit))
		}
		if o.Kind == Integer && v != math.Trunc(v) {
			return "must be a whole number"
		}
		s.number[o.Name] = v
	}
	return ""
}

func unitSuffix(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}

// Given reports whether the caller set the option.
func (s *Settings) Given(name string) bool {
	_, n := s.number[name]
	_, t := s.text[name]
	return n || t
}

// Usual reports whether the settings are of a costing and the caller gave none.
func (s *Settings) Usual(c Costing) bool {
	return s.costing == c && len(s.number)+len(s.text) == 0
}

// Number gives a numeric option: the caller's value or the default. It panics
// for an option that the costing does not have, which is a defect.
func (s *Settings) Number(name string) float64 {
	if v, ok := s.number[name]; ok {
		return v
	}
	return s.known(name).Default
}

// Bool gives a switch.
func (s *Settings) Bool(name string) bool { return s.Number(name) != 0 }

// Text gives a choice.
func (s *Settings) Text(name string) string {
	if v, ok := s.text[name]; ok {
		return v
	}
	return s.known(name).Text
}

func (s *Settings) known(name string) *Option {
	c := s.costing
	if c == "" {
		c = Auto
	}
	o, ok := option(c, name)
	if !ok {
		panic("engine: costing " + string(c) + " has no option " + name)
	}
	return o
}

// Has reports whether the costing knows the option at all.
func (s *Settings) Has(name string) bool {
	_, ok := option(s.costing, name)
	return ok
}

// Raw gives the options as the caller wrote them, unknown ones included.
func (s *Settings) Raw() map[string]json.RawMessage { return s.raw }
