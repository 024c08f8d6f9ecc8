package evplan

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

const (
	// mostCandidates is the limit of stations that one journey considers.
	mostCandidates = 500
	// mostAtFirst is how many of them the first matrix has, before it is known which others
	// could make a better plan.
	mostAtFirst = 64
	// parts is how many stretches a section is divided into: the best stations of each are
	// taken in turn.
	parts = 30
)

// section is the journey from one location to the next.
type section struct {
	from, to   int // locations
	direct     *driven
	line       *corridor.Corridor // of some of the points of the direct route
	kept       []int              // indexes of these points
	begin      float64            // metres along the direct route of the whole journey
	candidates []candidate
	chosen     []int // of candidates, by where they are along the way
	// From the first location and from each chosen station, to each of them and to the
	// next location.
	cells [][]engine.MatrixCell
}

// thin makes the line that stations are compared with, of points that are a sixteenth of the
// corridor's width apart or more.
func (s *section) thin(width float64) {
	d, coarse := s.direct, width/16
	var line []geo.Point
	for i, arc := range d.arcs {
		if i == 0 || i == len(d.arcs)-1 || arc >= d.arcs[s.kept[len(s.kept)-1]]+coarse {
			line, s.kept = append(line, d.line[i]), append(s.kept, i)
		}
	}
	s.line = corridor.New(line)
}

// along returns where on the direct route a place of the thinned line is.
func (s *section) along(arc float64) float64 {
	i := sort.Search(len(s.kept)-2, func(i int) bool { return s.line.Arc(i+1) >= arc })
	from, to := s.line.Arc(i), s.line.Arc(i+1)
	a, b := s.direct.arcs[s.kept[i]], s.direct.arcs[s.kept[i+1]]
	return a + (b-a)*min(1, (arc-from)/max(to-from, 1e-9))
}

// length returns the length of the direct route's line in metres.
func (s *section) length() float64 { return s.direct.arcs[len(s.direct.arcs)-1] }

// look finds the stations near a section's direct route, at most so many: of each part of it
// those without a wait, with the most power and nearest to the route first.
func (j *journey) look(ctx context.Context, s *section, most int) error {
	found := make([][]candidate, parts)
	take := func(station *charging.Station, listed *charging.Listed, near []corridor.Part) {
		passes := s.line.Passes(station.At, j.Corridor, near, nil)
		if len(passes) == 0 {
			return
		}
		c, why := j.fit(station)
		if !j.seen[station] {
			j.seen[station] = true
			j.looked.Stations++
			if why != "" {
				j.looked.Excluded[why]++
			}
		}
		if c.listed = listed; why != "" {
			return
		}
		closest := slices.MinFunc(passes, func(a, b corridor.Pass) int { return cmp.Compare(a.Metres, b.Metres) })
		c.arc, c.off, c.height = s.along(closest.Arc), closest.Metres, math.NaN()
		c.detour = 2 * c.off / swift
		part := s.part(c.arc)
		found[part] = append(found[part], c)
	}
	if err := j.near(ctx, s.line, j.Corridor, take); err != nil {
		return err
	}
	for _, part := range found {
		slices.SortStableFunc(part, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.wait, b.wait), cmp.Compare(min(b.watts, 150_000), min(a.watts, 150_000)), cmp.Compare(a.off, b.off))
		})
	}
	s.candidates = inTurn(found, most)
	slices.SortStableFunc(s.candidates, func(a, b candidate) int { return cmp.Compare(a.arc, b.arc) })
	j.looked.Candidates += len(s.candidates)
	return nil
}

// rise looks up the heights of a section's stations.
func (j *journey) rise(ctx context.Context, s *section) error {
	if j.Service.Heights == nil || len(s.candidates) == 0 {
		return nil
	}
	return engine.Work(ctx, heightsEffort(len(s.candidates)), func(ctx context.Context) error {
		metres, _, err := j.Service.Heights(ctx, s.points())
		if err != nil {
			return err
		}
		for i := range s.candidates {
			s.candidates[i].height = metres[i]
		}
		return nil
	})
}

// points returns the places of the candidates.
func (s *section) points() []geo.Point {
	list := make([]geo.Point, len(s.candidates))
	for i := range s.candidates {
		list[i] = s.candidates[i].At
	}
	return list
}

// part returns the stretch of the section that a place on its direct route is in.
func (s *section) part(arc float64) int {
	return min(parts-1, int(arc/max(s.length(), 1)*parts))
}

// near calls each for the stations of feeds and of the map near a line. A station of the map
// that a feed has too is left out.
func (j *journey) near(ctx context.Context, line *corridor.Corridor, metres float64, each func(*charging.Station, *charging.Listed, []corridor.Part)) error {
	if d := j.Directory; d != nil {
		err := compare(ctx, line, d.Near, metres, func(i int, near []corridor.Part) bool {
			each(&d.Stations[i].Station, &d.Stations[i], near)
			return true
		})
		if err != nil {
			return err
		}
	}
	if m := j.Mapped; m != nil {
		return compare(ctx, line, m.Near, metres, func(i int, near []corridor.Part) bool {
			if !j.Directory.Has(&m.Stations[i]) {
				each(&m.Stations[i], nil, near)
			}
			return true
		})
	}
	return nil
}

// compare calls each as corridor.Corridor.Near does, once there is a processor for it.
func compare(ctx context.Context, line *corridor.Corridor, x *corridor.Index, metres float64, each func(int, []corridor.Part) bool) error {
	return engine.Work(ctx, nearEffort(line, x, metres), func(ctx context.Context) error { return line.Near(ctx, x, metres, each) })
}

// inTurn takes the next of each list in turn, most in all, so that every list gets its share.
func inTurn[T any](lists [][]T, most int) (out []T) {
	for rank := 0; len(out) < most; rank++ {
		more := false
		for _, list := range lists {
			if rank < len(list) && len(out) < most {
				out, more = append(out, list[rank]), true
			}
		}
		if !more {
			break
		}
	}
	return out
}

// choose makes the matrix of a section between the stations that let reports true for.
func (j *journey) choose(ctx context.Context, s *section, let func(*candidate) bool) error {
	s.chosen = s.chosen[:0]
	from, to := []geo.Point{j.Locations[s.from].Point}, []geo.Point{}
	for i := range s.candidates {
		if c := &s.candidates[i]; let(c) {
			c.chosen = true
			s.chosen = append(s.chosen, i)
			from, to = append(from, c.At), append(to, c.At)
		}
	}
	s.cells = nil
	if len(s.chosen) == 0 {
		return nil
	}
	var err error
	s.cells, err = j.table(ctx, from, append(to, j.Locations[s.to].Point))
	return err
}

func (j *journey) table(ctx context.Context, from, to []geo.Point) ([][]engine.MatrixCell, error) {
	m, err := j.Engine.Matrix(ctx, &engine.MatrixRequest{Sources: engine.Stops(from), Targets: engine.Stops(to), Costing: costing.Auto, Options: j.Options, Conditions: j.Conditions})
	if err != nil {
		return nil, err
	}
	return m.Cells, nil
}

// cell returns the way between two chosen stations of a section; -1 is its first location as
// from, and the next location as to.
func (s *section) cell(from, to int) engine.MatrixCell {
	if s.cells == nil {
		return engine.MatrixCell{}
	}
	if to < 0 {
		to = len(s.chosen)
	}
	return s.cells[from+1][to]
}
