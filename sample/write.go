package sample

import (
	"slices"

	"github.com/waygate/waygate/osm"
)

// write turns what is drawn into OSM objects.
func (b *builder) write() {
	w := b.out
	b.written = map[*road][]int64{}
	b.boundaries()
	for _, s := range b.streams {
		kind := "river"
		if s.stream {
			kind = "stream"
		}
		t := tags("waterway", kind, "name", s.name)
		if s.kernow != "" {
			t = append(t, osm.Tag{Key: "name:kw", Value: s.kernow})
		}
		w.way(s.line, t)
	}
	for _, p := range b.waters {
		w.ring(p.ring, p.tags)
	}
	for _, r := range b.roads {
		for _, piece := range b.pieces(r) {
			ref := w.way(piece, slices.Clone(r.tags))
			b.written[r] = append(b.written[r], ref.ID)
			nodes := w.data.Ways[ref.ID-1].Nodes
			for i := 1; i < len(nodes); i++ {
				w.wayOf[[2]int64{min(nodes[i-1], nodes[i]), max(nodes[i-1], nodes[i])}] = ref.ID
			}
		}
	}
	b.writeVertices()
	b.writeTurns()
	b.writeRoutes()
	b.writePlaces()
	b.extras()
	for _, f := range b.fields() {
		w.ring(f.ring, f.tags)
	}
	for _, l := range b.lots {
		w.ring(l.ring, l.tags)
		for _, x := range l.extra {
			w.ring(x.ring, x.tags)
		}
	}
	for _, h := range b.houses {
		w.ring(h.ring, h.tags)
	}
}

// writeVertices puts tags on the nodes of roads, in the order of the roads.
func (b *builder) writeVertices() {
	for _, r := range b.roads {
		for _, p := range r.pts {
			if t, ok := b.town[p]; ok {
				b.out.point(p, *t)
				delete(b.town, p)
			}
		}
		if r.bulb && len(b.arms[r.pts[len(r.pts)-1]]) == 1 {
			b.out.point(r.pts[len(r.pts)-1], tags("highway", "turning_circle"))
		}
	}
}

// writePlaces writes the settlements: their names and built-up land.
func (b *builder) writePlaces() {
	for i := range b.towns {
		t := &b.towns[i]
		tg := tags("place", t.kind, "name", t.name, "population", whole(float64(t.population)))
		if t.kernow != "" {
			tg = append(tg, osm.Tag{Key: "name:kw", Value: t.kernow})
		}
		b.noteRefs(t.name, "place", t.kind, b.out.point(t.centre.add(pt{1, 1}), tg))
		b.out.ring(b.edge(t, 1), tags("landuse", "residential", "name", t.name))
		if t.kind == "town" {
			b.out.ring(b.worksLand(t), tags("landuse", "industrial", "name", t.name+" Trading Estate"))
		}
	}
	for _, is := range b.islands {
		c := centroid(is.ring)
		b.out.point(snap(c), tags("place", map[bool]string{true: "islet", false: "island"}[is.name == "Tern Holm"], "name", is.name, "name:kw", is.kernow))
	}
}

// worksLand outlines the industrial quarter of a town.
func (b *builder) worksLand(s *settlement) []pt {
	var outer, inner []pt
	for k := -8; k <= 8; k++ {
		h := heading(s.works + 0.44*float64(k)/8)
		r := s.reach(s.centre.add(h.mul(100))) * 0.98
		for r > s.radius*0.6 && b.land.inland(s.centre.add(h.mul(r))) < 25 {
			r -= 15
		}
		outer = append(outer, snap(s.centre.add(h.mul(r))))
		inner = append(inner, snap(s.centre.add(h.mul(s.radius*0.52))))
	}
	return append(outer, reversed(inner)...)
}
