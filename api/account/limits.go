package account

import (
	"cmp"
	"context"
	"time"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/wire/native"
)

// Caps are the settings that limit a call; zero values are the defaults.
type Caps struct {
	MatrixCells    int
	MaxBody        int64 // bytes
	RequestTimeout time.Duration
	DemoRPM        int
	UnitPrice      int64                // millipence
	Scheduler      *scheduled.Scheduler // nil where none admits the engines' calls
}

// limits serves the limits of the caller.
type limits struct {
	gate *meter.Gate
	caps Caps
}

// Limits are a caller's prices, rate and quota, and the limits of one call.
type Limits struct {
	Prices   LimitPrices `json:"prices"`
	Caller   LimitCaller `json:"caller"`
	Call     LimitCall   `json:"call"`
	Estimate string      `json:"estimate" doc:"how to learn what a call would cost"`
}

// LimitPrices are the units of a call by its class.
type LimitPrices struct {
	Standard  int64 `json:"standard_units"`
	Premium   int64 `json:"premium_units" doc:"of a truck costing or an adr object"`
	UnitPrice int64 `json:"unit_price_millipence" doc:"of a unit beyond the quota; 0 sells none"`
}

// LimitCaller are the limits of the key, or of callers without one.
type LimitCaller struct {
	Lane       string  `json:"lane" enum:"key,demo"`
	RatePerMin int64   `json:"rate_per_min" doc:"calls a minute"`
	Quota      *int64  `json:"quota" doc:"units of the period; null without a key"`
	Remaining  *int64  `json:"remaining" doc:"units left of it"`
	Period     *string `json:"period" doc:"2026-11, or life"`
}

// LimitCall are the limits of one call.
type LimitCall struct {
	TimeoutMS     int64 `json:"timeout_ms" doc:"time that a request may take; a call that is estimated to work longer is refused at once"`
	BodyBytes     int64 `json:"body_bytes"`
	MatrixCells   int64 `json:"matrix_cells" doc:"sources times targets"`
	Locations     int64 `json:"locations" doc:"of a route"`
	Positions     int64 `json:"positions" doc:"of a trace or a line"`
	Contours      int64 `json:"contours" doc:"of an isochrone"`
	PolygonPoints int64 `json:"polygon_points" doc:"of all excluded polygons"`
	PlanLocations int64 `json:"plan_locations" doc:"unique ones of POST /optimise; a job has ten times as many"`
	JobCells      int64 `json:"job_matrix_cells" doc:"of a matrix that is a job"`
	JobsWaiting   int64 `json:"jobs_waiting" doc:"jobs of the key that may wait"`
	SmallMS       int64 `json:"small_ms" doc:"work up to which a call waits for no dear one; 0 where nothing waits, as for all below"`
	DearCalls     int64 `json:"dear_calls" doc:"cores that dear calls may use together"`
	Waiting       int64 `json:"waiting" doc:"calls that may wait; the next is a 503 with Retry-After"`
	MemoryBytes   int64 `json:"memory_bytes" doc:"memory that calls under way may hold together"`
}

var limitsDoc = edge.Doc{
	Summary: "What holds for this caller", Tags: []string{"keys"},
	Description: "Prices by class, the rate and quota of the key (or of callers without one), and the caps on one call. Costs nothing; it has the rate of a call.",
}

func (l limits) limits(ctx context.Context, _ *struct{}) (*Limits, error) {
	out := &Limits{
		Prices: LimitPrices{meter.StandardUnits, meter.PremiumUnits, l.caps.UnitPrice},
		Caller: LimitCaller{Lane: "demo", RatePerMin: int64(l.caps.DemoRPM)},
		Call: LimitCall{
			TimeoutMS: cmp.Or(l.caps.RequestTimeout, edge.DefaultRequestTimeout).Milliseconds(), BodyBytes: cmp.Or(l.caps.MaxBody, edge.DefaultMaxBody),
			MatrixCells: int64(l.caps.MatrixCells), Locations: native.MostLocations, Positions: native.MostPositions, Contours: native.MostContours, PolygonPoints: native.MostCorners,
			PlanLocations: 200, JobCells: 4 * int64(l.caps.MatrixCells), JobsWaiting: job.MostQueued,
		},
		Estimate: "add ?estimate=1 to a call",
	}
	if s := l.caps.Scheduler; s != nil {
		x := s.Limits()
		out.Call.SmallMS, out.Call.DearCalls, out.Call.Waiting, out.Call.MemoryBytes = x.Small.Milliseconds(), int64(x.Slots), int64(x.Queue), x.Memory
	}
	admission := edge.CallOf(ctx).Admission()
	if admission.Key() == nil {
		return out, nil
	}
	s, err := l.gate.KeyStatus(admission)
	if err != nil {
		return nil, err
	}
	out.Caller = LimitCaller{Lane: "key", RatePerMin: s.Key.RatePerMin, Quota: &s.MonthlyQuota, Remaining: &s.Remaining, Period: &s.Period}
	return out, nil
}
