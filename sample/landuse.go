package sample

import (
	"math"
	"slices"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// patch is an area of land or water.
type patch struct {
	ring []plane.Point
	tags osm.Tags
}

// water makes the lake and the wide rivers.
func (b siteDrawer) water() {
	lake := make([]plane.Point, 0, 40)
	for i := range 40 {
		h := plane.Heading(2 * math.Pi * float64(i) / 40)
		r := 300 + 130*plane.Noise(lakeCentre.Add(h.Mul(400)), 260, 71)
		p := h.Mul(r)
		lake = append(lake, plane.Snap(lakeCentre.Add(plane.Point{X: p.X * 1.35, Y: p.Y * 0.8})))
	}
	b.waters = append(b.waters, patch{lake, network.Tags("natural", "water", "water", "lake", "name", "Hollow Mere", "name:kw", "Lynn Gow")})
	for _, s := range b.streams {
		if s.Width < 8 {
			continue
		}
		// The river widens from its spring to its mouth.
		var l, r []plane.Point
		for i, p := range s.Line {
			a, c := s.Line[max(0, i-1)], s.Line[min(len(s.Line)-1, i+1)]
			n := c.Sub(a).Unit().Left().Mul(s.Width / 2 * (0.25 + 0.75*float64(i)/float64(len(s.Line))))
			l, r = append(l, plane.Snap(p.Add(n))), append(r, plane.Snap(p.Sub(n)))
		}
		b.waters = append(b.waters, patch{append(r, plane.Reversed(l)...), network.Tags("natural", "water", "water", "river", "name", s.Name)})
	}
}

// fields divides the open country by hedges and gives each field its use.
func (b siteDrawer) fields() []patch {
	rnd := plane.Dice("fields")
	hedges := plane.NewIndex(90)
	var all []*network.Road
	keep := func(line []plane.Point) {
		hedges.AddLine(line, len(all))
		all = append(all, &network.Road{Pts: slices.Clone(line)})
	}
	for _, r := range b.roads {
		if r.Level == 0 && r.Rank <= network.Track {
			keep(r.Pts)
		} else if r.Level == 0 && r.Rank == network.Rail {
			keep(r.Pts)
		}
	}
	for _, is := range b.islands {
		// Fields end at the cliff's edge.
		keep(closed(plane.Offset(is.Ring[:len(is.Ring)-1], 42)))
	}
	for _, s := range b.streams {
		keep(s.Line)
	}
	keep(closed(b.waters[0].ring))
	for i := range b.towns {
		keep(closed(b.edge(&b.towns[i], 1.04)))
	}
	t := &plane.Tracer{Lines: hedges, Barriers: plane.NewIndex(400), Rnd: rnd}
	w := &plane.Weave{
		Angle: func(p plane.Point) float64 { return b.grain(p) + 0.3*plane.Noise(p, 300, 81) },
		Inside: func(p plane.Point) bool {
			if b.land.Inland(p) < 45 {
				return false
			}
			z, _ := land.ZoneAt(b.towns, p)
			return z == land.Country
		},
		Step: 34, Apart: 190, Least: 90, Most: 900, Through: 0.1, Reach: 240, Both: true,
	}
	middle := plane.Km(16.5, 9.5)
	t.Lay(plane.Seeds(rnd, middle, 15000, 260), w, keep)
	w.Turn, w.Apart = math.Pi/2, 240
	t.Lay(plane.Seeds(rnd, middle, 15000, 260), w, keep)
	network.Node(all)
	var out []patch
	for _, f := range network.Faces(all) {
		if p, ok := b.field(f); ok {
			out = append(out, p)
		}
	}
	return out
}

func closed(ring []plane.Point) []plane.Point {
	if ring[0] == ring[len(ring)-1] {
		return ring
	}
	return append(slices.Clone(ring), ring[0])
}

// field returns the use of one parcel, drawn in from its hedges and roads.
func (b siteDrawer) field(ring []plane.Point) (patch, bool) {
	a := plane.Area(ring)
	if a < 2500 || a > 6000000 {
		return patch{}, false
	}
	c := plane.Centroid(ring)
	var in []plane.Point
	for _, by := range []float64{5, 3, 1.5} {
		if in = shrink(ring, by); in != nil {
			break
		}
	}
	if in == nil {
		in = ring // too crooked to draw in: it shares its edge with the roads
	}
	z, _ := land.ZoneAt(b.towns, c)
	if z != land.Country || b.land.Inland(c) < 40 || b.wet(c) {
		return patch{}, false
	}
	h := b.land.At(c) + 35*plane.Noise(c, 700, 91)
	wood := plane.Rough(c, 1300, 93) + 0.25*plane.Noise(c, 200, 94)
	_, steep := b.land.Slope(c)
	switch {
	case h > 255:
		return patch{in, network.Tags("natural", "heath")}, true
	case wood > 0.42 || steep > 0.16 && wood > 0.1:
		return patch{in, network.Tags("natural", "wood", "leaf_type", "broadleaved")}, true
	case h > 200 && wood > 0.2:
		return patch{in, network.Tags("landuse", "forest", "leaf_type", "needleleaved")}, true
	case h > 190:
		return patch{in, network.Tags("natural", "grassland")}, true
	case b.land.Inland(c) < 190 && wood < -0.1:
		return patch{in, network.Tags("natural", "scrub")}, true
	case plane.Lattice(int64(c.X), int64(c.Y), 95)+0.9*plane.Noise(c, 1500, 96)+h/160-0.4 > 0:
		return patch{in, network.Tags("landuse", "meadow")}, true
	}
	crop := []string{"barley", "wheat", "potatoes", "vegetables", "rape", "oats"}[int(math.Abs(c.X)+math.Abs(c.Y))%6]
	return patch{in, network.Tags("landuse", "farmland", "crop", crop)}, true
}

// shrink draws a ring in by metres, or gives nil where too little is left.
func shrink(ring []plane.Point, by float64) []plane.Point {
	n := len(ring)
	var out []plane.Point
	for i := range n {
		a, p, c := ring[(i+n-1)%n], ring[i], ring[(i+1)%n]
		d0, d1 := p.Sub(a).Unit(), c.Sub(p).Unit()
		m := d0.Left().Add(d1.Left())
		if m.Len() < 0.25 {
			continue
		}
		m = m.Unit()
		k := by / math.Max(0.45, m.Dot(d0.Left()))
		out = plane.AppendPt(out, plane.Snap(p.Add(m.Mul(k))))
	}
	if len(out) < 3 || plane.Area(out) < 0.35*plane.Area(ring) {
		return nil
	}
	// A corner that folded over itself is left out.
	for i := 0; i < len(out); i++ {
		for j := i + 2; j < len(out); j++ {
			if i == 0 && j == len(out)-1 {
				continue
			}
			if _, _, ok := plane.Crossing(out[i], out[i+1], out[j], out[(j+1)%len(out)]); ok {
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
	if len(out) < 3 || plane.Area(out) < 0.35*plane.Area(ring) {
		return nil
	}
	return out
}

// edge returns the outline of a settlement.
func (b *builder) edge(s *land.Settlement, scale float64) []plane.Point {
	var out []plane.Point
	for i := range 72 {
		h := plane.Heading(2 * math.Pi * float64(i) / 72)
		most, r := s.Reach(s.Centre.Add(h.Mul(100)))*scale, 60.0
		for r+12 < most && b.land.Inland(s.Centre.Add(h.Mul(r+12))) > 18 {
			r += 12
		}
		out = append(out, plane.Snap(s.Centre.Add(h.Mul(r))))
	}
	return out
}
