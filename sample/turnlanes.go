package sample

import (
	"slices"
	"strings"
)

// How far before a junction the lanes begin, and how far the last one must be.
const (
	lanesFrom  = 80.0
	lanesApart = 110.0
)

// turnLanes gives main roads a lane more before the junctions at which they
// meet, with arrows for where each leads.
func (b *builder) turnLanes() {
	b.meetings()
	mainRoads := func(_ pt, arms []arm) bool {
		n := 0
		for _, a := range arms {
			if a.r.fixed || a.r.level != 0 || a.r.tags.Get("junction") != "" || a.r.rank > residential {
				return false
			}
			if a.r.rank <= tertiary {
				n++
			}
		}
		return n >= 3
	}
	const tag = "turn:lanes:forward"
	var shown *road
	for _, p := range b.junctions(km(15, 10), 40000, 3, mainRoads) {
		for near := b.lanesAt(p); near != nil; near = b.lanesAt(p) {
			if shown == nil && near.tags.Get(tag) != "" {
				shown = near
			}
			b.meetings() // a road is in pieces
		}
	}
	b.noteRoad("lanes at a junction", tag, shown)
}

// lanesAt draws the lanes on one of the arms of a junction; nil where all that
// can have some do.
func (b *builder) lanesAt(p pt) *road {
	for _, from := range b.arms[p] {
		if near := b.lanesBefore(p, from); near != nil {
			return near
		}
	}
	return nil
}

// lanesBefore draws the lanes on the arm by which a road comes up to a
// junction; nil where there is no choice, or no room.
func (b *builder) lanesBefore(p pt, from arm) *road {
	r := from.r
	if r.rank > secondary || !from.in || !from.out || r.tags.Get("turn:lanes:forward")+r.tags.Get("turn:lanes:backward")+r.tags.Get("busway:left") != "" {
		return nil
	}
	arrows := b.arrowsAt(p, from)
	if arrows == "" {
		return nil
	}
	i := slices.Index(r.pts, p)
	forward := i > 0 && r.pts[i-1] == from.next
	step := 1
	if forward {
		step = -1
	}
	room := 0.0
	for k := i; k+step >= 0 && k+step < len(r.pts) && room < lanesApart; k += step {
		if k != i && len(b.arms[r.pts[k]]) > 2 {
			break
		}
		room += r.pts[k].dist(r.pts[k+step])
	}
	if room < lanesApart {
		return nil
	}
	at := length(r.pts[:i+1])
	if forward {
		return b.apartAt(r, at-lanesFrom, at, tags("lanes", "3", "lanes:forward", "2", "lanes:backward", "1", "turn:lanes:forward", arrows))
	}
	return b.apartAt(r, at, at+lanesFrom, tags("lanes", "3", "lanes:forward", "1", "lanes:backward", "2", "turn:lanes:backward", arrows))
}

// arrowsAt are the arrows of two lanes, from the left, by where roads lead on
// from a junction; "" where all lead one way.
func (b *builder) arrowsAt(p pt, from arm) string {
	var ways []string
	for _, way := range []struct {
		name    string
		low, up float64
	}{{"left", 35, 150}, {"through", -35, 35}, {"right", -150, -35}} {
		if slices.ContainsFunc(b.arms[p], func(to arm) bool {
			angle := turnAngle(from.next, p, to.next)
			return to.next != from.next && to.out && angle > way.low && angle < way.up
		}) {
			ways = append(ways, way.name)
		}
	}
	if len(ways) < 2 {
		return ""
	}
	return strings.Join(ways[:len(ways)-1], ";") + "|" + ways[len(ways)-1]
}
