package network

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// connectivity is a relation that describes how the lanes of one way lead into those of
// another.
type connectivity struct {
	id       int64
	from, to int64
	via      int64 // node, 0 where ways
	viaWays  []int64
	links    []graph.LaneLink
}

// connects adds a relation of type connectivity. There must be one way on each side;
// relations with more are ambiguous.
func (c *collector) connects(r *osm.Relation) {
	var x connectivity
	x.id = r.ID
	several := false
	for _, m := range r.Members {
		switch {
		case m.Role == "from" && m.Kind == osm.KindWay:
			several, x.from = several || x.from != 0, m.Ref
		case m.Role == "to" && m.Kind == osm.KindWay:
			several, x.to = several || x.to != 0, m.Ref
		case m.Role == "via" && m.Kind == osm.KindNode:
			several, x.via = several || x.via != 0, m.Ref
		case m.Role == "via" && m.Kind == osm.KindWay:
			x.viaWays = append(x.viaWays, m.Ref)
		}
	}
	if several || x.from == 0 || x.to == 0 || (x.via == 0) == (len(x.viaWays) == 0) {
		c.counts["dropped_connectivity_incomplete"]++
		return
	}
	var ok bool
	if x.links, ok = parseConnectivity(r.Tags.Get("connectivity")); !ok {
		c.counts["dropped_connectivity_unreadable"]++
		return
	}
	c.connections = append(c.connections, x)
}

// parseConnectivity reads the value of the key connectivity, as in "1:1|2:2,(3)|3:4":
// for each lane of the one way the lanes of the other that it leads into, counted from
// the left in the direction of travel; lanes in parentheses require leaving the lane's
// own course. The lane that both directions use, "bw", has no number and is skipped,
// and so is a lane that leads nowhere. It is not ok if the value contains anything
// else, or nothing: part of a value would mislead.
func parseConnectivity(value string) (links []graph.LaneLink, ok bool) {
	for statement := range strings.SplitSeq(value, "|") {
		if statement = strings.TrimSpace(statement); statement == "" {
			continue
		}
		statement, all := unwrapped(statement)
		left, right, found := strings.Cut(statement, ":")
		if !found {
			return nil, false
		}
		for from := range strings.SplitSeq(left, ",") {
			a, optional, ok := laneNumber(from)
			if !ok || strings.TrimSpace(from) == "" {
				return nil, false
			}
			for to := range strings.SplitSeq(right, ",") {
				b, optionalTo, ok := laneNumber(to)
				if !ok || strings.TrimSpace(to) == "" && strings.TrimSpace(right) != "" {
					return nil, false
				}
				if a == 0 || b == 0 {
					continue
				}
				link := graph.LaneLink{From: a, To: b}
				if all || optional || optionalTo {
					link.Optional = 1
				}
				links = append(links, link)
			}
		}
	}
	return links, len(links) > 0
}

// unwrapped removes parentheses around the whole of a text.
func unwrapped(s string) (inner string, wrapped bool) {
	if len(s) >= 2 && s[0] == '(' && strings.IndexByte(s, ')') == len(s)-1 {
		return strings.TrimSpace(s[1 : len(s)-1]), true
	}
	return s, false
}

// laneNumber reads the number of a lane, perhaps in parentheses: 0 for none and
// for the one that both directions use.
func laneNumber(s string) (n uint8, optional, ok bool) {
	s, optional = unwrapped(strings.TrimSpace(s))
	if s == "bw" || s == "" && !optional {
		return 0, optional, true
	}
	if len(s) > 2 || s == "" || s[0] < '1' || s[0] > '9' {
		return 0, optional, false
	}
	k, err := strconv.Atoi(s)
	if err != nil || k > graph.MaxLanes {
		return 0, optional, false
	}
	return uint8(k), optional, true
}

// lanes adds the connections to the builder as paths of edges. A connection that could
// mean several paths is left out: the lanes of the other paths may be different.
func (t *turnPaths) lanes(ctx context.Context) error {
	for i := range t.a.c.connections {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x := &t.a.c.connections[i]
		paths, fits := t.bearings(x)
		switch {
		case !fits:
			t.a.c.leaveOut("dropped_connectivity_beyond_limits", "relation", x.id)
		case len(paths) == 0:
			t.a.c.counts["dropped_connectivity_unconnected"]++
		case len(paths) > 1:
			t.a.c.counts["dropped_connectivity_ambiguous"]++
		default:
			t.a.b.Connect(graph.LaneConnection{Path: paths[0], Links: x.links})
			t.a.c.counts["connectivity"]++
			if len(x.viaWays) > 0 {
				t.a.c.counts["connectivity_via_way"]++
			}
		}
	}
	return nil
}

// bearings resolves a connection to the paths of edges that it may mean and that motor
// traffic may take. It does not fit if that exceeds the limits.
func (t *turnPaths) bearings(x *connectivity) (_ [][]graph.DirectedSegment, fits bool) {
	steps := maxStepsOfRule
	var paths [][]graph.DirectedSegment
	if x.via == 0 {
		paths = t.along(x.from, x.viaWays, x.to, &steps)
	} else if via, ok := t.a.c.nodes.find(x.via); ok {
		for _, in := range t.arriving(x.from, via) {
			for _, out := range t.leaving(x.to, via) {
				if back := in.Segment() == out.Segment(); back == (x.from == x.to) {
					paths = append(paths, []graph.DirectedSegment{in, out})
				}
			}
		}
	}
	if len(paths) > maxPathsOfRule || steps < 0 {
		return nil, false
	}
	paths = slices.DeleteFunc(paths, func(p []graph.DirectedSegment) bool {
		return slices.ContainsFunc(p, func(d graph.DirectedSegment) bool { return t.a.closed[d] })
	})
	slices.SortFunc(paths, slices.Compare)
	return slices.CompactFunc(paths, slices.Equal), true
}
