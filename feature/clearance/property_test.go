package clearance

import (
	"math"
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/geo"
)

// world is a road with random things over it and random holes.
type world struct {
	*drawing
	xy   []float64 // of the line, which is the middle of the road
	half float64   // width of the carriageway
	gaps int
}

// random draws a road of two bends, with bridges, wires, arches, leaves, and holes where there
// are to be some.
func random(r *rand.Rand, holes bool) *world {
	w := &world{half: 2.5 + 2*r.Float64(), xy: []float64{10, 30}}
	bearing, x, y := (r.Float64()-0.5)*1.2, 10.0, 30.0
	for range 3 {
		n := 8 + 20*r.Float64()
		x, y = x+n*math.Cos(bearing), y+n*math.Sin(bearing)
		w.xy = append(w.xy, x, y)
		bearing += (r.Float64() - 0.5) * 1.4
	}
	type thing struct {
		x, y, size, head, sigma, gap, arch float64
		kind                               artefact.Kind
	}
	var things []thing
	for range r.IntN(5) {
		at := w.pick(r)
		things = append(things, thing{at[0], at[1], 0.2 + 6*r.Float64()*r.Float64(), 3.5 + 3*r.Float64(), 0.05 * r.Float64(), 0.1 * r.Float64(), 0.1 * r.Float64(), artefact.Kind(1 + r.IntN(3))})
	}
	var bad []thing
	if holes {
		for range 1 + r.IntN(2) {
			at := w.pick(r)
			bad = append(bad, thing{x: at[0], y: at[1], size: 0.3 + r.Float64(), kind: artefact.Kind(r.IntN(4))})
			w.gaps++
		}
	}
	w.drawing = &drawing{minX: 0, minY: -40, maxX: x + 15, maxY: 110, cell: func(_ int, x, y float64) *artefact.Cell {
		off := w.off(x, y)
		if off > w.half+1.5 {
			return nil
		}
		c := free(50)
		if off > w.half {
			c.Lane = 0
		}
		for _, t := range things {
			if d := math.Hypot(x-t.x, y-t.y); d < t.size {
				if head := t.head - t.arch*d; head < c.Headroom {
					c.Headroom, c.Sigma, c.Gap, c.Kind = head, t.sigma, t.gap, t.kind
				}
			}
		}
		for _, t := range bad {
			if math.Hypot(x-t.x, y-t.y) > t.size {
				continue
			}
			switch t.kind {
			case 0:
				return nil
			case 1:
				*c = artefact.NewCell()
				c.Lane = 1
			case 2:
				c.Flags &^= artefact.Dense
			default:
				c.Kind, c.Headroom = artefact.Deck, 6
			}
		}
		return c
	}}
	return w
}

// pick returns a place on the line, or near it on the carriageway.
func (w *world) pick(r *rand.Rand) [2]float64 {
	i := 2 * r.IntN(len(w.xy)/2-1)
	t, off := r.Float64(), (r.Float64()*2-1)*(w.half-0.5)
	dx, dy := w.xy[i+2]-w.xy[i], w.xy[i+3]-w.xy[i+1]
	d := math.Hypot(dx, dy)
	return [2]float64{w.xy[i] + t*dx + off*dy/d, w.xy[i+1] + t*dy - off*dx/d}
}

// off returns the distance of a place from the line.
func (w *world) off(x, y float64) float64 {
	best := math.Inf(1)
	for i := 0; i+3 < len(w.xy); i += 2 {
		dx, dy := w.xy[i+2]-w.xy[i], w.xy[i+3]-w.xy[i+1]
		t := max(0, min(1, ((x-w.xy[i])*dx+(y-w.xy[i+1])*dy)/(dx*dx+dy*dy)))
		best = min(best, math.Hypot(x-w.xy[i]-t*dx, y-w.xy[i+1]-t*dy))
	}
	return best
}

// truth looks at the cells under a vehicle in all of its places, each 5 cm: whether all are
// known, the least safe headroom, and the least measured one.
func (w *world) truth(width float64) (known bool, safe, lowest float64) {
	known, safe, lowest = true, math.Inf(1), math.Inf(1)
	const fine = 0.05
	half := max(w.half-0.3, width/2) // cells reach over the edge of the road
	for i := 0; i+3 < len(w.xy); i += 2 {
		dx, dy := w.xy[i+2]-w.xy[i], w.xy[i+3]-w.xy[i+1]
		d := math.Hypot(dx, dy)
		for along := 0.0; along < d; along += fine {
			for off := -half; off <= half; off += fine {
				x, y := w.xy[i]+along*dx/d+off*dy/d, w.xy[i+1]+along*dy/d-off*dx/d
				centre := func(v float64) float64 { return (math.Floor(v/drawnCell) + 0.5) * drawnCell }
				c := w.cell(0, centre(x), centre(y))
				if c == nil {
					known = false
					continue
				}
				switch c.State() {
				case artefact.Measured:
					safe, lowest = min(safe, c.Safe()), min(lowest, c.Headroom)
				case artefact.Free:
				default:
					known = false
				}
			}
		}
	}
	return known, safe, lowest
}

