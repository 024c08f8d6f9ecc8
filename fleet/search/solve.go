package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
	"github.com/waygate/waygate/parallel"
)

// Options limit a search. One of Iterations and Time is required.
type Options struct {
	Seed       uint64
	Iterations int64         // of each walker; the plan depends on nothing but the problem, the seed, Iterations and Walkers unless the time ends it
	Time       time.Duration // after which the best plan so far is given
	Walkers    int           // searches that exchange what they find; 0 is 1
	Workers    int           // goroutines, at most one for a walker; 0 is 1
	// Progress is called with the first plan, and then now and then during the search,
	// on the caller's goroutine.
	Progress func(Progress)
	// Elapsed returns how much of Time has passed; nil is the time since Solve was
	// called.
	Elapsed func() time.Duration
	// Stop, when closed, ends the search with the best plan so far; nil never does.
	Stop <-chan struct{}
}

// Progress is the state of a running search.
type Progress struct {
	Share      float64 // done of the work, 0 to 1
	Unassigned int     // tasks, in the best plan so far
	Cost       int64   // of that plan, in units of CostUnit
}

// ErrTime is the error of a search whose time ended before the vehicles' given first
// steps were placed.
var ErrTime = errors.New("the time ended before the given first steps were placed")

// ErrSteps is the error of vehicles whose given first steps are impossible.
var ErrSteps = errors.New("the given first steps cannot be done within the limits of their vehicle")

// Solve plans a problem. It returns an *InputError for a problem that Check refuses,
// ErrSteps, ErrTime, or the context's error. The plan keeps every constraint; tasks
// that could not be served are in Unassigned. The plan is no worse than that in
// Vehicle.Initial, if that can be driven and there was time to read it.
func Solve(ctx context.Context, p *fleet.Problem, o Options) (*fleet.Plan, error) {
	plan, _, err := solve(ctx, p, o)
	return plan, err
}

// solve does the work of Solve, and returns the work that was counted.
func solve(ctx context.Context, p *fleet.Problem, o Options) (plan *fleet.Plan, work int64, err error) {
	c := limit.NewClock(o.Iterations, o.Time, o.Elapsed, o.Stop)
	watch := limit.NewWatch(ctx, nil)
	if err := limit.Checked(p, watch); err != nil {
		return nil, 0, err
	}
	if o.Time <= 0 && o.Iterations <= 0 {
		return nil, 0, errors.New("fleet: Solve needs Iterations or Time")
	}
	m := model.Compile(p, watch)
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	work = watch.Work()
	walkers, plan, err := search(ctx, m, o, c)
	for _, w := range walkers {
		work += w.s.watch.Work()
	}
	return plan, work, err
}

func search(ctx context.Context, m *model.Model, o Options, c *limit.Clock) ([]*walker, *fleet.Plan, error) {
	walkers := make([]*walker, max(1, o.Walkers))
	workers := min(max(1, o.Workers), len(walkers))
	for i := range walkers {
		w, err := newWalker(m, o.Seed, uint64(i), limit.NewWatch(ctx, c))
		if err != nil {
			return nil, nil, err
		}
		walkers[i] = w
	}
	var best found
	best.take(&walkers[0].best)
	report := func(epoch int) {
		if o.Progress != nil {
			o.Progress(Progress{float64(epoch) / exchanges, best.score.Absent, best.score.Cost})
		}
	}
	report(0) // a part of a long search takes long
	schedule := newRestartSchedule(m, o)
	for epoch := 1; epoch <= exchanges; epoch++ {
		if !walkers[0].stopped && !walkers[0].s.watch.Over {
			schedule.turn(walkers, &best, epoch-1)
		}
		walkAll(walkers, workers, c, epoch)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		for _, w := range walkers {
			if w.best.score.Better(best.score) {
				best.take(&w.best)
			}
		}
		report(epoch)
	}
	walkers[0].s.watch.WithoutTime() // the plan is written whatever time it is
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
	if bad := fleet.Verify(m.Problem, plan); len(bad) > 0 {
		return nil, nil, fmt.Errorf("fleet: a plan that breaks a constraint was found and is not given: %s", bad[0])
	}
	return walkers, plan, nil
}

// adopt continues from another walker's plan, which is only read.
func (w *walker) adopt(f *found) {
	w.elimination.again(w)
	f.restore(w.s)
	if f.score.Better(w.best.score) {
		w.best.save(w.s)
	}
}

// walkAll runs every walker for an epoch. With fewer goroutines than walkers, each
// walker gets its share of the epoch's time.
func walkAll(walkers []*walker, workers int, c *limit.Clock, epoch int) {
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
