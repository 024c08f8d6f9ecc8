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

// able gives the World a request holds, whose engine answers a call; name is
// what that makes possible, for the 501 where it does not.
func able(ctx context.Context, call engine.Call, name string) (*World, error) {
	w, err := world(ctx)
	if err != nil {
		return nil, err
	}
	if can := w.Engine.Can(); !can.Does(call) {
		return nil, engine.NotEnabled(name)
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
