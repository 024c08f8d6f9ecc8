package conditional

import (
	"strings"

	"github.com/waygate/waygate/road/graph"
)

// Permission is what a value of a tag of access means for through traffic.
type Permission uint8

// The permissions. ToDestinations is open to those whose journey begins or
// ends there.
const (
	Unclear Permission = iota
	Allows
	Forbids
	ToDestinations
)

// Rule is a conditional tag of access, for some modes and directions.
type Rule struct {
	Tag     string // key and value, for people
	Modes   graph.Modes
	Oneway  bool // a rule on travelling against the way's direction, not on access
	Clauses []Clause
}

// Rules reads the conditional tags of access on one direction of a way that depend
// on the time, general keys before particular ones, so that the last rule that
// holds decides. of yields keys and values.
func Rules(of func(yield func(key, value string) bool), backward bool) []Rule {
	tags := map[string]string{}
	of(func(key, value string) bool {
		if strings.HasSuffix(key, ":conditional") {
			tags[key] = value
		}
		return true
	})
	side := ":forward"
	if backward {
		side = ":backward"
	}
	var list []Rule
	add := func(key string, modes graph.Modes, oneway bool) {
		value, ok := tags[key+":conditional"]
		if !ok {
			return
		}
		r := Rule{Tag: key + ":conditional=" + value, Modes: modes, Oneway: oneway}
		for _, c := range Clauses(value) {
			if c.If.Timed() {
				r.Clauses = append(r.Clauses, c)
			}
		}
		if len(r.Clauses) > 0 {
			list = append(list, r)
		}
	}
	if len(tags) == 0 {
		return nil
	}
	if backward {
		add("oneway", graph.Vehicles, true)
	}
	for key, modes := range graph.AccessKeys {
		if modes != 0 {
			add(key, modes, false)
			add(key+side, modes, false)
		}
	}
	return list
}

// Permits is what a value of the rule's key means.
func (r *Rule) Permits(value string) Permission {
	if r.Oneway {
		switch value {
		case "yes", "true", "1":
			return Forbids
		case "no", "false", "0":
			return Allows
		}
		return Unclear
	}
	switch value {
	case "yes", "designated", "permissive", "official", "public", "allowed":
		return Allows
	case "destination", "delivery", "customers", "residents", "visitors":
		return ToDestinations
	case "no", "private", "permit", "permit_holder", "agricultural", "forestry", "military", "emergency", "restricted", "use_sidepath", "employees":
		return Forbids
	}
	return Unclear
}
