package cch

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestMeasuresFit puts measures of all sizes into words and beside them.
func TestMeasuresFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range costing.All {
		m := measures{words: make([]uint32, 1000), shift: millisBits(k)}
		edge := uint32(1) << m.shift
		want := []search.Measure{
			{},
			{Millis: edge - 1},
			{Millis: edge},
			{Decimetres: 1<<31/edge - 1},
			{Decimetres: 1 << 31 / edge},
			{Millis: math.MaxUint32, Decimetres: math.MaxUint32},
			{Millis: 1<<23 - 1, Decimetres: 1<<24 - 1},
			{Millis: 1 << 23},
			{Decimetres: 1 << 24},
			{Millis: 1<<23 - 1},
			{Decimetres: 1<<24 - 1},
		}
		for len(want) < len(m.words) {
			want = append(want, search.Measure{Millis: r.Uint32() >> r.IntN(32), Decimetres: r.Uint32() >> r.IntN(32)})
		}
		for i, x := range want {
			m.put(uint32(i), x)
		}
		for i, x := range want {
			if got := m.at(uint32(i)); got != x {
				t.Errorf("%s: %v became %v", k, x, got)
			}
		}
		if n := len(m.wide); n == 0 || n == len(want) {
			t.Errorf("%s: %d of %d measures are beside the words", k, n, len(want))
		}
	}
}

// TestMeasuresOfRegion holds those of a section against those worked out.
func TestMeasuresOfRegion(t *testing.T) {
	edges, cells := 0, 0
	for drawn := range searchtest.Draw(20, 12, searchtest.Varied) {
		g := drawn.Graph
		topology := Contracted(g)
		metrics, measures := stored(t, topology, g)
		if err := topology.VerifyMetrics(MetricsSection, metrics); err != nil {
			t.Fatal(err)
		}
		if err := topology.VerifyMeasures(measures); err != nil {
			t.Fatal(err)
		}
		for k, m := range usual(t.Context(), topology, g) {
			worked := topology.Measure(profile.New(g, costing.Default(k)), m)
			cells += len(worked.cells.roots)
			if !sameCells(measures[k].cells, worked.cells) {
				t.Fatalf("seed %d: the cells of %s are %v, want %v", drawn.Seed, k, measures[k].cells, worked.cells)
			}
			for v := range Rank(len(topology.Edge)) {
				edges++
				if got, want := measures[k].own.at(v), worked.own.at(v); got != want {
					t.Fatalf("seed %d: rank %d takes %s %v, want %v", drawn.Seed, v, k, got, want)
				}
				want := made{m, worked}.directions()
				for i, got := range (made{metrics[k], measures[k]}).directions() {
					if !got.sameArcs(v, want[i]) {
						t.Fatalf("seed %d: the arcs%s of rank %d for %s are others than were made", drawn.Seed, directionNames[i], v, k)
					}
				}
			}
			if got, want := metrics[k].MeasureBytes(), m.MeasureBytes(); got != want {
				t.Errorf("seed %d: the measures of %s would take %d bytes alone, want %d", drawn.Seed, k, got, want)
			}
		}
	}
	if edges < 5000 || cells < 20 {
		t.Errorf("%d edges and %d cells were compared", edges, cells)
	}
}

func sameCells(a, b Cells) bool {
	for i, x := range a.ways {
		y := b.ways[i]
		if !slices.Equal(x.at, y.at) || !slices.Equal(x.reach, y.reach) || !slices.Equal(x.needs, y.needs) || !slices.Equal(x.joined, y.joined) {
			return false
		}
	}
	return slices.Equal(a.roots, b.roots)
}

// TestVerifyMeasures finds a number of a wide measure that is not there.
func TestVerifyMeasures(t *testing.T) {
	g := drawn(t)
	topology := Contracted(g)
	all := map[costing.Costing]*Measures{}
	for k, m := range usual(t.Context(), topology, g) {
		all[k] = topology.Measure(profile.New(g, costing.Default(k)), m)
	}
	if err := topology.VerifyMeasures(all); err != nil {
		t.Fatal(err)
	}
	bus := &all[costing.Bus].own
	sound := bus.words[1]
	bus.words[1] = wideBit + uint32(len(bus.wide))
	if err := topology.VerifyMeasures(all); err == nil || !strings.Contains(err.Error(), "section metrics: bus.own[1]") {
		t.Error(err)
	}
	bus.wide = append(bus.wide, wideOf(1<<47)) // without a second half
	if err := topology.VerifyMeasures(all); err == nil || !strings.Contains(err.Error(), "section metrics: bus.own[1]") {
		t.Error(err)
	}
	bus.words[1] = sound
	bus.pages[0]++
	if err := topology.VerifyMeasures(all); err == nil || !strings.Contains(err.Error(), "section metrics: bus.own[0]") {
		t.Error(err)
	}
	bus.pages[0]--
	all[costing.Truck].cells.roots = []Rank{1}
	if err := topology.VerifyMeasures(all); err == nil || !strings.Contains(err.Error(), "section metrics: truck: ") {
		t.Error(err)
	}
}

// FuzzMeasures damages the measures of a hierarchy: reading them gives an error, or
// verifying them says what is wrong, or each of them can be read.
func FuzzMeasures(f *testing.F) {
	g := drawn(f)
	topology := Contracted(g)
	whole := regiontest.Written(f, func(path string) error { return topology.WriteDefaults(f.Context(), g, path) })
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 3000)
	f.Fuzz(func(_ *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(MetricsSection, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		metrics, err := topology.ReadMetrics(s)
		if err != nil {
			return
		}
		all, err := topology.readMeasures(s, metrics)
		if err != nil || topology.VerifyMeasures(all) != nil {
			return
		}
		for _, k := range costing.All {
			for _, m := range all[k].lists() {
				for i := range uint32(len(m.words)) {
					m.at(i)
				}
			}
		}
	})
}
