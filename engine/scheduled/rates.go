package scheduled

import (
	"math"
	"time"

	"github.com/waygate/waygate/engine"
)

const (
	// learning is how much of its error one call corrects; of one that took longer
	// than expected more, for it is the one that others waited for.
	learning       = 0.2
	learningDearer = 0.5
	// mostError bounds a correction, as a factor to either side.
	mostError = 32
	// forgetting is how long it takes for half of a correction to be forgotten
	// while nothing confirms it. Without it a machine that stood still for a
	// moment would have calls turned down for good, which then teach nothing.
	forgetting = time.Minute
)

// rates correct estimates by what calls of their kind took, on this machine with
// whatever else runs on it.
type rates map[string]*rate

type rate struct {
	error float64 // logarithm of what calls took by what was expected
	at    time.Time
}

// now returns the correction of a kind in force.
func (r *rate) now(now time.Time) float64 {
	return r.error * math.Exp2(-max(0, now.Sub(r.at)).Seconds()/forgetting.Seconds())
}

// corrected returns the work of an estimate as it is likely to be.
func (rs rates) corrected(e engine.Estimate, now time.Time) time.Duration {
	r := rs[e.Kind]
	if r == nil {
		return e.Work
	}
	return time.Duration(float64(e.Work) * math.Exp(r.now(now)))
}

// learn corrects the estimates to come by what a call took. One that was broken
// off shows only that it would have taken more.
func (rs rates) learn(e engine.Estimate, took time.Duration, whole bool, now time.Time) {
	if e.Kind == "" || e.Work <= 0 || took <= 0 {
		return
	}
	r := rs[e.Kind]
	if r == nil {
		r = &rate{at: now}
		rs[e.Kind] = r
	}
	was := r.now(now)
	seen := math.Log(took.Seconds() / e.Work.Seconds())
	if !whole && seen < was {
		return
	}
	step := learning
	if seen > was {
		step = learningDearer
	}
	most := math.Log(mostError)
	r.error, r.at = max(-most, min(most, was+step*(seen-was))), now
}
