package cch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestVerify finds nothing wrong with what was worked out for random networks,
// and every change of a single element of a topology.
func TestVerify(t *testing.T) {
	tried := map[string]int{}
	for drawn := range searchtest.Draw(60, 11, searchtest.Random) {
		r, g := drawn.Rand, drawn.Graph
		topology := Contracted(g)
		if err := topology.Verify(g); err != nil {
			t.Fatalf("seed %d: %v", drawn.Seed, err)
		}
		for name, column := range words(topology) {
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
	for name := range words(new(Topology)) {
		if tried[name] < 30 {
			t.Errorf("%s was changed %d times only", name, tried[name])
		}
	}
}

// Of a damaged depth no search makes room for more ranks than there are.
func TestDamagedDepth(t *testing.T) {
	for drawn := range searchtest.Draw(20, 13, searchtest.Random) {
		topology := Contracted(drawn.Graph)
		n := len(topology.Depth)
		v := Rank(drawn.Rand.IntN(n))
		for _, depth := range []uint32{uint32(n) - uint32(v), 1 << 30, 1 << 31, graph.None} {
			topology.Depth = slices.Clone(topology.Depth)
			topology.Depth[v] = depth
			func() {
				defer func() {
					if found := recover(); found != damaged {
						t.Errorf("seed %d: depth %d of rank %d of %d: %v", drawn.Seed, depth, v, n, found)
					}
				}()
				var s side
				s.addSource(v, 0)
				s.begin(topology)
			}()
		}
	}
}

// words are the arrays of a topology by their names, as the words of the file.
func words(t *Topology) map[string]*[]uint32 {
	return map[string]*[]uint32{
		"edge": (*[]uint32)(unsafe.Pointer(&t.Edge)), "rank": (*[]uint32)(unsafe.Pointer(&t.Rank)),
		"first": (*[]uint32)(unsafe.Pointer(&t.First)), "head": (*[]uint32)(unsafe.Pointer(&t.Head)),
		"depth": &t.Depth, "size": &t.Size,
		"turn.at": &t.TurnAt, "turn.arc": &t.TurnArc,
	}
}

// TestVerifyMetrics finds what no metric can hold.
func TestVerifyMetrics(t *testing.T) {
	changes := map[string]func(w *searchGraph) bool{
		"a step to no arc": func(w *searchGraph) bool {
			w.arcs[0], _ = newArc(1<<depthBits-1, 0)
			return true
		},
		"a cost of never": func(w *searchGraph) bool {
			a := &w.arcs[len(w.arcs)-1]
			depth := w.depth(*a)
			*a, w.wide = wideFrom+weightedArc(len(w.wide)), append(slices.Clone(w.wide), wideArc{depth, Never})
			return true
		},
		"a cost that is not there": func(w *searchGraph) bool {
			w.arcs[0] = wideFrom + weightedArc(len(w.wide))
			return true
		},
		"a place gone back": func(w *searchGraph) bool { w.blocks[0].first = 1; return true },
		"an end too soon": func(w *searchGraph) bool {
			last := &w.blocks[len(w.blocks)-1]
			for i := range inBlock { // of which the last is perhaps no rank's
				last.at[i+1]--
			}
			return last.first < longFrom
		},
		"a block that is not there": func(w *searchGraph) bool {
			w.blocks[0].first = longFrom + uint32(len(w.long))
			return true
		},
		"a path below all": func(w *searchGraph) bool { w.via[0] = farBelow - 1; return true },
		"a path over a rank that is not there": func(w *searchGraph) bool {
			w.via[0] = farBelow
			return true
		},
		"a rank on the way": func(w *searchGraph) bool {
			w.via[0], w.farAt, w.far = farBelow, []uint32{0}, []Rank{Rank(inBlock * len(w.blocks))}
			return true
		},
		"a path of no step":  func(w *searchGraph) bool { w.farAt, w.far = []uint32{0}, []Rank{0}; return true },
		"steps out of order": swapped,
	}
	tried := map[string]int{}
	for drawn := range searchtest.Draw(30, 12, searchtest.Varied) {
		g := drawn.Graph
		topology := Contracted(g)
		metrics := usual(t.Context(), topology, g)
		if err := topology.VerifyMetrics("metrics", metrics); err != nil {
			t.Fatalf("seed %d: %v", drawn.Seed, err)
		}
		whole := metrics[costing.Truck]
		if len(whole.backward.arcs) == 0 {
			continue
		}
		for what, change := range changes {
			b := &whole.backward
			damaged := &Metric{forward: whole.forward, backward: searchGraph{blocks: slices.Clone(b.blocks), long: b.long, arcs: slices.Clone(b.arcs), wide: b.wide, via: slices.Clone(b.via), farAt: b.farAt, far: b.far}}
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
func swapped(w *searchGraph) bool {
	for v := range Rank(len(w.blocks) * inBlock) {
		if i, end := w.span(v); end-i >= 2 {
			w.arcs[i], w.arcs[i+1] = w.arcs[i+1], w.arcs[i]
			return true
		}
	}
	return false
}
