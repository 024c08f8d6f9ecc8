package contour

// simplifier simplifies outlines: it drops the points that Douglas and Peucker
// (1973) would: those between two that stay all at once where no other point lies in
// the box around them, else each only where none lies in the triangle between it and
// its neighbours. So lines that do not cross or touch before do not after: what comes
// in between a line and its shortcut would need a point there to turn back.
type simplifier struct {
	all    []vertex
	flat   []planePoint // of each, in metres from the first of its outline
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

type planePoint struct{ x, y float64 }

// cell is a square of the grid's cells, bucketSide a side, by column and row.
type cell struct{ x, y int32 }

const bucketSide = 4

// fewCells is how many cells are as soon looked at at once as triangle by triangle.
const fewCells = 16

// simplify gives the outlines simplified by at most tolerance metres, valid until
// the next call.
func (t *simplifier) simplify(all []outline, g *grid, tolerance float64) []outline {
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
		if left, some := t.dropSpans(begin, n); some {
			t.drop(begin, left)
		}
		begin += n
	}
	begin = 0
	kept := t.all[:0] // in place: there are never more than before
	for i := range all {
		n, first := int32(len(all[i].line)), len(kept)
		for v := begin; v < begin+n; v++ {
			if !t.gone[v] {
				kept = append(kept, t.all[v])
			}
		}
		all[i].line = kept[first:len(kept):len(kept)]
		all[i].measure()
		begin += n
	}
	return all
}

// load links the vertices into rings and sorts them into cells.
func (t *simplifier) load(all []outline, g *grid) {
	t.corner, t.w, t.h = g.vertex(0, 0), g.w/bucketSide+1, g.h/bucketSide+1
	t.cellX, t.cellY = 0.5/bucketSide/g.degreesX, 0.5/bucketSide/g.degreesY
	t.all, t.flat, t.cells, t.prev, t.next, t.other = t.all[:0], t.flat[:0], t.cells[:0], t.prev[:0], t.next[:0], t.other[:0]
	if n := t.w * t.h; cap(t.bucket) < n {
		t.bucket = make([]int32, n)
	} else {
		t.bucket = t.bucket[:n]
		clear(t.bucket)
	}
	for _, o := range all {
		begin, n := int32(len(t.all)), int32(len(o.line))
		for i, v := range o.line {
			at := begin + int32(i)
			t.all = append(t.all, v)
			t.flat = append(t.flat, planePoint{float64(v.X-o.line[0].X) * t.scaleX, float64(v.Y-o.line[0].Y) * t.scaleY})
			t.prev = append(t.prev, at-1)
			t.next = append(t.next, at+1)
			c := t.cell(v)
			b := int(c.y)*t.w + int(c.x)
			t.cells, t.other = append(t.cells, c), append(t.other, t.bucket[b])
			t.bucket[b] = at + 1
		}
		t.prev[begin], t.next[begin+n-1] = begin+n-1, begin
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

func (t *simplifier) cell(v vertex) cell {
	x, y := int(float64(v.X-t.corner.X)*t.cellX), int(float64(v.Y-t.corner.Y)*t.cellY)
	return cell{int32(max(0, min(x, t.w-1))), int32(max(0, min(y, t.h-1)))}
}

// peucker marks the points of a ring that stay: its first, the one farthest
// from it, and those further than tolerance from the line without them.
func (t *simplifier) peucker(begin, n int32, tolerance float64) {
	line, keep := t.flat[begin:begin+n], t.keep[begin:begin+n]
	far, _ := farthest(line, line[0], line[0], -1)
	keep[0], keep[far] = true, true
	t.spans = append(t.spans[:0], [2]int32{0, far}, [2]int32{far, n})
	for len(t.spans) > 0 {
		s := t.spans[len(t.spans)-1]
		t.spans = t.spans[:len(t.spans)-1]
		end := s[1]
		if end == n {
			end = 0
		}
		if far, ok := farthest(line[s[0]+1:s[1]], line[s[0]], line[end], tolerance*tolerance); ok {
			far += s[0] + 1
			keep[far] = true
			t.spans = append(t.spans, [2]int32{s[0], far}, [2]int32{far, s[1]})
		}
	}
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

// dropSpans removes the points of a ring between two that stay where nothing else is
// around them. It gives how many are left, and reports whether some of them may go.
func (t *simplifier) dropSpans(begin, n int32) (left int32, some bool) {
	keep, left, stay := t.keep[begin:begin+n], n, 0
	for _, k := range keep {
		if k {
			stay++
		}
	}
	if stay < 3 {
		return n, true
	}
	for first := begin; first < begin+n; {
		last, next := first+1, begin // the first point stays
		for last < begin+n && !t.keep[last] {
			last++
		}
		if last < begin+n {
			next = last
		}
		switch dropped := last - first - 1; {
		case dropped == 0:
		case t.alone(first, last, next):
			for v := first + 1; v < last; v++ {
				t.gone[v] = true
			}
			t.next[first], t.prev[next] = next, first
			left -= dropped
		default:
			some = true
		}
		first = last
	}
	return left, some
}

// alone reports whether no point but those from first on, before last, and next lies in
// the box around them.
func (t *simplifier) alone(first, last, next int32) bool {
	v, c := t.all[next], t.cells[next]
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
				if p.X >= minX && p.X <= maxX && p.Y >= minY && p.Y <= maxY && !t.gone[v] && (v < first || v >= last) && v != next {
					return false
				}
			}
		}
	}
	return true
}

// drop removes the points that need not stay, of neighbours only every other one in
// a pass so that the triangles stay small, until no more can go. So many are left.
func (t *simplifier) drop(begin, left int32) {
	for changed := true; changed; {
		changed = false
		for v := t.next[begin]; v != begin; v = t.next[v] {
			if left <= 3 || t.keep[v] || !t.triangleEmpty(t.prev[v], v, t.next[v]) {
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
				if p.X < minX || p.X > maxX || p.Y < minY || p.Y > maxY || t.gone[v] || v == i || v == j || v == k {
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
