package evplan

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

const (
	// mostCandidates is how many stations a matrix is made between.
	mostCandidates = 120
	// buckets are the parts of the direct route, of each of which the best stations
	// are taken.
	buckets = 30
	// mostRounds is how often a plan is looked for before what was not measured is
	// left out.
	mostRounds = 30
)

// journey is a request while it is planned.
type journey struct {
	*Service
	*Request
	direct     *driven
	line       *corridor.Corridor
	candidates []candidate
	looked     Looked
	places     []geo.Point
	cells      [][]engine.MatrixCell
	heights    []float64 // of places; nil where not known
	dearer     float64
	measured   map[[2]int]*driven
	optimistic bool // what was not measured costs the least it can
	certain    bool // what was not measured is left out
}

// Plan plans a journey. That there is none is no error: the answer says why.
func (s *Service) Plan(ctx context.Context, r *Request) (*Answer, error) {
	if s.Directory == nil && s.Mapped == nil {
		return nil, ErrNone
	}
	j := &journey{Service: s, Request: r, measured: map[[2]int]*driven{}}
	var err error
	if j.direct, err = s.route(ctx, r, r.From, r.To); err != nil {
		return nil, err
	}
	j.line = corridor.New(j.direct.line)
	j.look()
	if err := j.matrix(ctx); err != nil {
		return nil, err
	}
	j.measured[[2]int{0, len(j.places) - 1}] = j.direct
	solution, err := j.solve(ctx)
	if err != nil {
		return nil, err
	}
	if solution.Plan == nil {
		return j.failed(ctx, solution)
	}
	return j.told(solution.Plan), nil
}

// look chooses the stations near the direct route: of each part of it the
// strongest, and of these the nearest.
func (j *journey) look() {
	length := j.line.Length()
	parts := make([][]candidate, buckets)
	j.looked.Excluded = map[string]int{}
	take := func(station *charging.Station, listed *charging.Listed, near []corridor.Part) {
		passes := j.line.Passes(station.At, j.Corridor, near, nil)
		if len(passes) == 0 {
			return
		}
		j.looked.Stations++
		c, why := j.fit(station)
		if c.listed = listed; why != "" {
			j.looked.Excluded[why]++
			return
		}
		closest := slices.MinFunc(passes, func(a, b corridor.Pass) int { return cmp.Compare(a.Metres, b.Metres) })
		c.arc, c.off = closest.Arc, closest.Metres
		part := min(buckets-1, int(c.arc/max(length, 1)*buckets))
		parts[part] = append(parts[part], c)
	}
	if d := j.Directory; d != nil {
		j.line.Near(d.Near, j.Corridor, func(i int, near []corridor.Part) bool {
			take(&d.Stations[i].Station, &d.Stations[i], near)
			return true
		})
	}
	if m := j.Mapped; m != nil {
		j.line.Near(m.Near, j.Corridor, func(i int, near []corridor.Part) bool {
			if !j.Directory.Has(&m.Stations[i]) { // else the feed tells of it
				take(&m.Stations[i], nil, near)
			}
			return true
		})
	}
	for _, part := range parts {
		slices.SortStableFunc(part, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.wait, b.wait), cmp.Compare(min(b.watts, 150_000), min(a.watts, 150_000)), cmp.Compare(a.off, b.off))
		})
	}
	// In turn the next of each part, so that none is left without.
	for rank := 0; len(j.candidates) < mostCandidates; rank++ {
		more := false
		for _, part := range parts {
			if rank < len(part) && len(j.candidates) < mostCandidates {
				j.candidates, more = append(j.candidates, part[rank]), true
			}
		}
		if !more {
			break
		}
	}
	slices.SortStableFunc(j.candidates, func(a, b candidate) int { return cmp.Compare(a.arc, b.arc) })
	j.looked.Candidates = len(j.candidates)
}

