package basemap

import (
	"hash/fnv"
	"math"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/osm"
)

// sameHouse is the distance in metres within which an address that is mapped again
// belongs to the same building: on its outline, at its entrances, on the shops in it.
const sameHouse = 25

// streetOf returns a number for the street or place of an address, 0 if it has none.
func streetOf(tags osm.Tags) float64 {
	name := tags.Get("addr:street")
	if name == "" {
		name = tags.Get("addr:place")
	}
	if name == "" {
		return 0
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return float64(h.Sum32())
}

// isAddress reports whether a feature is the number of a house.
func (f *feature) isAddress() bool {
	return f.layer == buildings && f.point != nil
}

// houseNumber returns the text of an address.
func (f *feature) houseNumber() string {
	for _, a := range f.attrs {
		if a.key == "addr_housenumber" {
			return a.value.text
		}
	}
	return ""
}

// houseCell is a cell in which addresses with the same number are compared.
type houseCell struct {
	x, y   int32
	number string
}

// withoutDoubles removes addresses near an earlier one with the same number, and with
// the same street if both have one.
func withoutDoubles(all []*feature) []*feature {
	const size = 8 * sameHouse / equator // of a cell: sameHouse metres at 82 degrees of latitude
	kept := map[houseCell][]*feature{}
	out := all[:0]
	for _, f := range all {
		if !f.isAddress() {
			out = append(out, f)
			continue
		}
		at := houseCell{int32(f.point[0] / size), int32(f.point[1] / size), f.houseNumber()}
		if !repeats(kept, at, f) {
			kept[at] = append(kept[at], f)
			out = append(out, f)
		}
	}
	return out
}

// repeats reports whether f repeats an address that was kept.
func repeats(kept map[houseCell][]*feature, at houseCell, f *feature) bool {
	near := sameHouse * math.Cosh((0.5-f.point[1])*2*math.Pi) / equator
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-1); dx <= 1; dx++ {
			for _, o := range kept[houseCell{at.x + dx, at.y + dy, at.number}] {
				if (o.size == f.size || o.size == 0 || f.size == 0) && plane.Length([]orb.Point{*o.point, *f.point}) < near {
					return true
				}
			}
		}
	}
	return false
}

// equator is the length of the equator in metres, on the sphere of Web Mercator.
const equator = 2 * math.Pi * 6378137
