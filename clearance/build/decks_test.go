package build_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/build"
	"github.com/waygate/waygate/clearance/scan"
	"github.com/waygate/waygate/clearance/structures"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/soaktest"
)

// crossing is a road and another that passes above it on a bridge, 5.3 m higher. Above both is a
// thing that is lower than the other road's.
type crossing struct {
	low, high *scan.PlacedScene
	bridge    float64    // half the length of the bridge on the map
	wall      [2]float64 // from and to beside the middle of the high road, on both sides; zero for none
	aside     float64    // by how much the map has the high road to the left of where it is
}

const (
	deckUnder = 4.5 // metres above the low road
	deckTop   = 5.3
	gantry    = 4.0 // metres above the deck
)

func newCrossing(slope float64) *crossing {
	block := func(s0, s1, bottom, top float64) scan.Object {
		return &scan.Block{S0: s0, S1: s1, T0: -9, T1: 9, Bottom: [3]float64{bottom}, Top: [3]float64{top}, What: scan.Solid, Pass: -1}
	}
	mast := &scan.Block{S0: 5, S1: 5.2, T0: 4.4, T1: 4.6, Bottom: [3]float64{-1}, Top: [3]float64{8}, What: scan.Solid, Pass: -1}
	c := &crossing{bridge: 9}
	c.low = &scan.PlacedScene{Scene: &scan.Scene{Length: 44, Half: 3.5, Lanes: 2, Objects: []scan.Object{block(18, 26, deckUnder, deckTop)}}, X: 500010, Y: 5700040}
	c.high = &scan.PlacedScene{Scene: &scan.Scene{Length: 44, Half: 3.5, Lanes: 2, Grade: slope, Objects: []scan.Object{block(20, 20.5, gantry+20*slope, gantry+20*slope+0.6), mast}}, X: 500032, Y: 5700018, Turn: math.Pi / 2, Z: deckTop - 22*slope}
	return c
}

func (c *crossing) roads(*coordinates.Plane, build.Box) (all []build.Road, _ error) {
	add := func(p *scan.PlacedScene, from, to float64, bridge bool) {
		r := build.Road{Half: 3.5, Lanes: p.Lanes, Bridge: bridge}
		aside := 0.0
		if p == c.high {
			aside = c.aside
		}
		r.AX, r.AY = p.World(from, aside)
		r.BX, r.BY = p.World(to, aside)
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
func (c *crossing) build(t *testing.T, scenes ...*scan.PlacedScene) *artefact.File {
	t.Helper()
	file, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), scan.WKT(32630, 5701), scanner(), scenes...)
	assert.NilError(t, err)
	a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", file)}, Roads: c.roads}, options(t))
	return a
}

// onLevel returns the cell of a place on a level.
func onLevel(t *testing.T, a *artefact.File, level int, p *scan.PlacedScene, s, v float64) (artefact.Cell, bool) {
	t.Helper()
	x, y := p.World(s, v)
	c, ok, err := a.Reader().At(level, x, y)
	assert.NilError(t, err)
	return c, ok
}

// TestRoadOnABridge measures both roads of a crossing where both were driven along.
func TestRoadOnABridge(t *testing.T) {
	t.Parallel()
	for _, slope := range soaktest.First(1, []float64{0.04, 0}) {
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
			cell, ok := onLevel(t, a, 0, c.low, s, 1.8)
			assert.Assert(t, ok && cell.State() == artefact.Measured && cell.Safe() < deckUnder && cell.Safe() > deckUnder-0.2, "%v: %+v", s, cell)
			// The gantry is here twice as high as the deck: the low road may be its image in a wet one.
			cell, _ = onLevel(t, a, 0, c.low, s, -1.8)
			assert.Assert(t, cell.State() != artefact.Free && (cell.State() != artefact.Measured || cell.Safe() < deckUnder), "%v: %+v", s, cell)
		}
	}
}

// TestDeckIsNotTheRoadBelow has the surveys see too little to tell the deck from the road beneath.
func TestDeckIsNotTheRoadBelow(t *testing.T) {
	t.Parallel()
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

// TestTableDoesNotMeanTheDeck has a table of structures with the bridge that is above the low road.
func TestTableDoesNotMeanTheDeck(t *testing.T) {
	t.Parallel()
	c := newCrossing(0)
	lorry := &scan.Block{S0: 18, S1: 25, T0: -3.2, T1: -0.7, Bottom: [3]float64{0.9}, Top: [3]float64{3.9}, What: scan.Vehicle, Pass: -1}
	c.high.Objects = append(c.high.Objects, lorry)
	file, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), scan.WKT(32630, 5701), scanner(), c.low, c.high)
	assert.NilError(t, err)
	in := &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", file)}, Roads: c.roads}
	without, _ := make1(t, in, options(t))
	x, y := c.high.World(22, 0)
	lat, lon, err := without.Unproject(x, y)
	assert.NilError(t, err)
	in.Tables = []build.Table{{Name: "s.csv", SHA256: "cd", Rows: []structures.Structure{{Name: "1", Clearance: deckUnder, Lat: lat, Lon: lon, Date: "2025-06-02", Uncertainty: 0.01, Length: 16}}}}
	with, _ := make1(t, in, options(t))
	unknown := 0
	for s := 14.0; s < 30; s += 0.25 {
		for v := -3.0; v < 3; v += 0.25 {
			one, ok := onLevel(t, without, 1, c.high, s, v)
			two, _ := onLevel(t, with, 1, c.high, s, v)
			if ok && one.State() != artefact.Free && one.State() != artefact.Measured {
				unknown++
			}
			if !ok || one.State() != artefact.Free && one.State() != artefact.Measured {
				assert.Assert(t, two.State() == artefact.NotSurveyed || two.State() == artefact.Insufficient, "%v, %v: %+v, %+v", s, v, one, two)
			}
		}
	}
	assert.Assert(t, unknown > 50, "%d", unknown)
}

