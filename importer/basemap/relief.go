package basemap

import (
	"context"
	"errors"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/simplify"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/index/height"
)

// Relief is drawn tile by tile from heights on a grid over the tile: areas in the shade
// and in the light of a sun in the north-west, by level, and contours as lines.
// Neighbouring tiles share the positions of their grids, so that their drawings meet.

const (
	reliefMinZoom  = 7 // regions are small on earlier ones
	contourMinZoom = 11
	// reliefTolerance is how far simplified lines may deviate, in units of a tile.
	reliefTolerance = 6
	reliefMargin    = 3 // cells beyond the tile: one to draw, one to take slopes, one to even out
)

// shadeLevels are the least losses of light, compared with level ground, of the areas
// of each level; lightLevels the least gains.
var (
	shadeLevels = [...]float64{0.05, 0.12, 0.2, 0.3, 0.42}
	lightLevels = [...]float64{0.06, 0.12, 0.18}
)

// relief draws shades and contours of tiles.
type relief struct {
	heights *height.Shared
	boxes   []orb.Bound // relief fades out towards their sides
}

// reliefCells returns how many cells of the grid are across a tile: fewer at deep
// zooms, where heights are no denser.
func reliefCells(zoom int) int {
	switch {
	case zoom >= 15:
		return 16
	case zoom >= 13:
		return 32
	}
	return 64
}

// finer returns how many heights across a cell are averaged, so that small maps do not
// show noise.
func finer(zoom int) int {
	switch {
	case zoom >= 12:
		return 1
	case zoom >= 10:
		return 2
	}
	return 3
}

// interval returns the height between contours in metres; every fifth is drawn thicker.
func interval(zoom int) float64 {
	return [...]float64{200, 100, 50, 20, 20}[min(zoom, DefaultMaxZoom)-contourMinZoom]
}

// pieces draws a tile.
func (r *relief) pieces(ctx context.Context, zoom int, x, y int32) ([]piece, error) {
	if zoom < reliefMinZoom || r.fade(orb.Point{}, tileBound(zoom, x, y)) == 0 {
		return nil, nil
	}
	n := reliefCells(zoom)
	raw, cell, err := r.sample(ctx, zoom, x, y)
	if err != nil {
		return nil, err
	}
	least, most, ok := raw.Spread()
	if !ok || most-least < 1 {
		return nil, nil
	}
	ground := raw.Smoothed() // from two cells before the tile to two after
	light := plane.NewGrid(n + 3)
	inner := plane.NewGrid(n + 3)
	size := math.Exp2(float64(-zoom))
	steep := exaggeration(zoom) / (8 * cell)
	for gy := range light.Side {
		for gx := range light.Side {
			at := orb.Point{(float64(x) + float64(gx-1)/float64(n)) * size, (float64(y) + float64(gy-1)/float64(n)) * size}
			fade := r.fade(at, orb.Bound{Min: at, Max: at})
			i := gy*light.Side + gx
			inner.Values[i] = ground.At(gx+1, gy+1)
			if fade == 0 {
				inner.Values[i] = math.NaN()
			}
			if l := fade * lightOn(&ground, gx, gy, steep); !math.IsNaN(l) {
				light.Values[i] = l
			}
		}
	}
	out := shadePieces(&light, n, zoom)
	if zoom >= contourMinZoom {
		out = append(out, contourPieces(&inner, n, zoom)...)
	}
	return out, nil
}

// exaggeration compensates for slopes that small maps flatten.
func exaggeration(zoom int) float64 { return 1 + 0.35*math.Max(0, float64(13-zoom)) }

// lightOn returns how much more light than level ground the grid position x+1, y+1 has,
// with the sun 45° high in the north-west (Horn, 1981).
func lightOn(g *plane.Grid, x, y int, steep float64) float64 {
	h := func(dx, dy int) float64 { return g.At(x+dx, y+dy) }
	east := (h(2, 0) + 2*h(2, 1) + h(2, 2) - h(0, 0) - 2*h(0, 1) - h(0, 2)) * steep
	south := (h(0, 2) + 2*h(1, 2) + h(2, 2) - h(0, 0) - 2*h(1, 0) - h(2, 0)) * steep
	return (1+(east+south)/math.Sqrt2)/math.Sqrt(2*(1+east*east+south*south)) - math.Sqrt2/2
}

