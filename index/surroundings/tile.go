package surroundings

import (
	"math"
	"slices"

	"github.com/waygate/waygate/index/vectortile"
)

// Kind is the kind of a feature.
type Kind uint8

// The kinds.
const (
	Road        Kind = iota // that cars may use
	Path                    // any other way: paths, tracks, lines of ferries
	Watercourse             // named, and not below the ground
	Landscape               // a park or a protected area that has a name
	Settlement              // a town, a village, by its label
)

// Feature is something on the ground.
type Feature struct {
	Kind           Kind
	Detail         string // of a settlement and a watercourse its kind of OpenStreetMap: town, river
	Name           string // the local one
	Ref            string // a road's numbers, with semicolons between
	Link           bool   // a slip road
	Bridge, Tunnel bool
}

// tile is a decoded tile. Positions are in parts of the tile from its north-western corner.
type tile struct {
	features []Feature
	ways     grid // roads and paths
	waters   grid
	areas    []area
	points   []point
	ends     []point // of lines of watercourses, but for those that the tile's edge cut
	scenery  *[Sights]sights
	bytes    int
}

// grid finds pieces of lines by where they are.
type grid struct {
	segments []segment
	starts   []int32 // of the segments in each cell
	items    []int32
}

type segment struct {
	ax, ay, bx, by float32
	feature        int32
}

type area struct {
	feature                int32
	rings                  [][]vectortile.Point
	left, top, right, foot float32
}

type point struct {
	x, y    float32
	feature int32
}

// side of the grid that segments are found by.
const cells = 16

// kindOf classifies a feature of a tile; not ok for what no caller looks for.
func kindOf(f *vectortile.Feature) (_ Feature, ok bool) {
	road := f.Layer == "roads" && f.Kind == vectortile.Lines
	if !road && !f.Has("name") {
		return Feature{}, false
	}
	out := Feature{Detail: f.Text("kind_detail"), Name: f.Text("name"), Bridge: f.Is("is_bridge"), Tunnel: f.Is("is_tunnel")}
	kind := f.Text("kind")
	switch {
	case road:
		out.Ref, out.Link = f.Text("ref"), f.Is("is_link")
		switch kind {
		case "highway", "major_road", "minor_road":
			out.Kind = Road
		case "path", "ferry":
			out.Kind, out.Ref = Path, ""
		default:
			return out, false
		}
		return out, true
	case f.Layer == "water" && f.Kind == vectortile.Lines:
		out.Kind, out.Detail = Watercourse, kind
		return out, !out.Tunnel
	case f.Layer == "landuse" && f.Kind == vectortile.Polygons:
		out.Kind, out.Detail = Landscape, kind
		return out, kind == "park" || kind == "national_park" || kind == "nature_reserve" || kind == "protected_area"
	case f.Layer == "places" && f.Kind == vectortile.Points && kind == "locality":
		out.Kind = Settlement
		return out, true
	}
	return out, false
}

// decode reads a tile: its scenery, or of the wide zoom its settlements and of the detailed one
// all else.
func decode(data []byte, at address) (*tile, error) {
	if at.scenery {
		return decodeScenery(data)
	}
	layers := []string{"roads", "water", "landuse"}
	if at.zoom == Wide {
		layers = []string{"places"}
	}
	t := &tile{}
	err := vectortile.Each(data, func(drawn *vectortile.Feature) error {
		f, ok := kindOf(drawn)
		if !ok {
			return nil
		}
		parts, err := drawn.Parts()
		if err != nil {
			return err
		}
		n := int32(len(t.features))
		t.features = append(t.features, f)
		switch f.Kind {
		case Road, Path, Watercourse:
			t.lines(n, parts)
		case Landscape:
			t.area(n, parts)
		case Settlement:
			for _, part := range parts {
				for _, p := range part {
					t.points = append(t.points, point{float32(p.X), float32(p.Y), n})
				}
			}
		}
		return nil
	}, layers...)
	if err != nil {
		return nil, err
	}
	t.ways.sort(nil)
	t.waters.sort(nil)
	t.bytes += 4096 + len(t.features)*120 + t.ways.bytes() + t.waters.bytes() + (len(t.points)+len(t.ends))*12
	return t, nil
}

func (t *tile) lines(n int32, parts [][]vectortile.Point) {
	water := t.features[n].Kind == Watercourse
	g := &t.ways
	if water {
		g = &t.waters
	}
	for _, line := range parts {
		for i := 1; i < len(line); i++ {
			a, b := line[i-1], line[i]
			g.segments = append(g.segments, segment{float32(a.X), float32(a.Y), float32(b.X), float32(b.Y), n})
		}
		if !water || len(line) == 0 {
			continue
		}
		for _, p := range []vectortile.Point{line[0], line[len(line)-1]} {
			if p.X > 0 && p.X < 1 && p.Y > 0 && p.Y < 1 {
				t.ends = append(t.ends, point{float32(p.X), float32(p.Y), n})
			}
		}
	}
}

