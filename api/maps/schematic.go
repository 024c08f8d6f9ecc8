package maps

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/schematic"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/geo"
)

// SchematicIn is a request for the surroundings of a place as text.
type SchematicIn struct {
	Body struct {
		Lat    float64  `json:"lat" minimum:"-85" maximum:"85"`
		Lon    float64  `json:"lon" minimum:"-180" maximum:"180"`
		Radius *float64 `json:"radius_m,omitempty" minimum:"50" maximum:"2000" doc:"metres; a square of twice that is drawn; 300 by default"`
		Budget *int     `json:"token_budget,omitempty" minimum:"200" maximum:"20000" doc:"most tokens of schematic and legend together, as estimated; 1500 by default"`
	}
}

// Schematic is the surroundings of a place as text.
type Schematic struct {
	Schematic string            `json:"schematic" doc:"plain text: a map of characters, the streets with what each meets in order, what stands there"`
	Legend    map[string]string `json:"legend" doc:"what the symbols of the map stand for"`
	Truncated bool              `json:"truncated" doc:"something the map has there was left out, for the budget or because there is too much"`
	Tokens    int               `json:"token_estimate" doc:"of schematic and legend; models differ"`
	BBox      [4]float64        `json:"bbox" doc:"west, south, east, north"`
}

var schematicDoc = edge.Doc{
	Summary: "The surroundings of a place as text for a language model", Tags: []string{"maps"}, Fails: []int{http.StatusNotImplemented, http.StatusBadGateway},
	Description: "Real streets with their names and what each meets in order, landmarks, and a small map in characters, of a square round a place. What is of most weight comes first, as much as the budget has room for. Needs no key and has the rate of the demo lane.",
	Example:     `{"lat":49.326622,"lon":-7.267471,"radius_m":250,"token_budget":1200}`,
}

func mapAsText(ctx context.Context, in *SchematicIn) (*Schematic, error) {
	r := schematic.Request{At: geo.Point{Lon: in.Body.Lon, Lat: in.Body.Lat}, Radius: schematic.UsualRadius, Budget: schematic.UsualBudget}
	if in.Body.Radius != nil {
		r.Radius = *in.Body.Radius
	}
	if in.Body.Budget != nil {
		r.Budget = *in.Body.Budget
	}
	current, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	if current.Maps() == nil {
		return nil, fault.NotEnabled("map-as-text", "no map is served here: its operator has imported the region without one")
	}
	id, err := current.Shown(geo.Around(r.At, r.Radius))
	if err != nil {
		return nil, err
	}
	m, err := served(ctx, id)
	if err != nil {
		return nil, err
	}
	doc, err := m.TileJSON(ctx, tiles.Base{}, id)
	if err != nil {
		return nil, err
	}
	if b := (geo.Bounds{Min: geo.Point{Lon: doc.Bounds[0], Lat: doc.Bounds[1]}, Max: geo.Point{Lon: doc.Bounds[2], Lat: doc.Bounds[3]}}); !b.Intersects(geo.Around(r.At, r.Radius)) {
		return nil, fault.New(fault.BadRequest, "lat %g, lon %g lies outside of the map of %s (lat %g to %g, lon %g to %g)", r.At.Lat, r.At.Lon, id, b.Min.Lat, b.Max.Lat, b.Min.Lon, b.Max.Lon)
	}
	a, err := schematic.Draw(ctx, schematic.Tiles{MaxZoom: doc.MaxZoom, Tile: func(ctx context.Context, z, x, y int) ([]byte, error) {
		t, err := m.Tile(ctx, id, z, x, y)
		return t.Data, err
	}}, r)
	if err != nil {
		return nil, err
	}
	return &Schematic{a.Schematic, a.Legend, a.Truncated, a.Tokens, [4]float64{a.Bounds.Min.Lon, a.Bounds.Min.Lat, a.Bounds.Max.Lon, a.Bounds.Max.Lat}}, nil
}