// drawBridge draws a bridge over a road, or over water, of any height, thickness and slope, with
// what stands on bridges: parapets, kerbs, gantries, trusses with bracing, footbridges, lorries.
func drawBridge(r *rand.Rand) (c *crossing, low bool) {
	between := func(a, b float64) float64 { return a + (b-a)*r.Float64() }
	thick, slope, cross := between(0.2, 1.6), between(-0.08, 0.08)*float64(r.IntN(2)), between(-0.04, 0.04)
	top := thick + between(3, 6)
	half := between(4, 9) // of the span
	c = &crossing{bridge: half + between(-1, 2)}
	const middle, length = 22.0, 44.0
	deck := between(2.6, 6) // half of its width
	if r.IntN(3) == 0 {
		c.aside = between(-2, 2)
	}
	solid := func(s0, s1, t0, t1 float64, bottom, top [3]float64) *scan.Block {
		return &scan.Block{S0: s0, S1: s1, T0: t0, T1: t1, Bottom: bottom, Top: top, What: scan.Solid, Pass: -1}
	}
	along := func(z float64) [3]float64 { return [3]float64{z, slope, cross} }
	c.low = &scan.PlacedScene{Scene: &scan.Scene{Length: length, Half: 3.5, Lanes: 2}, X: 500010, Y: 5700040}
	c.high = &scan.PlacedScene{Scene: &scan.Scene{Length: length, Half: deck, Lanes: 2, Grade: slope, Cross: cross}, X: 500032, Y: 5700018, Turn: math.Pi / 2, Z: top - middle*slope}
	add := func(s0, s1, t0, t1, from, to float64) {
		c.high.Objects = append(c.high.Objects, solid(s0, s1, t0, t1, along(from), along(to)))
		// The low road's s runs against the high road's t, and its t along the high road's s.
		c.low.Objects = append(c.low.Objects, solid(middle-t1, middle-t0, s0-middle, s1-middle, lowPlane(top+from, middle, slope, cross), lowPlane(top+to, middle, slope, cross)))
	}
	c.low.Objects = append(c.low.Objects, solid(middle-deck, middle+deck, -half, half, lowPlane(top-thick, middle, slope, cross), lowPlane(top-0.001, middle, slope, cross)))
	for _, side := range []float64{-1, 1} { // abutments, with the ground behind them
		c.low.Objects = append(c.low.Objects, solid(middle-9, middle+9, min(side*half, side*(half+9)), max(side*half, side*(half+9)), [3]float64{-1}, lowPlane(top-0.001, middle, slope, cross)))
	}
	// What the high road sees beside and below the bridge.
	c.high.Objects = append(c.high.Objects, solid(middle-half, middle+half, -12, 12, [3]float64{-top - 1 + middle*slope}, [3]float64{-top + middle*slope}))
	parapet := between(2, 5)
	if r.IntN(2) == 0 {
		high := between(0.3, 1.6)
		c.wall = [2]float64{parapet, parapet + 0.3}
		for _, side := range []float64{-1, 1} {
			add(middle-half-2, middle+half+2, min(side*parapet, side*(parapet+0.3)), max(side*parapet, side*(parapet+0.3)), 0, high)
		}
	}
	if r.IntN(3) == 0 { // pavements
		for _, side := range []float64{-1, 1} {
			add(middle-half-2, middle+half+2, min(side*2.6, side*6), max(side*2.6, side*6), 0, between(0.08, 0.3))
		}
	}
	h := between(2.6, 5.6)
	switch r.IntN(6) {
	case 0: // a gantry
		at := between(12, 32)
		add(at, at+0.5, -5, 5, h, h+0.6)
		add(at, at+0.3, 3.6, 3.9, 0, h)
	case 1: // a truss, with bracing
		for _, side := range []float64{-1, 1} {
			add(middle-half, middle+half, min(side*3.4, side*3.7), max(side*3.4, side*3.7), h, h+0.5)
			for at := middle - half; at < middle+half; at += between(1.5, 4) {
				add(at, at+0.3, min(side*3.4, side*3.7), max(side*3.4, side*3.7), 0, h)
			}
		}
		for at := middle - half; at < middle+half; at += between(2, 6) {
			add(at, at+between(0.2, 0.8), -3.7, 3.7, h, h+0.3)
		}
	case 2: // a roof, or a bridge above it
		at, wide := between(14, 30), between(1, 9)
		add(at-wide/2, at+wide/2, -9, 9, h, h+0.7)
	case 3: // a sign over one lane
		at, t := between(14, 30), between(-3.5, 2)
		add(at, at+0.15, t, t+1.5, h, h+1)
	}
	if r.IntN(4) == 0 { // a lorry that stands there
		at, t := between(12, 28), between(-3.4, 1)
		add(at, at+7, t, t+2.5, 0.9, between(2.2, 4))
	}
	mast := solid(5, 5.2, 4.4, 4.6, [3]float64{-1}, [3]float64{8})
	c.high.Objects, c.low.Objects = append(c.high.Objects, mast), append(c.low.Objects, mast)
	return c, r.IntN(4) > 0
}

