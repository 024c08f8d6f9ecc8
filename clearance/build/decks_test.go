package build_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/build"
	"github.com/waygate/waygate/clearance/scannertest"
	"github.com/waygate/waygate/feature/coordinates"
)

// crossing is a road and another that passes above it on a bridge, 5.3 m higher. Above both is a
// thing that is lower than the other road's.
type crossing struct {
	low, high *scannertest.Placed
	bridge    float64 // half the length of the bridge on the map
}

const (
	deckUnder = 4.5 // metres above the low road
	deckTop   = 5.3
	gantry    = 4.0 // metres above the deck
)

func newCrossing(slope float64) *crossing {
	block := func(s0, s1, bottom, top float64) scannertest.Object {
		return &scannertest.Block{S0: s0, S1: s1, T0: -9, T1: 9, Bottom: [3]float64{bottom}, Top: [3]float64{top}, What: scannertest.Solid, Pass: -1}
	}
	mast := &scannertest.Block{S0: 5, S1: 5.2, T0: 4.4, T1: 4.6, Bottom: [3]float64{-1}, Top: [3]float64{8}, What: scannertest.Solid, Pass: -1}
	c := &crossing{bridge: 9}
	c.low = &scannertest.Placed{Scene: &scannertest.Scene{Length: 44, Half: 3.5, Lanes: 2, Objects: []scannertest.Object{block(18, 26, deckUnder, deckTop)}}, X: 500010, Y: 5700040}
	c.high = &scannertest.Placed{Scene: &scannertest.Scene{Length: 44, Half: 3.5, Lanes: 2, Grade: slope, Objects: []scannertest.Object{block(20, 20.5, gantry+20*slope, gantry+20*slope+0.6), mast}}, X: 500032, Y: 5700018, Turn: math.Pi / 2, Z: deckTop - 22*slope}
	return c
}

func (c *crossing) roads(*coordinates.Plane, build.Box) (all []build.Road, _ error) {
	add := func(p *scannertest.Placed, from, to float64, bridge bool) {
		r := build.Road{Half: p.Half, Lanes: p.Lanes, Bridge: bridge}
		r.AX, r.AY = p.World(from, 0)
		r.BX, r.BY = p.World(to, 0)
		all = append(all, r)
	}
	middle := c.high.Length / 2
	add(c.low, 0, c.low.Length, false)
	add(c.high, 0, middle-c.bridge, false)
	add(c.high, middle-c.bridge, middle+c.bridge, true)
	add(c.high, middle+c.bridge, c.high.Length, false)
	return all, nil
}

// build makes an artefact of some of the scenes.
func (c *crossing) build(t *testing.T, scenes ...*scannertest.Placed) *artefact.File {
	t.Helper()
	file, err := scannertest.LAS(rand.New(rand.NewPCG(1, 1)), scannertest.WKT(32630, 5701), scanner(), scenes...)
	assert.NilError(t, err)
	a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", file)}, Roads: c.roads}, options(t))
	return a
}

// onLevel is the cell of a place on a level.
func onLevel(t *testing.T, a *artefact.File, level int, p *scannertest.Placed, s, v float64) (artefact.Cell, bool) {
	t.Helper()
	x, y := p.World(s, v)
	c, ok, err := a.Reader().At(level, x, y)
	assert.NilError(t, err)
	return c, ok
}

// TestRoadOnABridge measures both roads of a crossing where both were driven along.
func TestRoadOnABridge(t *testing.T) {
	for _, slope := range []float64{0, 0.04} {
		c := newCrossing(slope)
		a := c.build(t, c.low, c.high)
		free, over := 0, 0
		for s := 14.0; s < 30; s += 0.25 {
			for v := -3.0; v < 3; v += 0.25 {
				cell, ok := onLevel(t, a, 1, c.high, s, v)
				if !ok {
					continue
				}
				if z := c.high.Z + c.high.Height(s, v); math.Abs(cell.Surface-z) > 0.05 {
					t.Fatalf("slope %v, %v, %v: the deck is at %v, not %v", slope, s, v, cell.Surface, z)
				}
				under := s > 19.7 && s < 20.8
				switch cell.State() {
				case artefact.Free:
					free++
					assert.Assert(t, !under, "%v, %v: %+v", s, v, cell)
				case artefact.Measured:
					over++
					assert.Assert(t, cell.Safe() < gantry, "%v, %v: %+v", s, v, cell)
				}
			}
		}
		t.Logf("slope %v: on the bridge %d cells are free, %d are under the gantry", slope, free, over)
		assert.Assert(t, free > 600 && over > 60, "%d, %d", free, over)
		for s := 19.0; s < 25; s += 0.25 {
			cell, ok := onLevel(t, a, 0, c.low, s, -1.8)
			assert.Assert(t, ok && cell.State() == artefact.Measured && cell.Safe() < deckUnder && cell.Safe() > deckUnder-0.2, "%v: %+v", s, cell)
		}
	}
}

// TestDeckIsNotTheRoadBelow has the surveys see too little to tell the deck from the road beneath.
func TestDeckIsNotTheRoadBelow(t *testing.T) {
	none := func(name string, a *artefact.File, c *crossing) {
		for s := 23 - c.bridge; s < 21+c.bridge; s += 0.5 {
			for v := -3.0; v < 3; v += 0.5 {
				if cell, ok := onLevel(t, a, 1, c.high, s, v); ok && (cell.State() == artefact.Free || cell.State() == artefact.Measured) {
					z := c.high.Z + c.high.Height(s, v)
					assert.Assert(t, math.Abs(cell.Surface-z) < 0.05, "%s: %v, %v: a surface at %v, not %v", name, s, v, cell.Surface, z)
				}
			}
		}
	}
	c := newCrossing(0)
	none("only the road below", c.build(t, c.low), c)
	// The map has the bridge too short: the road that leads to it is the one below.
	c.bridge = 2
	none("a short bridge, only the road below", c.build(t, c.low), c)
	none("a short bridge", c.build(t, c.low, c.high), c)
	// The map has a bridge where both roads are beside each other at one height.
	flat := newCrossing(0)
	flat.low.Objects, flat.high.Z = nil, 0
	none("no bridge", flat.build(t, flat.low, flat.high), flat)
}
