package contour

// simplifier simplifies the outlines of one level or of several, of which each is
// inside the next: it drops the points that Douglas and Peucker (1973) would: those
// between two that stay all at once where no other point lies in the box around them,
// else each only where none lies in the triangle between it and its neighbours. So
// lines that do not cross or touch before do not after: what comes in between a line
// and its shortcut would need a point there to turn back.
//
// Outlines of different levels have stretches in common. Such a stretch is one arc, and
// is simplified once for all of them; its ends, where the lines part, stay. So what is
// inside stays inside.
type simplifier struct {
	shared shared
	arcs   []arc
	parts  []int32    // the arcs of all outlines, one after the other
	rings  [][2]int32 // by outline: its first part and the one after its last

	all    []vertex     // of all arcs
	flat   []planePoint // of each, in metres from the first of its arc
	cells  []cell       // of each
	prev   []int32
	next   []int32
	keep   []bool
	gone   []bool
	bucket []int32 // by cell: a vertex in it, plus 1; 0 where there is none
	other  []int32 // by vertex: the next in its cell, alike
	spans  [][2]int32

	scaleX, scaleY float64 // metres
	cellX, cellY   float64 // cells
	corner         vertex
	w, h           int
}

// arc is a stretch of outlines: its first and its last vertex, which are the same
// point where it is all of an outline.
type arc struct {
	first, last int32
	closed      bool
}

type planePoint struct{ x, y float64 }

// cell is a square of the grid's cells, bucketSide a side, by column and row.
type cell struct{ x, y int32 }

const bucketSide = 4

// fewCells is up to how many cells it is as fast to look at at once as triangle by triangle.
const fewCells = 16

// simplify simplifies the outlines of levels by at most tolerance metres. They are
// valid until the next call.
func (t *simplifier) simplify(levels [][]outline, g *grid, tolerance float64) {
	if len(levels) == 1 && (tolerance <= 0 || len(levels[0]) == 0) {
		return
	}
	t.scaleX, t.scaleY = g.metres()
	t.load(levels, g)
	if tolerance > 0 {
		for _, a := range t.arcs {
			t.peucker(a, tolerance)
		}
		for i := range t.rings {
			t.keepThree(t.parts[t.rings[i][0]:t.rings[i][1]])
		}
		for _, a := range t.arcs {
			if t.dropSpans(a) {
				t.drop(a)
			}
		}
	}
	ring, kept := 0, make([]vertex, 0, len(t.all))
	for _, all := range levels {
		for i := range all {
			first := len(kept)
			for _, part := range t.parts[t.rings[ring][0]:t.rings[ring][1]] {
				a := t.arcs[part]
				for v := a.first; v < a.last; v = t.next[v] {
					kept = append(kept, t.all[v])
				}
			}
			all[i].line = kept[first:len(kept):len(kept)]
			all[i].measure()
			ring++
		}
	}
}

// load cuts the outlines into arcs and sorts their vertices into cells.
func (t *simplifier) load(levels [][]outline, g *grid) {
	t.corner, t.w, t.h = g.vertex(0, 0), g.w/bucketSide+1, g.h/bucketSide+1
	t.cellX, t.cellY = 0.5/bucketSide/g.degreesX, 0.5/bucketSide/g.degreesY
	t.all, t.flat, t.cells, t.prev, t.next, t.other = t.all[:0], t.flat[:0], t.cells[:0], t.prev[:0], t.next[:0], t.other[:0]
	t.arcs, t.parts, t.rings = t.arcs[:0], t.parts[:0], t.rings[:0]
	if len(levels) == 1 {
		t.clearBuckets()
		for _, o := range levels[0] {
			first := int32(len(t.parts))
			t.open()
			for _, v := range o.line {
				t.push(v)
			}
			t.push(o.line[0])
			t.close()
			t.rings = append(t.rings, [2]int32{first, first + 1})
		}
	} else {
		t.clearBuckets()
		t.numberPoints(levels)
		t.clearBuckets()
		t.cut()
	}
	t.keep, t.gone = cleared(t.keep, len(t.all)), cleared(t.gone, len(t.all))
}

