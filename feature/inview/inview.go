// Package inview finds the places that lie in the direction of a view, and whether
// ground or buildings stand between.
package inview

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// Places is the index of places: place.Index. It gives the nearest first.
type Places interface {
	Around(ctx context.Context, at geo.Point, metres float64, categories []string, lang string, yield func(place.Near) bool) error
}

// Heights is where heights are from: height.Shared. Of a place that is not known
// it gives NaN.
type Heights interface {
	Heights(ctx context.Context, places []geo.Point) (metres []float64, damaged []error, err error)
}

// Tiles is the region's map: tileset.Reader.
type Tiles interface {
	Tile(z, x, y int) (data []byte, ok bool, err error)
}

// Service looks.
type Service struct {
	Places  Places
	Heights Heights // nil has none
	Dataset string  // what the heights are
	Tiles   Tiles   // nil has none
}

// Request is a look in a direction.
type Request struct {
	At          geo.Point
	Bearing     float64 // degrees clockwise from true north
	Width       float64 // of the sector, in degrees
	Radius      float64 // metres
	Eye, Target float64 // metres above the ground
	Limit       int
	Categories  []string // any of them; none stands for all
	Name        string   // words that a place's name must have; "" for any
	Lang        string
	VisibleOnly bool
}

// Bounds of one look.
const (
	// mostChecked is how many places are checked where only visible ones are wanted:
	// the nearest.
	mostChecked = 100
	// mostTiles is how many tiles of buildings are read, the nearest first.
	mostTiles = 32
	// mostFound is how many places are compared with the sector, the nearest first:
	// what the index gives at the most.
	mostFound = 20_000
)

// candidate is a place in the sector.
type candidate struct {
	place.Near
	bearing, offset float64
}

// What looking takes on one core, in nanoseconds: a square metre of the circle that places
// are looked for in, in a town, a place that is checked, and a tile of buildings. They need to
// be right to a factor of a few: what looks really take corrects them.
const (
	squareNanos = 0.4
	checkNanos  = 2e5
	tileNanos   = 1e6
)

// Effort is about what a look takes.
func (q *Request) Effort() engine.Estimate {
	checked := float64(q.Limit)
	if q.VisibleOnly {
		checked = mostChecked
	}
	nanos := q.Radius*q.Radius*squareNanos + checked*checkNanos*(q.Radius/5000) + math.Min(mostTiles, 2+math.Pow(q.Radius/700, 2))*tileNanos
	return engine.Estimate{Kind: "in-view", Work: time.Duration(nanos), Bytes: 16 << 20, Cores: 1, Cheaper: "a smaller radius"}
}

// Look finds the places in view, the nearest first. damaged are files that could
// not be read; what they hold is not known then.
func (s *Service) Look(ctx context.Context, q *Request) (a *Answer, damaged []error, err error) {
	a = &Answer{Observer: observerOf(q), Results: []Result{}, Caveat: caveat}
	in, err := s.candidates(ctx, q, a)
	if err != nil {
		return nil, nil, err
	}
	checked := in[:min(len(in), q.Limit)]
	if q.VisibleOnly {
		checked = in[:min(len(in), mostChecked)]
	}
	lines, damaged, err := s.sights(ctx, q, checked, a)
	if err != nil {
		return nil, nil, err
	}
	unread, err := s.buildings(ctx, q.At, lines, a)
	if err != nil {
		return nil, nil, err
	}
	n := 0
	for i := range checked {
		v := lines[i].verdict()
		if q.VisibleOnly && v.Verdict != Clear {
			n++
			if v.Verdict == Occluded {
				a.Excluded.Occluded++
			} else {
				a.Excluded.Unknown++
			}
			continue
		}
		if len(a.Results) == q.Limit {
			break
		}
		n++
		a.Results = append(a.Results, resultOf(&checked[i], v))
	}
	a.Excluded.Unchecked = len(in) - n
	return a, append(damaged, unread...), nil
}

// candidates returns the places in the sector, the nearest first.
func (s *Service) candidates(ctx context.Context, q *Request, a *Answer) (in []candidate, err error) {
	wanted := fold(q.Name)
	a.Coverage.Radius = q.Radius
	looked := 0
	err = s.Places.Around(ctx, q.At, q.Radius, q.Categories, q.Lang, func(n place.Near) bool {
		if looked++; looked == mostFound {
			a.Coverage.Radius = rounded(n.Metres, 10)
			return false
		}
		if n.Metres > q.Radius || !named(n.Name, wanted) {
			return true
		}
		a.Coverage.Found++
		c := candidate{Near: n, bearing: geo.Bearing(q.At, n.At)}
		// Whoever stands at a place sees it in whatever direction he looks.
		if n.Metres > atThePlace {
			c.offset = math.Mod(c.bearing-q.Bearing+540+360, 360) - 180
		}
		if math.Abs(c.offset) > q.Width/2 {
			a.Excluded.OutOfSector++
			return true
		}
		in = append(in, c)
		return true
	})
	slices.SortStableFunc(in, func(x, y candidate) int { return cmp.Or(cmp.Compare(x.Metres, y.Metres), cmp.Compare(x.ID, y.ID)) })
	return in, err
}

// atThePlace is the distance in metres within which a place has no direction.
const atThePlace = 1.0