// matrix works out the ways between all places.
func (j *journey) matrix(ctx context.Context) error {
	j.places = append(j.places, j.From)
	for i := range j.candidates {
		j.places = append(j.places, j.candidates[i].At)
	}
	j.places = append(j.places, j.To)
	if len(j.candidates) > 0 {
		stops := engine.Stops(j.places)
		m, err := j.Engine.Matrix(ctx, &engine.MatrixRequest{Sources: stops, Targets: stops, Costing: costing.Auto, Options: j.Options, Conditions: j.Conditions})
		if err != nil {
			return err
		}
		j.cells = m.Cells
	}
	if j.Service.Heights != nil {
		heights, _, err := j.Service.Heights(ctx, j.places)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(heights, math.IsNaN) {
			j.heights = heights
		}
	}
	last := len(j.places) - 1
	steady := guess(j.Request, j.direct.Metres, j.direct.Seconds, j.climb(0, last), 1)
	j.dearer = 1
	if steady.Cost > 0 && j.direct.Cost > 0 {
		j.dearer = min(2, max(1, j.direct.Cost/steady.Cost))
	}
	return nil
}

func (j *journey) climb(from, to int) float64 {
	if j.heights == nil {
		return 0
	}
	return j.heights[to] - j.heights[from]
}

// leg is what the search takes a way for.
func (j *journey) leg(from, to int) ev.Leg {
	if d := j.measured[[2]int{from, to}]; d != nil {
		return d.Leg
	}
	none := ev.Leg{Seconds: math.Inf(1)}
	if j.cells == nil || j.certain || !j.cells[from][to].Reached {
		return none
	}
	dearer := j.dearer
	if j.optimistic {
		dearer = 1
	}
	c := j.cells[from][to]
	return guess(j.Request, c.Metres, max(c.Seconds, 1), j.climb(from, to), dearer)
}

// problem is the journey as the search has it.
func (j *journey) problem() *ev.Problem {
	full := j.Battery.Capacity
	p := &ev.Problem{
		Battery: j.Battery, Start: j.Start * full, MinStop: j.MinStop * full, MinEnd: j.MinEnd * full, MaxCharge: j.MaxCharge * full,
		MinCharge: j.MinCharge.Seconds(), Leg: j.leg,
	}
	for i := range j.candidates {
		p.Stations = append(p.Stations, ev.Station{Watts: j.candidates[i].watts, Overhead: j.Overhead.Seconds(), Wait: j.candidates[i].wait.Seconds()})
	}
	return p
}

// solve looks for a plan, measures the ways that it takes, and looks again until
// all of them were measured: a plan never rests on a guess.
func (j *journey) solve(ctx context.Context) (*ev.Solution, error) {
	for {
		s, err := ev.Solve(ctx, j.problem())
		if err != nil {
			return nil, err
		}
		j.looked.Rounds++
		if s.Plan == nil {
			if j.optimistic || j.certain {
				return s, nil
			}
			j.optimistic = true // the guesses may be too dear
			continue
		}
		at, news := 0, false
		for _, next := range append(stations(s.Plan), len(j.places)-1) {
			way := [2]int{at, next}
			if j.measured[way] == nil {
				news = true
				if j.measured[way], err = j.route(ctx, j.Request, j.places[at], j.places[next]); err != nil {
					if ctx.Err() != nil || !fault.Is(err, fault.Upstream) {
						return nil, err
					}
					j.measured[way] = &driven{Leg: ev.Leg{Seconds: math.Inf(1)}} // the matrix thought that there is a way
				}
			}
			at = next
		}
		if !news {
			j.looked.Measured = len(j.measured)
			return s, nil
		}
		if j.looked.Rounds >= mostRounds {
			j.certain = true
		}
	}
}

// stations are the places that a plan stops at.
func stations(p *ev.Plan) (list []int) {
	for _, s := range p.Stops {
		list = append(list, s.Station+1)
	}
	return list
}
