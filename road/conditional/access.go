package conditional

import (
	"slices"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/graph"
)

// Permission is the meaning of an access tag's value for through traffic.
type Permission uint8

// The permissions. ToDestinations is open to those whose journey begins or
// ends there.
const (
	Unclear Permission = iota
	Allows
	Forbids
	ToDestinations
)

// Rule is a conditional tag of access, or of a one-way rule, for some modes in one
// direction of a way.
type Rule struct {
	Tag     string // key and value, for people
	Modes   graph.Modes
	Clauses []Clause

	permits func(value string) Permission
}

// Permits returns what a clause of the rule means.
func (r *Rule) Permits(c *Clause) Permission {
	p := r.permits(c.Value)
	if p == Unclear && !c.If.Timed() && (c.Value == "discouraged" || c.Value == "unsuitable") {
		return ToDestinations // a last resort
	}
	if c.If.Business && p != Forbids && p != Unclear {
		return ToDestinations
	}
	return p
}

// tagged has the tags of one direction of a way.
type tagged map[string]string

// names returns the names of a key with a condition in a direction, those for both
// directions first.
func names(key string, backward bool) [2]string {
	if backward {
		return [2]string{key, key + ":backward"}
	}
	return [2]string{key, key + ":forward"}
}

// rules reads the conditional tags of some keys, the general before the particular, so that
// the last rule that is met decides. A tag of a particular key without a condition takes the
// modes that it concerns out of the general rules before it.
func (t tagged) rules(keys func(yield func(key string, modes graph.Modes) bool), backward bool, permits func(key, value string) Permission) []Rule {
	var list []Rule
	first := true
	for key, modes := range keys {
		for _, name := range names(key, backward) {
			if value := t[name]; value != "" && !first {
				override(list, modes, permits(key, value))
			}
			if value := t[name+":conditional"]; value != "" && modes != 0 {
				r := Rule{Tag: name + ":conditional=" + value, Modes: modes, Clauses: Clauses(value), permits: func(value string) Permission { return permits(key, value) }}
				if len(r.Clauses) > 0 {
					list = append(list, r)
				}
			}
		}
		first = false
	}
	return list
}

// override keeps some modes out of rules that a particular key without a condition
// overrides. A lorry that it lets pass is still bound by what depends on the vehicle.
func override(rules []Rule, modes graph.Modes, p Permission) {
	for i := range rules {
		whom := modes
		switch {
		case p == Unclear:
			return
		case p == Allows && slices.ContainsFunc(rules[i].Clauses, func(c Clause) bool { return len(c.If.Terms) > 0 }):
			whom &^= graph.Truck
		}
		rules[i].Modes &^= whom
	}
}

// accessKeys yields the keys of access. Those of goods close roads to lorries too, of
// which some are light enough for them.
func accessKeys(yield func(key string, modes graph.Modes) bool) {
	for key, modes := range graph.AccessKeys {
		if key == "goods" {
			modes = graph.Truck
		}
		if !yield(key, modes) {
			return
		}
	}
}

func permitsAccess(key, value string) Permission {
	switch value {
	case "yes", "designated", "permissive", "official", "public", "allowed":
		if key == "goods" {
			return Unclear
		}
		return Allows
	case "destination", "delivery", "customers", "residents", "visitors":
		if key == "goods" {
			return Unclear
		}
		return ToDestinations
	case "no", "private", "permit", "permit_holder", "agricultural", "forestry", "military", "emergency", "restricted", "use_sidepath", "employees":
		return Forbids
	}
	return Unclear
}

// onewayKeys yields the keys of one-way rules.
func onewayKeys(yield func(key string, modes graph.Modes) bool) {
	for key, modes := range graph.AccessKeys {
		name := "oneway:" + key
		if key == "access" {
			name, modes = "oneway", graph.Vehicles
		}
		if !yield(name, modes) {
			return
		}
	}
}

// permitsOneway returns a function for what a value of a one-way rule means in a direction.
func permitsOneway(backward bool) func(key, value string) Permission {
	return func(_, value string) Permission {
		switch value {
		case "yes", "true", "1":
			if !backward {
				return Allows
			}
			return Forbids
		case "-1", "reverse":
			if backward {
				return Allows
			}
			return Forbids
		case "no", "false", "0":
			return Allows
		case "reversible":
			return Forbids
		}
		return Unclear
	}
}

// Doubt is how a clause counts if it is not known whether it is met.
type Doubt uint8

// The ways to count what is not known: not at all, as is best for a vehicle that wants to
// pass, or as is worst.
const (
	Unheeded Doubt = iota
	Hoped
	Feared
)

// holds reports whether a clause counts as met. favours is true for a clause in favour of a
// vehicle that wants to pass. Without a time no clause with times is met.
func (d Doubt) holds(c *Condition, m *LocalTime, v *Vehicle, favours bool) bool {
	if m == nil && c.Timed() {
		return false
	}
	switch c.At(m, v) {
	case hours.Open:
		return true
	case hours.Unknown:
		return d == Hoped && favours || d == Feared && !favours
	case hours.Closed:
	}
	return false
}

// by returns what the rules make of a permission: the last clause that is met decides. timed
// reports whether that clause has times.
func by(rules []Rule, open bool, m *LocalTime, v *Vehicle, d Doubt) (p Permission, timed bool) {
	if p = Forbids; open {
		p = Allows
	}
	for i := range rules {
		r := &rules[i]
		if r.Modes&v.Mode == 0 {
			continue
		}
		for j := range r.Clauses {
			c := &r.Clauses[j]
			said := r.Permits(c)
			if said == Unclear || c.If.Business && !c.If.Timed() && len(c.If.Terms) == 0 || !d.holds(&c.If, m, v, said != Forbids) {
				continue
			}
			p, timed = said, c.If.Timed()
		}
	}
	return p, timed
}
