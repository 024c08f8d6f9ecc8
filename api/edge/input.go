package edge

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// Price is the price of a call.
type Price struct {
	Features []string // what makes it Premium, such as truck; none is Standard
	Times    int      // computations that it may take at the most; 0 is 1
}

// Priced is the input of an endpoint whose price depends on the request. Price is called
// after the input was read.
type Priced interface{ Price() Price }

// Regional is embedded by the input of an endpoint that answers from one region,
// together with Placed. The edge sets it once the request was read.
type Regional struct{ Region *world.Region }

func (r *Regional) setRegion(here *world.Region) { r.Region = here }

// Placed is an input that is about places: they choose the region.
type Placed interface{ Points() []geo.Point }

func (p Price) class() meter.Class {
	if len(p.Features) > 0 {
		return meter.Premium
	}
	return meter.Standard
}

// Question is the input of an endpoint whose body names places. The body has methods that
// return the places and what makes the call Premium.
type Question[B any] struct {
	Regional
	Warnings schema.Warnings // of what in the body had no effect
	Sent     schema.RawBody  // the body as it came
	Body     B
}

// featured is a body that names what makes a call Premium: truck, adr.
type featured interface{ Features() []string }

// Price returns that of the body's features.
func (q *Question[B]) Price() Price { return Price{Features: any(&q.Body).(featured).Features()} }

// Points returns those of the body.
func (q *Question[B]) Points() []geo.Point { return any(&q.Body).(Placed).Points() }

func (q *Question[B]) mustTell(r Row) {
	_, priced := any(&q.Body).(featured)
	_, placed := any(&q.Body).(Placed)
	if !priced || !placed {
		panic(fmt.Sprintf("edge: %s: a %T does not tell its features or its points", r.Label(), q.Body))
	}
}

// mustAdmit panics for a row whose input lacks a method that the row needs, which is a
// defect.
func (r Row) mustAdmit(in any) {
	_, priced := in.(Priced)
	_, placed := in.(Placed)
	_, regional := in.(regional)
	switch {
	case r.Class.pricedByRequest() && !priced:
		panic("edge: " + r.Label() + " cannot be priced")
	case regional && !placed:
		panic("edge: " + r.Label() + " does not say where its requests are")
	}
	if q, ok := in.(interface{ mustTell(Row) }); ok {
		q.mustTell(r)
	}
}

type regional interface{ setRegion(*world.Region) }

// admit chooses the region of a request that was read, and takes what it costs.
func (r Row) admit(ctx context.Context, in any) error {
	if to, ok := in.(regional); ok {
		w, err := WorldOf(ctx)
		if err != nil {
			return err
		}
		here, err := w.At(in.(Placed).Points()...)
		if err != nil {
			return err
		}
		to.setRegion(here)
	}
	if r.Class == PerChunk {
		return CallOf(ctx).reserveNothing(ctx)
	}
	if !r.Class.pricedByRequest() {
		return nil
	}
	if r.prepare != nil {
		aside, end := scheduled.Unestimated(ctx) // the price is needed for an estimate too
		free, err := r.prepare(aside, in)
		end()
		if err != nil {
			return err
		}
		if free {
			return CallOf(ctx).reserveNothing(ctx)
		}
	}
	return CallOf(ctx).Reserve(ctx, in.(Priced).Price())
}

// ReadBox reads west,south,east,north in degrees. It is not ok where these are no numbers,
// lie off the globe, or enclose nothing. West is the larger where the box crosses the
// antimeridian.
func ReadBox(text string) (b geo.Bounds, ok bool) {
	parts := strings.Split(text, ",")
	if len(parts) != 4 {
		return b, false
	}
	var v [4]float64
	for i, part := range parts {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil || math.IsNaN(v[i]) {
			return b, false
		}
	}
	b = geo.Bounds{Min: geo.Point{Lon: v[0], Lat: v[1]}, Max: geo.Point{Lon: v[2], Lat: v[3]}}
	return b, b.Min.Valid() && b.Max.Valid() && v[0] != v[2] && v[1] < v[3]
}
