package sample

import (
	"math"
	"math/rand/v2"
)

// markets rings each town's centre with a market place, a small one-way
// system that the main roads end on.
func (b *builder) markets() {
	for i := range b.towns {
		t := &b.towns[i]
		if t.kind != "town" {
			continue
		}
		// A long market, crooked as old ones are.
		long, wide := 62.0+10*lattice(int64(i), 1, t.seed), 34.0+6*lattice(int64(i), 2, t.seed)
		turn := 0.5 + 0.9*lattice(int64(i), 3, t.seed)
		var corners []pt
		for k := range 8 {
			a := -2 * math.Pi * float64(k) / 8
			r := 1 + 0.18*lattice(int64(k), 4, t.seed)
			d, n := heading(turn), heading(turn).left()
			corners = append(corners, snap(t.centre.add(d.mul(long*r*math.Cos(a))).add(n.mul(wide*r*math.Sin(a)))))
		}
		corners = append(corners, corners[0])
		ring := corners
		b.punch(ring, &road{rank: secondary, street: b.street(), fixed: true, tags: tags("highway", "secondary", "name", "Market Place", "oneway", "yes",
			"maxspeed", "20 mph", "lit", "yes", "sidewalk", "both", "surface", "sett")}, func(r *road) bool { return r.rank < rail })
		b.marks["market "+t.name] = mark{at: ring[0]}
	}
}

// field gives the direction of streets at p in settlement s.
func (s *settlement) field(p pt) float64 {
	d := p.sub(s.centre)
	radial := math.Atan2(d.y, d.x)
	switch s.zone(p) {
	case core:
		return radial + 1.2*noise(p, 230, s.seed+7) + 0.5*noise(p, 90, s.seed+14)
	case terrace:
		// Builders bought whole sectors: each is a grid of its own.
		sector := math.Floor((radial+0.25*noise(p, 500, s.seed+8))/1.15 + 0.5)
		across := 0.0
		if lattice(int64(sector), 6, s.seed) > -0.1 {
			across = math.Pi / 2
		}
		return sector*1.15 + across + 0.4*lattice(int64(sector), 5, s.seed) + 0.2*noise(p, 420, s.seed+9)
	case works:
		return s.works + 0.12*noise(p, 600, s.seed+10)
	case village:
		return radial + 1.4*noise(p, 260, s.seed+11)
	default:
		return radial + 1.1*noise(p, 620, s.seed+12) + 0.45*noise(p, 230, s.seed+13)
	}
}

// lay is a pass of laying streets of one rank.
func (b *builder) lay(t *tracer, s *settlement, w *weave, k rank, within float64) {
	w.angle = s.field
	t.lay(seeds(t.rnd, s.centre, within, math.Max(28, w.apart*0.45)), w, func(line []pt) {
		z, _ := zoneAt(b.towns, line[len(line)/2])
		b.add(&road{pts: line, rank: k, street: b.street(), zone: z, tags: tags("highway", rankValue[k])})
	})
}

// branch lays roads that leave those there are, of rank most or better, about
// every w.apart metres and on both sides, and keeps those that meet keep.
func (b *builder) branch(t *tracer, w *weave, most rank, near func(pt) bool, keep func(line []pt, joined bool)) {
	type bud struct {
		p, n pt
		of   int
	}
	var buds []bud
	for i, r := range b.roads {
		if r.apart || r.fixed || r.rank > most {
			continue
		}
		total := length(r.pts)
		for s := between(t.rnd, 0.2, 0.9) * w.apart; s < total-20; s += w.apart * between(t.rnd, 0.25, 0.6) {
			p, _, dir := along(r.pts, s)
			if !near(p) {
				continue
			}
			n := dir.left()
			if t.rnd.IntN(2) == 0 {
				n = n.mul(-1)
			}
			buds = append(buds, bud{snap(p), n, i})
		}
	}
	t.rnd.Shuffle(len(buds), func(i, j int) { buds[i], buds[j] = buds[j], buds[i] })
	for _, x := range buds {
		if line, joined := t.sprout(x.p, x.n, x.of, w); line != nil {
			keep(line, joined)
		}
	}
}

