package transit

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
)

// Bounds of what is within reach by public transport.
const (
	mostReachPlaces   = 200    // sources of a matrix, and targets
	mostReachCells    = 10_000 // of a matrix
	mostReachSearches = 600    // of a matrix: sources, with ArriveBy targets, times departures
	mostStarts        = 10_000 // stops from which an outline is walked on
)

// sampled is how far apart the departures of a window are.
const sampled = time.Minute

// Ride is how one travels by public transport, to reach what is within a time.
type Ride struct {
	When       *engine.When // local; nil is now
	ArriveBy   bool         // one is there then, rather than setting out
	Window     int          // departures, or with a time of arrival arrivals, one a minute; 0 is one alone
	Share      int          // percent of a window's departures that take no longer
	MaxChanges int
	MaxWalk    float64 // metres
	MinChange  int32   // seconds
	Modes      timetable.Modes
	Wheelchair bool // trips, stops and streets alone that are known as accessible, and changes within one station
}

// departures returns how many there are.
func (r *Ride) departures() int { return max(1, r.Window) }

// walker returns the request of a traveller who walks to the first stop and from the last one, at the pace of the walks
// between stops.
func (r *Ride) walker() *JourneysRequest {
	w := &JourneysRequest{MaxWalk: r.MaxWalk, Modes: r.Modes, Speed: usualPace, Wheelchair: r.Wheelchair}
	var who map[string]json.RawMessage
	if r.Wheelchair {
		who = map[string]json.RawMessage{"type": json.RawMessage(`"wheelchair"`)}
	}
	w.Walking, _, _ = costing.Parse(costing.Pedestrian, who, "")
	return w
}

// Reach describes the times of an answer about reach by public transport.
type Reach struct {
	At          string        `json:"at" doc:"when one sets out, or with arrive_by is there, RFC 3339 in the zone of the timetable; the first of a window, or with arrive_by the last"`
	ArriveBy    bool          `json:"arrive_by"`
	Window      int           `json:"window_minutes" doc:"departures that were looked at, one a minute; 0 is the one at at"`
	Share       int           `json:"share_percent" doc:"of the departures of the window that take no longer than the answer says; 100 without a window"`
	Basis       string        `json:"basis" enum:"timetable,live" doc:"live where a time that counts is of a trip with a fresh trip update"`
	Label       string        `json:"label" doc:"to be shown with the answer"`
	Coverage    Coverage      `json:"coverage"`
	Updates     *UpdatesState `json:"trip_updates,omitempty" doc:"how far trip updates can be relied on; absent where no feed of them is configured"`
	Attribution []string      `json:"attribution" nullable:"false" doc:"to be shown with the answer, word by word"`
}

// ReachMatrix is how long journeys take.
type ReachMatrix struct {
	Reach
	Matrix *engine.MatrixAnswer // without lengths
	away   [2][]bool            // of sources and of targets: no stop is near
}

// Reasons of a cell without a journey.
const (
	NoStopSource = "no stop near the source"
	NoStopTarget = "no stop near the target"
	NoJourney    = "no journey within a day"
)

// Why returns the reason of a cell without a journey between two places on streets.
func (m *ReachMatrix) Why(source, target int) string {
	switch {
	case m.away[0][source]:
		return NoStopSource
	case m.away[1][target]:
		return NoStopTarget
	}
	return NoJourney
}

// started is a question about reach, checked against a timetable.
type started struct {
	*Ride
	*Place
	walker *JourneysRequest
	at     time.Time
}

// start settles when one sets out from a place. It fails where there is no timetable, and
// where the time is on none of its days.
func (s *Service) start(indexes []*timetable.Index, here *Place, r *Ride, from geo.Point) (*started, *Reach, error) {
	if err := Enabled(indexes); err != nil {
		return nil, nil, err
	}
	x := here.Timetable
	if x == nil || here.Network == nil {
		return nil, nil, errNoTimetableHere
	}
	if r.Wheelchair {
		here.Network = here.Network.Accessible()
	}
	out := &started{Ride: r, Place: here, walker: r.walker()}
	zone := x.Zone(0)
	if near := here.near(from, out.walker, r.ArriveBy); len(near.list) > 0 {
		zone = x.Zone(near.list[0].stop)
	}
	out.at = s.Now().In(zone).Truncate(time.Second)
	if r.When != nil && r.When.Type != engine.Now {
		l := r.When.Local
		out.at = time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), 0, zone)
	}
	first, last, ok := x.Span()
	if day := gtfs.DateOf(out.at); !ok {
		return nil, nil, fault.Invalid(fault.Violation{Location: "costing", Value: "transit", Message: "has no service here: the timetable is empty"})
	} else if day < first || day > last+gtfs.Date(x.LongestTrip()) {
		return nil, nil, fault.Invalid(fault.Violation{Location: "date_time", Value: out.at.Format(engine.TimeForm), Message: fmt.Sprintf("is on no day of the timetable, which has services from %s to %s", first, last)})
	}
	share := 100
	if r.Window > 0 {
		share = r.Share
	}
	list := []*timetable.Index{x}
	here.updates = s.updatesOn(x)
	return out, &Reach{
		At: out.at.Format(time.RFC3339), ArriveBy: r.ArriveBy, Window: r.Window, Share: share, Basis: "timetable", Label: Label,
		Coverage: s.coverage(list), Attribution: append(attribution(list), here.updates.attribution...), Updates: here.updates.state,
	}, nil
}

