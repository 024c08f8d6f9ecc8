package measure_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/measure"
	"github.com/waygate/waygate/clearance/scan"
)

// good returns a scanner that sees wires of 5 cm.
func good(passes int) *scan.Scanner {
	return &scan.Scanner{Passes: passes, Planes: []float64{math.Pi / 4, -math.Pi / 4}, Line: 0.08, Angle: 0.008, Up: 2.2, Noise: 0.004, LeastObject: 0.05, Beam: 0.006, Aside: 2.2}
}

// level returns a road of 16 m with objects above it.
func level(objects ...scan.Object) *scan.Scene {
	return &scan.Scene{Length: 16, Half: 3.65, Lanes: 2, Objects: objects}
}

// measured scans a scene with a scanner.
func measured(t *testing.T, s *scan.Scene, c *scan.Scanner) *result {
	t.Helper()
	return run(t, rand.New(rand.NewPCG(8, 8)), s, c)
}

// census counts the cells of the carriageway from s to s by state and kind.
func (r *result) census(from, to float64) (states map[artefact.State]int, kinds map[artefact.Kind]int, all int) {
	states, kinds = map[artefact.State]int{}, map[artefact.Kind]int{}
	for s := from; s < to; s += r.o.Cell {
		for t := 0.1 - r.scene.Half; t < r.scene.Half; t += r.o.Cell {
			c, _ := r.at(s, t)
			states[c.State()]++
			kinds[c.Kind]++
			all++
		}
	}
	return states, kinds, all
}

func plane(z float64) [3]float64 { return [3]float64{z} }

// lorry is 4 m high, from 5 to 11 m on the lane to the right, in one pass.
func lorry(pass int) []scan.Object {
	all := []scan.Object{&scan.Block{S0: 5, S1: 11, T0: -3.1, T1: -0.6, Bottom: plane(0.9), Top: plane(4), What: scan.Vehicle, Pass: pass}}
	for _, s := range []float64{5.5, 9} {
		all = append(all, &scan.Block{S0: s, S1: s + 1, T0: -3, T1: -0.7, Bottom: plane(-1), Top: plane(0.9), What: scan.Vehicle, Pass: pass})
	}
	return all
}

// TestLorryIsNoBridge scans a lorry in the lane, in one pass and with another that sees the
// lane free. The scanner drives on the lane to the left first.
func TestLorryIsNoBridge(t *testing.T) {
	one := measured(t, level(lorry(0)...), good(1))
	for s := 5.2; s < 10.9; s += 0.25 {
		for v := -3.0; v < -0.7; v += 0.25 {
			c, _ := one.at(s, v)
			assert.Assert(t, c.State() == artefact.NotSurveyed || c.State() == artefact.Insufficient, "%v, %v: %+v", s, v, c)
		}
	}
	both := measured(t, level(lorry(0)...), good(2))
	states, kinds, all := both.census(4, 12)
	assert.Equal(t, kinds[artefact.Structure]+kinds[artefact.Wire], 0)
	assert.Assert(t, states[artefact.Free] > all*8/10, "%v of %d", states, all)
	for s := 4.0; s < 12; s += 0.25 {
		if c, _ := both.at(s, -1.8); c.Flags&artefact.Surveyed != 0 {
			assert.Assert(t, math.Abs(c.Surface) < 0.02, "%v: %+v", s, c)
		}
	}
}

