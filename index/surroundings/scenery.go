package surroundings

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/index/vectortile"
)

// Sight is a kind of scenery.
type Sight uint8

// The kinds of scenery.
const (
	Sea        Sight = iota
	Protected        // a national park, a nature reserve or a protected area that has a name
	OpenWater        // lakes, ponds and rivers as wide as an area, but no basins, ditches and drains
	Woodland         // woods and forests
	NamedWater       // a line of a river, a canal or a stream that has a name, above the ground
	Park             // that has a name
	Viewpoint        // that has a name
	Pass             // of a road over a mountain, that has a name
	Sights
)

// sightOf classifies a feature of a tile; not ok for what is no scenery. A protected area
// without a name is none, since maps leave out the names of those that protect a resource,
// such as a well. Water that dries up now and then is none.
func sightOf(f *vectortile.Feature) (s Sight, ok bool) {
	kind, named := f.Text("kind"), f.Has("name")
	switch f.Layer {
	case "water":
		switch kind {
		case "ocean":
			return Sea, f.Kind == vectortile.Polygons
		case "water", "lake":
			detail := f.Text("kind_detail")
			dull := detail == "basin" || detail == "ditch" || detail == "drain" || f.Is("intermittent")
			return OpenWater, f.Kind == vectortile.Polygons && !dull
		case "river", "canal", "stream":
			return NamedWater, f.Kind == vectortile.Lines && named && !f.Is("is_tunnel")
		}
	case "landuse":
		switch kind {
		case "national_park", "nature_reserve", "protected_area":
			return Protected, f.Kind == vectortile.Polygons && named
		case "wood", "forest":
			return Woodland, f.Kind == vectortile.Polygons
		case "park":
			return Park, f.Kind == vectortile.Polygons && named
		}
	case "pois":
		switch kind {
		case "viewpoint":
			return Viewpoint, f.Kind == vectortile.Points && named
		case "saddle", "mountain_pass":
			return Pass, f.Kind == vectortile.Points && named
		}
	}
	return 0, false
}

// sights is the scenery of one kind in a tile: sides of areas, lines, and points as lines of no
// length. The cells of the grid lack those beyond the tile, since there an area is cut along a line
// that is none of its sides; the tile beside has those.
type sights struct {
	grid
	area  bool
	rows  []int32 // of the sides of areas in each row
	sides []int32 // by rows, and in each by their features
}

// beyond reports whether a segment lies on one side of the tile.
func (s *segment) beyond() bool {
	return max(s.ax, s.bx) < 0 || min(s.ax, s.bx) > 1 || max(s.ay, s.by) < 0 || min(s.ay, s.by) > 1
}

// rows is how many rows a tile has in which the sides of areas are found.
const rows = 128

func row(y float64) int { return min(max(int(y*rows), 0), rows-1) }

func decodeScenery(data []byte) (*tile, error) {
	t := &tile{scenery: &[Sights]sights{}}
	err := vectortile.Each(data, func(f *vectortile.Feature) error {
		s, ok := sightOf(f)
		if !ok {
			return nil
		}
		parts, err := f.Parts()
		if err != nil {
			return err
		}
		n := int32(len(t.features))
		t.features = append(t.features, Feature{Name: f.Text("name"), Detail: f.Text("kind")})
		g := &t.scenery[s]
		g.area = f.Kind == vectortile.Polygons
		for _, part := range parts {
			g.segments = slices.Grow(g.segments, len(part))
			before := part[len(part)-1] // which joins the ends of a ring
			for k, p := range part {
				switch {
				case f.Kind == vectortile.Points:
					before = p
				case k == 0 && f.Kind == vectortile.Lines:
					before = p
					continue
				}
				g.segments = append(g.segments, segment{float32(before.X), float32(before.Y), float32(p.X), float32(p.Y), n})
				before = p
			}
		}
		return nil
	}, "water", "landuse", "pois")
	if err != nil {
		return nil, err
	}
	for s := range t.scenery {
		g := &t.scenery[s]
		if len(g.segments) == 0 {
			continue
		}
		g.sort((*segment).beyond)
		if g.area {
			g.sortRows()
		}
		t.bytes += g.bytes() + (len(g.starts)+len(g.rows)+len(g.sides))*4
	}
	t.bytes += 4096 + len(t.features)*120
	return t, nil
}

