// Package incidents finds the incidents on a way: what closes, narrows or slows it.
package incidents

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/wire/null"
)

// Incident is a record of a feed and where it is in a region.
type Incident struct {
	*traffic.Record
	Source      string // id of the source
	Licence     *string
	Attribution string
	Lines       [][]geo.Point // one for each direction of travel that it concerns; of one point where it is at a place
	OnRoads     bool          // Lines are those of the region's roads; else they are the source's
	Stale       bool          // its source has published nothing new for too long
}

// Reports has all incidents of a region at one time. It is immutable.
type Reports struct {
	Incidents []Incident
	Index     *corridor.Index // of the boxes around their lines
	Sources   []along.Feed
}

// Enabled returns an error where there is no source of incidents.
func (r *Reports) Enabled() error {
	if r == nil {
		return fault.NotEnabled("incidents", "incidents are not enabled here: the deployment has no feed of them for its own routing engine (SVC_INCIDENTS)")
	}
	return nil
}

// Request is the incidents that are looked for.
type Request struct {
	Buffer float64 // metres from the route
	Kinds  []string
	Limit  int
	// Exact says that the way was worked out on the roads that incidents are put on, so
	// that the two coincide wherever they are the same road.
	Exact bool
}

// Answer is the incidents in the order of the way.
type Answer struct {
	Route     along.Route `json:"route"`
	Incidents []Found     `json:"incidents" nullable:"false" doc:"in the order in which the route comes to them; empty where none is known, which is not to say that there is none"`
	Closures  int         `json:"closures_on_route" doc:"how many of them close the route when the journey comes there"`
	Excluded  Excluded    `json:"excluded"`
	along.Sources
}

// Excluded counts incidents near the route that were left out.
type Excluded struct {
	OtherDirection int `json:"other_direction" doc:"that concern those who travel the other way"`
	NotInForce     int `json:"not_in_force" doc:"that are over, or not yet begun, when the route comes there"`
	OtherKind      int `json:"other_kind"`
	Further        int `json:"beyond_buffer" doc:"that their source puts further than buffer_m from the route, though they are of its roads"`
	Limit          int `json:"beyond_limit"`
}

// Found is an incident on the way.
type Found struct {
	ID          string     `json:"id" doc:"in its source; empty where it has none"`
	Situation   *string    `json:"situation_id" doc:"that the records of one event share"`
	Kind        string     `json:"kind" enum:"accident,closure,congestion,event,hazard,lane_closure,obstruction,other,restriction,roadworks,vehicle_breakdown,weather"`
	Severity    string     `json:"severity" enum:"unknown,low,medium,high,highest"`
	Cause       *string    `json:"cause" doc:"in the words of the source"`
	Description *string    `json:"description" doc:"in the words of the source"`
	Road        *string    `json:"road"`
	Direction   *string    `json:"direction" doc:"in the words of the source"`
	LanesClosed *int       `json:"lanes_closed"`
	LanesOpen   *int       `json:"lanes_open"`
	From        *time.Time `json:"from" doc:"when it began or begins; null where the source does not say"`
	Until       *time.Time `json:"until" doc:"when it ends; null where the source does not say"`
	Updated     *time.Time `json:"updated_at"`
	Arc         float64    `json:"arc_m" decimals:"1" doc:"metres along the route to where it comes to the incident"`
	ToArc       float64    `json:"to_arc_m" decimals:"1" doc:"metres along the route to where it leaves it; as arc_m at a single place"`
	Lat         float64    `json:"lat" decimals:"6" doc:"where the route comes to it"`
	Lon         float64    `json:"lon" decimals:"6"`
	OffLine     float64    `json:"route_distance_m" decimals:"1" doc:"metres between the place of the incident and the route; 0 where it is on it"`
	On          bool       `json:"on_route" doc:"it is on the route and concerns those who travel it; else beside it"`
	Closes      bool       `json:"closes_route" doc:"nobody may pass it on the route when the journey comes there"`
	At          *time.Time `json:"eta" doc:"when the journey comes there; null where that is not known"`
	Stale       bool       `json:"stale" doc:"its source has said nothing new for too long"`
	Source      string     `json:"source" doc:"id of the source"`
	Licence     *string    `json:"licence"`
}