// TestRoadIsTilted measures at right angles to a road with slope and crossfall, and on a sag.
func TestRoadIsTilted(t *testing.T) {
	for _, s := range []*scan.Scene{
		{Length: 16, Half: 3.65, Lanes: 2, Grade: 0.1, Cross: -0.07},
		{Length: 16, Half: 3.65, Lanes: 2, Grade: -0.05, Curve: 1. / 150, Cross: 0.03},
	} {
		s.Objects = []scan.Object{&scan.Block{S0: 5, S1: 11, T0: -12, T1: 12, Bottom: plane(4.6), Top: plane(5.5), What: scan.Solid, Pass: -1}}
		r := measured(t, s, good(2))
		n := 0
		for at := 6.5; at < 9.5; at += 0.25 {
			for v := -3.0; v < 3; v += 0.25 {
				c, truth := r.at(at, v)
				if c.State() != artefact.Measured {
					continue
				}
				n++
				assert.Assert(t, c.Headroom < truth+0.01 && c.Headroom > truth-0.07 && c.Safe() < truth, "%v, %v: %v for %v", at, v, c.Headroom, truth)
				assert.Assert(t, math.Abs(c.Surface-s.Height(at, v)) < 0.04)
			}
		}
		assert.Assert(t, n > 200, "%d cells", n)
	}
}

// TestWireIsNotLost wants no cell below a wire to be free.
func TestWireIsNotLost(t *testing.T) {
	wire := &scan.Cable{A: scan.Vec{6, -10, 5.3}, B: scan.Vec{9, 10, 5.3}, Sag: 0.5, Diameter: 0.05, Beam: 0.006}
	c := good(2)
	c.WireDrop = 0.3
	r := measured(t, level(scan.Prepared(wire)), c)
	below, wires := 0, 0
	for i := range r.cells {
		if math.IsInf(r.truth[i], 1) || r.part.Lane[i] < 1 {
			continue
		}
		below++
		assert.Assert(t, r.cells[i].State() != artefact.Free, "%+v", r.cells[i])
		if r.cells[i].Kind == artefact.Wire {
			wires++
			assert.Assert(t, r.cells[i].Safe() <= r.truth[i] && r.cells[i].Headroom > r.truth[i]-0.1, "%+v, truth %v", r.cells[i], r.truth[i])
		}
	}
	t.Log(below, wires)
	assert.Assert(t, below > 20 && wires > below/2, "%d of %d", wires, below)
}

// TestLinesHideWires scans straight across the road, so that a wire across fits between two
// lines: nothing is dense, however many returns there are.
func TestLinesHideWires(t *testing.T) {
	c := good(2)
	c.Planes, c.Angle = []float64{math.Pi / 2}, 0.002
	r := measured(t, level(), c)
	states, _, all := r.census(4, 12)
	assert.Equal(t, states[artefact.Insufficient], all, "%v", states)
	crossed := measured(t, level(), good(2))
	states, _, all = crossed.census(4, 12)
	assert.Assert(t, states[artefact.Free] > all*8/10, "%v of %d", states, all)
}

// TestNoiseAndBirds has returns in the air and a bird. Neither becomes a bridge; the bird is
// unexplained, unless another pass sees the sky.
func TestNoiseAndBirds(t *testing.T) {
	c := good(1)
	c.Outliers = 2e-5
	bird := &scan.Ball{At: scan.Vec{8, 1.8, 3.5}, Radius: 0.15, What: scan.Bird, Pass: 0}
	one := measured(t, level(bird), c)
	_, kinds, _ := one.census(3, 13)
	assert.Equal(t, kinds[artefact.Structure]+kinds[artefact.Wire], 0, "%v", kinds)
	assert.Assert(t, kinds[artefact.Unexplained] > 0)
	c.Passes = 2
	both := measured(t, level(bird), c)
	_, kinds, _ = both.census(3, 13)
	assert.Equal(t, kinds[artefact.Nothing], len2(both.census(3, 13)), "%v", kinds)
	c.Outliers = 2e-4
	noisy := measured(t, level(), c)
	_, kinds, all := noisy.census(3, 13)
	assert.Assert(t, kinds[artefact.Structure] == 0 && kinds[artefact.Nothing] > all*9/10, "%v", kinds)
	_, counts, err := measure.Measure(context.Background(), &noisy.o, noisy.part)
	assert.NilError(t, err)
	assert.Assert(t, counts.Isolated > 0)
}

func len2(_ map[artefact.State]int, _ map[artefact.Kind]int, all int) int { return all }