// TestNoUnsafePass compares reports on random roads with all cells under the vehicle.
func TestNoUnsafePass(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 3))
	verdicts := map[Verdict]int{}
	for n := range 50 {
		w := random(r, n%4 == 0)
		g := w.open(t)
		height, width := 3.4+2.5*r.Float64(), 2+r.Float64()
		line := way(t, g, w.xy...)
		q := &Request{Line: line, Height: height, Width: &width}
		a := report(t, q, given{g, "drawn", false})
		verdicts[a.Height.Verdict]++
		known, safe, lowest := w.truth(width)
		switch {
		case a.Height.Verdict == Pass && (!known || safe <= height-0.002): // headrooms are kept in millimetres
			t.Errorf("road %d: %.2f m pass where %.3f m are safe, all known: %v", n, height, safe, known)
		case a.Height.Verdict == Fail && lowest > height+0.002:
			t.Errorf("road %d: %.2f m fail where %.3f m were measured", n, height, lowest)
		case known && safe > height+0.15 && a.Height.Verdict != Pass && w.gaps == 0:
			t.Logf("road %d: %.2f m are %s where %.3f m are safe: %v", n, height, a.Height.Verdict, safe, a.Height.Reasons)
		}
		same(t, n, q, g, a)
	}
	for _, v := range []Verdict{Pass, Fail, Indeterminate, NoVerdict} {
		if verdicts[v] < 2 {
			t.Errorf("the roads have %d of the verdict %s: %v", verdicts[v], v, verdicts)
		}
	}
}

// same checks that a report is the one of all cells of all stations, without summaries of blocks.
func same(t *testing.T, n int, q *Request, g *ground, a *Report) {
	t.Helper()
	l, v := newLine(q.Line), newVehicle(q)
	s := &survey{walker: newWalker(g, l, v, grown(g.leaves, drawnNow)), dataset: "drawn"}
	slow := newTally(l, v)
	k := 0
	for p := range l.pieces {
		assert.Assert(t, s.enter(p))
		for ; k < l.stations() && (l.middle(k) < p.arc+p.length || p.arc+p.length >= l.length); k++ {
			s.now = s.closely(s.along(p, l.middle(k)), s.pending, l.middle(k))
			s.pending, s.used = nil, s.used || s.now.covers()
			slow.add(k, resolve([]*survey{s}, heights), resolve([]*survey{s}, widths))
		}
	}
	slow.end()
	b := slow.report(q, v, []*survey{s})
	if a.Height.Verdict != b.Height.Verdict || math.Abs(a.Height.Coverage.Assessed-b.Height.Coverage.Assessed) > 2.1 || len(a.Height.Failures) != len(b.Height.Failures) || a.Width.Verdict != b.Width.Verdict {
		t.Errorf("road %d: by blocks %+v %+v,\nby cells %+v %+v", n, a.Height, a.Width.Verdict, b.Height, b.Width.Verdict)
	}
	if x, y := a.Height.Limiting, b.Height.Limiting; (x == nil) != (y == nil) || x != nil && math.Abs(x.Safe-y.Safe) > 0.01 {
		t.Errorf("road %d: limiting by blocks %+v, by cells %+v", n, x, y)
	}
}