// open begins an arc, push adds a vertex to it, and close ends it and adds it to the
// parts of the outline at hand.
func (t *simplifier) open() {
	t.arcs = append(t.arcs, arc{first: int32(len(t.all))})
}

func (t *simplifier) push(v vertex) {
	at, c := int32(len(t.all)), t.cell(v)
	origin := v
	if first := t.arcs[len(t.arcs)-1].first; first < at {
		origin = t.all[first]
	}
	t.all = append(t.all, v)
	t.flat = append(t.flat, planePoint{float64(v.X-origin.X) * t.scaleX, float64(v.Y-origin.Y) * t.scaleY})
	t.prev, t.next = append(t.prev, at-1), append(t.next, at+1)
	t.cells, t.other = append(t.cells, c), append(t.other, t.bucket[c.at(t.w)])
	t.bucket[c.at(t.w)] = at + 1
}

func (t *simplifier) close() {
	a := &t.arcs[len(t.arcs)-1]
	a.last = int32(len(t.all)) - 1
	a.closed = t.all[a.first] == t.all[a.last]
	t.parts = append(t.parts, int32(len(t.arcs)-1))
}

func (t *simplifier) clearBuckets() {
	if n := t.w * t.h; cap(t.bucket) < n {
		t.bucket = make([]int32, n)
	} else {
		t.bucket = t.bucket[:n]
		clear(t.bucket)
	}
}

func cleared(list []bool, n int) []bool {
	if cap(list) < n {
		return make([]bool, n)
	}
	list = list[:n]
	clear(list)
	return list
}

func (t *simplifier) cell(v vertex) cell {
	x, y := int(float64(v.X-t.corner.X)*t.cellX), int(float64(v.Y-t.corner.Y)*t.cellY)
	return cell{int32(max(0, min(x, t.w-1))), int32(max(0, min(y, t.h-1)))}
}

// at returns the number of a cell if a row has w.
func (c cell) at(w int) int { return int(c.y)*w + int(c.x) }

// peucker marks the points of an arc that stay: its ends, where they are the same point
// the one farthest from it, and those further than tolerance from the line without them.
func (t *simplifier) peucker(a arc, tolerance float64) {
	line, keep, end := t.flat[a.first:a.last+1], t.keep[a.first:a.last+1], a.last-a.first
	keep[0], keep[end] = true, true
	t.spans = append(t.spans[:0], [2]int32{0, end})
	if a.closed {
		far, _ := farthest(line[:end], line[0], line[0], -1)
		keep[far] = true
		t.spans = append(t.spans[:0], [2]int32{0, far}, [2]int32{far, end})
	}
	for len(t.spans) > 0 {
		s := t.spans[len(t.spans)-1]
		t.spans = t.spans[:len(t.spans)-1]
		if s[1]-s[0] < 2 {
			continue
		}
		if far, ok := farthest(line[s[0]+1:s[1]], line[s[0]], line[s[1]], tolerance*tolerance); ok {
			far += s[0] + 1
			keep[far] = true
			t.spans = append(t.spans, [2]int32{s[0], far}, [2]int32{far, s[1]})
		}
	}
}

// keepThree marks one more point of an outline, given by its arcs, where only two stay.
func (t *simplifier) keepThree(parts []int32) {
	var stay [3]vertex
	n := 0
	for _, part := range parts {
		for v := t.arcs[part].first; v < t.arcs[part].last; v++ {
			if t.keep[v] {
				if stay[n] = t.all[v]; n == 2 {
					return
				}
				n++
			}
		}
	}
	third, most := int32(-1), -1.0
	for _, part := range parts {
		a := t.arcs[part]
		for v := a.first + 1; v < a.last; v++ {
			if off := turn(stay[0], stay[1], t.all[v]); !t.keep[v] && float64(max(off, -off)) > most {
				third, most = v, float64(max(off, -off))
			}
		}
	}
	t.keep[third] = true
}

