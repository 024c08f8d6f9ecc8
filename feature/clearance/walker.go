package clearance

import (
	"math"
	"sort"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/geo"
)

const (
	// step is the distance of stations, in metres.
	step = 0.5
	// reach is how far from the line, in metres, carriageways are looked at.
	reach = 10.0
	// sampling of cells and blocks: in units of their edge, so close that none between is missed.
	sampling = 0.7
)

// at is a position of the survey's system with the line's course there.
type at struct{ x, y, ux, uy float64 }

// beside returns the position so many metres to the right.
func (p at) beside(metres float64) (x, y float64) { return p.x + metres*p.uy, p.y - metres*p.ux }

// walker walks along a line over one artefact. It is for one goroutine.
type walker struct {
	lookup
	line    *line
	rd      *artefact.Reader
	vehicle *vehicle
	grown   float64
	reach   float64

	open [32]struct { // tiles that were read
		level, tx, ty int
		ok            bool
		tile          *artefact.Tile
	}
	profile [256]struct { // heights of the road at whole metres of the line
		metre int
		state profileState
		z     float64
	}
	rough [256]struct { // bounds of these, of the summaries
		metre     int
		state     profileState
		low, high float64
	}
	section section
	level   levels
	rows    []at // scratch, as heights
	heights []float64
	swells  [2]swell  // by heights, and by their bounds
	offs    []float64 // of about
	ends    ends
	first   at // where the piece begins
	last    at // where it ends
	lastArc float64
	pending []turn
	err     error // of reading a tile
}

func newWalker(g *ground, l *line, v *vehicle, grown float64) *walker {
	w := &walker{lookup: lookup{ground: g, cell: g.file.Header.Grid.Cell}, line: l, rd: g.file.Reader(), vehicle: v, grown: grown}
	w.reach = max(reach, v.swept) + g.file.Header.PositionAccuracy
	n := int(math.Ceil(w.reach / w.cell))
	w.section = section{slots: make([]slot, 2*n), cell: w.cell, line: float64(n), edge: 2 * g.file.Header.LeastObject, sway: g.file.Header.PositionAccuracy, ceiling: g.file.Header.Ceiling, grown: grown}
	return w
}

// blocksAcross has the measurements of the blocks across the line at a place.
type blocksAcross struct {
	none    bool   // there are no tiles
	hole    bool   // some block of the swept width has not all its cells
	above   bool   // roads lie above one another
	lowest  uint16 // of the blocks' values; unknown where something is not known
	foliage uint16 // likewise of blocks with foliage
}

// row adds what the blocks across the line say, as far as so many metres from it.
func (a *blocksAcross) row(w *walker, p at, reach float64) {
	grid := &w.file.Header.Grid
	block := w.cell * artefact.BlockCells
	advance := block * sampling
	half := w.vehicle.swept/2 + advance/2
	scale := 1 / block
	x0, y0 := (p.x-grid.OriginX)*scale, (p.y-grid.OriginY)*scale
	dx, dy := p.uy*scale, -p.ux*scale
	n := int(math.Ceil(reach / advance))
	for i := -n; i <= n; i++ {
		off := float64(i) * advance
		column, row := floor(x0+off*dx), floor(y0+off*dy)
		t := w.tile(column>>3, row>>3)
		inner := off <= half && off >= -half
		if t == nil {
			a.hole = a.hole || inner
			continue
		}
		a.none = false
		b := row&7<<3 | column&7
		v := t.lane[b]
		if inner {
			v = t.any[b]
			a.hole = a.hole || v == absent
		}
		if v == absent {
			continue
		}
		a.above = a.above || t.above
		a.lowest = min(a.lowest, v)
		if t.foliage>>b&1 == 1 {
			a.foliage = min(a.foliage, v)
		}
	}
}

// levels returns how many levels may have cells in a tile.
func (s *summary) levels() int {
	switch {
	case s == nil:
		return 0
	case s.above:
		return artefact.MostLevel + 1
	}
	return 1
}

func floor(v float64) int {
	i := int(v)
	if v < float64(i) {
		i--
	}
	return i
}

