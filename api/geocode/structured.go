package geocode

import (
	"context"
	"net/http"
	"strings"
	"unicode"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/country"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// StructuredQuery is the body of POST /geocode: an address by its parts.
type StructuredQuery struct {
	Name        string           `json:"name,omitempty" maxLength:"200" trim:"true" doc:"of a point of interest, a building or a named house"`
	HouseNumber string           `json:"housenumber,omitempty" maxLength:"20" trim:"true" doc:"with street, or with city where houses are numbered in a village; it may stand in street too"`
	Street      string           `json:"street,omitempty" maxLength:"200" trim:"true"`
	City        string           `json:"city,omitempty" maxLength:"200" trim:"true" doc:"a city, town or village, or a part of one"`
	Postcode    string           `json:"postcode,omitempty" maxLength:"20" trim:"true"`
	State       string           `json:"state,omitempty" maxLength:"100" trim:"true" doc:"or a county or region"`
	Country     string           `json:"country,omitempty" maxLength:"100" trim:"true" doc:"ISO 3166-1 of two or three letters, or a name. Places of another country are left out where it is a code or an English name"`
	Limit       int              `json:"limit,omitempty" minimum:"1" maximum:"10" default:"5"`
	Lang        string           `json:"lang,omitempty" maxLength:"35" doc:"as of GET /geocode"`
	Bias        *native.Position `json:"bias,omitempty" doc:"what is near comes earlier, and nothing is left out for being far"`
	BBox        []float64        `json:"bbox,omitempty" minItems:"4" maxItems:"4" of:"numbers" doc:"minLon, minLat, maxLon, maxLat: what lies outside is left out; minLon above maxLon crosses the antimeridian"`

	bounds *geo.Bounds
}

// Check checks what depends on several members.
func (q *StructuredQuery) Check(c *schema.Context) {
	some := false
	for _, part := range []struct{ name, text string }{
		{"name", q.Name}, {"street", q.Street}, {"city", q.City}, {"postcode", q.Postcode}, {"state", q.State}, {"country", q.Country}, {"housenumber", q.HouseNumber},
	} {
		if strings.ContainsFunc(part.text, unicode.IsControl) {
			c.Refuse(part.name, nil, "has control characters")
		}
		some = some || part.text != "" && part.name != "housenumber"
	}
	switch {
	case !some && q.HouseNumber == "":
		c.Refuse("street", nil, "is missing, and so is every other part: at least one of name, street, city, postcode, state and country says what to look for")
	case q.HouseNumber != "" && q.Street == "" && q.City == "":
		c.Refuse("street", nil, "is missing: a housenumber needs one, or a city whose houses are numbered without streets")
	}
	if q.BBox != nil {
		b, err := bounds(q.BBox)
		if err != nil {
			c.Refuse("bbox", nil, "%v", err)
		}
		q.bounds = &b
	}
}

type structuredIn struct {
	Warnings schema.Warnings
	Body     StructuredQuery
}

var structuredDoc = edge.Doc{
	Summary: "Find a place by the parts of its address", Tags: []string{"geocoding"}, Fails: []int{http.StatusNotImplemented, http.StatusBadGateway},
	Example: `{"housenumber":"3","street":"Quay Street","country":"GB","limit":3}`,
	Description: "An extension. As GET /geocode, but that each part of the address is a member of its own: a street that is called as a town is no town. What meets more of the parts comes first, and none is dropped for one that the map lacks or that is written otherwise: " +
		"`match` says of each part whether it is met, so that a caller can take the first hit or ask. Coordinates and transport hubs are of GET." + absent,
}

func (g geocoder) structured(ctx context.Context, in *structuredIn) (*Geocoded, error) {
	on, err := g.on(ctx)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	q := &geocode.Structured{
		Name: b.Name, HouseNumber: b.HouseNumber, Street: b.Street, City: b.City, Postcode: b.Postcode, State: b.State, Country: b.Country,
		Limit: b.Limit, Lang: b.Lang, Box: b.bounds,
	}
	if code, ok := country.Find(b.Country); ok {
		q.Country, q.CountryCode = "", code
	}
	if b.Bias != nil {
		at := b.Bias.Point()
		q.Bias = &at
	}
	a, err := on.SearchStructured(ctx, q)
	if err != nil {
		return nil, err
	}
	return collection(a, in.Warnings, false), nil
}
