// Package transit answers from timetables: stops, boards of departures, journeys.
// Times are those of the timetable and are said to be so: nothing here claims that a
// vehicle came.
package transit

import (
	"cmp"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/wire/null"
)

// Service answers from timetables and from feeds of vehicles and trip updates.
type Service struct {
	Feeds   *Feeds       // nil has none
	Updates *UpdateFeeds // nil has none
	Now     func() time.Time
}

// ServiceDays is how many days from today departures can be requested.
const ServiceDays = 3

var errNoTimetable = fault.NotEnabled("transit", "public transport is not enabled here: no region in service was imported with a timetable (waygate import --gtfs)")

// Enabled fails where no region has a timetable.
func Enabled(indexes []*timetable.Index) error {
	if len(indexes) == 0 {
		return errNoTimetable
	}
	return nil
}

// Coverage counts the contents of a timetable and gives its dates.
type Coverage struct {
	FirstDay *string `json:"first_day" doc:"first day of service in the timetable, YYYY-MM-DD; null where it has no trip"`
	LastDay  *string `json:"last_day" doc:"last day of service; where it is past, the timetable is out of date and boards are empty"`
	Expired  bool    `json:"expired" doc:"whether the last day is past"`
	Stops    int     `json:"stops" doc:"in the timetable, stations and their parts included"`
	OnDemand int     `json:"on_demand" doc:"trips on demand that the feeds have (GTFS-Flex): they are on no board"`
	Sources  []Feed  `json:"sources" nullable:"false"`
}

// Feed is a source of a timetable.
type Feed struct {
	Name      string  `json:"name"`
	Publisher *string `json:"publisher"`
	Version   *string `json:"version"`
}

// About describes timetables together, and names their publishers.
func (s *Service) About(indexes []*timetable.Index) (Coverage, []string) {
	return s.coverage(indexes), attribution(indexes)
}

// coverage describes timetables together.
func (s *Service) coverage(indexes []*timetable.Index) Coverage {
	c := Coverage{Sources: []Feed{}}
	var first, last gtfs.Date
	for _, x := range indexes {
		c.Stops += x.Stops()
		if from, to, ok := x.Span(); ok && (c.FirstDay == nil || from < first) {
			first = from
			c.FirstDay = null.IfZero(from.String())
			last = max(last, to)
		} else if ok {
			last = max(last, to)
		}
		for _, f := range x.Feeds() {
			c.OnDemand += f.OnDemand
			c.Sources = append(c.Sources, Feed{f.Name, null.IfZero(f.Publisher), null.IfZero(f.Version)})
		}
	}
	if c.FirstDay != nil {
		c.LastDay = null.IfZero(last.String())
		c.Expired = last < gtfs.DateOf(s.Now().In(indexes[0].Zone(0)))
	}
	return c
}

// attribution names the publishers of timetables, each once.
func attribution(indexes []*timetable.Index) []string {
	list := []string{}
	for _, x := range indexes {
		for _, f := range x.Feeds() {
			name := cmp.Or(f.Licence, f.Publisher, f.Name)
			if f.Link != "" {
				name += " (" + f.Link + ")"
			}
			if line := "Timetable: " + name; !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
	}
	return list
}

// StopsRequest asks for stops near a place.
type StopsRequest struct {
	At     geo.Point
	Radius float64 // metres
	Limit  int
	Modes  timetable.Modes
	Lang   string // of names; "" for the local ones
}

// Stops is the stops near a place, the nearest first.
type Stops struct {
	Stops       []Stop   `json:"stops" nullable:"false"`
	Coverage    Coverage `json:"coverage"`
	Attribution []string `json:"attribution" nullable:"false" doc:"to be shown with the stops, word by word"`
}

// Stop is one of them.
type Stop struct {
	ID         string   `json:"id" doc:"stop code, as /v1/transit/departures takes it"`
	Code       *string  `json:"code" doc:"the shorter code that is written at the stop, as NaPTAN's; null where there is none"`
	Name       string   `json:"name"`
	Indicator  *string  `json:"indicator" doc:"which of several stops of the name: a bay, a platform, opp; null where it is not known"`
	Locality   *string  `json:"locality" doc:"null where it is not known"`
	Heading    *string  `json:"heading" doc:"compass point that vehicles leave towards: N, NE and so on; null where it is not known. Beyond the contract"`
	Lat        float64  `json:"lat"`
	Lon        float64  `json:"lon"`
	DistanceM  float64  `json:"distance_m" decimals:"1" doc:"straight, from the place that was asked about"`
	Bearing    float64  `json:"bearing_deg" decimals:"0" doc:"from the place to the stop, clockwise from north"`
	Modes      []string `json:"modes" nullable:"false" doc:"of the vehicles that call there"`
	Lines      []string `json:"lines" nullable:"false"`
	Wheelchair *bool    `json:"wheelchair" doc:"whether one can board in a wheelchair; null where it is not known"`
}

// Stops finds stops of timetables near a place.
func (s *Service) Stops(indexes []*timetable.Index, r StopsRequest) (*Stops, error) {
	if err := Enabled(indexes); err != nil {
		return nil, err
	}
	type found struct {
		index *timetable.Index
		stop  uint32
		away  float64
	}
	var near []found
	for _, x := range indexes {
		x.Near(r.At, r.Radius, func(stop uint32, away float64) {
			if x.ServedBy(stop, r.Modes) {
				near = append(near, found{x, stop, away})
			}
		})
	}
	slices.SortFunc(near, func(a, b found) int {
		if c := cmp.Compare(a.away, b.away); c != 0 { // ids are texts that are made when they are read
			return c
		}
		return cmp.Compare(a.index.Stop(a.stop).ID, b.index.Stop(b.stop).ID)
	})
	out := &Stops{Stops: []Stop{}, Coverage: s.coverage(indexes), Attribution: attribution(indexes)}
	for _, f := range near[:min(len(near), r.Limit)] {
		stop := f.index.Stop(f.stop)
		out.Stops = append(out.Stops, Stop{
			ID: stop.ID, Code: null.IfZero(stop.Code), Name: f.index.StopName(f.stop, r.Lang), Indicator: null.IfZero(stop.Indicator), Locality: null.IfZero(stop.Locality), Heading: null.IfZero(stop.Heading), Lat: stop.At.Lat, Lon: stop.At.Lon,
			DistanceM: f.away, Bearing: geo.Bearing(r.At, stop.At), Modes: f.index.Modes(f.stop).Names(), Lines: f.index.LinesAt(f.stop, r.Modes, r.Lang), Wheelchair: wheelchair(stop.Wheelchair),
		})
	}
	return out, nil
}

func wheelchair(w uint8) *bool {
	if w != 1 && w != 2 {
		return nil
	}
	can := w == 1
	return &can
}