// sortRows puts the sides into the rows.
func (g *sights) sortRows() {
	g.rows = make([]int32, rows+1)
	each := func(do func(row int, side int32)) {
		for i := range g.segments {
			s := &g.segments[i]
			for r := row(float64(min(s.ay, s.by))); r <= row(float64(max(s.ay, s.by))); r++ {
				do(r, int32(i))
			}
		}
	}
	each(func(r int, _ int32) { g.rows[r+1]++ })
	for r := range rows {
		g.rows[r+1] += g.rows[r]
	}
	g.sides = make([]int32, g.rows[rows])
	next := append([]int32(nil), g.rows...)
	each(func(r int, i int32) {
		g.sides[next[r]] = i
		next[r]++
	})
}

// around returns the feature whose area a position is in: an odd number of its sides is passed
// on the way east. It returns -1 for none.
func (g *sights) around(x, y float64) int32 {
	if g.rows == nil {
		return -1
	}
	r := row(y)
	feature, in := int32(-1), false
	for _, i := range g.sides[g.rows[r]:g.rows[r+1]] {
		s := &g.segments[i]
		if s.feature != feature {
			if in {
				return feature
			}
			feature = s.feature
		}
		ay, by := float64(s.ay), float64(s.by)
		if (ay > y) != (by > y) && x < float64(s.ax)+(y-ay)/(by-ay)*float64(s.bx-s.ax) {
			in = !in
		}
	}
	if in {
		return feature
	}
	return -1
}

// nearest returns the feature nearest to a position within a reach, in parts of the tile, and
// its distance; -1 for none.
func (g *sights) nearest(x, y, reach float64) (feature int32, off float64) {
	feature = -1
	if len(g.segments) == 0 {
		return feature, 0
	}
	best := reach * reach
	for cy := cell(y - reach); cy <= cell(y+reach); cy++ {
		for cx := cell(x - reach); cx <= cell(x+reach); cx++ {
			for _, i := range g.items[g.starts[cy*cells+cx]:g.starts[cy*cells+cx+1]] {
				s := &g.segments[i]
				ax, ay := x-float64(s.ax), y-float64(s.ay)
				dx, dy := float64(s.bx-s.ax), float64(s.by-s.ay)
				if length := dx*dx + dy*dy; length > 0 {
					at := min(max((ax*dx+ay*dy)/length, 0), 1)
					ax, ay = ax-at*dx, ay-at*dy
				}
				if square := ax*ax + ay*ay; square <= best && (feature < 0 || square < best) {
					feature, best = s.feature, square
				}
			}
		}
	}
	return feature, math.Sqrt(best)
}

// Scenery puts into seen what of each kind is within its reach in metres of a spot, by the map
// of the wide zoom, and nil for what is not: an area that the spot is in, or else the nearest.
// With a reach of 0 only an area that the spot is in counts. It reports whether all of the map
// there could be read.
func (v *View) Scenery(ctx context.Context, s WorldPoint, reach *[Sights]float64, seen *[Sights]*Feature) (known bool, err error) {
	*seen = [Sights]*Feature{}
	var least [Sights]float64
	widest := 0.0
	for _, r := range reach {
		widest = max(widest, r)
	}
	return v.around(ctx, address{zoom: Wide, scenery: true}, s, widest, func(t *tile, x, y, metre float64) {
		for k := range t.scenery {
			g := &t.scenery[k]
			here, off := int32(-1), 0.0
			if x >= 0 && x <= 1 && y >= 0 && y <= 1 {
				here = g.around(x, y)
			}
			if here < 0 && reach[k] > 0 {
				here, off = g.nearest(x, y, reach[k]*metre)
			}
			if here >= 0 && (seen[k] == nil || off < least[k]) {
				seen[k], least[k] = &t.features[here], off
			}
		}
	})
}
