package country

import (
	"strings"

	"github.com/waygate/waygate/geo"
)

// Outline is the built-in border of a country, or of a part of one with a code of its
// own.
type Outline struct {
	Country
	Part     string // ISO 3166-2 of a part, such as GB-WLS; "" of a country
	Name     string // in English
	Polygons [][][]geo.Fixed
}

// Outlines returns the countries, and those of their parts with borders of their own,
// of which anything may lie in a box, with only the polygons that may.
func Outlines(box geo.Bounds) ([]Outline, error) {
	byCode, err := rules()
	if err != nil {
		return nil, err
	}
	features, err := load()
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, f := range features {
		if f.Properties.Code != "" {
			names[f.Properties.Code] = f.Properties.Name
		}
	}
	var list []Outline
	at := map[string]int{}
	put := func(o Outline, polygons [][][]geo.Fixed) {
		code := o.Part
		if code == "" {
			code = o.Code
		}
		i, known := at[code]
		if !known {
			i = len(list)
			at[code], list = i, append(list, o)
		}
		list[i].Polygons = append(list[i].Polygons, polygons...)
	}
	for _, f := range features {
		c := f.country()
		if f.Geometry == nil || c.Code == "" {
			continue
		}
		polygons := f.polygons(box)
		if len(polygons) == 0 {
			continue
		}
		put(Outline{Country: *byCode[c.Code], Name: names[c.Code]}, polygons)
		for _, alias := range f.Properties.Aliases {
			if strings.HasPrefix(alias, c.Code+"-") && f.Properties.Code == "" {
				put(Outline{Country: *byCode[c.Code], Part: alias, Name: f.Properties.Name}, polygons)
			}
		}
	}
	return list, nil
}

// polygons returns the polygons whose box touches another.
func (f *feature) polygons(box geo.Bounds) [][][]geo.Fixed {
	var out [][][]geo.Fixed
	for _, polygon := range f.Geometry.Coordinates {
		of := geo.NoBounds()
		rings := make([][]geo.Fixed, len(polygon))
		for i, ring := range polygon {
			for _, p := range ring {
				at := geo.Point{Lon: p[0], Lat: p[1]}
				of = of.Extend(at)
				rings[i] = append(rings[i], at.Fix())
			}
		}
		if of.Intersects(box) {
			out = append(out, rings)
		}
	}
	return out
}

// Of returns the country of a code; nil if none has borders.
func Of(code string) (*Country, error) {
	byCode, err := rules()
	return byCode[code], err
}
