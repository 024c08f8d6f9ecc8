package clearance

import (
	"math"

	"github.com/waygate/waygate/clearance/artefact"
)

// slot is a part of a cross-section, as wide as a cell.
type slot struct {
	seen         bool // there is a cell
	lane         bool // of a carriageway
	notSurveyed  bool // some cell has no road surface
	insufficient bool // of some cell with a surface it is not known what is above
	blocked      bool // something stands on the road
	hole         bool // there is no cell in some part of it
	lowest       figure
	safest       figure  // the one with the least safe headroom, which decides unless lowest fails
	foliage      float64 // least safe headroom of foliage; +Inf for none
}

// figure is a measured headroom.
type figure struct {
	head, sigma, gap float64 // head is +Inf where nothing is overhead
	kind             artefact.Kind
}

// measured returns the figure of a cell. A gap that nothing bounds, or that is larger, reaches down
// to the road: no more of the headroom is safe then.
func measured(c *artefact.Cell) figure {
	return figure{c.Headroom, c.Sigma, min(c.Gap, max(0, c.Headroom-2*c.Sigma)), c.Kind}
}

func (f figure) safe() float64 { return f.head - 2*f.sigma - f.gap }

// some reports whether anything was measured.
func (f figure) some() bool { return !math.IsInf(f.head, 1) }

var nothing = figure{head: math.Inf(1)}

func emptySlot() slot { return slot{lowest: nothing, safest: nothing, foliage: math.Inf(1)} }

// add adds a cell.
func (s *slot) add(c *artefact.Cell) {
	s.seen = true
	s.lane = s.lane || c.Lane > 0
	s.blocked = s.blocked || c.Flags&artefact.Obstructed != 0
	switch c.State() {
	case artefact.NotSurveyed:
		s.notSurveyed = true
	case artefact.Insufficient:
		s.insufficient = true
	case artefact.Measured:
		f := measured(c)
		if f.head < s.lowest.head {
			s.lowest = f
		}
		if !s.safest.some() || f.safe() < s.safest.safe() {
			s.safest = f
		}
		if c.Kind == artefact.Foliage {
			s.foliage = min(s.foliage, f.safe())
		}
	}
}

// section is a cross-section of the road at a station. Slots run from the left to the right.
type section struct {
	slots []slot
	cell  float64 // width of a slot
	line  float64 // place of the line among the slots, in slots from the left
	sway  float64 // how far the line may be from where it is drawn, in metres
	edge  float64 // how far edges of things at both sides may be from their outermost returns, in metres
	// ceiling is how far up the survey looked.
	ceiling float64
	// grown is how far foliage may have grown since the survey.
	grown float64
}

// class ranks stations by their verdict, the better first.
type class uint8

const (
	clear class = iota
	doubt
	gap // a station, or a position, of which not enough is known
	fail
)

// finding has the measurements of an axis at a station.
type finding struct {
	class   class
	reason  Reason // of a doubt or a gap
	figure  figure // nothing where none was measured
	lift    float64
	bounded bool // of a clear width: there is a figure
}

// span is a range of slots, the last one excluded.
type span struct{ from, to int }

// edgeTrim is how far from the edge of a carriageway, in metres, what stands there counts as the
// road's own edge, such as a wall or a pier: roads are drawn wider than they are. A parked car is
// wider. Slots that cells fill in part count likewise.
const edgeTrim = 0.8

// carriageways returns the ranges of slots in which the vehicle may drive: the carriageway that
// is nearest to the line, and all within its sway. Without any it is the swept width about the
// line, which counts too where the line may be on a road that was not surveyed.
func (s *section) carriageways(swept float64) (list []span) {
	nearest, best := -1, (2.0+s.sway)/s.cell
	var all []span
	for i := 0; i < len(s.slots); {
		if !s.slots[i].lane {
			i++
			continue
		}
		j := i
		for j < len(s.slots) && s.slots[j].lane {
			j++
		}
		all = append(all, span{i, j})
		if d := s.off(span{i, j}); d <= best {
			nearest, best = len(all)-1, d
		}
		i = j
	}
	for i, one := range all {
		if i == nearest || s.sway > 0 && s.off(one) <= s.sway/s.cell {
			list = append(list, s.trimmed(one))
		}
	}
	if list == nil || nearest >= 0 && s.hidden(all[nearest]) {
		half := swept / 2 / s.cell
		list = append(list, span{max(0, int(math.Floor(s.line-half))), min(len(s.slots), int(math.Ceil(s.line+half)))})
	}
	return list
}

