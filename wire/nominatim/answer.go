package nominatim

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// Formats of answers.
const (
	XML         = "xml"
	JSON        = "json"
	JSONv2      = "jsonv2"
	GeoJSON     = "geojson"
	GeocodeJSON = "geocodejson"
)

// NotFound is the text in the answer of reverse where there is nothing.
const NotFound = "Unable to geocode"

// Result is a place in an answer of format json or jsonv2.
type Result struct {
	PlaceID     int64             `json:"place_id" doc:"the same as long as the place is mapped as the same thing; of no use at another server"`
	Licence     string            `json:"licence" doc:"whose data the place is; show it beside it"`
	OSMType     string            `json:"osm_type,omitempty" enum:"node,way,relation" doc:"of the object in OpenStreetMap; absent for what is none there, such as a postcode"`
	OSMID       int64             `json:"osm_id,omitempty"`
	PostcodeID  string            `json:"postcode_id,omitempty" doc:"of a postcode, for exclude_place_ids"`
	Lat         string            `json:"lat"`
	Lon         string            `json:"lon"`
	Class       string            `json:"class,omitempty" doc:"key of its tag; format json only"`
	Category    string            `json:"category,omitempty" doc:"key of its tag; format jsonv2 only"`
	Type        string            `json:"type" doc:"value of its tag"`
	PlaceRank   int               `json:"place_rank" minimum:"0" maximum:"30" doc:"how large it is by Nominatim's scheme: 4 a country, 16 a city, 26 a street, 30 a house"`
	Importance  float64           `json:"importance" minimum:"0" maximum:"1" decimals:"5" doc:"as of GET /geocode"`
	AddressType string            `json:"addresstype" doc:"its own label in address"`
	Name        string            `json:"name" doc:"empty for a house"`
	DisplayName string            `json:"display_name"`
	Address     Parts             `json:"address,omitempty" doc:"by labels: house_number, road, suburb, city, town or village, county, state, ISO3166-2-lvl4, postcode, country, country_code and others"`
	ExtraTags   map[string]string `json:"extratags,omitzero" doc:"with extratags=1: of points of interest, as mapped"`
	NameDetails map[string]string `json:"namedetails,omitzero" doc:"with namedetails=1: name, and name:xx by languages"`
	BoundingBox []string          `json:"boundingbox" minItems:"4" maxItems:"4" doc:"south, north, west, east"`
	GeoJSON     *Point            `json:"geojson,omitempty" doc:"with polygon_geojson=1: a point, for outlines are not kept"`
}

// Reversed describes every answer of reverse: the members of a Result with format json and jsonv2,
// those of a Collection with geojson and geocodejson, and error alone where there is nothing.
// Generators of clients cannot distinguish objects with a member of one name and two types.
type Reversed struct {
	Error     string     `json:"error,omitempty" doc:"Unable to geocode: there is nothing. It stands alone"`
	Geocoding *Geocoding `json:"geocoding,omitempty" doc:"of format geocodejson"`
	Features  []Feature  `json:"features,omitempty" doc:"of formats geojson and geocodejson"`

	PlaceID     int64             `json:"place_id,omitempty"`
	Licence     string            `json:"licence,omitempty"`
	OSMType     string            `json:"osm_type,omitempty" enum:"node,way,relation"`
	OSMID       int64             `json:"osm_id,omitempty"`
	PostcodeID  string            `json:"postcode_id,omitempty"`
	Lat         string            `json:"lat,omitempty"`
	Lon         string            `json:"lon,omitempty"`
	Class       string            `json:"class,omitempty"`
	Category    string            `json:"category,omitempty"`
	Type        string            `json:"type,omitempty"`
	PlaceRank   int               `json:"place_rank,omitempty" minimum:"0" maximum:"30"`
	Importance  float64           `json:"importance,omitempty" minimum:"0" maximum:"1" decimals:"5"`
	AddressType string            `json:"addresstype,omitempty"`
	Name        string            `json:"name,omitempty"`
	DisplayName string            `json:"display_name,omitempty"`
	Address     Parts             `json:"address,omitempty"`
	ExtraTags   map[string]string `json:"extratags,omitzero"`
	NameDetails map[string]string `json:"namedetails,omitzero"`
	BoundingBox []string          `json:"boundingbox,omitempty" minItems:"4" maxItems:"4"`
	GeoJSON     *Point            `json:"geojson,omitempty"`
}

