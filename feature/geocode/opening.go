package geocode

import (
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/place"
)

// Opens judges the opening hours of a place at the moment; its results are for one question.
func (s *Service) Opens() func(tag string, at geo.Point, country, state string) place.Opening {
	if s.Zone == nil {
		return nil
	}
	now := time.Now()
	if s.Now != nil {
		now = s.Now()
	}
	return func(tag string, at geo.Point, country, state string) place.Opening {
		zone := s.Zone(at)
		if zone == nil {
			return place.MayBeOpen
		}
		schedule, err := hours.Parse(tag)
		if err != nil {
			return place.MayBeOpen
		}
		p := &hours.Place{At: &at}
		if s.Holidays != nil {
			p.Holiday = s.Holidays(country, state)
		}
		switch schedule.In(now.In(zone), p) {
		case hours.Open:
			return place.IsOpen
		case hours.Closed:
			return place.IsShut
		}
		return place.MayBeOpen
	}
}
