package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Options say how long to search. One of Iterations and Time is needed.
type Options struct {
	Seed       uint64
	Iterations int64         // of each walker; the plan depends on nothing but the problem, the seed, Iterations and Walkers unless the time ends it
	Time       time.Duration // after which the best plan so far is given
	Walkers    int           // searches that exchange what they find; 0 is 1
	Workers    int           // goroutines, at most one for a walker; 0 is 1
	// Progress hears of the first plan, and then of the search now and then, on the caller's goroutine.
	Progress func(Progress)
	// Elapsed tells what of Time has passed; nil is the time since Solve was called.
	Elapsed func() time.Duration
	// Stop, once it is closed, ends the search with the best plan so far; nil never is.
	Stop <-chan struct{}
}

// Progress is how far a search is.
type Progress struct {
	Share      float64 // done of the work, 0 to 1
	Unassigned int     // tasks, in the best plan so far
	Cost       int64   // of that plan, in units of CostUnit
}

// ErrTime says that the time ended before the steps which vehicles begin with were done.
var ErrTime = errors.New("the time ended before the given first steps were placed")

// ErrSteps says that the steps which vehicles begin with cannot be done.
var ErrSteps = errors.New("the given first steps cannot be done within the limits of their vehicle")

// Solve plans a problem. The error is an *InputError for what Check has something against,
// ErrSteps, ErrTime, or the context's where the context ends. The plan keeps every
// constraint; what could not be served is in Unassigned. It is no worse than that in
// Vehicle.Initial where that can be driven and there was time to read it.
func Solve(ctx context.Context, p *Problem, o Options) (*Plan, error) {
	plan, _, err := solve(ctx, p, o)
	return plan, err
}

// solve solves, and gives the work that was counted.
func solve(ctx context.Context, p *Problem, o Options) (plan *Plan, work int64, err error) {
	c := newClock(&o)
	watch := newWatch(ctx, nil)
	if err := p.check(watch); err != nil {
		return nil, 0, err
	}
	if o.Time <= 0 && o.Iterations <= 0 {
		return nil, 0, errors.New("fleet: Solve needs Iterations or Time")
	}
	m := compile(p, watch)
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	work = watch.work()
	walkers, plan, err := search(ctx, m, o, c)
	for _, w := range walkers {
		work += w.s.watch.work()
	}
	return plan, work, err
}

func search(ctx context.Context, m *model, o Options, c *clock) ([]*walker, *Plan, error) {
	walkers := make([]*walker, max(1, o.Walkers))
	workers := min(max(1, o.Workers), len(walkers))
	for i := range walkers {
		w, err := newWalker(m, o.Seed, uint64(i), newWatch(ctx, c))
		if err != nil {
			return nil, nil, err
		}
		walkers[i] = w
	}
	var best found
	best.take(&walkers[0].best)
	tell := func(epoch int) {
		if o.Progress != nil {
			o.Progress(Progress{float64(epoch) / exchanges, best.score.absent, best.score.cost})
		}
	}
	tell(0) // a part of a long search takes long
	course := newCourse(m, o)
	for epoch := 1; epoch <= exchanges; epoch++ {
		if !walkers[0].stopped && !walkers[0].s.watch.over {
			course.turn(walkers, &best, epoch-1)
		}
		walkAll(walkers, workers, c, epoch)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		for _, w := range walkers {
			if w.best.score.better(best.score) {
				best.take(&w.best)
			}
		}
		tell(epoch)
	}
	walkers[0].s.watch.anyhow() // the plan is written whatever time it is
	best.restore(walkers[0].s)
	plan := walkers[0].s.plan()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for _, w := range walkers {
		plan.Iterations += w.iterations
		plan.Stopped = plan.Stopped || w.stopped
		plan.DeadlineHit = plan.DeadlineHit || !w.stopped && (o.Iterations <= 0 || w.hurried || w.iterations < o.Iterations)
	}
	if bad := Verify(m.p, plan); len(bad) > 0 {
		return nil, nil, fmt.Errorf("fleet: a plan that breaks a constraint was found and is not given: %s", bad[0])
	}
	return walkers, plan, nil
}

// adopt goes on from another's plan. The plan itself is only read.
func (w *walker) adopt(f *found) {
	w.fewer.again(w)
	f.restore(w.s)
	if f.score.better(w.best.score) {
		w.best.keep(w.s)
	}
}

// walkAll has every walker do its part of an epoch. Where there are fewer
// goroutines than walkers each gets its share of the epoch's time.
func walkAll(walkers []*walker, workers int, c *clock, epoch int) {
	var g parallel.Group
	for k := range workers {
		g.Go(func() {
			var mine []*walker
			for i := k; i < len(walkers); i += workers {
				mine = append(mine, walkers[i])
			}
			for i, w := range mine {
				w.walk(c, float64(epoch)/exchanges, (float64(epoch-1)+float64(i+1)/float64(len(mine)))/exchanges)
			}
		})
	}
	g.Wait()
}
