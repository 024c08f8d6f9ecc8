// Package boundary finds the administrative areas that a place lies in: countries,
// states, counties, communes and the other levels of the map.
package boundary

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Side is the side of the road that traffic keeps to.
type Side uint8

// The sides.
const (
	Unknown Side = iota
	Left
	Right
)

// Area is one administrative area.
type Area struct {
	Relation int64  // OSM's id of the relation; negative of a closed way; 0 of a coarse outline
	Level    int    // OSM's admin_level: 2 is a country, a higher number is a part of a lower one
	ISO      string // ISO 3166-1 alpha-2 of a country, ISO 3166-2 of a part of one; "" where none is mapped
	Name     string // local
	Names    []Name // in other languages, by language
	Drives   Side   // as the country there has it
	// Coarse areas are outlines of a data package, within some hundred metres,
	// for countries whose border the extract does not hold whole.
	Coarse bool
	Size   float64 // square metres
	Bounds geo.Bounds
}

// Name is a name in a language (BCP 47, as the map writes it).
type Name struct{ Lang, Text string }

// In returns the name in a language: in exactly that, in the language without region or
// script, or else the local name.
func (a *Area) In(lang string) string {
	for lang != "" {
		for _, n := range a.Names {
			if strings.EqualFold(n.Lang, lang) {
				return n.Text
			}
		}
		lang = lang[:max(0, strings.LastIndexByte(lang, '-'))]
	}
	return a.Name
}

// Country returns the ISO 3166-1 alpha-2 code of the country that the areas of a place,
// the largest first, are parts of; "" if none is known.
func Country(areas []Area) string {
	code := ""
	for _, a := range areas {
		if len(a.ISO) == countryCode {
			code = a.ISO
		}
	}
	return code
}

// countryCode is the length of a country's code; those of its parts are longer.
const countryCode = 2

// At returns the areas that a place lies in, the largest first: by level, those
// of a level by size. Coarse outlines do not count where there is a mapped area
// of their level.
func (x *Index) At(p geo.Point) []Area {
	var owners []uint32
	x.borders.Crossed(p, func(owner uint32) { owners = append(owners, owner) })
	var in []uint32 // areas crossed an odd number of times, in their order
	for _, owner := range owners {
		in = append(in, x.member[x.owner[owner]:x.owner[owner+1]]...)
	}
	slices.Sort(in)
	odd := in[:0]
	for i := 0; i < len(in); {
		j := i
		for j < len(in) && in[j] == in[i] {
			j++
		}
		if (j-i)%2 == 1 {
			odd = append(odd, in[i])
		}
		i = j
	}
	areas := make([]Area, 0, len(odd))
	for _, i := range odd {
		coarse := x.areas[i].Coarse == 1
		if coarse && slices.ContainsFunc(odd, func(o uint32) bool { return x.areas[o].Level == x.areas[i].Level && x.areas[o].Coarse == 0 }) {
			continue
		}
		areas = append(areas, x.area(int(i)))
	}
	side := Unknown
	for i := range areas {
		if areas[i].Drives != Unknown {
			side = areas[i].Drives
		}
		areas[i].Drives = side
	}
	return areas
}

// Len returns the number of areas.
func (x *Index) Len() int { return len(x.areas) }
