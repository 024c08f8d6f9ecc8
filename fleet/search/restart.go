package search

import "github.com/waygate/waygate/fleet/search/model"

// restartSchedule decides when walkers exchange what they have found, and when they
// restart. A search settles early on the structure of a plan, the more so where routes
// are few and long, and more time does not change it. So a search that is long for its
// problem goes down several times from different beginnings, each walker by itself, and
// then on from the best.
type restartSchedule struct {
	seed    uint64
	tasks   int
	long    bool
	decided bool
}

const (
	exchanges  = 16   // parts of a search
	beginnings = 4    // of each walker in the first half of a long search
	longFrom   = 2000 // iterations for each task
	eachStart  = exchanges / 2 / beginnings
)

func newRestartSchedule(m *model.Model, o Options) *restartSchedule {
	c := &restartSchedule{seed: o.Seed, tasks: len(m.Tasks)}
	if o.Iterations > 0 {
		c.decide(o.Iterations)
	}
	return c
}

func (c *restartSchedule) decide(iterations int64) {
	c.decided, c.long = true, c.tasks > 0 && iterations >= longFrom*int64(c.tasks)
}

// turn runs before the first part of a search (with done 0), and between any two.
func (c *restartSchedule) turn(walkers []*walker, best *found, done int) {
	if !c.decided && done > 0 {
		c.decide(walkers[0].iterations * exchanges / int64(done))
	}
	switch {
	case c.long && done < eachStart:
		for _, w := range walkers {
			w.stretch = c.stretch(0)
		}
	case done == 0:
	case !c.long || done > exchanges/2:
		for _, w := range walkers {
			if best.score.Better(w.best.score) {
				w.adopt(best)
			}
		}
	case done == exchanges/2:
		for _, w := range walkers {
			w.adopt(best)
			w.stretch, w.since = stretch{0.5, 1, warm}, 0
		}
	case done%eachStart == 0:
		for i, w := range walkers {
			// A new walker finds room for what must be served by chance; one that
			// finds none continues as it is.
			if fresh, err := newWalker(w.s.m, c.seed, uint64(done/eachStart*len(walkers)+i), w.s.watch); err == nil {
				fresh.iterations, fresh.hurried = w.iterations, w.hurried
				*w = *fresh
			}
			w.stretch, w.since = c.stretch(done), 0
		}
	}
}

// stretch returns the stretch of the restart that is under way after so many parts of
// the search.
func (c *restartSchedule) stretch(done int) stretch {
	return stretch{float64(done) / exchanges, float64(done+eachStart) / exchanges, hottest}
}
