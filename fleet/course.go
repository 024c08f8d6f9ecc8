package fleet

// course says when walkers exchange what they have found, and when they begin anew. A search
// settles early in the structure of a plan, the more so where routes are few and long, and
// time does not get it out: one that is long for its problem goes down several times from
// different beginnings, each walker by itself, and then on from the best.
type course struct {
	seed    uint64
	units   int
	long    bool
	decided bool
}

const (
	exchanges  = 16   // parts of a search
	beginnings = 4    // of each walker in the first half of a long search
	longFrom   = 2000 // iterations for each unit
	eachStart  = exchanges / 2 / beginnings
)

func newCourse(m *model, o Options) *course {
	c := &course{seed: o.Seed, units: len(m.units)}
	if o.Iterations > 0 {
		c.decide(o.Iterations)
	}
	return c
}

func (c *course) decide(iterations int64) {
	c.decided, c.long = true, c.units > 0 && iterations >= longFrom*int64(c.units)
}

// turn comes before the first part of a search, after which none is done, and between any two.
func (c *course) turn(walkers []*walker, best *found, done int) {
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
			if best.score.better(w.best.score) {
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
			// Room for what must be served is found by chance: a walker that finds none goes on.
			if fresh, err := newWalker(w.s.m, c.seed, uint64(done/eachStart*len(walkers)+i), w.s.watch); err == nil {
				fresh.iterations, fresh.hurried = w.iterations, w.hurried
				*w = *fresh
			}
			w.stretch, w.since = c.stretch(done), 0
		}
	}
}

// stretch is that of a beginning after so many parts of the search.
func (c *course) stretch(done int) stretch {
	return stretch{float64(done) / exchanges, float64(done+eachStart) / exchanges, hottest}
}