// look fills the section at a station from the cells of a level, or of the one at a height. It
// ends on either side where there are no more roads.
func (w *walker) look(rows []at, from height) {
	s := &w.section
	for i := range s.slots {
		s.slots[i] = emptySlot()
	}
	advance := w.cell * sampling
	n := int((s.line*w.cell - 1e-9) / advance)
	atLeast := int((w.vehicle.swept/2+2+s.sway)/advance) + 1
	most := int(beyondRoads / advance)
	for _, way := range [...]int{1, -1} {
		empty := 0
		for i := (1 - way) / 2; i <= n; i++ {
			some := false
			for r := range rows {
				some = w.sample(&rows[r], float64(way*i)*advance, from) || some
			}
			if empty++; some {
				empty = 0
			}
			if i > atLeast && empty > most {
				break
			}
		}
	}
}

// beyondRoads is how far, in metres, there is no cell where there are no more roads.
const beyondRoads = 1.0

// sample adds the cell so many metres to the right of a position, and reports whether there is one.
func (w *walker) sample(p *at, metres float64, from height) bool {
	s, grid := &w.section, &w.file.Header.Grid
	x, y := p.beside(metres)
	column, row := floor((x-grid.OriginX)/w.cell), floor((y-grid.OriginY)/w.cell)
	c, ok := w.cellAt(column, row, from)
	// A cell counts for all slots that it reaches into.
	cx, cy := grid.Centre(column, row)
	half := w.cell / 2 * (math.Abs(p.ux) + math.Abs(p.uy))
	off := (cx-p.x)*p.uy - (cy-p.y)*p.ux
	k, end := floor(s.line+(off-half)/w.cell+1e-9), floor(s.line+(off+half)/w.cell-1e-9)
	for k = max(k, 0); k <= min(end, len(s.slots)-1); k++ {
		if ok {
			s.slots[k].add(&c)
		} else {
			s.slots[k].hole = true
		}
	}
	return ok
}

// height chooses among the levels of roads at one place.
type height struct {
	level int // that is meant; -1 is the one whose surface is nearest to the plane
	// The plane of the road at a position.
	x, y, z, slopeX, slopeY float64
}

// levelTolerance is how far from the plane of a road, in metres, a surface may be and be its own.
const levelTolerance = 1.2

// cellAt returns the cell of a road in a column and a row.
func (w *walker) cellAt(column, row int, from height) (c artefact.Cell, ok bool) {
	t := w.tile(column>>5, row>>5)
	if t == nil {
		return c, false
	}
	if !t.above {
		c, ok = w.read(0, column, row)
		return c, ok
	}
	if from.level >= 0 {
		c, ok = w.read(from.level, column, row)
		if !ok && from.level > 0 { // the road goes on where none is below it
			c, ok = w.read(0, column, row)
		}
		return c, ok
	}
	x, y := w.file.Header.Grid.Centre(column, row)
	z := from.z + from.slopeX*(x-from.x) + from.slopeY*(y-from.y)
	best := levelTolerance
	var blank artefact.Cell
	isBlank := false
	for level := range t.levels() {
		one, there := w.read(level, column, row)
		if !there {
			continue
		}
		if math.IsNaN(one.Surface) {
			if !isBlank {
				blank, isBlank = one, true
			}
			continue
		}
		if d := math.Abs(one.Surface - z); d < best {
			c, ok, best = one, true, d
		}
	}
	if !ok && isBlank {
		return blank, true
	}
	return c, ok
}

func (w *walker) read(level, column, row int) (c artefact.Cell, ok bool) {
	const shift, mask = 5, artefact.TileCells - 1
	tx, ty := column>>shift, row>>shift
	k := &w.open[tx&3|ty&3<<2|level&1<<4]
	if !k.ok || k.tx != tx || k.ty != ty || k.level != level {
		t, _, err := w.rd.Tile(level, tx, ty)
		if err != nil && w.err == nil {
			w.err = err
		}
		k.ok, k.tx, k.ty, k.level, k.tile = true, tx, ty, level, t
	}
	if k.tile == nil {
		return c, false
	}
	return k.tile.Cell(column&mask, row&mask)
}

