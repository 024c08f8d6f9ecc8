// Package opinion compares a route with that of a second routing engine: how much of the way
// both have in common, how their lengths and times differ, and what is likely to be why.
package opinion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// Comparison is a second opinion on a route.
type Comparison struct {
	Engine   string   `json:"engine" doc:"that found the route of the answer"`
	Other    string   `json:"other_engine"`
	Length   float64  `json:"length_m"`
	Duration float64  `json:"duration_s"`
	Refused  string   `json:"other_refused,omitempty" doc:"why the other engine has no route; the members below are null then"`
	OtherLen *float64 `json:"other_length_m" nullable:"true"`
	OtherDur *float64 `json:"other_duration_s" nullable:"true"`
	Overlap  *float64 `json:"overlap" nullable:"true" minimum:"0" maximum:"1" doc:"share of the route's length that lies within some 30 m of the other route"`
	Answered bool     `json:"-"` // the other engine found a route, or that there is none
	Causes   []string `json:"likely_causes" doc:"of what differs, as far as they are known; empty where nothing differs"`
}

// Bounds of what counts as the same.
const (
	sameWay    = 0.98 // of the length
	sameTime   = 0.1
	sameLength = 0.02
)

// Compare requests a route from a second engine, and compares. found is the first
// engine's, with its line. A second engine that fails or refuses is part of the answer; the
// error is the context's.
func Compare(ctx context.Context, first, second engine.Engine, r *engine.RouteRequest, found *engine.Route) (*Comparison, error) {
	q := *r
	q.Output, q.Want, q.Alternates, q.Extra = engine.Output{}, engine.WantLine, 0, nil
	can, other := first.Can(), second.Can()
	c := &Comparison{Engine: can.Name, Other: other.Name, Length: math.Round(found.Metres), Duration: math.Round(found.Seconds), Causes: []string{}}
	a, err := second.Route(ctx, &q)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || len(a.Routes) == 0 {
		c.Refused = "it failed"
		var f *fault.Error
		if errors.As(err, &f) {
			c.Refused = f.Detail
		}
		c.Answered = engine.Code(err) != 0
		c.Causes = c.because(ctx, first, second, &q, nil)
		return c, nil
	}
	c.Answered = true
	route := &a.Routes[0]
	metres, seconds := math.Round(route.Metres), math.Round(route.Seconds)
	work := engine.Estimate{Kind: "compare", Work: time.Duration(found.Metres+route.Metres) * stepNanos, Cores: 1}
	share, err := engine.WorkFor(ctx, work, func(ctx context.Context) (float64, error) { return overlap(ctx, found.Line(), route.Line()) })
	if err != nil {
		return nil, err
	}
	share = math.Round(share*1000) / 1000
	c.OtherLen, c.OtherDur, c.Overlap = &metres, &seconds, &share
	c.Causes = c.because(ctx, first, second, &q, a.Warnings)
	return c, nil
}

// because lists likely causes of what differs.
func (c *Comparison) because(ctx context.Context, first, second engine.Engine, r *engine.RouteRequest, warnings []engine.Warning) []string {
	list := []string{}
	same := c.Overlap != nil && *c.Overlap >= sameWay
	if same && math.Abs(*c.OtherDur-c.Duration) <= sameTime*c.Duration {
		return list
	}
	if same {
		return append(list, "both take the same way and reckon with other speeds or delays at junctions")
	}
	a, b, own := first.Can(), second.Can(), r.Options.Of(r.Costing)
	for _, x := range []struct {
		what        string
		first, then bool
	}{
		{"tunnel codes", a.TunnelCodes || a.Audited, b.TunnelCodes || b.Audited},
		{"sizes, weights and loads of vehicles", a.Vehicles || a.Audited, b.Vehicles || b.Audited},
		{"excluded places and areas", a.ExcludedPlaces, b.ExcludedPlaces},
	} {
		matters := r.Costing == costing.Truck
		switch x.what {
		case "tunnel codes":
			matters = own.TunnelFrom != 0
		case "excluded places and areas":
			matters = len(r.ExcludeLocations)+len(r.ExcludePolygons)+len(r.ExcludeAreas) > 0
		}
		if matters && x.first != x.then {
			who := c.Engine
			if x.first {
				who = c.Other
			}
			list = append(list, who+" does not heed "+x.what)
		}
	}
	for _, w := range warnings {
		if w.Of != "" && len(list) < mostCauses {
			list = append(list, c.Other+": "+w.Text)
		}
	}
	if x, y := dated(ctx, first), dated(ctx, second); x != y && x != "" && y != "" {
		list = append(list, fmt.Sprintf("the roads of %s are of %s and those of %s of %s", c.Engine, x, c.Other, y))
	}
	if c.OtherLen != nil && math.Abs(*c.OtherLen-c.Length) <= sameLength*c.Length && math.Abs(*c.OtherDur-c.Duration) <= sameTime*c.Duration {
		list = append(list, "the two ways are nearly as long and as fast, so that small differences of costs decide")
	}
	if len(list) == 0 {
		list = append(list, "unknown: the engines weigh roads and turns in their own ways")
	}
	return list
}

const mostCauses = 8

func dated(ctx context.Context, e engine.Engine) string {
	s, err := e.Status(ctx)
	if err != nil || s.GraphDate == nil {
		return ""
	}
	return s.GraphDate.Format(time.DateOnly)
}
