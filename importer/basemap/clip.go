package basemap

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/multipolygon"
)

// clipAreas cuts areas to a box, side by side. The result is areas again, by the
// even-odd rule: cut rings are joined along the side, an outer ring with its holes, so
// that no two rings share a stretch of it, because renderers that triangulate polygons
// would fill the wrong triangles. Rings inside the box are shared with the input.
func clipAreas(box orb.Bound, areas orb.MultiPolygon) orb.MultiPolygon {
	var out orb.MultiPolygon
	for _, p := range areas {
		if len(p) == 0 {
			continue
		}
		b := p[0].Bound()
		switch {
		case !box.Intersects(b):
		case holdsAll(box, b):
			out = append(out, p)
		default:
			out = append(out, clipArea(box, b, p)...)
		}
	}
	return out
}

// clipArea cuts one area whose outer ring has the bound b.
func clipArea(box, b orb.Bound, p orb.Polygon) orb.MultiPolygon {
	parts := orb.MultiPolygon{p}
	for axis := range 2 {
		if b.Min[axis] < box.Min[axis] {
			parts = cutEach(parts, side{axis: axis, at: box.Min[axis], keep: 1})
		}
		if b.Max[axis] > box.Max[axis] {
			parts = cutEach(parts, side{axis: axis, at: box.Max[axis], keep: -1})
		}
	}
	return parts
}

func cutEach(areas orb.MultiPolygon, s side) orb.MultiPolygon {
	var out orb.MultiPolygon
	for _, p := range areas {
		out = append(out, s.cut(p)...)
	}
	return out
}

// side is a line along the other axis at the coordinate at; what is beyond it in the
// direction of keep, 1 or -1, stays.
type side struct {
	axis int
	at   float64
	keep float64
}

// inside reports whether a point is truly on the side that stays.
func (s side) inside(p orb.Point) bool { return (p[s.axis]-s.at)*s.keep > 0 }

// cross returns where the stretch between two points on different sides meets the line.
// It is the same in both directions.
func (s side) cross(a, b orb.Point) orb.Point {
	if s.inside(b) {
		a, b = b, a
	}
	var out orb.Point
	other := 1 - s.axis
	out[s.axis] = s.at
	if b[s.axis] == s.at {
		out[other] = b[other]
	} else {
		out[other] = a[other] + (b[other]-a[other])*(s.at-a[s.axis])/(b[s.axis]-a[s.axis])
	}
	return out
}

// cut returns what is left of an area.
func (s side) cut(p orb.Polygon) orb.MultiPolygon {
	var arcs []orb.LineString
	var outer orb.Ring
	var holes []orb.Ring
	for i, r := range p {
		switch touches := slices.ContainsFunc(r, func(p orb.Point) bool { return !s.inside(p) }); {
		case !touches && i == 0:
			outer = r
		case !touches:
			holes = append(holes, r)
		default:
			if (multipolygon.Shoelace(r) > 0) != (i == 0) { // one direction round what is inside
				r = r.Clone()
				r.Reverse()
			}
			arcs = append(arcs, s.arcs(r)...)
		}
	}
	var out orb.MultiPolygon
	if outer != nil {
		out = append(out, orb.Polygon{outer})
	}
	for _, r := range s.join(arcs) {
		out = append(out, orb.Polygon{r})
	}
	return withHoles(out, holes)
}

// withHoles adds each hole to the part that it lies in.
func withHoles(parts orb.MultiPolygon, holes []orb.Ring) orb.MultiPolygon {
	if len(holes) == 0 || len(parts) == 0 {
		return parts
	}
	bounds := make([]orb.Bound, len(parts))
	for i, p := range parts {
		bounds[i] = p[0].Bound()
	}
	for _, h := range holes {
		b := h.Bound()
		for i, p := range parts {
			if holdsAll(bounds[i], b) && (len(parts) == 1 || multipolygon.Inside(p[0], h)) {
				parts[i] = append(parts[i], h)
				break
			}
		}
	}
	return parts
}

// arcs returns the stretches of a ring that stay, from line to line. Points on the line
// are outside, so stretches along it are left out.
func (s side) arcs(r orb.Ring) (arcs []orb.LineString) {
	n := len(r) - 1
	start := slices.IndexFunc(r[:n], func(p orb.Point) bool { return !s.inside(p) })
	if start < 0 {
		return nil
	}
	var arc orb.LineString
	for k := range n {
		a, b := r[(start+k)%n], r[(start+k+1)%n]
		switch in := s.inside(b); {
		case !s.inside(a) && in:
			arc = orb.LineString{s.cross(a, b), b}
		case arc != nil && in:
			arc = append(arc, b)
		case arc != nil:
			arcs = append(arcs, append(arc, s.cross(a, b)))
			arc = nil
		}
	}
	return arcs
}

// join makes rings of arcs that begin and end on the line: in the order along it, the
// inside is between the first end and the second, the third and the fourth, and so on.
func (s side) join(arcs []orb.LineString) []orb.Ring {
	ends := make([]int, 2*len(arcs)) // arc i begins at end 2i and ends at 2i+1
	along := func(e int) float64 {
		arc := arcs[e/2]
		if e%2 == 0 {
			return arc[0][1-s.axis]
		}
		return arc[len(arc)-1][1-s.axis]
	}
	for i := range ends {
		ends[i] = i
	}
	slices.SortStableFunc(ends, func(a, b int) int { return cmp.Compare(along(a), along(b)) })
	partner := make([]int, len(ends))
	for i := 0; i < len(ends); i += 2 {
		// Where several ends meet in a point a beginning belongs to an end.
		if a, b := ends[i], ends[i+1]; a%2 == b%2 && i+2 < len(ends) && ends[i+2]%2 != a%2 && along(b) == along(ends[i+2]) {
			ends[i+1], ends[i+2] = ends[i+2], ends[i+1]
		}
		partner[ends[i]], partner[ends[i+1]] = ends[i+1], ends[i]
	}
	used := make([]bool, len(arcs))
	var out []orb.Ring
	for i := range arcs {
		if used[i] {
			continue
		}
		var ring orb.Ring
		for e := 2 * i; !used[e/2]; e = partner[e^1] {
			used[e/2] = true
			if e%2 == 0 {
				ring = append(ring, arcs[e/2]...)
				continue
			}
			for _, p := range slices.Backward(arcs[e/2]) { // only where rings cross one another
				ring = append(ring, p)
			}
		}
		ring = append(ring, ring[0])
		ring = slices.Compact(ring)
		if len(ring) >= 4 && multipolygon.Shoelace(ring) != 0 {
			out = append(out, ring)
		}
	}
	return out
}
