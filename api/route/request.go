package route

import (
	"context"
	"net/http"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/world"
)

// written binds an endpoint in Valhalla's form to what answers in JSON that is
// written already.
func written[B any](answer func(context.Context, *edge.Question[B]) ([]byte, error)) func(http.ResponseWriter, *http.Request, *edge.Question[B]) error {
	return func(w http.ResponseWriter, r *http.Request, in *edge.Question[B]) error {
		noting, note := engine.WithNote(r.Context())
		body, err := answer(noting, in)
		if err == nil {
			body, err = receipted(body, in, note)
		}
		if err != nil {
			return err
		}
		return edge.Send(w, body)
	}
}

// url is a request in OSRM's form.
type url[R travels] struct {
	edge.Regional
	asked    R
	warnings []engine.Warning // of what in the query had no effect
	receipt  *receipt.Request // the receipt that the request wants; nil is none
}

// travels is a request of a traveller.
type travels interface {
	Points() []geo.Point
	Costing() costing.Costing
}

// Points returns the coordinates of the path.
func (in *url[R]) Points() []geo.Point { return in.asked.Points() }

// Price returns that of the costing.
func (in *url[R]) Price() edge.Price {
	if c := in.asked.Costing(); c == costing.Truck {
		return edge.Price{Features: []string{c.String()}}
	}
	return edge.Price{}
}

// osrmRow binds a row in OSRM's form to what reads its URL and what answers it.
func osrmRow[R travels](row edge.Row, read func(*osrm.URL) (R, error), answer func(context.Context, *world.Region, R) ([]byte, []engine.Warning, error)) edge.Row {
	return edge.Read(row, func(r *http.Request) (*url[R], error) {
		u := &osrm.URL{Profile: r.PathValue("profile"), Coordinates: r.PathValue("coordinates"), Query: r.URL.RawQuery, Bounds: edge.BoundsOf(r.Context())}
		asked, err := read(u)
		in := &url[R]{asked: asked, warnings: u.Warnings}
		if err == nil && u.Receipt {
			in.receipt = &receipt.Request{Names: u.Given, Costing: asked.Costing(), Settings: u.Settings, Option: osrm.Option}
			in.warnings = append(in.warnings, u.Idle...)
		}
		return in, err
	}, func(w http.ResponseWriter, r *http.Request, in *url[R]) error {
		noting, note := engine.WithNote(r.Context())
		body, warnings, err := answer(noting, in.Region, in.asked)
		if err != nil {
			return err
		}
		warnings = slices.Concat(in.warnings, warnings)
		if body, err = json.Blend(body, native.WarningBlock(warnings), nil); err != nil {
			return err
		}
		if in.receipt != nil {
			in.receipt.Can, in.receipt.Audit, in.receipt.Warnings = note.Engine(in.Region.Engine).Can(), note.Audit(), warnings
			if body, err = blendReceipt(body, in.receipt); err != nil {
				return err
			}
		}
		err = edge.Send(w, body)
		json.Free(body)
		return err
	})
}
