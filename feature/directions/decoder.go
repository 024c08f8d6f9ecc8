package directions

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Limits of a request.
const (
	MaxLocations  = 50
	MaxAlternates = 3
	maxID         = 256 // bytes of id and of a location's name
	maxWarnings   = 40  // that one answer carries
)

// Warning says that something in a request had no effect.
type Warning struct {
	Code int    `json:"code" doc:"901 a member the gateway does not know, 902 a costing option it does not know, 903 a known member without effect here, 904 instructions in another language than was asked for, 905 a costing option the engine knows and cannot honour, 907 the route waits for something to open, 908 a restriction at times was not heeded, 909 times are UTC"`
	Text string `json:"text" doc:"what had no effect, and why"`
}

// Codes of the gateway's own warnings, above those of the engines.
const (
	unknownMember = 901
	unknownOption = 902
	withoutEffect = 903
)

// Request is a checked request for a route.
type Request struct {
	Route engine.RouteRequest

	warnings      []Warning
	adr           *load
	avoid         *avoidance
	skipWaypoints bool
}

// Premium reports whether the call is of the dearer price class: a truck
// costing or an adr object.
func (r *Request) Premium() bool { return r.Route.Costing == engine.Truck || r.adr != nil }

// Features names what makes the call Premium: truck, adr.
func (r *Request) Features() []string {
	var names []string
	if r.Route.Costing == engine.Truck {
		names = append(names, "truck")
	}
	if r.adr != nil {
		names = append(names, "adr")
	}
	return names
}

// decoder collects what is wrong with a request while it is read, so that a
// caller hears of everything at once.
type decoder struct {
	bounds geo.Bounds // of the region, for hints
	bad    []fault.Violation
	req    *Request
}

func (d *decoder) refuse(at string, raw json.RawMessage, format string, args ...any) {
	d.bad = append(d.bad, fault.Violation{Location: at, Value: shown(raw), Message: fmt.Sprintf(format, args...)})
}

// warn adds a warning; names from the request are shown in part where long.
func (d *decoder) warn(code int, format string, args ...any) {
	for i, a := range args {
		if name, ok := a.(string); ok {
			args[i] = fault.Clip(name)
		}
	}
	switch n := len(d.req.warnings); {
	case n < maxWarnings:
		d.req.warnings = append(d.req.warnings, Warning{code, fmt.Sprintf(format, args...)})
	case n == maxWarnings:
		d.req.warnings = append(d.req.warnings, Warning{code, "more had no effect; the list ends here"})
	}
}

// shown makes a value fit to be shown in a problem.
func shown(raw json.RawMessage) any {
	var v any
	if len(raw) == 0 {
		return nil
	}
	if json.Unmarshal(raw, &v) != nil {
		return string(raw) // a number beyond all numbers
	}
	return v
}

// absent reports whether a member is missing or null, which mean the same for
// every optional one.
func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// number reads a number in lo to hi.
func (d *decoder) number(raw json.RawMessage, at, unit string, lo, hi float64) (float64, bool) {
	var v float64
	if json.Unmarshal(raw, &v) != nil {
		d.refuse(at, raw, "must be a number between %g and %g%s", lo, hi, unit)
		return 0, false
	}
	if !(v >= lo && v <= hi) {
		d.refuse(at, raw, "is %g and must be between %g and %g%s", v, lo, hi, unit)
		return 0, false
	}
	return v, true
}

func (d *decoder) flag(raw json.RawMessage, at string) bool {
	var v bool
	if json.Unmarshal(raw, &v) != nil {
		d.refuse(at, raw, "must be true or false")
	}
	return v
}

// word reads one of a few words; "" where it is none of them.
func (d *decoder) word(raw json.RawMessage, at string, words ...string) string {
	var v string
	if json.Unmarshal(raw, &v) != nil || !slices.Contains(words, v) {
		d.refuse(at, raw, "must be one of %s", strings.Join(words, ", "))
		return ""
	}
	return v
}

func (d *decoder) text(raw json.RawMessage, at string, longest int) string {
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
func (d *decoder) members(raw json.RawMessage, at string) map[string]json.RawMessage {
	var v map[string]json.RawMessage
	if json.Unmarshal(raw, &v) != nil || v == nil {
		d.refuse(at, raw, "must be an object")
		return nil
	}
	return v
}

// language reads a BCP 47 tag. Whether the engine speaks it, the engine knows.
func (d *decoder) language(raw json.RawMessage, at string) string {
	v := d.text(raw, at, 35)
	if v != "" && !isLanguage(v) {
		d.refuse(at, raw, "must be a BCP 47 language tag such as en-GB")
		return ""
	}
	return v
}

func isLanguage(tag string) bool {
	for part := range strings.FieldsFuncSeq(tag, func(c rune) bool { return c == '-' || c == '_' }) {
		if len(part) > 8 || strings.IndexFunc(part, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')
		}) >= 0 {
			return false
		}
	}
	return tag != "" && tag[0] != '-' && tag[len(tag)-1] != '-'
}

func sorted(m map[string]json.RawMessage) []string { return slices.Sorted(maps.Keys(m)) }

func names[T ~string](all []T) string {
	list := make([]string, len(all))
	for i, v := range all {
		list[i] = string(v)
	}
	return strings.Join(list, ", ")
}
