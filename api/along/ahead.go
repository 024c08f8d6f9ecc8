package along

import (
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/ahead"
	"github.com/waygate/waygate/wire/schema"
)

// asked is the input of an endpoint about the way ahead.
type asked[B any] struct {
	edge.Regional
	Warnings schema.Warnings
	Body     B
}

// Points choose the region.
func (in *asked[B]) Points() []geo.Point { return any(&in.Body).(edge.Placed).Points() }

// latestDeparture is how far in the past a departure may be: clocks differ, and the caller may be
// on the way already.
const latestDeparture = 24 * time.Hour

// ahead returns the way of a request. It refuses a departure that was too long ago.
func (d Deps) ahead(a *ahead.Ahead) (along.Ahead, error) {
	now := d.Now()
	out := along.Ahead{Stops: a.Stops(), Line: a.Line(), Costing: a.Costing, Options: a.Settings(), Depart: now}
	if a.DepartAt == nil {
		return out, nil
	}
	if out.Depart = *a.DepartAt; now.Sub(out.Depart) > latestDeparture {
		return out, fault.Invalid(fault.Violation{Location: "depart_at", Value: out.Depart.Format(time.RFC3339), Message: "is more than a day in the past: must be a time to come, or of today's journey"})
	}
	return out, nil
}
