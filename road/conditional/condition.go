// Package conditional reads conditional tags
// (https://wiki.openstreetmap.org/wiki/Conditional_restrictions): values, and the
// times and properties of a vehicle under which each holds. Clauses reads a tag,
// ReadRules reads all that such tags say of travelling one direction of a way: access, one-way
// rules, limits by size and weight, and speed limits. Times are local time where the road is; Zone
// gives the time zone of a country, PlaceOf its holidays and the sun.
package conditional

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/hours"
)

// Clause is one part of a conditional tag: a value, and the condition under
// which it holds.
type Clause struct {
	Value string
	If    Condition
}

// Condition is a conjunction of times, bounds of the vehicle and words.
type Condition struct {
	Times []*hours.Schedule
	// Outside are times outside of which the condition is met.
	Outside []*hours.Schedule
	Terms   []Term
	// Words are all other conditions, such as "hgv" or "wet", and times that cannot
	// be parsed.
	Words []string
	// Business is true if the condition also requires a place on the road to go to, as
	// "destination" and "delivery" do.
	Business bool
}

// Clauses reads the value of a conditional tag: "no @ (Mo-Fr 07:00-09:00);
// destination @ (weight > 7.5)". Parts without a condition are left out.
func Clauses(tag string) []Clause {
	var list []Clause
	for value, condition := range Split(tag) {
		if condition != "" {
			list = append(list, Clause{value, ParseCondition(condition)})
		}
	}
	return list
}

// Split yields the parts of a conditional tag: a value, and the text of its condition,
// which is empty where there is none.
func Split(tag string) func(yield func(value, condition string) bool) {
	return func(yield func(value, condition string) bool) {
		if len(tag) > hours.MaxLength {
			return
		}
		for _, part := range split(tag, ';') {
			value, condition, conditional := strings.Cut(part, "@")
			if condition = strings.TrimSpace(condition); conditional && condition == "" {
				condition = "()"
			}
			if value = strings.TrimSpace(value); value+condition != "" && !yield(value, condition) {
				return
			}
		}
	}
}

// split cuts at a sign outside brackets.
func split(s string, sign byte) []string {
	var parts []string
	depth, begin := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case sign:
			if depth <= 0 {
				parts = append(parts, s[begin:i])
				begin = i + 1
			}
		}
	}
	return append(parts, s[begin:])
}

// business are the words that require a place on the road to go to.
var business = []string{"destination", "delivery", "deliveries", "access", "customers", "loading", "unloading"}

// ParseCondition reads what follows the @ of a clause: times, bounds and words,
// joined by AND.
func ParseCondition(text string) (c Condition) {
	for _, part := range conjunction(bare(text)) {
		part = bare(part)
		if t, kind, ok := term(part); ok {
			c.Terms = append(c.Terms, t)
			if kind != "" {
				c.Words = append(c.Words, kind)
			}
		} else if s, err := hours.Parse(part); err == nil {
			c.Times = append(c.Times, s)
		} else if slices.Contains(business, strings.ToLower(part)) {
			c.Business = true
		} else {
			c.Words = append(c.Words, part)
		}
	}
	return c
}

// bare removes the brackets around a text.
func bare(text string) string {
	for text = strings.TrimSpace(text); strings.HasPrefix(text, "("); {
		depth, end := 0, -1
		for i := range len(text) {
			switch text[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				end = i
				break
			}
		}
		if end != len(text)-1 {
			break
		}
		text = strings.TrimSpace(text[1:end])
	}
	return text
}

// conjunction cuts at the word AND.
func conjunction(s string) []string {
	var parts []string
	rest := s
	for {
		i := strings.Index(strings.ToUpper(rest), " AND ")
		if i < 0 || i+5 > len(rest) {
			return append(parts, rest)
		}
		parts = append(parts, rest[:i])
		rest = rest[i+5:]
	}
}

// At reports whether the condition is met at a moment, nil if no time is known, by a
// vehicle: Open if it is, Closed if it is not, and Unknown if that depends on what is not
// known. The caller checks whether the vehicle has business on the road.
func (c *Condition) At(m *LocalTime, v *Vehicle) hours.State {
	state := hours.Open
	meet := func(s hours.State) {
		if s == hours.Closed || state == hours.Closed {
			state = hours.Closed
		} else if s == hours.Unknown {
			state = hours.Unknown
		}
	}
	for _, x := range c.Terms {
		meet(x.holds(v))
	}
	for _, w := range c.Words {
		meet(v.is(w))
	}
	for _, s := range c.Times {
		meet(m.state(s))
	}
	for _, s := range c.Outside {
		meet(opposite(m.state(s)))
	}
	return state
}

// Timed reports whether the condition has times.
func (c *Condition) Timed() bool { return len(c.Times)+len(c.Outside) > 0 }

// Placed reports whether the times of the condition depend on the place.
func (c *Condition) Placed() bool {
	return slices.ContainsFunc(c.Times, (*hours.Schedule).Placed) || slices.ContainsFunc(c.Outside, (*hours.Schedule).Placed)
}

func opposite(s hours.State) hours.State {
	switch s {
	case hours.Open:
		return hours.Closed
	case hours.Closed:
		return hours.Open
	case hours.Unknown:
	}
	return s
}

// OfVehicle reports whether the condition depends on the vehicle alone, and so not on the
// time.
func (c *Condition) OfVehicle() bool {
	return !c.Timed() && (len(c.Terms) > 0 || slices.ContainsFunc(c.Words, isKind))
}