// query returns the question of departure n, from the access of the place at which one sets out, or
// with a time of arrival is then.
func (r *started) query(access []journey.Access, n int) *journey.Query {
	q := &journey.Query{
		From: access, At: r.at.Add(time.Duration(n) * sampled), ArriveBy: r.ArriveBy, MaxRides: r.MaxChanges + 1, Modes: r.Modes, MinChange: r.MinChange,
		InPlace: r.Wheelchair, Live: r.updates.journeys(r.Network),
	}
	if q.ArriveBy {
		q.From, q.To, q.At = nil, access, r.at.Add(-time.Duration(n)*sampled)
	}
	return q
}

// ReachMatrix finds how long journeys take from sources to targets, whichever of public
// transport and the walk all the way is the sooner. It fails where the matrix is too large,
// and with the engine's refusal where there are no streets near any source or any target.
func (s *Service) ReachMatrix(ctx context.Context, indexes []*timetable.Index, here Place, sources, targets []geo.Point, r *Ride) (*ReachMatrix, error) {
	q, about, err := s.start(indexes, &here, r, sources[0])
	if err != nil {
		return nil, err
	}
	ends := [2][]geo.Point{sources, targets}
	begin, names := 0, [2]string{"sources", "targets"} // where searches begin
	if r.ArriveBy {
		begin = 1
	}
	for i, list := range ends {
		if len(list) > mostReachPlaces {
			return nil, tooMuch(names[i], "has %d places, and by public transport a matrix may have %d", len(list), mostReachPlaces)
		}
	}
	if n := len(sources) * len(targets); n > mostReachCells {
		return nil, tooMuch("targets", "makes a matrix of %d cells, and by public transport one may have %d", n, mostReachCells)
	}
	if n := len(ends[begin]) * r.departures(); n > mostReachSearches {
		return nil, tooMuch("transit.window_minutes", "makes %d searches, of %d %s at %d times, and one request may have %d", n, len(ends[begin]), names[begin], r.departures(), mostReachSearches)
	}
	return engine.WorkFor(ctx, q.effort(ends, len(ends[begin])*r.departures()), func(ctx context.Context) (*ReachMatrix, error) {
		return q.matrix(ctx, about, ends, begin)
	})
}

func tooMuch(where, message string, args ...any) error {
	return fault.Invalid(fault.Violation{Location: where, Message: fmt.Sprintf(message, args...)})
}

// reachNanos is about the work of one search for all stops within reach, for each stop of
// the timetable.
const reachNanos = 400

// effort returns the work that a matrix is expected to take.
func (r *started) effort(ends [2][]geo.Point, searches int) engine.Estimate {
	near := entries{streets: slices.Repeat([]engine.Location{atDoor(ends[0][0])}, min(mostTried, r.Timetable.Stops()))}
	walk, _ := r.matrices(&JourneysRequest{From: ends[0][0], To: ends[1][0], Walking: r.walker.Walking}, [2]entries{near, {}})
	sum := r.Engine.Estimate(engine.CallMatrix, walk)
	sum.Work *= time.Duration(len(ends[0]) + len(ends[1]))
	stops, cells := float64(r.Timetable.Stops()), int64(len(ends[0])*len(ends[1]))
	sum = sum.Plus(engine.Estimate{Cores: 1, Bytes: int64(stops)*500 + cells*40, Answer: cells * 40, Work: time.Duration(float64(searches) * stops * reachNanos)})
	sum.Kind, sum.Cores, sum.Cheaper = "transit-matrix", 1, "fewer places or a smaller window_minutes"
	return sum
}

