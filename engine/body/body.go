// Package body reads the members that native requests have in common:
// locations, a costing and its options, what bends the roads and how routes are
// told, with Valhalla's names, meanings and limits. It collects everything that is wrong, so that a caller hears of it
// at once, and what has no effect.
package body

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

// LongestText bounds an id and a location's name, in bytes.
const LongestText = 256

// MostWarnings is how many warnings one answer carries.
const MostWarnings = 40

// Codes of the gateway's own warnings, above those of the engines.
const (
	UnknownMember = 901
	UnknownOption = 902
	WithoutEffect = 903
)

// Reader reads one request.
type Reader struct {
	Bounds   geo.Bounds // of the region, for hints; empty where unknown
	Warnings []engine.Warning
	bad      []fault.Violation
}

// Err is all that was wrong so far; nil where nothing was.
func (r *Reader) Err() error { return fault.Invalid(r.bad...) }

// Refuse notes what is wrong with a member.
func (r *Reader) Refuse(at string, raw json.RawMessage, format string, args ...any) {
	r.bad = append(r.bad, fault.Violation{Location: at, Value: shown(raw), Message: fmt.Sprintf(format, args...)})
}

// Warn adds a warning; names from the request are shown in part where long.
func (r *Reader) Warn(code int, format string, args ...any) {
	for i, a := range args {
		if name, ok := a.(string); ok {
			args[i] = fault.Clip(name)
		}
	}
	switch n := len(r.Warnings); {
	case n < MostWarnings:
		r.Warnings = append(r.Warnings, engine.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	case n == MostWarnings:
		r.Warnings = append(r.Warnings, engine.Warning{Code: code, Text: "more had no effect; the list ends here"})
	}
}

// Violate notes what was found wrong elsewhere.
func (r *Reader) Violate(v ...fault.Violation) { r.bad = append(r.bad, v...) }

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

// Absent reports whether a member is missing or null, which mean the same for
// every optional one.
func Absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// Wanted reports whether a member asks for anything.
func Wanted(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", "[]", "{}":
		return false
	}
	return true
}

// Names lists the members of an object, sorted.
func Names(m map[string]json.RawMessage) []string { return slices.Sorted(maps.Keys(m)) }

// Listed words a list of choices.
func Listed[T ~string](all []T) string {
	list := make([]string, len(all))
	for i, v := range all {
		list[i] = string(v)
	}
	return strings.Join(list, ", ")
}

// Number reads a number in lo to hi.
func (r *Reader) Number(raw json.RawMessage, at, unit string, lo, hi float64) (float64, bool) {
	var v float64
	if json.Unmarshal(raw, &v) != nil {
		r.Refuse(at, raw, "must be a number between %g and %g%s", lo, hi, unit)
		return 0, false
	}
	if !(v >= lo && v <= hi) {
		r.Refuse(at, raw, "is %g and must be between %g and %g%s", v, lo, hi, unit)
		return 0, false
	}
	return v, true
}

// Switch reads a switch that is off where it is left out.
func (r *Reader) Switch(doc map[string]json.RawMessage, name string) bool {
	return !Absent(doc[name]) && r.Flag(doc[name], name)
}

// Flag reads a switch.
func (r *Reader) Flag(raw json.RawMessage, at string) bool {
	var v bool
	if json.Unmarshal(raw, &v) != nil {
		r.Refuse(at, raw, "must be true or false")
	}
	return v
}

// Word reads one of a few words; "" where it is none of them.
func (r *Reader) Word(raw json.RawMessage, at string, words ...string) string {
	var v string
	if json.Unmarshal(raw, &v) != nil || !slices.Contains(words, v) {
		r.Refuse(at, raw, "must be one of %s", strings.Join(words, ", "))
		return ""
	}
	return v
}

// Text reads a string.
func (r *Reader) Text(raw json.RawMessage, at string) string { return r.text(raw, at, LongestText) }

func (r *Reader) text(raw json.RawMessage, at string, longest int) string {
	var v string
	if json.Unmarshal(raw, &v) != nil {
		r.Refuse(at, raw, "must be a string")
		return ""
	}
	if len(v) > longest {
		r.Refuse(at, raw, "has %d bytes and may have %d", len(v), longest)
		return ""
	}
	return v
}

// Members reads an object; nil where it is none.
func (r *Reader) Members(raw json.RawMessage, at string) map[string]json.RawMessage {
	var v map[string]json.RawMessage
	if json.Unmarshal(raw, &v) != nil || v == nil {
		r.Refuse(at, raw, "must be an object")
		return nil
	}
	return v
}

// List reads a list; nil where it is none.
func (r *Reader) List(raw json.RawMessage, at, of string) []json.RawMessage {
	var v []json.RawMessage
	if json.Unmarshal(raw, &v) != nil || v == nil {
		r.Refuse(at, raw, "must be a list of %s", of)
		return nil
	}
	return v
}

// Rest are the members of a request that its reader has no use for.
type Rest struct {
	Known    []string // read already
	Binding  []string // change which answer is right
	Harmless []string // do not
	Passed   bool     // the engine takes what the gateway has no use for
}

// Beyond handles the members that are left to the engine: one that takes them
// gets them as they came; for another those that would change the answer are
// refused with NotEnabled, and the caller is warned of the rest. What the
// engine gets is nil where that is nothing.
func (r *Reader) Beyond(doc map[string]json.RawMessage, rest Rest) (map[string]json.RawMessage, error) {
	var extra map[string]json.RawMessage
	for _, name := range Names(doc) {
		if slices.Contains(rest.Known, name) || !Wanted(doc[name]) {
			continue
		}
		binds := slices.Contains(rest.Binding, name)
		known := binds || slices.Contains(rest.Harmless, name)
		switch {
		case rest.Passed:
			if extra == nil {
				extra = map[string]json.RawMessage{}
			}
			extra[name] = doc[name]
			if !known {
				r.Warn(UnknownMember, "%s is not known here; the routing engine got it as it is", name)
			}
		case binds:
			return nil, fault.New(fault.NotEnabled, "%s is not enabled on this deployment: its routing engine cannot honour it here, and an answer without it could be the wrong one; leave it out", name).
				With("field", name)
		case known:
			r.Warn(WithoutEffect, "%s has no effect on the routing engine here", name)
		default:
			r.Warn(UnknownMember, "%s is not known here and had no effect", name)
		}
	}
	return extra, nil
}