// turn is a position where the line turns, with its courses before and after.
type turn struct{ before, after at }

// rows returns the positions of a turn with so many courses between that places at the reach are
// no further apart than so many metres.
func (t turn) rows(reach, metres float64, rows []at) []at {
	a, b := math.Atan2(t.before.uy, t.before.ux), math.Atan2(t.after.uy, t.after.ux)
	d := math.Remainder(b-a, 2*math.Pi)
	n := int(math.Ceil(math.Abs(d) * reach / metres))
	for i := range n + 1 {
		sin, cos := math.Sincos(a + d*float64(i)/float64(max(n, 1)))
		rows = append(rows, at{t.after.x, t.after.y, cos, sin})
	}
	return rows
}

// station judges a station from its middle and the turns of the line before it. least and foliage
// are what tiles have on the carriageways about: where the vehicle passes below that, blocks beyond
// the swept width are not looked at. wanted is the headroom in centimetres below which the exact
// figure is of interest though the vehicle passes.
func (w *walker) station(middle at, turns []turn, arc float64, least, foliage, wanted uint16) (out surveyVerdict) {
	out.height.figure, out.width.figure = nothing, nothing
	a := blocksAcross{none: true, lowest: least, foliage: foliage}
	if a.lowest >= min(wanted, centimetres(w.file.Header.Ceiling)) && w.clears(&a, w.vehicle.height) {
		w.rowsAcross(&a, middle, turns, w.vehicle.swept/2+w.cell*artefact.BlockCells*sampling)
		if !a.none && !a.hole && !a.above && w.sure(&a, arc, wanted, true) {
			return out
		}
	}
	a = blocksAcross{none: true, lowest: math.MaxUint16, foliage: math.MaxUint16}
	w.rowsAcross(&a, middle, turns, w.reach)
	if a.none {
		out.height = finding{class: gap, reason: NotSurveyed}
		out.width = out.height
		return out
	}
	if a.hole || a.above || !w.sure(&a, arc, wanted, false) {
		return w.closely(middle, turns, arc)
	}
	return out
}

// rowsAcross adds what the blocks say across the line at the middle of a station and at turns.
func (w *walker) rowsAcross(a *blocksAcross, middle at, turns []turn, reach float64) {
	a.row(w, middle, reach)
	for _, t := range turns {
		w.rows = t.rows(w.reach, w.cell*artefact.BlockCells*sampling, w.rows[:0])
		for _, p := range w.rows {
			a.row(w, p, reach)
		}
	}
}

// sure reports whether blocks show that the vehicle passes, and that the station is not of interest.
// Rough looks at no cells.
func (w *walker) sure(a *blocksAcross, arc float64, wanted uint16, rough bool) bool {
	if a.lowest < min(wanted, centimetres(w.file.Header.Ceiling)) || !w.clears(a, w.vehicle.height) {
		return false
	}
	if w.clears(a, w.vehicle.height+w.vehicle.lift) {
		return true
	}
	passes := func(lift float64) bool {
		return float64(a.lowest)-100*lift >= float64(wanted) && w.clears(a, w.vehicle.height+lift)
	}
	return passes(w.liftAtMost(arc, true)) || !rough && (passes(w.liftAtMost(arc, false)) || passes(w.liftAt(arc, height{})))
}

// clears reports whether a vehicle of a height passes below all blocks.
func (w *walker) clears(a *blocksAcross, height float64) bool {
	return a.lowest > centimetres(height) && (w.grown == 0 || a.foliage > centimetres(height+w.grown))
}

// surveyVerdict is the verdict of one survey on a station.
type surveyVerdict struct {
	height, width finding
	section       *section // until the next station; nil where blocks were enough
}

// covers reports whether the survey has a road at the station.
func (j *surveyVerdict) covers() bool { return j.height.class != gap || j.height.reason != NotSurveyed }

