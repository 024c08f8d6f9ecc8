package basemap

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/simplify"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/importer/multipolygon"
)

// simplify straightens areas and drops rings too small to be seen. Land and sea stay,
// however small the map is at low zooms.
func (s *slicer) simplify(f *feature) orb.MultiPolygon {
	tolerance := s.tolerance(f.layer)
	if f.base && !s.deepest {
		tolerance /= 3 // coasts draw the eye
	}
	if side := f.bound.Max[0] - f.bound.Min[0]; f.base && side < 16*tolerance {
		high := f.bound.Max[1] - f.bound.Min[1]
		switch unit := s.unit(); {
		case max(side, high) < unit && !f.most:
			return nil // an islet that cannot be seen; a coast has thousands
		case side < 2*unit:
			return orb.MultiPolygon{{f.bound.Pad(unit).ToRing()}} // a dot
		}
		return f.areas
	}
	dp := simplify.DouglasPeucker(tolerance)
	out := make(orb.MultiPolygon, 0, len(f.areas))
	for _, p := range f.areas {
		q := make(orb.Polygon, 0, len(p))
		for i, r := range p {
			visible := s.all(f.layer) || math.Abs(multipolygon.Shoelace(r)) >= s.pixel()*s.pixel()
			if visible {
				r = s.simplifyRing(dp, r)
			}
			if visible && len(r) >= 4 {
				q = append(q, r)
			} else if i == 0 {
				break
			}
		}
		if len(q) > 0 {
			if f.base {
				q = s.withoutCrossing(q)
			}
			out = append(out, q)
		}
	}
	return out
}

// withoutCrossing removes holes that cross another ring after straightening: renderers
// that triangulate polygons would fill the wrong triangles. Of two that cross the
// larger stays.
func (s *slicer) withoutCrossing(p orb.Polygon) orb.Polygon {
	type hole struct {
		ring  orb.Ring
		bound orb.Bound
		area  float64
	}
	holes := make([]hole, len(p))
	for i, r := range p {
		holes[i] = hole{r, r.Bound(), math.Abs(multipolygon.Shoelace(r))}
	}
	rest := holes[1:]
	slices.SortStableFunc(rest, func(a, b hole) int { return cmp.Compare(b.area, a.area) })
	kept := []hole{holes[0]}
	out := orb.Polygon{p[0]}
	for _, h := range rest {
		if s.ctx.Err() != nil {
			break
		}
		if !slices.ContainsFunc(kept, func(k hole) bool { return k.bound.Intersects(h.bound) && cross(k.ring, h.ring, h.bound) }) {
			kept = append(kept, h)
			out = append(out, h.ring)
		}
	}
	return out
}

// cross reports whether a side of a meets a side of b, whose box is given.
func cross(a, b orb.Ring, box orb.Bound) bool {
	for i := 1; i < len(a); i++ {
		p, q := a[i-1], a[i]
		if max(p[0], q[0]) < box.Min[0] || min(p[0], q[0]) > box.Max[0] || max(p[1], q[1]) < box.Min[1] || min(p[1], q[1]) > box.Max[1] {
			continue
		}
		for j := 1; j < len(b); j++ {
			if plane.Turn(p, q, b[j-1])*plane.Turn(p, q, b[j]) <= 0 && plane.Turn(b[j-1], b[j], p)*plane.Turn(b[j-1], b[j], q) <= 0 {
				return true
			}
		}
	}
	return false
}

// simplifyRing keeps the ring's start and the point furthest from it, so that
// a closed line is not taken for a single point.
func (s *slicer) simplifyRing(dp *simplify.DouglasPeuckerSimplifier, r orb.Ring) orb.Ring {
	far, best := 0, 0.0
	for i, p := range r {
		if d := math.Hypot(p[0]-r[0][0], p[1]-r[0][1]); d > best {
			far, best = i, d
		}
	}
	if far == 0 {
		return nil
	}
	first := s.straighten(dp, orb.LineString(r[:far+1]))
	second := s.straighten(dp, orb.LineString(r[far:]))
	if s.ctx.Err() != nil {
		return nil
	}
	return append(orb.Ring(first), second[1:]...)
}
