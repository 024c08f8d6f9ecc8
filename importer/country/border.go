package country

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// border is a country's border from the map: closed rings, in pieces from one point to
// the next.
type border struct {
	country *Country
	rows    map[int][]piece // the pieces that a row of latitudes touches
}

// piece is a straight piece of a border.
type piece struct{ a, b geo.Fixed }

const (
	rowUnits = 100_000 // height of a row, in units of geo.Fixed: a hundredth of a degree
	// nearUnits is the size of the cells that are near a border or not. Further away
	// the built-in borders are right.
	nearUnits = 200_000
	// mostRows limits the rows, and mostSteps the cells, that the pieces of a border
	// may touch together, for each piece and for small ones; mostInRow limits the
	// pieces of one row, because each position near the border tests all of a row.
	mostForPiece, mostFree = 8, 1 << 20
	mostInRow              = 50_000
	// A neighbour is looked for at these distances, each twice the last, in degrees.
	acrossLeast, acrossMost = 0.003, 0.1
)

// Refine replaces a built-in border by a country's border from the map: rings, in any
// order, each from a point back to it. It reports whether it did: the country must be
// known and its rings closed (otherwise inside and outside are undefined), and the
// rings must look like a border, not like thousands of lines across the globe.
func (b *Borders) Refine(code string, rings [][]geo.Fixed) bool {
	c, ok := b.byCode[code]
	if !ok || len(rings) == 0 || b.refined(code) {
		return false
	}
	odd := map[geo.Fixed]bool{} // where an odd number of lines end
	for _, line := range rings {
		if len(line) < 2 {
			return false
		}
		for _, end := range []geo.Fixed{line[0], line[len(line)-1]} {
			if odd[end] {
				delete(odd, end)
			} else {
				odd[end] = true
			}
		}
	}
	if len(odd) > 0 {
		return false
	}
	if !bounded(rings) {
		return false
	}
	x := border{country: c, rows: map[int][]piece{}}
	if b.near == nil {
		b.near = map[[2]int]bool{}
	}
	for _, line := range rings {
		for i := 1; i < len(line); i++ {
			p := piece{line[i-1], line[i]}
			for row := floor(min(p.a.Lat, p.b.Lat), rowUnits); row <= floor(max(p.a.Lat, p.b.Lat), rowUnits); row++ {
				x.rows[row] = append(x.rows[row], p)
			}
			b.mark(p)
		}
	}
	b.borders = append(b.borders, x)
	return true
}

// bounded reports whether the pieces of rings touch no more rows and cells than
// a border does.
func bounded(rings [][]geo.Fixed) bool {
	pieces, rows, steps := 0, 0, 0
	inRow := map[int]int{}
	for _, line := range rings {
		pieces += len(line) - 1
	}
	most := mostFree + mostForPiece*pieces
	for _, line := range rings {
		for i := 1; i < len(line); i++ {
			p := piece{line[i-1], line[i]}
			first, last := floor(min(p.a.Lat, p.b.Lat), rowUnits), floor(max(p.a.Lat, p.b.Lat), rowUnits)
			rows += last - first + 1
			if steps += int(p.steps()) + 1; rows > most || steps > most {
				return false
			}
			for row := first; row <= last; row++ {
				if inRow[row]++; inRow[row] > mostInRow {
					return false
				}
			}
		}
	}
	return true
}

// steps returns in how many parts mark divides a piece.
func (p *piece) steps() float64 {
	lon, lat := float64(p.b.Lon)-float64(p.a.Lon), float64(p.b.Lat)-float64(p.a.Lat)
	return math.Ceil(2*max(math.Abs(lon), math.Abs(lat))/nearUnits) + 1
}

// mark notes the cells around a piece.
func (b *Borders) mark(p piece) {
	lon, lat := float64(p.b.Lon)-float64(p.a.Lon), float64(p.b.Lat)-float64(p.a.Lat)
	steps := p.steps()
	for i := 0.0; i <= steps; i++ {
		x := floor(p.a.Lon+int32(lon*i/steps), nearUnits)
		y := floor(p.a.Lat+int32(lat*i/steps), nearUnits)
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				b.near[[2]int{x + dx, y + dy}] = true
			}
		}
	}
}

func floor(v, unit int32) int { return int(math.Floor(float64(v) / float64(unit))) }

func (b *Borders) refined(code string) bool {
	for i := range b.borders {
		if b.borders[i].country.Code == code {
			return true
		}
	}
	return false
}

// At returns the country of a position: by refined borders near them, otherwise by the
// built-in ones.
func (b *Borders) At(p geo.Point) *Country {
	c := b.rough(p)
	if len(b.borders) == 0 {
		return c
	}
	f := p.Fix()
	if !b.near[[2]int{floor(f.Lon, nearUnits), floor(f.Lat, nearUnits)}] {
		return c
	}
	for i := range b.borders {
		x := &b.borders[i]
		if !x.contains(f) {
			continue
		}
		if b.parent[c.Code] == x.country.Code {
			return c // a territory with a code of its own
		}
		return x.country
	}
	if !b.refined(c.Code) {
		return c
	}
	if other := b.across(p); other != nil {
		return other
	}
	return c
}

// across returns the country on the other side of a border: the nearest one without a
// refined border, which would otherwise contain the position; nil if there is none
// nearby.
func (b *Borders) across(p geo.Point) *Country {
	for r := acrossLeast; r < acrossMost; r *= 2 {
		for k := range 8 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 4)
			c := b.rough(geo.Point{Lon: p.Lon + r*sin, Lat: p.Lat + r*cos})
			if c != b.fallback && !b.refined(c.Code) {
				return c
			}
		}
	}
	return nil
}

// contains casts a ray to the east.
func (x *border) contains(f geo.Fixed) bool {
	in := false
	for _, p := range x.rows[floor(f.Lat, rowUnits)] {
		if (p.a.Lat > f.Lat) == (p.b.Lat > f.Lat) {
			continue
		}
		at := float64(p.a.Lon) + (float64(p.b.Lon)-float64(p.a.Lon))*(float64(f.Lat)-float64(p.a.Lat))/(float64(p.b.Lat)-float64(p.a.Lat))
		if float64(f.Lon) < at {
			in = !in
		}
	}
	return in
}
