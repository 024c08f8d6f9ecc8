package evplan

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo"
)

const (
	// mostRounds is how many searches are made before ways that were not measured are left
	// out.
	mostRounds = 30
	// near is by which share of its cost a plan may be worse than one by stations that were
	// left out.
	near = 0.02
	// mild is the share of the direct route's energy that any way takes at the least.
	mild = 0.98
	// swift is faster than anybody drives to a station and back to the route, in
	// metres a second.
	swift = 35.0
)

// journey is the state of a search for a plan.
type journey struct {
	*Service
	*Request
	direct     *driven // through all locations
	sections   []section
	looked     Looked
	seen       map[*charging.Station]bool
	calls      []candidate // at the locations between the ends
	places     []planPlace // of the problem, in order
	floor      *ev.LowerBound
	legs       []ev.Leg // between places, measured or guessed; nil where they are to be guessed anew
	dearer     float64
	measured   map[way]*driven
	optimistic bool // ways that were not measured cost the least they can
	certain    bool // ways that were not measured are left out
}

// planPlace is a place of the problem: a location, or a chosen station of a section.
type planPlace struct {
	*candidate     // nil at the ends
	location   int // -1 at a station
	section    int // of the ways that lead there
	row        int // among the section's chosen; -1 at a location
	at         geo.Point
	height     float64 // NaN where not known
}

// end identifies a place whichever stations are chosen, and way is from one end to another.
type (
	end struct {
		*charging.Station
		location int
		section  int
	}
	way [2]end
)

func (p *planPlace) end() end {
	if p.location >= 0 {
		return end{location: p.location}
	}
	return end{p.Station, p.location, p.section}
}

func (j *journey) way(from, to int) way { return way{j.places[from].end(), j.places[to].end()} }

// Plan plans a journey. Where there is no plan the answer says why, without an error.
func (s *Service) Plan(ctx context.Context, r *Request) (*Answer, error) {
	if s.Directory == nil && s.Mapped == nil {
		return nil, ErrNone
	}
	j := &journey{Service: s, Request: r, measured: map[way]*driven{}, seen: map[*charging.Station]bool{}, looked: Looked{Excluded: map[string]int{}}}
	if err := j.prepare(ctx); err != nil {
		return nil, err
	}
	solution, err := j.solve(ctx)
	if err != nil {
		return nil, err
	}
	if solution.Plan == nil {
		return (&failure{j, solution}).toAnswer(ctx)
	}
	vertices := 0
	for _, d := range j.measured {
		vertices += len(d.line)
	}
	return engine.WorkFor(ctx, lineEffort(vertices), func(context.Context) (*Answer, error) { return j.toAnswer(solution.Plan), nil })
}

