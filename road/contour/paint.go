package contour

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// bitmap has a bit for each cell of a grid. The bits of its margin stay 0, so that nothing
// is shifted from the end of a row into the next.
type bitmap []uint64

// reset clears the bitmap and gives it the grid's size.
func (m *bitmap) reset(g *grid) {
	n := g.stride * g.h
	*m = slices.Grow((*m)[:0], n)[:n]
	clear(*m)
}

// checkEvery is how many lines are painted between two checks of the context.
const checkEvery = 1 << 14

// paint marks all cells within reach of a level. The levels before it and their whole roads
// must be marked already; the levels after it, if any, have no smaller limits.
func (d *Drawer) paint(ctx context.Context, r *Reached, levels []Level, i int, after []int) error {
	l, g := levels[i], &d.grid
	for part := range slices.Chunk(ofLevel(r.Whole, i), checkEvery) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for k := range part {
			g.line(d.roads, part[k])
		}
	}
	for _, p := range ofLevel(r.Parts, i) {
		g.put(d.roads, p)
	}
	if len(after) > 0 {
		// A stroke within this level's margin is within those of later levels too, so the
		// smallest margin is tested once.
		fullReach := l.fullReach(g)
		for _, j := range after {
			fullReach = min(fullReach, levels[j].fullReach(g))
		}
		left := d.left[:0]
		for n, s := range d.left {
			if n%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if s.reachedWithin(l.Measure, fullReach) {
				g.line(d.roads, s.Line)
			} else {
				left = append(left, s)
			}
		}
		d.left = left
	}
	d.near = append(d.near[:0], d.roads...)
	for part := range slices.Chunk(d.left, checkEvery) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, s := range part {
			d.stroke(s, &l)
		}
	}
	d.dilate()
	return nil
}

// ofLevel returns the list of a level, nil if there are fewer lists.
func ofLevel[T any](lists [][]T, level int) []T {
	if level < len(lists) {
		return lists[level]
	}
	return nil
}

// fullReach returns the measure up to which the whole reach around a road is within the limit.
func (l *Level) fullReach(g *grid) float32 { return float32(l.Limit - math.Max(1e-6, l.Slope)*g.reach) }

// reachedWithin reports whether a stroke has all of its line and ends at or below a value.
func (s *Stroke) reachedWithin(m Measure, most float32) bool {
	return s.AtBegin[m] <= most && s.AtEnd[m] <= most && s.Begin == 0 && s.End == 1
}

// line marks the cells that a line passes: each is beside the one before it or meets it at a
// corner. It goes by cells of leastCell metres on every grid, so that the cells of a Patch
// are those of its lines.
func (g *grid) line(on bitmap, line Line) {
	left, bottom := g.left<<g.shift, g.bottom<<g.shift
	ax, ay := int64(line[0].Lon)*g.plane.east-left, int64(line[0].Lat)*g.plane.north-bottom
	g.mark(on, ax, ay)
	for _, b := range line[1:] {
		bx, by := int64(b.Lon)*g.plane.east-left, int64(b.Lat)*g.plane.north-bottom
		if pieces := max(bx-ax, ax-bx, by-ay, ay-by)>>fraction + 1; pieces > 1 {
			dx, dy := (bx-ax)/pieces, (by-ay)/pieces
			for range pieces - 1 {
				ax, ay = ax+dx, ay+dy
				g.mark(on, ax, ay)
			}
		}
		ax, ay = bx, by
		g.mark(on, ax, ay)
	}
}

// mark marks the cell of a place of the plane, given from the grid's corner.
func (g *grid) mark(on bitmap, x, y int64) {
	c := uint64(x) >> g.shift
	on[uint64(y)>>g.shift*uint64(g.stride)+c/64] |= 1 << (c % 64)
}

// stroke marks the part of a stroke that is within a level: as a road where the whole reach
// is within the limit, and beyond that as discs that become smaller.
func (d *Drawer) stroke(s *Stroke, l *Level) {
	g := &d.grid
	first, last := s.AtBegin[l.Measure], s.AtEnd[l.Measure]
	slope, fullReach, limit := math.Max(1e-6, l.Slope), l.fullReach(g), float32(l.Limit)
	if s.reachedWithin(l.Measure, fullReach) {
		g.line(d.near, s.Line)
		return
	}
	if first > limit && last > limit {
		return
	}
	d.spots = g.spots(d.spots[:0], s)
	rise := (last - first) / float32(len(d.spots))
	value := first + rise/2
	for _, at := range d.spots {
		switch {
		case value <= fullReach:
			c := int(at.x)
			d.near[int(at.y)*g.stride+c/64] |= 1 << (c % 64)
		case value <= limit:
			g.disc(d.wide, at, float64(limit-value)/slope)
		}
		value += rise
	}
}

