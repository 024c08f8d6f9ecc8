package place

import (
	"math"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Entry is a place as a source has it, before it is known what it belongs to.
type Entry struct {
	Kind   Kind
	Source Source
	Number int64 // of the object in its source; less than 1<<44
	Part   int   // tells apart several entries of one object and kind
	At     geo.Fixed
	Line   []geo.Fixed // of a piece of a street
	Extent [2]geo.Fixed
	Names  []Name // the first is the local one

	// What it is: a value of place=* for localities and areas, of highway=* for
	// streets.
	Class      string
	Population int64
	Known      float64 // how well-known it is besides, 0 to 1: wikidata, hubs

	House, HouseName, Street, Place, Suburb, City, Postcode, State, Country string

	Categories []string
	Details    []Detail
}

// Name is a name in a language, "" for the local one and names without one.
type Name struct{ Lang, Text string }

// Builder collects entries and makes an index of them. The zero value is ready.
type Builder struct {
	// Country tells the country of a point as ISO 3166-1 alpha-2; nil and "" are
	// unknown.
	Country func(geo.Point) string
	// Areas lists the administrative areas around a point, the smallest first; nil
	// where nobody knows.
	Areas func(geo.Point) []Within

	// CountryNames lists what people call a country, by its code; may be nil.
	CountryNames func(code string) []string

	texts   []string
	number  map[string]uint32
	entries []entry // localities, areas, points of interest, named houses
	ways    []entry // pieces of streets
	houses  []house
	codes   []code
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
	kind       Kind
	class      uint32
	names      []nameOf
	line       []geo.Fixed
	extent     box
	population int64
	known      float64

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
}

// code is a postcode with its point.
type code struct {
	packed  uint64
	at      geo.Fixed
	gap     int8
	country uint16
}

func (b *Builder) intern(s string) uint32 {
	if b.number == nil {
		b.number = map[string]uint32{"": 0}
		b.texts = []string{""}
	}
	if len(s) > maxText {
		s = s[:maxText]
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
	if !onGlobe(e.At) {
		return
	}
	if e.Kind == Address && e.House != "" {
		b.houses = append(b.houses, house{
			id: packID(Address, e.Source, e.Number, e.Part), at: e.At, house: b.intern(e.House), street: b.intern(e.Street), place: b.intern(e.Place), suburb: b.intern(e.Suburb),
			city: b.intern(e.City), postcode: b.intern(e.Postcode), state: b.intern(e.State), country: countryNumber(e.Country), generated: e.Source == Between,
		})
		return
	}
	if e.Kind == Postcode {
		b.AddPostcode(e.Postcode, e.At, e.Country)
		return
	}
	x := entry{
		id: packID(e.Kind, e.Source, e.Number, e.Part), at: e.At, kind: e.Kind, class: b.intern(e.Class), population: e.Population, known: e.Known,
		house: b.intern(e.House), street: b.intern(e.Street), place: b.intern(e.Place), suburb: b.intern(e.Suburb), city: b.intern(e.City), postcode: b.intern(e.Postcode),
		state: b.intern(e.State), country: countryNumber(e.Country), line: append([]geo.Fixed(nil), e.Line...),
	}
	if e.Extent != [2]geo.Fixed{} {
		x.extent = box{e.Extent[0].Lon, e.Extent[0].Lat, e.Extent[1].Lon, e.Extent[1].Lat}
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
	if len(x.names) == 0 && (e.Kind != POI || len(x.categories) == 0) {
		return
	}
	if e.Kind == Street {
		b.ways = append(b.ways, x)
		return
	}
	b.entries = append(b.entries, x)
}

// mostNames is how many names a place may have.
const mostNames = 64

// AddPostcode takes a postcode with its middle. What has no digit or is too long
// is none.
func (b *Builder) AddPostcode(written string, at geo.Fixed, country string) {
	if c, ok := codeOf(written); ok && onGlobe(at) {
		c.at, c.country = at, countryNumber(country)
		b.codes = append(b.codes, c)
	}
}

func codeOf(written string) (code, bool) {
	written = strings.TrimSpace(written)
	packed, n, ok := packCode(written)
	if !ok || n < 3 || !strings.ContainsAny(written, "0123456789") {
		return code{}, false
	}
	return code{packed: packed, gap: gapOf(written)}, true
}

func (b *Builder) countryAt(at geo.Fixed) uint16 {
	if b.Country == nil {
		return 0
	}
	return countryNumber(b.Country(at.Point()))
}

// planar gives a difference of positions in metres, good for a few kilometres.
func planar(a, b geo.Fixed) (dx, dy float64) {
	lon := float64(beside(b, a)-int64(a.Lon)) / 1e7
	scale := math.Cos(float64(a.Lat) / 1e7 * math.Pi / 180)
	return lon * scale * metresPerDegree, float64(int64(b.Lat)-int64(a.Lat)) / 1e7 * metresPerDegree
}

// globe is once round it, in units of geo.Fixed.
const globe = 360e7

// beside is the longitude of p in the turn round the globe that brings it nearest to o.
func beside(p, o geo.Fixed) int64 {
	switch lon := int64(p.Lon); {
	case lon-int64(o.Lon) > globe/2:
		return lon - globe
	case lon-int64(o.Lon) < -globe/2:
		return lon + globe
	default:
		return lon
	}
}

// turned is a longitude of a neighbouring turn round the globe in the one from -180 to 180 degrees.
func turned(lon int64) int32 {
	switch {
	case lon > globe/2:
		lon -= globe
	case lon < -globe/2:
		lon += globe
	}
	return int32(lon)
}

const metresPerDegree = geo.EarthRadius * math.Pi / 180

func apart(a, b geo.Fixed) float64 {
	dx, dy := planar(a, b)
	return math.Hypot(dx, dy)
}