// hidden reports whether there is no survey somewhere between the line and a range beside it:
// the line may be on another road, that was not surveyed.
func (s *section) hidden(one span) bool {
	from, to := int(math.Floor(s.line)), one.from
	if float64(one.to) < s.line {
		from, to = one.to, int(math.Ceil(s.line))
	}
	for i := max(0, from); i < min(to, len(s.slots)); i++ {
		if t := &s.slots[i]; !t.seen || t.hole {
			return true
		}
	}
	return false
}

// off returns how far a range is from the line, in slots.
func (s *section) off(one span) float64 {
	return max(0, float64(one.from)-s.line, s.line-float64(one.to))
}

// trimmed leaves out what stands at the edges of a range.
func (s *section) trimmed(one span) span {
	whole := one
	most := int(edgeTrim / s.cell)
	if cut := s.standing(one.from, 1, one.to); cut <= most {
		one.from += cut
	}
	if cut := s.standing(one.to-1, -1, one.from-1); cut <= most {
		one.to -= cut
	}
	if one.from >= one.to {
		return whole
	}
	return one
}

// standing counts the blocked slots from one on, up to another.
func (s *section) standing(at, step, end int) (n int) {
	for ; at != end && (s.slots[at].blocked || s.slots[at].hole); at += step {
		n++
	}
	return n
}

// height judges whether the vehicle passes under what is above. lift is called where it
// matters.
func (s *section) height(v *vehicle, lift func() float64) finding {
	var all verdicts
	for _, way := range s.carriageways(v.swept) {
		n := int(math.Ceil(v.swept/s.cell - 1e-9))
		way = s.widened(way, n)
		for at := way.from; at == way.from || at+n <= way.to; at++ {
			all.add(s.position(v, span{at, min(at+n, way.to)}, lift))
		}
	}
	return all.height()
}

// widened returns a range made as wide as so many slots, where nothing stands beside it.
func (s *section) widened(one span, n int) span {
	for one.to-one.from < n {
		left := one.from > 0 && !s.slots[one.from-1].blocked
		right := one.to < len(s.slots) && !s.slots[one.to].blocked
		switch toLeft := s.line-float64(one.from) < float64(one.to)-s.line; {
		case left && (toLeft || !right):
			one.from--
		case right:
			one.to++
		default:
			return one
		}
	}
	return one
}

// position judges one place of the vehicle on the road.
func (s *section) position(v *vehicle, one span, lift func() float64) finding {
	lowest, safest, foliage := nothing, nothing, math.Inf(1)
	notSurveyed, insufficient := false, false
	for i := one.from; i < one.to; i++ {
		t := &s.slots[i]
		notSurveyed = notSurveyed || !t.seen || t.hole || t.notSurveyed
		insufficient = insufficient || t.insufficient
		if t.lowest.head < lowest.head {
			lowest = t.lowest
		}
		if t.safest.some() && (!safest.some() || t.safest.safe() < safest.safe()) {
			safest = t.safest
		}
		foliage = min(foliage, t.foliage)
	}
	raised := 0.0
	if min(s.ceiling, lowest.head, safest.safe(), foliage-s.grown) <= v.height+v.lift {
		raised = lift()
	}
	need := v.height + raised
	switch {
	case lowest.head < need:
		return finding{class: fail, reason: DoesNotClear, figure: lowest, lift: raised}
	case notSurveyed:
		return finding{class: gap, reason: NotSurveyed}
	case insufficient || need >= s.ceiling:
		return finding{class: gap, reason: InsufficientData}
	case safest.some() && safest.safe() <= need:
		return finding{class: doubt, reason: WithinUncertainty, figure: safest, lift: raised}
	case s.grown > 0 && foliage-s.grown <= need:
		return finding{class: doubt, reason: FoliageTooOld, figure: s.leaves(one, foliage), lift: raised}
	}
	return finding{class: clear, figure: safest, lift: raised}
}

// leaves returns the figure of the foliage of a safe headroom.
func (s *section) leaves(one span, safe float64) figure {
	for i := one.from; i < one.to; i++ {
		if t := &s.slots[i]; t.foliage == safe {
			for _, f := range []figure{t.safest, t.lowest} {
				if f.kind == artefact.Foliage {
					return f
				}
			}
		}
	}
	return figure{head: safe, kind: artefact.Foliage}
}

