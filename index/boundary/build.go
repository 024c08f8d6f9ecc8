package boundary

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/rings"
)

// Outlined is an area with its polygons, each an outer ring and holes; rings end where
// they begin. A place that lies in an odd number of rings lies in the area. Size and
// Bounds are computed from them.
type Outlined struct {
	Area
	Polygons [][][]geo.Fixed
}

// border is an area with its rings as they are stored.
type border struct {
	Area
	rings [][]geo.Fixed
}

// band is the height of the bands of latitude by which borders are found, in
// units of geo.Fixed: about a kilometre.
const band = 100_000

// side is one side of a ring with its area.
type side struct {
	a, b geo.Fixed // a before b
	area uint32
}

func compareSides(x, y side) int {
	return cmp.Or(compareCorners(x.a, y.a), compareCorners(x.b, y.b))
}

func compareCorners(x, y geo.Fixed) int {
	return cmp.Or(cmp.Compare(x.Lat, y.Lat), cmp.Compare(x.Lon, y.Lon))
}

func sideOf(a, b geo.Fixed) side {
	if compareCorners(a, b) > 0 {
		a, b = b, a
	}
	return side{a: a, b: b}
}

// Build makes an index of areas. Texts longer than 255 bytes are cut.
func Build(areas []Outlined) *Index {
	list := make([]border, len(areas))
	for i, a := range areas {
		list[i].Area = a.Area
		list[i].Size, list[i].Bounds = measure(a.Polygons)
		list[i].rings = cut(slices.Concat(a.Polygons...))
	}
	slices.SortStableFunc(list, func(a, b border) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(b.Size, a.Size), cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Name, b.Name))
	})
	x := &Index{owner: []uint32{0}}
	x.describe(list)
	x.outline(list)
	return x
}

// describe stores everything but the borders.
func (x *Index) describe(list []border) {
	texts := map[string]uint32{}
	put := func(s string) uint32 {
		if len(s) > maxText {
			end := maxText
			for !utf8.RuneStart(s[end]) {
				end--
			}
			s = s[:end]
		}
		at, there := texts[s]
		if !there {
			at = uint32(len(x.text))
			texts[s] = at
			x.text = append(append(x.text, byte(len(s))), s...)
		}
		return at
	}
	for i := range list {
		a := &list[i]
		r := record{
			Relation: a.Relation, Size: a.Size, Min: a.Bounds.Min.Fix(), Max: a.Bounds.Max.Fix(), Name: uint32(len(x.name)), Level: uint8(a.Level), Drives: a.Drives,
		}
		copy(r.ISO[:], a.ISO)
		if a.Coarse {
			r.Coarse = 1
		}
		x.areas = append(x.areas, r)
		x.name = append(x.name, text{put(""), put(a.Name)})
		names := slices.Clone(a.Names)
		slices.SortStableFunc(names, func(a, b Name) int { return strings.Compare(a.Lang, b.Lang) })
		for _, n := range names {
			x.name = append(x.name, text{put(n.Lang), put(n.Text)})
		}
	}
}

// outline stores every side of every ring once, with the list of the areas that
// it is a side of an odd number of times.
func (x *Index) outline(list []border) {
	n := 0
	for i := range list {
		for _, r := range list[i].rings {
			n += len(r)
		}
	}
	sides := make([]side, 0, n)
	for i := range list {
		for _, r := range list[i].rings {
			for j := 1; j < len(r); j++ {
				s := sideOf(r[j-1], r[j])
				s.area = uint32(i)
				sides = append(sides, s)
			}
		}
	}
	slices.SortFunc(sides, func(x, y side) int { return cmp.Or(compareSides(x, y), cmp.Compare(x.area, y.area)) })
	owners := map[string]uint32{}
	distinct := sides[:0] // area is the owner from here on
	var whose []uint32
	var key []byte
	for i := 0; i < len(sides); {
		whose, key = whose[:0], key[:0]
		s := sides[i]
		for i < len(sides) && compareSides(sides[i], s) == 0 {
			j := i
			for j < len(sides) && sides[j] == sides[i] {
				j++
			}
			if a := sides[i].area; (j-i)%2 == 1 {
				whose, key = append(whose, a), append(key, byte(a), byte(a>>8), byte(a>>16), byte(a>>24))
			}
			i = j
		}
		if len(whose) == 0 {
			continue
		}
		owner, known := owners[string(key)]
		if !known {
			owner = uint32(len(x.owner) - 1)
			owners[string(key)] = owner
			x.member = append(x.member, whose...)
			x.owner = append(x.owner, uint32(len(x.member)))
		}
		s.area = owner
		distinct = append(distinct, s)
	}
	x.orderSides(list, distinct)
}