// streetPlan lays the streets of all settlements.
func (b *builder) streetPlan() {
	for i := range b.towns {
		s := &b.towns[i]
		t := &tracer{lines: b.lines, barriers: b.barriers, rnd: dice("streets " + s.name)}
		in := func(zones ...zone) func(pt) bool {
			return func(p pt) bool {
				z := s.zone(p)
				for _, want := range zones {
					if z == want {
						return b.dryLand(p, 35)
					}
				}
				return false
			}
		}
		if s.kind == "town" {
			town := func(p pt) bool { return s.zone(p) != country }
			w := &weave{angle: s.field, inside: in(core, terrace, estate, works), step: 16, apart: 300, least: 220, most: 1500, through: 0.3, reach: 260, shy: 32, bridges: true, inertia: 2.5}
			for round := range 5 {
				if round == 3 {
					w.apart, w.least = 230, 170
				}
				most := tertiary
				if round > 2 {
					most = residential
				}
				b.branch(t, w, most, town, func(line []pt, joined bool) {
					k := residential
					if joined {
						k = tertiary
					}
					z, _ := zoneAt(b.towns, line[len(line)/2])
					b.add(&road{pts: line, rank: k, street: b.street(), zone: z, tags: tags("highway", rankValue[k])})
				})
			}
			b.lay(t, s, &weave{turn: math.Pi / 2, inside: in(core), step: 9, apart: 55, least: 40, most: 260, through: 0.3, reach: 90, shy: 20, both: true}, residential, s.core*1.4)
			b.lay(t, s, &weave{inside: in(core), step: 9, apart: 46, least: 40, most: 300, through: 0.2, reach: 90, shy: 20, both: true}, residential, s.core*1.4)
			b.lay(t, s, &weave{turn: math.Pi / 2, inside: in(terrace), inertia: 0.9, step: 14, apart: 175, least: 90, most: 420, through: 0.75, reach: 90, shy: 26, both: true}, residential, s.terraces*1.4)
			b.lay(t, s, &weave{inside: in(terrace), inertia: 0.9, step: 14, apart: 68, least: 70, most: 420, through: 0.45, reach: 80, shy: 24}, residential, s.terraces*1.4)
			b.alleys(t, s, in(terrace))
			b.lay(t, s, &weave{inside: in(works), step: 18, apart: 170, least: 120, most: 500, through: 0.2, reach: 90, shy: 30}, unclassified, s.radius*1.4)
			b.lay(t, s, &weave{turn: math.Pi / 2, inside: in(works), step: 18, apart: 190, least: 100, most: 300, through: 0.1, reach: 90, shy: 30}, unclassified, s.radius*1.4)
			b.lay(t, s, &weave{inside: in(estate), step: 12, apart: 190, least: 130, most: 500, through: 0.1, reach: 110, shy: 30, both: true}, residential, s.radius*1.5)
			b.lay(t, s, &weave{turn: math.Pi / 2, inside: in(estate), step: 12, apart: 210, least: 130, most: 420, through: 0.1, reach: 110, shy: 30, both: true}, residential, s.radius*1.5)
		} else {
			b.lay(t, s, &weave{turn: math.Pi / 2, inside: in(village), step: 11, apart: 120, least: 90, most: 380, through: 0.3, reach: 110, shy: 22}, residential, s.radius*1.5)
			b.lay(t, s, &weave{inside: in(village), step: 11, apart: 110, least: 80, most: 320, through: 0.3, reach: 110, shy: 22}, residential, s.radius*1.5)
		}
	}
}

// alleys lays back lanes between the rows of terraces.
func (b *builder) alleys(t *tracer, s *settlement, inside func(pt) bool) {
	w := &weave{angle: s.field, inside: inside, inertia: 0.9, step: 14, apart: 29, least: 60, most: 300, reach: 70, shy: 24, both: true}
	t.lay(seeds(t.rnd, s.centre, s.terraces*1.4, 40), w, func(line []pt) {
		b.add(&road{pts: line, rank: service, street: b.street(), zone: terrace, tags: tags("highway", "service", "service", "alley", "surface", "cobblestone", "maxspeed", "10 mph")})
	})
}

// closes fills what the street plan left: crescents first, then roads that
// end in a turning circle.
func (b *builder) closes() {
	for i := range b.towns {
		s := &b.towns[i]
		rnd := dice("closes " + s.name)
		inside := func(p pt) bool {
			z := s.zone(p)
			return (z == estate || z == village) && b.dryLand(p, 30)
		}
		for range int(s.radius / 2) {
			b.crescent(rnd, s, inside)
		}
		for range int(s.radius * 5) {
			b.close(rnd, s, inside)
		}
	}
}

