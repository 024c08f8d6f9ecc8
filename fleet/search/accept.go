package search

import (
	"math"

	"github.com/waygate/waygate/fleet"
)

// accept decides whether the search goes on from a new plan. Until everything that can
// be served has been served, the search prefers plans that serve what was hardest to
// serve. After that it may leave something out for a while, at a penalty: few of the
// plans that serve everything are near one another.
func (w *walker) accept(old, now fleet.Score, oldMissed int64, temperature float64) bool {
	leeway := -temperature * math.Log(w.s.random.float())
	if w.best.score.Absent <= w.unservable && w.elimination.phase != eliminationTrying {
		usual := 1 + float64(w.missed)/float64(len(w.s.m.Tasks))
		return float64(now.Cost-old.Cost)+w.penalty.cost*float64(w.missedSum()-oldMissed)/usual < leeway
	}
	if now.Priority > old.Priority || now.Priority == old.Priority && now.Absent < old.Absent {
		return true
	}
	sum := w.missedSum()
	return sum < oldMissed || sum == oldMissed && float64(now.Cost-old.Cost) < leeway
}

func (w *walker) missedSum() (n int64) {
	for _, u := range w.s.absent {
		n += w.s.missed[u] + 1
	}
	return n
}

// penalty is the cost that the search charges for leaving out a task that can be
// served; a task that was left out more often costs more. The charge is adapted so
// that, once everything was served, a fixed share of the plans leave something out. If
// it is too high, the search cannot get from one plan that serves everything to
// another.
type penalty struct {
	cost, least, most float64
	plans, lack       int
}

const (
	penaltyWays  = 10  // times the cost of a usual way, to begin with
	penaltyMost  = 100 // times it, at most; at least once
	penaltyShare = 0.3 // of plans that leave something out
	penaltyEvery = 100 // plans
	penaltyStep  = 1.1 // up or down
)

func (p *penalty) learn(lacks bool) {
	p.plans++
	if lacks {
		p.lack++
	}
	if p.plans < penaltyEvery {
		return
	}
	if float64(p.lack) > penaltyShare*float64(p.plans) {
		p.cost = min(p.cost*penaltyStep, p.most)
	} else {
		p.cost = max(p.cost/penaltyStep, p.least)
	}
	p.plans, p.lack = 0, 0
}