// TestFoliage is known by classes and by pulses with several returns.
func TestFoliage(t *testing.T) {
	for name, class := range map[string]uint8{"returns": 1, "class": 5} {
		p := grid(func(add func(x, y, z float64) *measure.Point) {
			r := rand.New(rand.NewPCG(1, 1))
			for range 3000 {
				q := add(4+2*r.Float64(), 4+2*r.Float64(), 3.5+r.Float64())
				q.Class = class
				if class == 1 {
					q.Bits |= measure.Multi
				}
			}
		})
		c := middle(t, p)
		assert.Equal(t, c.Kind, artefact.Foliage, name)
		assert.Equal(t, c.State(), artefact.Measured)
		assert.Assert(t, c.Headroom >= 3.5 && c.Headroom < 3.6)
	}
}

// TestUndersideSeenFromAbove believes an underside only if enough returns are from below.
func TestUndersideSeenFromAbove(t *testing.T) {
	for want, bits := range map[artefact.Kind]uint8{artefact.Structure: measure.Below, artefact.Deck: 0} {
		p := grid(func(add func(x, y, z float64) *measure.Point) {
			for x := 2.0; x < 8; x += 0.03 {
				for y := 2.0; y < 8; y += 0.03 {
					add(x, y, 4.5).Bits = bits
				}
			}
		})
		c := middle(t, p)
		assert.Equal(t, c.Kind, want)
	}
}

// TestGapFollowsDensity has an underside with fewer and fewer returns: the bound grows as
// 1 over the root of the density, and there is none when cells around do not cover it.
func TestGapFollowsDensity(t *testing.T) {
	last := 0.0
	for _, c := range []struct{ spacing, want float64 }{{0.02, 0.0021}, {0.04, 0.0042}, {0.1, 0.0105}, {0.2, math.Inf(1)}} {
		p := grid(func(add func(x, y, z float64) *measure.Point) {
			for x := 2.0; x < 8; x += c.spacing {
				for y := 2.0; y < 8; y += c.spacing {
					add(x, y, 4.5).Bits = measure.Below
				}
			}
		})
		got := middle(t, p)
		assert.Assert(t, got.Gap > last, "%v: %v", c.spacing, got.Gap)
		if !math.IsInf(c.want, 1) {
			assert.Assert(t, math.Abs(got.Gap-c.want) < 0.1*c.want, "%v: %v, not %v", c.spacing, got.Gap, c.want)
		} else {
			assert.Equal(t, got.Gap, c.want)
		}
		last = got.Gap
	}
}

// TestEdgeOfADeck has a deck of which the neighbourhood of a cell has the outermost returns alone:
// those of the deck beside them bound what may be there.
func TestEdgeOfADeck(t *testing.T) {
	got := middle(t, grid(func(add func(x, y, z float64) *measure.Point) {
		for x := 5.495; x < 8; x += 0.04 {
			for y := 2.01; y < 8; y += 0.04 {
				add(x, y, 4.5).Bits = measure.Below
			}
		}
	}))
	assert.Assert(t, got.OverheadReturns < 20 && got.Gap > 0.006 && got.Gap < 0.008, "%+v", got)
}