// Bounds within which an incident is on the route.
const (
	onMetres = 15 // from a line of another source
	joinGap  = 60 // metres between two stretches that count as one
	maxOff   = 50 // degrees by which a point's heading may differ from the route's

	// The line of an incident and a route on the same roads coincide but for rounding. A slip
	// road leaves its carriageway so gently that its first metres coincide with it too.
	sameMetres = 0.3
	leastSame  = 10
)

const caveat = "These are the last reports of the sources. That none is reported does not say that the way is clear, and places are only as good as the sources' maps."

// Search returns the search that Along makes within so many metres of a way, which needs its times.
func (r *Reports) Search(metres float64) along.Search {
	return along.Search{Timed: true, Near: []*corridor.Index{r.Index}, Metres: metres}
}

// Along finds the incidents on a way.
func (r *Reports) Along(ctx context.Context, w *along.Way, q *Request) (*Answer, error) {
	f := &finder{reports: r, way: w, request: q, out: &Answer{Route: w.Route, Incidents: []Found{}, Sources: along.SourcesOf(r.Sources)}}
	err := w.Near(ctx, r.Index, q.Buffer, func(i int, near []corridor.Part) bool {
		f.incident(&r.Incidents[i], near)
		return true
	})
	if err != nil {
		return nil, err
	}
	a := f.out
	slices.SortStableFunc(a.Incidents, func(x, y Found) int { return cmp.Or(cmp.Compare(x.Arc, y.Arc), strings.Compare(x.ID, y.ID)) })
	a.Incidents, a.Excluded.Limit = along.Truncate(a.Incidents, q.Limit)
	for i := range a.Incidents {
		if a.Incidents[i].Closes {
			a.Closures++
		}
	}
	a.Warn(caveat)
	return a, nil
}

// finder compares incidents with a way, one after the other.
type finder struct {
	reports *Reports
	way     *along.Way
	request *Request
	out     *Answer
}

func (f *finder) incident(x *Incident, near []corridor.Part) {
	found, against := f.places(x, near)
	if len(found) == 0 && !against {
		return
	}
	kind := kindOf(x)
	switch {
	case x.OnRoads && !f.nearWay(x.Place.Line, near):
		f.out.Excluded.Further++
		return
	case len(f.request.Kinds) > 0 && !slices.Contains(f.request.Kinds, kind):
		f.out.Excluded.OtherKind++
		return
	case len(found) == 0:
		f.out.Excluded.OtherDirection++
		return
	}
	inForce := false
	for _, p := range found {
		out := f.answer(x, kind, p)
		at := f.way.Depart
		if seconds, ok := f.way.Seconds(p.from); ok {
			at = at.Add(time.Duration(seconds * float64(time.Second)))
			utc := at.UTC().Truncate(time.Second)
			out.At = &utc
		}
		if !x.ActiveAt(at) {
			continue
		}
		inForce = true
		out.Closes = p.on && x.Closed
		f.out.Incidents = append(f.out.Incidents, out)
	}
	if !inForce {
		f.out.Excluded.NotInForce++
		return
	}
	f.out.Attribute(x.Attribution)
}

// placeOnWay is where on the way an incident is.
type placeOnWay struct {
	from, to float64 // metres along the route
	off      float64 // metres from it
	on       bool
}

// places finds where on the way an incident is: each time the way comes to it. against is
// true where it concerns only the other direction of travel.
func (f *finder) places(x *Incident, near []corridor.Part) (list []placeOnWay, against bool) {
	for _, line := range x.Lines {
		if len(line) == 1 || geo.Length(line) < 1 {
			l, other := f.at(x, line[0], near)
			list, against = append(list, l...), against || other
			continue
		}
		with, back := f.way.Overlaps(line, onMetres, near)
		against = against || len(back) > 0
		on := with
		if x.OnRoads && f.request.Exact {
			on = f.same(line, near)
		}
		for _, s := range corridor.Joined(slices.Clone(on), joinGap) {
			list = append(list, placeOnWay{from: s.From, to: s.To, on: true})
		}
		if len(on) == 0 && len(with) > 0 {
			list = append(list, f.beside(line, near)...)
		}
		if len(with) == 0 && len(back) == 0 {
			list = append(list, f.beside(line, near)...)
		}
	}
	slices.SortFunc(list, func(a, b placeOnWay) int { return cmp.Compare(a.from, b.from) })
	// Two directions of one road that the way does not follow are one place.
	return slices.CompactFunc(list, func(a, b placeOnWay) bool { return !a.on && !b.on || a == b }), against
}

