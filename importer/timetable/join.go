package timetable

import (
	"math"
	"strings"
	"unicode"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
)

// How far apart, in metres, two feeds can have one stop.
const (
	sameStop = 200 // of one id or code
	sameName = 15  // of one name
)

// found is a stop of the feed that is being read.
type found struct {
	timetable.Stop
	*stationNode
}

// nameCell is a name and where it is: a cell of a thousandth of a degree.
type nameCell struct {
	name        string
	south, west int32
}

const (
	cellsOfDegree = 1000
	mostAlike     = 64 // stops of one name in a cell that are compared
)

// spotOf returns where a stop is kept by its name in small letters and digits; false where it has
// none.
func spotOf(s *timetable.Stop) (nameCell, bool) {
	name := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, s.Name)
	return nameCell{name, int32(math.Floor(s.At.Lat * cellsOfDegree)), int32(math.Floor(s.At.Lon * cellsOfDegree))}, name != "" && s.Kind <= timetable.KindStation
}

// joinStops adds the stops of a feed, or finds them among those of the feeds before: by their
// ids, by codes that each feed has once, and by their names at one place.
func (r *reader) joinStops(all []found) {
	codes, spots := map[string]int{}, map[nameCell][]int{}
	for i := range all {
		if s := &all[i].Stop; s.Kind <= timetable.KindStation {
			codes[s.Code]++
			if at, ok := spotOf(s); ok {
				spots[at] = append(spots[at], i)
			}
		}
	}
	own := func(n int) *timetable.Stop { return &all[n].Stop }
	for i := range all {
		s := all[i].Stop
		id := s.ID
		n, ok := r.ids[id]
		if ok = ok && geo.Distance(r.stops[n].At, s.At) <= sameStop; !ok {
			n, ok = r.codes[s.Code]
			ok = ok && s.Code != "" && codes[s.Code] == 1 && n != none && s.Kind == r.stops[n].Kind && geo.Distance(r.stops[n].At, s.At) <= sameStop
		}
		if !ok {
			var away float64
			if n, away, ok = nearest(&s, r.near, func(n int) *timetable.Stop { return &r.stops[n] }); ok {
				back, _, mutual := nearest(&r.stops[n], spots, own)
				ok = mutual && back == i && away <= sameName
			}
		}
		if !ok {
			n = r.addStop(s)
		} else if _, there := r.ids[id]; !there {
			r.ids[id] = n
			r.AddID(n, id)
		}
		r.stop[id], all[i].stationNode.stop = n, n
	}
	for _, f := range all { // now that no stop of this feed can be joined with another of it
		n, s := f.stationNode.stop, f.Stop
		if _, there := r.codes[s.Code]; s.Code != "" && s.Kind <= timetable.KindStation && !there {
			r.codes[s.Code] = n
			if codes[s.Code] > 1 {
				r.codes[s.Code] = none
			}
		}
		if at, ok := spotOf(&s); ok && n >= r.firstStop {
			r.near[at] = append(r.near[at], n)
		}
	}
}

// addStop adds a stop, whose id begins with the feed's name where it is another stop's.
func (r *reader) addStop(s timetable.Stop) int {
	_, taken := r.ids[s.ID]
	if taken {
		r.Faults.Add("stops.txt: the id of another feed's stop elsewhere", s.ID)
	}
	for taken {
		s.ID = r.Name + ":" + s.ID
		_, taken = r.ids[s.ID]
	}
	n := r.AddStop(s)
	r.stops = append(r.stops, s)
	r.ids[s.ID] = n
	return n
}

// nearest finds the stop of a list that is nearest to another of the same name, kind and
// platform; false where the next one is not much farther, as on the other side of a street:
// then which one is meant is a guess.
func nearest(s *timetable.Stop, spots map[nameCell][]int, stop func(n int) *timetable.Stop) (best int, away float64, ok bool) {
	at, ok := spotOf(s)
	if !ok {
		return none, 0, false
	}
	best, away = none, math.Inf(1)
	next := math.Inf(1)
	for south := at.south - 1; south <= at.south+1; south++ {
		for west := at.west - 1; west <= at.west+1; west++ {
			list := spots[nameCell{at.name, south, west}]
			for _, n := range list[:min(len(list), mostAlike)] {
				other := stop(n)
				if other.Kind != s.Kind || other.Platform != s.Platform && other.Platform != "" && s.Platform != "" {
					continue
				}
				if metres := geo.Distance(s.At, other.At); metres < away {
					best, away, next = n, metres, away
				} else {
					next = min(next, metres)
				}
			}
		}
	}
	return best, away, best != none && next > 2*away+5
}