func (t *tile) area(n int32, rings [][]vectortile.Point) {
	a := area{feature: n, left: math.MaxFloat32, top: math.MaxFloat32, right: -math.MaxFloat32, foot: -math.MaxFloat32}
	for _, r := range rings {
		t.bytes += 24 + 16*len(r)
		a.rings = append(a.rings, slices.Clone(r))
		for _, p := range r {
			x, y := float32(p.X), float32(p.Y)
			a.left, a.right, a.top, a.foot = min(a.left, x), max(a.right, x), min(a.top, y), max(a.foot, y)
		}
	}
	t.areas = append(t.areas, a)
}

// contains reports whether a position is in the area: an odd number of its rings goes round
// it.
func (a *area) contains(x, y float32) bool {
	if x < a.left || x > a.right || y < a.top || y > a.foot {
		return false
	}
	in := false
	px, py := float64(x), float64(y)
	for _, r := range a.rings {
		for i, j := 0, len(r)-1; i < len(r); j, i = i, i+1 {
			p, q := r[i], r[j]
			if (p.Y > py) != (q.Y > py) && px < p.X+(py-p.Y)/(q.Y-p.Y)*(q.X-p.X) {
				in = !in
			}
		}
	}
	return in
}

// cell returns the row or column of the grid of a position; what lies beyond the tile is in
// the outermost.
func cell(v float64) int { return min(max(int(v*cells), 0), cells-1) }

func (g *grid) bytes() int { return len(g.segments)*20 + len(g.items)*4 }

// sort puts the segments into the cells, but for those that leave returns true of.
func (g *grid) sort(leave func(*segment) bool) {
	g.starts = make([]int32, cells*cells+1)
	each := func(do func(cell int, segment int32)) {
		for i := range g.segments {
			s := &g.segments[i]
			if leave != nil && leave(s) {
				continue
			}
			spread(float64(s.ax), float64(s.ay), float64(s.bx), float64(s.by), func(c int) { do(c, int32(i)) })
		}
	}
	each(func(c int, _ int32) { g.starts[c+1]++ })
	for c := range cells * cells {
		g.starts[c+1] += g.starts[c]
	}
	g.items = make([]int32, g.starts[cells*cells])
	next := slices.Clone(g.starts)
	each(func(c int, i int32) {
		g.items[next[c]] = i
		next[c]++
	})
}

// spread calls each for the cells that a segment may be in. A long one is halved, so that
// they are few.
func spread(ax, ay, bx, by float64, each func(cell int)) {
	left, right := cell(min(ax, bx)), cell(max(ax, bx))
	top, foot := cell(min(ay, by)), cell(max(ay, by))
	if wide, high := right-left+1, foot-top+1; wide > 1 && high > 1 && wide*high > 4 {
		mx, my := (ax+bx)/2, (ay+by)/2
		spread(ax, ay, mx, my, each)
		spread(mx, my, bx, by, each)
		return
	}
	for y := top; y <= foot; y++ {
		for x := left; x <= right; x++ {
			each(y*cells + x)
		}
	}
}

// pieces calls each for the segments in the cells of a box, some more than once.
func (g *grid) pieces(left, top, right, foot float64, each func(*segment)) {
	for y := cell(top); y <= cell(foot); y++ {
		for x := cell(left); x <= cell(right); x++ {
			for _, i := range g.items[g.starts[y*cells+x]:g.starts[y*cells+x+1]] {
				each(&g.segments[i])
			}
		}
	}
}

// near calls each for the segments of a grid within some metres of a position; a metre is so
// many parts of the tile.
func (t *tile) near(g *grid, x, y, metres, metre float64, each func(*Near)) {
	reach := metres * metre
	g.pieces(x-reach, y-reach, x+reach, y+reach, func(s *segment) {
		ax, ay := x-float64(s.ax), y-float64(s.ay)
		dx, dy := float64(s.bx-s.ax), float64(s.by-s.ay)
		length := dx*dx + dy*dy
		if length == 0 {
			return
		}
		at := min(max((ax*dx+ay*dy)/length, 0), 1)
		ax, ay = ax-at*dx, ay-at*dy
		if square := ax*ax + ay*ay; square <= reach*reach {
			length = math.Sqrt(length)
			each(&Near{&t.features[s.feature], math.Sqrt(square) / metre, dx / length, dy / length})
		}
	})
}

// loose reports whether a line of a watercourse ends within a distance of a position, and
// no other goes on from there.
func (t *tile) loose(x, y, within float64) bool {
	for i := range t.ends {
		e := &t.ends[i]
		if math.Hypot(float64(e.x)-x, float64(e.y)-y) > within {
			continue
		}
		meets := 0
		for j := range t.ends {
			if t.ends[j].x == e.x && t.ends[j].y == e.y {
				meets++
			}
		}
		if meets == 1 {
			return true
		}
	}
	return false
}
