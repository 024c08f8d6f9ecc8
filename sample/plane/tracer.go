package plane

import (
	"math"
	"math/rand/v2"
)

// Tracer lays streets, lanes and hedges along a field of directions, each
// ending on another or dying out, so that no two cross by accident.
type Tracer struct {
	Lines    *Index // what is laid so far
	Barriers *Index // what must not be come near: water, railways, motorways
	Rnd      *rand.Rand
}

// Weave is how a family of lines is laid.
type Weave struct {
	Angle   func(Point) float64 // of the first family, radians
	Turn    float64             // added to it: pi/2 for the second family
	Inside  func(Point) bool
	Step    float64
	Apart   float64 // least distance from a parallel line
	Least   float64 // shortest line to keep
	Most    float64 // longest half of a line
	Through float64 // chance to go on beyond a line that is crossed
	Reach   float64 // how far ahead an end looks for a line to join
	Shy     float64 // distance kept from barriers
	Bridges bool    // barriers may be crossed squarely
	Both    bool    // keep only lines joined at both ends
	parent  int     // the line it leaves; it may run beside that at first
	Inertia float64 // how slowly a line turns into the field
}

// none is no line.
const none = -9

// Lay traces lines from seeds and gives each kept line to keep, which adds it.
func (t *Tracer) Lay(seeds []Point, w *Weave, keep func(line []Point)) {
	for _, s := range seeds {
		if line := t.trace(Snap(s), w); line != nil {
			keep(line)
		}
	}
}

func (t *Tracer) trace(seed Point, w *Weave) []Point {
	if !w.Inside(seed) || t.Barriers.Near(seed, w.Shy) {
		return nil
	}
	dir := Heading(w.Angle(seed) + w.Turn)
	if t.Lines.parallel(seed, dir, w.Apart, none) || t.Lines.Near(seed, math.Min(10, w.Apart/3)) {
		return nil
	}
	front, a := t.half(seed, dir, w, nil)
	back, b := t.half(seed, dir.Mul(-1), w, front)
	if w.Both && !(a && b) || !a && !b {
		return nil
	}
	line := Reversed(back)
	for _, p := range front {
		line = AppendPt(line, p)
	}
	if Length(line) < w.Least {
		return nil
	}
	return line
}

// half follows the field from seed and reports whether it ends on a line.
func (t *Tracer) half(seed, dir Point, w *Weave, other []Point) (line []Point, joined bool) {
	line = []Point{seed}
	p, gone := seed, 0.0
	for gone < w.Most {
		d := t.bend(p, dir, w)
		d = t.bend(p.Add(d.Mul(w.Step/2)), d, w)
		q := Snap(p.Add(d.Mul(w.Step)))
		but := none
		if gone < w.Apart {
			but = w.parent
		}
		if s, at, ok := t.Lines.Hit(p, q); ok {
			if SineBetween(s.Dir(), d) < 0.55 {
				break
			}
			at = t.corner(s, at)
			line = AppendPt(line, at)
			if t.Rnd.Float64() >= w.Through {
				return line, true
			}
			next := Snap(at.Add(d.Mul(w.Step)))
			if !w.Inside(next) || t.Lines.parallel(next, d, w.Apart, none) || t.barred(at, next, d, w) {
				return line, true
			}
			if _, _, again := t.Lines.Hit(at.Lerp(next, 0.05), next); again {
				return line, true
			}
			p, dir = next, d
			line = AppendPt(line, p)
			gone += w.Step
			continue
		}
		if !w.Inside(q) || t.Lines.parallel(q, d, w.Apart*0.8, but) || t.barred(p, q, d, w) || t.meets(line, other, q, w) {
			break
		}
		line = AppendPt(line, q)
		p, dir = q, d
		gone += w.Step
	}
	// A line about to die looks for another to join.
	ahead := p.Add(dir.Mul(w.Reach))
	if s, at, ok := t.Lines.Hit(p, ahead); ok && SineBetween(s.Dir(), dir) > 0.5 && !t.barred(p, at, dir, w) {
		return AppendPt(line, t.corner(s, at)), true
	}
	if bent := t.turnIn(p, dir, w); bent != nil {
		for _, q := range bent {
			line = AppendPt(line, q)
		}
		return line, true
	}
	return line, false
}

