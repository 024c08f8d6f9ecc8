package observations

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/index/surroundings"
)

// runs finds stretches of the line of some length along which the same subject is seen at
// every place that is looked at.
type runs struct {
	least float64 // metres
	now   int     // the place at hand, from 1
	at    float64 // metres from the start to there
	open  map[string]*run
	done  []run
}

// run is a stretch along which a subject was seen.
type run struct {
	subject  string
	feature  surroundings.Feature
	from, to float64
	last     int // the place where it was seen last
}

// step goes on to the next place that is looked at.
func (r *runs) step(at float64) {
	if r.open == nil {
		r.open = map[string]*run{}
	}
	r.now++
	r.at = at
}

// see notes that a subject is seen at the place at hand.
func (r *runs) see(subject string, f *surroundings.Feature) {
	o := r.open[subject]
	switch {
	case o == nil:
		r.open[subject] = &run{subject, *f, r.at, r.at, r.now}
	case o.last < r.now-1:
		r.close(o)
		*o = run{subject, *f, r.at, r.at, r.now}
	default:
		o.last, o.to = r.now, r.at
	}
}

func (r *runs) close(o *run) {
	if o.to-o.from >= r.least {
		r.done = append(r.done, *o)
	}
}

// finish calls each for every run that is long enough, in the order of the line.
func (r *runs) finish(each func(subject string, f surroundings.Feature, from, to float64)) {
	for _, o := range r.open {
		r.close(o)
	}
	slices.SortFunc(r.done, func(a, b run) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.subject, b.subject)) })
	for i := range r.done {
		o := &r.done[i]
		each(o.subject, o.feature, o.from, o.to)
	}
}
