package edge

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/world"
)

type worldKey struct{}

// WorldOf gives the World a request holds.
func WorldOf(ctx context.Context) (*world.World, error) {
	w, ok := ctx.Value(worldKey{}).(*world.World)
	if !ok || w == nil {
		return nil, fault.New(fault.UpstreamUnavailable, "no region is being served yet; try again shortly").With("retry_after", 5)
	}
	return w, nil
}

// needing answers a row whose deployment lacks what it needs with a 501.
func (e *Edge) needing(row Row, next http.Handler) http.Handler {
	if row.Needs.Call == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current, err := WorldOf(r.Context())
		if err == nil {
			if can := current.Engine().Can(); !can.Does(row.Needs.Call) {
				err = engine.NotEnabled(row.Needs.Name)
			}
		}
		if err != nil {
			refuse(w, r, err, row.envelope())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// inWorld lets a request hold the current World until it is answered.
func (e *Edge) inWorld(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current, release := e.options.Acquire()
		defer release()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), worldKey{}, current)))
	})
}
