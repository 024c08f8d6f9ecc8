package nominatim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/wire/schema"
)

// Bounds of a request.
const (
	MostResults  = 40
	MostExcluded = 50
	MostObjects  = 50
)

// Output has the parts of each place that an answer has.
type Output struct {
	Format                                    string
	Address, ExtraTags, NameDetails, Geometry bool
}

// common are the parameters of all requests but format and addressdetails, whose defaults differ.
type common struct {
	Warnings schema.Warnings

	ExtraTags   bool `query:"extratags" default:"false" doc:"0 or 1: adds what else the map says of points of interest, such as opening_hours"`
	NameDetails bool `query:"namedetails" default:"false" doc:"0 or 1: adds the names in all languages; of first-party indexes"`

	AcceptLanguage string `query:"accept-language" maxLength:"200" doc:"languages of names as of the header, which counts without it; the first that is wanted most is used, and a place without a name in it has its local one"`
	Header         string // Accept-Language, whose name is that of a parameter but for its case: generators of clients make one of both

	PolygonGeoJSON bool   `query:"polygon_geojson" default:"false" doc:"0 or 1: adds the geometry, which is a point: outlines are not kept"`
	PolygonKML     bool   `query:"polygon_kml" default:"false" doc:"refused where it is 1: outlines are not kept"`
	PolygonSVG     bool   `query:"polygon_svg" default:"false" doc:"refused where it is 1"`
	PolygonText    bool   `query:"polygon_text" default:"false" doc:"refused where it is 1"`
	Threshold      string `query:"polygon_threshold" doc:"without effect: outlines are not kept"`
	Entrances      bool   `query:"entrances" default:"false" doc:"without effect: entrances are not kept"`
	Callback       string `query:"json_callback" doc:"refused: answers are JSON and never a script"`
	Email          string `query:"email" doc:"taken and not used"`
	Debug          bool   `query:"debug" default:"false" doc:"refused where it is 1"`
}

func invalid(name string, value any, format string, args ...any) error {
	return fault.Invalid(fault.Violation{Location: name, Value: value, Message: fmt.Sprintf(format, args...)})
}

// output checks what all requests have in common, and gives what the answer has.
func (c *common) output(format string, address bool) (Output, error) {
	for _, p := range []struct {
		name string
		set  bool
		why  string
	}{
		{"polygon_kml", c.PolygonKML, "asks for an outline, and outlines are not kept here; polygon_geojson gives the point"},
		{"polygon_svg", c.PolygonSVG, "asks for an outline, and outlines are not kept here; polygon_geojson gives the point"},
		{"polygon_text", c.PolygonText, "asks for an outline, and outlines are not kept here; polygon_geojson gives the point"},
		{"json_callback", c.Callback != "", "is not taken: answers are JSON, which pages of every origin may read"},
		{"debug", c.Debug, "is not taken: there is no such output here"},
	} {
		if p.set {
			return Output{}, invalid(p.name, nil, "%s", p.why)
		}
	}
	for _, p := range []struct {
		name string
		set  bool
		why  string
	}{
		{"polygon_geojson", c.PolygonGeoJSON, "gives points: outlines are not kept here"},
		{"polygon_threshold", c.Threshold != "", "had no effect: outlines are not kept here"},
		{"entrances", c.Entrances, "had no effect: entrances are not kept here"},
	} {
		if p.set {
			c.Warnings = schema.AppendWarning(c.Warnings, schema.WithoutEffect, "%s %s", p.name, p.why)
		}
	}
	return Output{format, address, c.ExtraTags, c.NameDetails, c.PolygonGeoJSON}, nil
}

// Language returns that of names as a BCP 47 tag; "" for the local ones.
func (c *common) Language() string { return Preferred(cmp.Or(c.AcceptLanguage, c.Header)) }

// languages is how many languages of a list are looked at, and longestTag how long the tag of one may
// be.
const (
	languages  = 30
	longestTag = 35
)

