// Package photon is the form of komoot's Photon: its parameters and its GeoJSON.
package photon

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/wire/country"
	"github.com/waygate/waygate/wire/nominatim"
	"github.com/waygate/waygate/wire/schema"
)

// Bounds of a request.
const (
	MostResults   = 40
	mostKilometre = 100
)

// common are the parameters of all requests but limit, whose default differs.
type common struct {
	Warnings schema.Warnings

	Lang   string `query:"lang" maxLength:"35" doc:"language of names, or default for the local ones; without it the header Accept-Language counts. A place without a name in it has its local one"`
	Header string // Accept-Language

	Tags   []tagFilter `query:"osm_tag" maxItems:"20" doc:"key, key:value, :value, !key, !key:value, :!value or key:!value. Places that meet one of those without ! are wanted, and none that meets one with it"`
	Layers []string    `query:"layer" maxItems:"9" enum:"house,street,locality,district,city,county,state,country,other" doc:"kinds of places, as the member type of each has it; house has points of interest too"`

	Include  []string `query:"include" maxItems:"20" doc:"refused: there are no such categories here; osm_tag filters by tags"`
	Exclude  []string `query:"exclude" maxItems:"20" doc:"likewise"`
	Dedupe   bool     `query:"dedupe" default:"true" doc:"1 as always: a street is one place however many ways it is mapped as"`
	Geometry bool     `query:"geometry" default:"false" doc:"without effect: outlines are not kept"`
	Debug    bool     `query:"debug" default:"false" doc:"without effect"`
}

func invalid(name string, value any, format string, args ...any) error {
	return fault.Invalid(fault.Violation{Location: name, Value: value, Message: fmt.Sprintf(format, args...)})
}

// check checks what all requests have in common, and gives the limit that counts.
func (c *common) check(limit int) (int, error) {
	for name, values := range map[string][]string{"include": c.Include, "exclude": c.Exclude} {
		if len(values) > 0 {
			return 0, invalid(name, values[0], "is not taken: there are no such categories here; osm_tag filters by tags")
		}
	}
	c.ignore("dedupe=0", !c.Dedupe, "had no effect: a street is one place here")
	c.ignore("geometry", c.Geometry, "had no effect: outlines are not kept here")
	c.ignore("debug", c.Debug, "had no effect: there is no such output here")
	n := max(1, min(limit, MostResults))
	if n != limit {
		c.Warnings = schema.AppendWarning(c.Warnings, schema.WithoutEffect, "limit %d counts as %d: answers have 1 to %d places", limit, n, MostResults)
	}
	return n, nil
}

// ignore warns of a parameter that was set and has no effect.
func (c *common) ignore(name string, set bool, why string) {
	if set {
		c.Warnings = schema.AppendWarning(c.Warnings, schema.WithoutEffect, "%s %s", name, why)
	}
}

// Language returns that of names as a BCP 47 tag; "" for the local ones.
func (c *common) Language() string {
	if c.Lang == "default" {
		return ""
	}
	return nominatim.Preferred(cmp.Or(c.Lang, c.Header))
}

// only gives which sorts of places are wanted, of some countries where any are given; nil for all.
func (c *common) only(countries []string) place.Only {
	if len(c.Tags) == 0 && len(c.Layers) == 0 && len(countries) == 0 {
		return nil
	}
	return func(s *place.Sort) bool {
		return (len(countries) == 0 || slices.Contains(countries, s.CountryCode)) &&
			(len(c.Layers) == 0 || slices.Contains(c.Layers, nominatim.KindOf(s))) && wanted(c.Tags, s.Tags())
	}
}

// search are the parameters of both ways to search.
type search struct {
	common
	Limit int      `query:"limit" default:"15" doc:"1 to 40; a number beyond counts as the nearest of these"`
	Lat   *float64 `query:"lat" minimum:"-90" maximum:"90" doc:"with lon: what is near comes earlier, and nothing is left out for being far"`
	Lon   *float64 `query:"lon" minimum:"-180" maximum:"180"`
	BBox  *box     `query:"bbox" doc:"minLon,minLat,maxLon,maxLat: what lies outside is left out; minLon above maxLon crosses the antimeridian"`

	Zoom    *int     `query:"zoom" doc:"without effect: nearness counts alike at every zoom"`
	Scale   *float64 `query:"location_bias_scale" doc:"without effect"`
	Suggest bool     `query:"suggest_addresses" default:"false" doc:"without effect: house numbers are found where they are typed"`
}

