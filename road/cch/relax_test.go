package cch

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/search/searchtest"
)

// swept is a rank of a sweep, to be relaxed.
type swept struct {
	labels        []uint64
	depth, stride int
	arcs          []weightedArc
	wide          []wideArc
}

func (s *swept) relaxed(by relaxer) (labels []uint64, ok bool) {
	labels = slices.Clone(s.labels)
	ok = by(labels, s.depth, s.stride, s.arcs, s.wide)
	return labels, ok
}

// drawSwept draws a rank with labels of all kinds at all depths, unreached and dearest
// ones too, and arcs without a weight, with the greatest, and wide ones.
func drawSwept(r *rand.Rand) *swept {
	s := &swept{depth: r.IntN(40), stride: Lanes * (1 + r.IntN(BatchSize/Lanes))}
	for range (s.depth + 1 + r.IntN(2)) * s.stride {
		cost := []uint64{0, r.Uint64N(1000), r.Uint64N(unreached >> byBits), unreached>>byBits - 1}[r.IntN(4)]
		label := cost<<byBits | []uint64{byMeasured, byBegun, firstArc, byMask}[r.IntN(4)]
		if r.IntN(4) == 0 {
			label = unreached
		}
		s.labels = append(s.labels, label)
	}
	for range r.IntN(20) * min(s.depth, 1) {
		depth := uint32(r.IntN(s.depth))
		weight := []uint32{0, r.Uint32N(1000), r.Uint32N(mostWeight), mostWeight}[r.IntN(4)]
		arc, _ := newArc(depth, weight)
		if r.IntN(4) == 0 {
			arc = wideFrom + weightedArc(len(s.wide))
			s.wide = append(s.wide, wideArc{depth, []uint32{weight, Never - 1, Never}[r.IntN(3)]})
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
			depth, weight := (&searchGraph{wide: s.wide}).open(a)
			for lane, above := range s.labels[int(depth)*s.stride : (int(depth)+1)*s.stride] {
				if label := above>>byBits<<byBits + uint64(weight)<<byBits + uint64(i) + firstArc; label < row[lane] {
					row[lane] = label
					lowered++
				}
			}
		}
		for name, by := range map[string]relaxer{"plain": relaxPlain, "fastest": fastest()} {
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
			"to itself":   func(s *swept, i int) { s.arcs[i], _ = newArc(uint32(s.depth), 1) },
			"too deep":    func(s *swept, i int) { s.arcs[i], _ = newArc(1<<depthBits-1, 1) },
			"no wide one": func(s *swept, i int) { s.arcs[i] = wideFrom + weightedArc(len(s.wide)) },
			"far off":     func(s *swept, i int) { s.arcs[i] = wideFrom | 1<<30 },
			"wide, deep":  func(s *swept, i int) { s.arcs[i], s.wide = wideFrom, []wideArc{{1 << 31, 1}} },
			"no labels":   func(s *swept, _ int) { s.labels = s.labels[:(s.depth+1)*s.stride-1] },
		} {
			s := drawSwept(r)
			for len(s.arcs) == 0 {
				s = drawSwept(r)
			}
			damage(s, r.IntN(len(s.arcs)))
			for which, by := range map[string]relaxer{"plain": relaxPlain, "fastest": fastest()} {
				if _, ok := s.relaxed(by); ok {
					t.Fatalf("%s: an arc %s is relaxed: %+v", which, name, s)
				}
			}
		}
	}
}

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