// grid returns a part of 10 by 10 m with a dense road at 0 and what a function adds.
func grid(draw func(add func(x, y, z float64) *measure.Point)) *measure.Part {
	const n = 40
	p := &measure.Part{W: n, H: n, Lane: make([]int16, n*n), Base: 100}
	for i := range p.Lane {
		p.Lane[i] = 1
	}
	add := func(x, y, z float64) *measure.Point {
		p.Points = append(p.Points, measure.Point{X: float32(x), Y: float32(y), Z: float32(z), Bits: measure.Below, Class: 1})
		return &p.Points[len(p.Points)-1]
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range 120_000 {
		add(10*r.Float64(), 10*r.Float64(), 0.003*r.NormFloat64())
	}
	draw(add)
	return p
}

// middle measures a part and returns the cell in its middle.
func middle(t *testing.T, p *measure.Part) *artefact.Cell {
	t.Helper()
	o := measure.Defaults()
	o.LeastObject = 0.02
	cells, _, err := measure.Measure(context.Background(), &o, p)
	assert.NilError(t, err)
	c := &cells[20*p.W+20]
	assert.Assert(t, math.Abs(c.Surface-100) < 0.01 && c.Flags&artefact.Dense != 0, "%+v", c)
	return c
}

// TestSparseWire has returns of a wire that are 1.1 m apart: between them, and a little
// beyond, nothing is free, whatever their class. A single return is noise.
func TestSparseWire(t *testing.T) {
	for _, class := range []uint8{1, 5, 14} {
		p := grid(func(add func(x, y, z float64) *measure.Point) {
			for x := 2.3; x < 8; x += 1.1 {
				add(x, 5.1, 4.5+0.05*x).Class = class
			}
			add(5.1, 8.1, 3)
		})
		o := measure.Defaults()
		o.LeastObject = 0.02
		cells, counts, err := measure.Measure(context.Background(), &o, p)
		assert.NilError(t, err)
		for x := 1.2; x < 8.8; x += 0.25 {
			c := &cells[20*p.W+int(x/0.25)]
			assert.Assert(t, c.State() == artefact.Insufficient || c.State() == artefact.Measured && c.Safe() < 4.5+0.05*x, "class %d, %v: %+v", class, x, c)
		}
		assert.Equal(t, counts.Isolated, int64(1))
		assert.Equal(t, cells[32*p.W+20].State(), artefact.Free)
	}
}

func TestMeasureStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := measure.Defaults()
	_, _, err := measure.Measure(ctx, &o, grid(func(func(x, y, z float64) *measure.Point) {}))
	assert.ErrorIs(t, err, context.Canceled)
}

// TestEmptyParts have no points, or none near a road, or one.
func TestEmptyParts(t *testing.T) {
	o := measure.Defaults()
	for _, p := range []*measure.Part{
		{W: 3, H: 5, Lane: make([]int16, 15)},
		{W: 4, H: 4, Lane: make([]int16, 16), Points: []measure.Point{{X: -5, Y: 90}, {X: 0.1, Y: 0.1, Z: 4}}},
		{},
	} {
		cells, _, err := measure.Measure(context.Background(), &o, p)
		assert.NilError(t, err)
		for i := range cells {
			assert.Equal(t, cells[i].State(), artefact.NotSurveyed)
		}
	}
}

// TestEpochsOfOtherHeights has a deck that is seen by one pass alone, and a road by the other,
// whose heights differ as those of other vertical data do. A headroom is a difference of heights
// of one survey.
func TestEpochsOfOtherHeights(t *testing.T) {
	deck := &scan.Block{S0: 5, S1: 11, T0: -12, T1: 12, Bottom: plane(4.4), Top: plane(5.2), What: scan.Solid, Pass: -1}
	wire := scan.Prepared(&scan.Cable{A: scan.Vec{7, -10, 4.9}, B: scan.Vec{9, 10, 4.9}, Sag: 0.5, Diameter: 0.05, Beam: 0.006})
	for _, one := range []struct {
		object scan.Object
		datum  float64
		blind  int
	}{{deck, 0.05, 2}, {deck, 0.15, 1}, {deck, 0.24, 2}, {deck, 0.5, 2}, {deck, 3, 2}, {deck, -10, 2}, {wire, 0.15, 1}, {wire, 0.5, 1}, {wire, 3, 2}, {wire, -10, 2}} {
		c := good(2)
		c.Datum, c.Blind = one.datum, one.blind
		r := measured(t, level(one.object), c)
		var n tally
		if where := r.count(rand.New(rand.NewPCG(1, 1)), &n); where != "" {
			t.Errorf("%T, heights differ by %v, blind %d: %d of %d unsafe: %s", one.object, one.datum, one.blind, n.unsafe, n.stations, where)
		}
	}
}

