package conditional

import (
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/graph"
)

// Rules has all conditions on travelling one direction of a way. It is immutable.
type Rules struct {
	Access []Rule
	Oneway []Rule
	Limits []Limit
	Speeds []SpeedRule
	// Hours are those of a ferry; nil if it has none.
	Hours *hours.Schedule
	// Either are the modes that may travel it, but for one-way rules, where some of
	// these have conditions.
	Either graph.Modes
}

// EitherKey is the attribute of an edge whose one-way rules have conditions: the modes
// that may travel it but for such rules, as a decimal number.
const EitherKey = "oneway:either"

// ReadRules reads the attributes of an edge, whose keys and values of yields. It returns nil
// if no condition concerns the edge.
func ReadRules(of func(yield func(key, value string) bool), backward bool) *Rules {
	t := tagged{}
	conditions := false
	of(func(key, value string) bool {
		t[key] = value
		conditions = conditions || strings.HasSuffix(key, ":conditional")
		return true
	})
	l := &Rules{}
	if conditions {
		l.Access = t.rules(accessKeys, backward, permitsAccess)
		l.Oneway = t.rules(onewayKeys, backward, permitsOneway(backward))
		l.Speeds = t.speeds(backward)
		for key, value := range t {
			name, conditional := strings.CutSuffix(key, ":conditional")
			if !conditional || strings.HasSuffix(name, names("", !backward)[1]) {
				continue
			}
			if x, ok := limit(name, value); ok {
				x.Modes &^= t.bounded(name)
				l.Limits = append(l.Limits, x)
			}
		}
		slices.SortFunc(l.Limits, func(a, b Limit) int { return strings.Compare(a.Tag, b.Tag) })
		either, _ := strconv.ParseUint(t[EitherKey], 10, 16)
		l.Either = graph.Modes(either) & graph.AllModes
	}
	if text := t["opening_hours"]; text != "" && text != "24/7" {
		l.Hours, _ = hours.Parse(text)
	}
	if l.Hours == nil && len(l.Access)+len(l.Oneway)+len(l.Limits)+len(l.Speeds) == 0 {
		return nil
	}
	return l
}

// part is one condition of a law, with the modes that it concerns and whether it may open
// the edge to a vehicle that could not pass otherwise.
type part struct {
	*Condition
	modes graph.Modes
	opens bool
}

// parts yields every condition but those of speed limits, which close nothing.
func (l *Rules) parts(yield func(part) bool) {
	for _, rules := range [...][]Rule{l.Access, l.Oneway} {
		for i := range rules {
			for j := range rules[i].Clauses {
				c := &rules[i].Clauses[j]
				if p := rules[i].Permits(c); p != Unclear && !yield(part{&c.If, rules[i].Modes, p != Forbids}) {
					return
				}
			}
		}
	}
	for i := range l.Limits {
		x := &l.Limits[i]
		for j := range x.clauses {
			if !yield(part{&x.clauses[j].If, x.Modes, x.values[j] > x.usual || j > 0}) {
				return
			}
		}
	}
}

// Timed returns the modes that conditions with times concern, except for those of speed
// limits.
func (l *Rules) Timed() (modes graph.Modes) {
	if l.Hours != nil {
		return graph.AllModes
	}
	for p := range l.parts {
		if p.Timed() {
			modes |= p.modes
		}
	}
	return modes
}

// OpensAtTimes returns the modes to which some times may open what is closed at others.
func (l *Rules) OpensAtTimes() (modes graph.Modes) {
	for p := range l.parts {
		if p.Timed() && p.opens {
			modes |= p.modes
		}
	}
	return modes
}

// Opens reports whether some condition opens what is closed while it is not met.
func (l *Rules) Opens() bool {
	for p := range l.parts {
		if p.opens && (p.Timed() || p.OfVehicle()) {
			return true
		}
	}
	return false
}

