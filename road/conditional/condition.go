// Package conditional reads conditional tags
// (https://wiki.openstreetmap.org/wiki/Conditional_restrictions): values, and the
// times and properties of a vehicle under which each holds. Clauses reads a tag,
// Rules all tags of access on one direction of a way. Times are local time where
// the road is; Zone gives the time zone of a country.
package conditional

import (
	"strconv"
	"strings"
	"time"

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
	Terms []Term
	// Words are all other conditions, such as "destination" or "wet", and times
	// that cannot be parsed.
	Words []string
}

// Term bounds a property of the vehicle: weight > 7.5.
type Term struct {
	Property string // "weight", "length", …, in tonnes and metres
	Sign     string // "<", "<=", "=", ">=", ">"
	Bound    float64
}

// Clauses reads the value of a conditional tag: "no @ (Mo-Fr 07:00-09:00);
// destination @ (weight > 7.5)". Parts without a condition are left out.
func Clauses(tag string) []Clause {
	var list []Clause
	if len(tag) > hours.MaxLength {
		return nil
	}
	for _, part := range split(tag, ';') {
		value, condition, ok := strings.Cut(part, "@")
		if !ok {
			continue
		}
		list = append(list, Clause{strings.TrimSpace(value), ParseCondition(condition)})
	}
	return list
}

// split cuts at a sign outside of brackets.
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

// ParseCondition reads what follows the @ of a clause: times, bounds and words,
// joined by AND.
func ParseCondition(text string) (c Condition) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "("); ok {
		if at := strings.LastIndexByte(inner, ')'); at >= 0 && strings.TrimSpace(inner[at+1:]) == "" {
			text = inner[:at]
		}
	}
	for _, part := range conjunction(text) {
		part = strings.TrimSpace(part)
		if t, ok := term(part); ok {
			c.Terms = append(c.Terms, t)
		} else if s, err := hours.Parse(part); err == nil {
			c.Times = append(c.Times, s)
		} else {
			c.Words = append(c.Words, part)
		}
	}
	return c
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

// term reads a bound of a property: "weight>7.5", "maxweight > 3.5 t".
func term(s string) (t Term, ok bool) {
	at := strings.IndexAny(s, "<>=")
	if at <= 0 {
		return t, false
	}
	sign := s[at : at+1]
	rest := s[at+1:]
	if r, more := strings.CutPrefix(rest, "="); more {
		sign, rest = sign+"=", r
	}
	rest = strings.TrimSpace(rest)
	end := 0
	for end < len(rest) && (rest[end] >= '0' && rest[end] <= '9' || rest[end] == '.') {
		end++
	}
	bound, err := strconv.ParseFloat(rest[:end], 64)
	if err != nil {
		return t, false
	}
	switch strings.TrimSpace(rest[end:]) {
	case "", "t", "m":
	case "kg":
		bound /= 1000
	default:
		return t, false
	}
	property := strings.ToLower(strings.TrimSpace(s[:at]))
	property = strings.TrimPrefix(property, "max")
	if property == "" || strings.ContainsAny(property, " ();@") {
		return t, false
	}
	return Term{property, sign, bound}, true
}

// Vehicle gives a property of the traveller in tonnes and metres; ok is false
// where it is not known.
type Vehicle func(property string) (value float64, ok bool)

// At reports whether the condition is met at a moment of local time: Open where
// it is, Closed where it is not, Unknown where that depends on what is not
// known.
func (c *Condition) At(t time.Time, v Vehicle) hours.State {
	state := hours.Open
	meet := func(s hours.State) {
		if s == hours.Closed || state == hours.Closed {
			state = hours.Closed
		} else if s == hours.Unknown {
			state = hours.Unknown
		}
	}
	for _, s := range c.Times {
		meet(s.At(t))
	}
	for _, x := range c.Terms {
		meet(x.holds(v))
	}
	if len(c.Words) > 0 {
		meet(hours.Unknown)
	}
	return state
}

func (t *Term) holds(v Vehicle) hours.State {
	value, ok := v(t.Property)
	if !ok {
		return hours.Unknown
	}
	met := false
	switch t.Sign {
	case "<":
		met = value < t.Bound
	case "<=":
		met = value <= t.Bound
	case "=", "==":
		met = value == t.Bound
	case ">=":
		met = value >= t.Bound
	case ">":
		met = value > t.Bound
	}
	if met {
		return hours.Open
	}
	return hours.Closed
}

// Timed reports whether the condition has times.
func (c *Condition) Timed() bool { return len(c.Times) > 0 }
