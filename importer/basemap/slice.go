package basemap

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/simplify"

	"github.com/waygate/waygate/importer/multipolygon"
)

const (
	extent = 4096 // units across a tile
	buffer = 64   // units beyond its sides that lines and areas reach
)

// tileAt is a tile of the current zoom.
type tileAt struct{ x, y int32 }

// slicer cuts features of one zoom into tiles.
type slicer struct {
	ctx     context.Context
	zoom    int
	deepest bool
	boxes   []orb.Bound // of the map's ground: little but roads is drawn far beyond them
	fading  map[orb.Bound]bool
	round   bool // boxes go beyond the antimeridian, and tiles are counted on there
	of      batch
	emit    func(tile tileAt, geometry []byte)
	scratch []byte
}

// unit returns the size of one unit of a tile in world coordinates.
func (s *slicer) unit() float64 { return 1 / (float64(extent) * math.Exp2(float64(s.zoom))) }

// pixel returns the size of one pixel of a tile 256 pixels wide in world coordinates.
func (s *slicer) pixel() float64 { return extent / 256 * s.unit() }

// tolerance returns how far simplified shapes may deviate. The deepest zoom is also
// drawn enlarged, so it stays sharper; so do buildings where all of them are drawn.
func (s *slicer) tolerance(l layer) float64 {
	switch {
	case s.deepest:
		return s.unit()
	case l == buildings:
		return 2 * s.unit()
	}
	return 5 * s.unit()
}

// all reports whether features of a layer are drawn however small they are.
func (s *slicer) all(l layer) bool { return s.deepest || l == buildings && s.zoom >= allBuildings }

// allBuildings is the zoom from which no building is too small to be drawn. Views from
// a place read the tiles of this zoom.
const allBuildings = 14

// slice cuts one feature.
func (s *slicer) slice(f *feature) {
	switch {
	case f.point != nil:
		p := *f.point
		n := math.Exp2(float64(s.zoom))
		t := tileAt{int32(math.Floor(p[0] * n)), int32(p[1] * n)}
		x, y := s.local(t, p)
		s.scratch = appendPoint(s.scratch[:0], x, y)
		s.emit(t, s.scratch)
	case f.lines != nil:
		if s.deepest || f.size >= s.pixel() {
			s.sliceLines(f)
		}
	case f.areas != nil:
		if s.wideEnough(f) {
			s.sliceAreas(f)
		}
	}
}

// wideEnough reports whether an area is large enough to be drawn.
func (s *slicer) wideEnough(f *feature) bool {
	least := f.minPixels * s.pixel()
	return s.all(f.layer) || f.size >= least*least
}

func (s *slicer) sliceLines(f *feature) {
	dp := simplify.DouglasPeucker(s.tolerance(f.layer))
	simple := make(orb.MultiLineString, len(f.lines))
	for i, l := range f.lines {
		simple[i] = s.straighten(dp, l)
	}
	if f.onward || s.near(f) {
		s.cutLines(simple, s.span(simple.Bound()))
		return
	}
	for _, box := range s.boxes {
		lines := simple
		if !holdsAll(box, f.bound) {
			lines = clip.MultiLineString(box, simple)
		}
		if len(lines) > 0 {
			s.cutLines(lines, s.span(lines.Bound()))
		}
	}
}

// longestPiece is how many points of a line are straightened at once: the worst case
// takes the square of them.
const longestPiece = 1 << 16

// straighten removes the points of a line that hardly matter. It does not change the
// given line.
func (s *slicer) straighten(dp *simplify.DouglasPeuckerSimplifier, line orb.LineString) orb.LineString {
	if len(line) <= longestPiece {
		return dp.LineString(line.Clone())
	}
	var out orb.LineString
	for len(line) > 1 && s.ctx.Err() == nil {
		n := min(len(line), longestPiece)
		part := dp.LineString(line[:n].Clone())
		if len(out) > 0 {
			part = part[1:] // the last point of the piece before
		}
		out, line = append(out, part...), line[n-1:]
	}
	return out
}

func (s *slicer) sliceAreas(f *feature) {
	simple := s.simplify(f)
	if !f.base && s.near(f) && len(simple) > 0 {
		s.cutAreas(simple, s.span(simple.Bound()))
		return
	}
	for _, box := range s.boxes {
		areas := simple
		if !holdsAll(box, f.bound) {
			areas = clipAreas(box, simple)
		}
		if len(areas) > 0 {
			s.cutAreas(areas, s.span(areas.Bound()))
		}
	}
}

