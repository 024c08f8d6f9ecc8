// Package landmark has the places of a region by which a junction can be recognised:
// named shops, churches, stations and the like. The caller decides which are fit to be
// named.
package landmark

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// The section of a region.
const (
	SectionName = "landmarks"
	Version     = 1
)

// Place is one landmark.
type Place struct {
	At       geo.Point
	Name     string
	Brand    string // "" where none is mapped
	Category string // key and value of the tag that says what it is: "amenity=pub"
}

// Index finds landmarks near a point. It is read-only and safe for concurrent
// use, and lives as long as the region it came from.
type Index struct {
	at       []geo.Fixed // by row from south to north, in a row from west to east
	row      []uint32    // first of each row; one more than there are rows
	south    []int32     // one value: the row of row[0]
	text     []byte
	name     []uint32 // offset in text: each is a length and bytes
	brand    []uint32
	category []uint32
}

// rowHeight is the height of a row in units of geo.Fixed: about 220 m.
const rowHeight = 20_000

func rowOf(lat int32) int32 { return int32(math.Floor(float64(lat) / rowHeight)) }

// Build makes an index of places. Texts longer than 255 bytes are cut.
func Build(places []Place) *Index {
	places = slices.Clone(places)
	slices.SortStableFunc(places, func(a, b Place) int {
		p, q := a.At.Fix(), b.At.Fix()
		return cmp.Or(cmp.Compare(rowOf(p.Lat), rowOf(q.Lat)), cmp.Compare(p.Lon, q.Lon), cmp.Compare(p.Lat, q.Lat), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Category, b.Category))
	})
	x := &Index{}
	texts := map[string]uint32{}
	put := func(s string) uint32 {
		if len(s) > math.MaxUint8 {
			s = s[:math.MaxUint8]
		}
		at, there := texts[s]
		if !there {
			at = uint32(len(x.text))
			texts[s] = at
			x.text = append(append(x.text, byte(len(s))), s...)
		}
		return at
	}
	if len(places) > 0 {
		x.south = []int32{rowOf(places[0].At.Fix().Lat)}
	}
	for i, p := range places {
		at := p.At.Fix()
		for int32(len(x.row)) <= rowOf(at.Lat)-x.south[0] {
			x.row = append(x.row, uint32(i))
		}
		x.at = append(x.at, at)
		x.name, x.brand, x.category = append(x.name, put(p.Name)), append(x.brand, put(p.Brand)), append(x.category, put(p.Category))
	}
	x.row = append(x.row, uint32(len(places)))
	return x
}

// Write writes the section file.
func (x *Index) Write(path string) error {
	a := &region.Arrays{}
	region.Put(a, "at", x.at)
	region.Put(a, "row", x.row)
	region.Put(a, "south", x.south)
	region.Put(a, "text", x.text)
	region.Put(a, "name", x.name)
	region.Put(a, "brand", x.brand)
	region.Put(a, "category", x.category)
	return a.WriteFile(path)
}

// Open returns the landmarks of a region; nil if it was built without.
func Open(r *region.Region) (*Index, error) {
	s, err := r.Optional(SectionName, Version, Version)
	if s == nil {
		return nil, err
	}
	return Read(s)
}

// Read returns the landmarks in a section. It refuses arrays that do not fit each
// other, so that no later look-up leaves them.
func Read(s *region.Section) (x *Index, err error) {
	x = &Index{}
	if x.at, err = region.Array[geo.Fixed](s, "at"); err != nil {
		return nil, err
	}
	if x.south, err = region.Array[int32](s, "south"); err != nil {
		return nil, err
	}
	if x.text, err = region.Array[byte](s, "text"); err != nil {
		return nil, err
	}
	for name, at := range map[string]*[]uint32{"row": &x.row, "name": &x.name, "brand": &x.brand, "category": &x.category} {
		if *at, err = region.Array[uint32](s, name); err != nil {
			return nil, err
		}
	}
	return x, x.check()
}

func (x *Index) check() error {
	n := len(x.at)
	if len(x.name) != n || len(x.brand) != n || len(x.category) != n || len(x.row) == 0 || (n > 0) != (len(x.south) == 1) {
		return fmt.Errorf("section %s: arrays of %d places do not fit each other", SectionName, n)
	}
	if !slices.IsSorted(x.row) || int(x.row[len(x.row)-1]) != n {
		return fmt.Errorf("section %s: its rows do not hold its places", SectionName)
	}
	for _, list := range [][]uint32{x.name, x.brand, x.category} {
		for _, at := range list {
			if int(at) >= len(x.text) || int(at)+1+int(x.text[at]) > len(x.text) {
				return fmt.Errorf("section %s: a text ends after the section", SectionName)
			}
		}
	}
	return nil
}

// Len returns the number of landmarks.
func (x *Index) Len() int { return len(x.at) }

func (x *Index) string(at uint32) string {
	return string(x.text[at+1 : int(at)+1+int(x.text[at])])
}

// Near calls yield for every landmark within so many metres of a point.
func (x *Index) Near(p geo.Point, metres float64, yield func(p Place, away float64)) {
	if len(x.at) == 0 {
		return
	}
	south := geo.Destination(p, 180, metres).Fix().Lat
	north := geo.Destination(p, 0, metres).Fix().Lat
	west, east := geo.Destination(p, 270, metres).Fix().Lon, geo.Destination(p, 90, metres).Fix().Lon
	first := max(0, int(rowOf(south))-int(x.south[0]))
	last := min(len(x.row)-2, int(rowOf(north))-int(x.south[0]))
	for r := first; r <= last; r++ {
		from, to := int(x.row[r]), int(x.row[r+1])
		i, _ := slices.BinarySearchFunc(x.at[from:to], west, func(f geo.Fixed, lon int32) int { return cmp.Compare(f.Lon, lon) })
		for i += from; i < to && x.at[i].Lon <= east; i++ {
			at := x.at[i].Point()
			if away := geo.Distance(p, at); away <= metres {
				yield(Place{At: at, Name: x.string(x.name[i]), Brand: x.string(x.brand[i]), Category: x.string(x.category[i])}, away)
			}
		}
	}
}
