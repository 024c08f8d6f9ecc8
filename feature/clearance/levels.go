package clearance

import (
	"math"

	"github.com/waygate/waygate/clearance/artefact"
)

// Roads rise by no more than this between two places of the line: a step in the surface, and a
// slope.
const (
	mostStep  = 0.3 // metres
	mostSlope = 0.2
)

const (
	// lookAbout is how far along the line, in metres, a place is looked for where there is one
	// road alone, to find on which of several the route is.
	lookAbout = 200.0
	// stride is the distance of places that are looked at for the road's height, in metres.
	stride = 1.0
)

// levels follows the height of the road, for places where roads cross above one another.
type levels struct {
	arc float64
	z   float64
	ok  bool
}

// at returns on which road the route is at a place: one height, or where that cannot be told all
// levels, of which the worst counts. It returns none where the survey has no road at the height of
// the route's, or no more than one of those that may be there.
func (l *levels) at(w *walker, p at, arc float64) (all []height) {
	if !w.layered(p) {
		*l = levels{}
		return []height{{}}
	}
	known := l.ok && math.Abs(arc-l.arc) <= 2*step
	if known { // of the station before
		if h, ok := w.plane(p, l.z, math.Abs(arc-l.arc)); ok {
			*l = levels{arc, h.z, true}
			return []height{h}
		}
	}
	for _, way := range []float64{-1, 1} {
		z, begun, ok := w.follow(arc, way)
		known = known || begun
		if ok {
			if h, ok := w.plane(p, z, stride); ok {
				*l = levels{arc, h.z, true}
				return []height{h}
			}
		}
	}
	*l = levels{}
	for level := range artefact.MostLevel + 1 {
		if level == 0 || w.has(p, level) {
			all = append(all, height{level: level})
		}
	}
	if known || len(all) < 2 {
		return nil
	}
	return all
}

// layered reports whether roads lie above one another within reach of a place.
func (w *walker) layered(p at) bool {
	if !w.layers {
		return false
	}
	edge := w.cell * artefact.TileCells
	grid := &w.file.Header.Grid
	for off := -w.reach; off <= w.reach+edge/2; off += edge / 2 {
		x, y := p.beside(min(off, w.reach))
		for _, along := range [...]float64{-1, 0, 1} { // the interval of the station
			if t := w.tile(floor((x+along*p.ux-grid.OriginX)/edge), floor((y+along*p.uy-grid.OriginY)/edge)); t != nil && t.above {
				return true
			}
		}
	}
	return false
}

// has reports whether a level has a road near a place.
func (w *walker) has(p at, level int) bool {
	for _, off := range w.about() {
		x, y := p.beside(off)
		column, row := w.file.Header.Grid.CellAt(x, y)
		if level >= w.tile(column>>5, row>>5).levels() {
			continue
		}
		if _, ok := w.read(level, column, row); ok {
			return true
		}
	}
	return false
}

// about lists places beside the line where its road may be, the nearest first.
func (w *walker) about() []float64 {
	if w.offs == nil {
		w.offs = append(w.offs, 0)
		for off := 1.0; off <= 2+w.file.Header.PositionAccuracy; off++ {
			w.offs = append(w.offs, off, -off)
		}
	}
	return w.offs
}

// plane finds the surface at a place that is as high as one so many metres before.
func (w *walker) plane(p at, z, metres float64) (h height, ok bool) {
	best := mostStep + mostSlope*metres
	for _, off := range w.about() {
		x, y := p.beside(off)
		column, row := w.file.Header.Grid.CellAt(x, y)
		for level := range w.tile(column>>5, row>>5).levels() {
			c, seen := w.read(level, column, row)
			if !seen || math.IsNaN(c.Surface) {
				continue
			}
			there := w.surface(&c, column, row, x, y)
			if d := math.Abs(there - z); d < best {
				h, ok, best = height{level: -1, x: x, y: y, z: there, slopeX: c.SlopeX, slopeY: c.SlopeY}, true, d
			}
		}
		if ok {
			return h, true
		}
	}
	return h, false
}

