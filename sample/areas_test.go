package sample

import (
	"testing"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/plane"
)

// rings joins the ways of a relation or list end to end, and reports how many
// closed rings they make and whether nothing is left over.
func joinRings(ways [][]int64) (rings [][]int64, ok bool) {
	used := make([]bool, len(ways))
	for i := range ways {
		if used[i] {
			continue
		}
		used[i] = true
		ring := append([]int64(nil), ways[i]...)
		for ring[0] != ring[len(ring)-1] {
			grown := false
			for j := range ways {
				if used[j] {
					continue
				}
				last := ring[len(ring)-1]
				w := ways[j]
				if w[len(w)-1] == last {
					w = append([]int64(nil), w...)
					for a, b := 0, len(w)-1; a < b; a, b = a+1, b-1 {
						w[a], w[b] = w[b], w[a]
					}
				}
				if w[0] == last {
					ring = append(ring, w[1:]...)
					used[j], grown = true, true
				}
			}
			if !grown {
				return rings, false
			}
		}
		rings = append(rings, ring)
	}
	return rings, true
}

func TestCoastlineIsClosedWithLandOnTheLeft(t *testing.T) {
	d := drawn().Data
	n := newNetwork(d)
	var ways [][]int64
	for i := range d.Ways {
		if d.Ways[i].Tags.Get("natural") == "coastline" {
			ways = append(ways, d.Ways[i].Nodes)
		}
	}
	rings, ok := joinRings(ways)
	if !ok || len(rings) != 3 {
		t.Fatalf("%d closed coasts, all closed: %v", len(rings), ok)
	}
	for _, r := range rings {
		line := make([]plane.Point, 0, len(r))
		for _, id := range r {
			line = append(line, n.at[id])
		}
		if plane.Area(line) <= 0 {
			t.Error("a coast has the sea on its left")
		}
		for i := 1; i < len(line); i++ {
			for j := i + 2; j < len(line); j++ {
				if i == 1 && j == len(line)-1 {
					continue
				}
				if _, _, cut := plane.Crossing(line[i-1], line[i], line[j-1], line[j]); cut {
					t.Fatalf("the coast crosses itself near %v", drawnAt(n.node[r[i]]))
				}
			}
		}
	}
}

func TestBoundariesAreClosed(t *testing.T) {
	d := drawn().Data
	for _, r := range d.Relations {
		if r.Tags.Get("type") != "boundary" {
			continue
		}
		var ways [][]int64
		for _, m := range r.Members {
			if m.Kind == osm.KindWay {
				ways = append(ways, d.Ways[m.Ref-1].Nodes)
			}
		}
		rings, ok := joinRings(ways)
		if !ok || len(rings) == 0 {
			t.Errorf("%s is not closed", r.Tags.Get("name"))
		}
	}
}

func TestBuildingsStandClear(t *testing.T) {
	d := drawn().Data
	n := newNetwork(d)
	walls := plane.NewIndex(60)
	roads := plane.NewIndex(60)
	var owner []*osm.Way
	for i := range d.Ways {
		w := &d.Ways[i]
		house := w.Tags.Has("building")
		if !house && (!w.Tags.Has("highway") || w.Tags.Has("tunnel") || w.Tags.Get("highway") == "services" || w.Tags.Get("area") == "yes") {
			continue
		}
		for k := 1; k < len(w.Nodes); k++ {
			a, b := drawnAt(n.node[w.Nodes[k-1]]), drawnAt(n.node[w.Nodes[k]])
			if house {
				walls.Add(a, b, len(owner))
				owner = append(owner, w)
			} else {
				roads.Add(a, b, i)
			}
		}
	}
	bad := 0
	for i, s := range walls.Segs {
		if r, _, ok := roads.Hit(s.A, s.B); ok && bad < 20 {
			bad++
			t.Errorf("building %d stands on way %d (%v) near %v", owner[i].ID, d.Ways[r.Of].ID, d.Ways[r.Of].Tags, s.A)
		}
		walls.Around(s.A.Lerp(s.B, 0.5), s.A.Dist(s.B)/2+1, func(id int, o plane.Segment) bool {
			if owner[id] == owner[i] || id < i || s.A == o.A || s.A == o.B || s.B == o.A || s.B == o.B {
				return true
			}
			if tt, u, ok := plane.Crossing(s.A, s.B, o.A, o.B); ok && tt > 0.02 && tt < 0.98 && u > 0.02 && u < 0.98 && bad < 20 {
				bad++
				t.Errorf("buildings %d (%v) and %d (%v) overlap near %v", owner[i].ID, owner[i].Tags, owner[id].ID, owner[id].Tags, s.A)
			}
			return true
		})
	}
}