// TestClassesAreNoProof has undersides that were seen from above alone, whose returns are of the
// classes of wires and of plants, as classifiers have called the decks of bridges.
func TestClassesAreNoProof(t *testing.T) {
	for _, class := range []uint8{1, 3, 4, 5, 13, 14, 16} {
		c := middle(t, grid(func(add func(x, y, z float64) *measure.Point) {
			for x := 2.0; x < 8; x += 0.03 {
				for y := 2.0; y < 8; y += 0.03 {
					q := add(x, y, 5.2) // the top of a deck
					q.Class, q.Bits = class, 0
				}
			}
		}))
		assert.Equal(t, c.State(), artefact.Insufficient, "class %d: %+v", class, c)
	}
}

// TestPassThatLooksDownSeesNoLamp has a small thing in the air that one pass sees, and another that
// cannot look up: it does not show that the thing was a bird.
func TestPassThatLooksDownSeesNoLamp(t *testing.T) {
	c := middle(t, grid(func(add func(x, y, z float64) *measure.Point) {
		for x := 4.9; x < 5.3; x += 0.03 {
			for y := 4.9; y < 5.3; y += 0.03 {
				add(x, y, 4.2)
			}
		}
		r := rand.New(rand.NewPCG(3, 3))
		for range 120_000 {
			q := add(10*r.Float64(), 10*r.Float64(), 0.003*r.NormFloat64())
			q.Pass, q.Bits = 1, q.Bits|measure.Down
		}
	}))
	assert.Equal(t, c.State(), artefact.Insufficient, "%+v", c)
}

// TestNarrowBeamFromAbove has a beam whose top alone was seen, as narrow as a wire may sway: how
// deep it is nobody saw.
func TestNarrowBeamFromAbove(t *testing.T) {
	for _, width := range []float64{0.02, 0.1, 0.2} {
		p := grid(func(add func(x, y, z float64) *measure.Point) {
			for x := 5.13 - width/2; x <= 5.13+width/2; x += 0.02 {
				for y := 1.0; y < 9; y += 0.02 {
					add(x, y, 4.6).Bits = 0
				}
			}
		})
		o := measure.Defaults()
		o.LeastObject = 0.02
		cells, _, err := measure.Measure(context.Background(), &o, p)
		assert.NilError(t, err)
		for y := 5; y < 35; y++ {
			c := &cells[y*p.W+20]
			assert.Equal(t, c.State(), artefact.Insufficient, "%v m wide: %+v", width, c)
		}
	}
}

// TestMirroredInWater has returns below the road of what is above it, also where the survey calls
// what is above the road noise and its image not.
func TestMirroredInWater(t *testing.T) {
	deck := &scan.Block{S0: 4, S1: 12, T0: -12, T1: 12, Bottom: plane(5.4), Top: plane(6.2), What: scan.Solid, Pass: -1}
	sign := &scan.Block{S0: 7, S1: 7.2, T0: -3, T1: -1, Bottom: plane(4.2), Top: plane(5.5), What: scan.Solid, Pass: -1}
	for _, wet := range []float64{0.5, 0.99} {
		for _, doubted := range []float64{0, 1} {
			c := good(2)
			c.Wet, c.Doubted = wet, doubted
			r := measured(t, level(deck, sign), c)
			var n tally
			if where := r.count(rand.New(rand.NewPCG(1, 1)), &n); where != "" {
				t.Errorf("%v of the rays, %v called noise: %d of %d unsafe: %s", wet, doubted, n.unsafe, n.stations, where)
			}
			t.Log(wet, doubted, n.String())
		}
	}
}

