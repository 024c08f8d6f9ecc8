package clearance

import (
	"math"

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

// beside is the position so many metres to the right.
func (p at) beside(metres float64) (x, y float64) { return p.x + metres*p.uy, p.y - metres*p.ux }

// walker walks along a line over one artefact. It is for one goroutine.
type walker struct {
	*ground
	line    *line
	rd      *artefact.Reader
	vehicle *vehicle
	grown   float64
	reach   float64
	cell    float64

	kept [64]struct { // summaries of tiles that were looked up, by the last bits of their places
		tx, ty int
		ok     bool
		tile   *summary
	}
	section section
	level   levels
	rows    []at // scratch
	first   at   // where the piece begins
	last    at   // where it ends
	lastArc float64
	pending []turn
	err     error // of reading a tile
}

func newWalker(g *ground, l *line, v *vehicle, grown float64) *walker {
	w := &walker{ground: g, line: l, rd: g.file.Reader(), vehicle: v, grown: grown, cell: g.file.Header.Grid.Cell}
	w.reach = max(reach, v.swept) + g.file.Header.PositionAccuracy
	n := int(math.Ceil(w.reach / w.cell))
	w.section = section{slots: make([]slot, 2*n), cell: w.cell, line: float64(n), edge: 2 * g.file.Header.LeastObject, sway: g.file.Header.PositionAccuracy, ceiling: g.file.Header.Ceiling, grown: grown}
	return w
}

// tile returns the summary of a tile of level 0; nil where there is none.
func (w *walker) tile(tx, ty int) *summary {
	k := &w.kept[tx&7|ty&7<<3]
	if !k.ok || k.tx != tx || k.ty != ty {
		k.ok, k.tx, k.ty, k.tile = true, tx, ty, nil
		if key, ok := artefact.KeyOf(0, tx, ty); ok {
			k.tile = w.tiles[key]
		}
	}
	return k.tile
}

// row looks at the blocks across the line. sure reports that the vehicle passes whatever its
// place, by the blocks alone; lowest is the least of their values then, and free those of the
// width likewise. Where nothing is near, none is true.
func (w *walker) row(p at) (sure, none bool, lowest uint16) {
	grid := &w.file.Header.Grid
	block := w.cell * artefact.BlockCells
	half := w.vehicle.swept/2 + block*sampling
	need := centimetres(w.vehicle.height+w.vehicle.lift) + 1
	leaves := centimetres(w.vehicle.height+w.vehicle.lift+w.grown) + 1
	sure, none, lowest = true, true, math.MaxUint16
	advance := block * sampling
	n := int(math.Ceil(w.reach / advance))
	for i := -n; i <= n; i++ {
		off := float64(i) * advance
		x, y := p.beside(off)
		column, row := floor((x-grid.OriginX)/block), floor((y-grid.OriginY)/block)
		t := w.tile(column>>3, row>>3)
		if t == nil {
			sure = sure && math.Abs(off) > half
			continue
		}
		none = false
		b := row&7<<3 | column&7
		v := t.lane[b]
		if math.Abs(off) <= half {
			v = t.any[b]
			if v == absent {
				sure = false
				continue
			}
		} else if v == absent {
			continue
		}
		if v < need || t.above || w.grown > 0 && t.foliage>>b&1 == 1 && v < leaves {
			sure = false
		}
		lowest = min(lowest, v)
	}
	return sure, none, lowest
}

// levels is how many levels may have cells in a tile.
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

// look fills the section at a station from the cells of a level, or of the one at a height.
func (w *walker) look(rows []at, from height) {
	s := &w.section
	for i := range s.slots {
		s.slots[i] = emptySlot()
	}
	grid := &w.file.Header.Grid
	advance := w.cell * sampling
	most := int((s.line*w.cell - 1e-9) / advance)
	for _, p := range rows {
		half := w.cell / 2 * (math.Abs(p.ux) + math.Abs(p.uy)) // of a cell, across the line
		for i := -most; i <= most; i++ {
			x, y := p.beside(float64(i) * advance)
			column, row := floor((x-grid.OriginX)/w.cell), floor((y-grid.OriginY)/w.cell)
			c, ok := w.cellAt(column, row, from)
			// A cell counts for all slots that it reaches into.
			cx, cy := grid.Centre(column, row)
			off := (cx-p.x)*p.uy - (cy-p.y)*p.ux
			k, end := floor(s.line+(off-half)/w.cell+1e-9), floor(s.line+(off+half)/w.cell-1e-9)
			for k = max(k, 0); k <= min(end, len(s.slots)-1); k++ {
				if ok {
					s.slots[k].add(&c)
				} else {
					s.slots[k].hole = true
				}
			}
		}
	}
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
	c, ok, err := w.rd.Cell(level, column, row)
	if err != nil && w.err == nil {
		w.err = err
	}
	return c, ok && err == nil
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

// station judges a station from its middle and the turns of the line before it. wanted is the
// headroom in centimetres below which the exact figure is of interest though the vehicle passes.
func (w *walker) station(middle at, turns []turn, arc float64, wanted uint16) (out judged) {
	sure, none, lowest := w.row(middle)
	for _, t := range turns {
		w.rows = t.rows(w.reach, w.cell*artefact.BlockCells*sampling, w.rows[:0])
		for _, p := range w.rows {
			s, n, l := w.row(p)
			sure, none, lowest = sure && s, none && n, min(lowest, l)
		}
	}
	switch {
	case none:
		out.height = finding{class: gap, reason: NotSurveyed}
		out.width = out.height
		return out
	case sure && lowest >= min(wanted, centimetres(w.file.Header.Ceiling)):
		out.height.figure, out.width.figure = nothing, nothing
		return out
	}
	return w.closely(middle, turns, arc)
}

// judged is what one survey says of a station.
type judged struct {
	height, width finding
	section       *section // until the next station; nil where blocks were enough
}

// covers reports whether the survey has a road at the station.
func (j *judged) covers() bool { return j.height.class != gap || j.height.reason != NotSurveyed }

// closely judges a station by its cells.
func (w *walker) closely(middle at, turns []turn, arc float64) (out judged) {
	w.rows = w.finer(middle, w.rows[:0])
	for _, t := range turns {
		w.rows = t.rows(w.reach, w.cell*sampling, w.rows)
	}
	heights := w.level.at(w, middle, arc)
	for i, from := range heights {
		w.look(w.rows, from)
		one := judged{section: &w.section}
		one.height = w.section.height(w.vehicle, func() float64 { return w.liftAt(arc, from) })
		if w.vehicle.width != nil {
			one.width = w.section.width(w.vehicle)
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

// place returns the position of the survey's system at a place of the line.
func (w *walker) place(arc float64) (at, bool) {
	const ahead = 0.5 // metres, for the course
	x, y, ok := w.project(w.line.at(arc))
	if !ok {
		return at{}, false
	}
	back, forth := max(0, arc-ahead), min(w.line.length, arc+ahead)
	x0, y0, ok0 := w.project(w.line.at(back))
	x1, y1, ok1 := w.project(w.line.at(forth))
	d := math.Hypot(x1-x0, y1-y0)
	if !ok0 || !ok1 || d == 0 {
		return at{}, false
	}
	return at{x, y, (x1 - x0) / d, (y1 - y0) / d}, true
}

func (w *walker) project(p geo.Point) (x, y float64, ok bool) {
	x, y, err := w.file.Project(p.Lat, p.Lon)
	return x, y, err == nil
}