// Branch traces a line that leaves an existing one at p, on the side of n.
// Of the field's two families it follows the one nearer to n.
func (t *Tracer) Branch(p, n Point, parent int, weave *Weave) (line []Point, joined bool) {
	w := *weave
	w.parent = parent
	best := 0.0
	for _, turn := range []float64{0, math.Pi / 2} {
		if f := math.Abs(Heading(w.Angle(p) + turn).Dot(n)); f > best {
			best, w.Turn = f, turn
		}
	}
	start := Snap(p.Add(n.Mul(math.Max(12, w.Step))))
	if !w.Inside(start) || t.barred(p, start, n, &w) || t.Lines.parallel(start, n, w.Apart, parent) {
		return nil, false
	}
	if _, _, cut := t.Lines.Hit(p.Lerp(start, 0.1), start); cut {
		return nil, false
	}
	line, joined = t.half(start, n, &w, nil)
	line = append([]Point{p}, line...)
	if Length(line) < w.Least || w.Both && !joined {
		return nil, false
	}
	return line, joined
}

// turnIn curves from p, heading dir, to the nearest line ahead, or gives nil
// where nothing is in reach.
func (t *Tracer) turnIn(p, dir Point, w *Weave) []Point {
	s, at, d, ok := t.Lines.Nearest(p, w.Reach)
	if !ok || d < w.Step || at.Sub(p).Unit().Dot(dir) < -0.2 || SineBetween(s.Dir(), at.Sub(p)) < 0.6 {
		return nil
	}
	at = t.corner(s, at)
	knee := p.Add(dir.Mul(d * 0.35))
	var out []Point
	n := max(2, int(d/w.Step))
	last := p
	for i := 1; i <= n; i++ {
		f := float64(i) / float64(n)
		q := Snap(p.Lerp(knee, f).Lerp(knee.Lerp(at, f), f))
		if i == n {
			q = at
		}
		if t.barred(last, q, q.Sub(last).Unit(), w) {
			return nil
		}
		if _, _, cut := t.Lines.Hit(last, last.Lerp(q, 0.98)); cut {
			return nil
		}
		if i < n && !w.Inside(q) && d > 150 {
			return nil
		}
		out = append(out, q)
		last = q
	}
	return out
}

func (t *Tracer) bend(p, dir Point, w *Weave) Point {
	d := Heading(w.Angle(p) + w.Turn)
	if d.Dot(dir) < 0 {
		d = d.Mul(-1)
	}
	return d.Add(dir.Mul(0.6 + w.Inertia)).Unit()
}

// corner snaps a crossing to the grid, or to the end of the segment when that
// is close: crossroads are then one node, not two.
func (t *Tracer) corner(s Segment, at Point) Point {
	if at.Dist(s.A) < 6 {
		return s.A
	}
	if at.Dist(s.B) < 6 {
		return s.B
	}
	return Snap(at)
}

// barred reports whether the step from p to q comes too near a barrier.
func (t *Tracer) barred(p, q, d Point, w *Weave) bool {
	s, _, cut := t.Barriers.Hit(p, q)
	if cut {
		return !w.Bridges || SineBetween(s.Dir(), d) < 0.7
	}
	if w.Bridges {
		return t.Barriers.parallel(q, d, w.Shy, none)
	}
	return t.Barriers.Near(q, w.Shy)
}

// meets reports whether q comes back to the line it belongs to.
func (t *Tracer) meets(line, other []Point, q Point, w *Weave) bool {
	own := int(w.Apart*1.6/w.Step) + 2 // points too near along the line to count
	for i := 0; i < len(line)-own; i++ {
		if q.Dist(line[i]) < w.Apart*0.8 {
			return true
		}
	}
	for i := own; i < len(other); i++ {
		if q.Dist(other[i]) < w.Apart*0.8 {
			return true
		}
	}
	return false
}

// Seeds strews points over the box about c, every step metres, in random
// order.
func Seeds(rnd *rand.Rand, c Point, half, step float64) []Point {
	var out []Point
	for x := c.X - half; x < c.X+half; x += step {
		for y := c.Y - half; y < c.Y+half; y += step {
			out = append(out, Point{x + Between(rnd, 0, step), y + Between(rnd, 0, step)})
		}
	}
	rnd.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
