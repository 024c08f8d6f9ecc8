package sample

import (
	"math"
	"slices"
)

// insert is a vertex to put into a segment of a road.
type insert struct {
	seg int
	t   float64
	p   pt
}

// node gives roads on the ground a shared vertex wherever they cross or
// touch, in passes until none is left: a vertex that is inserted may bend its
// line by a few centimetres.
func node(roads []*road) {
	for range 10 {
		weld(roads)
		if !nodeOnce(roads) {
			return
		}
	}
}

// weld makes one of vertices closer than a metre and a half. The vertices of
// roads that lie apart stay where they are.
func weld(roads []*road) {
	const reach, cell = 1.5, 2.0
	grid := map[[2]int32][]pt{}
	key := func(p pt) [2]int32 { return [2]int32{int32(math.Floor(p.x / cell)), int32(math.Floor(p.y / cell))} }
	moved := func(p pt, keep bool) pt {
		k := key(p)
		best, far := p, reach
		for dx := int32(-1); dx <= 1; dx++ {
			for dy := int32(-1); dy <= 1; dy++ {
				for _, q := range grid[[2]int32{k[0] + dx, k[1] + dy}] {
					if q == p {
						return p
					}
					if d := q.dist(p); d < far {
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
		if r.apart {
			for _, p := range r.pts {
				moved(p, true)
			}
		}
	}
	for _, r := range roads {
		if r.apart {
			continue
		}
		var pts []pt
		for _, p := range r.pts {
			pts = appendPt(pts, moved(p, false))
		}
		if len(pts) > 1 {
			r.pts = pts
		}
	}
}

func nodeOnce(roads []*road) bool {
	type part struct{ road, seg int }
	ix := newSegIndex(60)
	var parts []part
	for i, r := range roads {
		if r.apart {
			continue
		}
		for k := 1; k < len(r.pts); k++ {
			ix.add(r.pts[k-1], r.pts[k], len(parts))
			parts = append(parts, part{i, k - 1})
		}
	}
	inserts := make([][]insert, len(roads))
	put := func(s seg, p pt) {
		if p == s.a || p == s.b {
			return
		}
		at := parts[s.of]
		d := s.b.sub(s.a)
		inserts[at.road] = append(inserts[at.road], insert{at.seg, p.sub(s.a).dot(d) / d.dot(d), p})
	}
	for id, s := range ix.segs {
		ix.around(s.a.lerp(s.b, 0.5), s.a.dist(s.b)/2+1, func(other int, o seg) bool {
			if other == id || parts[o.of].road == parts[s.of].road && math.Abs(float64(parts[o.of].seg-parts[s.of].seg)) < 2 {
				return true
			}
			// A vertex that touches the other line.
			for _, p := range []pt{o.a, o.b} {
				if p != s.a && p != s.b {
					if _, d := foot(p, s.a, s.b); d < 0.5 {
						put(s, p)
						return true
					}
				}
			}
			if other < id {
				return true
			}
			if s.a == o.a || s.a == o.b || s.b == o.a || s.b == o.b {
				return true
			}
			t, _, ok := crossing(s.a, s.b, o.a, o.b)
			if !ok {
				return true
			}
			p := snap(s.a.lerp(s.b, t))
			// Prefer a vertex that is there to a new one beside it.
			for _, q := range []pt{s.a, s.b, o.a, o.b} {
				if q.dist(p) < 2 {
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
		old := roads[i].pts
		pts := make([]pt, 0, len(old)+len(list))
		k := 0
		for j, p := range old {
			pts = appendPt(pts, p)
			for ; k < len(list) && list[k].seg == j; k++ {
				if j+1 >= len(old) || list[k].p != old[j+1] {
					pts = appendPt(pts, list[k].p)
				}
			}
		}
		if !slices.Equal(pts, old) {
			roads[i].pts, changed = pts, true
		}
	}
	return changed
}