// Point is where a place is.
type Point struct {
	Type        string    `json:"type" enum:"Point"`
	Coordinates []float64 `json:"coordinates" minItems:"2" maxItems:"2" doc:"lon, lat"`
}

// Nothing is the answer of reverse where there is nothing.
type Nothing struct {
	Error string `json:"error" doc:"Unable to geocode"`
}

// Collection is an answer of format geojson or geocodejson. They are one type, for generators of
// clients only distinguish a list from an object.
type Collection struct {
	Type      string     `json:"type" enum:"FeatureCollection"`
	Licence   string     `json:"licence,omitempty" doc:"of format geojson"`
	Geocoding *Geocoding `json:"geocoding,omitempty" doc:"of format geocodejson: about the answer"`
	Features  []Feature  `json:"features" nullable:"false"`
}

// Geocoding is about the answer.
type Geocoding struct {
	Version     string `json:"version" doc:"of GeocodeJSON"`
	Attribution string `json:"attribution"`
	Licence     string `json:"licence"`
	Query       string `json:"query,omitempty"`
}

// Feature is a place in it.
type Feature struct {
	Type       string     `json:"type" enum:"Feature"`
	Properties Properties `json:"properties"`
	BBox       []float64  `json:"bbox,omitempty" minItems:"4" maxItems:"4" doc:"west, south, east, north; of format geojson"`
	Geometry   Point      `json:"geometry"`
}

// Properties are as the members of a Result with format geojson, and geocoding alone with
// geocodejson.
type Properties struct {
	PlaceID     int64              `json:"place_id,omitempty"`
	OSMType     string             `json:"osm_type,omitempty" enum:"node,way,relation"`
	OSMID       int64              `json:"osm_id,omitempty"`
	PostcodeID  string             `json:"postcode_id,omitempty"`
	PlaceRank   int                `json:"place_rank,omitempty" minimum:"0" maximum:"30"`
	Category    string             `json:"category,omitempty"`
	Type        string             `json:"type,omitempty"`
	Importance  *float64           `json:"importance,omitempty" minimum:"0" maximum:"1" decimals:"5"`
	AddressType string             `json:"addresstype,omitempty"`
	Name        *string            `json:"name,omitempty"`
	DisplayName string             `json:"display_name,omitempty"`
	Address     Parts              `json:"address,omitempty"`
	ExtraTags   map[string]string  `json:"extratags,omitzero"`
	NameDetails map[string]string  `json:"namedetails,omitzero"`
	Geocoding   *GeocodeProperties `json:"geocoding,omitempty"`
}

// GeocodeProperties has the known facts of a place.
type GeocodeProperties struct {
	PlaceID     int64             `json:"place_id"`
	OSMType     string            `json:"osm_type,omitempty" enum:"node,way,relation"`
	OSMID       int64             `json:"osm_id,omitempty"`
	PostcodeID  string            `json:"postcode_id,omitempty"`
	OSMKey      string            `json:"osm_key"`
	OSMValue    string            `json:"osm_value"`
	Type        string            `json:"type" enum:"house,street,locality,district,city,county,state,country"`
	Accuracy    *int              `json:"accuracy,omitempty" doc:"of reverse: whole metres from the point asked for"`
	Label       string            `json:"label"`
	Name        string            `json:"name,omitempty"`
	HouseNumber string            `json:"housenumber,omitempty"`
	Street      string            `json:"street,omitempty"`
	Locality    string            `json:"locality,omitempty"`
	District    string            `json:"district,omitempty"`
	Postcode    string            `json:"postcode,omitempty"`
	City        string            `json:"city,omitempty"`
	County      string            `json:"county,omitempty"`
	State       string            `json:"state,omitempty"`
	Country     string            `json:"country,omitempty"`
	CountryCode string            `json:"country_code,omitempty"`
	Admin       map[string]string `json:"admin,omitzero" doc:"with addressdetails=1: names of the areas around by level and admin_level"`
	Extra       map[string]string `json:"extra,omitzero"`
}

