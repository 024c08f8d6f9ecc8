package measure

import (
	"math"
	"slices"

	"github.com/waygate/waygate/clearance/artefact"
)

// return3 is a return overhead: its foot on the road, its height above it, and its thing.
type return3 struct {
	x, y, h      float32
	cell         int32
	thing        int32
	class, bits  uint8
	source, pass uint8
}

// obstacle stands on a cell.
type obstacle struct {
	n         int32
	low, high float32
}

// findAbove divides the returns above the road into those of obstacles and those overhead.
func (w *above) findAbove() {
	w.obstacle = make([]obstacle, w.W*w.H)
	low := lowReturns{map[int32]uint64{}, map[int32]uint64{}}
	for c := range w.planes {
		w.findAboveCell(c, w.of(c), &low)
	}
	size := float32(w.o.Cell)
	rest := w.doubted()
	for i := range rest {
		x, y := int(math.Floor(float64(rest[i].X/size))), int(math.Floor(float64(rest[i].Y/size)))
		w.findAboveCell(y*w.W+x, rest[i:i+1], &low)
	}
	w.findShade(&low)
	w.clearPasses(low.passes)
}

// lowReturns are the passes, modulo 64 and by cell, with returns of something on the road, and those
// of them with returns that are lower than the bed of a lorry.
type lowReturns struct{ passes, skirted map[int32]uint64 }

// findAboveCell divides returns of a cell.
func (w *above) findAboveCell(c int, returns []Point, low *lowReturns) {
	size, pl := w.o.Cell, &w.planes[c]
	if pl.c == 0 && !pl.ok {
		return
	}
	a, b := pl.a/size, pl.b/size // rise for a metre
	k := 1 / math.Sqrt(1+a*a+b*b)
	for _, q := range returns {
		h := (float64(q.Z) - pl.at(float64(q.X)/size, float64(q.Y)/size)) * k
		if (h > w.o.Ceiling || h < -onRoad) && math.Abs(h) < mostDatum && w.excluded(c, q.Pass) {
			h = w.o.Ceiling // it may be anywhere above the road, so that nothing is free there
		}
		if h <= onRoad || h > w.o.Ceiling {
			continue
		}
		x, y := float64(q.X)+h*a*k, float64(q.Y)+h*b*k
		i, j := int(math.Floor(x/size)), int(math.Floor(y/size))
		if i < 0 || j < 0 || i >= w.W || j >= w.H {
			continue
		}
		foot := int32(j*w.W + i)
		if h < w.o.Least {
			o := &w.obstacle[foot]
			if o.n == 0 {
				o.low, o.high = float32(h), float32(h)
			}
			o.n++
			o.low, o.high = min(o.low, float32(h)), max(o.high, float32(h))
			low.passes[foot] |= 1 << (q.Pass % 64)
			if h < hollowFrom {
				low.skirted[foot] |= 1 << (q.Pass % 64)
			}
			continue
		}
		w.over = append(w.over, return3{float32(x), float32(y), float32(h), foot, -1, q.Class, q.Bits, q.Source, q.Pass})
	}
}

const (
	hollowFrom = 0.4 // metres above the road, of the lowest returns of what one sees the road below,
	hollowTo   = 1.6 // and of the highest: lower things hide nothing from the lowest scanners
	shadeEdge  = 2.0 // metres, of squares
	shadeReach = 4   // squares to which what stands between a scanner and a place is from the place
	// Below a bed at 1.1 m a scanner at 1.9 m sees the road up to 1.4 times its distance from it.
	// What is beyond a lorry of 2.5 m is so within 2 m of it on a road of two lanes. That has no more
	// square metres within shadeReach, so that there is another one, on which the scanner may be, if
	// there are more. Those that are farther away are in Part.Overlooked.
	twoLanes, twoLanesReach, twoLanesArea = 2, 1, 170.0
)

// Reach is how far around a place, in metres, returns may matter to it: what shades it stands
// there.
const Reach = (shadeReach + 1) * shadeEdge

func (w *above) shadeSquare(cell int) square {
	n := int(math.Ceil(shadeEdge / w.o.Cell))
	return square{int32(cell % w.W / n), int32(cell / w.W / n)}
}