// TestNoiseClassIsNoProof has a wire, a lorry and a bridge whose returns the survey calls noise:
// nothing passes below them. Doubted returns below a road are no road.
func TestNoiseClassIsNoProof(t *testing.T) {
	wire := scan.Prepared(&scan.Cable{A: scan.Vec{6, -10, 5.3}, B: scan.Vec{9, 10, 5.3}, Sag: 0.5, Diameter: 0.05, Beam: 0.006})
	deck := &scan.Block{S0: 5, S1: 11, T0: -12, T1: 12, Bottom: plane(4.4), Top: plane(5.2), What: scan.Solid, Pass: -1}
	for _, object := range []scan.Object{wire, deck} {
		for _, share := range []float64{0.1, 0.45, 0.55, 1} {
			c := good(2)
			c.Doubted = share
			r := measured(t, level(object), c)
			for i := range r.cells {
				if c := &r.cells[i]; !math.IsInf(r.truth[i], 1) && r.part.Lane[i] > 0 {
					assert.Assert(t, c.State() != artefact.Free && (c.State() != artefact.Measured || c.Safe() <= r.truth[i]), "%T, %v: %+v, truth %v", object, share, c, r.truth[i])
				}
			}
			kinds := map[artefact.Kind]int{}
			for s := 6.0; s < 10; s += 0.25 {
				for v := -3.0; v < 3; v += 0.25 {
					c, _ := r.at(s, v)
					kinds[c.Kind]++
				}
			}
			assert.Assert(t, share < 0.5 || kinds[artefact.Unexplained] > 0 && kinds[artefact.Structure]+kinds[artefact.Wire] < kinds[artefact.Unexplained], "%T, %v: %v", object, share, kinds)
		}
	}
	c := middle(t, grid(func(add func(x, y, z float64) *measure.Point) {
		r := rand.New(rand.NewPCG(4, 4))
		for range 60_000 {
			q := add(10*r.Float64(), 10*r.Float64(), -0.4)
			q.Class, q.Bits = 7, q.Bits|measure.Doubted
		}
	}))
	assert.Equal(t, c.State(), artefact.Free)
}

// TestMirroredVault has a wet road in a tunnel, with a lamp that hangs a little below its vault: the
// vault's image is no road, over which the road would be the underside of something.
func TestMirroredVault(t *testing.T) {
	lamp := &scan.Block{S0: 7, S1: 9, T0: -2, T1: -1.4, Bottom: plane(4.5), Top: plane(6), What: scan.Solid, Pass: -1}
	flat := []scan.Object{&scan.Block{S0: 3, S1: 13, T0: -5, T1: 5, Bottom: plane(4.7), Top: plane(6), What: scan.Solid, Pass: -1}, lamp}
	vault := []scan.Object{&scan.Arch{S0: 3, S1: 13, Crown: 4.9, Flat: 0.03, Half: 4.2}, lamp}
	for _, objects := range [][]scan.Object{flat, vault} {
		for _, side := range []float64{-1, 1} {
			objects = append(objects, &scan.Block{S0: 3, S1: 13, T0: min(side*4.2, side*5), T1: max(side*4.2, side*5), Bottom: plane(-9), Top: plane(6), What: scan.Solid, Pass: -1})
		}
		for _, wet := range []float64{0.3, 0.8} {
			for _, blind := range []int{0, 2} {
				c, s := good(2), level(objects...)
				s.Grade, s.Cross = 0.06, -0.04
				for _, o := range s.Objects { // as the road
					if b, ok := o.(*scan.Block); ok && b.Bottom[0] > 0 {
						one := *b
						one.Bottom[1], one.Bottom[2], one.Top[1] = 0.06, -0.04, 0.06
						*b = one
					}
				}
				c.Wet, c.Blind = wet, blind
				r := measured(t, s, c)
				var n tally
				if where := r.count(rand.New(rand.NewPCG(1, 1)), &n); where != "" {
					t.Errorf("%v of the rays, blind %d: %d of %d unsafe: %s", wet, blind, n.unsafe, n.stations, where)
				}
			}
		}
	}
}

