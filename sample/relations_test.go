package sample

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/osm"
)

func ends(w *osm.Way) []int64 { return []int64{w.Nodes[0], w.Nodes[len(w.Nodes)-1]} }

func meet(a, b []int64) bool {
	return slices.ContainsFunc(a, func(x int64) bool { return slices.Contains(b, x) })
}

// A restriction's ways end where its via member lies.
func TestTurnRestrictionsHangTogether(t *testing.T) {
	n := newNetwork(drawn().Data)
	viaWays := 0
	for _, r := range n.data.Relations {
		if r.Tags.Get("type") != "restriction" {
			continue
		}
		var from, to, via []int64
		for _, m := range r.Members {
			switch m.Role {
			case "from":
				from = ends(n.way(m.Ref))
			case "to":
				to = ends(n.way(m.Ref))
			case "via":
				if via = []int64{m.Ref}; m.Kind == osm.KindWay {
					via = ends(n.way(m.Ref))
					viaWays++
				}
			}
		}
		if !meet(from, via) || !meet(to, via) {
			t.Errorf("relation %d (%v): from ends at %v, via at %v, to at %v", r.ID, r.Tags, from, via, to)
		}
	}
	if viaWays < 2 {
		t.Errorf("%d restrictions by way of a way, want 2", viaWays)
	}
}

// The ways of a bus route follow on one another.
func TestBusRoutesHaveNoGaps(t *testing.T) {
	n := newNetwork(drawn().Data)
	for _, r := range n.data.Relations {
		if r.Tags.Get("route") != "bus" {
			continue
		}
		var last *osm.Way
		stops := 0
		for _, m := range r.Members {
			if m.Kind != osm.KindWay {
				stops++
				continue
			}
			w := n.way(m.Ref)
			if last != nil && !meet(ends(last), w.Nodes) && !meet(last.Nodes, ends(w)) {
				t.Errorf("%s: ways %d and %d do not meet", r.Tags.Get("name"), last.ID, w.ID)
			}
			last = w
		}
		if stops < 5 {
			t.Errorf("%s has %d stops", r.Tags.Get("name"), stops)
		}
	}
}