// TestTogetherIsOneByOne compares reports with those of each station by itself, by the blocks across
// it and heights of cells alone: on roads with holes, grown leaves, hills and two surveys.
func TestTogetherIsOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 6))
	for n := range 60 {
		w := random(r, n%3 == 0)
		if n%2 == 0 {
			long, high, cell := 8+40*r.Float64(), 0.4*r.Float64(), w.cell
			w.cell = func(level int, x, y float64) *artefact.Cell {
				c := cell(level, x, y)
				if c != nil && c.Flags&artefact.Surveyed != 0 {
					c.Surface += high * math.Sin(x/long*2*math.Pi)
					c.SlopeX = high * math.Cos(x/long*2*math.Pi) / long * 2 * math.Pi
				}
				return c
			}
		}
		if n%5 == 0 {
			w.from, w.to = "2025-01-01", "2025-01-02"
		}
		all := []given{{w.open(t), "drawn", n%7 == 0}}
		if n%4 == 0 {
			other := *w.drawing
			other.from, other.to = "2025-06-01", "2026-06-01"
			all = append(all, given{other.open(t), "other", n%8 == 0})
		}
		height, width := 3.4+3.5*r.Float64(), 2+1.5*r.Float64()
		q := &Request{Line: way(t, all[0].ground, w.xy...), Height: height, Width: &width}
		a := report(t, q, all...)
		l, v := newLine(q.Line), newVehicle(q)
		var list []*survey
		for _, one := range all {
			s := &survey{walker: newWalker(one.ground, l, v, grown(one.leaves, drawnNow)), dataset: one.name, stale: one.stale}
			for _, tile := range s.tiles { // nothing from which stations are surveyVerdict together
				tile.free, tile.least, tile.road = 0, unknown, slope{low: float32(math.Inf(-1)), high: float32(math.Inf(1))}
			}
			list = append(list, s)
		}
		slow := newTally(l, v)
		assert.NilError(t, walk(t.Context(), l, list, slow))
		b := slow.report(q, v, list)
		for _, axis := range []struct{ a, b *Axis }{{&a.Height, &b.Height}, {&a.Width, &b.Width}} {
			if x, y := axis.a.Limiting, axis.b.Limiting; (x == nil) != (y == nil) || x != nil && math.Abs(x.Safe-y.Safe) > 0.01 {
				t.Errorf("road %d: limiting %+v, one by one %+v", n, x, y)
			}
			axis.a.Limiting, axis.b.Limiting = nil, nil
		}
		assert.DeepEqual(t, a, b)
	}
}

// TestGapsNeverPass makes one hole of a square of cells in a road that is clear otherwise.
func TestGapsNeverPass(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 4))
	for n := range 100 {
		hx, hy, kind := 5+90*r.Float64(), (r.Float64()*2-1)*3.2, r.IntN(3)
		d := straight(100, func(x, y float64) *artefact.Cell {
			c := free(20)
			if math.Abs(x-hx) < drawnCell && math.Abs(y-hy) < drawnCell {
				switch kind {
				case 0:
					*c = artefact.NewCell()
					c.Lane = 1
				case 1:
					c.Flags &^= artefact.Dense
				default:
					c.Kind, c.Headroom = artefact.Unexplained, 5
				}
			}
			return c
		})
		d.minX, d.maxX = math.Floor(hx/8)*8-16, math.Floor(hx/8)*8+24
		g := d.open(t)
		a := report(t, &Request{Line: way(t, g, hx-4, 0, hx+5, 0.1), Height: 4, Width: metres(2.5)}, given{g, "drawn", false})
		if a.Height.Verdict == Pass {
			t.Errorf("hole %d at %.2f, %.2f passes", n, hx, hy)
		}
	}
}

// sag returns a road in a circle of a radius, that dips from 0 to length.
func sag(radius, length float64) func(x float64) float64 {
	return func(x float64) float64 { return 100 + (x-length/2)*(x-length/2)/(2*radius) }
}

// TestLiftInASag compares the lift with the sagitta of a wheelbase.
func TestLiftInASag(t *testing.T) {
	for _, c := range []struct{ radius, base float64 }{{300, 12}, {500, 12}, {200, 6}, {1000, 20}, {150, 1}} {
		z := sag(c.radius, 100)
		d := straight(100, func(x, _ float64) *artefact.Cell {
			cell := under(z(x), 4.4)
			cell.SlopeX = (x - 50) / c.radius
			return cell
		})
		g := d.open(t)
		a := report(t, &Request{Line: way(t, g, 0, 0, 100, 0), Height: 4.3, Wheelbase: &c.base}, given{g, "drawn", false})
		want := c.base * c.base / (8 * c.radius)
		lift := a.Height.Limiting.Lift
		if lift < want-0.01 || // the limiting station is known to a centimetre
			lift > want+0.004+0.05*want {
			t.Errorf("radius %v, wheelbase %v: lift %.4f, want about %.4f", c.radius, c.base, lift, want)
		}
	}
}

// TestLiftAtMost compares the bound of the lift with the lift on hilly roads.
func TestLiftAtMost(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 5))
	for n := range 10 {
		long, high, grade := 5+40*r.Float64(), 0.5*r.Float64(), 0.2*(r.Float64()-0.5)
		base := []float64{1, 1.5, 1 + 14*r.Float64()}[min(n, 2)]
		d := straight(100, func(x, _ float64) *artefact.Cell {
			if n%3 == 0 && math.Mod(x, 30) < 2 { // unknown heights
				return nil
			}
			return under(100+grade*x+high*math.Sin(x/long*2*math.Pi), 6)
		})
		g := d.open(t)
		q := &Request{Line: way(t, g, 0, 0, 51, 0.3, 100, 0), Height: 4, Wheelbase: &base}
		l, v := newLine(q.Line), newVehicle(q)
		w := newWalker(g, l, v, 0)
		for arc := 0.25; arc < 100; arc += 0.5 {
			if lift, most := w.liftAt(arc, height{}), min(w.liftAtMost(arc, false), w.liftAtMost(arc, true)); most < lift-1e-9 {
				t.Errorf("road %d, wheelbase %.1f, at %v: a lift of %.4f above the bound %.4f", n, base, arc, lift, most)
			}
		}
	}
}

