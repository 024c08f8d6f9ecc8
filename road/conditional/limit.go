package conditional

import (
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/road/graph"
)

// Limit is a bound on the vehicle that depends on a condition, for some modes.
type Limit struct {
	Tag      string // key and value, for people
	Property string
	Modes    graph.Modes
	usual    float64   // while no clause holds
	values   []float64 // of the clauses; infinity for none
	clauses  []Clause
}

// properties are the properties that the keys of limits bound.
var properties = map[string]string{
	"maxheight": "height", "maxwidth": "width", "maxlength": "length",
	"maxweight": "weight", "maxweightrating": "weight", "maxgcweight": "weight", "maxgcweightrating": "weight",
	"maxaxleload": "axleload", "maxaxleweight": "axleload", "maxaxles": "axles",
}

// Bounded returns what a key of limits, such as "maxweight:hgv", bounds: a property of
// vehicles of some modes. ok is false for other keys, and for limits of vehicles that are no
// mode of their own.
func Bounded(key string) (property string, modes graph.Modes, ok bool) {
	name, rest, _ := strings.Cut(key, ":")
	property, ok = properties[name]
	if modes = graph.Motor; !ok || rest == "" || rest == "physical" || rest == "signed" {
		return property, modes, ok
	}
	modes, ok = kind(rest)
	return property, modes, ok && modes != 0
}

// FormatLimit returns the value that Limits are read from. It has the limit while no
// condition is met, 0 for none, and the parts of a conditional tag, whose values parse reads
// in tonnes, metres or axles, or returns 0 for. It is empty if no part can be read.
func FormatLimit(usual float64, tag string, parse func(string) float64) string {
	var parts []string
	for value, condition := range Split(tag) {
		n := parse(value)
		switch value {
		case "none", "no", "unlimited", "unsigned":
			n = math.Inf(1)
		}
		if condition == "" || !(n > 0) {
			continue
		}
		written := "none"
		if !math.IsInf(n, 1) {
			written = formatted(n)
		}
		parts = append(parts, written+" @ "+condition)
	}
	if len(parts) == 0 {
		return ""
	}
	if usual > 0 {
		parts = append([]string{formatted(usual)}, parts...)
	}
	return strings.Join(parts, "; ")
}

// ofBuses reports whether a condition is that the vehicle is a bus, and nothing else.
func (c *Condition) ofBuses() bool {
	if len(c.Times)+len(c.Outside)+len(c.Terms) > 0 || c.Business {
		return false
	}
	var all graph.Modes
	for _, word := range c.Words {
		modes, ok := kind(word)
		if !ok || modes == 0 {
			return false
		}
		all |= modes
	}
	return all&^(graph.Bus|graph.Taxi) == 0 && all&graph.Bus != 0
}

func formatted(n float64) string { return strconv.FormatFloat(math.Round(n*1e4)/1e4, 'f', -1, 64) }

// limit reads the format of FormatLimit; ok is false for any other text.
func limit(name, value string) (l Limit, ok bool) {
	key := strings.TrimSuffix(strings.TrimSuffix(name, ":forward"), ":backward")
	l = Limit{Tag: name + ":conditional=" + value, usual: math.Inf(1)}
	if l.Property, l.Modes, ok = Bounded(key); !ok {
		return l, false
	}
	for value, condition := range Split(value) {
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case value == "none":
			n = math.Inf(1)
		case err != nil || !(n > 0):
			return l, false
		}
		if condition == "" {
			l.usual = n
			continue
		}
		c := Clause{value, ParseCondition(condition)}
		if l.Property == "weight" && n > l.usual && c.If.ofBuses() {
			l.Modes &^= graph.Auto // what carries heavier buses is limited for goods vehicles
		}
		l.values = append(l.values, n)
		l.clauses = append(l.clauses, c)
	}
	if !math.IsInf(l.usual, 1) {
		l.Tag = name + "=" + formatted(l.usual) + ", " + name + ":conditional=" + strings.TrimPrefix(value, formatted(l.usual)+"; ")
	}
	return l, len(l.clauses) > 0
}

// bounded returns the modes that have limits of their own beside one for all of them.
// Lorries are bound by both.
func (t tagged) bounded(name string) (modes graph.Modes) {
	key := strings.TrimSuffix(strings.TrimSuffix(name, ":forward"), ":backward")
	for kind, of := range graph.AccessKeys {
		for _, side := range []string{"", ":forward", ":backward"} {
			if own := key + ":" + kind + side; t[own] != "" || t[own+":conditional"] != "" {
				modes |= of &^ graph.Truck
			}
		}
	}
	return modes
}

// exceeds reports whether a vehicle certainly exceeds a bound and, with the doubt Feared,
// whether it may.
func (l *Limit) exceeds(v *Vehicle, bound float64, d Doubt) bool {
	const rounding = 1e-6 // of values such as 3.4
	least, most := v.Range(l.Property)
	if d == Feared {
		least = most
	}
	return least > bound+rounding
}

// permits returns what the limit means for a vehicle; timed reports whether that is by a
// clause with times.
func (l *Limit) permits(m *LocalTime, v *Vehicle, d Doubt) (p Permission, timed bool) {
	bound, business := l.usual, false
	for i := range l.clauses {
		c := &l.clauses[i].If
		if c.Business && l.values[i] < bound { // a limit for them alone
			continue
		}
		if !d.holds(c, m, v, l.values[i] >= bound) {
			continue
		}
		switch {
		case !c.Business:
			bound, business, timed = l.values[i], false, c.Timed()
		case l.exceeds(v, bound, d):
			business, timed = true, c.Timed()
		}
	}
	switch {
	case business:
		return ToDestinations, timed
	case l.exceeds(v, bound, d):
		return Forbids, timed
	}
	return Allows, timed
}
