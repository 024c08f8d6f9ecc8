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

// TestMeasuresFit packs measures of all sizes, in one go, and taken in pieces.
func TestMeasuresFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		want := []search.Measure{{}, {Millis: math.MaxUint32, Decimetres: math.MaxUint32}, {Millis: 1}, {Decimetres: 1}}[:min(n, 4)]
		for most := r.IntN(33); len(want) < n; {
			if len(want)%inMeasures == 0 {
				most = r.IntN(33)
			}
			want = append(want, search.Measure{Millis: r.Uint32() >> most, Decimetres: r.Uint32() >> r.IntN(33)})
		}
		whole, pieces, all := packing{all: n}, packing{}, measures{}
		for i, x := range want {
			whole.add(x)
			if r.IntN(50) == 0 {
				all.join(pieces.take())
			}
			pieces.add(x)
			if j := uint32(r.IntN(i + 1)); whole.at(j) != want[j] {
				t.Fatalf("of %d measures number %d, %v, is %v", i+1, j, want[j], whole.at(j))
			}
		}
		all.join(pieces.end())
		one := whole.end()
		if !slices.Equal(one.packed, all.packed) || !slices.Equal(one.blocks, all.blocks) {
			t.Fatalf("%d measures packed in pieces are not those in one", n)
		}
		if err := one.verify(""); err != nil || len(one.blocks) != blocksOfMeasures(n) {
			t.Fatalf("%d measures have %d blocks: %v", n, len(one.blocks), err)
		}
		for i, x := range want {
			if got := one.at(uint32(i)); got != x {
				t.Fatalf("of %d measures number %d, %v, is %v", n, i, x, got)
			}
		}
		var on packing
		on.goOn(one, n)
		begun := on.take()
		begun.join(on.end())
		if !slices.Equal(one.packed, begun.packed) || !slices.Equal(one.blocks, begun.blocks) {
			t.Fatalf("%d measures are others once they begin a list", n)
		}
	}
}

func (m *measures) join(more measures) {
	m.blocks, m.packed = append(slices.Clip(m.blocks), more.blocks...), append(slices.Clip(m.packed), more.packed...)
}

// TestMeasuresOfRegion compares those of a section with those worked out.
func TestMeasuresOfRegion(t *testing.T) {
	edges, cells := 0, 0
	for drawn := range searchtest.Draw(30, 12, searchtest.Varied) {
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
				want := regionMetric{m, worked}.directions()
				for i, got := range (regionMetric{metrics[k], measures[k]}).directions() {
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

// TestVerifyMeasures finds measures that are not there.
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
	sound := bus.blocks[0]
	first, millis, whole := sound.open()
	for what, b := range map[string]measureBlock{
		"earlier":  newMeasureBlock(first-1, int(millis), int(whole)),
		"later":    newMeasureBlock(first+1, int(millis), int(whole)),
		"longer":   newMeasureBlock(first, 33, 33),
		"beyond":   newMeasureBlock(first, 32, 64),
		"mixed up": newMeasureBlock(first, int(whole), int(millis)),
	} {
		if bus.blocks[0] = b; what == "beyond" {
			bus.packed = bus.packed[:(first+1)*inWord]
		}
		if err := topology.VerifyMeasures(all); err == nil || !strings.Contains(err.Error(), "section metrics: bus.own.blocks[0]") {
			t.Error(what, err)
		}
		bus.packed = bus.packed[:cap(bus.packed)]
	}
	bus.blocks[0] = sound
	block := bus.pages[0]
	bus.pages[0] = uint32(len(bus.blocks))
	if err := topology.VerifyMeasures(all); err == nil || !strings.Contains(err.Error(), "section metrics: bus.own[0]") {
		t.Error(err)
	}
	bus.pages[0] = block
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
				for i := range uint32(len(m.blocks) * inMeasures) {
					m.at(i)
				}
			}
		}
	})
}
