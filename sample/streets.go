package sample

import (
	"math"
	"math/rand/v2"

	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// markets rings each town's centre with a market place, a small one-way
// system that the main roads end on.
func (b streetPlanner) markets() {
	for i := range b.towns {
		t := &b.towns[i]
		if t.Kind != "town" {
			continue
		}
		// A long market, crooked as old ones are.
		long, wide := 62.0+10*plane.Lattice(int64(i), 1, t.Seed), 34.0+6*plane.Lattice(int64(i), 2, t.Seed)
		turn := 0.5 + 0.9*plane.Lattice(int64(i), 3, t.Seed)
		var corners []plane.Point
		for k := range 8 {
			a := -2 * math.Pi * float64(k) / 8
			r := 1 + 0.18*plane.Lattice(int64(k), 4, t.Seed)
			d, n := plane.Heading(turn), plane.Heading(turn).Left()
			corners = append(corners, plane.Snap(t.Centre.Add(d.Mul(long*r*math.Cos(a))).Add(n.Mul(wide*r*math.Sin(a)))))
		}
		corners = append(corners, corners[0])
		ring := corners
		roadPlanner(b).punch(ring, &network.Road{Rank: network.Secondary, Street: b.street(), Fixed: true, Tags: network.Tags("highway", "secondary", "name", "Market Place", "oneway", "yes",
			"maxspeed", "20 mph", "lit", "yes", "sidewalk", "both", "surface", "sett")}, func(r *network.Road) bool { return r.Rank < network.Rail })
		b.marks["market "+t.Name] = mark{at: ring[0]}
	}
}

// lay is a pass of laying streets of one rank.
func (b streetPlanner) lay(t *plane.Tracer, s *land.Settlement, w *plane.Weave, k network.Rank, within float64) {
	w.Angle = s.Field
	t.Lay(plane.Seeds(t.Rnd, s.Centre, within, math.Max(28, w.Apart*0.45)), w, func(line []plane.Point) {
		z, _ := land.ZoneAt(b.towns, line[len(line)/2])
		b.add(&network.Road{Pts: line, Rank: k, Street: b.street(), Zone: z, Tags: network.Tags("highway", network.RankValue[k])})
	})
}

// branch lays roads that leave those there are, of rank most or better, about
// every w.apart metres and on both sides, and keeps those that meet keep.
func (b streetPlanner) branch(t *plane.Tracer, w *plane.Weave, most network.Rank, near func(plane.Point) bool, keep func(line []plane.Point, joined bool)) {
	type bud struct {
		p, n plane.Point
		of   int
	}
	var buds []bud
	for i, r := range b.roads {
		if r.Apart || r.Fixed || r.Rank > most {
			continue
		}
		total := plane.Length(r.Pts)
		for s := plane.Between(t.Rnd, 0.2, 0.9) * w.Apart; s < total-20; s += w.Apart * plane.Between(t.Rnd, 0.25, 0.6) {
			p, _, dir := plane.Along(r.Pts, s)
			if !near(p) {
				continue
			}
			n := dir.Left()
			if t.Rnd.IntN(2) == 0 {
				n = n.Mul(-1)
			}
			buds = append(buds, bud{plane.Snap(p), n, i})
		}
	}
	t.Rnd.Shuffle(len(buds), func(i, j int) { buds[i], buds[j] = buds[j], buds[i] })
	for _, x := range buds {
		if line, joined := t.Branch(x.p, x.n, x.of, w); line != nil {
			keep(line, joined)
		}
	}
}

// streetPlan lays the streets of all settlements.
func (b streetPlanner) streetPlan() {
	for i := range b.towns {
		s := &b.towns[i]
		t := &plane.Tracer{Lines: b.lines, Barriers: b.barriers, Rnd: plane.Dice("streets " + s.Name)}
		in := func(zones ...land.Zone) func(plane.Point) bool {
			return func(p plane.Point) bool {
				z := s.Zone(p)
				for _, want := range zones {
					if z == want {
						return b.dryLand(p, 35)
					}
				}
				return false
			}
		}
		if s.Kind == "town" {
			town := func(p plane.Point) bool { return s.Zone(p) != land.Country }
			w := &plane.Weave{Angle: s.Field, Inside: in(land.Core, land.Terrace, land.Estate, land.Works), Step: 16, Apart: 300, Least: 220, Most: 1500, Through: 0.3, Reach: 260, Shy: 32, Bridges: true, Inertia: 2.5}
			for round := range 5 {
				if round == 3 {
					w.Apart, w.Least = 230, 170
				}
				most := network.Tertiary
				if round > 2 {
					most = network.Residential
				}
				b.branch(t, w, most, town, func(line []plane.Point, joined bool) {
					k := network.Residential
					if joined {
						k = network.Tertiary
					}
					z, _ := land.ZoneAt(b.towns, line[len(line)/2])
					b.add(&network.Road{Pts: line, Rank: k, Street: b.street(), Zone: z, Tags: network.Tags("highway", network.RankValue[k])})
				})
			}
			b.lay(t, s, &plane.Weave{Turn: math.Pi / 2, Inside: in(land.Core), Step: 9, Apart: 55, Least: 40, Most: 260, Through: 0.3, Reach: 90, Shy: 20, Both: true}, network.Residential, s.Core*1.4)
			b.lay(t, s, &plane.Weave{Inside: in(land.Core), Step: 9, Apart: 46, Least: 40, Most: 300, Through: 0.2, Reach: 90, Shy: 20, Both: true}, network.Residential, s.Core*1.4)
			b.lay(t, s, &plane.Weave{Turn: math.Pi / 2, Inside: in(land.Terrace), Inertia: 0.9, Step: 14, Apart: 175, Least: 90, Most: 420, Through: 0.75, Reach: 90, Shy: 26, Both: true}, network.Residential, s.Terraces*1.4)
			b.lay(t, s, &plane.Weave{Inside: in(land.Terrace), Inertia: 0.9, Step: 14, Apart: 68, Least: 70, Most: 420, Through: 0.45, Reach: 80, Shy: 24}, network.Residential, s.Terraces*1.4)
			b.alleys(t, s, in(land.Terrace))
			b.lay(t, s, &plane.Weave{Inside: in(land.Works), Step: 18, Apart: 170, Least: 120, Most: 500, Through: 0.2, Reach: 90, Shy: 30}, network.Unclassified, s.Radius*1.4)
			b.lay(t, s, &plane.Weave{Turn: math.Pi / 2, Inside: in(land.Works), Step: 18, Apart: 190, Least: 100, Most: 300, Through: 0.1, Reach: 90, Shy: 30}, network.Unclassified, s.Radius*1.4)
			b.lay(t, s, &plane.Weave{Inside: in(land.Estate), Step: 12, Apart: 190, Least: 130, Most: 500, Through: 0.1, Reach: 110, Shy: 30, Both: true}, network.Residential, s.Radius*1.5)
			b.lay(t, s, &plane.Weave{Turn: math.Pi / 2, Inside: in(land.Estate), Step: 12, Apart: 210, Least: 130, Most: 420, Through: 0.1, Reach: 110, Shy: 30, Both: true}, network.Residential, s.Radius*1.5)
		} else {
			b.lay(t, s, &plane.Weave{Turn: math.Pi / 2, Inside: in(land.Village), Step: 11, Apart: 120, Least: 90, Most: 380, Through: 0.3, Reach: 110, Shy: 22}, network.Residential, s.Radius*1.5)
			b.lay(t, s, &plane.Weave{Inside: in(land.Village), Step: 11, Apart: 110, Least: 80, Most: 320, Through: 0.3, Reach: 110, Shy: 22}, network.Residential, s.Radius*1.5)
		}
	}
}

// alleys lays back lanes between the rows of terraces.
func (b streetPlanner) alleys(t *plane.Tracer, s *land.Settlement, inside func(plane.Point) bool) {
	w := &plane.Weave{Angle: s.Field, Inside: inside, Inertia: 0.9, Step: 14, Apart: 29, Least: 60, Most: 300, Reach: 70, Shy: 24, Both: true}
	t.Lay(plane.Seeds(t.Rnd, s.Centre, s.Terraces*1.4, 40), w, func(line []plane.Point) {
		b.add(&network.Road{Pts: line, Rank: network.Service, Street: b.street(), Zone: land.Terrace, Tags: network.Tags("highway", "service", "service", "alley", "surface", "cobblestone", "maxspeed", "10 mph")})
	})
}

// closes fills what the street plan left: crescents first, then roads that
// end in a turning circle.
func (b streetPlanner) closes() {
	for i := range b.towns {
		s := &b.towns[i]
		rnd := plane.Dice("closes " + s.Name)
		inside := func(p plane.Point) bool {
			z := s.Zone(p)
			return (z == land.Estate || z == land.Village) && b.dryLand(p, 30)
		}
		for range int(s.Radius / 2) {
			b.crescent(rnd, s, inside)
		}
		for range int(s.Radius * 5) {
			b.close(rnd, s, inside)
		}
	}
}

// doorway picks a place on a road of s away from its corners.
func (b streetPlanner) doorway(rnd *rand.Rand, s *land.Settlement, inside func(plane.Point) bool) (p, dir plane.Point, of int, ok bool) {
	a := 2 * math.Pi * rnd.Float64()
	q := s.Centre.Add(plane.Heading(a).Mul(s.Radius * 1.35 * math.Sqrt(rnd.Float64())))
	if !inside(q) {
		return
	}
	sg, at, _, found := b.lines.Nearest(q, 120)
	if !found || sg.A.Dist(sg.B) < 4 {
		return
	}
	if r := b.roads[sg.Of]; r.Rank < network.Tertiary || r.Rank > network.Residential || r.Fixed {
		return
	}
	at = plane.Snap(at)
	corner := false
	b.lines.Around(at, 26, func(_ int, o plane.Segment) bool {
		if o.Of != sg.Of {
			if _, d := plane.Foot(at, o.A, o.B); d < 26 {
				corner = true
			}
		}
		return !corner
	})
	if corner {
		return
	}
	return at, sg.Dir().Unit(), sg.Of, true
}

// roomFor reports whether a new road has the space it needs beyond its first
// and before its last metres.
func (b streetPlanner) roomFor(line []plane.Point, skip, skipEnd, space float64, inside func(plane.Point) bool) bool {
	total := plane.Length(line)
	gone := 0.0
	for i, p := range line {
		if i > 0 {
			gone += line[i-1].Dist(p)
			if gone > skip && gone < total-skipEnd {
				if _, _, cut := b.lines.Hit(line[i-1], p); cut {
					return false
				}
			}
		}
		if gone < skip || gone > total-skipEnd {
			continue
		}
		if !inside(p) || b.lines.Near(p, space) || b.barriers.Near(p, 30) {
			return false
		}
	}
	return true
}

func (b streetPlanner) crescent(rnd *rand.Rand, s *land.Settlement, inside func(plane.Point) bool) {
	p, dir, of, ok := b.doorway(rnd, s, inside)
	if !ok {
		return
	}
	pts := b.roads[of].Pts
	from, _ := plane.Project(pts, p)
	run := plane.Between(rnd, 110, 230)
	if from+run > plane.Length(pts)-25 {
		return
	}
	q, _, _ := plane.Along(pts, from+run)
	q = plane.Snap(q)
	n := dir.Left()
	if rnd.IntN(2) == 0 {
		n = n.Mul(-1)
	}
	deep := plane.Between(rnd, 60, 105)
	chord := q.Sub(p)
	line := plane.Spline([]plane.Point{
		p, p.Add(chord.Mul(0.02)).Add(n.Mul(deep * 0.55)), p.Add(chord.Mul(0.25)).Add(n.Mul(deep * 0.97)),
		p.Add(chord.Mul(0.75)).Add(n.Mul(deep)), p.Add(chord.Mul(0.98)).Add(n.Mul(deep * 0.5)), q,
	}, 11, false)
	if b.roomFor(line, 32, 32, 30, inside) {
		b.add(&network.Road{Pts: line, Rank: network.Residential, Street: b.street(), Zone: s.Zone(p), Tags: network.Tags("highway", "residential")})
	}
}

func (b streetPlanner) close(rnd *rand.Rand, s *land.Settlement, inside func(plane.Point) bool) {
	p, dir, _, ok := b.doorway(rnd, s, inside)
	if !ok {
		return
	}
	d := dir.Left()
	if rnd.IntN(2) == 0 {
		d = d.Mul(-1)
	}
	space, most := 33.0, plane.Between(rnd, 60, 260)
	if s.Kind != "town" {
		most = plane.Between(rnd, 50, 150)
	}
	line := []plane.Point{p}
	bend := plane.Between(rnd, -0.012, 0.012)
	angle := math.Atan2(d.Y, d.X) + plane.Between(rnd, -0.12, 0.12)
	for gone := 12.0; gone < most; gone += 12 {
		q := plane.Snap(line[len(line)-1].Add(plane.Heading(angle).Mul(12)))
		if !b.roomFor([]plane.Point{line[len(line)-1], q}, -1, -1, 0.5, inside) && gone > 14 {
			break
		}
		if gone > 34 && b.lines.Near(q, space) {
			break
		}
		angle += bend * 12
		line = append(line, q)
		if rnd.Float64() < 0.06 {
			bend = plane.Between(rnd, -0.02, 0.02)
		}
	}
	if plane.Length(line) < 50 {
		return
	}
	if !b.roomFor(line, 35, -1, space-1, inside) {
		return
	}
	// Now and then it goes through to the next street.
	end := line[len(line)-1]
	if sg, at, hit := b.lines.Hit(end, end.Add(plane.Heading(angle).Mul(80))); hit && rnd.Float64() < 0.3 && plane.SineBetween(sg.Dir(), plane.Heading(angle)) > 0.7 {
		if at.Dist(sg.A) > 24 && at.Dist(sg.B) > 24 && !b.barriers.Near(end.Lerp(at, 0.5), 40) && b.roads[sg.Of].Rank <= network.Residential && !b.roads[sg.Of].Fixed {
			b.add(&network.Road{Pts: append(line, plane.Snap(at)), Rank: network.Residential, Street: b.street(), Zone: s.Zone(p), Tags: network.Tags("highway", "residential")})
			return
		}
	}
	b.add(&network.Road{Pts: line, Rank: network.Residential, Street: b.street(), Zone: s.Zone(p), Bulb: true, Tags: network.Tags("highway", "residential")})
}
