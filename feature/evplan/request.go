// Package evplan plans journeys of electric vehicles: where to stop, how long to
// charge, and what is left in the battery on the way.
package evplan

import (
	"context"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Request is a journey to plan. It is checked before it comes here: charges are 0
// to 1, the battery holds something, powers are above 0.
type Request struct {
	Locations  []Location // two or more, the start first and the destination last
	Options    costing.Settings
	Conditions engine.Conditions
	Vehicle    ev.Vehicle
	Battery    ev.Battery
	MostAC     float64             // watts that the vehicle takes of alternating current; 0 takes none
	MostDC     float64             // of direct current
	Standards  []charging.Standard // connectors that fit; none is all
	Weather    ev.Weather

	Start, MinStop, MinEnd, MaxCharge float64       // charges
	Overhead                          time.Duration // of a stop, besides charging
	MinCharge                         time.Duration // that a stop charges at the least
	LeastKW                           float64       // of stations
	Corridor                          float64       // metres from the direct route within which stations are looked at
}

// Location is where the journey begins, calls or ends. All but its point counts only between
// the ends.
type Location struct {
	Point geo.Point
	Dwell time.Duration
	Least float64 // charge on arrival
	// Watts is the power of a charger there; nil where that is not known, and then the
	// strongest station within stands is the charger.
	Watts *float64
}

// chargerRadius is how far, in metres, a station is from a location to be its charger.
const chargerRadius = 100

// Service plans journeys. Engine is required.
type Service struct {
	Engine engine.Engine
	// Directory has the stations of feeds, and Mapped those of the map; nil where there are
	// none.
	Directory *charging.Directory
	Mapped    *charging.Mapped
	// Heights are those of the ground, NaN where not known; nil where there are none.
	Heights func(ctx context.Context, places []geo.Point) (metres []float64, damaged []error, err error)
}

// ErrNone is returned where there is no directory of stations.
var ErrNone = fault.NotEnabled("ev-plan", "plans of electric journeys are not enabled here: there is no directory of charging stations (SVC_CHARGING_DIR), and the map has none")

// occupied is the wait that a plan assumes at a station all of whose points are taken.
const occupied = 15 * time.Minute

// osm is the source of stations on the map.
const osm = "osm"

// candidate is a station that the vehicle can charge at.
type candidate struct {
	*charging.Station
	listed *charging.Listed // nil for one of the map
	watts  float64
	wait   time.Duration
	arc    float64 // metres along the direct route of its section
	off    float64 // metres from it
	height float64 // NaN where not known
	detour float64 // seconds that the way by it takes longer than the direct one, at the least
	bound  float64 // cost of a journey by it at the least
	chosen bool    // into the matrix

	call  bool // a location, whose station may be nil
	dwell time.Duration
	least float64
}

// call returns a location between the ends as a candidate.
func (j *journey) call(ctx context.Context, i int) (candidate, error) {
	l := &j.Locations[i]
	c := candidate{call: true}
	if l.Watts != nil {
		c.watts = *l.Watts
	} else {
		err := j.near(ctx, corridor.New([]geo.Point{l.Point}), chargerRadius, func(s *charging.Station, listed *charging.Listed, _ []corridor.Part) {
			if there, why := j.fit(s); why == "" && there.watts > c.watts && geo.Distance(s.At, l.Point) <= chargerRadius {
				c = there
				c.call, c.listed, c.wait = true, listed, 0
			}
		})
		if err != nil {
			return c, err
		}
	}
	c.dwell, c.least = l.Dwell, l.Least
	return c, nil
}

// fit returns a station with the power that it can charge the vehicle with; why is the reason
// for which it cannot, "" where it can.
func (r *Request) fit(l *charging.Station) (c candidate, why string) {
	if l.Private {
		return c, "private"
	}
	c.Station = l
	known, free, broken := 0, 0, 0
	unknown := false
	for i := range l.Points {
		p := &l.Points[i]
		watts := 0.0
		for _, x := range p.Connectors {
			if !fits(x.Standard, r.Standards) {
				continue
			}
			most := r.MostAC
			if x.Standard.DC() || x.Standard == charging.Tesla || x.Standard == charging.NACS {
				most = r.MostDC
			}
			unknown = unknown || x.KW <= 0
			watts = max(watts, min(x.KW*1000, most))
		}
		if watts <= 0 {
			continue
		}
		if p.Status == charging.OutOfOrder {
			broken++
			continue
		}
		if p.Status != "" {
			known++
		}
		if p.Status != charging.Occupied {
			free++
		}
		c.watts = max(c.watts, watts)
	}
	switch {
	case c.watts <= 0 && broken > 0:
		return c, "out_of_order"
	case c.watts <= 0 && unknown:
		return c, "power_unknown"
	case c.watts <= 0:
		return c, "connector"
	case c.watts < r.LeastKW*1000:
		return c, "power"
	}
	if free == 0 && known > 0 {
		c.wait = occupied
	}
	return c, ""
}

func fits(s charging.Standard, all []charging.Standard) bool {
	for _, x := range all {
		if x == s {
			return true
		}
	}
	return len(all) == 0
}