// verdicts gathers the findings of all positions at a station.
type verdicts struct {
	clear, doubt, gap, fail int
	worst                   [4]finding // by class
}

func (v *verdicts) add(f finding) {
	counts := [4]*int{&v.clear, &v.doubt, &v.gap, &v.fail}
	w := &v.worst[f.class]
	*counts[f.class]++
	better := false
	switch {
	case *counts[f.class] == 1:
		better = true
	case f.class == gap:
		better = f.reason == NotSurveyed // there is less known than of a gap with a surface
	case f.class == fail: // the best place for the vehicle, for where it fails everywhere
		better = f.figure.head-f.lift > w.figure.head-w.lift
	default:
		better = f.figure.some() && (!w.figure.some() || f.figure.safe()-f.lift < w.figure.safe()-w.lift)
	}
	if better {
		*w = f
	}
}

// height concludes. A vehicle passes where it does in every position, and fails where it does in
// every one that is known.
func (v *verdicts) height() finding {
	switch {
	case v.fail > 0 && v.clear+v.doubt == 0:
		return v.worst[fail]
	case v.gap > 0:
		return v.worst[gap]
	case v.fail > 0:
		f := v.worst[fail]
		f.class, f.reason = doubt, DependsOnLane
		return f
	case v.doubt > 0:
		return v.worst[doubt]
	}
	return v.worst[clear]
}

// lateralSigma is the standard deviation of a free width, in metres: the noise of the returns of
// two edges. Cells in which something stands count as if it filled them.
const lateralSigma = 0.03

// width judges whether the vehicle passes between what stands or hangs on both sides: the widest
// way between such things, of those that touch the carriageway. Where the vehicle is too high
// anyhow, what hangs does not count.
func (s *section) width(v *vehicle, tooHigh bool) finding {
	best := finding{class: gap, reason: NotSurveyed}
	found := false
	blocked := func(i int) bool {
		t := &s.slots[i]
		return t.blocked || !tooHigh && t.lowest.head < v.height
	}
	known := func(i int) bool {
		t := &s.slots[i]
		return t.seen && !t.hole && !t.notSurveyed && !t.insufficient
	}
	for _, way := range s.carriageways(v.swept) {
		for i := way.from; i < way.to; {
			if blocked(i) {
				i++
				continue
			}
			// The free way, with what is known of it.
			from, to := i, i+1
			for from > 0 && !blocked(from-1) && known(from-1) {
				from--
			}
			for to < len(s.slots) && !blocked(to) && (known(to) || to < way.to) {
				to++
			}
			f := s.free(v, span{from, to}, blocked, known)
			if !found || widerThan(f, best) {
				best, found = f, true
			}
			i = to
		}
	}
	if !found { // all of the road is blocked
		best = finding{class: fail, reason: DoesNotClear, figure: figure{sigma: lateralSigma, gap: 0, kind: artefact.Structure}}
	}
	return best
}

// widerThan orders the findings of free ways: one that the vehicle passes first, then the wider.
func widerThan(a, b finding) bool {
	if a.class != b.class {
		return a.class < b.class
	}
	return a.figure.head > b.figure.head
}

// free judges a range of slots in which nothing stands.
func (s *section) free(v *vehicle, one span, blocked, known func(int) bool) finding {
	least, whole, best := one.from, true, 0
	for i := one.from; i < one.to; i++ { // the longest part that is known
		if !known(i) {
			least, whole = i+1, false
			continue
		}
		best = max(best, i+1-least)
	}
	f := figure{head: float64(best) * s.cell, sigma: lateralSigma, gap: s.edge, kind: artefact.Structure}
	bounded := whole && one.from > 0 && one.to < len(s.slots) && blocked(one.from-1) && blocked(one.to)
	out := finding{figure: f, bounded: bounded}
	if !bounded {
		out.figure = nothing
	}
	switch {
	case f.safe() > *v.width:
		out.class = clear
	case !bounded:
		out.class, out.reason = gap, InsufficientData
	case f.head+s.cell < *v.width: // of both edges half a cell more is free, about
		out.class, out.reason = fail, DoesNotClear
	default:
		out.class, out.reason = doubt, WithinUncertainty
	}
	return out
}