// nearWay reports whether the line that a source has for an incident comes within the buffer
// of the way, wherever it was matched to the roads. It is true where the source has no line.
func (f *finder) nearWay(line []geo.Point, near []corridor.Part) bool {
	if len(line) == 0 || len(f.beside(line, near)) > 0 {
		return true
	}
	with, against := f.way.Overlaps(line, f.request.Buffer, near)
	return len(with)+len(against) > 0
}

// same finds where the way runs on the road of a line. Short stretches where the way leaves
// that road or joins it do not count.
func (f *finder) same(line []geo.Point, near []corridor.Part) []corridor.Span {
	spans, _ := f.way.Overlaps(line, sameMetres, near)
	least := min(leastSame, geo.Length(line)/2)
	return slices.DeleteFunc(spans, func(s corridor.Span) bool {
		// A short stretch counts where the journey begins or ends on the road.
		return s.To-s.From < least && s.From > sameMetres && s.To < f.way.Length()-sameMetres
	})
}

// beside finds where the way comes nearest to a line that it does not follow, or crosses it.
func (f *finder) beside(line []geo.Point, near []corridor.Part) []placeOnWay {
	if len(line) == 1 {
		line = []geo.Point{line[0], line[0]}
	}
	arc, off, ok := f.way.Corridor.Nearest(line, f.request.Buffer, near)
	if !ok {
		return nil
	}
	return []placeOnWay{{from: arc, to: arc, off: off}}
}

// at finds where the way passes a place.
func (f *finder) at(x *Incident, p geo.Point, near []corridor.Part) (list []placeOnWay, against bool) {
	takes := corridor.Takes(nil)
	if h := x.Place.Heading; h != nil {
		takes = corridor.Facing(*h, maxOff)
	}
	all := f.way.Passes(p, f.request.Buffer, near, nil)
	for _, pass := range f.way.Passes(p, f.request.Buffer, near, takes) {
		list = append(list, placeOnWay{from: pass.Arc, to: pass.Arc, off: pass.Metres, on: pass.Metres <= onMetres})
	}
	return list, len(list) == 0 && len(all) > 0
}

func kindOf(x *Incident) string {
	switch {
	case x.Record.Incident != nil:
		return x.Record.Incident.Kind
	case x.Closed:
		return "closure"
	}
	return "other"
}

// answer returns an incident as the answer has it.
func (f *finder) answer(x *Incident, kind string, p placeOnWay) Found {
	at, _ := f.way.At(p.from)
	out := Found{
		ID: x.ID, Kind: kind, Severity: "unknown", Arc: p.from, ToArc: p.to, Lat: at.Lat, Lon: at.Lon, OffLine: p.off, On: p.on, Stale: x.Stale, Source: x.Source, Licence: x.Licence,
	}
	if len(x.Windows) > 0 {
		w := x.Windows[0]
		for _, other := range x.Windows {
			if other.Contains(f.way.Depart) {
				w = other
			}
		}
		out.From, out.Until = null.UTC(w.From), null.UTC(w.Until)
	}
	if in := x.Record.Incident; in != nil {
		out.Severity, out.Cause, out.Description = cmp.Or(in.Severity, "unknown"), null.IfZero(in.Cause), null.IfZero(in.Description)
		out.Situation, out.Direction, out.Road = null.IfZero(in.Situation), null.IfZero(in.Direction), null.IfZero(strings.Join(in.Roads, ", "))
		out.LanesClosed, out.LanesOpen, out.Updated = in.LanesClosed, in.LanesOpen, null.UTC(in.Updated)
	}
	return out
}