// near reports whether a feature stays near one of the boxes: within its size round it.
// Cut at the edge of the ground, a wood or a river would show a straight edge; drawn
// whole, it ends at its own. What covers the land is not drawn beyond a box in which it fades.
func (s *slicer) near(f *feature) bool {
	cover := f.layer == landcover || f.layer == landuse
	return slices.ContainsFunc(s.boxes, func(b orb.Bound) bool {
		if cover && s.fading[b] {
			return false
		}
		size := max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1])
		return holdsAll(b.Pad(size), f.bound)
	})
}

func holdsAll(box, b orb.Bound) bool { return box.Contains(b.Min) && box.Contains(b.Max) }

// wrapped returns the column of a tile in archives: columns continue in both directions
// round the globe.
func wrapped(x int32, zoom int) int32 { return x & (1<<zoom - 1) }

// span is a rectangle of tiles, both ends included. Its columns may lie beyond those of the
// zoom, in another turn round the globe.
type span struct{ x0, y0, x1, y1 int32 }

// span returns the tiles whose buffered squares a box touches.
func (s *slicer) span(b orb.Bound) span {
	n := math.Exp2(float64(s.zoom))
	const margin = float64(buffer) / extent
	within := func(v, m, first, last float64) int32 {
		return int32(math.Max(first, math.Min(last, math.Floor(v*n+m))))
	}
	first, last := 0.0, n-1
	if s.round || b.Min[0] < 0 || b.Max[0] > 1 {
		first, last = -n, 3*n-1
	}
	column := func(v, m float64) int32 { return within(v, m, first, last) }
	row := func(v, m float64) int32 { return within(v, m, 0, n-1) }
	return span{column(b.Min[0], -margin), row(b.Min[1], -margin), column(b.Max[0], margin), row(b.Max[1], margin)}
}

// square returns the buffered square of a rectangle of tiles.
func (s *slicer) square(sp span) orb.Bound {
	n := math.Exp2(float64(s.zoom))
	const margin = float64(buffer) / extent
	return orb.Bound{
		Min: orb.Point{(float64(sp.x0) - margin) / n, (float64(sp.y0) - margin) / n},
		Max: orb.Point{(float64(sp.x1) + 1 + margin) / n, (float64(sp.y1) + 1 + margin) / n},
	}
}

// halves cuts a rectangle of more than one tile across its longer side.
func (sp span) halves() (a, b span) {
	a, b = sp, sp
	if sp.x1-sp.x0 >= sp.y1-sp.y0 {
		mid := (sp.x0 + sp.x1) >> 1 // rounded down below 0, too
		a.x1, b.x0 = mid, mid+1
	} else {
		mid := (sp.y0 + sp.y1) >> 1
		a.y1, b.y0 = mid, mid+1
	}
	return a, b
}

func (sp span) single() bool { return sp.x0 == sp.x1 && sp.y0 == sp.y1 }

// cutLines halves the tiles and the lines with them until one is left.
func (s *slicer) cutLines(lines orb.MultiLineString, sp span) {
	if !s.of.touches(s.zoom, sp) {
		return
	}
	if sp.single() {
		square := s.square(sp)
		if !holdsAll(square, lines.Bound()) {
			lines = clip.MultiLineString(square, lines)
		}
		t := tileAt{sp.x0, sp.y0}
		if s.scratch = s.appendLines(s.scratch[:0], t, lines); len(s.scratch) > 0 {
			s.emit(t, s.scratch)
		}
		return
	}
	a, b := sp.halves()
	for _, half := range []span{a, b} {
		square := s.square(half)
		part := lines
		if !holdsAll(square, lines.Bound()) {
			part = clip.MultiLineString(square, lines)
		}
		if len(part) > 0 {
			if rest, ok := overlap(half, s.span(part.Bound())); ok {
				s.cutLines(part, rest)
			}
		}
	}
}