// farthest finds the point farthest from the line from a to b; ok is false
// where none is further off than the root of square.
func farthest(points []planePoint, a, b planePoint, square float64) (far int32, ok bool) {
	dx, dy := b.x-a.x, b.y-a.y
	length := dx*dx + dy*dy
	most := square
	if length > 0 {
		most *= length // squares are compared times the line's
	}
	for i := range points {
		x, y := points[i].x-a.x, points[i].y-a.y
		off := x*x + y*y
		if length > 0 {
			switch along := x*dx + y*dy; {
			case along <= 0:
				off *= length
			case along >= length:
				x, y = x-dx, y-dy
				off = (x*x + y*y) * length
			default:
				cross := x*dy - y*dx
				off = cross * cross
			}
		}
		if off > most {
			far, most, ok = int32(i), off, true
		}
	}
	return far, ok
}

// dropSpans removes the points of an arc between two that stay where nothing else is
// around them. It reports whether others may go.
func (t *simplifier) dropSpans(a arc) (some bool) {
	for first := a.first; first < a.last; {
		last := first + 1
		for !t.keep[last] {
			last++
		}
		switch {
		case last == first+1:
		case t.alone(first, last):
			for v := first + 1; v < last; v++ {
				t.gone[v] = true
			}
			t.next[first], t.prev[last] = last, first
		default:
			some = true
		}
		first = last
	}
	return some
}

// alone reports whether no point but those from first to last lies in the box around
// them.
func (t *simplifier) alone(first, last int32) bool {
	v, c := t.all[last], t.cells[last]
	minX, maxX, minY, maxY := v.X, v.X, v.Y, v.Y
	least, most := c, c
	for i, v := range t.all[first:last] {
		minX, maxX, minY, maxY = min(minX, v.X), max(maxX, v.X), min(minY, v.Y), max(maxY, v.Y)
		c := t.cells[int(first)+i]
		least, most = cell{min(least.x, c.x), min(least.y, c.y)}, cell{max(most.x, c.x), max(most.y, c.y)}
	}
	if (most.x-least.x+1)*(most.y-least.y+1) > fewCells+(last-first) { // of a long slope there is too much around
		return false
	}
	for y := int(least.y); y <= int(most.y); y++ {
		for _, at := range t.bucket[y*t.w+int(least.x) : y*t.w+int(most.x)+1] {
			for at != 0 {
				v := at - 1
				at = t.other[v]
				p := t.all[v]
				if p.X >= minX && p.X <= maxX && p.Y >= minY && p.Y <= maxY && !t.gone[v] && (v < first || v > last) && p != t.all[first] && p != t.all[last] {
					return false
				}
			}
		}
	}
	return true
}

// drop removes the points that need not stay, of neighbours only every other one in
// a pass so that the triangles stay small, until no more can go.
func (t *simplifier) drop(a arc) {
	for changed := true; changed; {
		changed = false
		for v := t.next[a.first]; v != a.last; v = t.next[v] {
			if t.keep[v] || !t.triangleEmpty(t.prev[v], v, t.next[v]) {
				continue
			}
			next := t.next[v]
			t.next[t.prev[v]], t.prev[next] = next, t.prev[v]
			t.gone[v], changed = true, true
			if v = next; v == a.last {
				break
			}
		}
	}
}

// triangleEmpty reports whether no other point lies in the triangle of i, j and k.
func (t *simplifier) triangleEmpty(i, j, k int32) bool {
	a, b, c := t.all[i], t.all[j], t.all[k]
	minX, maxX, minY, maxY := min(a.X, b.X, c.X), max(a.X, b.X, c.X), min(a.Y, b.Y, c.Y), max(a.Y, b.Y, c.Y)
	d, e, f := t.cells[i], t.cells[j], t.cells[k]
	x0, x1 := int(min(d.x, e.x, f.x)), int(max(d.x, e.x, f.x))
	for y := int(min(d.y, e.y, f.y)); y <= int(max(d.y, e.y, f.y)); y++ {
		for _, next := range t.bucket[y*t.w+x0 : y*t.w+x1+1] {
			for next != 0 {
				v := next - 1
				next = t.other[v]
				p := t.all[v]
				if p.X < minX || p.X > maxX || p.Y < minY || p.Y > maxY || t.gone[v] || p == a || p == b || p == c {
					continue
				}
				d, e, f := turn(a, b, p), turn(b, c, p), turn(c, a, p)
				if d >= 0 && e >= 0 && f >= 0 || d <= 0 && e <= 0 && f <= 0 {
					return false
				}
			}
		}
	}
	return true
}
