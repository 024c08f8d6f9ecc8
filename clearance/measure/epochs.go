package measure

import (
	"cmp"
	"math"
	"slices"
)

// A headroom is a difference of heights of one survey. Passes of other days, and of surveys
// whose heights have another datum, may be too high or too low as a whole, so that a road of one
// and an underside of another are no headroom. Where passes see the same road, it shows by how
// much they differ.
const (
	epochPatches = 8    // of the edge of a block
	leastCommon  = 8    // patches that passes need to have in common
	mostApart    = 0.2  // metres; a pass that differs by more is not believed
	otherLevel   = 1.5  // metres, from which on a pass of the same survey is on another road
	mostDatum    = 100  // metres by which vertical data differ at most, as of the ellipsoid and the geoid
	epochNoise   = 0.04 // metres to either side, of returns of one surface
)

// epoch is how the passes differ around a block of patches.
type epoch struct {
	apart    float64   // metres between the passes that are used
	unlinked [4]uint64 // passes, by bits, whose heights cannot be compared
}

func (e *epoch) excludes(pass uint8) bool { return e.unlinked[pass/64]>>(pass%64)&1 != 0 }

// offset is how far the surface that a pass sees in a patch is above the plane.
type offset struct {
	pass   uint8
	survey int
	by     float64
}

// findEpochs finds how the passes differ.
func (w *road) findEpochs() {
	w.epochs = map[square]*epoch{}
	blocks, doubled := map[square][]offset{}, map[square][2]int{}
	passes := map[uint8]int{} // and their surveys
	var room []offset
	for i, piece := range w.patch.piece {
		if piece == 0 {
			continue
		}
		b := square{int32(i % w.patch.w / epochPatches), int32(i / w.patch.w / epochPatches)}
		room = w.residuals(i, room[:0])
		n := doubled[b]
		n[0]++
		if second(room) {
			n[1]++
		}
		doubled[b] = n
		before := len(blocks[b])
		for k := 0; k < len(room); {
			end := k
			for end < len(room) && room[end].pass == room[k].pass {
				end++
			}
			if by := surface(room[k:end]); !math.IsNaN(by) {
				blocks[b] = append(blocks[b], offset{room[k].pass, room[k].survey, by})
			}
			passes[room[k].pass] = room[k].survey
			k = end
		}
		if len(blocks[b]) == before+1 { // no other pass sees the patch
			blocks[b] = blocks[b][:before]
		}
	}
	for b := range doubled {
		w.epochs[b] = w.epochOf(b, blocks, doubled, passes)
	}
}

// residuals returns how far the returns of a patch are above the plane, by pass and from the
// lowest. On a deck, passes that see something below it are left out: they see its side.
func (w *road) residuals(patch int, dst []offset) []offset {
	size := w.o.Cell
	var lower [256]int
	w.inPatch(patch, func(cell int) {
		if pl := &w.planes[cell]; pl.ok {
			for _, q := range w.of(cell) {
				by := float64(q.Z) - pl.at(float64(q.X)/size, float64(q.Y)/size)
				if w.Surface != nil && by < -mostApart-2*epochNoise {
					lower[q.Pass]++
					continue
				}
				dst = append(dst, offset{q.Pass, w.survey(q.Pass), by})
			}
		}
	})
	dst = slices.DeleteFunc(dst, func(o offset) bool { return lower[o.pass] >= support })
	slices.SortFunc(dst, func(a, b offset) int {
		if a.pass != b.pass {
			return int(a.pass) - int(b.pass)
		}
		return cmp.Compare(a.by, b.by)
	})
	return dst
}

// surface returns the height of the lowest surface among sorted returns, or NaN.
func surface(sorted []offset) float64 {
	need := max(support, len(sorted)/40)
	for i := 0; i+need <= len(sorted); i++ {
		if sorted[i+need-1].by-sorted[i].by > epochNoise {
			continue
		}
		sum, n := 0.0, 0
		for _, o := range sorted[i:] {
			if o.by > sorted[i].by+2*epochNoise {
				break
			}
			sum += o.by
			n++
		}
		return sum / float64(n)
	}
	return math.NaN()
}

// second reports whether a patch has a second surface so close above the road that it is no
// obstacle: passes of different heights that the survey has not numbered.
func second(all []offset) bool {
	near, above := 0, 0
	for _, o := range all {
		switch {
		case math.Abs(o.by) <= nearRoad:
			near++
		case o.by > nearRoad && o.by <= onRoad:
			above++
		}
	}
	return above >= support && 4*above >= near
}

// epochOf sums up a block and those around it.
func (w *road) epochOf(b square, blocks map[square][]offset, doubled map[square][2]int, passes map[uint8]int) *epoch {
	e := &epoch{}
	byPass := map[uint8][]float64{}
	all, two := 0, 0
	for dx := int32(-1); dx <= 1; dx++ {
		for dy := int32(-1); dy <= 1; dy++ {
			k := square{b.x + dx, b.y + dy}
			for _, o := range blocks[k] {
				byPass[o.pass] = append(byPass[o.pass], o.by)
			}
			all, two = all+doubled[k][0], two+doubled[k][1]
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	middles, linked, surveys := map[uint8]float64{}, map[int]bool{}, map[int]bool{}
	for pass, survey := range passes {
		surveys[survey] = true
		list := byPass[pass]
		if len(list) < leastCommon {
			continue
		}
		slices.Sort(list)
		by := list[len(list)/2]
		if middles[pass] = by; math.Abs(by) <= mostApart {
			low, high = min(low, by), max(high, by)
			linked[survey] = true
		}
	}
	for pass, survey := range passes {
		by, common := middles[pass]
		same := linked[survey] || len(surveys) == 1
		if common && math.Abs(by) > mostApart && (by < otherLevel || !same) || !common && !same {
			e.unlinked[pass/64] |= 1 << (pass % 64)
		}
	}
	e.apart = max(0, high-low-2*w.o.Registration)
	if 2*two > all {
		e.apart = max(e.apart, onRoad)
	}
	return e
}

// epochAt returns the epoch of a cell, or nil where no road is near.
func (w *road) epochAt(cell int) *epoch {
	p := w.patchOf(cell)
	b := square{int32(p % w.patch.w / epochPatches), int32(p / w.patch.w / epochPatches)}
	return w.epochs[b]
}

// excluded reports whether the heights of a pass cannot be compared with those of the road at a
// cell.
func (w *road) excluded(cell int, pass uint8) bool {
	e := w.epochAt(cell)
	return e != nil && e.excludes(pass)
}

// survey returns the survey that a pass is of.
func (w *cloud) survey(pass uint8) int {
	if int(pass) < len(w.Survey) {
		return w.Survey[pass]
	}
	return 0
}
