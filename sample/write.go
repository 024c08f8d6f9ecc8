package sample

import (
	"slices"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// write turns what is drawn into OSM objects.
func (b countyWriter) write() {
	w := b.out
	b.written = map[*network.Road][]int64{}
	b.boundaries()
	for _, s := range b.streams {
		kind := "river"
		if s.Stream {
			kind = "stream"
		}
		t := network.Tags("waterway", kind, "name", s.Name)
		if s.Kernow != "" {
			t = append(t, osm.Tag{Key: "name:kw", Value: s.Kernow})
		}
		w.Way(s.Line, t)
	}
	for _, p := range b.waters {
		w.Ring(p.ring, p.tags)
	}
	for _, r := range b.roads {
		for _, piece := range b.pieces(r) {
			ref := w.Way(piece, slices.Clone(r.Tags))
			b.written[r] = append(b.written[r], ref.ID)
			nodes := w.Data.Ways[ref.ID-1].Nodes
			for i := 1; i < len(nodes); i++ {
				w.WayOf[[2]int64{min(nodes[i-1], nodes[i]), max(nodes[i-1], nodes[i])}] = ref.ID
			}
		}
	}
	b.writeVertices()
	b.writeTurns()
	busPlanner(b).writeRoutes()
	b.writePlaces()
	b.extras()
	for _, f := range siteDrawer(b).fields() {
		w.Ring(f.ring, f.tags)
	}
	for _, l := range b.lots {
		w.Ring(l.ring, l.tags)
		for _, x := range l.extra {
			w.Ring(x.ring, x.tags)
		}
	}
	for _, h := range b.houses {
		w.Ring(h.ring, h.tags)
	}
}

// writeVertices puts tags on the nodes of roads, in the order of the roads.
func (b countyWriter) writeVertices() {
	for _, r := range b.roads {
		for _, p := range r.Pts {
			if t, ok := b.town[p]; ok {
				b.out.Point(p, *t)
				delete(b.town, p)
			}
		}
		if r.Bulb && len(b.arms[r.Pts[len(r.Pts)-1]]) == 1 {
			b.out.Point(r.Pts[len(r.Pts)-1], network.Tags("highway", "turning_circle"))
		}
	}
}

// writePlaces writes the settlements: their names and built-up land.
func (b countyWriter) writePlaces() {
	for i := range b.towns {
		t := &b.towns[i]
		tg := network.Tags("place", t.Kind, "name", t.Name, "population", whole(float64(t.Population)))
		if t.Kernow != "" {
			tg = append(tg, osm.Tag{Key: "name:kw", Value: t.Kernow})
		}
		b.noteRefs(t.Name, "place", t.Kind, b.out.Point(t.Centre.Add(plane.Point{X: 1, Y: 1}), tg))
		b.out.Ring(b.edge(t, 1), network.Tags("landuse", "residential", "name", t.Name))
		if t.Kind == "town" {
			b.out.Ring(b.worksLand(t), network.Tags("landuse", "industrial", "name", t.Name+" Trading Estate"))
		}
	}
	for _, is := range b.islands {
		c := plane.Centroid(is.Ring)
		b.out.Point(plane.Snap(c), network.Tags("place", map[bool]string{true: "islet", false: "island"}[is.Name == "Tern Holm"], "name", is.Name, "name:kw", is.Kernow))
	}
}

// worksLand outlines the industrial quarter of a town.
func (b countyWriter) worksLand(s *land.Settlement) []plane.Point {
	var outer, inner []plane.Point
	for k := -8; k <= 8; k++ {
		h := plane.Heading(s.Works + 0.44*float64(k)/8)
		r := s.Reach(s.Centre.Add(h.Mul(100))) * 0.98
		for r > s.Radius*0.6 && b.land.Inland(s.Centre.Add(h.Mul(r))) < 25 {
			r -= 15
		}
		outer = append(outer, plane.Snap(s.Centre.Add(h.Mul(r))))
		inner = append(inner, plane.Snap(s.Centre.Add(h.Mul(s.Radius*0.52))))
	}
	return append(outer, plane.Reversed(inner)...)
}
