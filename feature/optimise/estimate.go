package optimise

import (
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/explain"
)

// searchEstimate returns the work of a search that has so much time, with the matrices that are
// held meanwhile. It is of no kind, whose errors would correct it: what gives way when its
// time is up takes no longer on a machine that is slower.
func (s *Service) searchEstimate(t *Task, p *fleet.Problem, left time.Duration) engine.Estimate {
	load := s.Solver.Load(p, t.options(p, 1, 0, left))
	e := engine.Estimate{Bytes: load.Bytes}
	for i := range p.Matrices {
		e.Bytes += matrixBytes * int64(p.Matrices[i].N) * int64(p.Matrices[i].N)
	}
	if load.Processor > 0 {
		e.Cores, e.Work = walkers, min(load.Processor, max(left, least))
	}
	return e
}

// matrixBytes is the size of a cell of a matrix here.
const matrixBytes = 8

func explainEstimate(p *fleet.Problem, tasks int, left time.Duration) engine.Estimate {
	load := explain.Estimate(p, tasks)
	return engine.Estimate{Work: min(load.Processor, max(left, least)), Cores: 1, Bytes: load.Bytes}
}

// Estimate returns the most work that a task takes: the matrices, then searches and explanations
// in what is left of the time, and lines. The problem needs no matrices.
func (s *Service) Estimate(t *Task) engine.Estimate {
	var sum engine.Estimate
	p := *t.Problem
	p.Matrices = make([]fleet.Matrix, len(t.Profiles))
	places := engine.Stops(t.Points)
	for k, profile := range t.Profiles {
		p.Matrices[k].N = len(t.Points)
		for part := range slices.Chunk(places, max(1, s.Cells/len(places))) {
			sum = sum.Plus(s.Engine.Estimate(engine.CallMatrix, &engine.MatrixRequest{Sources: part, Targets: places, Costing: profile.Costing, Options: profile.Options, Conditions: t.Conditions}))
		}
	}
	left := max(least, t.Search.Limit-sum.Work)
	rest := s.searchEstimate(t, &p, left)
	if t.Relax != nil {
		rest = rest.Plus(rest)
	}
	if n := min(t.Explain, len(p.Jobs)+len(p.Shipments)); n > 0 {
		rest = rest.Plus(explainEstimate(&p, n, left))
	}
	rest.Work = min(rest.Work, left)
	sum = sum.Plus(rest)
	for part := range slices.Chunk(places, mostStops) {
		if t.Geometry && len(part) > 1 {
			sum = sum.Plus(s.Engine.Estimate(engine.CallRoute, &engine.RouteRequest{Locations: part, Costing: t.Profiles[0].Costing, Options: t.Profiles[0].Options, Conditions: t.Conditions}))
		}
	}
	return sum
}
