package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Options say how long to search. One of Work and Time is needed.
type Options struct {
	Seed    uint64
	Work    int64         // iterations of each walker; the plan depends on nothing but the problem, the seed, Work and Walkers where Time is 0
	Time    time.Duration // after which the best plan so far is given
	Walkers int           // searches that exchange what they find; 0 is 1
	Workers int           // goroutines; 0 is 1
	// Progress hears of the best plan's cost now and then, on the caller's goroutine.
	Progress func(share float64, unassigned int, cost int64)
}

// exchanges is how often walkers exchange what they have found.
const exchanges = 8

// ErrSteps says that the steps which vehicles begin with cannot be done.
var ErrSteps = errors.New("the given first steps cannot be done within the limits of their vehicle")

// Solve plans a problem that Check has nothing against. The plan keeps every
// constraint; what could not be served is in Unassigned. It ends early, with
// the context's error, where the context ends.
func Solve(ctx context.Context, p *Problem, o Options) (*Plan, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	c := &clock{work: o.Work, start: time.Now()}
	if o.Time > 0 {
		c.end = c.start.Add(o.Time)
	}
	if o.Time <= 0 && o.Work <= 0 {
		return nil, errors.New("fleet: Solve needs Work or Time")
	}
	m := compile(p)
	walkers := make([]*walker, max(1, o.Walkers))
	workers := min(max(1, o.Workers), len(walkers))
	for i := range walkers {
		walkers[i] = newWalker(m, o.Seed, uint64(i))
		if err := walkers[i].s.checkGiven(); err != nil {
			return nil, err
		}
	}
	best := walkers[0]
	for epoch := 1; epoch <= exchanges; epoch++ {
		walkAll(ctx, walkers, workers, c, epoch)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, w := range walkers {
			if w.best.score.better(best.best.score) {
				best = w
			}
		}
		for _, w := range walkers {
			if w != best && epoch < exchanges && best.best.score.better(w.s.score()) {
				w.adopt(&best.best)
			}
		}
		if o.Progress != nil {
			o.Progress(float64(epoch)/exchanges, best.best.score.absent, best.best.score.cost)
		}
	}
	best.best.restore(best.s)
	plan := best.s.plan()
	for _, w := range walkers {
		plan.Iterations += w.iterations
		plan.DeadlineHit = plan.DeadlineHit || o.Work <= 0 || w.iterations < o.Work
	}
	if bad := Verify(p, plan); len(bad) > 0 {
		return nil, fmt.Errorf("fleet: a plan that breaks a constraint was found and is not given: %s", bad[0])
	}
	return plan, nil
}

// adopt goes on from another's plan. The plan itself is only read.
func (w *walker) adopt(f *found) {
	w.s.begin()
	f.restore(w.s)
	if f.score.better(w.best.score) {
		w.best.keep(w.s)
	}
}

// walkAll has every walker do its part of an epoch. Where there are fewer
// goroutines than walkers each gets its share of the epoch's time.
func walkAll(ctx context.Context, walkers []*walker, workers int, c *clock, epoch int) {
	var g parallel.Group
	for k := range workers {
		g.Go(func() {
			var mine []*walker
			for i := k; i < len(walkers); i += workers {
				mine = append(mine, walkers[i])
			}
			for i, w := range mine {
				w.walk(ctx, c, float64(epoch)/exchanges, (float64(epoch-1)+float64(i+1)/float64(len(mine)))/exchanges)
			}
		})
	}
	g.Wait()
}

// checkGiven reports whether the first steps of vehicles can be done.
func (s *state) checkGiven() error {
	for r := range s.routes {
		rt, sl := &s.routes[r], &s.m.slots[r]
		if rt.fixed == 0 {
			continue
		}
		full := false
		for i, l := range rt.load {
			full = full || l > sl.v.Capacity[i%s.m.dims]
		}
		_, ok := s.sched.run(sl, rt.stops, rt.ready, rt.due)
		if !ok || full || len(rt.stops) > sl.tasks || rt.travel > sl.travel || rt.metre > sl.metre {
			return ErrSteps
		}
		for _, v := range rt.stops {
			if !s.m.allowed[sl.kind][s.m.unitOf[v]] {
				return ErrSteps
			}
		}
	}
	return nil
}
