package many

import (
	"time"

	"github.com/waygate/waygate/engine"
)

// part are the ways of a matrix that have one time.
type part struct {
	request *engine.MatrixRequest
	when    *engine.When
	// sources are the numbers of those with the time or, of arrival, targets; nil is all.
	sources, targets []int
}

// byTime divides a matrix by its times, in the order in which they first stand.
func byTime(r *engine.MatrixRequest) []part {
	if r.Times == nil {
		return []part{{request: r, when: r.When}}
	}
	var parts []part
	numbers := map[engine.When]int{}
	for i := range r.Times {
		k, known := numbers[r.Times[i]]
		if !known {
			k = len(parts)
			numbers[r.Times[i]] = k
			parts = append(parts, part{request: r, when: &r.Times[i]})
		}
		which := &parts[k].sources
		if r.Arrives() {
			which = &parts[k].targets
		}
		*which = append(*which, i)
	}
	return parts
}

// conditions returns those of the request at the time.
func (x *part) conditions() engine.Conditions {
	c := x.request.Conditions
	c.When = x.when
	return c
}

// first returns the place whose local time it is: the first with the time, else the first source.
func (x *part) first() []engine.Location {
	switch {
	case x.targets != nil:
		return x.request.Targets[x.targets[0]:][:1]
	case x.sources != nil:
		return x.request.Sources[x.sources[0]:][:1]
	}
	return x.request.Sources[:1]
}

// newAnswer returns an answer without a way.
func newAnswer(r *engine.MatrixRequest) *engine.MatrixAnswer {
	n := len(r.Targets)
	a := &engine.MatrixAnswer{Sources: make([]engine.Snapped, len(r.Sources)), Targets: make([]engine.Snapped, n), Cells: make([][]engine.MatrixCell, len(r.Sources)), Arrives: r.Arrives()}
	all := make([]engine.MatrixCell, len(r.Sources)*n)
	for i := range a.Cells {
		a.Cells[i] = all[i*n : (i+1)*n]
	}
	return a
}

// note puts the moment of the ways into an answer.
func (x *part) note(a *engine.MatrixAnswer, departure time.Time) {
	places, which := len(a.Sources), x.sources
	if a.Arrives {
		places, which = len(a.Targets), x.targets
	}
	if a.Begin == nil {
		a.Begin = make([]time.Time, places)
	}
	if which == nil {
		for i := range a.Begin {
			a.Begin[i] = departure
		}
	}
	for _, i := range which {
		a.Begin[i] = departure
	}
}

// appendNew appends the warnings that were not said, and notes that they are.
func appendNew(list []engine.Warning, said map[engine.Warning]bool, more []engine.Warning) []engine.Warning {
	for _, w := range more {
		if !said[w] {
			said[w] = true
			list = append(list, w)
		}
	}
	return list
}
