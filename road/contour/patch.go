package contour

// Patch is the cells of a plane on a set of roads, for those that are drawn together
// again and again. It is immutable.
type Patch struct {
	box   box
	words []patchWord
}

// patchWord is 64 cells in a row, of which some are on a road.
type patchWord struct {
	x, y int32 // number of the word in its row and of the row, on the plane
	on   uint64
}

// mostWords is the most words of the grid for a patch.
const mostWords = 1 << 14

// Patch gives the patch of some roads; nil where it is too large to keep,
// or lies on both sides of the antimeridian. It is part
// of the plane that the Drawer has.
func (d *Drawer) Patch(roads []Line) *Patch {
	if len(roads) == 0 {
		return &Patch{box: empty}
	}
	p := &Patch{box: empty}
	for _, l := range roads {
		p.box.line(l)
	}
	if p.box.crossing() {
		return nil
	}
	g := grid{plane: d.plane, shift: fraction}
	g.lay(p.box, 0, 0)
	if g.stride*g.h > mostWords {
		return nil
	}
	on := d.near // which no one needs by now
	on.reset(&g)
	for _, l := range roads {
		g.line(on, l)
	}
	d.near = on
	some := 0
	for _, v := range on {
		if v != 0 {
			some++
		}
	}
	p.words = make([]patchWord, 0, some)
	for i, v := range on {
		if v != 0 {
			p.words = append(p.words, patchWord{int32(g.left/64) + int32(i%g.stride), int32(g.bottom) + int32(i/g.stride), v})
		}
	}
	return p
}

// Bytes is about how much memory the patch takes.
func (p *Patch) Bytes() int { return 64 + 16*cap(p.words) }

// put marks the cells of a patch.
func (g *grid) put(on bitmap, p *Patch) {
	level := g.shift - fraction
	for _, w := range p.words {
		v := w.on
		for range level {
			v = halved(v)
		}
		x, y := int64(w.x)*64>>level-g.left, int64(w.y>>level)-g.bottom
		on[int(y)*g.stride+int(x/64)] |= v << (x % 64)
	}
}

// halved has a bit in its lower half for each two, where one of them is 1.
func halved(v uint64) uint64 {
	v = (v | v>>1) & 0x5555555555555555
	v = (v | v>>1) & 0x3333333333333333
	v = (v | v>>2) & 0x0f0f0f0f0f0f0f0f
	v = (v | v>>4) & 0x00ff00ff00ff00ff
	v = (v | v>>8) & 0x0000ffff0000ffff
	return (v | v>>16) & 0x00000000ffffffff
}
