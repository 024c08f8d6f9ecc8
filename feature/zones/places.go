package zones

import (
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
)

// Held is a zone that some places lie in.
type Held struct {
	*zone.Placed
	Places   []int // indexes
	Verdict  Verdict
	Outdated string // as Outdated returns it
}

// Holding returns the zones that some places lie in, each with the severest verdict for a vehicle
// in the 24 hours from the beginning of the journey.
func (s *Service) Holding(x *zone.Index, v *Vehicle, when *engine.When, places []geo.Point) (list []Held) {
	all := x.All()
	for i := range all {
		h := Held{Placed: &all[i]}
		for j, p := range places {
			if h.Area.Contains(p) {
				h.Places = append(h.Places, j)
			}
		}
		if h.Places == nil {
			continue
		}
		from, to := s.span(&h.Zone, when, 24*time.Hour)
		worst, _ := Between(&h.Zone, v, from, to, s.holidays(&h.Zone))
		h.Verdict, h.Outdated = worst.Verdict, Outdated(&h.Zone, s.now())
		list = append(list, h)
	}
	return list
}
