package cch

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
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
		for name, column := range columns(topology) {
			n := column.len()
			if n == 0 {
				continue
			}
			tried[name]++
			i := r.IntN(n)
			is, whole := column.set(i, uint32(r.IntN(2*n+2)))
			if err := topology.Verify(g); is != whole && (err == nil || !strings.Contains(err.Error(), "section hierarchy: ")) {
				t.Errorf("seed %d: %s[%d] is %d and not %d: %v", drawn.Seed, name, i, is, whole, err)
			}
			column.set(i, whole)
			column.cut()
			if err := topology.Verify(g); err == nil {
				t.Errorf("seed %d: %s lacks its last element, and nothing is said", drawn.Seed, name)
			}
			column.grow()
		}
		if arcs := topology.TurnArc; len(arcs) > 0 {
			i := r.IntN(len(arcs))
			topology.TurnArc = slices.Clone(arcs)
			topology.TurnArc[i] += uint8(1 + r.IntN(255))
			if err := topology.Verify(g); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("section hierarchy: turn.arc[%d]", i)) {
				t.Errorf("seed %d: turn.arc[%d] is %d and not %d: %v", drawn.Seed, i, topology.TurnArc[i], arcs[i], err)
			}
			topology.TurnArc = arcs[:len(arcs)-1]
			if err := topology.Verify(g); err == nil {
				t.Errorf("seed %d: turn.arc lacks its last element, and nothing is said", drawn.Seed)
			}
		}
	}
	for name := range columns(new(Topology)) {
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
		for _, depth := range []uint16{uint16(n) - uint16(v), 1 << 14, 1 << 15, math.MaxUint16} {
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

// A damaged hierarchy is customised to an end, which may be a panic, with no more scratch
// than another of its size.
func TestDamagedIsCustomised(t *testing.T) {
	panics := 0
	for drawn := range searchtest.Draw(40, 14, searchtest.Varied) {
		g, random := drawn.Graph, drawn.Rand
		c := profile.New(g, costing.Default(costing.Auto))
		costs := c.Metric(profile.NewTurnIndex(g))
		for _, name := range slices.Sorted(maps.Keys(columns(new(Topology)))) {
			topology := Contracted(g)
			list := columns(topology)[name]
			for range 1 + random.IntN(3) {
				list.set(random.IntN(list.len()), []uint32{0, 1, random.Uint32N(uint32(len(topology.Above) + 1)), random.Uint32(), graph.None}[random.IntN(5)])
			}
			var x *customiser
			func() {
				defer func() {
					if recover() != nil {
						panics++
					}
				}()
				x = newCustomiser(topology, 1+random.Uint32N(40))
				x.whole(newRespect(topology, g, c, costs))
			}()
			if x == nil {
				continue
			}
			for _, p := range []piece{x.top, x.piece} {
				if most := 2*len(topology.Above) + 64; cap(p.up) > most || cap(p.head) > most {
					t.Errorf("seed %d: with damage to %s a piece has room for %d arcs of %d", drawn.Seed, name, cap(p.up), len(topology.Above))
				}
			}
		}
	}
	if panics == 0 {
		t.Error("no damage was found")
	}
}

// column is an array of a topology.
type column struct {
	len       func() int
	set       func(i int, x uint32) (is, was uint32)
	cut, grow func() // by the last element
}

func columnOf[T ~uint16 | ~uint32](list *[]T) column {
	return column{
		len: func() int { return len(*list) },
		set: func(i int, x uint32) (is, was uint32) {
			old := (*list)[i]
			(*list)[i] = T(x)
			return uint32(T(x)), uint32(old)
		},
		cut:  func() { *list = (*list)[:len(*list)-1] },
		grow: func() { *list = (*list)[:len(*list)+1] },
	}
}

// columns returns the arrays of a topology by their names, but for the arcs of turns.
func columns(t *Topology) map[string]column {
	return map[string]column{
		"edge": columnOf(&t.Edge), "rank": columnOf(&t.Rank), "depth": columnOf(&t.Depth), "tree": columnOf(&t.Tree),
		"first": columnOf(&t.First), "above": columnOf(&t.Above), "turn.at": columnOf(&t.TurnAt),
	}
}

// TestVerifyMetrics finds what no metric can hold. On foot no arc is as by car, so that
// all blocks of those who walk are their own: from is where their arcs begin.
func TestVerifyMetrics(t *testing.T) {
	changes := map[string]func(w *searchgraph.Graph, from uint32) bool{
		"a step to no arc": func(w *searchgraph.Graph, from uint32) bool {
			w.Arcs[from], _ = searchgraph.NewArc(1<<searchgraph.DepthBits-1, 0)
			return true
		},
		"a cost of never": func(w *searchgraph.Graph, _ uint32) bool {
			a := &w.Arcs[len(w.Arcs)-1]
			depth := w.Depth(*a)
			*a, w.Wide = searchgraph.WideFrom+searchgraph.WeightedArc(len(w.Wide)), append(slices.Clone(w.Wide), searchgraph.WideArc{Depth: depth, Weight: Never})
			return true
		},
		"a cost that is not there": func(w *searchgraph.Graph, from uint32) bool {
			w.Arcs[from] = searchgraph.WideFrom + searchgraph.WeightedArc(len(w.Wide))
			return true
		},
		"a place gone back": func(w *searchgraph.Graph, from uint32) bool { w.Blocks[0].First = from - 1; return true },
		"a place beyond":    func(w *searchgraph.Graph, from uint32) bool { w.Blocks[0].First = from + 1; return true },
		"a count of others": func(w *searchgraph.Graph, _ uint32) bool {
			w.Alone = []searchgraph.Counts{{Arcs: w.Alone[0].Arcs + 1}}
			return true
		},
		"an end too soon": func(w *searchgraph.Graph, _ uint32) bool {
			last := &w.Blocks[len(w.Blocks)-1]
			for i := searchgraph.InBlock - 1; i >= 0; i-- { // of which the last is perhaps no rank's
				if one := uint32(1) << (i % 8 * 4); last.First < searchgraph.LongFrom && last.Counts[i/8]&(one*searchgraph.MostShort) != 0 {
					last.Counts[i/8] -= one
					return true
				}
			}
			return false
		},
		"a block that is not there": func(w *searchgraph.Graph, _ uint32) bool {
			w.Blocks[0].First = searchgraph.LongFrom + uint32(len(w.LongBlocks))
			return true
		},
		"a path below all": func(w *searchgraph.Graph, from uint32) bool { w.Via[from] = searchgraph.FarBelow - 1; return true },
		"a path over a rank that is not there": func(w *searchgraph.Graph, from uint32) bool {
			w.Via[from] = searchgraph.FarBelow
			return true
		},
		"a rank on the way": func(w *searchgraph.Graph, from uint32) bool {
			w.Via[from], w.Far = searchgraph.FarBelow, append(slices.Clone(w.Far), searchgraph.FarthestBelow)
			w.Farthest = append(slices.Clone(w.Farthest), searchgraph.FarPath{Number: uint32(len(w.Far) - 1), Middle: Rank(searchgraph.InBlock * len(w.Blocks))})
			return true
		},
		"a far path over a rank that is not there": func(w *searchgraph.Graph, from uint32) bool {
			w.Via[from], w.Far = searchgraph.FarBelow, append(slices.Clone(w.Far), searchgraph.FarthestBelow-1)
			return true
		},
		"steps out of order": func(w *searchgraph.Graph, _ uint32) bool { return swapped(w) },
	}
	tried := map[string]int{}
	for drawn := range searchtest.Draw(30, 12, searchtest.Varied) {
		g := drawn.Graph
		topology := Contracted(g)
		metrics, _ := stored(t, topology, g)
		if err := topology.VerifyMetrics("metrics", metrics); err != nil {
			t.Fatalf("seed %d: %v", drawn.Seed, err)
		}
		whole := metrics[costing.Pedestrian]
		from, to := whole.backward.BlockSpan(0)
		if from == to {
			continue
		}
		for what, change := range changes {
			b := &whole.backward
			damaged := &Metric{forward: whole.forward, backward: searchgraph.Graph{Blocks: slices.Clone(b.Blocks), LongBlocks: b.LongBlocks, Alone: b.Alone, Arcs: slices.Clone(b.Arcs), Wide: b.Wide, Via: slices.Clone(b.Via), FarAt: b.FarAt, Far: b.Far, Farthest: b.Farthest}}
			if !change(&damaged.backward, from) {
				continue
			}
			tried[what]++
			metrics[costing.Pedestrian] = damaged
			if err := topology.VerifyMetrics("metrics", metrics); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("section metrics: %s.down", costing.Pedestrian)) {
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

// TestVerifyMetricsOfAll finds what is in the lists that kinds share, and is none's.
func TestVerifyMetricsOfAll(t *testing.T) {
	changes := map[string]func(all map[costing.Costing]*Metric) bool{
		"all.down.steps": func(all map[costing.Costing]*Metric) bool {
			for _, m := range all {
				m.backward.Arcs = append(slices.Clone(m.backward.Arcs), 0)
			}
			return true
		},
		"far path 0 of 1": func(all map[costing.Costing]*Metric) bool {
			for _, m := range all {
				m.backward.Far = []uint16{1}
			}
			return true
		},
	}
	for want, change := range changes {
		tried := 0
		for drawn := range searchtest.Draw(20, 14, searchtest.Varied) {
			topology := Contracted(drawn.Graph)
			metrics, _ := stored(t, topology, drawn.Graph)
			if len(metrics[costing.Bus].backward.Arcs) == 0 || !change(metrics) {
				continue
			}
			tried++
			if err := topology.VerifyMetrics("metrics", metrics); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("seed %d, %s: %v", drawn.Seed, want, err)
			}
		}
		if tried < 5 {
			t.Errorf("%s was tried %d times only", want, tried)
		}
	}
}

// TestVerifySharedBlocks finds a block that is the first kind's in part.
func TestVerifySharedBlocks(t *testing.T) {
	tried := 0
	for drawn := range searchtest.Draw(20, 14, searchtest.Varied) {
		topology := Contracted(drawn.Graph)
		car := usual(t.Context(), topology, drawn.Graph)[costing.Auto]
		bus := *car
		both := map[costing.Costing]*Metric{costing.Auto: car, costing.Bus: &bus}
		if err := topology.VerifyMetrics("metrics", both); err != nil {
			t.Errorf("seed %d: %v", drawn.Seed, err)
		}
		b := &bus.backward
		if from, to := b.BlockSpan(0); from == to {
			continue
		}
		tried++
		b.Blocks = slices.Clone(b.Blocks)
		b.Blocks[0].Counts[0] ^= 1
		if err := topology.VerifyMetrics("metrics", both); err == nil || !strings.Contains(err.Error(), "bus.down.first[0]") {
			t.Errorf("seed %d: %v", drawn.Seed, err)
		}
	}
	if tried < 5 {
		t.Errorf("%d were tried", tried)
	}
}

// swapped exchanges two steps of one rank, where a rank has two.
func swapped(w *searchgraph.Graph) bool {
	for v := range Rank(len(w.Blocks) * searchgraph.InBlock) {
		if i, end := w.Span(v); end-i >= 2 {
			w.Arcs[i], w.Arcs[i+1] = w.Arcs[i+1], w.Arcs[i]
			return true
		}
	}
	return false
}
