package edge

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/world"
)

// WorldOf returns the World a request holds.
func WorldOf(ctx context.Context) (*world.World, error) {
	w := traceOf(ctx).world
	if w == nil {
		return nil, fault.New(fault.UpstreamUnavailable, "no region is being served yet; try again shortly").With("retry_after", 5)
	}
	return w, nil
}

// needing answers a row whose deployment lacks what it needs before the request
// is read: with a 503 where no region is in service, and with a 501 where the
// engine cannot do it.
func (e *Edge) needing(row *Row, next http.Handler) http.Handler {
	if !row.regional && row.Needs.Call == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := row.lacks(r.Context()); err != nil {
			refuse(w, r, err, row.envelope())
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (r *Row) lacks(ctx context.Context) error {
	current, err := WorldOf(ctx)
	if err != nil || r.Needs.Call == "" {
		return err
	}
	if can := current.Engine().Can(); !can.Does(r.Needs.Call) {
		return engine.NotEnabled(r.Needs.Name)
	}
	return nil
}

// inWorld lets a request hold the current World until it is answered.
func (e *Edge) inWorld(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current, release := e.options.Acquire()
		defer release()
		defer func() {
			if v := recover(); v != nil {
				if current != nil {
					current.HandlePanic(v) // while its files are mapped
				}
				panic(v)
			}
		}()
		traceOf(r.Context()).world = current
		next.ServeHTTP(w, r)
	})
}
