// Package geocoded has the answers of the geocoder as GeoJSON.
package geocoded

import (
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
)

// Kind is a kind of places.
type Kind struct {
	Name       string   `json:"name" doc:"what people say for it, in the language that was typed: petrol station"`
	Categories []string `json:"categories" nullable:"false" doc:"what such places are, the most fitting first; one with a plus sign stands for places that have both"`
}

// Feature is a place that was found.
type Feature struct {
	Type       string     `json:"type" enum:"Feature"`
	Geometry   Point      `json:"geometry"`
	Properties Properties `json:"properties"`
}

// Point is where a place is.
type Point struct {
	Type        string    `json:"type" enum:"Point"`
	Coordinates []float64 `json:"coordinates" minItems:"2" maxItems:"2" nullable:"false" doc:"lon, lat"`
}

// Properties has the known facts of a place; others are left out.
type Properties struct {
	ID          string            `json:"id,omitempty" doc:"of GET /geocode/retrieve; the same in every rebuild of the data while the place is mapped as the same thing. Only of first-party indexes"`
	Name        string            `json:"name" doc:"in the language that was asked for where the place has one in it; of an address the number and street as they are written there"`
	Type        string            `json:"type" enum:"address,street,locality,poi,postcode,area,crossing,coordinate" doc:"area is an administrative one above a locality, crossing where two streets meet, coordinate what was typed as coordinates; these three are extensions"`
	CountryCode string            `json:"countrycode,omitempty" doc:"ISO 3166-1 alpha-2"`
	HouseNumber string            `json:"housenumber,omitempty"`
	Unit        string            `json:"unit,omitempty" doc:"an extension: the part of the building that q names, as typed, such as Flat 3; whether the building has it is not known"`
	Street      string            `json:"street,omitempty"`
	City        string            `json:"city,omitempty" doc:"the city, town or village that it lies in"`
	Postcode    string            `json:"postcode,omitempty"`
	State       string            `json:"state,omitempty" doc:"the subdivision of its country"`
	Categories  []string          `json:"categories,omitempty" doc:"what it is, the most specific first: values and keys of OpenStreetMap's tags"`
	Distance    *float64          `json:"distance_m,omitempty" doc:"metres from the point asked for, straight"`
	Recent      bool              `json:"recent,omitempty" doc:"an extension, of suggestions: the key picked it before, and has that remembered"`
	OpenNow     bool              `json:"open_now,omitempty" doc:"an extension: true for a point of interest that is open at the moment by its opening hours as mapped, where the question asks for what is open; left out where they are not known"`
	Details     map[string]string `json:"details,omitempty" doc:"of points of interest, as mapped: opening_hours, phone, website, iata and the like"`

	Score      *float64  `json:"score,omitempty" minimum:"0" maximum:"1" doc:"an extension: how good a hit it is"`
	Match      *Match    `json:"match,omitempty" doc:"an extension: how the place meets what was asked for"`
	Importance float64   `json:"importance,omitempty" decimals:"4" doc:"an extension: 0 to 1"`
	Extent     []float64 `json:"extent,omitempty" minItems:"4" maxItems:"4" doc:"an extension, of what is larger than a point: minLon, minLat, maxLon, maxLat"`
	HubOf      string    `json:"hub_of,omitempty" doc:"an extension: id of the city above it, whose transport hub it is listed as"`
}