// Preferred returns the language that a list in the form of the header Accept-Language wants most;
// "" where it is none in particular.
func Preferred(list string) string {
	best, most := "", 0.0
	n := 0
	for one := range strings.SplitSeq(list, ",") {
		if n++; n > languages {
			break
		}
		tag, rest, _ := strings.Cut(one, ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(rest), "q="); ok {
			v, err := strconv.ParseFloat(q, 64)
			if err != nil || !(v >= 0 && v <= 1) {
				continue
			}
			weight = v
		}
		if tag = strings.TrimSpace(tag); weight > most && isTag(tag) {
			best, most = tag, weight
		}
	}
	return best
}

func isTag(s string) bool {
	if len(s) < 2 || len(s) > longestTag {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && (c >= '0' && c <= '9' || c == '-')) {
			return false
		}
	}
	return true
}

// Search is a request of /search.
type Search struct {
	common
	Format         string `query:"format" enum:"jsonv2,json,geojson,geocodejson,xml" default:"jsonv2"`
	AddressDetails bool   `query:"addressdetails" default:"false" doc:"0 or 1: adds the address by its parts"`

	Q          string `query:"q" maxLength:"500" doc:"what to look for, as of GET /geocode; or an address by its parts, in the parameters amenity to postalcode"`
	Amenity    string `query:"amenity" maxLength:"200" doc:"name or kind of a point of interest"`
	Street     string `query:"street" maxLength:"200" doc:"house number and street"`
	City       string `query:"city" maxLength:"200"`
	County     string `query:"county" maxLength:"100"`
	State      string `query:"state" maxLength:"100"`
	Country    string `query:"country" maxLength:"100" doc:"code or name; places of another country are left out where it is a code or an English name"`
	PostalCode string `query:"postalcode" maxLength:"20"`

	Limit        int       `query:"limit" default:"10" doc:"1 to 40; a number beyond counts as the nearest of these"`
	CountryCodes countries `query:"countrycodes" doc:"ISO 3166-1 of two letters, with commas between them: places elsewhere are left out"`
	Layers       layers    `query:"layer" doc:"some of address, poi, railway, natural and manmade, with commas between them"`
	FeatureType  string    `query:"featureType" enum:"country,state,city,settlement" doc:"of places that people live in"`
	Exclude      excluded  `query:"exclude_place_ids" doc:"up to 50 places to leave out, with commas between them: N, W or R with the number of an object, a place_id, or a postcode_id"`
	ViewBox      *viewBox  `query:"viewbox" doc:"lon,lat,lon,lat of two corners: what is near its middle comes earlier"`
	Bounded      bool      `query:"bounded" default:"false" doc:"0 or 1: what lies outside viewbox is left out"`
	Dedupe       bool      `query:"dedupe" default:"true" doc:"1 as always: a street is one place however many ways it is mapped as"`
}

// parts returns those of an address that a search is for, by their names.
func (s *Search) parts() []Part {
	all := []Part{{"amenity", s.Amenity}, {"street", s.Street}, {"city", s.City}, {"county", s.County}, {"state", s.State}, {"country", s.Country}, {"postalcode", s.PostalCode}}
	return slices.DeleteFunc(all, func(p Part) bool { return p.Text == "" })
}

// Structured reports whether the search is for an address by its parts.
func (s *Search) Structured() bool { return s.Q == "" }

// Asked returns the search in words.
func (s *Search) Asked() string {
	if s.Q != "" {
		return s.Q
	}
	var all []string
	for _, p := range s.parts() {
		all = append(all, p.Text)
	}
	return strings.Join(all, ", ")
}

// Output checks what depends on several parameters, and gives what the answer has.
func (s *Search) Output() (Output, error) {
	parts := s.parts()
	switch {
	case s.Q == "" && len(parts) == 0:
		return Output{}, invalid("q", nil, "is missing, and so are amenity, street, city, county, state, country and postalcode: one of them says what to look for")
	case s.Q != "" && len(parts) > 0:
		return Output{}, invalid("q", s.Q, "stands beside %s: a search is by q or by the parts of an address", parts[0].Label)
	case s.Bounded && s.ViewBox == nil:
		return Output{}, invalid("bounded", nil, "needs viewbox, which is missing")
	}
	for _, p := range parts {
		if strings.ContainsFunc(p.Text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return Output{}, invalid(p.Label, nil, "has control characters")
		}
	}
	if n := max(1, min(s.Limit, MostResults)); n != s.Limit {
		s.Warnings = schema.AppendWarning(s.Warnings, schema.WithoutEffect, "limit %d counts as %d: answers have 1 to %d places", s.Limit, n, MostResults)
		s.Limit = n
	}
	if !s.Dedupe {
		s.Warnings = schema.AppendWarning(s.Warnings, schema.WithoutEffect, "dedupe=0 had no effect: a street is one place here")
	}
	return s.output(s.Format, s.AddressDetails)
}

