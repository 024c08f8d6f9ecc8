package inview

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/footprint"
)

// assumedHeight is that of a building without a mapped one: two storeys.
const assumedHeight = 6.0

// tilePoint is a place in units of the tiles, from the north-western corner of the
// world's map.
type tilePoint struct{ x, y float64 }

// units are how many units the world's map is wide.
const units = footprint.Extent << footprint.Zoom

// mostLatitude is where the map ends.
const mostLatitude = 85.0511

func project(p geo.Point) tilePoint {
	lat := min(max(p.Lat, -mostLatitude), mostLatitude) * math.Pi / 180
	return tilePoint{(p.Lon/360 + 0.5) * units, (0.5 - math.Asinh(math.Tan(lat))/(2*math.Pi)) * units}
}

// tile is a tile of the map, with the lines that lead over it.
type tile struct {
	x, y      int
	away      float64 // from the observer, in units
	lines     []int
	buildings []footprint.Building
}

// at returns a spot in the tile's own units.
func (t *tile) at(s tilePoint) (x, y float64) {
	return s.x - float64(t.x)*footprint.Extent, s.y - float64(t.y)*footprint.Extent
}

// buildings reads the tiles below the lines and finds what stands in their way.
func (s *Service) buildings(ctx context.Context, from geo.Point, lines []sight, a *Answer) (damaged []error, err error) {
	if s.Tiles == nil {
		for i := range lines {
			lines[i].unread = noBuildings
		}
		return nil, nil
	}
	eye := project(from)
	ends := make([]tilePoint, len(lines))
	byPlace := map[[2]int]*tile{}
	var tiles []*tile
	for i := range lines {
		ends[i] = beside(project(lines[i].to), eye)
		for _, at := range crossed(eye, ends[i]) {
			t := byPlace[at]
			if t == nil {
				t = &tile{x: at[0], y: at[1]}
				t.away = math.Hypot((float64(t.x)+0.5)*footprint.Extent-eye.x, (float64(t.y)+0.5)*footprint.Extent-eye.y)
				byPlace[at], tiles = t, append(tiles, t)
			}
			t.lines = append(t.lines, i)
		}
	}
	slices.SortStableFunc(tiles, func(x, y *tile) int { return cmp.Compare(x.away, y.away) })
	for n, t := range tiles {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if n >= mostTiles {
			a.Coverage.Beyond++
			t.unread(lines, beyondRange)
			continue
		}
		ok, err := t.read(s.Tiles)
		if err != nil {
			damaged = append(damaged, err)
		}
		if !ok {
			a.Coverage.Missing++
			t.unread(lines, noBuildings)
			continue
		}
		a.Coverage.Tiles++
	}
	owned := make([][]outline, len(lines))
	for i := range lines {
		owned[i] = owners(tiles, eye, ends[i])
	}
	for _, t := range tiles {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, i := range t.lines {
			lines[i].meet(t, eye, ends[i], owned[i])
		}
	}
	return damaged, nil
}

// beside takes a spot round the world to where it is near another.
func beside(s, near tilePoint) tilePoint {
	s.x -= math.Round((s.x-near.x)/units) * units
	return s
}

// crossed lists the tiles that a line crosses.
func crossed(a, b tilePoint) (list [][2]int) {
	const extent = footprint.Extent
	left, right := math.Floor(min(a.x, b.x)/extent), math.Floor(max(a.x, b.x)/extent)
	for x := left; x <= right; x++ {
		// The part of the line that lies in the column.
		top, bottom := min(a.y, b.y), max(a.y, b.y)
		if a.x != b.x {
			at := func(px float64) float64 { return a.y + (b.y-a.y)*min(max((px-a.x)/(b.x-a.x), 0), 1) }
			p, q := at(x*extent), at((x+1)*extent)
			top, bottom = min(p, q), max(p, q)
		}
		for y := math.Floor(top / extent); y <= math.Floor(bottom/extent); y++ {
			list = append(list, [2]int{int(x), int(y)})
		}
	}
	return list
}

// unread notes that the tile's buildings are not known. That the map has nothing
// is the stronger reason: a nearer observer could not change it.
func (t *tile) unread(lines []sight, why string) {
	for _, i := range t.lines {
		if lines[i].unread != noBuildings {
			lines[i].unread = why
		}
	}
}

