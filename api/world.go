package api

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/world"
)

type worldKey struct{}

// worldOf gives the World a request holds.
func worldOf(ctx context.Context) (*world.World, error) {
	w, ok := ctx.Value(worldKey{}).(*world.World)
	if !ok || w == nil {
		return nil, fault.New(fault.UpstreamUnavailable, "no region is being served yet; try again shortly").With("retry_after", 5)
	}
	return w, nil
}

// able gives the World a request holds, whose engines answer a call; name is
// what that makes possible, for the 501 where they do not.
func able(ctx context.Context, call engine.Call, name string) (*world.World, error) {
	w, err := worldOf(ctx)
	if err != nil {
		return nil, err
	}
	if can := w.Engine().Can(); !can.Does(call) {
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
