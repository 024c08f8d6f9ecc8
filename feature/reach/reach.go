// Package reach counts the addresses and places within outlines.
package reach

import (
	"context"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/index/rings"
)

// Within is how much lies within an outline.
type Within struct {
	Contour   float64 `json:"contour" doc:"minutes or kilometres"`
	Metric    string  `json:"metric" enum:"time,distance"`
	Addresses int     `json:"addresses" doc:"whose points lie within the outline as it is drawn"`
	Places    int     `json:"places" doc:"points of interest, such as shops and schools, likewise"`
	More      bool    `json:"more" doc:"there may be more than these: a count looks at 1,000,000 addresses, places and boxes of the index for each outline"`
}

// most is how many places and boxes of an index the count of one outline looks at.
const most = 1_000_000

// Nanoseconds that a corner of an outline takes, and a place or box that is looked at.
const (
	cornerNanos = 300
	lookNanos   = 200
	cornerLooks = 2 // of places and boxes for each corner, about
)

// Count counts what of an index of places lies within each outline. The error is the
// context's, or that there was no processor for it in time.
func Count(ctx context.Context, places *find.Index, outlines []engine.Outline) ([]Within, error) {
	return engine.WorkFor(ctx, effort(places, outlines), func(ctx context.Context) ([]Within, error) {
		out := make([]Within, len(outlines))
		for i := range outlines {
			c, err := places.Within(ctx, area(&outlines[i]), most)
			if err != nil {
				return nil, err
			}
			out[i] = Within{Contour: outlines[i].Minutes, Metric: "time", Addresses: c.Addresses, Places: c.POIs, More: c.More}
			if outlines[i].Kilometres > 0 {
				out[i].Contour, out[i].Metric = outlines[i].Kilometres, "distance"
			}
		}
		return out, nil
	})
}

// area returns an outline as a count reads it.
func area(o *engine.Outline) *rings.Area {
	var all [][]geo.Fixed
	for _, p := range o.Polygons {
		all = append(all, fixed(p.Outer))
		for _, hole := range p.Holes {
			all = append(all, fixed(hole))
		}
	}
	return rings.NewArea(all)
}

func fixed(line []geo.Point) []geo.Fixed {
	out := make([]geo.Fixed, len(line))
	for i, p := range line {
		out[i] = p.Fix()
	}
	return out
}

// effort returns what a count is expected to take: along the outlines places are looked at one by
// one, and points of interest everywhere within them.
func effort(places *find.Index, outlines []engine.Outline) engine.Estimate {
	e := engine.Estimate{Kind: "reach-count", Bytes: 1 << 16, Cores: 1, Cheaper: "fewer or smaller contours"}
	for i := range outlines {
		corners := 0
		for _, p := range outlines[i].Polygons {
			corners += len(p.Outer)
			for _, hole := range p.Holes {
				corners += len(hole)
			}
		}
		looks := min(most, corners*cornerLooks+len(places.Records)/10, len(places.Records)+len(places.Addresses))
		e.Work += time.Duration(corners*cornerNanos + looks*lookNanos)
		e.Bytes = max(e.Bytes, int64(corners)*64)
	}
	return e
}
