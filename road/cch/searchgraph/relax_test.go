package searchgraph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/search/searchtest"
)

// unreachedLabel is the label of what is not reached.
const unreachedLabel = 1 << 62

// swept is a rank of a sweep, to be relaxed.
type swept struct {
	labels        []uint64
	depth, stride int
	arcs          []WeightedArc
	wide          []WideArc
}

func (s *swept) relaxed(by Relaxer) (labels []uint64, ok bool) {
	labels = slices.Clone(s.labels)
	ok = by(labels, s.depth, s.stride, s.arcs, s.wide)
	return labels, ok
}

// drawSwept draws a rank with labels of all kinds at all depths, unreachedLabel and dearest
// ones too, and arcs without a weight, with the greatest, and wide ones.
func drawSwept(r *rand.Rand) *swept {
	s := &swept{depth: r.IntN(40), stride: Lanes * (1 + r.IntN(4))}
	for range (s.depth + 1 + r.IntN(2)) * s.stride {
		cost := []uint64{0, r.Uint64N(1000), r.Uint64N(unreachedLabel >> ArcBits), unreachedLabel>>ArcBits - 1}[r.IntN(4)]
		label := cost<<ArcBits | []uint64{0, 1, FirstArc, ArcMask}[r.IntN(4)]
		if r.IntN(4) == 0 {
			label = unreachedLabel
		}
		s.labels = append(s.labels, label)
	}
	for range r.IntN(20) * min(s.depth, 1) {
		depth := uint32(r.IntN(s.depth))
		weight := []uint32{0, r.Uint32N(1000), r.Uint32N(MostWeight), MostWeight}[r.IntN(4)]
		arc, _ := NewArc(depth, weight)
		if r.IntN(4) == 0 {
			arc = WideFrom + WeightedArc(len(s.wide))
			s.wide = append(s.wide, WideArc{depth, []uint32{weight, Never - 1, Never}[r.IntN(3)]})
		}
		s.arcs = append(s.arcs, arc)
	}
	return s
}

// TestRelaxers compares what relaxes by the processor's own means with one label after
// another.
func TestRelaxers(t *testing.T) {
	r, lowered := rand.New(rand.NewPCG(3, 4)), 0
	for range searchtest.Cases(20_000) {
		s := drawSwept(r)
		want := slices.Clone(s.labels)
		row := want[s.depth*s.stride : (s.depth+1)*s.stride]
		for i, a := range s.arcs {
			depth, weight := (&Graph{Wide: s.wide}).Open(a)
			for lane, above := range s.labels[int(depth)*s.stride : (int(depth)+1)*s.stride] {
				if label := above>>ArcBits<<ArcBits + uint64(weight)<<ArcBits + uint64(i) + FirstArc; label < row[lane] {
					row[lane] = label
					lowered++
				}
			}
		}
		for name, by := range map[string]Relaxer{"plain": RelaxPlain, "fastest": Fastest()} {
			if got, ok := s.relaxed(by); !ok || !slices.Equal(got, want) {
				t.Fatalf("%s: %+v becomes %v (%v), not %v", name, s, got, ok, want)
			}
		}
	}
	if lowered < searchtest.Cases(20_000) {
		t.Errorf("only %d labels were lowered", lowered)
	}
}

// TestRelaxersRefuse has arcs that a damaged region may have: none leads them to labels
// that are not there.
func TestRelaxersRefuse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range searchtest.Cases(2_000) {
		for name, damage := range map[string]func(s *swept, i int){
			"to itself":   func(s *swept, i int) { s.arcs[i], _ = NewArc(uint32(s.depth), 1) },
			"too deep":    func(s *swept, i int) { s.arcs[i], _ = NewArc(1<<DepthBits-1, 1) },
			"no wide one": func(s *swept, i int) { s.arcs[i] = WideFrom + WeightedArc(len(s.wide)) },
			"far off":     func(s *swept, i int) { s.arcs[i] = WideFrom | 1<<30 },
			"wide, deep":  func(s *swept, i int) { s.arcs[i], s.wide = WideFrom, []WideArc{{1 << 31, 1}} },
			"no labels":   func(s *swept, _ int) { s.labels = s.labels[:(s.depth+1)*s.stride-1] },
		} {
			s := drawSwept(r)
			for len(s.arcs) == 0 {
				s = drawSwept(r)
			}
			damage(s, r.IntN(len(s.arcs)))
			for which, by := range map[string]Relaxer{"plain": RelaxPlain, "fastest": Fastest()} {
				if _, ok := s.relaxed(by); ok {
					t.Fatalf("%s: an arc %s is relaxed: %+v", which, name, s)
				}
			}
		}
	}
}