// shade is where passes, modulo 64, may have seen the road below something, as the bed of a lorry,
// that hid what is above.
type shade struct {
	about  map[square]uint64 // between the scanner and what it saw
	beyond map[square]uint64 // on the other side of it
}

func (w *above) findShade(low *lowReturns) {
	w.shade = shade{map[square]uint64{}, map[square]uint64{}}
	hollow := map[square]uint64{}
	for cell, with := range low.passes {
		if o := w.obstacle[cell]; o.n >= support && o.high >= hollowTo && w.Lane[cell] > 0 {
			hollow[w.shadeSquare(int(cell))] |= with &^ low.skirted[cell]
		}
	}
	if len(hollow) == 0 {
		return
	}
	lanes, cells := int16(0), map[square]int{}
	for cell, lane := range w.Lane {
		lanes = max(lanes, lane)
		if lane > 0 {
			cells[w.shadeSquare(cell)]++
		}
	}
	for at, with := range hollow {
		near := 0
		at.shadeAbout(shadeReach, func(k square) {
			w.shade.about[k] |= with
			near += cells[k]
		})
		beyond := int32(twoLanesReach)
		if w.Overlooked || lanes > twoLanes || float64(near)*w.o.Cell*w.o.Cell > twoLanesArea || w.cut(at) {
			beyond = shadeReach
		}
		at.shadeAbout(beyond, func(k square) { w.shade.beyond[k] |= with })
	}
}

// cut reports whether the area about a square goes beyond the part, where nothing is known of
// the carriageway.
func (w *above) cut(at square) bool {
	last := w.shadeSquare(w.W*w.H - 1)
	return min(at.x, at.y) < shadeReach || at.x > last.x-shadeReach || at.y > last.y-shadeReach
}

// shadeAbout calls a function with the squares within so many of one.
func (at square) shadeAbout(reach int32, visit func(square)) {
	for dx := -reach; dx <= reach; dx++ {
		for dy := -reach; dy <= reach; dy++ {
			visit(square{at.x + dx, at.y + dy})
		}
	}
}

// shaded returns the passes that show nothing free above a cell.
func (w *above) shaded(cell int) uint64 { return w.shade.about[w.shadeSquare(cell)] }

// clearPasses drops obstacles, and what is above them, that a pass saw and another did not.
func (w *above) clearPasses(lowPasses map[int32]uint64) {
	w.gone = map[int32]uint64{}
	for cell, with := range lowPasses {
		if w.obstacle[cell].n < support || with&(with-1) == 0 && w.onePass() || w.excludesAny(int(cell), with) {
			continue
		}
		if w.seenFree(int(cell), with|w.shaded(int(cell))) {
			w.gone[cell] = with
		}
	}
	for cell := range w.gone {
		w.obstacle[cell] = obstacle{}
	}
	w.over = slices.DeleteFunc(w.over, func(r return3) bool { return w.gone[r.cell]>>(r.pass%64)&1 != 0 })
	w.blocked = make([]bool, w.W*w.H)
	for c := range w.obstacle {
		if w.obstacle[c].n >= support {
			w.around(c, 1, func(i, _, _ int) { w.blocked[i] = true })
		}
	}
	// What is above an obstacle is part of it, or was hidden by it.
	w.over = slices.DeleteFunc(w.over, func(r return3) bool { return w.obstacle[r.cell].n >= support })
}

// excludesAny reports whether the heights of some pass of a set cannot be compared: what seems to
// stand on the road may be the road.
func (w *above) excludesAny(cell int, with uint64) bool {
	e := w.epochAt(cell)
	if e == nil {
		return false
	}
	any := uint64(0)
	for _, some := range e.unlinked {
		any |= some
	}
	return any&with != 0
}

// onePass reports whether all points are of one pass.
func (w *above) onePass() bool {
	return len(w.Points) > 0 && w.Points[0].Pass == w.Points[len(w.Points)-1].Pass
}

