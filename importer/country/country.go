// Package country finds the country of a position and the rules of the road that follow
// from it: driving side and speed unit.
//
// The borders are those of country-coder 5.6.1 (ISC licence, see NOTICE), which include
// territorial waters. They are coarse, within some hundred metres; where a map has a
// country's whole border, that counts (Refine).
package country

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/waygate/waygate/geo"
)

//go:embed borders.json.gz
var borders []byte

// Country has the properties of a country.
type Country struct {
	Code string // ISO 3166-1 alpha-2, "" where unknown
	Left bool   // drives on the left
	MPH  bool   // posts speeds in miles per hour
}

// Number packs the code in two bytes, 0 where unknown.
func (c *Country) Number() uint16 {
	if len(c.Code) != 2 {
		return 0
	}
	return uint16(c.Code[0])<<8 | uint16(c.Code[1])
}

type area struct {
	country Country
	bounds  geo.Bounds
	rings   [][][2]float64
}

// The squares of a degree, with one more for the antimeridian and the pole.
const columns, rows = 361, 181

// Borders finds countries. It is safe for one goroutine at a time.
type Borders struct {
	areas    []area
	cells    []uint32 // first in inCells of each square of a degree; one more than there are
	inCells  []int32  // areas whose box touches a cell
	fallback *Country
	byCode   map[string]*Country
	last     int // the area that held the last position: neighbours follow one another

	parent  map[string]string // of territories with codes of their own
	borders []border          // as the map draws them
	near    map[[2]int]bool   // cells around those
}

type feature struct {
	Properties struct {
		Code      string   `json:"iso1A2"`
		Name      string   `json:"nameEn"`
		Aliases   []string `json:"aliases"`
		Country   string   `json:"country"`
		DriveSide string   `json:"driveSide"`
		SpeedUnit string   `json:"roadSpeedUnit"`
	} `json:"properties"`
	Geometry *struct {
		Coordinates [][][][2]float64 `json:"coordinates"`
	} `json:"geometry"`
}

// load returns the built-in data, which is read once and must not be changed.
var load = sync.OnceValues(func() ([]feature, error) {
	z, err := gzip.NewReader(bytes.NewReader(borders))
	if err != nil {
		return nil, err
	}
	var file struct {
		Features []feature `json:"features"`
	}
	if err := json.NewDecoder(z).Decode(&file); err != nil {
		return nil, fmt.Errorf("built-in borders: %w", err)
	}
	return file.Features, nil
})

// rules are those of each country that has borders, by its code. A territory
// without rules of its own has those of its country.
var rules = sync.OnceValues(func() (map[string]*Country, error) {
	features, err := load()
	if err != nil {
		return nil, err
	}
	all := map[string]Country{}
	for _, f := range features {
		if c := f.country(); c.Code != "" {
			r := all[c.Code]
			all[c.Code] = Country{c.Code, r.Left || c.Left, r.MPH || c.MPH}
		}
	}
	byCode := map[string]*Country{}
	for _, f := range features {
		if c := f.country(); f.Geometry != nil && c.Code != "" {
			r := all[c.Code]
			byCode[c.Code] = &r
		}
	}
	return byCode, nil
})

// New returns the borders. Positions in no country, as on the high seas, count as in
// the one with the code fallback; "" leaves them unknown. An unknown fallback is an
// error.
func New(fallback string) (*Borders, error) {
	shared, err := builtIn()
	if err != nil {
		return nil, err
	}
	b := *shared
	if fallback != "" {
		c, ok := b.byCode[fallback]
		if !ok {
			return nil, fmt.Errorf("country %q is not an ISO 3166-1 alpha-2 code with borders", fallback)
		}
		b.fallback = c
	}
	return &b, nil
}