// Match is how a place meets what was asked for, by parts: matched where it was asked for and the
// place has it, inferred where it was not asked for and the place has it (or the house's range holds the
// number asked for, or the place is the district of a postcode that the map lacks), unmatched where it was asked for and the place has another or none, and left out
// where neither is so.
type Match struct {
	Name        geocode.PartMatch `json:"name,omitempty" enum:"matched,inferred,unmatched" doc:"of a point of interest"`
	HouseNumber geocode.PartMatch `json:"housenumber,omitempty" enum:"matched,inferred,unmatched" doc:"unmatched too where the nearest number stands for one that the map lacks"`
	Street      geocode.PartMatch `json:"street,omitempty" enum:"matched,inferred,unmatched"`
	City        geocode.PartMatch `json:"city,omitempty" enum:"matched,inferred,unmatched" doc:"or a part of it, or what lies around"`
	Postcode    geocode.PartMatch `json:"postcode,omitempty" enum:"matched,inferred,unmatched"`
	State       geocode.PartMatch `json:"state,omitempty" enum:"matched,inferred,unmatched"`
	Country     geocode.PartMatch `json:"country,omitempty" enum:"matched,inferred,unmatched"`
	ScoreGap    *float64          `json:"score_gap,omitempty" minimum:"0" maximum:"1" doc:"by which the score is above that of the next hit, answered or not: a small one says to ask which is meant. Left out where there is no other"`
	Unmatched   []string          `json:"unmatched,omitempty" doc:"of GET and of a batch: the words of q that met nothing of the place, such as the name of a company, a town that the map has not, a street that is not in the town that was found"`
	Words       []Words           `json:"words,omitempty" doc:"which words met which text of the place, and how well"`
}

// Words are words of a question that met a part of a place.
type Words struct {
	Query   string  `json:"query" doc:"as typed; of a POST the words of the parts, one after the other"`
	Field   string  `json:"field" doc:"what of the place: name, house, unit, street, locality, postcode, state, country or category"`
	Text    string  `json:"text" doc:"of the place"`
	Quality float64 `json:"quality" decimals:"3" doc:"1 is the same but for case, accents and abbreviations"`
}

// Features returns the places of an answer; brief leaves details out.
func Features(a *geocode.Answer, brief bool) []Feature {
	all := make([]Feature, len(a.Results))
	for i := range a.Results {
		all[i] = feature(&a.Results[i], brief)
	}
	return all
}

func feature(r *geocode.Result, brief bool) Feature {
	p := Properties{
		ID: r.ID, Name: r.Name, Type: r.Kind.String(), CountryCode: r.CountryCode, HouseNumber: r.House, Unit: r.Unit, Street: r.Street, City: r.Locality,
		Postcode: r.Postcode, State: r.State, Categories: r.Categories, Importance: r.Importance, HubOf: r.HubOf,
	}
	p.OpenNow, p.Recent = r.OpenNow, r.Recent
	if r.Coordinates {
		p.Type = "coordinate"
	}
	p.Distance, p.Score = rounded(r.Metres, 1), rounded(r.Score, 4)
	p.Match = matchOf(r)
	if r.Extent != nil {
		p.Extent = []float64{degrees(r.Extent.Min.Lon), degrees(r.Extent.Min.Lat), degrees(r.Extent.Max.Lon), degrees(r.Extent.Max.Lat)}
	}
	if len(r.Details) > 0 && !brief {
		p.Details = make(map[string]string, len(r.Details))
		for _, d := range r.Details {
			p.Details[d.Key] = d.Value
		}
	}
	return Feature{Type: "Feature", Geometry: point(r.At), Properties: p}
}

// matchOf returns how a place meets what was asked for; nil where nobody says.
func matchOf(r *geocode.Result) *Match {
	if r.Parts == nil && len(r.Match) == 0 {
		return nil
	}
	m := &Match{ScoreGap: rounded(r.Gap, 4), Unmatched: r.Unmet}
	if p := r.Parts; p != nil {
		m.Name, m.HouseNumber, m.Street, m.City, m.Postcode, m.State, m.Country = p.Name, p.HouseNumber, p.Street, p.City, p.Postcode, p.State, p.Country
	}
	for _, w := range r.Match {
		m.Words = append(m.Words, Words(w))
	}
	return m
}

func point(p geo.Point) Point {
	return Point{Type: "Point", Coordinates: []float64{degrees(p.Lon), degrees(p.Lat)}}
}

// degrees rounds to about ten centimetres.
func degrees(v float64) float64 { return json.Round(v, 6) }

func rounded(v *float64, digits int) *float64 {
	if v == nil {
		return nil
	}
	short := json.Round(*v, digits)
	return &short
}