// gridPoint is a place on a road, in cells from the grid's corner.
type gridPoint struct{ x, y float64 }

func (a gridPoint) to(b gridPoint) float64 {
	return math.Sqrt((b.x-a.x)*(b.x-a.x) + (b.y-a.y)*(b.y-a.y))
}

// spots appends the middles of pieces of equal length, a cell at most, of the part
// of a stroke that was reached.
func (g *grid) spots(dst []gridPoint, s *Stroke) []gridPoint {
	unit := 1 / float64(int64(1)<<g.shift)
	at := func(f geo.Fixed) gridPoint {
		return gridPoint{float64(int64(f.Lon)*g.plane.east-g.left<<g.shift) * unit, float64(int64(f.Lat)*g.plane.north-g.bottom<<g.shift) * unit}
	}
	total := 0.0
	a := at(s.Line[0])
	if len(s.Line) == 2 { // as most are
		return between(dst, s, a, at(s.Line[1]))
	}
	for _, f := range s.Line[1:] {
		b := at(f)
		total += a.to(b)
		a = b
	}
	reached := (s.End - s.Begin) * total
	pieces := math.Max(1, math.Ceil(reached))
	every := reached / pieces
	next, left := s.Begin*total+every/2, int(pieces) // next is from a on
	a = at(s.Line[0])
	for _, f := range s.Line[1:] {
		b := at(f)
		length := a.to(b)
		for next < length {
			t := next / length
			dst = append(dst, gridPoint{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t})
			if left--; left == 0 {
				return dst
			}
			next += every
		}
		next -= length
		a = b
	}
	// Rounding may leave some beyond the end of the line.
	for ; left > 0; left-- {
		dst = append(dst, a)
	}
	return dst
}

// between is spots for a line from a to b.
func between(dst []gridPoint, s *Stroke, a, b gridPoint) []gridPoint {
	reached := s.End - s.Begin
	pieces := math.Max(1, math.Ceil(reached*a.to(b)))
	every := reached / pieces
	for t, left := s.Begin+every/2, int(pieces); left > 0; left-- {
		dst = append(dst, gridPoint{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t})
		t += every
	}
	return dst
}

// disc marks the cells whose centres are within so many metres of a spot.
func (g *grid) disc(on bitmap, s gridPoint, radius float64) {
	x, y := s.x-0.5, s.y-0.5 // in centres
	high := radius / g.cellY
	for row := int(math.Ceil(y - high)); row <= int(math.Floor(y+high)); row++ {
		dy := (float64(row) - y) * g.cellY
		half := math.Sqrt(math.Max(0, radius*radius-dy*dy)) / g.cellX
		first, last := int(math.Ceil(x-half)), int(math.Floor(x+half))
		words := on[row*g.stride:]
		for from := first; from <= last; from = from&^63 + 64 { // word by word
			to := min(last, from|63)
			words[from/64] |= ^uint64(0) >> (63 - to + from) << (from % 64)
		}
	}
}

// dilate marks the cells whose centres are within reach of the centre of a road's cell. It
// leaves no bits in near.
func (d *Drawer) dilate() {
	g := &d.grid
	rows := int(g.reach / g.cellY)
	for wide, most := 0, int(g.reach/g.cellX); wide <= most; wide++ {
		if wide > 0 {
			d.near.widen()
		}
		for row := -rows; row <= rows; row++ {
			dy := float64(row) * g.cellY
			if int(math.Sqrt(math.Max(0, g.reach*g.reach-dy*dy))/g.cellX) != wide {
				continue
			}
			from, to := d.near, d.wide
			if row < 0 {
				from = from[-row*g.stride:]
			} else {
				to = to[row*g.stride:]
			}
			to = to[:min(len(from), len(to))]
			for i, v := range from[:len(to)] {
				to[i] |= v
			}
		}
	}
}

// widen marks the cells beside marked ones in the same row.
func (m bitmap) widen() {
	before := uint64(0)
	for i, v := range m {
		after := uint64(0)
		if i+1 < len(m) {
			after = m[i+1]
		}
		m[i] = v | v<<1 | v>>1 | before>>63 | after<<63
		before = v
	}
}
