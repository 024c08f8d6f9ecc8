package sample

import (
	"math"
	"slices"

	"github.com/waygate/waygate/osm"
)

// patch is an area of land or water.
type patch struct {
	ring []pt
	tags osm.Tags
}

// water makes the lake and the wide rivers.
func (b *builder) water() {
	lake := make([]pt, 0, 40)
	for i := range 40 {
		h := heading(2 * math.Pi * float64(i) / 40)
		r := 300 + 130*noise(lakeCentre.add(h.mul(400)), 260, 71)
		p := h.mul(r)
		lake = append(lake, snap(lakeCentre.add(pt{p.x * 1.35, p.y * 0.8})))
	}
	b.waters = append(b.waters, patch{lake, tags("natural", "water", "water", "lake", "name", "Hollow Mere", "name:kw", "Lynn Gow")})
	for _, s := range b.streams {
		if s.width < 8 {
			continue
		}
		// The river widens from its spring to its mouth.
		var l, r []pt
		for i, p := range s.line {
			a, c := s.line[max(0, i-1)], s.line[min(len(s.line)-1, i+1)]
			n := c.sub(a).unit().left().mul(s.width / 2 * (0.25 + 0.75*float64(i)/float64(len(s.line))))
			l, r = append(l, snap(p.add(n))), append(r, snap(p.sub(n)))
		}
		b.waters = append(b.waters, patch{append(r, reversed(l)...), tags("natural", "water", "water", "river", "name", s.name)})
	}
}

// fields divides the open country by hedges and gives each field its use.
func (b *builder) fields() []patch {
	rnd := dice("fields")
	hedges := newSegIndex(90)
	var all []*road
	keep := func(line []pt) {
		hedges.addLine(line, len(all))
		all = append(all, &road{pts: slices.Clone(line)})
	}
	for _, r := range b.roads {
		if r.level == 0 && r.rank <= track {
			keep(r.pts)
		} else if r.level == 0 && r.rank == rail {
			keep(r.pts)
		}
	}
	for _, is := range b.islands {
		// Fields end at the cliff's edge.
		keep(closed(offset(is.ring[:len(is.ring)-1], 42)))
	}
	for _, s := range b.streams {
		keep(s.line)
	}
	keep(closed(b.waters[0].ring))
	for i := range b.towns {
		keep(closed(b.edge(&b.towns[i], 1.04)))
	}
	t := &tracer{lines: hedges, barriers: newSegIndex(400), rnd: rnd}
	w := &weave{
		angle: func(p pt) float64 { return b.grain(p) + 0.3*noise(p, 300, 81) },
		inside: func(p pt) bool {
			if b.land.inland(p) < 45 {
				return false
			}
			z, _ := zoneAt(b.towns, p)
			return z == country
		},
		step: 34, apart: 190, least: 90, most: 900, through: 0.1, reach: 240, both: true,
	}
	middle := km(16.5, 9.5)
	t.lay(seeds(rnd, middle, 15000, 260), w, keep)
	w.turn, w.apart = math.Pi/2, 240
	t.lay(seeds(rnd, middle, 15000, 260), w, keep)
	node(all)
	var out []patch
	for _, f := range faces(all) {
		if p, ok := b.field(f); ok {
			out = append(out, p)
		}
	}
	return out
}

func closed(ring []pt) []pt {
	if ring[0] == ring[len(ring)-1] {
		return ring
	}
	return append(slices.Clone(ring), ring[0])
}

// field gives the use of one parcel, drawn in from its hedges and roads.
func (b *builder) field(ring []pt) (patch, bool) {
	a := area(ring)
	if a < 2500 || a > 6000000 {
		return patch{}, false
	}
	c := centroid(ring)
	var in []pt
	for _, by := range []float64{5, 3, 1.5} {
		if in = shrink(ring, by); in != nil {
			break
		}
	}
	if in == nil {
		in = ring // too crooked to draw in: it shares its edge with the roads
	}
	z, _ := zoneAt(b.towns, c)
	if z != country || b.land.inland(c) < 40 || b.wet(c) {
		return patch{}, false
	}
	h := b.land.at(c) + 35*noise(c, 700, 91)
	wood := rough(c, 1300, 93) + 0.25*noise(c, 200, 94)
	_, steep := b.land.slope(c)
	switch {
	case h > 255:
		return patch{in, tags("natural", "heath")}, true
	case wood > 0.42 || steep > 0.16 && wood > 0.1:
		return patch{in, tags("natural", "wood", "leaf_type", "broadleaved")}, true
	case h > 200 && wood > 0.2:
		return patch{in, tags("landuse", "forest", "leaf_type", "needleleaved")}, true
	case h > 190:
		return patch{in, tags("natural", "grassland")}, true
	case b.land.inland(c) < 190 && wood < -0.1:
		return patch{in, tags("natural", "scrub")}, true
	case lattice(int64(c.x), int64(c.y), 95)+0.9*noise(c, 1500, 96)+h/160-0.4 > 0:
		return patch{in, tags("landuse", "meadow")}, true
	}
	crop := []string{"barley", "wheat", "potatoes", "vegetables", "rape", "oats"}[int(math.Abs(c.x)+math.Abs(c.y))%6]
	return patch{in, tags("landuse", "farmland", "crop", crop)}, true
}

// shrink draws a ring in by metres, or gives nil where too little is left.
func shrink(ring []pt, by float64) []pt {
	n := len(ring)
	var out []pt
	for i := range n {
		a, p, c := ring[(i+n-1)%n], ring[i], ring[(i+1)%n]
		d0, d1 := p.sub(a).unit(), c.sub(p).unit()
		m := d0.left().add(d1.left())
		if m.len() < 0.25 {
			continue
		}
		m = m.unit()
		k := by / math.Max(0.45, m.dot(d0.left()))
		out = appendPt(out, snap(p.add(m.mul(k))))
	}
	if len(out) < 3 || area(out) < 0.35*area(ring) {
		return nil
	}
	// A corner that folded over itself is left out.
	for i := 0; i < len(out); i++ {
		for j := i + 2; j < len(out); j++ {
			if i == 0 && j == len(out)-1 {
				continue
			}
			if _, _, ok := crossing(out[i], out[i+1], out[j], out[(j+1)%len(out)]); ok {
				if j-i > len(out)/2 {
					return nil
				}
				out = slices.Delete(out, i+1, j+1)
				i = -1
				break
			}
		}
		if len(out) < 4 {
			break
		}
	}
	if len(out) < 3 || area(out) < 0.35*area(ring) {
		return nil
	}
	return out
}

// edge is the outline of a settlement.
func (b *builder) edge(s *settlement, scale float64) []pt {
	var out []pt
	for i := range 72 {
		h := heading(2 * math.Pi * float64(i) / 72)
		most, r := s.reach(s.centre.add(h.mul(100)))*scale, 60.0
		for r+12 < most && b.land.inland(s.centre.add(h.mul(r+12))) > 18 {
			r += 12
		}
		out = append(out, snap(s.centre.add(h.mul(r))))
	}
	return out
}
