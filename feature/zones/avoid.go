package zones

import (
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/zone"
)

// Service judges zones at a time. Its zero value has no holidays.
type Service struct {
	// Holidays returns the public holidays of a country, and of a state of it.
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

// Avoidance is the zones that a journey avoids.
type Avoidance struct {
	Areas  []engine.Area // to avoid
	Inside []Inside      // zones that cannot be avoided, as a place of the journey lies in them

	outdated []string // ids of those of both whose data are outdated
}

// Inside is a place of a journey in a zone that was to be avoided.
type Inside struct {
	Zone     string `json:"id"`
	Location int    `json:"location_index"`
}

// Bounds of how long a journey lasts: slow is the speed, in metres a second, along the straight
// lines between its places, a third of what roads allow with their detours; patience is added.
const (
	slow     = 8.0
	patience = time.Hour
	longest  = 48 * time.Hour
)

// Avoid returns the zones that a vehicle avoids on a journey through some places: those that
// charge or ban it at any time while the journey may last, judged by the places alone. A zone
// that contains one of the places is not avoided, and is listed as Inside.
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
		// A rule of which it is not known whether it holds then may hold.
		if worst, _ := Between(&z.Zone, v, from, to, s.holidays(&z.Zone)); worst.Verdict == Free {
			continue
		}
		if Outdated(&z.Zone, s.now()) != "" {
			a.outdated = append(a.outdated, z.ID)
		}
		inside := false
		for j, p := range places {
			if z.Area.Contains(p) {
				a.Inside = append(a.Inside, Inside{z.ID, j})
				inside = true
			}
		}
		if !inside {
			a.Areas = append(a.Areas, engine.Area{Name: z.ID, Shape: z.Area})
		}
	}
	return a
}

// span returns the time in which a journey that lasts so long may be in a zone.
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

// localIn returns the time at which clocks in a zone show a local time.
func localIn(t time.Time, z *zone.Zone) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, location(z))
}