// fade returns 1 well inside the map's ground and 0 at its sides and beyond: for a
// position or, if at is the zero point, the largest value in a box.
func (r *relief) fade(at orb.Point, within orb.Bound) float64 {
	best := 0.0
	for _, b := range r.boxes {
		if !b.Intersects(within) {
			continue
		}
		if at == (orb.Point{}) {
			return 1
		}
		margin := 0.06 * max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1])
		aside := min(at[0]-b.Min[0], b.Max[0]-at[0], at[1]-b.Min[1], b.Max[1]-at[1])
		best = max(best, min(1, aside/margin))
	}
	return best
}

func tileBound(zoom int, x, y int32) orb.Bound {
	size := math.Exp2(float64(-zoom))
	return orb.Bound{Min: orb.Point{float64(x) * size, float64(y) * size}, Max: orb.Point{float64(x+1) * size, float64(y+1) * size}}
}

// sample returns the heights over a tile and reliefMargin cells round it, and the size
// of a cell in metres. Unknown heights are NaN.
func (r *relief) sample(ctx context.Context, zoom int, x, y int32) (plane.Grid, float64, error) {
	n, k := reliefCells(zoom), finer(zoom)
	out := plane.NewGrid(n + 1 + 2*reliefMargin)
	size := math.Exp2(float64(-zoom))
	places := make([]geo.Point, 0, k*k*len(out.Values))
	for i := range out.Values {
		gx, gy := i%out.Side-reliefMargin, i/out.Side-reliefMargin
		for sub := range k * k {
			dx, dy := (float64(sub%k)+0.5)/float64(k)-0.5, (float64(sub/k)+0.5)/float64(k)-0.5
			across := (float64(x) + (float64(gx)+dx)/float64(n)) * size
			places = append(places, plane.Unproject(orb.Point{
				across - math.Floor(across),
				min(1, max(0, (float64(y)+(float64(gy)+dy)/float64(n))*size)),
			}))
		}
	}
	metres, err := r.metres(ctx, places)
	if err != nil {
		return out, 0, err
	}
	for i := range out.Values {
		sum, known := 0.0, 0.0
		for _, h := range metres[i*k*k : (i+1)*k*k] {
			if !math.IsNaN(h) {
				sum, known = sum+h, known+1
			}
		}
		out.Values[i] = sum / known // of none not a number
	}
	lat := plane.Unproject(orb.Point{0.5, (float64(y) + 0.5) * size}).Lat
	return out, equator * math.Cos(lat*math.Pi/180) * size / float64(n), nil
}

// metres returns heights of places. If they lie on too many files, it splits the list
// in halves.
func (r *relief) metres(ctx context.Context, places []geo.Point) ([]float64, error) {
	metres, damaged, err := r.heights.Heights(ctx, places)
	var spread *height.SpreadError
	if errors.As(err, &spread) && len(places) > 1 {
		first, err := r.metres(ctx, places[:len(places)/2])
		if err != nil {
			return nil, err
		}
		second, err := r.metres(ctx, places[len(places)/2:])
		return append(first, second...), err
	}
	return metres, errors.Join(append(damaged, err)...)
}

// shadePieces draws the areas darker and lighter than level ground.
func shadePieces(light *plane.Grid, n, zoom int) []piece {
	var out []piece
	add := func(kind string, levels []float64, g *plane.Grid) {
		framed := g.Padded()
		for i, level := range levels {
			rings, _ := framed.Isolines(level)
			if b := appendBands(nil, rings, n); len(b) > 0 {
				f := areaFeature(hillshade, orb.MultiPolygon{})
				f.size = math.Exp2(float64(-2*zoom)) / 10 // goes before large areas where a tile is too large
				f.add("kind", text(kind), 0)
				f.add("level", integer(i+1), 0)
				out = append(out, piece{&f, b})
			}
		}
	}
	dark := plane.NewGrid(light.Side)
	for i, l := range light.Values {
		dark.Values[i] = -l
	}
	add("shade", shadeLevels[:], &dark)
	add("light", lightLevels[:], light)
	return out
}

