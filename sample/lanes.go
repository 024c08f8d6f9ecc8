package sample

import (
	"math"

	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// grain returns the direction in which lanes and hedges run at p: along the hill
// where there is one.
func (b *builder) grain(p plane.Point) float64 {
	g, steep := b.land.Slope(p)
	if steep > 0.035 {
		return math.Atan2(g.X, -g.Y) + 0.5*plane.Noise(p, 800, 61)
	}
	return 2.2*plane.Noise(p, 3800, 62) + 0.9*plane.Noise(p, 900, 63)
}

// lanes lays the unclassified roads of the open country, then the tracks.
func (b streetPlanner) lanes() {
	t := &plane.Tracer{Lines: b.lines, Barriers: b.barriers, Rnd: plane.Dice("lanes")}
	open := func(far, high float64) func(plane.Point) bool {
		return func(p plane.Point) bool {
			if b.land.At(p) > high || b.land.Inland(p) < far {
				return false
			}
			if p.Y < 2500 || p.X > 28000 && p.Dist(plane.Km(29.6, 14.5)) > 1000 {
				return false
			}
			// Nothing but the tunnel leads to Zawn Cove, and the lakes are wet.
			if p.Dist(plane.Km(19.32, 17.4)) < 520 || p.Dist(lakeCentre) < 620 {
				return false
			}
			if p.Dist(junctionB) < 190 || p.Dist(junction3) < 190 || p.Dist(junction4) < 190 {
				return false
			}
			z, _ := land.ZoneAt(b.towns, p)
			return z == land.Country
		}
	}
	middle := plane.Km(15, 10)
	grain := func(p plane.Point) float64 { return b.grain(p) + 0.35*plane.Noise(p, 240, 64) }
	anywhere := func(plane.Point) bool { return true }
	w := &plane.Weave{Angle: grain, Inside: open(120, 270), Step: 30, Apart: 620, Least: 420, Most: 4500, Through: 0.25, Reach: 600, Shy: 60, Bridges: true, Both: true, Inertia: 4}
	lay := func(k network.Rank) func([]plane.Point, bool) {
		return func(line []plane.Point, _ bool) {
			b.add(&network.Road{Pts: line, Rank: k, Street: b.street(), Tags: network.Tags("highway", network.RankValue[k])})
		}
	}
	for range 3 {
		b.branch(t, w, network.Unclassified, anywhere, lay(network.Unclassified))
	}
	w.Apart, w.Least, w.Both = 480, 300, false
	w.Most, w.Inside = 900, open(90, 200)
	b.branch(t, w, network.Unclassified, anywhere, lay(network.Unclassified))
	lane := func(k network.Rank, w *plane.Weave, grid float64) {
		w.Angle = grain
		t.Lay(plane.Seeds(t.Rnd, middle, 15500, grid), w, func(line []plane.Point) { lay(k)(line, true) })
	}
	lane(network.Track, &plane.Weave{Turn: math.Pi / 2, Inside: open(70, 330), Step: 26, Apart: 420, Least: 260, Most: 520, Reach: 120, Shy: 50}, 330)
	lane(network.Track, &plane.Weave{Inside: open(70, 330), Step: 26, Apart: 480, Least: 260, Most: 600, Reach: 120, Shy: 50}, 420)
}

var lakeCentre = plane.Km(11.15, 11.9)
