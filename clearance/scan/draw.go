package scan

import (
	"math"
	"math/rand/v2"
)

// Draw draws a scene with things of all kinds and a scanner for it.
func Draw(r *rand.Rand) (*Scene, *Scanner) {
	s := &Scene{Length: 30, Half: 3.65, Lanes: 2, Grade: between(r, -0.08, 0.08), Cross: between(r, -0.06, 0.06)}
	if r.IntN(2) == 0 {
		s.Curve = 1 / math.Copysign(between(r, 150, 2000), r.Float64()-0.5)
	}
	switch r.IntN(6) {
	case 0, 1:
		s.Kerb = between(r, 0.05, 0.15)
	case 2: // a road beside that is lower
		s.Kerb = between(r, -3, -0.1)
	}
	if r.IntN(6) == 0 {
		s.Twist = between(r, -0.004, 0.004)
	}
	c := DrawScanner(r, s)
	h := between(r, 2.6, 5.6)
	middle := between(r, 10, 20)
	switch r.IntN(14) {
	case 0:
		s.deck(r, middle, h)
	case 1:
		s.arch(r, middle, h)
	case 2:
		s.gantry(r, middle, h)
	case 3, 4:
		s.wires(r, middle, h, c)
	case 5:
		s.tree(r, middle, h)
	case 6:
		s.deck(r, middle, h+0.3)
		s.wires(r, middle+between(r, -6, 6), h, c)
	case 7: // two decks, one above the other
		s.deck(r, middle, h)
		s.deck(r, middle+between(r, -3, 3), h+between(r, 0.8, 3))
	case 8: // in a dip, where long vehicles rise
		s.Curve, s.Grade = 1/between(r, 80, 300), between(r, -0.25, 0)
		s.deck(r, middle, h)
	case 9:
		s.tunnel(r, h, c)
	case 10: // what is above is thin and the survey too coarse for it
		c.Line, c.Angle = c.Line*between(r, 1, 4), c.Angle*between(r, 1, 4)
		s.wires(r, middle, h, c)
	}
	switch r.IntN(12) {
	case 0, 1, 2:
		s.lorry(r, c)
	case 3: // traffic in several passes
		c.Passes = 2 + r.IntN(3)
		for range 2 + r.IntN(4) {
			s.lorry(r, c)
		}
	case 4:
		s.split(r)
	case 5: // a road beside that is higher, behind a wall
		side, top := math.Copysign(1, r.Float64()-0.5), [3]float64{s.Height(15, 0) + between(r, 0.3, 5), 0, 0}
		t0, t1 := side*(s.Half+between(r, 0.05, 1)), side*(s.Half+10)
		s.Objects = append(s.Objects, &Block{-5, 35, min(t0, t1), max(t0, t1), [3]float64{-9, 0, 0}, top, Solid, -1})
	case 6:
		c.Wet = between(r, 0.05, 0.8)
	case 7: // epochs whose heights differ, and that do not see the same
		c.Passes, c.Datum = max(2, c.Passes), math.Copysign(math.Exp(between(r, math.Log(0.01), math.Log(2))), r.Float64()-0.5)
		c.Blind = r.IntN(3)
	}
	if r.IntN(6) == 0 {
		at, t := between(r, 5, 25), between(r, -3.5, 3.5)
		s.Objects = append(s.Objects, &Ball{Vec{at, t, s.Height(at, t) + between(r, 2.2, 5.5)}, between(r, 0.03, 0.25), Bird, r.IntN(c.Passes)})
	}
	if r.IntN(6) == 0 {
		c.Doubted = []float64{0.05, 0.4, 0.6, 1}[r.IntN(4)]
	}
	return s, c
}

func between(r *rand.Rand, low, high float64) float64 { return low + (high-low)*r.Float64() }

