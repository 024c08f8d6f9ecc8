// Package nominatim is the form of Nominatim: its parameters, and its answers as JSON, GeoJSON,
// GeocodeJSON and XML, with its ranks and the parts of its addresses.
package nominatim

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/wire/country"
	"github.com/waygate/waygate/wire/schema"
)

// Place is a place of an answer, with what lies around it.
type Place struct {
	place.Place
	Areas  []Area       // administrative ones that it lies in, from the country down
	Town   string       // value of place=* of the locality that it lies in; "" where unknown
	Names  []place.Name // the local one first
	Metres *float64     // from the point that was asked for; nil where none was
}

// Area is an administrative area.
type Area struct {
	Level int    // admin_level
	Name  string // in the language of the answer
	ISO   string // ISO 3166-1 alpha-2 of a country, ISO 3166-2 of a part of one; "" where unknown
}

// Part is a part of an address.
type Part struct{ Label, Text string }

// Parts is an address, the smallest part first.
type Parts []Part

// Of returns the text of a part; "" where the address has none of that label.
func (a Parts) Of(label string) string {
	for _, p := range a {
		if p.Label == label {
			return p.Text
		}
	}
	return ""
}

// MarshalJSON writes an object of the labels in their order.
func (a Parts) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, p := range a {
		if i > 0 {
			out = append(out, ',')
		}
		label, err := json.Marshal(p.Label)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(p.Text)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, label...), ':'), text...)
	}
	return append(out, '}'), nil
}

// Describe describes them.
func (Parts) Describe(*schema.Document) *schema.Schema {
	return &schema.Schema{Type: schema.Object, AdditionalProperties: &schema.Schema{Type: schema.String}}
}

// plainLabel matches texts that may be labels, which are the names of elements in XML.
var plainLabel = regexp.MustCompile(`^[a-z][a-z_]{0,39}$`)

// labelled returns a label, or place for what cannot be one.
func labelled(label string) string {
	if plainLabel.MatchString(label) {
		return label
	}
	return "place"
}

const isoLabel = "ISO3166-2-lvl"

// Levels of areas that may be towns.
const (
	townLevel = 7
	cityLevel = 8
)

// Address parts the address of a place. A place that is a part itself stands in it by its own label.
func (p *Place) Address() Parts {
	var a Parts
	add := func(label, text string) {
		if text != "" && a.Of(label) == "" {
			a = append(a, Part{label, text})
		}
	}
	sort := p.Sort()
	tag := sort.Tags()[0]
	own := rankOf(&sort, tag)
	switch p.Kind {
	case place.POI:
		add(labelled(tag.Key), p.Name)
	case place.Locality, place.Area:
		add(p.label(&sort, tag), p.Name)
	case place.Street, place.Crossing:
		add("road", p.Name)
	}
	if p.House != "" {
		add("house_number", p.House)
	} else if p.Kind == place.Address {
		add("house_name", p.Name)
	}
	if p.Kind != place.Street && p.Kind != place.Crossing {
		add("road", p.Street)
	}
	town := p.TownName()
	settled := town != "" || slices.ContainsFunc(a, func(part Part) bool { return settlements[part.Label] })
	areas := func(from, to int) {
		for _, area := range slices.Backward(p.Areas) {
			if area.Level < from || area.Level > to || 2*area.Level >= own.search && own.address != 0 || area.Name == p.Name || area.Name == town && area.Level >= townLevel {
				continue
			}
			add(labelOf(area.Level), area.Name)
			if area.ISO != "" {
				add(isoLabel+strconv.Itoa(area.Level), area.ISO)
			}
		}
	}
	areas(cityLevel+1, len(labels)-1)
	if town != "" {
		add(labelled(cmp.Or(p.Town, City)), town)
	}
	if !settled { // else they are the town again, or many towns together
		areas(townLevel, cityLevel)
	}
	areas(3, townLevel-1)
	if own.search > placeRanks[State].search && p.State != a.Of(County) {
		add(State, p.State)
	}
	add("postcode", p.Postcode)
	add("country", p.country())
	add("country_code", strings.ToLower(p.CountryCode))
	return a
}

// settlements are the labels of what people say that they live in.
var settlements = map[string]bool{"city": true, "town": true, "village": true, "hamlet": true, "municipality": true, "isolated_dwelling": true, "farm": true, "borough": true}