// TestRoadSeenBelowALorry has a lorry beside the scanner. Below its bed the scanner sees the road
// beyond, and not the sign above that: on a road of four lanes, on one of two lanes beyond the
// scanner's own, and where a van with less below it was at the lorry's place in another pass.
func TestRoadSeenBelowALorry(t *testing.T) {
	lorry := &scan.Block{S0: 3, S1: 13, T0: -5.5, T1: -3, Bottom: plane(1.1), Top: plane(4), What: scan.Vehicle, Pass: 0}
	van := &scan.Block{S0: 3, S1: 13, T0: -5.5, T1: -3, Bottom: plane(0.15), Top: plane(3), What: scan.Vehicle, Pass: 1}
	sign := &scan.Block{S0: 7, S1: 8, T0: -7.2, T1: -6.2, Bottom: plane(4.5), Top: plane(4.9), What: scan.Solid, Pass: -1}
	inner := &scan.Block{S0: 3, S1: 13, T0: -4.9, T1: -2.4, Bottom: plane(1.1), Top: plane(4), What: scan.Vehicle, Pass: 0}
	outer := &scan.Block{S0: 7, S1: 8, T0: -8.2, T1: -7, Bottom: plane(4.5), Top: plane(4.9), What: scan.Solid, Pass: -1}
	for name, c := range map[string]struct {
		half          float64
		lanes, passes int
		objects       []scan.Object
	}{
		"four lanes": {7.3, 4, 1, []scan.Object{lorry, sign}}, "other carriageway": {8.5, 2, 1, []scan.Object{inner, outer}}, "van": {7.3, 4, 2, []scan.Object{lorry, van, sign}},
	} {
		s, with := level(c.objects...), good(c.passes)
		s.Half, s.Lanes = c.half, c.lanes
		with.Up, with.Line, with.Angle, with.Aside = 1.9, 0.04, 0.002, 1
		r := measured(t, s, with)
		var n tally
		if where := r.count(rand.New(rand.NewPCG(1, 1)), &n); where != "" {
			t.Errorf("%s: %d of %d unsafe: %s", name, n.unsafe, n.stations, where)
		}
	}
}

// TestSeenFromBeyondAMedian has the scanner beyond a median of 9 m. Below the bed of a lorry on the
// other carriageway it sees all of the road there, and not the sign above its edge.
func TestSeenFromBeyondAMedian(t *testing.T) {
	lorry := &scan.Block{S0: 4, S1: 21, T0: -10.7, T1: -8.2, Bottom: plane(1.1), Top: plane(4), What: scan.Vehicle, Pass: 0}
	sign := &scan.Block{S0: 12, S1: 13, T0: -16.4, T1: -14.8, Bottom: plane(4.5), Top: plane(4.9), What: scan.Solid, Pass: -1}
	s, c := level(lorry, sign), good(1)
	s.Length, s.Half, s.Median = 26, 16.4, [2]float64{-8, 1}
	c.Up, c.Line, c.Angle, c.Aside = 1.9, 0.04, 0.0012, 1
	r := run(t, rand.New(rand.NewPCG(13, 8)), s, c) // along the cells
	var n tally
	if where := r.count(rand.New(rand.NewPCG(1, 1)), &n); where != "" {
		t.Errorf("%d of %d unsafe: %s", n.unsafe, n.stations, where)
	}
	if c, _ := r.at(12.5, 4); c.State() != artefact.Free { // the survey is dense where nothing stands
		t.Errorf("%+v", c)
	}
}

// TestLeafAboveALorry has a small thing above the edge of a lorry. Both passes see it, and one of
// them the lorry, which the other does not.
func TestLeafAboveALorry(t *testing.T) {
	objects := lorry(0)
	for i := range 5 {
		objects = append(objects, &scan.Ball{At: scan.Vec{5.5 + 1.2*float64(i), -0.55 - 0.04*float64(i), 4.7}, Radius: 0.08, What: scan.Leaf, Pass: -1})
	}
	r := measured(t, level(objects...), good(2))
	var n tally
	if where := r.count(rand.New(rand.NewPCG(1, 1)), &n); where != "" {
		t.Errorf("%d of %d unsafe: %s", n.unsafe, n.stations, where)
	}
}
