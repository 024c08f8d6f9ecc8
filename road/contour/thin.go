package contour

import "math"

// thinner simplifies outlines: it drops the points that Douglas and Peucker
// (1973) would, each only where nothing lies in the triangle that goes with
// it. So lines that do not cross or touch before do not after.
type thinner struct {
	all    []vertex
	prev   []int32
	next   []int32
	keep   []bool
	gone   []bool
	bucket []int32 // by cell of the grid: a vertex in it
	other  []int32 // by vertex: the next in its cell
	spans  [][2]int32

	scaleX, scaleY float64 // metres
	cellX, cellY   float64 // cells
	corner         vertex
	w, h           int
}

// thin gives the outlines simplified by at most tolerance metres.
func (t *thinner) thin(all []outline, g *grid, tolerance float64) []outline {
	if tolerance <= 0 || len(all) == 0 {
		return all
	}
	t.scaleX, t.scaleY = g.metres()
	t.load(all, g)
	begin := int32(0)
	for i := range all {
		n := int32(len(all[i].line))
		t.peucker(begin, n, tolerance)
		begin += n
	}
	begin = 0
	for i := range all {
		n := int32(len(all[i].line))
		t.drop(begin, n)
		begin += n
	}
	out := make([]outline, 0, len(all))
	begin = 0
	for i := range all {
		o := outline{}
		n := int32(len(all[i].line))
		for v := begin; v < begin+n; v++ {
			if !t.gone[v] {
				o.line = append(o.line, t.all[v])
			}
		}
		o.measure()
		out = append(out, o)
		begin += n
	}
	return out
}

// load links the vertices into rings and sorts them into the grid's cells.
func (t *thinner) load(all []outline, g *grid) {
	t.corner, t.w, t.h = g.vertex(0, 0), g.w, g.h
	t.cellX, t.cellY = g.x/1e6, g.y/1e6
	t.all, t.prev, t.next, t.other = t.all[:0], t.prev[:0], t.next[:0], t.other[:0]
	if n := g.w * g.h; cap(t.bucket) < n {
		t.bucket = make([]int32, n)
	} else {
		t.bucket = t.bucket[:n]
	}
	for i := range t.bucket {
		t.bucket[i] = none
	}
	for _, o := range all {
		begin, n := int32(len(t.all)), int32(len(o.line))
		for i, v := range o.line {
			at := begin + int32(i)
			t.all = append(t.all, v)
			t.prev = append(t.prev, begin+(int32(i)+n-1)%n)
			t.next = append(t.next, begin+(int32(i)+1)%n)
			x, y := t.cell(v)
			b := y*t.w + x
			t.other = append(t.other, t.bucket[b])
			t.bucket[b] = at
		}
	}
	t.keep, t.gone = cleared(t.keep, len(t.all)), cleared(t.gone, len(t.all))
}

func cleared(list []bool, n int) []bool {
	if cap(list) < n {
		return make([]bool, n)
	}
	list = list[:n]
	clear(list)
	return list
}

func (t *thinner) cell(v vertex) (x, y int) {
	x, y = int(float64(v.X-t.corner.X)*t.cellX), int(float64(v.Y-t.corner.Y)*t.cellY)
	return max(0, min(x, t.w-1)), max(0, min(y, t.h-1))
}

// peucker marks the points of a ring that stay: its first, the one farthest
// from it, and those further than tolerance from the line without them.
func (t *thinner) peucker(begin, n int32, tolerance float64) {
	far, most := begin, -1.0
	for v := begin; v < begin+n; v++ {
		if d := t.square(t.all[v], t.all[begin], t.all[begin]); d > most {
			far, most = v, d
		}
	}
	t.keep[begin], t.keep[far] = true, true
	t.spans = append(t.spans[:0], [2]int32{begin, far}, [2]int32{far, begin + n})
	for len(t.spans) > 0 {
		s := t.spans[len(t.spans)-1]
		t.spans = t.spans[:len(t.spans)-1]
		a, b := t.all[s[0]], t.all[begin+(s[1]-begin)%n]
		far, most := int32(none), tolerance*tolerance
		for v := s[0] + 1; v < s[1]; v++ {
			if d := t.square(t.all[v], a, b); d > most {
				far, most = v, d
			}
		}
		if far != none {
			t.keep[far] = true
			t.spans = append(t.spans, [2]int32{s[0], far}, [2]int32{far, s[1]})
		}
	}
}

// square is the squared distance in metres of a point from a line.
func (t *thinner) square(p, a, b vertex) float64 {
	ax, ay := float64(a.X-p.X)*t.scaleX, float64(a.Y-p.Y)*t.scaleY
	dx, dy := float64(b.X-a.X)*t.scaleX, float64(b.Y-a.Y)*t.scaleY
	if l := dx*dx + dy*dy; l > 0 {
		along := math.Max(0, math.Min(1, -(ax*dx+ay*dy)/l))
		ax, ay = ax+dx*along, ay+dy*along
	}
	return ax*ax + ay*ay
}

// drop takes out what does not stay, every other point at a time so that the
// triangles stay small, until nothing more can go.
func (t *thinner) drop(begin, n int32) {
	left := n
	for changed := true; changed; {
		changed = false
		for v := t.next[begin]; v != begin; v = t.next[v] {
			if left <= 3 || t.keep[v] || !t.free(t.prev[v], v, t.next[v]) {
				continue
			}
			next := t.next[v]
			t.next[t.prev[v]], t.prev[next] = next, t.prev[v]
			t.gone[v], changed = true, true
			left--
			if v = next; v == begin {
				break
			}
		}
	}
}

// free reports whether no other point lies in the triangle of three.
func (t *thinner) free(i, j, k int32) bool {
	a, b, c := t.all[i], t.all[j], t.all[k]
	x0, y0 := t.cell(vertex{min(a.X, b.X, c.X), min(a.Y, b.Y, c.Y)})
	x1, y1 := t.cell(vertex{max(a.X, b.X, c.X), max(a.Y, b.Y, c.Y)})
	for y := y0; y <= y1; y++ {
		for _, v := range t.bucket[y*t.w+x0 : y*t.w+x1+1] {
			for ; v != none; v = t.other[v] {
				if t.gone[v] || v == i || v == j || v == k {
					continue
				}
				p := t.all[v]
				d, e, f := turn(a, b, p), turn(b, c, p), turn(c, a, p)
				if d >= 0 && e >= 0 && f >= 0 || d <= 0 && e <= 0 && f <= 0 {
					return false
				}
			}
		}
	}
	return true
}