// prepare measures the direct route and finds the stations near it.
func (j *journey) prepare(ctx context.Context) error {
	var parts []*driven
	for to := 1; to < len(j.Locations); to++ {
		d, err := j.route(ctx, j.Request, j.Locations[to-1].Point, j.Locations[to].Point)
		if err != nil {
			return err
		}
		s := section{from: to - 1, to: to, direct: d}
		err = engine.Work(ctx, lineEffort(len(d.line)), func(context.Context) error {
			s.thin(j.Corridor)
			return nil
		})
		if err != nil {
			return err
		}
		for _, before := range parts {
			s.begin += before.arcs[len(before.arcs)-1]
		}
		parts, j.sections = append(parts, d), append(j.sections, s)
	}
	j.direct = joined(parts, j.Battery.Capacity)
	steady := guess(j.Request, j.direct.Metres, j.direct.Seconds, j.direct.climb(), 1)
	j.dearer = 1
	if steady.Cost > 0 && j.direct.Cost > 0 {
		j.dearer = min(2, max(1, j.direct.Cost/steady.Cost))
	}
	for i := 1; i < len(j.Locations)-1; i++ {
		c, err := j.call(ctx, i)
		if err != nil {
			return err
		}
		j.calls = append(j.calls, c)
	}
	length := max(j.direct.arcs[len(j.direct.arcs)-1], 1)
	for i := range j.sections {
		s := &j.sections[i]
		if err := j.look(ctx, s, max(1, int(mostCandidates*s.length()/length))); err != nil {
			return err
		}
		if err := j.rise(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// solve searches for a plan among the most promising stations first, and then among more of
// those that could be part of a plan that is faster by more than near.
func (j *journey) solve(ctx context.Context) (*ev.Solution, error) {
	// No plan is faster than one without a stop.
	j.take()
	if s, err := j.searchMeasured(ctx); err != nil || s.Plan != nil && len(s.Plan.Stops) == len(j.calls) && !j.charging(s.Plan) || j.looked.Candidates == 0 {
		return s, err
	}
	j.bound()
	most := math.Inf(1)
	for first := mostAtFirst; ; first *= 3 {
		if err := j.widen(ctx, first, most); err != nil {
			return nil, err
		}
		s, err := j.searchMeasured(ctx)
		if err != nil || first >= j.looked.Candidates {
			return s, err
		}
		if s.Plan != nil {
			if most = s.Plan.Cost * (1 - near); !j.better(most) {
				return s, nil
			}
		}
	}
}

// charging reports whether a plan charges at a location for longer than it dwells there.
func (j *journey) charging(p *ev.Plan) bool {
	for i := range p.Stops {
		if p.Stops[i].Charging > j.calls[i].dwell.Seconds() {
			return true
		}
	}
	return false
}

// bound works out the least time of a journey by each station: its detour, and the stops that
// charging the lacking energy takes at the best of stations.
func (j *journey) bound() {
	if j.floor == nil {
		p := j.problem()
		p.Stations = nil
		for i := range j.sections {
			for k := range j.sections[i].candidates {
				p.Stations = append(p.Stations, j.station(&j.sections[i].candidates[k]))
			}
		}
		for i := range j.calls {
			p.Stations = append(p.Stations, j.station(&j.calls[i]))
		}
		j.floor = ev.NewLowerBound(p)
	}
	driving, lacking := j.direct.Seconds, mild*j.direct.Cost+(j.MinEnd-j.Start)*j.Battery.Capacity
	for i := range j.calls {
		stays := j.calls[i].dwell.Seconds()
		driving += stays
		if j.calls[i].watts > 0 {
			lacking -= j.Battery.MaxPower(j.calls[i].watts) * stays / 3600
		}
	}
	at := 0
	for i := range j.sections {
		for k := range j.sections[i].candidates {
			c := &j.sections[i].candidates[k]
			c.bound = driving + c.detour + j.floor.By(at, lacking)
			at++
		}
	}
}

// better reports whether a station that was not chosen could be part of a plan that costs
// less.
func (j *journey) better(cost float64) bool {
	for i := range j.sections {
		for k := range j.sections[i].candidates {
			if c := &j.sections[i].candidates[k]; !c.chosen && c.bound < cost {
				return true
			}
		}
	}
	return false
}

// widen chooses the best stations of each part of the way, first in all, among those whose
// bound is below a cost.
func (j *journey) widen(ctx context.Context, first int, most float64) error {
	for i := range j.sections {
		s := &j.sections[i]
		lists := make([][]*candidate, parts)
		for k := range s.candidates {
			c := &s.candidates[k]
			if c.bound >= most {
				continue
			}
			lists[s.part(c.arc)] = append(lists[s.part(c.arc)], c)
		}
		for _, list := range lists {
			slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(a.bound, b.bound) })
		}
		share := first
		if j.looked.Candidates > 0 {
			share = (first*len(s.candidates) + j.looked.Candidates - 1) / j.looked.Candidates
		}
		best := map[*candidate]bool{}
		for _, c := range inTurn(lists, share) {
			best[c] = true
		}
		if err := j.choose(ctx, s, func(c *candidate) bool {
			return c.chosen || best[c]
		}); err != nil {
			return err
		}
	}
	j.take()
	return nil
}

// searchMeasured searches for a plan among the chosen places, measures the ways that it takes,
// and searches again until all of them were measured, so that no plan rests on a guess.
func (j *journey) searchMeasured(ctx context.Context) (*ev.Solution, error) {
	j.optimistic, j.certain, j.legs = false, false, nil
	for round := 1; ; round++ {
		s, err := j.search(ctx)
		if err != nil {
			return nil, err
		}
		j.looked.Rounds++
		if s.Plan == nil {
			if j.optimistic || j.certain {
				return s, nil
			}
			j.optimistic, j.legs = true, nil // the guesses may have been too high
			continue
		}
		at, news := 0, false
		for _, next := range append(stations(s.Plan), len(j.places)-1) {
			way := j.way(at, next)
			if j.measured[way] == nil {
				news = true
				if j.measured[way], err = j.route(ctx, j.Request, j.places[at].at, j.places[next].at); err != nil {
					if ctx.Err() != nil || !fault.Is(err, fault.Upstream) {
						return nil, err
					}
					j.measured[way] = &driven{Leg: ev.Leg{Seconds: math.Inf(1)}} // the matrix has a way that the route has not
				}
				j.legs[at*len(j.places)+next] = j.measured[way].Leg
			}
			at = next
		}
		if !news {
			return s, nil
		}
		if round >= mostRounds {
			j.certain, j.legs = true, nil
		}
	}
}

// search searches for a plan among the chosen places, by the legs as they are known now.
func (j *journey) search(ctx context.Context) (*ev.Solution, error) {
	return engine.WorkFor(ctx, effort(len(j.places)), func(ctx context.Context) (*ev.Solution, error) { return ev.Solve(ctx, j.problem()) })
}

// stations returns the indexes of the places that a plan stops at.
func stations(p *ev.Plan) (list []int) {
	for _, s := range p.Stops {
		list = append(list, s.Station+1)
	}
	return list
}