// plane returns the plane of the road at a place, raised, and turned a little.
func (s *Scene) plane(r *rand.Rand, at, raised float64) [3]float64 {
	a, b := s.Grade+s.Curve*at, s.Cross
	if r.IntN(2) == 0 {
		a, b = between(r, -0.05, 0.05), between(r, -0.05, 0.05)
	}
	return [3]float64{s.Height(at, 0) + raised - a*at, a, b}
}

func (s *Scene) deck(r *rand.Rand, middle, h float64) {
	width := between(r, 0.6, 9)
	bottom := s.plane(r, middle, h)
	top := bottom
	top[0] += between(r, 0.4, 1.5)
	s.Objects = append(s.Objects, &Block{middle - width/2, middle + width/2, -14, 14, bottom, top, Solid, -1})
	if r.IntN(2) == 0 { // girders
		beam := bottom
		beam[0] -= between(r, 0.1, 0.5)
		for x := middle - width/2; x < middle+width/2-0.3; x += between(r, 0.8, 2) {
			s.Objects = append(s.Objects, &Block{x, x + 0.3, -14, 14, beam, bottom, Solid, -1})
		}
	}
	if r.IntN(2) == 0 { // a lamp below it
		lamp := bottom
		lamp[0] -= between(r, 0.05, 0.3)
		t := between(r, -3, 3)
		s.Objects = append(s.Objects, &Block{middle - 0.1, middle + 0.1, t - 0.15, t + 0.15, lamp, bottom, Solid, -1})
	}
	if r.IntN(2) == 0 { // abutments
		for _, side := range [2]float64{-1, 1} {
			t0, t1 := side*(s.Half+0.4), side*(s.Half+1.5)
			s.Objects = append(s.Objects, &Block{middle - width/2, middle + width/2, min(t0, t1), max(t0, t1), [3]float64{-5, 0, 0}, bottom, Solid, -1})
		}
	}
}

func (s *Scene) arch(r *rand.Rand, middle, h float64) {
	width, half := between(r, 2, 8), s.Half+between(r, 0.3, 1.5)
	crown := s.Height(middle, 0) + h + 0.4
	flat := between(r, 0.3, 2) / half / half
	s.Objects = append(s.Objects, &Arch{middle - width/2, middle + width/2, crown, flat, half})
	for _, side := range [2]float64{-1, 1} {
		t0, t1 := side*half, side*(half+1)
		s.Objects = append(s.Objects, &Block{middle - width/2, middle + width/2, min(t0, t1), max(t0, t1), [3]float64{-5, 0, 0}, [3]float64{crown + 1, 0, 0}, Solid, -1})
	}
}

func (s *Scene) gantry(r *rand.Rand, middle, h float64) {
	bottom := [3]float64{s.Height(middle, 0) + h, 0, between(r, -0.01, 0.01)}
	top := bottom
	top[0] += 0.6
	s.Objects = append(s.Objects, &Block{middle - 0.25, middle + 0.25, -5, 5, bottom, top, Solid, -1})
	for range r.IntN(3) { // signs
		sign := bottom
		sign[0] -= between(r, 0.1, 0.8)
		t := between(r, -3.5, 2)
		s.Objects = append(s.Objects, &Block{middle - 0.3, middle - 0.22, t, t + between(r, 0.5, 2), sign, top, Solid, -1})
	}
}

func (s *Scene) wires(r *rand.Rand, middle, h float64, c *Scanner) {
	for range 1 + r.IntN(3) {
		skew, reach := between(r, -8, 8), between(r, 6, 15)
		w := &Cable{Sag: between(r, 0, 1), Diameter: c.LeastObject * between(r, 1, 3), Beam: c.Beam}
		z := s.Height(middle, 0) + h + w.Sag
		w.A, w.B = Vec{middle - skew, -reach, z + between(r, 0, 0.5)}, Vec{middle + skew, reach, z + between(r, 0, 0.5)}
		w.prepare()
		s.Objects = append(s.Objects, w)
		h += between(r, 0.05, 0.6)
	}
}

