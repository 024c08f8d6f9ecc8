package build

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/waygate/waygate/clearance/measure"
)

// A road on a bridge is measured on a level of its own, whose surface is the deck. Which of the
// surfaces above one another it is shows by continuity: from the carriageway before the bridge,
// where there is one surface alone, to each square metre of the bridge beside one that is known.
// Where two surfaces are reached so that are no one deck, as down a wall, or where another surface of some extent
// hangs above the one that was reached, which may be the deck itself, none is taken. Nor is one
// below which the same passes of the scanner saw another, as that is an underside.
const (
	seedNear   = 1.0  // metres from the end of a bridge, from which on seeds are looked for
	seedFar    = 8.0  // and up to which
	deckRise   = 0.2  // metres, between neighbouring patches of a deck
	deckClear  = 1.5  // metres between surfaces that are of one deck at most
	deckExtent = 20   // patches of such a surface; a gantry has fewer
	deckUnder  = 4    // patches in which all passes that show a surface also show one below it
	mostDecks  = 4e06 // surfaces of all bridges that are followed
)

// patchKey is a square of measure.PatchCells cells, from the grid's origin.
type patchKey struct{ x, y int32 }

// decked is a patch of a road on a bridge or before one.
type decked struct {
	heights []float64 // of its surfaces, from the lowest, of Z = 0 of the survey
	reached []bool    // from the road before the bridge
	size    []int     // of the connected surface, in patches
	under   []bool    // all passes that show the surface also show one below it
	below   []int     // in how many patches of the connected surface that is so of the highest
	seed    bool
}

// decks finds the surfaces of the roads on bridges.
func (b *builder) decks(ctx context.Context) error {
	ends := b.bridgeEnds()
	if len(ends) == 0 {
		return nil
	}
	b.deck = deckMap{}
	n := 0
	for k, part := range b.parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		bucket := b.spill.parts[k]
		if bucket == nil || !slices.ContainsFunc(part.roads, func(i int32) bool { return b.roads[i].Bridge || b.roads[i].leads }) {
			continue
		}
		if err := b.partSurfaces(k, bucket, b.endsNear(ends, k), &n); err != nil {
			return err
		}
	}
	return b.deck.follow(ctx)
}

// endsNear lists the ends from which roads lead into a part.
func (b *builder) endsNear(ends map[partKey][]end, k partKey) (near []end) {
	for dx := int32(-1); dx <= 1; dx++ {
		for dy := int32(-1); dy <= 1; dy++ {
			near = append(near, ends[partKey{k.x + dx, k.y + dy}]...)
		}
	}
	return near
}

// end is where a bridge begins.
type end struct{ x, y float64 }

// node is a place where roads meet, in millimetres.
type node struct{ x, y int64 }

func (r *Road) nodes() [2]node {
	of := func(x, y float64) node { return node{int64(math.Round(x * 1e3)), int64(math.Round(y * 1e3))} }
	return [2]node{of(r.AX, r.AY), of(r.BX, r.BY)}
}

// bridgeEnds lists by part the places where a bridge joins a road that is on none, and marks the
// roads that lead there.
func (b *builder) bridgeEnds() map[partKey][]end {
	ends, edge := map[partKey][]end{}, b.o.Cell*partCells
	at := map[node][]int{}
	for i := range b.roads {
		for _, p := range b.roads[i].nodes() {
			at[p] = append(at[p], i)
		}
	}
	left := map[node]float64{} // metres that roads are followed from a place
	var todo []node
	for p, list := range at {
		kinds := 0
		for _, i := range list {
			kinds |= 1 << boolean(b.roads[i].Bridge)
		}
		if kinds == 3 {
			e := end{float64(p.x) / 1e3, float64(p.y) / 1e3}
			k := partKey{int32(math.Floor((e.x - b.grid.OriginX) / edge)), int32(math.Floor((e.y - b.grid.OriginY) / edge))}
			ends[k] = append(ends[k], e)
			for _, i := range list {
				r := &b.roads[i]
				nodes := r.nodes()
				r.endA, r.endB = r.endA || !r.Bridge && nodes[0] == p, r.endB || !r.Bridge && nodes[1] == p
			}
			left[p] = seedFar
			todo = append(todo, p)
		}
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, i := range at[p] {
			r := &b.roads[i]
			if r.Bridge {
				continue
			}
			r.leads = true
			rest := left[p] - math.Hypot(r.BX-r.AX, r.BY-r.AY)
			for _, q := range r.nodes() {
				if rest > left[q] {
					left[q] = rest
					todo = append(todo, q)
				}
			}
		}
	}
	return ends
}

func boolean(v bool) int {
	if v {
		return 1
	}
	return 0
}

