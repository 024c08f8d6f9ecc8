package route

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// asked is a request in Valhalla's form, and what in it had no effect.
type asked[B any] struct {
	Warnings schema.Warnings
	Body     B
}

// featured is a request that says what makes it Premium: truck, adr.
type featured interface{ Features() []string }

// Price is that of the request's features.
func (in *asked[B]) Price() edge.Price {
	f, _ := any(&in.Body).(featured)
	return edge.Price{Features: f.Features()}
}

// placed is a request about places.
type placed interface{ Points() []geo.Point }

// region has the region of a request's places answer.
func region(ctx context.Context, p placed) (*world.Region, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	return w.At(p.Points()...)
}

// here binds an endpoint in Valhalla's form to what answers for the region of its
// places, in JSON that is written already.
func here[B any](answer func(context.Context, *world.Region, *asked[B]) ([]byte, error)) func(http.ResponseWriter, *http.Request, *asked[B]) error {
	return func(w http.ResponseWriter, r *http.Request, in *asked[B]) error {
		at, err := region(r.Context(), any(&in.Body).(placed))
		if err != nil {
			return err
		}
		body, err := answer(r.Context(), at, in)
		if err != nil {
			return err
		}
		return edge.Send(w, body)
	}
}

// travels is a request in OSRM's form.
type travels interface {
	placed
	Costing() costing.Costing
}

// url reads and answers a request in OSRM's form, at the price of its costing.
func url[R travels](read func(*osrm.URL) (R, error), answer func(context.Context, *world.Region, R) ([]byte, error)) edge.Reading[R] {
	return edge.Reading[R]{
		Read: func(r *http.Request) (R, error) {
			u := &osrm.URL{Profile: r.PathValue("profile"), Coordinates: r.PathValue("coordinates"), Query: r.URL.RawQuery, Bounds: edge.BoundsOf(r.Context())}
			return read(u)
		},
		Price: func(req R) edge.Price {
			if c := req.Costing(); c == costing.Truck {
				return edge.Price{Features: []string{c.String()}}
			}
			return edge.Price{}
		},
		Answer: func(w http.ResponseWriter, r *http.Request, req R) error {
			at, err := region(r.Context(), req)
			if err != nil {
				return err
			}
			body, err := answer(r.Context(), at, req)
			if err != nil {
				return err
			}
			return edge.Send(w, body)
		},
	}
}
