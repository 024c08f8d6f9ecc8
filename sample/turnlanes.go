package sample

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// How far before a junction the lanes begin, and how far the last one must be.
const (
	lanesFrom  = 80.0
	lanesApart = 110.0
)

// turnLanes gives main roads a lane more before the junctions at which they
// meet, with arrows for where each leads.
func (b signDrawer) turnLanes() {
	b.meetings()
	mainRoads := func(_ plane.Point, arms []arm) bool {
		n := 0
		for _, a := range arms {
			if a.r.Fixed || a.r.Level != 0 || a.r.Tags.Get("junction") != "" || a.r.Rank > network.Residential {
				return false
			}
			if a.r.Rank <= network.Tertiary {
				n++
			}
		}
		return n >= 3
	}
	const tag = "turn:lanes:forward"
	var shown *network.Road
	for _, p := range b.junctions(plane.Km(15, 10), 40000, 3, mainRoads) {
		for near := b.lanesAt(p); near != nil; near = b.lanesAt(p) {
			if shown == nil && near.Tags.Get(tag) != "" {
				shown = near
			}
			b.meetings() // a road is in pieces
		}
	}
	b.noteRoad("lanes at a junction", tag, shown)
}

// lanesAt draws the lanes on one of the arms of a junction; nil where all that
// can have some do.
func (b signDrawer) lanesAt(p plane.Point) *network.Road {
	for _, from := range b.arms[p] {
		if near := b.lanesBefore(p, from); near != nil {
			return near
		}
	}
	return nil
}

// lanesBefore draws the lanes on the arm by which a road comes up to a
// junction; nil where there is no choice, or no room.
func (b signDrawer) lanesBefore(p plane.Point, from arm) *network.Road {
	r := from.r
	if r.Rank > network.Secondary || !from.in || !from.out || r.Tags.Get("turn:lanes:forward")+r.Tags.Get("turn:lanes:backward")+r.Tags.Get("busway:left") != "" {
		return nil
	}
	arrows := b.arrowsAt(p, from)
	if arrows == "" {
		return nil
	}
	i := slices.Index(r.Pts, p)
	forward := i > 0 && r.Pts[i-1] == from.next
	step := 1
	if forward {
		step = -1
	}
	room := 0.0
	for k := i; k+step >= 0 && k+step < len(r.Pts) && room < lanesApart; k += step {
		if k != i && len(b.arms[r.Pts[k]]) > 2 {
			break
		}
		room += r.Pts[k].Dist(r.Pts[k+step])
	}
	if room < lanesApart {
		return nil
	}
	at := plane.Length(r.Pts[:i+1])
	if forward {
		return b.apartAt(r, at-lanesFrom, at, network.Tags("lanes", "3", "lanes:forward", "2", "lanes:backward", "1", "turn:lanes:forward", arrows))
	}
	return b.apartAt(r, at, at+lanesFrom, network.Tags("lanes", "3", "lanes:forward", "1", "lanes:backward", "2", "turn:lanes:backward", arrows))
}

// arrowsAt returns the arrows of two lanes, from the left, by where roads lead on
// from a junction; "" where all lead one way.
func (b signDrawer) arrowsAt(p plane.Point, from arm) string {
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
