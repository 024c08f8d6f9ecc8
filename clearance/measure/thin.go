package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/clearance/artefact"
)

// Returns of a thin thing may be far apart. Between two of them, and a little beyond, there
// is taken to be a wire.
const (
	mostThin   = 10 // returns in a voxel of a thin thing
	mostAround = 40 // in it and the 26 around it
	// linkThin in metres is how far apart returns of a wire may be: as a strip of this
	// length has support returns, two that follow each other are closer.
	linkThin = 2 * halfStrip
	// aimThin in metres is how far apart two returns must be to show where the wire goes on.
	aimThin = 1.0
	// Curvature is the most a wire bends, in 1/m: 8 sag / span^2, 1 m in 10 m.
	Curvature = 0.08
	// thinRise is the most that a thin thing rises for a metre.
	thinRise = 0.4
	// mostThinVoxels bounds the voxels of a part that are joined.
	mostThinVoxels = 20000
)

// thinVoxel is the mean of the returns of a voxel.
type thinVoxel struct {
	x, y, h, low float64
	n            int
	thing        int32
	source       uint8
}

// wire passes over a cell between returns.
type wire struct {
	h, gap float64
	n      int
	source uint8
	kind   artefact.Kind
}

// findThin joins the returns of thin things.
func (w *above) findThin() {
	w.wires = map[int32]wire{}
	all := w.thinVoxels()
	slices.SortFunc(all, func(a, b thinVoxel) int { return cmp.Compare(a.x, b.x) })
	if len(all) > mostThinVoxels {
		// Wires among so much cannot be followed, so nothing in the part is passed.
		clear(w.dense)
		return
	}
	for i := range all {
		for j := i + 1; j < len(all) && all[j].x-all[i].x <= linkThin; j++ {
			if d := math.Hypot(all[j].x-all[i].x, all[j].y-all[i].y); d <= linkThin && d > w.o.Cell && math.Abs(all[j].h-all[i].h) <= 0.05+thinRise*d {
				w.stretch(&all[i], &all[j], d)
			}
		}
	}
}

func (w *above) thinVoxels() []thinVoxel {
	type box struct{ x, y, h int32 }
	at := map[box]int{}
	var all []thinVoxel
	for i := range w.over {
		r := &w.over[i]
		if t := &w.things[r.thing]; t.kind == artefact.Foliage && t.n > manyLeaves && t.high[2]-t.low[2] >= bushy {
			continue
		}
		b := box{int32(r.x / voxel), int32(r.y / voxel), int32(r.h / voxel)}
		k, ok := at[b]
		if !ok {
			k = len(all)
			at[b] = k
			all = append(all, thinVoxel{low: math.Inf(1), thing: r.thing, source: r.source})
		}
		v := &all[k]
		v.n++
		v.x, v.y, v.h = v.x+float64(r.x), v.y+float64(r.y), v.h+float64(r.h)
		v.low = min(v.low, float64(r.h))
	}
	// The edge of a deck has few returns too, but not so its neighbours.
	crowded := make([]bool, len(all))
	for b, k := range at {
		n := 0
		for dx := int32(-1); dx <= 1; dx++ {
			for dy := int32(-1); dy <= 1; dy++ {
				for dh := int32(-1); dh <= 1; dh++ {
					if j, ok := at[box{b.x + dx, b.y + dy, b.h + dh}]; ok {
						n += all[j].n
					}
				}
			}
		}
		crowded[k] = all[k].n > mostThin || n > mostAround
	}
	kept := all[:0]
	for k, v := range all {
		if !crowded[k] {
			kept = append(kept, v)
		}
	}
	all = kept
	for i := range all {
		v := &all[i]
		n := float64(v.n)
		v.x, v.y, v.h = v.x/n, v.y/n, v.h/n
	}
	return all
}

// stretch puts a wire over the cells between two voxels and beyond them.
func (w *above) stretch(a, b *thinVoxel, d float64) {
	beyond := 0.0
	if d >= aimThin {
		beyond = halfStrip
	}
	size := w.o.Cell
	// Between returns of a wire it is measured. What is only possible is unexplained.
	between := artefact.Unexplained
	known := func(t *thing) bool { return t.kind == artefact.Wire && t.below >= support }
	if known(&w.things[a.thing]) && known(&w.things[b.thing]) {
		between = artefact.Wire
	}
	low := min(a.h-a.low, b.h-b.low)
	for u := -beyond; u <= d+beyond; u += size / 2 {
		f := u / d
		h := a.h + f*(b.h-a.h) - low
		bend := Curvature * math.Abs(u*(d-u)) / 2
		gap := bend + 0.01
		kind := between
		if u < 0 || u > d {
			kind = artefact.Unexplained
			gap += 0.02 * max(-u, u-d) / d
		}
		if h-gap < w.o.Least || h > w.o.Ceiling {
			continue
		}
		x, y := int(math.Floor((a.x+f*(b.x-a.x))/size)), int(math.Floor((a.y+f*(b.y-a.y))/size))
		if x < 0 || y < 0 || x >= w.W || y >= w.H {
			continue
		}
		w.around(y*w.W+x, 1, func(c, _, _ int) {
			if w.Lane[c] < 0 {
				return
			}
			if old, ok := w.wires[int32(c)]; !ok || h-gap < old.h-old.gap {
				w.wires[int32(c)] = wire{h, gap, a.n + b.n, a.source, kind}
			}
		})
	}
}

// between takes a wire that passes over a cell between returns, if it is lower than what
// decides there.
func (w *judge) between(c *artefact.Cell, i int) {
	t, ok := w.wires[int32(i)]
	if !ok {
		return
	}
	sigma := w.sigma(i)
	if c.Kind != artefact.Nothing && t.h-t.gap-2*sigma >= c.Safe() {
		return
	}
	if c.Kind == artefact.Deck || c.Kind == artefact.Unexplained {
		return
	}
	c.Kind, c.Headroom, c.Gap, c.Sigma = t.kind, t.h, t.gap, sigma
	c.OverheadReturns, c.Spread, c.Source = t.n, 0, int(t.source)
}
