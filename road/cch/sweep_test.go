package cch

import "testing"

// Of paths up that lead round in a circle, as damaged arcs may have them, nothing is
// added up.
func TestCircleUp(t *testing.T) {
	defer func() {
		if found := recover(); found != damaged {
			t.Error(found)
		}
	}()
	x := &Table{startAt: []int{0}}
	x.up.visits = []visit{{parent: 1, rank: 0}, {parent: 0, rank: 1}}
	x.upMeasure(Costs{Metric: &Metric{}, Measures: &Measures{}}, 0, 0)
}