// seenFree reports whether a pass that is not in a set, and looks up, has returns of the road in a
// cell.
func (w *above) seenFree(cell int, with uint64) bool {
	var n [64]int
	size, pl := w.o.Cell, &w.planes[cell]
	for _, q := range w.of(cell) {
		if q.Bits&Down == 0 && math.Abs(float64(q.Z)-pl.at(float64(q.X)/size, float64(q.Y)/size)) <= nearRoad {
			n[q.Pass%64]++
		}
	}
	for pass, count := range n {
		if with>>pass&1 == 0 && count >= support {
			return true
		}
	}
	return false
}

// sortAbove sorts overhead returns by cell.
func (w *above) sortAbove() {
	slices.SortFunc(w.over, func(a, b return3) int {
		if a.cell != b.cell {
			return int(a.cell - b.cell)
		}
		switch {
		case a.h < b.h:
			return -1
		case a.h > b.h:
			return 1
		}
		return 0
	})
	w.index()
}

func (w *above) index() {
	w.overAt = make([]int32, w.W*w.H+1)
	for i := range w.over {
		w.overAt[w.over[i].cell+1]++
	}
	for i := range w.W * w.H {
		w.overAt[i+1] += w.overAt[i]
	}
}

func (w *above) overhead(cell int) []return3 { return w.over[w.overAt[cell]:w.overAt[cell+1]] }

// square is one of a coarse grid.
type square struct{ x, y int32 }

// dropIsolated drops returns that almost nothing is near to. Three returns of a wire in a
// strip are less than the strip's length from each other.
func (w *above) dropIsolated() {
	const edge = 2 * halfStrip
	of := func(r *return3) square { return square{int32(r.x / edge), int32(r.y / edge)} }
	near := map[square][]int32{}
	for i := range w.over {
		k := of(&w.over[i])
		near[k] = append(near[k], int32(i))
	}
	alone := make([]bool, len(w.over))
	for i := range w.over {
		alone[i] = !w.hasCompany(&w.over[i], of(&w.over[i]), near)
	}
	kept := w.over[:0]
	for i, r := range w.over {
		if !alone[i] {
			kept = append(kept, r)
		}
	}
	w.counts.Isolated += int64(len(w.over) - len(kept))
	w.over = kept
	w.index()
}

// hasCompany reports whether enough returns are as near as those of one wire are.
func (w *above) hasCompany(r *return3, at square, near map[square][]int32) bool {
	n := 0
	for _, d := range [9]square{{}, {-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}} {
		for _, i := range near[square{at.x + d.x, at.y + d.y}] {
			o := &w.over[i]
			away := math.Hypot(float64(o.x-r.x), float64(o.y-r.y))
			if away <= linkThin && math.Abs(float64(o.h-r.h)) <= 0.1+thinRise*away {
				if n++; n >= support {
					return true
				}
			}
		}
	}
	return false
}

// thing is connected returns overhead.
type thing struct {
	kind            artefact.Kind
	n, multi, green int
	wires           int // by classification
	doubted         int
	passing         bool // it is so small that it may have been there in one pass alone
	excluded        int  // of passes whose heights cannot be compared with the road's
	below           int  // of surveys from the road
	passes          uint64
	low, high       [3]float32
	x, y, xx, xy    float64
	yy              float64
}

const (
	voxel    = 0.25
	link     = 2 // voxels
	compact  = 0.75
	thinWire = 0.06 // standard deviation across
	longWire = 1.0
	// thinClass is thinWire for what is classified as a wire, which may sway.
	thinClass = 0.15
	// bushy in metres is how high what has leaves is at least, and manyLeaves how many returns
	// it has: less may be a wire that is classified as a plant.
	bushy      = 0.3
	manyLeaves = 20
)