// TestLiftOnACrest has overhangs rise where the road falls away before them.
func TestLiftOnACrest(t *testing.T) {
	profile := make([]float64, 61)
	for i := range profile { // level, then down by 10 % from 30 on
		profile[i] = -0.1 * max(0, float64(i)-30)
	}
	if got, want := chord(profile, 31, profile[31], 10), 0.1; math.Abs(got-want) > 1e-9 { // a nose 1.5 m ahead of the axle
		t.Errorf("lift %v, want %v", got, want)
	}
	if got := chord(make([]float64, 61), 30, 0, 12); got != 0 {
		t.Errorf("a level road lifts by %v", got)
	}
	profile[30] = math.NaN()
	if got := chord(profile, 30, profile[30], 12); got != 0 {
		t.Errorf("an unknown height lifts by %v", got)
	}
}

// crossing returns a low road along x and a high one along y that passes over it on a deck, which
// is 4.2 m above the low road's surface. Ramps lead up to it.
func crossing() *drawing {
	const half, rise = 3.5, 5.0
	high := func(y float64) float64 { return 20 + max(0, rise-max(0, math.Abs(y)-8)*0.12) }
	return &drawing{minX: -60, maxX: 60, minY: -70, maxY: 70, levels: 2, cell: func(level int, x, y float64) *artefact.Cell {
		onLow, onHigh := math.Abs(y) <= half && math.Abs(x) <= 56, math.Abs(x) <= half && math.Abs(y) <= 66
		switch {
		case level == 0 && onLow && onHigh:
			return under(20, 4.2)
		case level == 0 && onLow:
			return free(20)
		case level == 0 && onHigh:
			return free(high(y))
		case level == 1 && onLow && onHigh:
			return free(high(y))
		}
		return nil
	}}
}

// TestCrossingRoads follows the height of a road where another crosses above it.
func TestCrossingRoads(t *testing.T) {
	g := crossing().open(t)
	for _, c := range []struct {
		name string
		xy   []float64
		want Verdict
	}{
		{"below", []float64{-50, 0, 50, 0}, Fail},
		{"above", []float64{0, -60, 0, 60}, Pass},
		{"above, the other way", []float64{0, 60, 0, -60}, Pass},
		{"from the deck on", []float64{0, 0, 0, 60}, Pass},
		{"from the deck back", []float64{0, 0, 0, -60}, Pass},
		{"from below the deck on", []float64{0, 0, 50, 0}, Fail},
		{"the crossing alone, below or above", []float64{-0.5, -0.5, 0.5, 0.5}, Fail},
	} {
		a := report(t, &Request{Line: way(t, g, c.xy...), Height: 4.3}, given{g, "drawn", false})
		if a.Height.Verdict != c.want {
			t.Errorf("%s: %s %v, want %s", c.name, a.Height.Verdict, a.Height.Reasons, c.want)
		}
	}
}

// TestCrossingRoadsOnEdges has crossings lie otherwise on the tiles, so that decks end on their edges,
// and wants the same verdicts.
func TestCrossingRoadsOnEdges(t *testing.T) {
	const edge = drawnCell * artefact.TileCells
	for n := range 16 {
		dx, dy := edge*float64(n%4)/4+0.5, edge*float64(n/4)/4+0.5
		whole := crossing()
		d := *whole
		d.minX, d.maxX, d.minY, d.maxY = d.minX-edge, d.maxX+2*edge, d.minY-edge, d.maxY+2*edge
		d.cell = func(level int, x, y float64) *artefact.Cell { return whole.cell(level, x-dx, y-dy) }
		g := d.open(t)
		for _, c := range []struct {
			name string
			xy   [4]float64
			want Verdict
		}{
			{"below", [4]float64{-50, 0, 50, 0}, Fail},
			{"above", [4]float64{0, -60, 0, 60}, Pass},
			{"above, the other way", [4]float64{0, 60, 0, -60}, Pass},
			{"from the deck on", [4]float64{0, 0, 0, 60}, Pass},
			{"from below the deck on", [4]float64{0, 0, 50, 0}, Fail},
		} {
			line := way(t, g, c.xy[0]+dx, c.xy[1]+dy, c.xy[2]+dx, c.xy[3]+dy)
			if a := report(t, &Request{Line: line, Height: 4.3}, given{g, "drawn", false}); a.Height.Verdict != c.want {
				t.Errorf("%s, %v and %v from the edge: %s %v, want %s", c.name, dx, dy, a.Height.Verdict, a.Height.Reasons, c.want)
			}
		}
	}
}

var _ = geo.Point{}
