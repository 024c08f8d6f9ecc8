package engine

import (
	"encoding/json"
	"net/http"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Journey is a route read back from an answer on the native face, for what
// reckons with routes instead of passing them on.
type Journey struct {
	Legs            []JourneyLeg
	Metres, Seconds float64
}

// JourneyLeg is the way from one stop to the next.
type JourneyLeg struct {
	Metres, Seconds float64
	Line            []geo.Point
}

// Line is the line of the whole journey.
func (j *Journey) Line() []geo.Point {
	var line []geo.Point
	for _, l := range j.Legs {
		for _, p := range l.Line {
			if len(line) == 0 || line[len(line)-1] != p {
				line = append(line, p)
			}
		}
	}
	return line
}

// ReadJourney reads the best route of an answer on the native face that was
// asked for with lengths in kilometres and shapes of six digits, or none.
func ReadJourney(body []byte) (*Journey, error) {
	type sum struct{ Length, Time float64 }
	var answer struct {
		Trip struct {
			Summary sum
			Legs    []struct {
				Summary sum
				Shape   string
			}
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Trip.Legs) == 0 {
		return nil, unreadable(err)
	}
	j := &Journey{Metres: answer.Trip.Summary.Length * 1000, Seconds: answer.Trip.Summary.Time}
	for _, l := range answer.Trip.Legs {
		line, err := geo.DecodePolyline(l.Shape, 6)
		if err != nil {
			return nil, unreadable(err)
		}
		j.Legs = append(j.Legs, JourneyLeg{Metres: l.Summary.Length * 1000, Seconds: l.Summary.Time, Line: line})
	}
	return j, nil
}

func unreadable(err error) error {
	return fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a route").With("upstream_status", http.StatusOK)
}
