package sample

func (b *builder) write() {
	for _, is := range b.islands {
		b.out.ring(is.ring, tags("natural", "coastline"))
	}
	for _, s := range b.streams {
		b.out.way(s.line, tags("waterway", "river", "name", s.name))
	}
	for _, p := range b.waters {
		b.out.ring(p.ring, p.tags)
	}
	for i := range b.towns {
		t := &b.towns[i]
		b.out.point(t.centre, tags("place", t.kind, "name", t.name))
		b.out.ring(b.edge(t, 1), tags("landuse", "residential"))
	}
	for _, f := range b.fields() {
		b.out.ring(f.ring, f.tags)
	}
	for _, h := range b.houses {
		b.out.ring(h.ring, h.tags)
	}
	for _, r := range b.roads {
		b.out.way(r.pts, r.tags)
	}
}
