package api

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/directions"
)

// capable gives the engine as one that can do more than routes. name is what
// it must be able to do, for the 501 where it cannot.
func capable[T any](w *edge.World, name string) (T, error) {
	if e, ok := w.Engine.(T); ok {
		return e, nil
	}
	var none T
	return none, fault.New(fault.NotEnabled, "%s is not enabled on this deployment: its routing engine cannot do it", name).With("capability", name)
}

// reader checks native requests for the engine of a world.
func reader(w *edge.World) *directions.Service {
	return &directions.Service{Bounds: w.Territory.Bounds, Remote: w.Remote}
}

// held gives the World a request holds and its engine as one that can do more
// than routes.
func held[T any](ctx context.Context, name string) (*edge.World, T, error) {
	var none T
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, none, err
	}
	e, err := capable[T](w, name)
	return w, e, err
}