// label returns the label of a locality or an area in an address.
func (p *Place) label(s *place.Sort, t place.Tag) string {
	if t.Key == "place" {
		return labelled(t.Value)
	}
	return labelOf(levelOf(s.Class))
}

// TownName returns the locality that a place lies in; "" where unknown.
func (p *Place) TownName() string {
	if p.Kind == place.Locality {
		return p.Within
	}
	return p.Locality
}

// country returns the name of the country.
func (p *Place) country() string {
	for _, area := range p.Areas {
		if area.Level == 2 {
			return area.Name
		}
	}
	if p.CountryCode == "" {
		return ""
	}
	return country.Of(p.CountryCode).Name
}

// hidden are the labels of an address that no text of it has.
func hidden(label string) bool { return label == "country_code" || strings.HasPrefix(label, isoLabel) }

// text returns the address in one line.
func (a Parts) text() string {
	var all []string
	for _, part := range a {
		if !hidden(part.Label) && (len(all) == 0 || all[len(all)-1] != part.Text) {
			all = append(all, part.Text)
		}
	}
	return strings.Join(all, ", ")
}

// placeID returns the number of a place: the same as long as the place has its id, and of 53 bits,
// as many as numbers of JavaScript have.
func (p *Place) placeID() int64 {
	h := fnv.New64a()
	id := p.ID
	if id == "" {
		id = p.object() + p.Kind.String() + p.Name + strconv.FormatFloat(p.At.Lon, 'f', 7, 64) + strconv.FormatFloat(p.At.Lat, 'f', 7, 64)
	}
	_, _ = h.Write([]byte(id))
	return int64(h.Sum64()>>11) | 1
}

// object returns the object that a place is mapped as, as N240109189; "" for none.
func (p *Place) object() string {
	if p.Object.Number == 0 {
		return ""
	}
	return string("NWR"[p.Object.Source]) + strconv.FormatInt(p.Object.Number, 10)
}

var objectTypes = [...]string{place.Node: "node", place.Way: "way", place.Relation: "relation"}

// postcodeID returns how a postcode is named in exclude_place_ids; "" for all else.
func (p *Place) postcodeID() string {
	if p.Kind != place.Postcode {
		return ""
	}
	return "P" + strings.ToLower(p.CountryCode) + ":" + strings.ReplaceAll(p.Postcode, " ", "_")
}

// extents are how far in degrees places are taken to reach that are mapped as points, by their value
// of place=*. All else reaches shortExtent.
var extents = map[string]float64{
	"country": 7, "state": 2.6, "province": 2.6, "region": 1, "county": 0.7, "city": 0.16, "municipality": 0.16, "island": 0.32, "town": 0.04, "village": 0.02, "hamlet": 0.02, "district": 0.02,
	"borough": 0.02, "suburb": 0.02, "locality": 0.01, "neighbourhood": 0.01, "quarter": 0.01, "city_block": 0.01, "farm": 0.01, "postcode": 0.05,
}

const shortExtent = 0.00005

// bounds returns the box around a place. One that crosses the antimeridian is as wide as the globe,
// for clients expect the west below the east.
func (p *Place) bounds() geo.Bounds {
	if b := p.Extent; b != nil {
		if b.Min.Lon > b.Max.Lon {
			return geo.Bounds{Min: geo.Point{Lon: -180, Lat: b.Min.Lat}, Max: geo.Point{Lon: 180, Lat: b.Max.Lat}}
		}
		return *b
	}
	reach := shortExtent
	sort := p.Sort()
	if t := sort.Tags()[0]; t.Key == "place" {
		reach = cmp.Or(extents[t.Value], reach)
	} else if p.Kind == place.Area {
		reach = cmp.Or(extents[labelOf(levelOf(p.Class))], extents[Locality])
	}
	return geo.Bounds{
		Min: geo.Point{Lon: max(-180, p.At.Lon-reach), Lat: max(-90, p.At.Lat-reach)},
		Max: geo.Point{Lon: min(180, p.At.Lon+reach), Lat: min(90, p.At.Lat+reach)},
	}
}

// degrees returns a coordinate as text, with seven decimals.
func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 7, 64) }

// fine rounds to seven decimals.
func fine(v float64) float64 { return math.Round(v*1e7) / 1e7 }