// check checks what depends on several parameters.
func (s *search) check() (err error) {
	switch {
	case s.Lat != nil && s.Lon == nil:
		return invalid("lon", nil, "is missing: lat and lon stand together")
	case s.Lon != nil && s.Lat == nil:
		return invalid("lat", nil, "is missing: lat and lon stand together")
	}
	s.ignore("zoom", s.Zoom != nil, "had no effect: nearness counts alike at every zoom")
	s.ignore("location_bias_scale", s.Scale != nil, "had no effect: nearness and importance count as they always do")
	s.ignore("suggest_addresses", s.Suggest, "had no effect: house numbers are found where they are typed")
	s.Limit, err = s.common.check(s.Limit)
	return err
}

// Bias returns the point near which places come earlier; nil for none.
func (s *search) Bias() *geo.Point {
	if s.Lat == nil {
		return nil
	}
	return &geo.Point{Lon: *s.Lon, Lat: *s.Lat}
}

// Box returns the box outside of which places are left out; nil for none.
func (s *search) Box() *geo.Bounds {
	if s.BBox == nil {
		return nil
	}
	return &s.BBox.Bounds
}

// Search is a request of /api.
type Search struct {
	search
	Q         string      `query:"q" required:"true" maxLength:"500" doc:"what to look for, as of GET /geocode/suggest: the last word may be the beginning of one"`
	Countries []countries `query:"countrycode" maxItems:"60" doc:"ISO 3166-1 of two letters: places elsewhere are left out"`
}

// Check checks what depends on several parameters.
func (s *Search) Check() error { return s.check() }

// Only returns which sorts of places are wanted; nil for all.
func (s *Search) Only() place.Only {
	var codes []string
	for _, c := range s.Countries {
		codes = append(codes, c...)
	}
	return s.only(codes)
}

// Structured is a request of /structured.
type Structured struct {
	search
	CountryCode string `query:"countrycode" minLength:"2" maxLength:"2" doc:"ISO 3166-1 of two letters: places elsewhere are left out"`
	State       string `query:"state" maxLength:"100"`
	County      string `query:"county" maxLength:"100"`
	City        string `query:"city" maxLength:"200"`
	Postcode    string `query:"postcode" maxLength:"20"`
	District    string `query:"district" maxLength:"200" doc:"part of a city"`
	HouseNumber string `query:"housenumber" maxLength:"20" doc:"with street, city or district"`
	Street      string `query:"street" maxLength:"200"`
}

// Check checks what depends on several parameters.
func (s *Structured) Check() error {
	if s.CountryCode != "" {
		code, ok := country.Find(s.CountryCode)
		if !ok {
			return invalid("countrycode", s.CountryCode, "is no code of a country in two letters, such as GB")
		}
		s.CountryCode = code
	}
	some := false
	for _, part := range []struct{ name, text string }{
		{"state", s.State}, {"county", s.County}, {"city", s.City}, {"postcode", s.Postcode}, {"district", s.District}, {"street", s.Street}, {"housenumber", s.HouseNumber},
	} {
		if strings.ContainsFunc(part.text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return invalid(part.name, nil, "has control characters")
		}
		some = some || part.text != "" && part.name != "housenumber"
	}
	switch {
	case !some && s.HouseNumber == "" && s.CountryCode == "":
		return invalid("street", nil, "is missing, and so is every other part: at least one of countrycode, state, county, city, postcode, district and street says what to look for")
	case s.HouseNumber != "" && s.Street == "" && s.City == "" && s.District == "":
		return invalid("street", nil, "is missing: a housenumber needs one, or a city or district whose houses are numbered without streets")
	}
	return s.check()
}

// Only returns which sorts of places are wanted; nil for all.
func (s *Structured) Only() place.Only { return s.only(nil) }

// Reverse is a request of /reverse.
type Reverse struct {
	common
	Limit  int     `query:"limit" default:"1" doc:"1 to 40; a number beyond counts as the nearest of these"`
	Lat    float64 `query:"lat" required:"true" minimum:"-90" maximum:"90"`
	Lon    float64 `query:"lon" required:"true" minimum:"-180" maximum:"180"`
	Radius float64 `query:"radius" default:"1" minimum:"0" maximum:"5000" doc:"kilometres around the point; more than 100 counts as 100"`
	Sort   bool    `query:"distance_sort" default:"true" doc:"true as always: the nearest comes first"`
	Filter string  `query:"query_string_filter" doc:"refused: there is no such language here; osm_tag and layer filter"`
}

