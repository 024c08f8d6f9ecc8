package sample

import (
	"math"
	"math/rand/v2"
)

// tracer lays streets, lanes and hedges along a field of directions, each
// ending on another or dying out, so that no two cross by accident.
type tracer struct {
	lines    *segIndex // what is laid so far
	barriers *segIndex // what must not be come near: water, railways, motorways
	rnd      *rand.Rand
}

// weave says how a family of lines is laid.
type weave struct {
	angle   func(pt) float64 // of the first family, radians
	turn    float64          // added to it: pi/2 for the second family
	inside  func(pt) bool
	step    float64
	apart   float64 // least distance from a parallel line
	least   float64 // shortest line to keep
	most    float64 // longest half of a line
	through float64 // chance to go on beyond a line that is crossed
	reach   float64 // how far ahead an end looks for a line to join
	shy     float64 // distance kept from barriers
	bridges bool    // barriers may be crossed squarely
	both    bool    // keep only lines joined at both ends
	parent  int     // the line it leaves; it may run beside that at first
	inertia float64 // how slowly a line turns into the field
}

// none is no line.
const none = -9

// lay traces lines from seeds and gives each kept line to keep, which adds it.
func (t *tracer) lay(seeds []pt, w *weave, keep func(line []pt)) {
	for _, s := range seeds {
		if line := t.trace(snap(s), w); line != nil {
			keep(line)
		}
	}
}

func (t *tracer) trace(seed pt, w *weave) []pt {
	if !w.inside(seed) || t.barriers.near(seed, w.shy) {
		return nil
	}
	dir := heading(w.angle(seed) + w.turn)
	if t.lines.parallel(seed, dir, w.apart, none) || t.lines.near(seed, math.Min(10, w.apart/3)) {
		return nil
	}
	front, a := t.half(seed, dir, w, nil)
	back, b := t.half(seed, dir.mul(-1), w, front)
	if w.both && !(a && b) || !a && !b {
		return nil
	}
	line := reversed(back)
	for _, p := range front {
		line = appendPt(line, p)
	}
	if length(line) < w.least {
		return nil
	}
	return line
}

// half follows the field from seed and reports whether it ends on a line.
func (t *tracer) half(seed, dir pt, w *weave, other []pt) (line []pt, joined bool) {
	line = []pt{seed}
	p, gone := seed, 0.0
	for gone < w.most {
		d := t.bend(p, dir, w)
		d = t.bend(p.add(d.mul(w.step/2)), d, w)
		q := snap(p.add(d.mul(w.step)))
		but := none
		if gone < w.apart {
			but = w.parent
		}
		if s, at, ok := t.lines.hit(p, q); ok {
			if sineBetween(s.dir(), d) < 0.55 {
				break
			}
			at = t.corner(s, at)
			line = appendPt(line, at)
			if t.rnd.Float64() >= w.through {
				return line, true
			}
			next := snap(at.add(d.mul(w.step)))
			if !w.inside(next) || t.lines.parallel(next, d, w.apart, none) || t.barred(at, next, d, w) {
				return line, true
			}
			if _, _, again := t.lines.hit(at.lerp(next, 0.05), next); again {
				return line, true
			}
			p, dir = next, d
			line = appendPt(line, p)
			gone += w.step
			continue
		}
		if !w.inside(q) || t.lines.parallel(q, d, w.apart*0.8, but) || t.barred(p, q, d, w) || t.meets(line, other, q, w) {
			break
		}
		line = appendPt(line, q)
		p, dir = q, d
		gone += w.step
	}
	// A line about to die looks for another to join.
	ahead := p.add(dir.mul(w.reach))
	if s, at, ok := t.lines.hit(p, ahead); ok && sineBetween(s.dir(), dir) > 0.5 && !t.barred(p, at, dir, w) {
		return appendPt(line, t.corner(s, at)), true
	}
	if bent := t.turnIn(p, dir, w); bent != nil {
		for _, q := range bent {
			line = appendPt(line, q)
		}
		return line, true
	}
	return line, false
}

