package network

import (
	"math"
	"slices"

	"github.com/waygate/waygate/sample/plane"
)

// insert is a vertex to put into a segment of a road.
type insert struct {
	seg int
	t   float64
	p   plane.Point
}

// Node gives roads on the ground a shared vertex wherever they cross or
// touch, in passes until none is left: a vertex that is inserted may bend its
// line by a few centimetres.
func Node(roads []*Road) {
	for range 10 {
		weld(roads)
		if !nodeOnce(roads) {
			return
		}
	}
}

// weld makes one of vertices closer than a metre and a half. The vertices of
// roads that lie apart stay where they are.
func weld(roads []*Road) {
	const reach, cell = 1.5, 2.0
	grid := map[[2]int32][]plane.Point{}
	key := func(p plane.Point) [2]int32 {
		return [2]int32{int32(math.Floor(p.X / cell)), int32(math.Floor(p.Y / cell))}
	}
	moved := func(p plane.Point, keep bool) plane.Point {
		k := key(p)
		best, far := p, reach
		for dx := int32(-1); dx <= 1; dx++ {
			for dy := int32(-1); dy <= 1; dy++ {
				for _, q := range grid[[2]int32{k[0] + dx, k[1] + dy}] {
					if q == p {
						return p
					}
					if d := q.Dist(p); d < far {
						best, far = q, d
					}
				}
			}
		}
		if best == p || keep {
			grid[k] = append(grid[k], p)
			return p
		}
		return best
	}
	for _, r := range roads {
		if r.Apart {
			for _, p := range r.Pts {
				moved(p, true)
			}
		}
	}
	for _, r := range roads {
		if r.Apart {
			continue
		}
		var pts []plane.Point
		for _, p := range r.Pts {
			pts = plane.AppendPt(pts, moved(p, false))
		}
		if len(pts) > 1 {
			r.Pts = pts
		}
	}
}

func nodeOnce(roads []*Road) bool {
	type part struct{ road, seg int }
	ix := plane.NewIndex(60)
	var parts []part
	for i, r := range roads {
		if r.Apart {
			continue
		}
		for k := 1; k < len(r.Pts); k++ {
			ix.Add(r.Pts[k-1], r.Pts[k], len(parts))
			parts = append(parts, part{i, k - 1})
		}
	}
	inserts := make([][]insert, len(roads))
	put := func(s plane.Segment, p plane.Point) {
		if p == s.A || p == s.B {
			return
		}
		at := parts[s.Of]
		d := s.B.Sub(s.A)
		inserts[at.road] = append(inserts[at.road], insert{at.seg, p.Sub(s.A).Dot(d) / d.Dot(d), p})
	}
	for id, s := range ix.Segs {
		ix.Around(s.A.Lerp(s.B, 0.5), s.A.Dist(s.B)/2+1, func(other int, o plane.Segment) bool {
			if other == id || parts[o.Of].road == parts[s.Of].road && math.Abs(float64(parts[o.Of].seg-parts[s.Of].seg)) < 2 {
				return true
			}
			// A vertex that touches the other line.
			for _, p := range []plane.Point{o.A, o.B} {
				if p != s.A && p != s.B {
					if _, d := plane.Foot(p, s.A, s.B); d < 0.5 {
						put(s, p)
						return true
					}
				}
			}
			if other < id {
				return true
			}
			if s.A == o.A || s.A == o.B || s.B == o.A || s.B == o.B {
				return true
			}
			t, _, ok := plane.Crossing(s.A, s.B, o.A, o.B)
			if !ok {
				return true
			}
			p := plane.Snap(s.A.Lerp(s.B, t))
			// Prefer a vertex that is there to a new one beside it.
			for _, q := range []plane.Point{s.A, s.B, o.A, o.B} {
				if q.Dist(p) < 2 {
					p = q
					break
				}
			}
			put(s, p)
			put(o, p)
			return true
		})
	}
	changed := false
	for i, list := range inserts {
		if len(list) == 0 {
			continue
		}
		slices.SortFunc(list, func(a, b insert) int {
			if a.seg != b.seg {
				return a.seg - b.seg
			}
			switch {
			case a.t < b.t:
				return -1
			case a.t > b.t:
				return 1
			}
			return 0
		})
		old := roads[i].Pts
		pts := make([]plane.Point, 0, len(old)+len(list))
		k := 0
		for j, p := range old {
			pts = plane.AppendPt(pts, p)
			for ; k < len(list) && list[k].seg == j; k++ {
				if j+1 >= len(old) || list[k].p != old[j+1] {
					pts = plane.AppendPt(pts, list[k].p)
				}
			}
		}
		if !slices.Equal(pts, old) {
			roads[i].Pts, changed = pts, true
		}
	}
	return changed
}
