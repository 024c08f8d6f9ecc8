package route

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/world"
)

// sent has an answer sent that is written in JSON already.
func sent[In any](answer func(context.Context, *In) ([]byte, error)) func(http.ResponseWriter, *http.Request, *In) error {
	return func(w http.ResponseWriter, r *http.Request, in *In) error {
		body, err := answer(r.Context(), in)
		if err != nil {
			return err
		}
		return edge.Send(w, body)
	}
}

// travels is a request in OSRM's form: of someone who travels between places.
type travels interface {
	Points() []geo.Point
	Costing() costing.Costing
}

// ofURL is the input of an endpoint in OSRM's form.
type ofURL[R travels] struct {
	edge.Regional
	request R
}

// Points are those of the request.
func (in *ofURL[R]) Points() []geo.Point { return in.request.Points() }

// Price is that of the request's costing.
func (in *ofURL[R]) Price() edge.Price {
	if c := in.request.Costing(); c == costing.Truck {
		return edge.Price{Features: []string{c.String()}}
	}
	return edge.Price{}
}

// url binds a row in OSRM's form to what reads its requests and what answers
// them.
func url[R travels](row edge.Row, read func(*osrm.URL) (R, error), answer func(context.Context, *world.Region, R) ([]byte, error)) edge.Row {
	return edge.Read(row, func(r *http.Request) (*ofURL[R], error) {
		asked, err := read(&osrm.URL{Profile: r.PathValue("profile"), Coordinates: r.PathValue("coordinates"), Query: r.URL.RawQuery, Bounds: edge.BoundsOf(r.Context())})
		return &ofURL[R]{request: asked}, err
	}, sent(func(ctx context.Context, in *ofURL[R]) ([]byte, error) { return answer(ctx, in.Region, in.request) }))
}
