package valhalla

import (
	"context"
	"maps"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	wirejson "github.com/waygate/waygate/wire/json"
)

// Locate passes the request on; Body is what Valhalla answered, unread but for
// being a list of as many places.
func (e *Engine) Locate(ctx context.Context, r *engine.LocateRequest) (*engine.LocateAnswer, error) {
	body := map[string]any{}
	for name, value := range r.Extra {
		body[name] = value
	}
	maps.Copy(body, map[string]any{"locations": locations(r.Locations), "costing": r.Costing, "verbose": r.Verbose})
	if options := r.Options.Raw(); len(options) > 0 {
		body["costing_options"] = map[costing.Costing]any{r.Costing: options}
	}
	answer, err := e.postList(ctx, "/locate", body)
	if err != nil {
		return nil, err
	}
	places := 0
	wirejson.Each(answer, []string{"*"}, func(wirejson.Place) { places++ })
	if places != len(r.Locations) {
		return nil, unlike("a list of %d places: it has %d", len(r.Locations), places)
	}
	return &engine.LocateAnswer{Raw: answer}, nil
}