// sprout traces a line that leaves an existing one at p, on the side of n.
// Of the field's two families it follows the one nearer to n.
func (t *tracer) sprout(p, n pt, parent int, weave *weave) (line []pt, joined bool) {
	w := *weave
	w.parent = parent
	best := 0.0
	for _, turn := range []float64{0, math.Pi / 2} {
		if f := math.Abs(heading(w.angle(p) + turn).dot(n)); f > best {
			best, w.turn = f, turn
		}
	}
	start := snap(p.add(n.mul(math.Max(12, w.step))))
	if !w.inside(start) || t.barred(p, start, n, &w) || t.lines.parallel(start, n, w.apart, parent) {
		return nil, false
	}
	if _, _, cut := t.lines.hit(p.lerp(start, 0.1), start); cut {
		return nil, false
	}
	line, joined = t.half(start, n, &w, nil)
	line = append([]pt{p}, line...)
	if length(line) < w.least || w.both && !joined {
		return nil, false
	}
	return line, joined
}

// turnIn curves from p, heading dir, to the nearest line ahead, or gives nil
// where nothing is in reach.
func (t *tracer) turnIn(p, dir pt, w *weave) []pt {
	s, at, d, ok := t.lines.nearest(p, w.reach)
	if !ok || d < w.step || at.sub(p).unit().dot(dir) < -0.2 || sineBetween(s.dir(), at.sub(p)) < 0.6 {
		return nil
	}
	at = t.corner(s, at)
	knee := p.add(dir.mul(d * 0.35))
	var out []pt
	n := max(2, int(d/w.step))
	last := p
	for i := 1; i <= n; i++ {
		f := float64(i) / float64(n)
		q := snap(p.lerp(knee, f).lerp(knee.lerp(at, f), f))
		if i == n {
			q = at
		}
		if t.barred(last, q, q.sub(last).unit(), w) {
			return nil
		}
		if _, _, cut := t.lines.hit(last, last.lerp(q, 0.98)); cut {
			return nil
		}
		if i < n && !w.inside(q) && d > 150 {
			return nil
		}
		out = append(out, q)
		last = q
	}
	return out
}

func (t *tracer) bend(p, dir pt, w *weave) pt {
	d := heading(w.angle(p) + w.turn)
	if d.dot(dir) < 0 {
		d = d.mul(-1)
	}
	return d.add(dir.mul(0.6 + w.inertia)).unit()
}

// corner snaps a crossing to the grid, or to the end of the segment when that
// is close: crossroads are then one node, not two.
func (t *tracer) corner(s seg, at pt) pt {
	if at.dist(s.a) < 6 {
		return s.a
	}
	if at.dist(s.b) < 6 {
		return s.b
	}
	return snap(at)
}

// barred reports whether the step from p to q comes too near a barrier.
func (t *tracer) barred(p, q, d pt, w *weave) bool {
	s, _, cut := t.barriers.hit(p, q)
	if cut {
		return !w.bridges || sineBetween(s.dir(), d) < 0.7
	}
	if w.bridges {
		return t.barriers.parallel(q, d, w.shy, none)
	}
	return t.barriers.near(q, w.shy)
}

// meets reports whether q comes back to the line it belongs to.
func (t *tracer) meets(line, other []pt, q pt, w *weave) bool {
	own := int(w.apart*1.6/w.step) + 2 // points too near along the line to count
	for i := 0; i < len(line)-own; i++ {
		if q.dist(line[i]) < w.apart*0.8 {
			return true
		}
	}
	for i := own; i < len(other); i++ {
		if q.dist(other[i]) < w.apart*0.8 {
			return true
		}
	}
	return false
}

// seeds strews points over the box about c, every step metres, in random
// order.
func seeds(rnd *rand.Rand, c pt, half, step float64) []pt {
	var out []pt
	for x := c.x - half; x < c.x+half; x += step {
		for y := c.y - half; y < c.y+half; y += step {
			out = append(out, pt{x + between(rnd, 0, step), y + between(rnd, 0, step)})
		}
	}
	rnd.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
