// Package build makes the index of places from what its sources have: entries that
// are one place become one, houses come to their streets, and each place gets what
// lies around it.
package build

import (
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/tree"
)

// Entry is a place as a source has it, before it is known what it belongs to.
type Entry struct {
	Kind   place.Kind
	Source place.Source
	Number int64 // of the object in its source; less than 1<<44
	Part   int   // distinguishes several entries of one object and kind
	At     geo.Fixed
	Line   []geo.Fixed // of a piece of a street, or of another thing that lies along a line
	ByName bool        // it is found by its name and its kind, and does not count among what is near a point
	Extent [2]geo.Fixed

	// Outline is the place's outline: rings that end where they begin. A point in an odd number of
	// them lies in the place.
	Outline [][]geo.Fixed

	Names []place.Name // the first is the local one

	// Class is a value of place=* for localities and areas, of highway=* for streets,
	// "administrative" with its admin_level for areas without place=*.
	Class      string
	Population int64
	Known      float64 // how well-known it is besides, 0 to 1: wikidata, hubs

	House, HouseName, Street, Place, Suburb, City, Postcode, State, Country string

	Categories []string
	Details    []place.Detail
}

// Builder collects entries and makes an index of them. The zero value is ready.
type Builder struct {
	// Country gives the country of a point as ISO 3166-1 alpha-2; nil and "" are
	// unknown.
	Country func(geo.Point) string
	// Areas returns the administrative areas around a point, the smallest first; nil where
	// they are unknown.
	Areas func(geo.Point) []Within

	// CountryNames lists what people call a country, by its code; may be nil.
	CountryNames func(code string) []string

	texts   []string
	number  map[string]uint32
	entries []entry // localities, areas, points of interest that are points or areas, named houses
	ways    []entry // pieces of streets
	courses []entry // pieces of other things that lie along lines
	houses  []house
	codes   []fold.Code
}

// Within is an administrative area around a point.
type Within struct {
	Names   []string // the local one first
	Level   int      // of OpenStreetMap's admin_level
	Country string   // of a country its code, ISO 3166-1 alpha-2
}

// entry is an Entry with numbers of texts in the place of texts.
type entry struct {
	id         uint64
	at         geo.Fixed
	kind       place.Kind
	class      uint32
	names      []nameOf
	line       []geo.Fixed
	outline    []geo.Fixed
	extent     tree.Box
	population int64
	known      float64
	byName     bool

	house, street, place, suburb, city, postcode, state uint32
	country                                             uint16
	categories                                          []uint32
	details                                             []uint32 // keys and values in turn
}

type nameOf struct{ lang, text uint32 }

// house is an address as a source has it.
type house struct {
	id                                           uint64
	at                                           geo.Fixed
	house, street, place, suburb, city, postcode uint32
	state                                        uint32
	country                                      uint16
	generated                                    bool
	setting, shape                               uint32
}

func (b *Builder) intern(s string) uint32 {
	if b.number == nil {
		b.number = map[string]uint32{"": 0}
		b.texts = []string{""}
	}
	if len(s) > fold.MaxText {
		s = s[:fold.MaxText]
	}
	n, ok := b.number[s]
	if !ok {
		n = uint32(len(b.texts))
		s = strings.Clone(s)
		b.texts = append(b.texts, s)
		b.number[s] = n
	}
	return n
}

// Add takes an entry. Nothing of it is kept.
func (b *Builder) Add(e *Entry) {
	if !place.OnGlobe(e.At) {
		return
	}
	if e.Kind == place.Address && e.House != "" {
		shape := uint32(0)
		if len(e.Outline) > 0 {
			shape = tree.OblongAround(e.At, e.Outline[0])
		}
		b.houses = append(b.houses, house{
			id: place.PackID(place.Address, e.Source, e.Number, e.Part), at: e.At, house: b.intern(e.House), street: b.intern(e.Street), place: b.intern(e.Place), suburb: b.intern(e.Suburb),
			city: b.intern(e.City), postcode: b.intern(e.Postcode), state: b.intern(e.State), country: place.CountryNumber(e.Country), generated: e.Source == place.Between, shape: shape,
		})
		return
	}
	if e.Kind == place.Postcode {
		b.AddPostcode(e.Postcode, e.At, e.Country)
		return
	}
	x := entry{
		id: place.PackID(e.Kind, e.Source, e.Number, e.Part), at: e.At, kind: e.Kind, class: b.intern(e.Class), population: e.Population, known: e.Known, byName: e.ByName,
		house: b.intern(e.House), street: b.intern(e.Street), place: b.intern(e.Place), suburb: b.intern(e.Suburb), city: b.intern(e.City), postcode: b.intern(e.Postcode),
		state: b.intern(e.State), country: place.CountryNumber(e.Country), line: append([]geo.Fixed(nil), e.Line...),
	}
	if e.Kind == place.POI || e.Kind == place.Locality || e.Kind == place.Area {
		x.outline = tree.Outlined(e.Outline)
	}
	if e.Extent != [2]geo.Fixed{} {
		x.extent = tree.Box{West: e.Extent[0].Lon, South: e.Extent[0].Lat, East: e.Extent[1].Lon, North: e.Extent[1].Lat}
	}
	for _, n := range e.Names {
		if n.Text != "" && len(x.names) < mostNames {
			x.names = append(x.names, nameOf{b.intern(n.Lang), b.intern(n.Text)})
		}
	}
	for _, c := range e.Categories {
		x.categories = append(x.categories, b.intern(c))
	}
	for _, d := range e.Details {
		x.details = append(x.details, b.intern(d.Key), b.intern(d.Value))
	}
	if len(x.names) == 0 && (e.Kind != place.POI || len(x.categories) == 0) {
		return
	}
	switch {
	case e.Kind == place.Street:
		b.ways = append(b.ways, x)
	case e.Kind == place.POI && len(x.line) > 0 && len(x.names) > 0 && len(x.categories) > 0:
		b.courses = append(b.courses, x)
	default:
		b.entries = append(b.entries, x)
	}
}

// mostNames is how many names a place may have.
const mostNames = 64

// AddPostcode takes a postcode with its middle. What has no digit or is too long
// is none.
func (b *Builder) AddPostcode(written string, at geo.Fixed, country string) {
	if c, ok := fold.CodeOf(written); ok && place.OnGlobe(at) {
		c.At, c.Country = at, place.CountryNumber(country)
		b.codes = append(b.codes, c)
	}
}

func (b *Builder) countryAt(at geo.Fixed) uint16 {
	if b.Country == nil {
		return 0
	}
	return place.CountryNumber(b.Country(at.Point()))
}