// surface returns the height of a cell's plane at a position.
func (w *walker) surface(c *artefact.Cell, column, row int, x, y float64) float64 {
	cx, cy := w.file.Header.Grid.Centre(column, row)
	return c.Surface + c.SlopeX*(x-cx) + c.SlopeY*(y-cy)
}

// alone returns the height of the road at a place where there is one alone.
func (w *walker) alone(p at) (z float64, ok bool) {
	for _, off := range w.about() {
		x, y := p.beside(off)
		column, row := w.file.Header.Grid.CellAt(x, y)
		if c, there := w.read(0, column, row); there && !math.IsNaN(c.Surface) {
			return w.surface(&c, column, row, x, y), true
		}
	}
	return 0, false
}

// follow finds a place back or forth along the line with one road alone, and follows its height
// to the place next to arc. begun is whether there is such a place, though its height is lost.
func (w *walker) follow(arc, way float64) (z float64, begun, ok bool) {
	n := 0
	for n = 1; float64(n)*stride <= lookAbout; n++ {
		there := arc + way*float64(n)*stride
		if there < 0 || there > w.line.length {
			return 0, begun, false
		}
		p, good := w.surveyPosition(there)
		if !good {
			return 0, begun, false
		}
		if !w.layered(p) {
			if z, begun = w.alone(p); !begun {
				return 0, begun, false
			}
			break
		}
	}
	if !begun {
		return 0, begun, false
	}
	since := stride // the last place with a surface
	for n--; n >= 1; n-- {
		p, good := w.surveyPosition(arc + way*float64(n)*stride)
		if !good {
			return 0, begun, false
		}
		if h, seen := w.plane(p, z, since); seen {
			z, since = h.z, stride
		} else if since += stride; since > 5*stride {
			return 0, begun, false
		}
	}
	return z, true, true
}

// profileState says whether the road's height is known at a metre of the line.
type profileState uint8

const (
	unread  profileState = iota
	single               // there is one road
	several              // roads lie above one another
	unseen               // no surface is known
)

// metre returns the height of the road at a whole metre of the line, where there is one road.
func (w *walker) metre(m int) (z float64, state profileState) {
	k := &w.profile[m&(len(w.profile)-1)]
	if k.state != unread && k.metre == m {
		return k.z, k.state
	}
	k.metre, k.state, k.z = m, unseen, math.NaN()
	p, ok := w.surveyPosition(float64(m) * stride)
	switch {
	case !ok:
	case w.layered(p):
		k.state = several
	default:
		if z, ok := w.alone(p); ok {
			k.z, k.state = z, single
		}
	}
	return k.z, k.state
}

// road returns the height of the road at a place; NaN where it is not known.
func (from height) road(w *walker, p at) float64 {
	if from.level < 0 {
		return from.z + from.slopeX*(p.x-from.x) + from.slopeY*(p.y-from.y)
	}
	for _, off := range w.about() {
		x, y := p.beside(off)
		column, row := w.file.Header.Grid.CellAt(x, y)
		if c, seen := w.cellAt(column, row, from); seen && !math.IsNaN(c.Surface) {
			return w.surface(&c, column, row, x, y)
		}
	}
	return math.NaN()
}

// axles returns how many strides from a place axles may stand.
func (v *vehicle) axles() int { return int(math.Ceil((v.wheelbase+overhangRear)/stride)) + 1 }

// liftAt is by how much at most a vehicle's roof rises over the road at a place, as its axles
// stand on higher ground before and behind it: the greatest over all places of the axles, of the
// chord between them, which overhangs go on, less the road.
func (w *walker) liftAt(arc float64, from height) float64 {
	base := w.vehicle.wheelbase
	if base < stride {
		return 0
	}
	p, ok := w.surveyPosition(arc)
	if !ok {
		return 0
	}
	here := from.road(w, p)
	if math.IsNaN(here) {
		return 0
	}
	n := w.vehicle.axles()
	first := int(math.Round(arc/stride)) - n
	if cap(w.heights) < 2*n+1 {
		w.heights = make([]float64, 2*n+1)
	}
	heights := w.heights[:2*n+1]
	for _, way := range []int{-1, 1} {
		z, since := here, stride
		for i := boolean(way > 0); i <= n; i++ {
			at := n + way*i
			known, state := w.metre(first + at)
			if state == several {
				known = math.NaN()
				if p, ok := w.surveyPosition(float64(first+at) * stride); ok {
					if h, seen := w.plane(p, z, since); seen {
						known = h.z
					}
				}
			}
			heights[at] = known
			if since += stride; !math.IsNaN(known) {
				z, since = known, stride
			}
		}
	}
	return chord(heights, arc/stride-float64(first), here, base/stride)
}

