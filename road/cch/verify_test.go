package cch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestVerify finds nothing wrong with what was worked out for random networks,
// and every change of a single element of a topology.
func TestVerify(t *testing.T) {
	tried := map[string]int{}
	for drawn := range searchtest.Draw(60, 11, searchtest.Random) {
		r, g := drawn.Rand, drawn.Graph
		topology := NewTopology(g, order.Dissect(Network(g)).Roads)
		if err := topology.Verify(g); err != nil {
			t.Fatalf("seed %d: %v", drawn.Seed, err)
		}
		for name, column := range topology.columns() {
			whole := *column
			if len(whole) == 0 {
				continue
			}
			tried[name]++
			*column = slices.Clone(whole)
			i := r.IntN(len(whole))
			for (*column)[i] == whole[i] {
				(*column)[i] = uint32(r.IntN(2*len(whole) + 2))
			}
			if err := topology.Verify(g); err == nil || !strings.Contains(err.Error(), "section hierarchy: ") {
				t.Errorf("seed %d: %s[%d] is %d and not %d: %v", drawn.Seed, name, i, (*column)[i], whole[i], err)
			}
			*column = whole[:len(whole)-1]
			if err := topology.Verify(g); err == nil {
				t.Errorf("seed %d: %s lacks its last element, and nothing is said", drawn.Seed, name)
			}
			*column = whole
		}
	}
	for name := range new(Topology).columns() {
		if tried[name] < 30 {
			t.Errorf("%s was changed %d times only", name, tried[name])
		}
	}
}

// TestVerifyMetrics finds what no metric can hold.
func TestVerifyMetrics(t *testing.T) {
	changes := map[string]func(w *way) bool{
		"a step to no arc":   func(w *way) bool { w.steps[0].head = ^uint32(0); return true },
		"a cost of never":    func(w *way) bool { w.steps[len(w.steps)-1].weight = Never; return true },
		"a place gone back":  func(w *way) bool { w.first[0] = 1; return true },
		"an end too soon":    func(w *way) bool { w.first[len(w.first)-1]--; return true },
		"a rank on the way":  func(w *way) bool { w.mid[0] = uint32(len(w.first) - 2); return true },
		"steps out of order": func(w *way) bool { return swapped(w) },
	}
	tried := map[string]int{}
	for drawn := range searchtest.Draw(30, 12, searchtest.Dressed) {
		g := drawn.Graph
		topology := NewTopology(g, order.Dissect(Network(g)).Roads)
		metrics := topology.CustomiseUsual(g)
		if err := topology.VerifyMetrics("metrics", metrics); err != nil {
			t.Fatalf("seed %d: %v", drawn.Seed, err)
		}
		whole := metrics[costing.Truck]
		if len(whole.backward.steps) == 0 {
			continue
		}
		for what, change := range changes {
			b := &whole.backward
			damaged := &Metric{forward: whole.forward, backward: way{slices.Clone(b.first), slices.Clone(b.steps), slices.Clone(b.mid)}}
			if !change(&damaged.backward) {
				continue
			}
			tried[what]++
			metrics[costing.Truck] = damaged
			if err := topology.VerifyMetrics("metrics", metrics); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("section metrics: %s.down", costing.Truck)) {
				t.Errorf("seed %d, %s: %v", drawn.Seed, what, err)
			}
		}
	}
	for what := range changes {
		if tried[what] < 10 {
			t.Errorf("%s was tried %d times only", what, tried[what])
		}
	}
}

// swapped exchanges two steps of one rank, where a rank has two.
func swapped(w *way) bool {
	for v := range len(w.first) - 1 {
		if i := w.first[v]; w.first[v+1]-i >= 2 {
			w.steps[i], w.steps[i+1] = w.steps[i+1], w.steps[i]
			return true
		}
	}
	return false
}
