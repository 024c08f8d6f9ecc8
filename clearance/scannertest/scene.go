// Package scannertest draws and scans roads.
//
// There are things above them. They are scanned as a laser scanner on a vehicle or in the
// air does it, and it is known exactly how much headroom each place has.
//
// A scene has its own frame: s along the road, t to the left of it and z up, in metres. The
// road is z = Grade s + s^2 / (2 Radius) + Cross t.
package scannertest

import (
	"math"
	"math/rand/v2"
)

// Vec is a place or a direction: s, t, z.
type Vec [3]float64

func (a Vec) plus(b Vec, by float64) Vec { return Vec{a[0] + by*b[0], a[1] + by*b[1], a[2] + by*b[2]} }
func dot(a, b Vec) float64               { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func cross(a, b Vec) Vec {
	return Vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Material is what a ray meets.
type Material int

// Materials.
const (
	Road Material = iota
	Solid
	Wire
	Leaf
	Vehicle
	Bird
)

// Object is something that rays may hit.
type Object interface {
	// hit returns how far along a ray the object is; +Inf if the ray misses it.
	hit(from, along Vec) float64
	// underside calls a function with points of the lower side that are close together.
	underside(visit func(Vec))
	material() Material
	// span is the least and the greatest s.
	span() (low, high float64)
	// pass is the only pass in which the object is there, or -1.
	pass() int
}

// Scene is a road and the objects on and above it.
type Scene struct {
	Length       float64 // of the road, from s = 0
	Half         float64 // half the width of the carriageway
	Lanes        int
	Grade, Cross float64
	Curve        float64 // 1 / Radius
	Objects      []Object
	Kerb         float64 // height of the pavement beside the carriageway
}

// Height is the height of the road.
func (s *Scene) Height(at, t float64) float64 {
	z := s.Grade*at + s.Curve*at*at/2 + s.Cross*t
	if math.Abs(t) > s.Half {
		z += s.Kerb
	}
	return z
}

// road returns how far along a ray the road or the pavement is.
func (s *Scene) road(from, along Vec) float64 {
	best := math.Inf(1)
	for _, kerb := range [2]float64{0, s.Kerb} {
		a := -s.Curve / 2 * along[0] * along[0]
		b := along[2] - s.Grade*along[0] - s.Cross*along[1] - s.Curve*from[0]*along[0]
		c := from[2] - s.Grade*from[0] - s.Cross*from[1] - s.Curve/2*from[0]*from[0] - kerb
		for _, d := range roots(a, b, c) {
			t := math.Abs(from[1] + d*along[1])
			if d > 0.3 && d < best && (t > s.Half) == (kerb > 0) && t < s.Half+6 {
				best = d
			}
		}
		if s.Kerb == 0 {
			break
		}
	}
	return best
}

// roots returns the solutions of a x^2 + b x + c = 0.
func roots(a, b, c float64) [2]float64 {
	none := math.Inf(-1)
	if math.Abs(a) < 1e-12 {
		if math.Abs(b) < 1e-12 {
			return [2]float64{none, none}
		}
		return [2]float64{-c / b, none}
	}
	d := b*b - 4*a*c
	if d < 0 {
		return [2]float64{none, none}
	}
	q := -(b + math.Copysign(math.Sqrt(d), b)) / 2
	if q == 0 {
		return [2]float64{0, none}
	}
	return [2]float64{q / a, c / q}
}

// Normal is the direction at right angles to the road.
func (s *Scene) Normal(at float64) Vec {
	a := s.Grade + s.Curve*at
	k := 1 / math.Sqrt(1+a*a+s.Cross*s.Cross)
	return Vec{-a * k, -s.Cross * k, k}
}

// foot returns the place of the road from which a point is straight up, and how far.
func (s *Scene) foot(p Vec) (at, t, h float64) {
	at, t = p[0], p[1]
	for range 4 {
		n := s.Normal(at)
		h = (p[2] - (s.Grade*at + s.Curve*at*at/2 + s.Cross*t)) / n[2]
		// Move to the point of the road below p along the normal.
		at, t = p[0]-h*n[0], p[1]-h*n[1]
	}
	return at, t, h
}

// Truth visits points of all undersides that stay: their feet on the road and their
// headrooms at right angles to it.
func (s *Scene) Truth(visit func(at, t, headroom float64)) {
	for _, o := range s.Objects {
		if o.pass() >= 0 {
			continue
		}
		o.underside(func(p Vec) { visit(s.foot(p)) })
	}
}

// Block is a prism between two heights, each a plane.
type Block struct {
	S0, S1, T0, T1 float64
	Bottom, Top    [3]float64 // height is [0] + [1] s + [2] t
	What           Material
	Pass           int
}

func (b *Block) material() Material { return b.What }
func (b *Block) pass() int          { return b.Pass }
func (b *Block) span() (_, _ float64) {
	return b.S0, b.S1
}

func (b *Block) hit(from, along Vec) float64 {
	enter, leave := 0.3, math.Inf(1)
	clip := func(distance, rate float64) bool { // distance + d rate <= 0 inside
		switch {
		case rate > 1e-15:
			leave = min(leave, -distance/rate)
		case rate < -1e-15:
			enter = max(enter, -distance/rate)
		case distance > 0:
			return false
		}
		return enter < leave
	}
	if !clip(b.S0-from[0], -along[0]) || !clip(from[0]-b.S1, along[0]) || !clip(b.T0-from[1], -along[1]) || !clip(from[1]-b.T1, along[1]) {
		return math.Inf(1)
	}
	if !clip(b.Bottom[0]+b.Bottom[1]*from[0]+b.Bottom[2]*from[1]-from[2], b.Bottom[1]*along[0]+b.Bottom[2]*along[1]-along[2]) ||
		!clip(from[2]-b.Top[0]-b.Top[1]*from[0]-b.Top[2]*from[1], along[2]-b.Top[1]*along[0]-b.Top[2]*along[1]) {
		return math.Inf(1)
	}
	return enter
}

const step = 0.05

func (b *Block) underside(visit func(Vec)) {
	steps := func(from, to float64) (int, float64) {
		n := max(1, int(math.Ceil((to-from)/step)))
		return n, (to - from) / float64(n)
	}
	n, ds := steps(b.S0, b.S1)
	m, dt := steps(b.T0, b.T1)
	for i := range n + 1 {
		for j := range m + 1 {
			s, t := b.S0+float64(i)*ds, b.T0+float64(j)*dt
			visit(Vec{s, t, b.Bottom[0] + b.Bottom[1]*s + b.Bottom[2]*t})
		}
	}
}

// Arch is the underside of a vault across the road: Crown - Flat t^2, from S0 to S1.
type Arch struct{ S0, S1, Crown, Flat, Half float64 }

func (a *Arch) material() Material { return Solid }
func (a *Arch) pass() int          { return -1 }
func (a *Arch) span() (_, _ float64) {
	return a.S0, a.S1
}

func (a *Arch) hit(from, along Vec) float64 {
	best := math.Inf(1)
	for _, d := range roots(a.Flat*along[1]*along[1], along[2]+2*a.Flat*from[1]*along[1], from[2]-a.Crown+a.Flat*from[1]*from[1]) {
		if s, t := from[0]+d*along[0], from[1]+d*along[1]; d > 0.3 && d < best && s >= a.S0 && s <= a.S1 && math.Abs(t) <= a.Half {
			best = d
		}
	}
	return best
}

func (a *Arch) underside(visit func(Vec)) {
	for s := a.S0; ; s = min(s+step, a.S1) {
		for t := -a.Half; t <= a.Half; t += step / 2 {
			visit(Vec{s, t, a.Crown - a.Flat*t*t})
		}
		if s >= a.S1 {
			return
		}
	}
}

// Cable is a wire with sag between two points.
type Cable struct {
	A, B           Vec
	Sag, Diameter  float64
	Beam           float64 // what the beam's footprint adds to the diameter
	along          Vec
	normal         Vec
	length, offset float64
	ready          bool
}

func (c *Cable) material() Material { return Wire }
func (c *Cable) pass() int          { return -1 }
func (c *Cable) span() (_, _ float64) {
	return min(c.A[0], c.B[0]) - 0.5, max(c.A[0], c.B[0]) + 0.5
}

func (c *Cable) prepare() {
	d := Vec{c.B[0] - c.A[0], c.B[1] - c.A[1], 0}
	c.length = math.Hypot(d[0], d[1])
	c.along = Vec{d[0] / c.length, d[1] / c.length, 0}
	c.normal = Vec{-c.along[1], c.along[0], 0}
	c.offset = dot(c.normal, c.A)
	c.ready = true
}

// height returns the height of the wire's centre and its rise, at a distance from A.
func (c *Cable) height(u float64) (z, rise float64) {
	f := u / c.length
	return c.A[2] + (c.B[2]-c.A[2])*f - 4*c.Sag*f*(1-f), (c.B[2]-c.A[2])/c.length - 4*c.Sag*(1-2*f)/c.length
}

func (c *Cable) hit(from, along Vec) float64 {
	rate := dot(c.normal, along)
	d := (c.offset - dot(c.normal, from)) / rate
	if !(d > 0.3 && d < 200) {
		return math.Inf(1)
	}
	q := from.plus(along, d)
	u := (q[0]-c.A[0])*c.along[0] + (q[1]-c.A[1])*c.along[1]
	if u < 0 || u > c.length {
		return math.Inf(1)
	}
	z, rise := c.height(u)
	if math.Abs(q[2]-z) > 1 {
		return math.Inf(1)
	}
	e := Vec{c.along[0], c.along[1], rise}
	x := cross(along, e)
	if math.Abs((q[2]-z)*x[2])/math.Sqrt(dot(x, x)) > (c.Diameter+c.Beam)/2 {
		return math.Inf(1)
	}
	// The ray is nearest to the wire a little before or behind the plane.
	w := Vec{from[0] - q[0], from[1] - q[1], from[2] - z}
	ee, b := dot(e, e), dot(along, e)
	return (b*dot(e, w) - ee*dot(along, w)) / (ee - b*b)
}

func (c *Cable) underside(visit func(Vec)) {
	for u := 0.0; u <= c.length; u += 0.01 {
		z, _ := c.height(u)
		visit(Vec{c.A[0] + u*c.along[0], c.A[1] + u*c.along[1], z - c.Diameter/2})
	}
}

// Ball is a leaf or a bird.
type Ball struct {
	At     Vec
	Radius float64
	What   Material
	Pass   int
}

func (b *Ball) material() Material { return b.What }
func (b *Ball) pass() int          { return b.Pass }
func (b *Ball) span() (_, _ float64) {
	return b.At[0] - b.Radius, b.At[0] + b.Radius
}

func (b *Ball) hit(from, along Vec) float64 {
	d := Vec{b.At[0] - from[0], b.At[1] - from[1], b.At[2] - from[2]}
	middle := dot(d, along)
	if rest := dot(d, d) - middle*middle; middle > 0.3 && rest <= b.Radius*b.Radius {
		return middle - math.Sqrt(b.Radius*b.Radius-rest)
	}
	return math.Inf(1)
}

func (b *Ball) underside(visit func(Vec)) {
	visit(Vec{b.At[0], b.At[1], b.At[2] - b.Radius})
}

// Tree is a crown of leaves.
type Tree struct {
	Leaves    []*Ball
	low, high Vec
	// bins are the leaves by their s, so that a ray looks at a few of them.
	bins [][]*Ball
}

func (t *Tree) material() Material { return Leaf }
func (t *Tree) pass() int          { return -1 }
func (t *Tree) span() (_, _ float64) {
	return t.low[0], t.high[0]
}

func (t *Tree) prepare() {
	t.low, t.high = t.Leaves[0].At, t.Leaves[0].At
	for _, l := range t.Leaves {
		for i := range 3 {
			t.low[i], t.high[i] = min(t.low[i], l.At[i]-l.Radius), max(t.high[i], l.At[i]+l.Radius)
		}
	}
	t.bins = make([][]*Ball, int((t.high[0]-t.low[0])/treeBin)+1)
	for _, l := range t.Leaves {
		for i := t.bin(l.At[0] - l.Radius); i <= t.bin(l.At[0]+l.Radius); i++ {
			t.bins[i] = append(t.bins[i], l)
		}
	}
}

const treeBin = 0.1

func (t *Tree) bin(s float64) int {
	return max(0, min(len(t.bins)-1, int((s-t.low[0])/treeBin)))
}

func (t *Tree) hit(from, along Vec) float64 { return t.next(from, along, 0) }

// next returns the first leaf after a distance.
func (t *Tree) next(from, along Vec, after float64) float64 {
	enter, leave := 0.3, math.Inf(1)
	for i := range 3 {
		if along[i] == 0 {
			if from[i] < t.low[i] || from[i] > t.high[i] {
				return math.Inf(1)
			}
			continue
		}
		a, b := (t.low[i]-from[i])/along[i], (t.high[i]-from[i])/along[i]
		enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
	}
	best := math.Inf(1)
	if enter >= leave {
		return best
	}
	a, b := t.bin(from[0]+enter*along[0]), t.bin(from[0]+leave*along[0])
	for i := min(a, b); i <= max(a, b); i++ {
		for _, l := range t.bins[i] {
			if d := l.hit(from, along); d < best && d > after {
				best = d
			}
		}
	}
	return best
}

func (t *Tree) underside(visit func(Vec)) {
	for _, l := range t.Leaves {
		l.underside(visit)
	}
}

// Draw draws a scene with things of all kinds and a scanner for it.
func Draw(r *rand.Rand) (*Scene, *Scanner) {
	s := &Scene{Length: 30, Half: 3.65, Lanes: 2, Grade: between(r, -0.08, 0.08), Cross: between(r, -0.06, 0.06)}
	if r.IntN(2) == 0 {
		s.Curve = 1 / math.Copysign(between(r, 150, 2000), r.Float64()-0.5)
	}
	if r.IntN(3) == 0 {
		s.Kerb = between(r, 0.05, 0.15)
	}
	c := DrawScanner(r, s)
	h := between(r, 2.6, 5.6)
	middle := between(r, 10, 20)
	switch r.IntN(9) {
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
	}
	if r.IntN(4) == 0 {
		s.lorry(r, c)
	}
	if r.IntN(6) == 0 {
		at, t := between(r, 5, 25), between(r, -3.5, 3.5)
		s.Objects = append(s.Objects, &Ball{Vec{at, t, s.Height(at, t) + between(r, 2.2, 5.5)}, between(r, 0.03, 0.25), Bird, r.IntN(c.Passes)})
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
