package find

import (
	"slices"

	"github.com/waygate/waygate/index/place"
)

// mostJudged is how many opening hours are judged for one query: those beyond are not known.
const mostJudged = 200

// openUnknown is how many times as far away a place counts, of which it is not known whether it
// is open, where open ones are wanted.
const openUnknown = 3

// opening judges the opening hours of a record.
func (s *search) opening(i uint32) place.Opening {
	x, r := s.x, &s.x.Records[i]
	if place.Kind(r.Kind) != place.POI || s.q.Opens == nil {
		return place.MayBeOpen
	}
	for k, to := place.Rows(x.DetailOf, i); k < to; k++ {
		if x.Text(x.DetailKey[k]) != "opening_hours" {
			continue
		}
		if s.hoursJudged++; s.hoursJudged > mostJudged {
			break
		}
		set := &x.Settings[r.Setting]
		return s.q.Opens(x.Text(x.DetailValue[k]), r.At.Point(), place.CountryText(set.Country), x.Text(set.State))
	}
	return place.MayBeOpen
}

// dropShut leaves out the points of interest that are shut, where open places are wanted.
func (s *search) dropShut() {
	if !s.open {
		return
	}
	s.hits = slices.DeleteFunc(s.hits, func(h hit) bool { return h.of == ofRecords && s.opening(h.i) == place.IsShut })
}