// leastBand is the smallest area that is drawn, in square units of a tile.
const leastBand = 4000

// appendBands writes rings as areas with their holes.
func appendBands(b []byte, rings []plane.Path, n int) []byte {
	type band struct {
		points [][2]int32
		area   float64
		holes  [][][2]int32
	}
	var outer []band
	var holes []band
	for _, r := range rings {
		// The frame is one cell wide and its inside begins one before the tile.
		points := inUnits(r, n, 2)
		area := ringArea(points)
		switch {
		case len(points) < 3 || math.Abs(area) < leastBand:
		case area > 0:
			outer = append(outer, band{points: points, area: area})
		default:
			holes = append(holes, band{points: points, area: -area})
		}
	}
	for _, h := range holes {
		best := -1
		for i, o := range outer {
			if o.area > h.area && (best < 0 || o.area < outer[best].area) && inUnitRing(o.points, h.points[0]) {
				best = i
			}
		}
		if best >= 0 {
			outer[best].holes = append(outer[best].holes, h.points)
		}
	}
	var c cursor
	for _, o := range outer {
		b = appendRing(b, o.points, &c)
		for _, h := range o.holes {
			b = appendRing(b, h, &c)
		}
	}
	return b
}

// inUnits converts a line of a grid that begins so many cells before the tile to units
// of the tile, without points that hardly matter. A ring ends with its first point,
// whether or not the input repeats it.
func inUnits(line plane.Path, n int, before float64) [][2]int32 {
	unit := float64(extent) / float64(n)
	simple := make(orb.LineString, len(line))
	for i, p := range line {
		simple[i] = orb.Point{(p[0] - before) * unit, (p[1] - before) * unit}
	}
	simple = simplify.DouglasPeucker(reliefTolerance).LineString(simple)
	out := make([][2]int32, 0, len(simple))
	for _, p := range simple {
		q := [2]int32{int32(math.Round(p[0])), int32(math.Round(p[1]))}
		if len(out) == 0 || out[len(out)-1] != q {
			out = append(out, q)
		}
	}
	if len(out) > 1 && out[0] == out[len(out)-1] && len(line) > 2 {
		out = out[:len(out)-1]
	}
	return out
}

func ringArea(points [][2]int32) float64 {
	sum := 0.0
	for i, p := range points {
		q := points[(i+1)%len(points)]
		sum += float64(p[0])*float64(q[1]) - float64(q[0])*float64(p[1])
	}
	return sum / 2
}

func inUnitRing(ring [][2]int32, p [2]int32) bool {
	in := false
	x, y := float64(p[0])+0.5, float64(p[1])+0.5 // between the places of the ring
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		ax, ay, bx, by := float64(a[0]), float64(a[1]), float64(b[0]), float64(b[1])
		if (ay > y) != (by > y) && x < (bx-ax)*(y-ay)/(by-ay)+ax {
			in = !in
		}
	}
	return in
}

// maxContours limits the contours of a tile.
const maxContours = 400

// contourPieces draws the contours of a tile.
func contourPieces(ground *plane.Grid, n, zoom int) []piece {
	step := interval(zoom)
	least, most, ok := ground.Spread()
	if !ok || (most-least)/step > maxContours {
		return nil
	}
	var out []piece
	for i := math.Ceil(least / step); i*step <= most; i++ {
		closed, open := ground.Isolines(i * step)
		var b []byte
		var c cursor
		for _, line := range closed {
			if points := inUnits(line, n, 1); len(points) > 4 {
				b = appendLineTo(b, append(points, points[0]), &c)
			}
		}
		for _, line := range open {
			if points := inUnits(line, n, 1); len(points) > 1 {
				b = appendLineTo(b, points, &c)
			}
		}
		if len(b) == 0 || i == 0 { // the height of the sea is its shore
			continue
		}
		f := lineFeature(contours, orb.MultiLineString{})
		f.size = math.Exp2(float64(-zoom)) / 10
		f.add("ele", numberValue(i*step), 0)
		if math.Mod(i, 5) == 0 {
			f.add("index", truth(), 0)
		}
		out = append(out, piece{&f, b})
	}
	return out
}
