package fleet

import "math"

// accept decides whether the search goes on from a plan. Before it has served all that can be,
// what was hardest to serve is worth most; then it may leave something out for a while, at a
// penalty, since few plans that serve all may be all there are near one.
func (w *walker) accept(old, now score, oldMissed int64, temperature float64) bool {
	leeway := -temperature * math.Log(w.s.random.float())
	if w.best.score.absent <= w.hopeless && w.fewer.phase != fewerTrying {
		usual := 1 + float64(w.missed)/float64(len(w.s.m.units))
		return float64(now.cost-old.cost)+w.penalty.cost*float64(w.missedSum()-oldMissed)/usual < leeway
	}
	if now.priority > old.priority || now.priority == old.priority && now.absent < old.absent {
		return true
	}
	sum := w.missedSum()
	return sum < oldMissed || sum == oldMissed && float64(now.cost-old.cost) < leeway
}

func (w *walker) missedSum() (n int64) {
	for _, u := range w.s.absent {
		n += w.s.missed[u] + 1
	}
	return n
}

// penalty is what it costs the search to leave a task out that can be served and is as hard to
// serve as others; one that was left out more often weighs more. It learns, once all has been
// served, the cost at which a share of the plans leave something out: where it is too dear the
// search cannot get from one plan that serves all to another.
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
