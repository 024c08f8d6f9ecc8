package measure_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/measure"
	"github.com/waygate/waygate/clearance/scan"
	"github.com/waygate/waygate/soaktest"
)

// tally counts stations: places each 0.25 m along and across the carriageway.
type tally struct {
	scenes                  int
	stations, unsafe        int
	clear                   int // of those that a vehicle passes in truth
	pass, fail, bound, gaps int // of those, by verdict
	worst                   float64
}

// add adds what came after an earlier state of another tally.
func (t *tally) add(before, after *tally) {
	t.scenes += after.scenes - before.scenes
	t.stations += after.stations - before.stations
	t.unsafe += after.unsafe - before.unsafe
	t.clear += after.clear - before.clear
	t.pass += after.pass - before.pass
	t.fail += after.fail - before.fail
	t.bound += after.bound - before.bound
	t.gaps += after.gaps - before.gaps
	t.worst = max(t.worst, after.worst)
}

func (t *tally) String() string {
	part := func(n int) float64 { return 100 * float64(n) / float64(max(1, t.clear)) }
	return fmt.Sprintf("%d stations in %d scenes, %d unsafe (worst by %.3f m); of %d that clear: pass %.2f %%, needlessly failed %.2f %%, indeterminate by the bound %.2f %%, no verdict for gaps %.2f %%",
		t.stations, t.scenes, t.unsafe, t.worst, t.clear, part(t.pass), part(t.fail), part(t.bound), part(t.gaps))
}

// result is a scene with what was measured, and the truth for each cell.
type result struct {
	scene *scan.PlacedScene
	part  *measure.Part
	cells []artefact.Cell
	truth []float64
	o     measure.Options
	datum float64 // by which surfaces of passes differ
}

func run(tb testing.TB, r *rand.Rand, s *scan.Scene, c *scan.Scanner) *result {
	tb.Helper()
	o := c.Options()
	p := &scan.PlacedScene{Scene: s, Turn: 2 * math.Pi * r.Float64()}
	part := scan.Part(r, p, c, o.Cell)
	res := &result{scene: p, part: part, o: o, truth: make([]float64, part.W*part.H), datum: c.Datum}
	for i := range res.truth {
		res.truth[i] = math.Inf(1)
	}
	s.Truth(func(at, t, h float64) {
		x, y := p.World(at, t)
		i, j := int(math.Floor(x/o.Cell)), int(math.Floor(y/o.Cell))
		if i >= 0 && j >= 0 && i < part.W && j < part.H {
			res.truth[j*part.W+i] = min(res.truth[j*part.W+i], h)
		}
	})
	var err error
	res.cells, _, err = measure.Measure(context.Background(), &o, part)
	assert.NilError(tb, err)
	return res
}

// at returns the cell of a place.
func (r *result) at(s, t float64) (c *artefact.Cell, truth float64) {
	x, y := r.scene.World(s, t)
	i := int(y/r.o.Cell)*r.part.W + int(x/r.o.Cell)
	return &r.cells[i], r.truth[i]
}

// surfaceError is how far from the road the surface may be: a headroom over another one is right by
// chance.
const surfaceError = 0.15

// surfaceOff returns how far the surface at a place of the carriageway is from the road.
func (r *result) surfaceOff(s, t float64) float64 {
	if c, _ := r.at(s, t); r.datum == 0 && math.Abs(t) < r.scene.Half-0.3 && c.Flags&artefact.Surveyed != 0 {
		x, y := r.scene.World(s, t)
		at, v := r.scene.Frame((math.Floor(x/r.o.Cell)+0.5)*r.o.Cell, (math.Floor(y/r.o.Cell)+0.5)*r.o.Cell)
		return math.Abs(c.Surface - r.scene.Scene.Height(at, v))
	}
	return 0
}

// count goes along and across a scene.
func (r *result) count(rnd *rand.Rand, n *tally) (unsafe string) {
	s := r.scene
	const across, along = 0.35, 0.25
	n.scenes++
	for t := across/2 - s.Half; t < s.Half-across/2; t += along {
		for at := 4.0; at < s.Length-4; at += along {
			safe, measured, truth, gap := r.o.Ceiling, r.o.Ceiling, r.o.Ceiling, false
			for _, ds := range [3]float64{-along / 2, 0, along / 2} {
				for _, dt := range [3]float64{-across / 2, 0, across / 2} {
					c, h := r.at(at+ds, t+dt)
					truth = min(truth, h)
					switch c.State() {
					case artefact.Free:
					case artefact.Measured:
						safe, measured = min(safe, c.Safe()), min(measured, c.Headroom)
					default:
						gap = true
					}
				}
			}
			n.stations++
			if off := r.surfaceOff(at, t); !gap && off > surfaceError {
				n.unsafe++
				unsafe = fmt.Sprintf("s %.2f t %.2f: the surface is off by %.3f", at, t, off)
			}
			if !gap && safe > truth+1e-6 {
				n.unsafe++
				n.worst = max(n.worst, safe-truth)
				unsafe = fmt.Sprintf("s %.2f t %.2f: safe %.3f, truth %.3f", at, t, safe, truth)
			}
			height := 3 + 2.5*rnd.Float64()
			if height > truth {
				continue
			}
			n.clear++
			switch {
			case measured < height:
				n.fail++
			case gap:
				n.gaps++
			case safe < height:
				n.bound++
			default:
				n.pass++
			}
		}
	}
	return unsafe
}

// cases returns how many stations are tried.
func cases(normal int) int {
	if n, err := strconv.Atoi(os.Getenv("WAYGATE_CASES")); err == nil && n > 0 {
		return n
	}
	return normal
}

// TestNeverUnsafe draws scenes and wants no station to be passed that is lower than said.
func TestNeverUnsafe(t *testing.T) {
	first := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("WAYGATE_SEED"), 10, 64); err == nil {
		first = n
	}
	var n, full tally
	next := 50_000
	for seed := first; n.stations < cases(soaktest.Cases(10_000, 100_000)); seed++ {
		r := rand.New(rand.NewPCG(seed, 45))
		s, c := scan.Draw(r)
		res := run(t, r, s, c)
		before := n
		where := res.count(r, &n)
		if c.Full() {
			full.add(&before, &n)
		}
		if n.stations >= next {
			next += 50_000
			t.Logf("seed %d: %s", seed, n.String())
		}
		if where != "" {
			t.Errorf("seed %d: %s\n%+v", seed, where, *c)
			for _, o := range s.Objects[:min(6, len(s.Objects))] {
				t.Logf("%T %+v", o, o)
			}
		}
	}
	t.Log("all surveys:", n.String())
	t.Log("surveys meant for clearance:", full.String())
}
