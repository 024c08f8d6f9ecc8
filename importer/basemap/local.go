package basemap

import (
	"math"

	"github.com/paulmach/orb"
)

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