// Answer is places in the form that was asked for.
type Answer struct {
	Kind        string // Search, Reverse or Lookup, by their names in URLs
	Output      Output
	Places      []Place
	Attribution []string
	Query       string   // what was asked for, in words
	Excluded    []string // places that the question left out
	Now         time.Time
}

// osmAttribution is whose data the places are of whom only that is known that they are
// OpenStreetMap's; it stands for shortAttribution.
const (
	osmAttribution   = "Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright"
	shortAttribution = "© OpenStreetMap contributors"
)

func (a *Answer) licence() string {
	all := slices.Clone(a.Attribution)
	for i := range all {
		if all[i] == shortAttribution {
			all[i] = osmAttribution
		}
	}
	return cmp.Or(strings.Join(all, "; "), osmAttribution)
}

// Write returns the answer as text, and its media type.
func (a *Answer) Write() (body []byte, media string, err error) {
	const jsonMedia = "application/json"
	if a.Output.Format == XML {
		return append(a.writeXML(), '\n'), "text/xml; charset=utf-8", nil
	}
	var v any
	switch {
	case a.Kind == "reverse" && len(a.Places) == 0:
		v = Nothing{NotFound}
	case a.Output.Format == GeoJSON:
		v = a.collection()
	case a.Output.Format == GeocodeJSON:
		v = a.geocodeCollection()
	default:
		all := make([]Result, len(a.Places))
		for i := range a.Places {
			all[i] = a.result(&a.Places[i])
		}
		if v = all; a.Kind == "reverse" {
			v = all[0]
		}
	}
	body, err = json.Marshal(v)
	return append(body, '\n'), jsonMedia, err
}

// shared has the members that every format has of a place.
type shared struct {
	tag     place.Tag
	rank    rank
	address Parts
	name    string
	display string
	kind    string
}

func (p *Place) shared() shared {
	sort := p.Sort()
	t := shared{tag: sort.Tags()[0], address: p.Address(), name: p.Name}
	t.rank = rankOf(&sort, t.tag)
	if p.Kind == place.Address && p.House != "" {
		t.name = ""
	}
	t.display = t.address.text()
	switch p.Kind {
	case place.Postcode:
		t.kind = "postcode"
	case place.Locality, place.Area:
		t.kind = p.label(&sort, t.tag)
	case place.Street, place.Crossing:
		t.kind = "road"
	default:
		t.kind = labelled(t.tag.Key)
	}
	return t
}

func (p *Place) osm() (kind string, id int64) {
	if p.Object.Number == 0 {
		return "", 0
	}
	return objectTypes[p.Object.Source], p.Object.Number
}

// extra returns the attributes of a place; nil where it has none.
func (p *Place) extra() map[string]string {
	var all map[string]string
	put := func(key, value string) {
		if all == nil {
			all = map[string]string{}
		}
		all[key] = value
	}
	for _, d := range p.Details {
		put(d.Key, d.Value)
	}
	if level := levelOf(p.Class); level > 0 {
		put("admin_level", strconv.Itoa(level))
	}
	return all
}

// named returns the names of a place by the keys of their tags; nil where none is known.
func (p *Place) named() map[string]string {
	var all map[string]string
	for _, n := range p.Names {
		key := "name"
		if n.Lang != "" {
			key += ":" + n.Lang
		}
		if all == nil {
			all = map[string]string{}
		}
		if _, known := all[key]; !known {
			all[key] = n.Text
		}
	}
	return all
}

// asked returns what was asked for, empty where there is none of it, and nil for the rest.
func asked(wanted bool, of map[string]string) map[string]string {
	switch {
	case !wanted:
		return nil
	case of == nil:
		return map[string]string{}
	}
	return of
}