// ForDestinations reports whether some times let a vehicle pass only to its destination.
func (l *Rules) ForDestinations(v *Vehicle) bool {
	for _, rules := range [...][]Rule{l.Access, l.Oneway} {
		for i := range rules {
			r := &rules[i]
			if r.Modes&v.Mode != 0 && slices.ContainsFunc(r.Clauses, func(c Clause) bool { return c.If.Timed() && r.Permits(&c) == ToDestinations }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(l.Limits, func(x Limit) bool {
		return x.Modes&v.Mode != 0 && slices.ContainsFunc(x.clauses, func(c Clause) bool { return c.If.Timed() && c.If.Business })
	})
}

// Placed reports whether times depend on the place.
func (l *Rules) Placed() bool {
	if l.Hours != nil && l.Hours.Placed() {
		return true
	}
	for p := range l.parts {
		if p.Placed() {
			return true
		}
	}
	return false
}

// MinutesOn appends the minutes of the day of a moment, and of the next one, at which the
// law may change.
func (l *Rules) MinutesOn(list []int, m LocalTime) []int {
	if l.Hours != nil {
		list = MinutesOn(list, l.Hours, m)
	}
	for p := range l.parts {
		list = p.MinutesOn(list, m)
	}
	return list
}

// Passage is the meaning of the rules for a vehicle.
type Passage struct {
	Open bool // by access and one-way rules
	Fits bool // by limits
	// Destination is true if, of the vehicles that Open and Fits let pass, only those may
	// pass whose journey begins or ends on such a road. AtTimes is true if that is so by a
	// condition with times.
	Destination, AtTimes bool
}

// Of returns what the law means for a vehicle at a moment. The moment is nil if no time is
// known; conditions with times do not count then. open is whether access and one-way rules
// let the vehicle pass while no condition is met.
func (l *Rules) Of(open bool, m *LocalTime, v *Vehicle, d Doubt) Passage {
	var out Passage
	passes := func(p Permission, timed bool) bool {
		if p == ToDestinations {
			out.Destination, out.AtTimes = true, out.AtTimes || timed
		}
		return p != Forbids
	}
	closed := !open && l.Either&v.Mode != 0 // by a one-way rule
	out.Open = passes(by(l.Access, open || closed, m, v, d))
	if out.Open && !v.AnyDirection {
		out.Open = passes(by(l.Oneway, !closed, m, v, d))
	}
	out.Fits = true
	for i := range l.Limits {
		if x := &l.Limits[i]; x.Modes&v.Mode != 0 {
			out.Fits = passes(x.permits(m, v, d)) && out.Fits
		}
	}
	if l.Hours != nil && m != nil && m.state(l.Hours) == hours.Closed {
		out.Open = false
	}
	return out
}

// Doubts yields the tags that might have kept a vehicle from passing and were ignored: at
// times, those that depend on the time, and otherwise those that depend on what is not
// known. The moment is nil if no time is known.
func (l *Rules) Doubts(m *LocalTime, v *Vehicle, yield func(tag string, atTimes bool)) {
	doubt := func(tag string, c *Condition) bool {
		if c.Business || c.At(m, v) != hours.Unknown {
			return false
		}
		yield(tag, m == nil && c.Timed())
		return true
	}
	for _, rules := range [...][]Rule{l.Access, l.Oneway} {
		for i := range rules {
			r := &rules[i]
			if r.Modes&v.Mode == 0 {
				continue
			}
			for j := range r.Clauses {
				if p := r.Permits(&r.Clauses[j]); (p == Forbids || p == ToDestinations) && doubt(r.Tag, &r.Clauses[j].If) {
					break
				}
			}
		}
	}
	for i := range l.Limits {
		x := &l.Limits[i]
		if x.Modes&v.Mode == 0 {
			continue
		}
		for j := range x.clauses {
			if x.exceeds(v, x.values[j], Unheeded) && doubt(x.Tag, &x.clauses[j].If) {
				break
			}
		}
	}
	if l.Hours != nil && m.state(l.Hours) == hours.Unknown {
		yield("opening_hours", m == nil)
	}
}
