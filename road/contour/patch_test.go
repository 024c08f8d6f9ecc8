package contour

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/waygate/waygate/geo"
)

// TestPatchesDrawAlike compares outlines of patches with those of their roads, on grids
// of three sizes: they are the same, and the roads are inside.
func TestPatchesDrawAlike(t *testing.T) {
	d := NewDrawer(NewPlane(47.05))
	levels := []Level{{Limit: 600, Slope: 0.1}}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		var roads []Line
		for range 1 + r.IntN(60) {
			at := geo.Point{Lon: -0.01 + 0.02*r.Float64(), Lat: 47 + 0.01*r.Float64()}
			line := Line{at.Fix()}
			for range 1 + r.IntN(8) {
				at = geo.Destination(at, 360*r.Float64(), 300*r.Float64())
				line = append(line, at.Fix())
			}
			roads = append(roads, line)
		}
		if seed%3 > 0 { // a coarser grid
			roads = append(roads, Line{{Lon: -100_000, Lat: 470_000_000}, {Lon: 100_000, Lat: 470_000_000 + 1_860_000*int32(seed%3)}})
		}
		draw := func(what *Reached) []Polygon {
			all, err := d.Draw(t.Context(), what, levels, Options{Tolerance: -1})
			if err != nil {
				t.Fatal(err)
			}
			valid(t, seed, all[0])
			return all[0]
		}
		var parts []Part
		var rest, drawn []Line
		for i := 0; i < len(roads); i += 7 {
			some := roads[i:min(i+7, len(roads))]
			var all []Road
			chosen := r.Uint64() | 1
			for k, l := range some {
				all = append(all, Road{l, 1 << k})
				if chosen>>k&1 != 0 {
					drawn = append(drawn, l)
				}
			}
			if p := d.Patch(all); p != nil {
				parts = append(parts, Part{p, chosen})
				continue
			}
			for k, l := range some {
				if chosen>>k&1 != 0 {
					rest = append(rest, l)
				}
			}
		}
		if seed%3 > 0 { // whose extent decides on the grid
			rest, drawn = append(rest, roads[len(roads)-1]), append(drawn, roads[len(roads)-1])
		}
		roads = drawn
		got, want := draw(&Reached{Whole: [][]Line{rest}, Parts: [][]Part{parts}}), draw(&Reached{Whole: [][]Line{roads}})
		if !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: patches have another outline than their roads", seed)
		}
		for _, line := range roads {
			for _, f := range line {
				if !contains(got, f.Point()) {
					t.Errorf("seed %d: %v is outside", seed, f.Point())
				}
			}
		}
	}
}

// TestCoarserPatch compares the cells of each road on coarser grids with those of the
// finest, of which four are one; no road has a word twice.
func TestCoarserPatch(t *testing.T) {
	type cell struct {
		x, y  int32
		roads uint64
	}
	cells := func(p *Patch) (all map[cell]bool) {
		all = map[cell]bool{}
		for _, w := range p.words {
			for x := range int32(64) {
				if w.on>>x&1 != 0 {
					all[cell{w.x*64 + x, w.y, w.roads}] = true
				}
			}
		}
		return all
	}
	d := NewDrawer(NewPlane(47.05))
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		var roads []Road
		for k := range 20 {
			at := geo.Point{Lon: 0.05*r.Float64() - 0.025, Lat: 47 + 0.02*r.Float64()}
			line := Line{at.Fix()}
			for range 1 + r.IntN(8) {
				at = geo.Destination(at, 360*r.Float64(), 600*r.Float64())
				line = append(line, at.Fix())
			}
			roads = append(roads, Road{line, 1 << k})
		}
		for p, step := d.Patch(roads), 0; step < 3; step++ {
			q := p.coarser()
			want, words := map[cell]bool{}, map[cell]bool{}
			for c := range cells(p) {
				want[cell{c.x >> 1, c.y >> 1, c.roads}] = true
			}
			for _, w := range q.words {
				words[cell{w.x, w.y, w.roads}] = true
			}
			if got := cells(q); len(got) == 0 || !maps.Equal(got, want) || len(words) != len(q.words) {
				t.Errorf("seed %d, step %d: %d cells in %d words, want %d in %d", seed, step, len(got), len(q.words), len(want), len(words))
			}
			p = q
		}
	}
}

// TestJoinedCells draws parts of a patch again and again, of more roads and of fewer:
// their cells are those of a patch that nobody asked before, on grids of three sizes.
func TestJoinedCells(t *testing.T) {
	d := NewDrawer(NewPlane(47.05))
	joined := 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 6))
		var roads []Road
		for k := range 20 {
			at := geo.Point{Lon: 0.05*r.Float64() - 0.025, Lat: 47 + 0.02*r.Float64()}
			roads = append(roads, Road{Line{at.Fix(), geo.Destination(at, 360*r.Float64(), 900*r.Float64()).Fix()}, 1 << k})
		}
		asked := d.Patch(roads)
		g := grid{plane: d.plane, shift: fraction + uint(seed%3)}
		g.lay(asked.box, 2, 2)
		cells := func(p *Patch, of uint64) bitmap {
			on := make(bitmap, g.stride*g.h)
			g.put(on, Part{p, of})
			return on
		}
		some := [...]uint64{r.Uint64() & r.Uint64(), r.Uint64(), ^uint64(0), r.Uint64()}
		some[1] |= some[0]
		for range 40 {
			of := some[r.IntN(len(some))]
			for range 1 + r.IntN(3) {
				if got, want := cells(asked, of), cells(d.Patch(roads), of); !slices.Equal(got, want) {
					t.Fatalf("seed %d: the roads %x of a patch have other cells once they were asked for", seed, of)
				}
			}
		}
		for p := asked; p != nil; p = p.next.Load() {
			if p.joined.Load() != nil {
				joined++
			}
		}
	}
	if joined != 30 {
		t.Errorf("%d patches have joined cells, want 30", joined)
	}
}

// TestNoPatch checks that a block too large for a patch has none, and that roads without
// cells have none.
func TestNoPatch(t *testing.T) {
	d := NewDrawer(NewPlane(50))
	if p := d.Patch([]Road{{Line{{Lon: 0, Lat: 0}, {Lon: 50_000_000, Lat: 50_000_000}}, 1}}); p != nil {
		t.Errorf("a ferry across five degrees has a patch of %d bytes", p.Bytes())
	}
	if p := d.Patch(nil); p == nil || len(p.words) > 0 {
		t.Errorf("nothing has the patch %v", p)
	}
}

// TestPatchesAtOnce draws one patch on a coarser grid by several drawers at once.
func TestPatchesAtOnce(t *testing.T) {
	far := Line{{Lon: 0, Lat: 470_000_000}, {Lon: 0, Lat: 473_000_000}}
	patch := NewDrawer(NewPlane(47)).Patch([]Road{{Line{{Lon: 0, Lat: 471_000_000}, {Lon: 30_000, Lat: 471_010_000}}, 1}})
	var drawn [4][][]Polygon
	var all sync.WaitGroup
	for i := range drawn {
		all.Go(func() {
			var err error
			r := &Reached{Whole: [][]Line{{far}}, Parts: [][]Part{{{patch, 1}}}}
			if drawn[i], err = NewDrawer(NewPlane(47)).Draw(t.Context(), r, []Level{{Limit: 1}}, Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, d := range drawn[1:] {
		if len(d[0]) != 1 || !reflect.DeepEqual(d, drawn[0]) {
			t.Errorf("one drew %v, another %v", drawn[0], d)
		}
	}
}
