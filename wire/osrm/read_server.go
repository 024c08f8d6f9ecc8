package osrm

import (
	"encoding/json"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
)

// Served is an answer of an OSRM server, whichever service it is of. What a service does
// not answer is nothing.
type Served struct {
	Routes     []engine.Route // of route, and the matchings of match
	Confidence []float64      // of the matchings
	Places     []*Place       // waypoints or tracepoints; nil where a position of a trace has none
	Sources    []*Place
	Targets    []*Place
	Durations  [][]*float64 // seconds, by source, then target; nil where there is no way
	Distances  [][]*float64 // metres
}

// Place is where a coordinate lies on the roads.
type Place struct {
	On     geo.Point
	Metres float64 // from the coordinate
	Nodes  [2]int64
	Route  int // the matching that a position of a trace is of; -1 is none
	Stop   int // its place among the matching's waypoints; -1 where no leg begins or ends there
}

// UnmarshalJSON reads a waypoint or a tracepoint.
func (p *Place) UnmarshalJSON(text []byte) error {
	var v struct {
		Location [2]float64
		Distance float64
		Nodes    [2]int64
		Matching *int `json:"matchings_index"`
		Waypoint *int `json:"waypoint_index"`
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	*p = Place{On: geo.Point{Lon: v.Location[0], Lat: v.Location[1]}, Metres: v.Distance, Nodes: v.Nodes, Route: -1, Stop: -1}
	if v.Matching != nil {
		p.Route = *v.Matching
	}
	if v.Waypoint != nil {
		p.Stop = *v.Waypoint
	}
	return nil
}

// ReadServed reads an answer of an OSRM server whose routes have steps, and geometries in
// the form that the output names. The routes' waypoints are not filled in. The error is
// that the answer does not have the form of one.
func ReadServed(doc []byte, o *engine.Output) (*Served, error) {
	var answer struct {
		Routes, Matchings      []path
		Waypoints, Tracepoints []*Place
		Sources, Destinations  []*Place
		Durations, Distances   [][]*float64
	}
	if err := json.Unmarshal(doc, &answer); err != nil {
		return nil, unlike(err)
	}
	a := &Served{Places: answer.Waypoints, Sources: answer.Sources, Targets: answer.Destinations, Durations: answer.Durations, Distances: answer.Distances}
	paths := answer.Routes
	if answer.Matchings != nil {
		paths, a.Places = answer.Matchings, answer.Tracepoints
	}
	for i := range paths {
		r, err := paths[i].read(o)
		if err != nil {
			return nil, unlike(err)
		}
		for k := range r.Legs {
			l := &r.Legs[k]
			l.Instructions = nil // a server gives none
			for n := range l.Manoeuvres {
				l.Manoeuvres[n].Lanes = paths[i].Legs[k].Steps[n].lanes()
			}
		}
		a.Routes = append(a.Routes, *r)
		a.Confidence = append(a.Confidence, paths[i].Confidence)
	}
	return a, nil
}

// lanes returns those before a step's manoeuvre. A server does not say which of those that
// lead on are best.
func (s *step) lanes() []guidance.Lane {
	if len(s.Intersections) == 0 {
		return nil
	}
	var list []guidance.Lane
	for _, l := range s.Intersections[0].Lanes {
		out := guidance.Lane{Valid: l.Valid, Active: l.Valid}
		for _, word := range l.Indications {
			out.Indications |= arrow(word)
		}
		if taken := arrow(s.Maneuver.Modifier); l.Valid && taken != guidance.NoDirection {
			out.Take = taken & out.Indications
		}
		list = append(list, out)
	}
	return list
}

// arrow returns the direction of a word of arrowWords, NoDirection of any other.
func arrow(word string) guidance.Directions {
	for _, x := range arrowWords {
		if x.word == word {
			return x.direction &^ (guidance.MergeToLeft | guidance.MergeToRight)
		}
	}
	return guidance.NoDirection
}