// read reads the tile's buildings; not ok where there are none to be had.
func (t *tile) read(from Tiles) (ok bool, err error) {
	const across = 1 << footprint.Zoom
	if t.y < 0 || t.y >= across {
		return false, nil
	}
	x := (t.x%across + across) % across
	data, ok, err := from.Tile(footprint.Zoom, x, t.y)
	if err != nil || !ok {
		return false, err
	}
	if t.buildings, err = footprint.Read(data); err != nil {
		t.buildings = nil
		return false, fmt.Errorf("tile %d/%d/%d of the map: %w", footprint.Zoom, x, t.y, err)
	}
	return true, nil
}

// owners lists the outlines that hold the eye or the place.
func owners(tiles []*tile, eye, end tilePoint) (list []outline) {
	for _, t := range tiles {
		for _, s := range [...]tilePoint{eye, end} {
			x, y := t.at(s)
			// Outlines reach over the edges of their tile.
			if x < -reach || y < -reach || x > footprint.Extent+reach || y > footprint.Extent+reach {
				continue
			}
			for i := range t.buildings {
				if b := &t.buildings[i]; b.Contains(x, y) {
					list = append(list, outline{t, b})
				}
			}
		}
	}
	return list
}

// reach is how far tiles reach beyond their edges, in units.
const reach = 256

// outline is a building in a tile.
type outline struct {
	*tile
	*footprint.Building
}

// same reports whether a building is this one: itself or, in another tile, what
// is left of it beyond the edge, which the tiles' margins have in common. Then a
// corner of either lies within the other.
func (o *outline) same(t *tile, b *footprint.Building) bool {
	if o.tile == t {
		return o.Building == b
	}
	within := func(t *tile, b *footprint.Building, in *outline) bool {
		for _, r := range b.Rings {
			for _, p := range r {
				x, y := in.at(tilePoint{float64(p.X) + float64(t.x)*footprint.Extent, float64(p.Y) + float64(t.y)*footprint.Extent})
				if in.Contains(x, y) {
					return true
				}
			}
		}
		return false
	}
	return within(t, b, o) || within(o.tile, o.Building, &outline{t, b})
}

// meet finds the building of a tile that stands highest above the line. One that
// holds the place or the observer is not in the way.
func (s *sight) meet(t *tile, eye, end tilePoint, owned []outline) {
	ax, ay := t.at(eye)
	bx, by := t.at(end)
	left, right, top, bottom := float32(min(ax, bx)), float32(max(ax, bx)), float32(min(ay, by)), float32(max(ay, by))
	for i := range t.buildings {
		b := &t.buildings[i]
		if b.Box.MinX > right || b.Box.MaxX < left || b.Box.MinY > bottom || b.Box.MaxY < top {
			continue
		}
		in, out, meets := through(b, ax, ay, bx, by)
		if !meets || slices.ContainsFunc(owned, func(o outline) bool { return o.same(t, b) }) {
			continue
		}
		height, assumed := b.Height, false
		if height == 0 {
			height, assumed = max(assumedHeight, b.Least+metresPerLevel), true
		}
		if o, blocks := s.against(in*s.metres, out*s.metres, height, b.Least); blocks && (s.building == nil || o.above > s.building.above) {
			o.assumed = assumed
			s.building = &o
		}
	}
}

// metresPerLevel is the height of what stands on pillars and has none mapped.
const metresPerLevel = 3.0

// against compares a building between two distances with the line.
func (s *sight) against(from, to, height, least float64) (o obstacle, blocks bool) {
	o.height, o.above = height, math.Inf(-1)
	below := false // the line is below its bottom all the way
	if least > 0 {
		below = s.above(from, s.under(from)+least) > 0 && s.above(to, s.under(to)+least) > 0
	}
	for _, at := range [...]float64{from, to} {
		if over := s.above(at, s.under(at)+height); over > o.above {
			o.at, o.above = at, over
		}
	}
	return o, o.above > 0 && !below
}

// through returns the parts of the line from a to b at which it enters and leaves
// an outline.
func through(b *footprint.Building, ax, ay, bx, by float64) (in, out float64, meets bool) {
	in, out = math.Inf(1), math.Inf(-1)
	dx, dy := bx-ax, by-ay
	for _, r := range b.Rings {
		for i, j := 0, len(r)-1; i < len(r); j, i = i, i+1 {
			px, py, qx, qy := float64(r[j].X), float64(r[j].Y), float64(r[i].X), float64(r[i].Y)
			ex, ey := qx-px, qy-py
			across := dx*ey - dy*ex
			if across == 0 {
				continue // along it: its neighbours decide
			}
			at := ((px-ax)*ey - (py-ay)*ex) / across
			side := ((px-ax)*dy - (py-ay)*dx) / across
			if at >= 0 && at <= 1 && side >= 0 && side <= 1 {
				in, out = min(in, at), max(out, at)
			}
		}
	}
	return in, out, in < out
}
