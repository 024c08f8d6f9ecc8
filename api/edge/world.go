package api

import (
	"context"
	"net/http"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/geo"
)

// World is everything that depends on the region being served. A request
// holds one World from start to end, so a region may be replaced under load.
type World struct {
	Engine    engine.Engine
	Backend   string      // the engine's name: embedded, valhalla, osrm
	Enforces  bool        // tunnel codes bind in the engine's costing
	Remote    bool        // the engine takes native members that the gateway has no use for
	Since     time.Time   // when it was taken into service
	Territory Territory   // zero where no region is served
	Examples  []Example   // journeys that the explorer offers
	Maps      *tiles.Maps // nil where the region has no map
	Landmarks *landmarks.Service
}

// Territory is what a region says of itself.
type Territory struct {
	ID           string
	Name         string
	Bounds       geo.Bounds
	Attribution  []string
	Elevation    string // where the heights are from, "" without heights
	OSMTimestamp *time.Time
	Built        time.Time
}

type worldKey struct{}

// world gives the World a request holds.
func world(ctx context.Context) (*World, error) {
	w, ok := ctx.Value(worldKey{}).(*World)
	if !ok || w == nil {
		return nil, fault.New(fault.UpstreamUnavailable, "no region is being served yet; try again shortly").With("retry_after", 5)
	}
	return w, nil
}

// inWorld lets a request hold the current World until it is answered.
func (a *API) inWorld(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current, release := a.options.Acquire()
		defer release()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), worldKey{}, current)))
	})
}
