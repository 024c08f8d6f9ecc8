package network

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// rule is a turn restriction as OSM has it.
type rule struct {
	id                int64
	only, uturn       bool
	modes             graph.Modes
	condition         string
	from, to, viaWays []int64
	via               int64 // node, 0 where ways
}

// kinds are the values of the key restriction, and of which members there may be
// several: "from" ways of a no_entry, "to" ways of a no_exit. Others, such as those
// that apply while a signal is red, ban no turn.
var kinds = map[string]struct{ severalFrom, severalTo bool }{
	"no_left_turn": {}, "no_right_turn": {}, "no_straight_on": {}, "no_u_turn": {}, "no_turn": {},
	"only_left_turn": {}, "only_right_turn": {}, "only_straight_on": {}, "only_u_turn": {},
	"no_entry": {severalFrom: true}, "no_exit": {severalTo: true},
}

// restricted are the modes that a restriction without a mode applies to.
const restricted = graph.Vehicles

var ruleModes = map[string]graph.Modes{
	"hgv": graph.Truck, "bus": graph.Bus, "motorcar": graph.Auto | graph.HOV | graph.Taxi, "motorcycle": graph.Motorcycle, "moped": graph.MotorScooter,
	"bicycle": graph.Bicycle, "psv": graph.Bus | graph.Taxi, "taxi": graph.Taxi, "motor_vehicle": graph.Motor, "vehicle": graph.Vehicles,
	"goods": 0, "hazmat": 0, "caravan": 0, "trailer": 0, "emergency": graph.Emergency, "foot": graph.Pedestrian, "coach": 0, "tourist_bus": 0,
}

func (c *collector) relation(r *osm.Relation) {
	kind := r.Tags.Get("type")
	switch {
	case kind == "restriction" || strings.HasPrefix(kind, "restriction:"):
		if !c.ruleSeen[r.ID] {
			c.ruleSeen[r.ID] = true
			c.restriction(r, kind)
		}
	case kind == "connectivity":
		if !c.ruleSeen[r.ID] {
			c.ruleSeen[r.ID] = true
			c.connects(r)
		}
	case kind == "route" && (r.Tags.Get("route") == "bicycle" || r.Tags.Get("route") == "mtb"):
		for _, m := range r.Members {
			if m.Kind == osm.KindWay {
				c.cycling[m.Ref] = true
			}
		}
	case kind == "boundary":
		c.country(r)
	}
}

// restriction adds every rule of a relation: one for all vehicles, one for each mode it
// names, and those that apply only at times.
func (c *collector) restriction(r *osm.Relation, kind string) {
	var base rule
	base.id = r.ID
	viaNodes := 0
	for _, m := range r.Members {
		switch {
		case m.Role == "from" && m.Kind == osm.KindWay:
			base.from = append(base.from, m.Ref)
		case m.Role == "to" && m.Kind == osm.KindWay:
			base.to = append(base.to, m.Ref)
		case m.Role == "via" && m.Kind == osm.KindNode:
			base.via = m.Ref
			viaNodes++
		case m.Role == "via" && m.Kind == osm.KindWay:
			base.viaWays = append(base.viaWays, m.Ref)
		}
	}
	if len(base.from) == 0 || len(base.to) == 0 || base.via == 0 && len(base.viaWays) == 0 {
		c.counts["dropped_restrictions_incomplete"]++
		return
	}
	exempt := graph.Modes(0)
	for _, m := range strings.FieldsFunc(r.Tags.Get("except"), func(c rune) bool { return c == ';' || c == ',' }) {
		exempt |= ruleModes[strings.TrimSpace(m)]
	}
	exempt |= lifted(r.Tags)
	hours := oldHours(r.Tags)
	found := false
	for _, tag := range r.Tags {
		key, conditions := strings.CutSuffix(tag.Key, ":conditional")
		modes := restricted
		if rest, ok := strings.CutPrefix(key, "restriction:"); ok {
			if modes, ok = ruleModes[rest]; !ok || modes == 0 {
				continue
			}
		} else if key != "restriction" {
			continue
		}
		if rest, ok := strings.CutPrefix(kind, "restriction:"); ok {
			modes &= ruleModes[rest]
		}
		for value, condition := range statements(tag.Value, hours, conditions) {
			new := base
			several, known := kinds[value]
			if !known {
				continue
			}
			if viaNodes > 1 || len(base.from) > 1 && !several.severalFrom || len(base.to) > 1 && !several.severalTo {
				c.leaveOut(ambiguous, "relation", r.ID)
				return
			}
			new.uturn, new.only = strings.HasSuffix(value, "_u_turn"), strings.HasPrefix(value, "only_")
			new.modes, new.condition = modes&^exempt, condition
			if new.modes != 0 {
				c.rules = append(c.rules, new)
				found = true
			}
		}
	}
	if !found {
		c.counts["dropped_restrictions_unknown"]++
	} else if base.via != 0 {
		c.viaNode(base.via)
	}
}

