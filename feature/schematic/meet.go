package schematic

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// How near, in metres, a corner of one street must be to another for them to meet,
// how far a landmark may be from its street, and how far apart two meetings of the
// same streets are described as two.
const (
	joined  = 4.0
	onIt    = 45.0
	another = 40.0
	cell    = 50.0 // of the grid in which segments are found
)

// segment is a straight part of a street.
type segment struct {
	of    *street
	a, b  planePoint
	level int
}

// grid finds segments near a place.
type grid map[[2]int][]segment

func (g grid) add(s segment) {
	for x := int(math.Floor(min(s.a.x, s.b.x) / cell)); x <= int(math.Floor(max(s.a.x, s.b.x)/cell)); x++ {
		for y := int(math.Floor(min(s.a.y, s.b.y) / cell)); y <= int(math.Floor(max(s.a.y, s.b.y)/cell)); y++ {
			g[[2]int{x, y}] = append(g[[2]int{x, y}], s)
		}
	}
}

// near calls yield with the segments that come as near to a place as far says, at
// most a cell.
func (g grid) near(p planePoint, far float64, yield func(segment, float64)) {
	for x := int(math.Floor((p.x - far) / cell)); x <= int(math.Floor((p.x+far)/cell)); x++ {
		for y := int(math.Floor((p.y - far) / cell)); y <= int(math.Floor((p.y+far)/cell)); y++ {
			for _, s := range g[[2]int{x, y}] {
				if d := away(p, s.a, s.b); d <= far {
					yield(s, d)
				}
			}
		}
	}
}

// meet finds where streets meet and which street a landmark is on.
func (s *scene) meet(ctx context.Context) error {
	g := grid{}
	points := 0
	for _, st := range s.streets {
		st.stretch()
		for _, l := range st.lines {
			if points += len(l.points); points > maxPoints {
				s.dropped = true
				break
			}
			for i := 1; i < len(l.points); i++ {
				g.add(segment{st, l.points[i-1], l.points[i], l.level})
			}
		}
	}
	for _, st := range s.streets {
		if err := ctx.Err(); err != nil {
			return err
		}
		if st.kind == "railway" {
			continue
		}
		for _, l := range st.lines {
			for _, p := range l.points {
				g.near(p, joined, func(o segment, _ float64) {
					if o.of != st && o.level == l.level && o.of.kind != "railway" {
						st.met(o.of, p)
						o.of.met(st, p)
					}
				})
			}
		}
	}
	for _, st := range s.streets {
		slices.SortStableFunc(st.meets, func(a, b meeting) int { return cmp.Compare(a.at, b.at) })
	}
	for _, l := range s.landmarks {
		best := math.Inf(1)
		g.near(l.at, onIt, func(o segment, d float64) {
			if o.of.weight >= 2 && d < best {
				best, l.on = d, o.of
			}
		})
	}
	return nil
}

// stretch finds the ends of a street: of its corners the one farthest from the
// first, and the one farthest from that. The western end is the first, of streets
// from north to south the northern one.
func (st *street) stretch() {
	farthest := func(from planePoint) (far planePoint) {
		most := -1.0
		for _, l := range st.lines {
			for _, p := range l.points {
				if d := from.to(p); d > most {
					most, far = d, p
				}
			}
		}
		return far
	}
	st.from = farthest(st.lines[0].points[0])
	st.to = farthest(st.from)
	dx, dy := st.to.x-st.from.x, st.to.y-st.from.y
	if math.Abs(dx) >= math.Abs(dy) && dx < 0 || math.Abs(dx) < math.Abs(dy) && dy > 0 {
		st.from, st.to = st.to, st.from
	}
}

// along returns how far along the straight line between a street's ends a place lies.
func (st *street) along(p planePoint) float64 {
	n := st.from.to(st.to)
	if n == 0 {
		return 0
	}
	return max(0, min(n, ((p.x-st.from.x)*(st.to.x-st.from.x)+(p.y-st.from.y)*(st.to.y-st.from.y))/n))
}

// met notes a meeting once.
func (st *street) met(other *street, p planePoint) {
	at := st.along(p)
	for _, m := range st.meets {
		if m.other == other && math.Abs(m.at-at) < another {
			return
		}
	}
	st.meets = append(st.meets, meeting{other, at})
}
