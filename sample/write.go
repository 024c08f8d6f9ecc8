package sample

func (b *builder) write() {
	for _, is := range b.islands {
		b.out.ring(is.ring, tags("natural", "coastline"))
	}
	for _, s := range b.streams {
		b.out.way(s.line, tags("waterway", "river", "name", s.name))
	}
	for _, r := range b.roads {
		b.out.way(r.pts, r.tags)
	}
}
