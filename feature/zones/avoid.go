package zones

import (
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/zone"
)

// Service judges by what is known of holidays and of the time. Its zero value
// knows no holidays.
type Service struct {
	// Holidays are the public ones of a country, and of a state of it.
	Holidays func(country, state string) hours.Holidays
	Now      func() time.Time // nil is time.Now
}

func (s *Service) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s *Service) holidays(z *zone.Zone) hours.Holidays {
	if s.Holidays == nil || z.Country == "" {
		return nil
	}
	return s.Holidays(z.Country, "")
}

// Avoidance is what is decided before a journey that keeps out of zones.
type Avoidance struct {
	Areas  []engine.Area // to be kept out of
	Inside []Inside      // zones that cannot be, for a place of the journey lies in them

	outdated []string // ids of those of them of which what is known is
}

// Inside is a place of a journey in a zone that was to be avoided.
type Inside struct {
	Zone     string `json:"id"`
	Location int    `json:"location_index"`
}

// slow is the speed, in metres a second, at which a journey is reckoned along the
// straight lines between its places to say how long it takes at most: a third of
// what roads with detours make of it. patience is added.
const (
	slow     = 8.0
	patience = time.Hour
	longest  = 48 * time.Hour
)

// Avoid decides which zones a vehicle keeps out of on a journey through some
// places: those that charge or ban it at any time while the journey may last. It
// is decided from the places alone. A zone that holds one of them is not kept out
// of, and told.
func (s *Service) Avoid(x *zone.Index, v *Vehicle, when *engine.When, places []geo.Point) (a Avoidance) {
	lasts := patience
	for i := 1; i < len(places); i++ {
		lasts += time.Duration(geo.Distance(places[i-1], places[i]) / slow * float64(time.Second))
	}
	lasts = min(lasts, longest)
	all := x.All()
	for i := range all {
		z := &all[i]
		if !slices.ContainsFunc(z.Rules, func(r zone.Rule) bool { forIt, _ := meets(&r, v); return forIt && r.Effect != free }) {
			continue
		}
		from, to := s.span(&z.Zone, when, lasts)
		// Where it is not known whether a rule holds then, it may.
		if worst, _ := Between(&z.Zone, v, from, to, s.holidays(&z.Zone)); worst.Verdict == Free {
			continue
		}
		if Outdated(&z.Zone, s.now()) != "" {
			a.outdated = append(a.outdated, z.ID)
		}
		held := false
		for j, p := range places {
			if z.Area.Contains(p) {
				a.Inside = append(a.Inside, Inside{z.ID, j})
				held = true
			}
		}
		if !held {
			a.Areas = append(a.Areas, engine.Area{Name: z.ID, Shape: z.Area})
		}
	}
	return a
}

// span is the time in which a journey that lasts so long may be in a zone.
func (s *Service) span(z *zone.Zone, when *engine.When, lasts time.Duration) (from, to time.Time) {
	switch {
	case when == nil || when.Type == engine.Now:
		from = s.now()
		return from, from.Add(lasts)
	case when.Type == engine.Arrive:
		to = localIn(when.Local, z)
		return to.Add(-lasts), to
	case when.Type == engine.Invariant:
		from = localIn(when.Local, z)
		return from, from
	}
	from = localIn(when.Local, z)
	return from, from.Add(lasts)
}

// localIn is the moment when clocks in a zone show a local time.
func localIn(t time.Time, z *zone.Zone) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, location(z))
}
