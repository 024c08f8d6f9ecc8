package progress

import (
	"context"
	"math"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/parallel"
)

// Fix is a place where a traveller was.
type Fix struct {
	Point   geo.Point
	Seconds *float64 // since any moment, the same for all fixes; nil where not known
}

// Methods of placing a traveller on the plan.
const (
	ByNearest = "nearest" // the nearest place of the plan
	ByHeading = "heading" // the nearest whose course fits the heading
	ByTrace   = "trace"   // the place that the recent trace leads to
)

// The model of positions and of how they follow one another.
const (
	spread    = 10.0  // metres, standard deviation of a position
	slack     = 20.0  // metres by which the way between two positions differs from the straight line
	winding   = 0.3   // and the share of that line
	moved     = 10.0  // metres between two positions that show a course
	broken    = 300.0 // seconds without a position, after which the trace begins anew
	mostStays = 64    // passes of one position that are considered
)

// effort returns the most that it takes to follow a trace along a line: every position may be
// beside every piece of it.
func effort(vertices, positions int) engine.Estimate {
	const indexNanos, passNanos = 200, 15
	work := vertices * (indexNanos + passNanos*(positions+1))
	return engine.Estimate{Kind: "progress", Work: time.Duration(work), Bytes: int64(vertices) * 200, Cores: 1, Cheaper: "a shorter recent_trace or line"}
}

// stay is a place on the plan where a traveller may be at a position of the trace.
type stay struct {
	arc  float64 // metres from the plan's start
	cost float64 // of the best way that leads there
}

// follow finds how many metres from the plan's start a trace leads to: of all times that the plan passes the
// position, the one whose distances along the plan agree best with those between the positions.
// far lists the fixes that are further than threshold from the plan and do not count. ok is false
// where the position itself is, and where no fix counts.
//
// Source: the hidden Markov model of Newson and Krumm, 2009, with passes of the plan as states.
func follow(ctx context.Context, c *corridor.Corridor, r *Request, threshold float64) (arc float64, far []int, ok bool, err error) {
	var before []stay
	var last *Fix
	bearing := math.NaN()
	for i := range len(r.Trace) + 1 {
		parallel.Yield()
		if err := ctx.Err(); err != nil {
			return 0, nil, false, err
		}
		at, after := Fix{Point: r.Position}, r.After
		if i < len(r.Trace) {
			at, after = r.Trace[i], 0
		}
		apart := 0.0
		if last != nil {
			if apart = geo.Distance(last.Point, at.Point); apart >= moved {
				bearing = geo.Bearing(last.Point, at.Point)
			}
			if last.Seconds != nil && at.Seconds != nil && *at.Seconds-*last.Seconds > broken {
				before = nil
			}
		}
		if i == len(r.Trace) && r.Heading != nil {
			bearing = *r.Heading
		}
		here := stays(c, at.Point, threshold, bearing, math.Min(after, c.Length()))
		switch {
		case len(here) == 0 && i < len(r.Trace):
			far = append(far, i)
			continue
		case len(here) == 0 || i == len(r.Trace) && before == nil:
			return 0, far, false, nil
		}
		for k := range here {
			here[k].cost += reached(before, here[k].arc, apart)
		}
		before, last = here, &at
	}
	best := before[0]
	for _, s := range before {
		if s.cost < best.cost {
			best = s
		}
	}
	return best.arc, far, true, nil
}

// stays lists the passes of a place with the cost of its distance from them: those in the
// direction of the course, or all where none is. Passes before after are left out.
func stays(c *corridor.Corridor, p geo.Point, within, bearing, after float64) []stay {
	var takes corridor.Takes
	if !math.IsNaN(bearing) {
		takes = corridor.Facing(bearing, 90)
	}
	passes := c.Passes(p, within, nil, takes)
	if len(passes) == 0 && takes != nil {
		passes = c.Passes(p, within, nil, nil)
	}
	var all []stay
	for _, x := range passes {
		if x.Arc >= after && len(all) < mostStays {
			off := x.Metres / spread
			all = append(all, stay{x.Arc, off * off / 2})
		}
	}
	return all
}

// reached returns the least cost of coming to a place of the plan from one of those before it,
// so many metres away in a straight line.
func reached(before []stay, arc, apart float64) float64 {
	if len(before) == 0 {
		return 0
	}
	least := math.Inf(1)
	for _, b := range before {
		least = min(least, b.cost+math.Abs(arc-b.arc-apart)/(slack+winding*apart))
	}
	return least
}