// closely judges a station by its cells.
func (w *walker) closely(middle at, turns []turn, arc float64) (out surveyVerdict) {
	w.rows = w.finer(middle, w.rows[:0])
	for _, t := range turns {
		w.rows = t.rows(w.reach, w.cell*sampling, w.rows)
	}
	heights := w.level.at(w, middle, arc)
	if len(heights) == 0 {
		out.height = finding{class: gap, reason: InsufficientData}
		out.width = out.height
		return out
	}
	for i, from := range heights {
		w.look(w.rows, from)
		one := surveyVerdict{section: &w.section}
		one.height = w.section.height(w.vehicle, func() float64 { return w.liftAt(arc, from) })
		if w.vehicle.width != nil {
			one.width = w.section.width(w.vehicle, one.height.class == fail)
		}
		if len(heights) == 1 {
			return one
		}
		if i == 0 || one.height.worse(out.height) {
			out.height, out.section = one.height, w.section.copied()
		}
		if i == 0 || one.width.worse(out.width) {
			out.width = one.width
		}
	}
	return out
}

// finer adds positions about the middle of a station, so that no cell is missed.
func (w *walker) finer(p at, rows []at) []at {
	n := int(math.Ceil(step / (w.cell * sampling)))
	for i := range n {
		ahead := ((float64(i)+0.5)/float64(n) - 0.5) * step
		rows = append(rows, at{p.x + ahead*p.ux, p.y + ahead*p.uy, p.ux, p.uy})
	}
	return rows
}

// worse reports whether a finding is worse than another.
func (f finding) worse(than finding) bool {
	if f.class != than.class {
		return f.class > than.class
	}
	if f.class == gap || !f.figure.some() {
		return false
	}
	return !than.figure.some() || f.figure.safe()-f.lift < than.figure.safe()-than.lift
}

func (s *section) copied() *section {
	c := *s
	c.slots = append([]slot(nil), s.slots...)
	return &c
}

// surveyPosition returns the position of the survey's system at a place of the line, which goes on
// straight before its start and behind its end: axles stand there.
func (w *walker) surveyPosition(arc float64) (at, bool) {
	l := w.line
	i := max(1, min(len(l.arcs)-1, sort.SearchFloat64s(l.arcs, arc)))
	for i+1 < len(l.arcs) && l.arcs[i] == l.arcs[i-1] {
		i++
	}
	for i > 1 && l.arcs[i] == l.arcs[i-1] {
		i--
	}
	length := l.arcs[i] - l.arcs[i-1]
	if length == 0 {
		return at{}, false
	}
	parts := int(math.Ceil(length / longestPiece))
	f := (arc - l.arcs[i-1]) / length * float64(parts)
	j := max(0, min(parts-1, int(f)))
	x0, y0, ok0 := w.ends.at(w, i-1, j, parts)
	x1, y1, ok1 := w.ends.at(w, i-1, j+1, parts)
	d := math.Hypot(x1-x0, y1-y0)
	if !ok0 || !ok1 || d == 0 {
		return at{}, false
	}
	f -= float64(j)
	return at{x0 + f*(x1-x0), y0 + f*(y1-y0), (x1 - x0) / d, (y1 - y0) / d}, true
}

// ends are the positions of ends of parts of the line, by the last bits of their numbers.
type ends [64]struct {
	point, part int
	known, ok   bool
	x, y        float64
}

// at returns the position at the end of a part of the line from a point to the next.
func (e *ends) at(w *walker, point, part, parts int) (x, y float64, ok bool) {
	if part == parts {
		point, part = point+1, 0
	}
	k := &e[(point+part)%len(e)]
	if !k.known || k.point != point || k.part != part {
		p := w.line.points[point]
		if part > 0 {
			p = geo.Between(p, w.line.points[point+1], float64(part)/float64(parts))
		}
		k.point, k.part, k.known = point, part, true
		k.x, k.y, k.ok = w.project(p)
	}
	return k.x, k.y, k.ok
}

func (w *walker) project(p geo.Point) (x, y float64, ok bool) {
	x, y, err := w.file.Project(p.Lat, p.Lon)
	return x, y, err == nil
}
