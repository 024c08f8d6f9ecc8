// Package schematic draws the surroundings of a place as text that a language model
// can use: a small map of characters, the streets with what each meets in order, and
// what stands there. It reads vector tiles in the schema of Protomaps.
package schematic

import (
	"context"
	"fmt"
	"math"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Bounds of a request, and what holds where it does not say.
const (
	MinRadius   = 50 // metres
	MaxRadius   = 2000
	UsualRadius = 300
	MinBudget   = 200 // tokens
	MaxBudget   = 20_000
	UsualBudget = 1500
)

// Request is a place and how much to say of it.
type Request struct {
	At     geo.Point
	Radius float64 // metres; a square of twice that is drawn
	Budget int     // tokens of schematic and legend together
}

// Tiles gives the map: the tile at a place of the grid of a zoom, packed with gzip
// or not; nothing where the map has none.
type Tiles struct {
	MaxZoom int
	Tile    func(ctx context.Context, z, x, y int) ([]byte, error)
}

// Answer is the surroundings in text.
type Answer struct {
	Schematic string
	Legend    map[string]string // what the symbols of the schematic stand for
	Truncated bool              // something that the map has there was left out
	Tokens    int               // of schematic and legend, as estimated
	Bounds    geo.Bounds        // of the square
}

// Draw makes the text of a place.
func Draw(ctx context.Context, t Tiles, r Request) (*Answer, error) {
	var bad []fault.Violation
	if !r.At.Valid() {
		bad = append(bad, fault.Violation{Location: "lat", Value: r.At.Lat, Message: "lat is -90 to 90 and lon -180 to 180"})
	}
	if math.Abs(r.At.Lat) > 85 {
		bad = append(bad, fault.Violation{Location: "lat", Value: r.At.Lat, Message: "is beyond the map, which ends at 85 degrees"})
	}
	if r.Radius < MinRadius || r.Radius > MaxRadius {
		bad = append(bad, fault.Violation{Location: "radius_m", Value: r.Radius, Message: fmt.Sprintf("must be %d to %d", MinRadius, MaxRadius)})
	}
	if r.Budget < MinBudget || r.Budget > MaxBudget {
		bad = append(bad, fault.Violation{Location: "token_budget", Value: r.Budget, Message: fmt.Sprintf("must be %d to %d", MinBudget, MaxBudget)})
	}
	if err := fault.Invalid(bad...); err != nil {
		return nil, err
	}
	s := &scene{at: r.At, radius: r.Radius}
	if err := s.read(ctx, t); err != nil {
		return nil, err
	}
	if err := s.meet(ctx); err != nil {
		return nil, err
	}
	s.rank()
	a, err := s.fit(ctx, r.Budget)
	if err != nil {
		return nil, err
	}
	a.Bounds = geo.Around(r.At, r.Radius)
	return a, nil
}

// planePoint is a place in metres east and north of the middle.
type planePoint struct{ x, y float64 }

func (a planePoint) to(b planePoint) float64 { return math.Hypot(b.x-a.x, b.y-a.y) }

// line is a piece of a street.
type line struct {
	points []planePoint
	level  int // 1 on a bridge, -1 in a tunnel
}

// street is all that has one name and kind.
type street struct {
	name, kind string
	weight     float64 // of its kind
	oneWay     bool
	lines      []line

	length   float64
	near     float64    // metres from the middle
	from, to planePoint // its ends: the two points of it that are farthest apart
	meets    []meeting
	symbol   string
}

// meeting is where a street meets another.
type meeting struct {
	other *street
	at    float64 // metres from the street's first end, along its course
}

// landmark is something with a name at a place.
type landmark struct {
	name, kind string
	at         planePoint
	rank       float64 // less is of more weight
	on         *street // the street it is on; nil where it is on none that has a name
	symbol     string
}

// scene has the known surroundings.
type scene struct {
	at     geo.Point
	radius float64

	streets   []*street
	unnamed   [][]planePoint // of roads without a name, for the map alone
	water     [][]planePoint // of rivers and streams, likewise
	landmarks []*landmark
	dropped   bool // more than is looked at
}