// lifted returns the modes for which a restriction is lifted by conditions like none @
// hgv alone.
func lifted(t osm.Tags) (modes graph.Modes) {
	for value, condition := range conditional.Split(t.Get("restriction:conditional")) {
		if value != "none" && value != "no" {
			continue
		}
		if c := conditional.ParseCondition(condition); len(c.Words) == 1 && !c.Timed() && len(c.Terms) == 0 && !c.Business {
			for word := range strings.SplitSeq(c.Words[0], ",") {
				modes |= ruleModes[strings.TrimSpace(word)]
			}
		}
	}
	return modes
}

// statements yields the values of a restriction's tag with their conditions, "" for
// none.
func statements(value, hours string, conditions bool) func(yield func(value, condition string) bool) {
	if conditions {
		return conditional.Split(value)
	}
	return func(yield func(value, condition string) bool) { yield(strings.TrimSpace(value), hours) }
}

// viaNode notes that a restriction turns at a node, so that ways are cut there.
// Relations may come before the ways that have the node.
func (c *collector) viaNode(id int64) {
	n, isNew := c.nodes.add(id)
	if isNew {
		c.uses = append(c.uses, 0)
	}
	c.vias[n] = true
}

// oldHours returns the condition of the tagging from before conditional
// restrictions: day_on, day_off, hour_on, hour_off.
func oldHours(t osm.Tags) string {
	from, to := t.Get("hour_on"), t.Get("hour_off")
	day, last := t.Get("day_on"), t.Get("day_off")
	var parts []string
	short := func(d string) string { return d[:min(2, len(d))] }
	switch {
	case day != "" && last != "":
		parts = append(parts, short(day)+"-"+short(last))
	case day != "":
		parts = append(parts, short(day))
	}
	if from != "" && to != "" {
		parts = append(parts, from+"-"+to)
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// Why restrictions are left out, by the names of their counts.
const (
	ambiguous    = "dropped_restrictions_ambiguous"
	beyondLimits = "dropped_restrictions_beyond_limits"
)

// turnPaths resolves restrictions and connections of lanes to paths of edges.
type turnPaths struct {
	a       *assembler
	turning map[nodeNumber]int            // courses of restrictions that turn at a node
	passing map[graph.DirectedSegment]int // courses of restrictions that pass an edge on their way
}

// turns adds the restrictions to the builder as paths of edges.
func (t *turnPaths) turns(ctx context.Context) error {
	for i := range t.a.c.rules {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := &t.a.c.rules[i]
		paths, why := t.paths(r)
		if why == "" && !t.admit(paths) {
			why = beyondLimits
		}
		if why != "" {
			t.a.c.leaveOut(why, "relation", r.id)
			continue
		}
		if len(paths) == 0 {
			t.a.c.counts["dropped_restrictions_unconnected"]++
			continue
		}
		pairs := []string{"id", strconv.FormatInt(r.id, 10)}
		if r.condition != "" {
			pairs = append(pairs, "condition", r.condition)
		}
		new := graph.Restriction{Only: r.only, Modes: r.modes, Set: t.a.b.Set(pairs...)}
		if r.condition != "" {
			condition := conditional.ParseCondition(r.condition)
			if new.Timed = !condition.OfVehicle(); !new.Timed {
				new.Limits = t.a.limits(graph.Limits{}, graph.Limits{}, []string{"condition", r.condition}, false)
			}
		}
		for _, p := range paths {
			new.Path = p
			t.a.b.Restrict(new)
		}
		t.a.c.counts["restrictions"]++
		if len(r.viaWays) > 0 {
			t.a.c.counts["restrictions_via_way"]++
		}
	}
	return nil
}

// admit counts the paths of a restriction where they pass and where they turn, unless
// that exceeds the limits there.
func (t *turnPaths) admit(paths [][]graph.DirectedSegment) bool {
	for _, p := range paths {
		before := p[:len(p)-1]
		if t.turning[t.a.heads[before[len(before)-1]]] >= maxRulesAtNode || slices.ContainsFunc(before[1:], func(d graph.DirectedSegment) bool { return t.passing[d] >= maxRulesAtNode }) {
			return false
		}
	}
	for _, p := range paths {
		before := p[:len(p)-1]
		t.turning[t.a.heads[before[len(before)-1]]]++
		for _, d := range before[1:] {
			t.passing[d]++
		}
	}
	return true
}

// paths resolves a rule to paths of edges: from each "from" way, along the via ways if
// there are any, to each "to" way; why is the count for leaving it out, if it is. A
// rule is ambiguous if its "from" or "to" way continues beyond the node, or if an
// "only" rule has several ways out: to take each as the only one would close them all.
func (t *turnPaths) paths(r *rule) (paths [][]graph.DirectedSegment, why string) {
	if len(r.from) > maxRestrictionEnds || len(r.to) > maxRestrictionEnds {
		return nil, beyondLimits
	}
	var via nodeNumber
	if r.via != 0 {
		n, ok := t.a.c.nodes.find(r.via)
		if !ok {
			return nil, ""
		}
		via = n
	}
	steps := maxStepsOfRule
	for _, from := range r.from {
		for _, to := range r.to {
			if len(paths) > maxPathsOfRule || steps < 0 {
				return nil, beyondLimits
			}
			if r.via == 0 {
				paths = append(paths, t.along(from, r.viaWays, to, &steps)...)
				continue
			}
			arriving, leaving := t.arriving(from, via), t.leaving(to, via)
			if from != to && (t.several(arriving) || t.several(leaving)) {
				return nil, ambiguous
			}
			for _, in := range arriving {
				for _, out := range leaving {
					back := in.Segment() == out.Segment()
					if from == to && r.uturn == back || from != to && !back {
						paths = append(paths, []graph.DirectedSegment{in, out})
					}
				}
			}
		}
	}
	if len(paths) > maxPathsOfRule || steps < 0 {
		return nil, beyondLimits
	}
	if r.only && diverge(paths) || r.via == 0 && t.beyond(r, paths) {
		return nil, ambiguous
	}
	return paths, ""
}

// beyond reports whether the "from" or the "to" way of a restriction over via ways
// continues beyond where the via ways begin or end.
func (t *turnPaths) beyond(r *rule, paths [][]graph.DirectedSegment) bool {
	for i, p := range paths {
		for _, q := range paths[:i] {
			n := len(p) - 1
			if len(q)-1 != n || !slices.Equal(p[1:n], q[1:n]) || slices.Equal(r.from, r.to) {
				continue
			}
			if p[0] != q[0] && t.several([]graph.DirectedSegment{p[0], q[0]}) || p[n] != q[n] && t.several([]graph.DirectedSegment{p[n], q[n]}) {
				return true
			}
		}
	}
	return false
}

// several reports whether motor traffic may take more than one of some edges.
func (t *turnPaths) several(edges []graph.DirectedSegment) bool {
	open := 0
	for _, e := range edges {
		if !t.a.closed[e] {
			open++
		}
	}
	return open > 1
}

// diverge reports whether two paths differ only in their last edges.
func diverge(paths [][]graph.DirectedSegment) bool {
	for i, p := range paths {
		n := len(p) - 1
		if slices.ContainsFunc(paths[:i], func(q []graph.DirectedSegment) bool {
			return len(q) == len(p) && slices.Equal(p[:n], q[:n]) && p[n] != q[n]
		}) {
			return true
		}
	}
	return false
}

// arriving returns the edges of a way that end at a node, leaving those that
// begin there.
func (t *turnPaths) arriving(way int64, node nodeNumber) []graph.DirectedSegment {
	return t.a.arrive[wayEnd{way, node}]
}

func (t *turnPaths) leaving(way int64, node nodeNumber) []graph.DirectedSegment {
	list := slices.Clone(t.arriving(way, node))
	for i := range list {
		list[i] = list[i].Reverse()
	}
	return list
}

// along finds the paths from one way over the via ways to another. The via ways may
// have several segments each and are travelled end to end. Each step is taken from
// steps; the search is incomplete if that falls below zero.
func (t *turnPaths) along(from int64, vias []int64, to int64, steps *int) [][]graph.DirectedSegment {
	var found [][]graph.DirectedSegment
	for _, p := range t.a.pieces[from] {
		for _, start := range []struct {
			edge graph.DirectedSegment
			at   nodeNumber
		}{{p.segment.Forwards(), p.to}, {p.segment.Backwards(), p.from}} {
			x := pathSearch{t: t, to: to, steps: steps, found: &found}
			x.follow([]graph.DirectedSegment{start.edge}, start.at, vias)
		}
	}
	return found
}

// longestVia is the most segments of a via path: junctions are small.
const longestVia = 32

// pathSearch looks for the paths of one relation.
type pathSearch struct {
	t     *turnPaths
	to    int64 // way
	steps *int  // that may still be taken
	found *[][]graph.DirectedSegment
}

func (x *pathSearch) follow(path []graph.DirectedSegment, at nodeNumber, vias []int64) {
	if *x.steps--; len(path) > longestVia || *x.steps < 0 {
		return
	}
	if len(vias) == 0 {
		for _, out := range x.t.leaving(x.to, at) {
			if out.Segment() != path[len(path)-1].Segment() {
				*x.found = append(*x.found, append(slices.Clone(path), out))
			}
		}
		return
	}
	for _, edge := range x.t.leaving(vias[0], at) {
		if slices.ContainsFunc(path, func(d graph.DirectedSegment) bool { return d.Segment() == edge.Segment() }) {
			continue
		}
		longer := append(slices.Clone(path), edge)
		x.follow(longer, x.t.a.heads[edge], vias)     // on along the same way
		x.follow(longer, x.t.a.heads[edge], vias[1:]) // or over to the next
	}
}