// doorway picks a place on a road of s away from its corners.
func (b *builder) doorway(rnd *rand.Rand, s *settlement, inside func(pt) bool) (p, dir pt, of int, ok bool) {
	a := 2 * math.Pi * rnd.Float64()
	q := s.centre.add(heading(a).mul(s.radius * 1.35 * math.Sqrt(rnd.Float64())))
	if !inside(q) {
		return
	}
	sg, at, _, found := b.lines.nearest(q, 120)
	if !found || sg.a.dist(sg.b) < 4 {
		return
	}
	if r := b.roads[sg.of]; r.rank < tertiary || r.rank > residential || r.fixed {
		return
	}
	at = snap(at)
	corner := false
	b.lines.around(at, 26, func(_ int, o seg) bool {
		if o.of != sg.of {
			if _, d := foot(at, o.a, o.b); d < 26 {
				corner = true
			}
		}
		return !corner
	})
	if corner {
		return
	}
	return at, sg.dir().unit(), sg.of, true
}

// roomFor reports whether a new road has the space it needs beyond its first
// and before its last metres.
func (b *builder) roomFor(line []pt, skip, skipEnd, space float64, inside func(pt) bool) bool {
	total := length(line)
	gone := 0.0
	for i, p := range line {
		if i > 0 {
			gone += line[i-1].dist(p)
			if gone > skip && gone < total-skipEnd {
				if _, _, cut := b.lines.hit(line[i-1], p); cut {
					return false
				}
			}
		}
		if gone < skip || gone > total-skipEnd {
			continue
		}
		if !inside(p) || b.lines.near(p, space) || b.barriers.near(p, 30) {
			return false
		}
	}
	return true
}

func (b *builder) crescent(rnd *rand.Rand, s *settlement, inside func(pt) bool) {
	p, dir, of, ok := b.doorway(rnd, s, inside)
	if !ok {
		return
	}
	pts := b.roads[of].pts
	from, _ := project(pts, p)
	run := between(rnd, 110, 230)
	if from+run > length(pts)-25 {
		return
	}
	q, _, _ := along(pts, from+run)
	q = snap(q)
	n := dir.left()
	if rnd.IntN(2) == 0 {
		n = n.mul(-1)
	}
	deep := between(rnd, 60, 105)
	chord := q.sub(p)
	line := spline([]pt{
		p, p.add(chord.mul(0.02)).add(n.mul(deep * 0.55)), p.add(chord.mul(0.25)).add(n.mul(deep * 0.97)),
		p.add(chord.mul(0.75)).add(n.mul(deep)), p.add(chord.mul(0.98)).add(n.mul(deep * 0.5)), q,
	}, 11, false)
	if b.roomFor(line, 32, 32, 30, inside) {
		b.add(&road{pts: line, rank: residential, street: b.street(), zone: s.zone(p), tags: tags("highway", "residential")})
	}
}

func (b *builder) close(rnd *rand.Rand, s *settlement, inside func(pt) bool) {
	p, dir, _, ok := b.doorway(rnd, s, inside)
	if !ok {
		return
	}
	d := dir.left()
	if rnd.IntN(2) == 0 {
		d = d.mul(-1)
	}
	space, most := 33.0, between(rnd, 60, 260)
	if s.kind != "town" {
		most = between(rnd, 50, 150)
	}
	line := []pt{p}
	bend := between(rnd, -0.012, 0.012)
	angle := math.Atan2(d.y, d.x) + between(rnd, -0.12, 0.12)
	for gone := 12.0; gone < most; gone += 12 {
		q := snap(line[len(line)-1].add(heading(angle).mul(12)))
		if !b.roomFor([]pt{line[len(line)-1], q}, -1, -1, 0.5, inside) && gone > 14 {
			break
		}
		if gone > 34 && b.lines.near(q, space) {
			break
		}
		angle += bend * 12
		line = append(line, q)
		if rnd.Float64() < 0.06 {
			bend = between(rnd, -0.02, 0.02)
		}
	}
	if length(line) < 50 {
		return
	}
	if !b.roomFor(line, 35, -1, space-1, inside) {
		return
	}
	// Now and then it goes through to the next street.
	end := line[len(line)-1]
	if sg, at, hit := b.lines.hit(end, end.add(heading(angle).mul(80))); hit && rnd.Float64() < 0.3 && sineBetween(sg.dir(), heading(angle)) > 0.7 {
		if at.dist(sg.a) > 24 && at.dist(sg.b) > 24 && !b.barriers.near(end.lerp(at, 0.5), 40) && b.roads[sg.of].rank <= residential && !b.roads[sg.of].fixed {
			b.add(&road{pts: append(line, snap(at)), rank: residential, street: b.street(), zone: s.zone(p), tags: tags("highway", "residential")})
			return
		}
	}
	b.add(&road{pts: line, rank: residential, street: b.street(), zone: s.zone(p), bulb: true, tags: tags("highway", "residential")})
}