// partSurfaces finds the surfaces of the patches of a part.
func (b *builder) partSurfaces(k partKey, bucket *bucket, ends []end, n *int) error {
	w := partCells + 2*b.halo
	p := &measure.Part{W: w, H: w}
	if err := b.points(k, bucket, p); err != nil {
		return err
	}
	on, before := b.lanes(k, onBridge), b.lanes(k, func(r *Road) bool { return r.leads })
	x0, y0 := (int(k.x)*partCells-b.halo)/measure.PatchCells, (int(k.y)*partCells-b.halo)/measure.PatchCells
	size := b.o.Cell * measure.PatchCells
	halo := b.halo / measure.PatchCells
	side := w / measure.PatchCells
	heights := measure.Surfaces(p, b.o.Cell)
	for i := range side * side {
		px, py := i%side, i/side
		if px < halo || py < halo || px >= side-halo || py >= side-halo || len(heights[i]) == 0 {
			continue
		}
		cell := (py*measure.PatchCells+measure.PatchCells/2)*w + px*measure.PatchCells + measure.PatchCells/2
		key := patchKey{int32(x0 + px), int32(y0 + py)}
		cx, cy := b.grid.OriginX+(float64(key.x)+0.5)*size, b.grid.OriginY+(float64(key.y)+0.5)*size
		seed := false
		switch {
		case on[cell] > 0:
		case before[cell] > 0 && slices.ContainsFunc(ends, func(e end) bool { return math.Hypot(e.x-cx, e.y-cy) < seedFar }):
			seed = !slices.ContainsFunc(ends, func(e end) bool { return math.Hypot(e.x-cx, e.y-cy) < seedNear })
		default:
			continue
		}
		if *n += len(heights[i]); *n > mostDecks {
			return errors.New("there are more bridges than can be followed: build several artefacts")
		}
		count := len(heights[i])
		d := &decked{seed: seed, reached: make([]bool, count), size: make([]int, count), below: make([]int, count)}
		for at, h := range heights[i] {
			d.heights = append(d.heights, h.Z+p.Base)
			alone := h.Passes // that show nothing below
			for _, o := range heights[i][:at] {
				for k := range alone {
					if h.Z-o.Z > deckClear {
						alone[k] &^= o.Passes[k]
					}
				}
			}
			d.under = append(d.under, alone == [4]uint64{})
		}
		// Where something stands on the road, or another road is above it, there is no seed.
		d.seed = d.seed && len(d.heights) == 1
		b.deck[key] = d
	}
	return nil
}

// deckMap has the patches of bridges and of the roads before them.
type deckMap map[patchKey]*decked

// surfaceAt is one of the surfaces of a patch.
type surfaceAt struct {
	patchKey
	i int
}

// follow follows the surfaces from the seeds, and counts how large each is.
func (all deckMap) follow(ctx context.Context) error {
	var seeds []surfaceAt
	for k, d := range all {
		if d.seed {
			seeds = append(seeds, surfaceAt{k, 0})
		}
	}
	for _, s := range seeds {
		all.flood(s, func(d *decked, i int) bool { was := d.reached[i]; d.reached[i] = true; return !was })
	}
	for k, d := range all {
		for i := range d.heights {
			if d.size[i] != 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			var joined []surfaceAt
			all.flood(surfaceAt{k, i}, func(d *decked, i int) bool {
				if d.size[i] != 0 {
					return false
				}
				d.size[i] = 1
				return true
			}, func(s surfaceAt) { joined = append(joined, s) })
			below := 0
			for _, s := range joined {
				d := all[s.patchKey]
				below += boolean(s.i == d.highest() && d.under[s.i] && all.inner(s.patchKey))
			}
			for _, s := range joined {
				all[s.patchKey].size[s.i], all[s.patchKey].below[s.i] = len(joined), below
			}
		}
	}
	return nil
}

// inner reports whether a patch is not at the edge, where sides of the deck show from below.
func (all deckMap) inner(k patchKey) bool {
	for dx := int32(-1); dx <= 1; dx++ {
		for dy := int32(-1); dy <= 1; dy++ {
			if all[patchKey{k.x + dx, k.y + dy}] == nil {
				return false
			}
		}
	}
	return true
}

// flood visits the surfaces that are connected to one. enter is whether one was not entered.
func (all deckMap) flood(from surfaceAt, enter func(*decked, int) bool, visit ...func(surfaceAt)) {
	if !enter(all[from.patchKey], from.i) {
		return
	}
	todo := []surfaceAt{from}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, v := range visit {
			v(s)
		}
		z := all[s.patchKey].heights[s.i]
		for dx := int32(-1); dx <= 1; dx++ {
			for dy := int32(-1); dy <= 1; dy++ {
				k := patchKey{s.x + dx, s.y + dy}
				d := all[k]
				if d == nil || k == s.patchKey {
					continue
				}
				for i, h := range d.heights {
					if math.Abs(h-z) <= deckRise && enter(d, i) {
						todo = append(todo, surfaceAt{k, i})
					}
				}
			}
		}
	}
}

// highest returns the highest surface that was reached, or -1.
func (d *decked) highest() int {
	for i := len(d.reached) - 1; i >= 0; i-- {
		if d.reached[i] {
			return i
		}
	}
	return -1
}

// surface returns the height of the deck in a patch, or NaN where it is not known beyond doubt.
func (d *decked) surface() float64 {
	top := d.highest()
	if top < 0 || d.below[top] >= deckUnder {
		return math.NaN()
	}
	z := d.heights[top]
	for i, h := range d.heights {
		// As much as a deck is thick is its own side and underside.
		if d.reached[i] && h < z-deckClear || h > z+deckClear && d.size[i] >= deckExtent {
			return math.NaN()
		}
	}
	return z
}

// deckOf returns the heights of decks in the patches of a part, from its base; nil for none.
func (b *builder) deckOf(k partKey, base float64) (heights []float64) {
	if b.deck == nil {
		return nil
	}
	side := (partCells + 2*b.halo) / measure.PatchCells
	x0, y0 := (int(k.x)*partCells-b.halo)/measure.PatchCells, (int(k.y)*partCells-b.halo)/measure.PatchCells
	some := false
	heights = make([]float64, side*side)
	for i := range heights {
		heights[i] = math.NaN()
		if d := b.deck[patchKey{int32(x0 + i%side), int32(y0 + i/side)}]; d != nil {
			heights[i] = d.surface() - base
			some = some || !math.IsNaN(heights[i])
		}
	}
	if !some {
		return nil
	}
	return heights
}

// onBridge and onGround are the roads of the two levels.
func onBridge(r *Road) bool { return r.Bridge }
func onGround(r *Road) bool { return !r.Bridge }