// Bias returns the point near which places come earlier; nil for none.
func (s *Search) Bias() *geo.Point {
	if s.ViewBox == nil {
		return nil
	}
	middle := s.ViewBox.Centre()
	return &middle
}

// Box returns the box outside of which places are left out; nil for none.
func (s *Search) Box() *geo.Bounds {
	if !s.Bounded {
		return nil
	}
	return &s.ViewBox.Bounds
}

// featureRanks are the ranks that the places of a featureType may have in a search.
var featureRanks = map[string][2]int{Country: {4, 4}, State: {8, 8}, City: {14, 18}, "settlement": {8, 20}}

// Only returns which sorts of places are wanted; nil for all.
func (s *Search) Only() place.Only {
	if len(s.CountryCodes) == 0 && len(s.Layers) == 0 && s.FeatureType == "" {
		return nil
	}
	return func(of *place.Sort) bool {
		if len(s.CountryCodes) > 0 && !slices.Contains(s.CountryCodes, of.CountryCode) {
			return false
		}
		if s.FeatureType != "" {
			ranks, r := featureRanks[s.FeatureType], rankOf(of, of.Tags()[0])
			return (of.Kind == place.Locality || of.Kind == place.Area) && r.address > 0 && r.search >= ranks[0] && r.search <= ranks[1]
		}
		return len(s.Layers) == 0 || s.Layers.has(of)
	}
}

// Excluded reports whether a place is to be left out.
func (s *Search) Excluded(p *Place) bool {
	return len(s.Exclude) > 0 && (slices.Contains(s.Exclude, strconv.FormatInt(p.placeID(), 10)) || p.reference() != "" && slices.Contains(s.Exclude, p.reference()))
}

// reference returns how a place is named in exclude_place_ids.
func (p *Place) reference() string {
	return cmp.Or(p.object(), p.postcodeID(), strconv.FormatInt(p.placeID(), 10))
}

// Reverse is a request of /reverse.
type Reverse struct {
	common
	Format         string `query:"format" enum:"xml,json,jsonv2,geojson,geocodejson" default:"xml"`
	AddressDetails bool   `query:"addressdetails" default:"true" doc:"0 or 1: the address by its parts"`

	Lat    float64 `query:"lat" required:"true" minimum:"-90" maximum:"90"`
	Lon    float64 `query:"lon" required:"true" minimum:"-180" maximum:"180"`
	Zoom   int     `query:"zoom" default:"18" doc:"how exact: 3 a country, 5 a state, 8 a county, 10 a city, 12 a town, 13 a village or suburb, 14 a neighbourhood, 15 any settlement, 16 a street, 17 a smaller one, 18 a house"`
	Layers layers  `query:"layer" doc:"some of address, poi, railway, natural and manmade, with commas between them; address and poi without it"`
}

// Output returns what the answer has.
func (r *Reverse) Output() (Output, error) {
	if len(r.Layers) == 0 {
		r.Layers = layers{addressLayer, poiLayer}
	}
	return r.output(r.Format, r.AddressDetails)
}

// zoomRanks are the ranks of search that a zoom goes down to.
var zoomRanks = [...]int{2, 2, 2, 4, 4, 8, 10, 10, 12, 12, 16, 17, 18, 19, 22, 25, 26, 27, 30}

// rank returns the largest rank of search of what the answer may be.
func (r *Reverse) rank() int { return zoomRanks[max(0, min(r.Zoom, len(zoomRanks)-1))] }

