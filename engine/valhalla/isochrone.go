package valhalla

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	wirejson "github.com/waygate/waygate/wire/json"
)

// Isochrone passes the request on. Body is what Valhalla answered.
func (e *Engine) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	if w := r.When; w != nil && (w.Type == engine.Arrive || w.Type == engine.Invariant) {
		return nil, fault.NotEnabled("date_time", "date_time of type %d is not enabled here: this routing engine has isochrones for times of departure only", w.Type).With("field", "date_time.type")
	}
	body := map[string]any{}
	for name, value := range r.Extra {
		body[name] = value
	}
	type contour struct {
		Time     float64 `json:"time,omitempty"`
		Distance float64 `json:"distance,omitempty"`
		Colour   string  `json:"color,omitempty"`
	}
	contours := make([]contour, len(r.Contours))
	for i, c := range r.Contours {
		contours[i] = contour{c.Minutes, c.Kilometres, c.Colour}
	}
	position := r.Location
	position.Stop = ""
	body["locations"], body["contours"] = locations([]engine.Location{position}), contours
	body["polygons"], body["reverse"], body["show_locations"] = r.Polygons, r.Reverse, r.ShowLocations
	travel(body, r.Costing, &r.Options, &r.Conditions)
	if r.Denoise != nil {
		body["denoise"] = *r.Denoise
	}
	if r.Generalize != nil {
		body["generalize"] = *r.Generalize
	}
	if r.ID != "" {
		body["id"] = r.ID
	}
	raw, err := e.post(ctx, "/isochrone", body)
	if err != nil {
		return nil, err
	}
	if !wirejson.Has(raw, "features") {
		return nil, unlike("an isochrone")
	}
	return &engine.IsochroneAnswer{Raw: raw}, nil
}