// findThings joins returns that are near each other, and says what each thing is.
func (w *above) findThings() {
	type box struct{ x, y, h int32 }
	of := func(r *return3) box { return box{int32(r.x / voxel), int32(r.y / voxel), int32(r.h / voxel)} }
	number := map[box]int32{}
	var boxes []box
	for i := range w.over {
		b := of(&w.over[i])
		if _, ok := number[b]; !ok {
			number[b] = int32(len(boxes))
			boxes = append(boxes, b)
		}
	}
	root := make([]int32, len(boxes))
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, b := range boxes {
		for dx := int32(-link); dx <= link; dx++ {
			for dy := int32(-link); dy <= link; dy++ {
				for dh := int32(-link); dh <= link; dh++ {
					if j, ok := number[box{b.x + dx, b.y + dy, b.h + dh}]; ok {
						root[find(int32(i))] = find(j)
					}
				}
			}
		}
	}
	things := map[int32]int32{}
	for i := range w.over {
		r := &w.over[i]
		f := find(number[of(r)])
		t, ok := things[f]
		if !ok {
			t = int32(len(w.things))
			things[f] = t
			w.things = append(w.things, thing{low: [3]float32{r.x, r.y, r.h}, high: [3]float32{r.x, r.y, r.h}})
		}
		r.thing = t
		w.things[t].add(r)
		if w.excluded(int(r.cell), r.pass) {
			w.things[t].excluded++
		}
	}
	for i := range w.things {
		w.things[i].decide()
	}
	w.dropPassing()
}

func (t *thing) add(r *return3) {
	t.n++
	t.passes |= 1 << (r.pass % 64)
	if r.bits&Multi != 0 {
		t.multi++
	}
	if r.bits&Below != 0 {
		t.below++
	}
	if r.bits&Doubted != 0 {
		t.doubted++
	}
	if r.class >= 3 && r.class <= 5 {
		t.green++
	}
	if r.class >= 13 && r.class <= 16 && r.class != 15 {
		t.wires++
	}
	for i, v := range [3]float32{r.x, r.y, r.h} {
		t.low[i], t.high[i] = min(t.low[i], v), max(t.high[i], v)
	}
	x, y := float64(r.x), float64(r.y)
	t.x, t.y, t.xx, t.xy, t.yy = t.x+x, t.y+y, t.xx+x*x, t.xy+x*y, t.yy+y*y
}

func (t *thing) decide() {
	n := float64(t.n)
	mx, my := t.x/n, t.y/n
	xx, xy, yy := t.xx/n-mx*mx, t.xy/n-mx*my, t.yy/n-my*my
	across := math.Sqrt(max(0, (xx+yy)/2-math.Sqrt((xx-yy)*(xx-yy)/4+xy*xy)))
	dx, dy, dh := float64(t.high[0]-t.low[0]), float64(t.high[1]-t.low[1]), float64(t.high[2]-t.low[2])
	thin := across <= thinWire && math.Hypot(dx, dy) >= longWire && dh <= max(0.3, 2*WireSlope*math.Hypot(dx, dy))
	small := max(dx, dy, dh) <= compact
	switch {
	case t.excluded >= support:
		t.kind = artefact.Unexplained
	case 2*t.doubted >= t.n:
		t.kind, t.passing = artefact.Unexplained, small
	case 2*t.green >= t.n:
		t.kind = artefact.Foliage
	case 2*t.wires >= t.n && across <= thinClass: // decks of bridges have been classified as wires
		t.kind = artefact.Wire
	case small:
		t.kind, t.passing = artefact.Unexplained, true
	case thin:
		t.kind = artefact.Wire
	case 2*t.multi >= t.n && dh >= 0.3:
		t.kind = artefact.Foliage
	default:
		t.kind = artefact.Structure
	}
}

// dropPassing drops unexplained things that a pass saw and another did not.
func (w *above) dropPassing() {
	var seen []bool
	for i := range w.things {
		if w.things[i].passing && seen == nil {
			seen = make([]bool, len(w.things))
		}
	}
	if seen == nil {
		return
	}
	checked := make([]bool, len(w.things))
	for i := range w.over {
		r := &w.over[i]
		t := &w.things[r.thing]
		if !t.passing {
			continue
		}
		free := w.seenFree(int(r.cell), t.passes|w.gone[r.cell]|w.shaded(int(r.cell)))
		seen[r.thing] = free && (seen[r.thing] || !checked[r.thing])
		checked[r.thing] = true
	}
	w.over = slices.DeleteFunc(w.over, func(r return3) bool { return seen[r.thing] })
	w.index()
}
