package sample

import (
	"math"

	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// paths lays what is not for cars: the cycle way, the ridge path, footpaths
// and bridleways over the fields, and the alleys between streets.
func (b roadPlanner) paths() {
	way := func(line []plane.Point, kv ...string) {
		b.add(&network.Road{Pts: line, Rank: network.Path, Fixed: true, Street: b.street(), Tags: network.Tags(kv...)})
	}
	// The old wagon road of the tin mines, now a cycle way.
	line := b.wind(301, 30, plane.Km(15.75, 7.75), plane.Km(14.75, 7.95), plane.Km(13.95, 7.9), plane.Km(13.35, 8.25), plane.Km(12.6, 8.35), plane.Km(11.4, 8.75), plane.Km(10.2, 9.2), plane.Km(9.2, 9.45), plane.Km(8.6, 9.5))
	line = b.joined(plane.Reversed(b.joined(plane.Reversed(line))))
	way(line, "highway", "cycleway", "name", "Tinners' Way", "foot", "designated", "bicycle", "designated", "segregated", "no", "surface", "compacted", "lit", "no", "width", "3")
	b.cycleway = line

	// Over the hills, harder from stretch to stretch.
	ridge := b.wind(302, 45, plane.Km(6.7, 13.2), plane.Km(8.1, 13.7), plane.Km(9.6, 13.75), plane.Km(11.0, 13.95), plane.Km(12.2, 14.0), peak, plane.Km(14.4, 14.4), plane.Km(15.5, 14.0), plane.Km(16.1, 13.6))
	ridge = b.joined(plane.Reversed(b.joined(plane.Reversed(ridge))))
	total := plane.Length(ridge)
	for i, scale := range []string{"hiking", "mountain_hiking", "demanding_mountain_hiking", "alpine_hiking", "demanding_alpine_hiking", "mountain_hiking", "hiking"} {
		f := float64(i)
		way(plane.Slice(ridge, total*f/7, total*(f+1)/7), "highway", "path", "name", "Carn Ridge Path", "sac_scale", scale, "trail_visibility",
			[]string{"excellent", "good", "intermediate", "bad", "bad", "good", "excellent"}[i], "surface", "ground", "foot", "designated")
	}
	b.ridge = ridge

	t := &plane.Tracer{Lines: b.lines, Barriers: b.barriers, Rnd: plane.Dice("paths")}
	n := 0
	w := &plane.Weave{
		Angle: func(p plane.Point) float64 { return b.grain(p) + 0.8*plane.Noise(p, 500, 303) },
		Inside: func(p plane.Point) bool {
			return b.land.Inland(p) > 60 && b.land.At(p) < 300 && p.Dist(plane.Km(19.32, 17.4)) > 700 && p.Dist(lakeCentre) > 560 && p.Dist(junctionB) > 190 && p.Dist(junction3) > 190 && p.Dist(junction4) > 190
		},
		Step: 28, Apart: 330, Least: 250, Most: 1500, Through: 0.2, Reach: 400, Shy: 50, Both: true, Inertia: 3,
	}
	streetPlanner(b).branch(t, w, network.Unclassified, func(p plane.Point) bool {
		z, _ := land.ZoneAt(b.towns, p)
		return z == land.Country || z == land.Village
	}, func(line []plane.Point, _ bool) {
		n++
		switch n % 4 {
		case 0:
			way(line, "highway", "bridleway", "designation", "public_bridleway", "horse", "designated", "foot", "designated", "bicycle", "yes", "surface", "ground")
		case 1:
			way(line, "highway", "path", "designation", "public_footpath", "foot", "designated", "surface", "grass", "sac_scale", "hiking")
		default:
			way(line, "highway", "footway", "designation", "public_footpath", "foot", "designated", "surface", "ground")
		}
	})
	b.pavements(way)
	// Alleys from the heads of closes to the next street.
	alleys := 0
	for _, r := range append([]*network.Road(nil), b.roads...) {
		if !r.Bulb || r.Zone != land.Estate || plane.Length(r.Pts) < 40 {
			continue
		}
		end := r.Pts[len(r.Pts)-1]
		dir := end.Sub(r.Pts[len(r.Pts)-2]).Unit()
		for _, turn := range []float64{0, 0.5, -0.5, 1, -1} {
			h := plane.Heading(math.Atan2(dir.Y, dir.X) + turn)
			s, at, ok := b.lines.Hit(end.Add(h.Mul(2)), end.Add(h.Mul(85)))
			if !ok || plane.SineBetween(s.Dir(), h) < 0.6 || b.roads[s.Of].Rank >= network.Path || b.roads[s.Of].Fixed || at.Dist(s.A) < 3 || at.Dist(s.B) < 3 || b.barriers.Near(end.Lerp(at, 0.5), 45) {
				continue
			}
			if b.crossesBarrier(end, at) {
				continue
			}
			alleys++
			at = plane.Snap(at)
			mid := plane.Snap(end.Lerp(at, 0.5).Add(h.Left().Mul(2)))
			switch {
			case alleys%9 == 0:
				way([]plane.Point{end, mid, at}, "highway", "steps", "handrail", "yes", "step_count", "24", "incline", "up", "surface", "concrete", "lit", "yes")
			case alleys%4 == 0:
				way([]plane.Point{end, mid, at}, "highway", "cycleway", "foot", "designated", "bicycle", "designated", "segregated", "no", "surface", "asphalt", "lit", "yes")
			default:
				way([]plane.Point{end, mid, at}, "highway", "footway", "surface", "asphalt", "lit", []string{"yes", "no"}[alleys%2])
			}
			break
		}
	}
}

// pavements draws those along the main roads in the middle of Tarrowmouth as
// lines of their own.
func (b roadPlanner) pavements(way func([]plane.Point, ...string)) {
	centre := b.towns[0].Centre
	for _, r := range append([]*network.Road(nil), b.roads...) {
		if r.Rank != network.Primary || r.Level != 0 || r.Tags.Get("junction") != "" || plane.Length(r.Pts) < 700 {
			continue
		}
		from := 160.0
		line := r.Pts
		if line[0].Dist(centre) > 200 {
			if line[len(line)-1].Dist(centre) > 200 {
				continue
			}
			line = plane.Reversed(line)
		}
		part := plane.Slice(line, from, from+420)
		if z, _ := land.ZoneAt(b.towns, part[len(part)/2]); z == land.Country || z == land.Village {
			continue
		}
		for _, side := range []float64{3.2, -3.2} {
			walk := plane.Offset(part, side)
			walk = append([]plane.Point{part[0]}, append(walk, part[len(part)-1])...)
			way(walk, "highway", "footway", "footway", "sidewalk", "surface", "paving_stones", "lit", "yes")
		}
	}
}

func (b roadPlanner) crossesBarrier(p, q plane.Point) bool {
	_, _, cut := b.barriers.Hit(p, q)
	return cut
}

// peak is the island's highest hill, Carn Halvern.
var peak = plane.Km(13.2, 14.55)