// Check checks what depends on several parameters.
func (r *Reverse) Check() (err error) {
	if r.Filter != "" {
		return invalid("query_string_filter", r.Filter, "is not taken: there is no such language here; osm_tag and layer filter")
	}
	r.ignore("distance_sort=false", !r.Sort, "had no effect: the nearest comes first")
	if r.Radius > mostKilometre {
		r.Warnings = schema.AppendWarning(r.Warnings, schema.WithoutEffect, "radius %s counts as %d: nothing is looked for farther away", strconv.FormatFloat(r.Radius, 'f', -1, 64), mostKilometre)
		r.Radius = mostKilometre
	}
	r.Limit, err = r.common.check(r.Limit)
	return err
}

// Only returns which sorts of places are wanted; nil for all.
func (r *Reverse) Only() place.Only { return r.only(nil) }

// tagFilter is a filter by the tag that a place is mapped by, as a parameter.
type tagFilter struct {
	key, value string // "" is any
	not        bool   // places that meet it are left out
	butValue   bool   // places with the key and another value are wanted
}

// UnmarshalText reads it.
func (f *tagFilter) UnmarshalText(text []byte) error {
	const longest = 100
	errForm := errors.New("must be key, key:value, :value, !key, !key:value, :!value or key:!value")
	if len(text) > longest {
		return errForm
	}
	key, value, both := strings.Cut(string(text), ":")
	notKey := strings.HasPrefix(key, "!")
	notValue := strings.HasPrefix(value, "!")
	f.key, f.value = strings.TrimSpace(strings.TrimPrefix(key, "!")), strings.TrimSpace(strings.TrimPrefix(value, "!"))
	f.butValue = f.key != "" && !notKey && notValue
	f.not = !f.butValue && (notKey || notValue)
	if strings.Contains(value, ":") || both && f.value == "" || !both && f.key == "" {
		return errForm
	}
	return nil
}

// meets reports whether a tag is one of those that the filter is about.
func (f *tagFilter) meets(t place.Tag) bool {
	if f.butValue {
		return t.Key == f.key && t.Value != f.value
	}
	return (f.key == "" || t.Key == f.key) && (f.value == "" || t.Value == f.value)
}

// wanted reports whether a place with tags passes all filters.
func wanted(filters []tagFilter, tags []place.Tag) bool {
	some, met := false, false
	for i := range filters {
		f := &filters[i]
		hit := slices.ContainsFunc(tags, f.meets)
		if f.not {
			if hit {
				return false
			}
			continue
		}
		some, met = true, met || hit
	}
	return met || !some
}

// countries are codes of countries as a parameter.
type countries []string

// UnmarshalText reads them.
func (c *countries) UnmarshalText(text []byte) error {
	code, ok := country.Find(string(text))
	if len(text) != 2 || !ok {
		return fmt.Errorf("is %q, which is no code of a country in two letters, such as GB", fault.Clip(string(text)))
	}
	*c = countries{code}
	return nil
}

// box is a box as a parameter.
type box struct{ geo.Bounds }

// UnmarshalText reads it.
func (b *box) UnmarshalText(text []byte) error {
	errForm := errors.New("must be minLon,minLat,maxLon,maxLat in degrees: longitudes from -180 to 180, latitudes from -90 to 90")
	parts := strings.SplitN(string(text), ",", 5)
	if len(parts) != 4 {
		return errForm
	}
	var v [4]float64
	for i, part := range parts {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil {
			return errForm
		}
	}
	b.Bounds = geo.Bounds{Min: geo.Point{Lon: v[0], Lat: v[1]}, Max: geo.Point{Lon: v[2], Lat: v[3]}}
	switch {
	case !b.Min.Valid() || !b.Max.Valid():
		return errForm
	case b.Min.Lat > b.Max.Lat:
		return fmt.Errorf("has minLat %g above maxLat %g; only longitudes may be turned round, where the box crosses the antimeridian", b.Min.Lat, b.Max.Lat)
	}
	return nil
}