// orderSides stores sides in the order of the rings, so that they share corners.
func (x *Index) orderSides(list []border, sides []side) {
	written := make([]bool, len(sides))
	var corners []geo.Fixed
	var pieces []rings.Piece
	for i := range list {
		for _, r := range list[i].rings {
			open := false // whether the last corner is the one this side begins at
			for j := 1; j < len(r); j++ {
				at, found := slices.BinarySearchFunc(sides, sideOf(r[j-1], r[j]), compareSides)
				if !found || written[at] {
					open = false
					continue
				}
				written[at] = true
				if !open {
					corners = append(corners, r[j-1])
				}
				open = true
				pieces = append(pieces, rings.Piece{From: uint32(len(corners) - 1), Owner: sides[at].area})
				corners = append(corners, r[j])
			}
		}
	}
	x.borders = *rings.New(corners, pieces, band)
}

// halfWorld is from the prime meridian to the antimeridian, in units of
// geo.Fixed.
const halfWorld = 1_800_000_000

// cut splits rings that cross the antimeridian: a side longer than half the globe goes
// the other way round. Crossings are joined to a pole on either side of the
// antimeridian: for a ring that crosses it an even number of times all but the parts
// between two crossings cancel out, and a ring that crosses it an odd number of times
// contains the nearer pole.
func cut(list [][]geo.Fixed) [][]geo.Fixed {
	var out [][]geo.Fixed
	for _, ring := range list {
		var crossings []geo.Fixed
		sum := 0.0
		for i := 1; i < len(ring); i++ {
			sum += float64(ring[i].Lat)
			a, b := ring[i-1], ring[i]
			if geo.Across(a, b) {
				crossings = append(crossings, geo.Fixed{Lon: halfWorld, Lat: geo.AntimeridianLat(a, b)})
			}
		}
		if len(crossings) == 0 {
			out = append(out, ring)
			continue
		}
		pole := int32(halfWorld / 2)
		if len(crossings)%2 == 1 && sum < 0 {
			pole = -pole
		}
		var part []geo.Fixed
		for i, b := range ring {
			if i > 0 {
				if a := ring[i-1]; geo.Across(a, b) {
					edge := geo.Fixed{Lon: halfWorld, Lat: geo.AntimeridianLat(a, b)}
					if a.Lon < 0 {
						edge.Lon = -halfWorld
					}
					out = append(out, append(part, edge))
					edge.Lon = -edge.Lon
					part = []geo.Fixed{edge}
				}
			}
			part = append(part, b)
		}
		out = append(out, part)
		for _, c := range crossings {
			out = append(out, []geo.Fixed{c, {Lon: halfWorld, Lat: pole}}, []geo.Fixed{{Lon: -halfWorld, Lat: c.Lat}, {Lon: -halfWorld, Lat: pole}})
		}
	}
	return out
}

// measure returns the area of polygons, in square metres, and their box.
func measure(polygons [][][]geo.Fixed) (size float64, box geo.Bounds) {
	box = geo.NoBounds()
	for _, polygon := range polygons {
		for i, ring := range polygon {
			for _, f := range ring {
				box = box.Extend(f.Point())
			}
			if i == 0 {
				size += area(ring)
			} else {
				size -= area(ring)
			}
		}
	}
	return max(0, size), box
}

// area returns the area within a ring on a sphere, in square metres. A side is straight
// in longitude and the sine of latitude.
func area(ring []geo.Fixed) float64 {
	sum := 0.0
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1].Point(), ring[i].Point()
		lon := b.Lon - a.Lon
		if lon > 180 {
			lon -= 360
		} else if lon < -180 {
			lon += 360
		}
		sum += lon * (2 + math.Sin(a.Lat*math.Pi/180) + math.Sin(b.Lat*math.Pi/180))
	}
	return math.Abs(sum) * math.Pi / 360 * geo.EarthRadius * geo.EarthRadius
}