// matrix works out the cells. Searches begin at the ends of one side.
func (r *started) matrix(ctx context.Context, about *Reach, places [2][]geo.Point, begin int) (*ReachMatrix, error) {
	var ends [2][]door
	for side, list := range places {
		for _, at := range list {
			var others []geo.Point
			if side == 0 {
				others = places[1]
			}
			d, err := r.door(ctx, at, side == 1, others)
			if err != nil {
				return nil, err
			}
			ends[side] = append(ends[side], d)
		}
		if !slices.ContainsFunc(ends[side], func(d door) bool { return d.at.Miss == "" }) {
			return nil, offStreet([2]string{"sources[0]", "targets[0]"}[side], list[0])
		}
	}
	out := &ReachMatrix{Reach: *about, Matrix: &engine.MatrixAnswer{Cells: make([][]engine.MatrixCell, len(places[0])), Arrives: r.ArriveBy}}
	for i := range out.Matrix.Cells {
		out.Matrix.Cells[i] = make([]engine.MatrixCell, len(places[1]))
	}
	if r.When != nil && r.Window == 0 {
		at := time.Date(r.at.Year(), r.at.Month(), r.at.Day(), r.at.Hour(), r.at.Minute(), r.at.Second(), 0, time.UTC)
		out.Matrix.Begin = slices.Repeat([]time.Time{at}, len(places[begin]))
	}
	for side, list := range [2]*[]engine.Snapped{&out.Matrix.Sources, &out.Matrix.Targets} {
		for i := range ends[side] {
			d := &ends[side][i]
			if d.at.Miss == "" && out.Matrix.Begin != nil {
				d.at.Zone = r.at.Location()
			}
			*list = append(*list, d.at)
			out.away[side] = append(out.away[side], len(d.access) == 0)
		}
	}
	times := make([]int32, r.Timetable.Stops()) // at which one leaves a vehicle there; 0 is none, which no ride takes
	lives := make([]bool, r.Timetable.Stops())  // of times
	took := make([][]int32, len(ends[1-begin])) // by the place at the other end
	var seen []uint32
	for i := range ends[begin] {
		from := &ends[begin][i]
		for j := range took {
			took[j] = took[j][:0]
		}
		for n := range r.departures() {
			if len(from.access) > 0 {
				err := r.Network.Alight(ctx, r.query(from.access, n), journey.Longest, func(stop uint32, seconds int32, live bool) {
					times[stop], lives[stop], seen = seconds+1, live, append(seen, stop)
				})
				if err != nil {
					return nil, err
				}
			}
			for j := range took {
				to := &ends[1-begin][j]
				best, live := onFoot(ends, begin, i, j), false
				for _, a := range to.access {
					if at := times[a.Stop]; at > 0 && (best < 0 || at-1+a.Seconds < best) {
						best, live = at-1+a.Seconds, lives[a.Stop]
					}
				}
				if best >= 0 && best <= int32(journey.Longest/time.Second) {
					took[j] = append(took[j], best)
					if live {
						out.Basis = "live"
					}
				}
			}
			for _, stop := range seen {
				times[stop] = 0
			}
			seen = seen[:0]
		}
		for j, list := range took {
			seconds, ok := r.shared(list)
			cell := engine.MatrixCell{Seconds: float64(seconds), Reached: ok}
			if begin == 0 {
				out.Matrix.Cells[i][j] = cell
			} else {
				out.Matrix.Cells[j][i] = cell
			}
		}
	}
	return out, nil
}

// shared returns the time that so many of the departures take at most as Share says.
func (r *started) shared(list []int32) (seconds int32, ok bool) {
	need := 1
	if r.Window > 0 {
		need = max(1, (r.Share*r.Window+99)/100)
	}
	if len(list) < need {
		return 0, false
	}
	slices.Sort(list)
	return list[need-1], true
}

// door is where journeys begin or end.
type door struct {
	at     engine.Snapped
	access []journey.Access
	direct []int32 // seconds of the walk to each place at the other end; -1 is none
}

// onFoot returns the walk all the way between place i, where searches begin, and place j; -1 is
// none.
func onFoot(ends [2][]door, begin, i, j int) int32 {
	if begin == 1 {
		i, j = j, i
	}
	if d := ends[0][i].direct; d != nil {
		return d[j]
	}
	return -1
}

// door works out the walks from a place to stops and to other places, or with alight from
// stops to the place.
func (r *started) door(ctx context.Context, at geo.Point, alight bool, others []geo.Point) (door, error) {
	here, near := atDoor(at), r.near(at, r.walker, alight)
	q := &engine.MatrixRequest{Sources: append(near.streets, here), Targets: []engine.Location{here}, Costing: costing.Pedestrian, Options: r.walker.Walking}
	var close []int
	if !alight {
		q.Sources, q.Targets = q.Targets, q.Sources
		for i, p := range others {
			if geo.Distance(at, p) <= r.MaxWalk {
				close = append(close, i)
				q.Targets = append(q.Targets, atDoor(p))
			}
		}
	}
	a, err := r.Engine.Matrix(ctx, q)
	if engine.Code(err) == engine.CodeNoSegment { // of the place: it stands on both sides
		return door{at: engine.Snapped{Miss: fmt.Sprintf("no street that one may walk on is within %d m", doorStreet)}}, nil
	}
	if err != nil {
		return door{}, err
	}
	if alight {
		access, _ := near.accesses(r.MaxWalk, func(i int) engine.MatrixCell { return a.Cells[i][0] })
		return door{at: a.Targets[0], access: access}, nil
	}
	access, _ := near.accesses(r.MaxWalk, func(i int) engine.MatrixCell { return a.Cells[0][i] })
	d := door{at: a.Sources[0], access: access, direct: slices.Repeat([]int32{-1}, len(others))}
	for n, i := range close {
		if c := a.Cells[0][len(near.streets)+1+n]; c.Reached && c.Metres <= r.MaxWalk {
			d.direct[i] = seconds(c)
		}
	}
	return d, nil
}