// swell is how much the road's profile differs from a straight one about some places of the line.
type swell struct {
	number         int // of the places; those of bounds are other than those of heights
	known, ok      bool
	from           int // stride from which on
	z, rise        float64
	low, high, out float64 // out is what overhangs add to high
}

// swellStrides is how many strides of the line share a swell.
const swellStrides = 8

// liftAtMost returns a lift at a place with one road alone that the vehicle does not exceed, which
// takes less to work out; +Inf where there is none. A straight profile lifts nothing, so that
// heights over a straight line count: a body that stands on two of them is not above the greatest,
// and where it overhangs, not by more than their range and the overhang's share of the length.
// Rough is by the bounds of the heights that summaries have.
func (w *walker) liftAtMost(arc float64, rough bool) float64 {
	number := floor(arc / stride / swellStrides)
	s := &w.swells[boolean(rough)]
	if !s.known || s.number != number {
		*s = newSwell(w, number, rough)
	}
	p, ok := w.surveyPosition(arc)
	if !ok || !s.ok {
		return math.Inf(1)
	}
	here, _, ok := w.surfaceWithin(p)
	if !rough || !ok {
		here = height{}.road(w, p)
	}
	if math.IsNaN(here) {
		return math.Inf(1)
	}
	return max(0, s.high+s.out-(here-s.z-s.rise*(arc/stride-float64(s.from))))
}

func newSwell(w *walker, number int, rough bool) swell {
	heights := func(m int) (low, high float64, state profileState) {
		if rough {
			return w.roughly(m)
		}
		low, state = w.metre(m)
		return low, low, state
	}
	n := w.vehicle.axles()
	s := swell{number: number, known: true, from: number*swellStrides - n, low: math.Inf(1), high: math.Inf(-1)}
	first, last := math.NaN(), math.NaN()
	end := (number+1)*swellStrides + n
	to := 0
	for i := s.from; i <= end; i++ {
		low, high, state := heights(i)
		if state == several {
			return s
		}
		z := (low + high) / 2
		if math.IsNaN(z) {
			continue
		}
		if math.IsNaN(first) {
			first, s.from = z, i
		}
		last, to = z, i
	}
	if to <= s.from {
		return s
	}
	s.z, s.rise, s.ok = first, (last-first)/float64(to-s.from), true
	for i := s.from; i <= to; i++ {
		if low, high, _ := heights(i); !math.IsNaN(low) {
			straight := s.z + s.rise*float64(i-s.from)
			s.low, s.high = min(s.low, low-straight), max(s.high, high-straight)
		}
	}
	s.out = (s.high - s.low) * overhangRear / max(stride/2, w.vehicle.wheelbase/2)
	return s
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// chord returns the greatest height over a place of a profile, whose own height is given, of
// straight bodies that stand on two points of it. Lengths are in steps of the profile.
func chord(profile []float64, place, here, base float64) (most float64) {
	z := func(i float64) float64 { // between two points
		j := int(i)
		if i < 0 || j >= len(profile) {
			return math.NaN()
		}
		t := i - float64(j)
		if t < 1e-9 {
			return profile[j]
		}
		if j+1 >= len(profile) {
			return math.NaN()
		}
		return profile[j] + t*(profile[j+1]-profile[j])
	}
	for _, length := range [...]float64{base, base / 2} {
		for rear := math.Ceil(place - length - overhangFront/stride); rear <= place+overhangRear/stride; rear++ {
			a, b := z(rear), z(rear+length)
			if lift := a + (b-a)*(place-rear)/length - here; lift > most { // not where a height is unknown
				most = lift
			}
		}
	}
	return most
}