// builtIn returns the borders of the built-in data. All Borders share it; it must not
// be changed.
var builtIn = sync.OnceValues(func() (*Borders, error) {
	features, err := load()
	if err != nil {
		return nil, err
	}
	b := &Borders{parent: map[string]string{}, last: -1, fallback: &Country{}}
	b.byCode, err = rules()
	if err != nil {
		return nil, err
	}
	for _, f := range features {
		c := f.country()
		if p := f.Properties; p.Code != "" && p.Country != "" {
			b.parent[p.Code] = p.Country
		}
		if f.Geometry == nil || c.Code == "" {
			continue
		}
		if f.Properties.DriveSide == "" {
			c = *b.byCode[c.Code]
		}
		for _, polygon := range f.Geometry.Coordinates {
			b.add(c, polygon)
		}
	}
	b.index()
	return b, nil
})

// reserved maps codes that ISO 3166-1 reserves, and that the borders use, to the codes
// of the countries that those parts belong to.
var reserved = map[string]string{
	"AC": "SH", "CP": "FR", "CQ": "GG", "DG": "IO", "EA": "ES", "FX": "FR", "IC": "ES", "TA": "SH",
}

func (f *feature) country() Country {
	code := f.Properties.Code
	if code == "" {
		code = f.Properties.Country
	}
	if c, ok := reserved[code]; ok {
		code = c
	}
	return Country{code, f.Properties.DriveSide == "left", f.Properties.SpeedUnit == "mph"}
}

func (b *Borders) add(c Country, rings [][][2]float64) {
	a := area{country: c, bounds: geo.NoBounds(), rings: rings}
	for _, p := range rings[0] {
		a.bounds = a.bounds.Extend(geo.Point{Lon: p[0], Lat: p[1]})
	}
	b.areas = append(b.areas, a)
}

// cell returns the index of the square of a degree that a position lies in; the last
// row and column are those of the pole and the antimeridian.
func cell(lon, lat float64) int {
	x, y := math.Floor(min(max(lon, -180), 180)), math.Floor(min(max(lat, -90), 90))
	return int(y+90)*columns + int(x+180)
}

// index lists the areas whose box touches a cell, in their order.
func (b *Borders) index() {
	b.cells = make([]uint32, columns*rows+1)
	each := func(use func(cell int, area int32)) {
		for n := range b.areas {
			box := b.areas[n].bounds
			for y := math.Floor(box.Min.Lat); y <= box.Max.Lat; y++ {
				for x := math.Floor(box.Min.Lon); x <= box.Max.Lon; x++ {
					use(cell(x, y), int32(n))
				}
			}
		}
	}
	each(func(cell int, _ int32) { b.cells[cell+1]++ })
	for i := 1; i < len(b.cells); i++ {
		b.cells[i] += b.cells[i-1]
	}
	b.inCells = make([]int32, b.cells[len(b.cells)-1])
	next := slices.Clone(b.cells)
	each(func(cell int, area int32) {
		b.inCells[next[cell]] = area
		next[cell]++
	})
}

// rough returns the country of a position by the built-in borders.
func (b *Borders) rough(p geo.Point) *Country {
	if b.last >= 0 && b.areas[b.last].contains(p) {
		return &b.areas[b.last].country
	}
	at := cell(p.Lon, p.Lat)
	for _, n := range b.inCells[b.cells[at]:b.cells[at+1]] {
		if b.areas[n].contains(p) {
			b.last = int(n)
			return &b.areas[n].country
		}
	}
	return b.fallback
}

// contains casts a ray: inside the outer ring and outside the holes is an odd
// number of crossings over all rings.
func (a *area) contains(p geo.Point) bool {
	if !a.bounds.Contains(p) {
		return false
	}
	in := false
	for _, ring := range a.rings {
		for i, j := 0, len(ring)-1; i < len(ring); j, i = i, i+1 {
			u, v := ring[i], ring[j]
			if (u[1] > p.Lat) != (v[1] > p.Lat) && p.Lon < (v[0]-u[0])*(p.Lat-u[1])/(v[1]-u[1])+u[0] {
				in = !in
			}
		}
	}
	return in
}