func (s *Scene) tree(r *rand.Rand, middle, h float64) {
	side := math.Copysign(between(r, 1, 4), r.Float64()-0.5)
	tree := &Tree{}
	for range 150 + r.IntN(250) {
		at := Vec{middle + 1.5*r.NormFloat64(), side + 1.2*r.NormFloat64(), 0}
		at[2] = s.Height(at[0], at[1]) + h + 0.3 + math.Abs(0.7*r.NormFloat64())
		tree.Leaves = append(tree.Leaves, &Ball{at, between(r, 0.04, 0.1), Leaf, -1})
	}
	tree.prepare()
	s.Objects = append(s.Objects, tree)
}

// tunnel is an arch or a box over nearly all of the road, which was driven through once.
func (s *Scene) tunnel(r *rand.Rand, h float64, c *Scanner) {
	c.Passes = 1
	low, half := [3]float64{-9, 0, 0}, s.Half+between(r, 0.2, 1)
	roof := [3]float64{s.Height(15, 0) + h + 0.5 - s.Grade*15, s.Grade, 0}
	top := roof
	top[0] += 2
	if r.IntN(2) == 0 {
		s.Objects = append(s.Objects, &Block{3, 27, -half, half, roof, top, Solid, -1})
	} else {
		s.Objects = append(s.Objects, &Arch{3, 27, s.Height(15, 0) + h + 1, between(r, 0.3, 2) / half / half, half})
	}
	for _, side := range [2]float64{-1, 1} {
		t0, t1 := side*half, side*(half+1)
		s.Objects = append(s.Objects, &Block{3, 27, min(t0, t1), max(t0, t1), low, top, Solid, -1})
	}
	for at := between(r, 4, 8); at < 26; at += between(r, 3, 10) { // fans and lamps
		lamp, t := roof, between(r, -3, 3)
		lamp[0] -= between(r, 0.1, 0.8)
		s.Objects = append(s.Objects, &Block{at, at + between(r, 0.2, 2), t - 0.3, t + 0.3, lamp, top, Solid, -1})
	}
}

// split leaves out parts of the road: along it, across it, or some.
func (s *Scene) split(r *rand.Rand) {
	for range 1 + r.IntN(3) {
		at, t := between(r, 0, 25), between(r, -3.6, 3)
		switch r.IntN(3) {
		case 0:
			s.Holes = append(s.Holes, Hole{-9, 40, t, t + between(r, 0.2, 1.5)})
		case 1:
			s.Holes = append(s.Holes, Hole{at, at + between(r, 0.2, 4), -10, 10})
		default:
			s.Holes = append(s.Holes, Hole{at, at + between(r, 0.3, 6), t, t + between(r, 0.3, 3)})
		}
	}
}

func (s *Scene) lorry(r *rand.Rand, c *Scanner) {
	at, length := between(r, 5, 20), between(r, 6, 16)
	t := math.Copysign(1.8, r.Float64()-0.5)
	pass := r.IntN(c.Passes)
	if c.lane(pass)*t > 0 {
		t = -t // not where the scanner drives
	}
	z := s.Height(at+length/2, t) - 0.2
	bed, roof := [3]float64{z + between(r, 0.6, 1.1), 0, 0}, [3]float64{z + between(r, 2.4, 4.2), 0, 0}
	s.Objects = append(s.Objects, &Block{at, at + length, t - 1.27, t + 1.27, bed, roof, Vehicle, pass})
	for _, x := range [3]float64{at + 1, at + length/2, at + length - 1.5} {
		s.Objects = append(s.Objects, &Block{x, x + 1, t - 1.2, t + 1.2, [3]float64{z - 2, 0, 0}, bed, Vehicle, pass})
	}
}

// Prepared returns a cable that is ready to be scanned.
func Prepared(c *Cable) *Cable {
	c.prepare()
	return c
}