func (a *Answer) result(p *Place) Result {
	t := p.shared()
	kind, id := p.osm()
	box := p.bounds()
	r := Result{
		PlaceID: p.placeID(), Licence: a.licence(), OSMType: kind, OSMID: id, PostcodeID: p.postcodeID(), Lat: degrees(p.At.Lat), Lon: degrees(p.At.Lon), Type: t.tag.Value, PlaceRank: t.rank.search,
		Importance: importance(p), AddressType: t.kind, Name: t.name, DisplayName: t.display,
		BoundingBox: []string{degrees(box.Min.Lat), degrees(box.Max.Lat), degrees(box.Min.Lon), degrees(box.Max.Lon)},
		ExtraTags:   asked(a.Output.ExtraTags, p.extra()), NameDetails: asked(a.Output.NameDetails, p.named()),
	}
	if a.Output.Format == JSON {
		r.Class = t.tag.Key
	} else {
		r.Category = t.tag.Key
	}
	if a.Output.Address {
		r.Address = t.address
	}
	if a.Output.Geometry {
		r.GeoJSON = point(p.At)
	}
	return r
}

func (a *Answer) collection() *Collection {
	c := &Collection{Type: "FeatureCollection", Licence: a.licence(), Features: make([]Feature, len(a.Places))}
	for i := range a.Places {
		p := &a.Places[i]
		t := p.shared()
		kind, id := p.osm()
		box := p.bounds()
		f := Feature{
			Type: "Feature", Geometry: *point(p.At), BBox: []float64{fine(box.Min.Lon), fine(box.Min.Lat), fine(box.Max.Lon), fine(box.Max.Lat)},
			Properties: Properties{
				PlaceID: p.placeID(), OSMType: kind, OSMID: id, PostcodeID: p.postcodeID(), PlaceRank: t.rank.search, Category: t.tag.Key, Type: t.tag.Value, Importance: new(importance(p)), AddressType: t.kind,
				Name: &t.name, DisplayName: t.display, ExtraTags: asked(a.Output.ExtraTags, p.extra()), NameDetails: asked(a.Output.NameDetails, p.named()),
			},
		}
		if a.Output.Address {
			f.Properties.Address = t.address
		}
		c.Features[i] = f
	}
	return c
}

func (a *Answer) geocodeCollection() *Collection {
	c := &Collection{
		Type: "FeatureCollection", Features: make([]Feature, len(a.Places)),
		Geocoding: &Geocoding{Version: "0.1.0", Attribution: a.licence(), Licence: "ODbL", Query: a.Query},
	}
	for i := range a.Places {
		p := &a.Places[i]
		t := p.shared()
		kind, id := p.osm()
		g := GeocodeProperties{
			PlaceID: p.placeID(), OSMType: kind, OSMID: id, PostcodeID: p.postcodeID(), OSMKey: t.tag.Key, OSMValue: t.tag.Value, Type: kindOf(max(3, t.rank.address)), Label: t.display, Name: t.name,
			Extra: asked(a.Output.ExtraTags, p.extra()),
		}
		if g.Type == Other {
			g.Type = Locality
		}
		if p.Metres != nil {
			whole := int(*p.Metres)
			g.Accuracy = &whole
		}
		if a.Output.Address {
			w := p.Where()
			g.HouseNumber, g.Street, g.Locality, g.District, g.City, g.County, g.State = p.House, w.Street, w.Locality, w.District, w.City, w.County, w.State
			g.Postcode, g.Country, g.CountryCode = p.Postcode, w.Country, strings.ToLower(p.CountryCode)
			g.Admin = map[string]string{}
			for _, area := range p.Areas {
				g.Admin["level"+strconv.Itoa(area.Level)] = area.Name
			}
		}
		c.Features[i] = Feature{Type: "Feature", Geometry: *point(p.At), Properties: Properties{Geocoding: &g}}
	}
	return c
}

// importance returns that of a place, in five digits.
func importance(p *Place) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(p.Importance, 'f', 5, 64), 64)
	return v
}

func point(at geo.Point) *Point {
	return &Point{"Point", []float64{fine(at.Lon), fine(at.Lat)}}
}