// starts lists the stops from which one walks on. Those of a window have the time that so many
// of its departures do not exceed as Share says, the walk from stops nearby included: one may
// come to a stop now by this line, and now by that of another stop.
func (r *started) starts(ctx context.Context, access []journey.Access, within time.Duration, about *Reach) (list []engine.Start, err error) {
	at := map[uint32]int{} // by door
	add := func(stop uint32, seconds int32) {
		for _, w := range r.Timetable.Doors(stop, r.ArriveBy, r.Wheelchair) {
			took := float64(seconds + int32(w.Seconds))
			if n, known := at[w.To]; known {
				list[n].Seconds = min(list[n].Seconds, took)
				continue
			}
			at[w.To] = len(list)
			list = append(list, engine.Start{Location: atStop(r.Timetable.Stop(w.To).At), Seconds: took})
		}
	}
	note := func(live bool) {
		if live {
			about.Basis = "live"
		}
	}
	if r.Window == 0 {
		err = r.Network.Alight(ctx, r.query(access, 0), within, func(stop uint32, seconds int32, live bool) {
			note(live)
			add(stop, seconds)
		})
		return list, err
	}
	took := map[uint32][]int32{}
	for n := range r.departures() {
		err := r.Network.Reach(ctx, r.query(access, n), within, func(stop uint32, seconds int32, live bool) {
			note(live)
			took[stop] = append(took[stop], seconds)
		})
		if err != nil {
			return nil, err
		}
	}
	for _, stop := range slices.Sorted(maps.Keys(took)) {
		if seconds, ok := r.shared(took[stop]); ok {
			add(stop, seconds)
		}
	}
	return list, nil
}

// ReachOutline outlines what is within reach of a place by public transport and on foot, by
// an isochrone of the engine that begins at every stop where a vehicle is left. Of a window it
// is what so many of its departures reach as Share says, or less: a place is not within it that
// is reached from this stop at some departures, and at others from one out of its walks.
func (s *Service) ReachOutline(ctx context.Context, indexes []*timetable.Index, here Place, outline *engine.IsochroneRequest, r *Ride) (*engine.IsochroneAnswer, *Reach, error) {
	at := outline.Location.Point
	q, about, err := s.start(indexes, &here, r, at)
	if err != nil {
		return nil, nil, err
	}
	if can := here.Engine.Can(); !can.IsochroneStarts {
		return nil, nil, engine.NotEnabled("transit isochrone")
	}
	effort := q.effort([2][]geo.Point{{at}, {at}}, r.departures())
	effort.Kind, effort.Cheaper = "transit-starts", ""
	if r.Window > 0 {
		effort.Bytes += int64(here.Timetable.Stops()) * int64(r.Window) * 4
		effort.Cheaper = "a smaller window_minutes"
	}
	minutes := 0.0
	for _, c := range outline.Contours {
		minutes = max(minutes, c.Minutes)
	}
	within := time.Duration(minutes * float64(time.Minute))
	starts, err := engine.WorkFor(ctx, effort, func(ctx context.Context) ([]engine.Start, error) {
		d, err := q.door(ctx, at, r.ArriveBy, nil)
		if err != nil {
			return nil, err
		}
		if d.at.Miss != "" {
			return nil, offStreet("locations[0]", at)
		}
		return q.starts(ctx, d.access, within, about)
	})
	if err != nil {
		return nil, nil, err
	}
	if len(starts) > mostStarts {
		return nil, nil, tooMuch("contours", "reaches %d stops within %g minutes, and an outline may begin at %d; ask for fewer minutes", len(starts), math.Ceil(minutes), mostStarts)
	}
	full := *outline
	full.Location, full.Costing, full.Options, full.Starts, full.Reverse = atDoor(at), costing.Pedestrian, q.walker.Walking, starts, r.ArriveBy
	if full.Denoise == nil { // what is around a stop is an island
		full.Denoise = new(float64)
	}
	a, err := here.Engine.Isochrone(ctx, &full)
	return a, about, err
}
