package photon

import (
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/wire/nominatim"
)

// Answer is places that were found.
type Answer struct {
	Type        string    `json:"type" enum:"FeatureCollection"`
	Features    []Feature `json:"features" nullable:"false" doc:"the best, or the nearest, first"`
	Attribution []string  `json:"attribution" nullable:"false" doc:"beyond Photon: whose data the places are; show it beside them"`
	Warnings    []Warning `json:"warnings,omitempty" doc:"beyond Photon: what of the question had no effect"`
}

// Warning is about what had no effect.
type Warning struct {
	Code int    `json:"code"`
	Text string `json:"text"`
}

// Feature is a place that was found.
type Feature struct {
	Type       string     `json:"type" enum:"Feature"`
	Properties Properties `json:"properties"`
	Geometry   Point      `json:"geometry"`
}

// Point is where a place is.
type Point struct {
	Type        string    `json:"type" enum:"Point"`
	Coordinates []float64 `json:"coordinates" minItems:"2" maxItems:"2" doc:"lon, lat"`
}

// Properties has the known facts of a place; others are left out.
type Properties struct {
	OSMType     string            `json:"osm_type,omitempty" enum:"N,W,R" doc:"of the object in OpenStreetMap; absent for what is none there, such as a postcode"`
	OSMID       int64             `json:"osm_id,omitempty"`
	OSMKey      string            `json:"osm_key" doc:"key of its tag"`
	OSMValue    string            `json:"osm_value" doc:"value of its tag"`
	Type        string            `json:"type" enum:"house,street,locality,district,city,county,state,country,other" doc:"house has points of interest too"`
	HouseNumber string            `json:"housenumber,omitempty"`
	Name        string            `json:"name,omitempty" doc:"absent for a house, which is its street and housenumber"`
	Street      string            `json:"street,omitempty" doc:"absent for a street, which is its name"`
	Locality    string            `json:"locality,omitempty"`
	District    string            `json:"district,omitempty"`
	City        string            `json:"city,omitempty"`
	County      string            `json:"county,omitempty"`
	State       string            `json:"state,omitempty"`
	Country     string            `json:"country,omitempty"`
	Postcode    string            `json:"postcode,omitempty"`
	CountryCode string            `json:"countrycode,omitempty" doc:"ISO 3166-1 alpha-2"`
	Extra       map[string]string `json:"extra,omitempty" doc:"of points of interest, as mapped: opening_hours, phone, website and the like"`
	Extent      []float64         `json:"extent,omitempty" minItems:"4" maxItems:"4" doc:"west, north, east, south of what is larger than a point"`
}

// objectTypes are the letters of kinds of objects.
const objectTypes = "NWR"

// Write writes an answer of places.
func Write(places []nominatim.Place, attribution []string, warnings []engine.Warning) *Answer {
	a := &Answer{Type: "FeatureCollection", Features: make([]Feature, len(places)), Attribution: attribution}
	for i := range places {
		a.Features[i] = feature(&places[i])
	}
	for _, w := range warnings {
		a.Warnings = append(a.Warnings, Warning{w.Code, w.Text})
	}
	return a
}

func feature(p *nominatim.Place) Feature {
	sort := p.Sort()
	tag := sort.Tags()[0]
	w := p.Where()
	out := Properties{
		OSMKey: tag.Key, OSMValue: tag.Value, Type: nominatim.KindOf(&sort), HouseNumber: p.House, Name: p.Name, Street: w.Street, Locality: w.Locality, District: w.District, City: w.City,
		County: w.County, State: w.State, Country: w.Country, Postcode: p.Postcode, CountryCode: p.CountryCode,
	}
	if p.Object.Number != 0 {
		out.OSMType, out.OSMID = objectTypes[p.Object.Source:p.Object.Source+1], p.Object.Number
	}
	if p.Kind == place.Address && p.House != "" {
		out.Name = ""
	}
	if p.Kind == place.Postcode {
		out.Postcode = ""
	}
	for _, d := range p.Details {
		if out.Extra == nil {
			out.Extra = map[string]string{}
		}
		out.Extra[d.Key] = d.Value
	}
	if e := p.Extent; e != nil {
		out.Extent = []float64{fine(e.Min.Lon), fine(e.Max.Lat), fine(e.Max.Lon), fine(e.Min.Lat)}
	}
	return Feature{Type: "Feature", Properties: out, Geometry: Point{"Point", []float64{fine(p.At.Lon), fine(p.At.Lat)}}}
}

// fine rounds to seven decimals, as many as the map has.
func fine(v float64) float64 { return math.Round(v*1e7) / 1e7 }
