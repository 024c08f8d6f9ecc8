package sample

import (
	"math"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// restriction is a turn that is forbidden or the only one allowed.
type restriction struct {
	name     string
	tags     osm.Tags
	from, to []segment
	via      []plane.Point // one vertex, or the run of vertices of the way between
}

// turnAngle returns the change of course through a junction in degrees, positive
// to the left, within -180 to 180.
func turnAngle(from, via, to plane.Point) float64 {
	a, c := via.Sub(from), to.Sub(via)
	return math.Atan2(a.Cross(c), a.Dot(c)) * 180 / math.Pi
}

// restrictions forbids a turn of each kind at a junction of its own.
func (b signDrawer) restrictions() {
	centre := b.towns[0].Centre
	plain := func(p plane.Point, arms []arm) bool {
		for _, a := range arms {
			if a.r.Fixed || a.r.Level != 0 || !a.in || !a.out || a.r.Rank > network.Residential || a.next.Dist(p) < 3 {
				return false
			}
		}
		return true
	}
	// Every restriction is at a place that both roads can be driven round.
	find := func(n int, lo, hi float64) (from, to arm, via plane.Point, ok bool) {
		for _, p := range b.junctions(centre, 1500, n, plain) {
			if p.Dist(centre) < 150 {
				continue
			}
			for _, f := range b.arms[p] {
				for _, t := range b.arms[p] {
					if angle := turnAngle(f.next, p, t.next); f.next != t.next && angle > lo && angle < hi && b.linked(f.r) && b.linked(t.r) {
						b.taken[p] = true
						return f, t, p, true
					}
				}
			}
		}
		return arm{}, arm{}, plane.Point{}, false
	}
	add := func(name string, n int, lo, hi float64, kv ...string) {
		f, t, p, ok := find(n, lo, hi)
		if !ok {
			return
		}
		b.cut[p] = true
		b.turns = append(b.turns, restriction{
			name: name, tags: append(network.Tags("type", "restriction"), network.Tags(kv...)...),
			from: []segment{{f.next, p}}, to: []segment{{p, t.next}}, via: []plane.Point{p},
		})
	}
	const left, right = 50, -50
	add("no left turn", 3, left, 130, "restriction", "no_left_turn")
	add("no right turn", 3, -130, right, "restriction", "no_right_turn")
	add("no straight on", 4, -20, 20, "restriction", "no_straight_on")
	add("only left turn", 3, left, 130, "restriction", "only_left_turn")
	add("only right turn", 3, -130, right, "restriction", "only_right_turn")
	add("only straight on", 4, -20, 20, "restriction", "only_straight_on")
	add("school run left turn", 3, left, 130, "restriction:conditional", "no_left_turn @ (Mo-Fr 07:00-09:30)")
	add("peak hours right turn", 3, -130, right, "restriction:conditional", "no_right_turn @ (Mo-Fr 07:00-09:30,16:00-18:30)")
	add("right turn for buses", 3, -130, right, "restriction", "no_right_turn", "except", "bus;bicycle")
	add("left turn for taxis", 3, left, 130, "restriction", "no_left_turn", "except", "psv")
	add("no right turn for lorries", 3, -130, right, "restriction:hgv", "no_right_turn")
	add("no left turn for lorries", 3, left, 130, "restriction:hgv", "no_left_turn")
	add("no entry", 3, left, 130, "restriction", "no_entry")

	// No U-turn on one road at a crossroads.
	for _, p := range b.junctions(centre, 1500, 4, plain) {
		a := b.arms[p][0]
		b.cut[p], b.taken[p] = true, true
		b.turns = append(b.turns, restriction{
			name: "no U-turn", tags: network.Tags("type", "restriction", "restriction", "no_u_turn"),
			from: []segment{{a.next, p}}, to: []segment{{p, a.next}}, via: []plane.Point{p},
		})
		break
	}
	b.viaWay("no U-turn by the next street", "no_u_turn", plain)
	b.viaWay("no right turn by the next street", "no_right_turn", plain)
}

// viaWay forbids going from one side street along the main street into the
// next side street: the via member is a way.
func (b signDrawer) viaWay(name, kind string, plain func(plane.Point, []arm) bool) {
	centre := b.towns[0].Centre
	for _, p := range b.junctions(centre, 1500, 3, plain) {
		for _, f := range b.arms[p] {
			for _, m := range b.arms[p] {
				if m.r == f.r {
					continue
				}
				run := []plane.Point{p}
				last := p
				i := -1
				for k, q := range m.r.Pts {
					if q == p {
						i = k
					}
				}
				step := 1
				if i+1 >= len(m.r.Pts) || m.r.Pts[i+1] != m.next {
					step = -1
				}
				for k := i + step; k >= 0 && k < len(m.r.Pts) && len(run) < 9; k += step {
					run = append(run, m.r.Pts[k])
					last = m.r.Pts[k]
					if len(b.arms[last]) > 2 {
						break
					}
				}
				if last == p || len(b.arms[last]) < 3 || b.taken[last] || !plain(last, b.arms[last]) || plane.Length(run) > 140 {
					continue
				}
				for _, t := range b.arms[last] {
					turn := turnAngle(run[len(run)-2], last, t.next)
					if t.r == m.r || t.r == f.r || math.Abs(turn) < 50 || kind == "no_right_turn" && turn > 0 || !b.linked(f.r) || !b.linked(t.r) {
						continue
					}
					b.cut[p], b.cut[last], b.taken[p], b.taken[last] = true, true, true, true
					b.turns = append(b.turns, restriction{
						name: name, tags: network.Tags("type", "restriction", "restriction", kind),
						from: []segment{{f.next, p}}, via: run, to: []segment{{last, t.next}},
					})
					return
				}
			}
		}
	}
}

// writeTurns writes the relations of the turn restrictions.
func (b countyWriter) writeTurns() {
	for _, t := range b.turns {
		var m []osm.Member
		for _, s := range t.from {
			m = append(m, osm.Member{Kind: osm.KindWay, Ref: b.wayAt(s), Role: "from"})
		}
		if len(t.via) == 1 {
			m = append(m, osm.Member{Kind: osm.KindNode, Ref: b.out.Node(t.via[0]), Role: "via"})
		} else {
			m = append(m, osm.Member{Kind: osm.KindWay, Ref: b.wayAt(segment{t.via[0], t.via[1]}), Role: "via"})
		}
		for _, s := range t.to {
			m = append(m, osm.Member{Kind: osm.KindWay, Ref: b.wayAt(s), Role: "to"})
		}
		last := t.tags[len(t.tags)-1]
		if len(t.tags) > 1 {
			last = t.tags[1]
		}
		b.noteRefs(t.name, last.Key, last.Value, b.out.Relation(m, t.tags))
	}
}

// wayAt returns the way that holds a stretch of road.
func (b *builder) wayAt(s segment) int64 {
	p, q := b.out.Node(s[0]), b.out.Node(s[1])
	return b.out.WayOf[[2]int64{min(p, q), max(p, q)}]
}
