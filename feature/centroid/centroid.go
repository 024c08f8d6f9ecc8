// Package centroid finds where travellers from several places meet.
package centroid

import (
	"context"
	"encoding/json"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// MinLocations and MaxLocations bound how many travellers one request may
// have.
const (
	MinLocations = 2
	MaxLocations = 10
)

// Bending lists the members that bend the roads to the meeting point. Of time
// there is none: everybody would have one of their own.
func Bending() []string {
	return []string{"avoid_locations", "avoid_polygons", "exclude_locations", "exclude_polygons", "speed_types"}
}

// Find answers a checked request with the engine's JSON object and, at its
// top, the warnings: notes, which any JSON marshals, and the engine's own.
func Find(ctx context.Context, eng engine.Engine, r *engine.RouteRequest, notes []any) ([]byte, error) {
	answer, err := eng.Centroid(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, w := range answer.Warnings {
		notes = append(notes, w)
	}
	if len(notes) == 0 {
		return answer.Body, nil
	}
	var doc map[string]json.RawMessage
	if json.Unmarshal(answer.Body, &doc) != nil || doc == nil {
		return nil, fault.New(fault.Upstream, "the engine's answer is not a JSON object").With("upstream_status", 200)
	}
	var there []any
	if raw, ok := doc["warnings"]; ok && json.Unmarshal(raw, &there) != nil {
		there = []any{raw} // no list: kept as it is
	}
	if doc["warnings"], err = json.Marshal(append(there, notes...)); err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}