// lowPlane returns the plane of the high road at a height above its middle, in the frame of the low
// one.
func lowPlane(z, middle, slope, cross float64) [3]float64 {
	return [3]float64{z + middle*cross, -cross, slope}
}

// TestBridgesAreNeverUnsafe draws bridges and wants no place of the deck, nor of the road below, to
// have more room than there is.
func TestBridgesAreNeverUnsafe(t *testing.T) {
	t.Parallel()
	first, wanted := uint64(9), soaktest.Cases(6000, 60_000)
	if n, err := strconv.ParseUint(os.Getenv("WAYGATE_SEED"), 10, 64); err == nil {
		first = n
	}
	if n, err := strconv.Atoi(os.Getenv("WAYGATE_CASES")); err == nil && n > 0 {
		wanted = n
	}
	places, known, unsafe, walls := [2]int{}, [2]int{}, 0, 0
	seed := first
	sum := func() {
		t.Logf("%d bridges: of the road below %d of %d places are known, above %d of %d; %d unsafe, %d on walls", seed-first, known[0], places[0], known[1], places[1], unsafe, walls)
	}
	defer sum()
	for ; places[0]+places[1] < wanted; seed++ {
		r := rand.New(rand.NewPCG(seed, 46))
		if seed > first && (seed-first)%10 == 0 {
			sum()
		}
		c, low := drawBridge(r)
		s := scanner()
		s.Up, s.Line, s.Angle = 1.9+0.7*r.Float64(), 0.1, 0.01
		driven := []*scan.PlacedScene{c.high}
		if low {
			driven = append(driven, c.low)
		}
		if r.IntN(6) == 0 {
			driven = driven[len(driven)-1:]
		}
		file, err := scan.LAS(r, scan.WKT(32630, 5701), s, driven...)
		assert.NilError(t, err)
		if r.IntN(6) == 0 {
			file = onePass(file)
		}
		a, _ := make1(t, &build.Input{Clouds: []*build.Cloud{cloud(t, "a.las", file)}, Roads: c.roads}, options(t))
		rd := a.Reader()
		for level, p := range []*scan.PlacedScene{c.low, c.high} {
			truth := map[[2]int]float64{}
			p.Truth(func(at, v, h float64) {
				k := [2]int{int(math.Floor(at / 0.25)), int(math.Floor(v / 0.25))}
				if old, ok := truth[k]; h > 1.9 && (!ok || h < old) {
					truth[k] = h
				}
			})
			for i := 4 * 10; i < 4*34; i++ {
				for j := -13; j < 13; j++ {
					at, v := (float64(i)+0.5)*0.25, (float64(j)+0.5)*0.25
					if math.Abs(v) > p.Half-0.2 {
						continue
					}
					x, y := p.World(at, v)
					room, some := truth[[2]int{i, j}]
					if !some {
						room = a.Header.Ceiling
					}
					places[level]++
					for l := range 2 { // the report takes the one at the road's height
						cell, ok, err := rd.At(l, x, y)
						assert.NilError(t, err)
						if !ok || cell.State() != artefact.Free && cell.State() != artefact.Measured || math.Abs(cell.Surface-p.Z-p.Height(at, v)) > 1.2 {
							continue
						}
						known[level]++
						if off := cell.Surface - p.Z - p.Height(at, v); off < -0.12 {
							unsafe++
							t.Errorf("seed %d: road %d, %.2f, %.2f: level %d, the surface is off by %.3f, safe %.3f, %s, %d returns on the road", seed, level, at, v, l, off, cell.Safe(), cell.Kind, cell.SurfaceReturns)
						}
						if side := math.Abs(v); level == 1 && side > c.wall[0] && side < c.wall[1] && at > 16 && at < 28 {
							walls++
							t.Errorf("seed %d: %.2f, %.2f: level %d, nothing stands there: surface off by %.3f", seed, at, v, l, cell.Surface-p.Z-p.Height(at, v))
						}
						if safe := min(cell.Safe(), a.Header.Ceiling); safe > room+1e-6 {
							unsafe++
							t.Errorf("seed %d: road %d, %.2f, %.2f: level %d, safe %.3f, truth %.3f, surface off by %.3f: %s, %d returns on the road", seed, level, at, v, l, safe, room, cell.Surface-p.Z-p.Height(at, v), cell.Kind, cell.SurfaceReturns)
						}
					}
				}
			}
		}
	}
}
