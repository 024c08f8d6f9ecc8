// Package native reads the requests of our own endpoints, in the form of Valhalla's JSON.
// Each request is a struct that wire/schema reads, checks and describes by its tags, with a
// method that returns the engine's request and the warnings that go with it.
package native

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

// Effects of members that are known and not read.
const (
	passed  = "passed"  // to an engine that takes them; without them the answer is still right
	binding = "binding" // they change which answer is right
	none    = "none"    // there is nothing for them to change
)

// wanted reports whether a member requests anything.
func wanted(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", "[]", "{}":
		return false
	}
	return true
}

// elsewhere are members that count on other endpoints only: on which, and what says
// the same here.
var elsewhere = map[string]struct{ on, instead string }{
	"adr":     {"POST /route and POST /optimise", "costing_options.truck"},
	"avoid":   {"POST /route", "the use_ options of costing_options"},
	"exclude": {"POST /route", "the exclude_ options of costing_options"},
}

// Beyond deals with the members that a request does not read. An engine that
// takes unknown members gets them as they came; any other refuses
// those that would change the answer with NotEnabled, and the caller is warned of
// the rest. What the engine gets is nil where that is nothing.
type Beyond struct {
	can      engine.Can
	Warnings []engine.Warning
	extra    map[string]json.RawMessage
	bad      []fault.Violation
}

func (b *Beyond) warnOf(of string, code int, format string, args ...any) {
	b.Warnings = schema.AppendWarningOf(b.Warnings, of, code, format, args...)
}

// Read sorts the members that a request does not read. It refuses those that would
// change the answer and adds a warning for each of the rest.
func (b *Beyond) Read(rest schema.UnknownMembers) error {
	rest = slices.Clone(rest)
	slices.SortFunc(rest, func(a, b schema.Member) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range rest {
		_, other := elsewhere[m.Name]
		said := wanted(m.Raw) || other && string(m.Raw) == "{}"   // no request is one of nothing where it counts
		if !said || m.Effect == binding && string(m.Raw) == "0" { // an interval of 0 requests none
			continue
		}
		if err := b.member(m); err != nil {
			return err
		}
	}
	return fault.Invalid(b.bad...)
}

func (b *Beyond) member(m schema.Member) error {
	e, other := elsewhere[m.Name]
	switch takes := b.can.UnknownMembers; {
	case other:
		b.warnOf(m.Name, schema.WithoutEffect, "%s counts on %s only and had no effect here; say it here with %s", m.Name, e.on, e.instead)
	case m.Effect == none:
		b.warnOf(m.Name, schema.WithoutEffect, "%s has no effect on the routing engine here", m.Name)
	case takes:
		if b.extra == nil {
			b.extra = map[string]json.RawMessage{}
		}
		b.extra[m.Name] = m.Raw
		if m.Effect == "" && !ofRoute().Has(m.Name) {
			b.warnOf(m.Name, schema.UnknownMember, "%s is not known here; the routing engine got it as it is", m.Name)
		}
	case m.Effect == binding:
		return fault.NotEnabled(m.Name, "%s is not enabled on this deployment: its routing engine cannot honour it here, and an answer without it could be the wrong one; leave it out", m.Name).
			With("field", m.Name)
	case m.Effect == passed:
		b.warnOf(m.Name, schema.WithoutEffect, "%s has no effect on the routing engine here", m.Name)
	case ofRoute().Has(m.Name):
		b.bad = append(b.bad, ofRoute().Refused(m.Name, m.Raw)...)
		b.warnOf(m.Name, schema.WithoutEffect, "%s has no effect on the routing engine here", m.Name)
	default:
		b.warnOf(m.Name, schema.UnknownMember, "%s is not known here and had no effect", m.Name)
	}
	return nil
}

// ofRoute has the members of POST /route: one of these that another endpoint does not have is
// no misspelling.
var ofRoute = sync.OnceValue(schema.Of[RouteRequest])

// Has reports whether a member that is not read was sent.
func Has(rest schema.UnknownMembers, name string) bool {
	return slices.ContainsFunc(rest, func(m schema.Member) bool { return m.Name == name && wanted(m.Raw) })
}