// cutAreas does the same for areas. A rectangle that an area covers whole is filled
// without computing each tile's share.
func (s *slicer) cutAreas(areas orb.MultiPolygon, sp span) {
	if !s.of.touches(s.zoom, sp) {
		return
	}
	square := s.square(sp)
	if covers(areas, square) {
		s.fill(sp)
		return
	}
	if sp.single() {
		if !holdsAll(square, areas.Bound()) {
			areas = clipAreas(square, areas)
		}
		t := tileAt{sp.x0, sp.y0}
		if s.scratch = s.appendAreas(s.scratch[:0], t, areas); len(s.scratch) > 0 {
			s.emit(t, s.scratch)
		}
		return
	}
	a, b := sp.halves()
	for _, half := range []span{a, b} {
		square := s.square(half)
		part := areas
		if !holdsAll(square, areas.Bound()) {
			part = clipAreas(square, areas)
		}
		if len(part) > 0 {
			if rest, ok := overlap(half, s.span(part.Bound())); ok {
				s.cutAreas(part, rest)
			}
		}
	}
}

// overlap returns the tiles in both rectangles, which may be none: shapes that only
// touch a buffer's edge may round to tiles beyond it.
func overlap(a, b span) (span, bool) {
	o := span{max(a.x0, b.x0), max(a.y0, b.y0), min(a.x1, b.x1), min(a.y1, b.y1)}
	return o, o.x0 <= o.x1 && o.y0 <= o.y1
}

// covers reports whether areas already cut to square are all of it.
func covers(areas orb.MultiPolygon, square orb.Bound) bool {
	if len(areas) != 1 || len(areas[0]) != 1 || len(areas[0][0]) > 6 {
		return false
	}
	b := areas[0].Bound()
	if b.Min[0] > square.Min[0] || b.Min[1] > square.Min[1] || b.Max[0] < square.Max[0] || b.Max[1] < square.Max[1] {
		return false
	}
	for _, p := range areas[0][0] {
		if p[0] > square.Min[0] && p[0] < square.Max[0] || p[1] > square.Min[1] && p[1] < square.Max[1] {
			return false
		}
	}
	return math.Abs(multipolygon.Shoelace(areas[0][0])) >= (square.Max[0]-square.Min[0])*(square.Max[1]-square.Min[1])*(1-1e-9)
}

// fill gives each tile of a rectangle the same full square.
func (s *slicer) fill(sp span) {
	g := appendRing(nil, [][2]int32{{-buffer, -buffer}, {extent + buffer, -buffer}, {extent + buffer, extent + buffer}, {-buffer, extent + buffer}}, &cursor{})
	for y := sp.y0; y <= sp.y1; y++ {
		for x := sp.x0; x <= sp.x1; x++ {
			s.emit(tileAt{x, y}, g)
		}
	}
}

// local returns a point in units of a tile.
func (s *slicer) local(t tileAt, p orb.Point) (int32, int32) {
	n := math.Exp2(float64(s.zoom))
	return int32(math.Round((p[0]*n - float64(t.x)) * extent)), int32(math.Round((p[1]*n - float64(t.y)) * extent))
}

// points returns a line in units of a tile without repeated points.
func (s *slicer) points(t tileAt, line []orb.Point) [][2]int32 {
	out := make([][2]int32, 0, len(line))
	for _, p := range line {
		x, y := s.local(t, p)
		if n := len(out); n == 0 || out[n-1] != [2]int32{x, y} {
			out = append(out, [2]int32{x, y})
		}
	}
	return out
}

func (s *slicer) appendLines(b []byte, t tileAt, lines orb.MultiLineString) []byte {
	var c cursor
	for _, l := range lines {
		if pts := s.points(t, l); len(pts) > 1 {
			b = appendLineTo(b, pts, &c)
		}
	}
	return b
}

// appendAreas writes rings as vector tiles require: outer rings with a positive area,
// each followed by its holes.
func (s *slicer) appendAreas(b []byte, t tileAt, areas orb.MultiPolygon) []byte {
	var c cursor
	for _, p := range areas {
		for i, r := range p {
			pts := s.points(t, r)
			if n := len(pts); n > 1 && pts[0] == pts[n-1] {
				pts = pts[:n-1]
			}
			area := int64(0)
			for j := range pts {
				a, q := pts[j], pts[(j+1)%len(pts)]
				area += int64(a[0])*int64(q[1]) - int64(q[0])*int64(a[1])
			}
			if len(pts) < 3 || area == 0 {
				if i == 0 {
					break // holes are nothing without their outer ring
				}
				continue
			}
			if (area > 0) != (i == 0) {
				for a, z := 0, len(pts)-1; a < z; a, z = a+1, z-1 {
					pts[a], pts[z] = pts[z], pts[a]
				}
			}
			b = appendRing(b, pts, &c)
		}
	}
	return b
}
