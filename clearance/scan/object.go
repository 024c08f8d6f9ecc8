package scan

import "math"

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
