package sample

import "math"

// grain is the direction in which lanes and hedges run at p: along the hill
// where there is one.
func (b *builder) grain(p pt) float64 {
	g, steep := b.land.slope(p)
	if steep > 0.035 {
		return math.Atan2(g.x, -g.y) + 0.5*noise(p, 800, 61)
	}
	return 2.2*noise(p, 3800, 62) + 0.9*noise(p, 900, 63)
}

// lanes lays the unclassified roads of the open country, then the tracks.
func (b *builder) lanes() {
	t := &tracer{lines: b.lines, barriers: b.barriers, rnd: dice("lanes")}
	open := func(far, high float64) func(pt) bool {
		return func(p pt) bool {
			if b.land.at(p) > high || b.land.inland(p) < far {
				return false
			}
			if p.y < 2500 || p.x > 28000 && p.dist(km(29.6, 14.5)) > 1000 {
				return false
			}
			// Nothing but the tunnel leads to Zawn Cove, and the lakes are wet.
			if p.dist(km(19.32, 17.4)) < 520 || p.dist(lakeCentre) < 620 {
				return false
			}
			if p.dist(junctionB) < 190 || p.dist(junction3) < 190 || p.dist(junction4) < 190 {
				return false
			}
			z, _ := zoneAt(b.towns, p)
			return z == country
		}
	}
	middle := km(15, 10)
	grain := func(p pt) float64 { return b.grain(p) + 0.35*noise(p, 240, 64) }
	anywhere := func(pt) bool { return true }
	w := &weave{angle: grain, inside: open(120, 270), step: 30, apart: 620, least: 420, most: 4500, through: 0.25, reach: 600, shy: 60, bridges: true, both: true, inertia: 4}
	lay := func(k rank) func([]pt, bool) {
		return func(line []pt, _ bool) {
			b.add(&road{pts: line, rank: k, street: b.street(), tags: tags("highway", rankValue[k])})
		}
	}
	for range 3 {
		b.branch(t, w, unclassified, anywhere, lay(unclassified))
	}
	w.apart, w.least, w.both = 480, 300, false
	w.most, w.inside = 900, open(90, 200)
	b.branch(t, w, unclassified, anywhere, lay(unclassified))
	lane := func(k rank, w *weave, grid float64) {
		w.angle = grain
		t.lay(seeds(t.rnd, middle, 15500, grid), w, func(line []pt) { lay(k)(line, true) })
	}
	lane(track, &weave{turn: math.Pi / 2, inside: open(70, 330), step: 26, apart: 420, least: 260, most: 520, reach: 120, shy: 50}, 330)
	lane(track, &weave{inside: open(70, 330), step: 26, apart: 480, least: 260, most: 600, reach: 120, shy: 50}, 420)
}

var lakeCentre = km(11.15, 11.9)