// Plain reports whether any place is wanted as it is by default.
func (r *Reverse) Plain() bool {
	return r.rank() == house.search && len(r.Layers) == 2 && slices.Contains(r.Layers, addressLayer) && slices.Contains(r.Layers, poiLayer)
}

// Step is one of the questions that an answer of reverse is looked for with, the first that finds
// something.
type Step struct {
	Only   place.Only
	Kinds  place.Kinds
	Metres float64
	Most   int // candidates
}

// Distances in metres within which an answer of reverse lies.
const (
	houseReach  = 100
	streetReach = 600
	townReach   = 15_000
	themeReach  = 2_500 // of layers other than address and poi
	candidates  = 30
)

// Steps returns those of the request: houses and points of interest, then streets, then localities.
// A locality counts where Fits says so.
func (r *Reverse) Steps() []Step {
	most := r.rank()
	fits := func(s *place.Sort) bool { return rankOf(s, s.Tags()[0]).search <= most && r.Layers.has(s) }
	themes := slices.DeleteFunc(slices.Clone(r.Layers), func(l string) bool { return l == addressLayer })
	var all []Step
	if most == house.search {
		all = append(all, Step{Only: fits, Kinds: place.Of(place.Address, place.POI), Metres: houseReach, Most: 1})
	}
	if slices.Contains(r.Layers, addressLayer) {
		if most >= 26 {
			all = append(all, Step{Only: fits, Kinds: place.Of(place.Street), Metres: streetReach, Most: 1})
		}
		if most >= 14 {
			all = append(all, Step{Only: fits, Kinds: place.Of(place.Locality), Metres: townReach, Most: candidates})
		}
	}
	if len(themes) > 0 {
		all = append(all, Step{Only: fits, Kinds: place.Of(place.POI), Metres: themeReach, Most: 1})
	}
	return all
}

// reaches are how far in metres localities reach, by their rank of search from which on it holds.
var reaches = []struct {
	rank   int
	metres float64
}{{21, 500}, {20, 1000}, {19, 2000}, {17, 4000}, {0, townReach}}

// Best chooses among places of a step, the nearest first, the one that the point is in: the smallest
// locality that reaches so far. ok is false where none does.
func (r *Reverse) Best(all []Place) (best *Place, ok bool) {
	least := 0
	for i := range all {
		p := &all[i]
		if p.Kind != place.Locality {
			return p, true
		}
		sort := p.Sort()
		rank := rankOf(&sort, sort.Tags()[0]).search
		for _, reach := range reaches {
			if rank >= reach.rank {
				if p.Metres != nil && *p.Metres <= reach.metres && rank > least {
					best, least = p, rank
				}
				break
			}
		}
	}
	return best, best != nil
}

// Level returns the largest admin_level of areas that the answer may be; 0 where it may be none.
func (r *Reverse) Level() int {
	if !slices.Contains(r.Layers, addressLayer) {
		return 0
	}
	return min(r.rank(), 24) / 2
}

// Asked returns the point in words.
func (r *Reverse) Asked() string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	return "lat=" + number(r.Lat) + "&lon=" + number(r.Lon)
}

// Lookup is a request of /lookup.
type Lookup struct {
	common
	Format         string  `query:"format" enum:"xml,json,jsonv2,geojson,geocodejson" default:"xml"`
	AddressDetails bool    `query:"addressdetails" default:"true" doc:"0 or 1: the address by its parts"`
	IDs            objects `query:"osm_ids" required:"true" doc:"up to 50 objects of OpenStreetMap with commas between them: N, W or R and the number"`
}

// Output returns what the answer has.
func (l *Lookup) Output() (Output, error) { return l.output(l.Format, l.AddressDetails) }

// Objects returns those that are looked for.
func (l *Lookup) Objects() []place.Object { return l.IDs }

// Asked returns the search in words.
func (l *Lookup) Asked() string {
	var all []string
	for _, o := range l.IDs {
		p := Place{Place: place.Place{Object: o}}
		all = append(all, p.object())
	}
	return strings.Join(all, ",")
}

// Status is a request of /status.
type Status struct {
	Warnings schema.Warnings
	Format   string `query:"format" enum:"text,json" default:"text"`
}
