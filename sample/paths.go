package sample

import "math"

// paths lays what is not for cars: the cycle way, the ridge path, footpaths
// and bridleways over the fields, and the alleys between streets.
func (b *builder) paths() {
	way := func(line []pt, kv ...string) {
		b.add(&road{pts: line, rank: path, fixed: true, street: b.street(), tags: tags(kv...)})
	}
	// The old wagon road of the tin mines, now a cycle way.
	line := b.wind(301, 30, km(15.75, 7.75), km(14.75, 7.95), km(13.95, 7.9), km(13.35, 8.25), km(12.6, 8.35), km(11.4, 8.75), km(10.2, 9.2), km(9.2, 9.45), km(8.6, 9.5))
	line = b.joined(reversed(b.joined(reversed(line))))
	way(line, "highway", "cycleway", "name", "Tinners' Way", "foot", "designated", "bicycle", "designated", "segregated", "no", "surface", "compacted", "lit", "no", "width", "3")
	b.cycleway = line

	// Over the hills, harder from stretch to stretch.
	ridge := b.wind(302, 45, km(6.7, 13.2), km(8.1, 13.7), km(9.6, 13.75), km(11.0, 13.95), km(12.2, 14.0), peak, km(14.4, 14.4), km(15.5, 14.0), km(16.1, 13.6))
	ridge = b.joined(reversed(b.joined(reversed(ridge))))
	total := length(ridge)
	for i, scale := range []string{"hiking", "mountain_hiking", "demanding_mountain_hiking", "alpine_hiking", "demanding_alpine_hiking", "mountain_hiking", "hiking"} {
		f := float64(i)
		way(slice(ridge, total*f/7, total*(f+1)/7), "highway", "path", "name", "Carn Ridge Path", "sac_scale", scale, "trail_visibility",
			[]string{"excellent", "good", "intermediate", "bad", "bad", "good", "excellent"}[i], "surface", "ground", "foot", "designated")
	}
	b.ridge = ridge

	t := &tracer{lines: b.lines, barriers: b.barriers, rnd: dice("paths")}
	n := 0
	w := &weave{
		angle: func(p pt) float64 { return b.grain(p) + 0.8*noise(p, 500, 303) },
		inside: func(p pt) bool {
			return b.land.inland(p) > 60 && b.land.at(p) < 300 && p.dist(km(19.32, 17.4)) > 700 && p.dist(lakeCentre) > 560 && p.dist(junctionB) > 190 && p.dist(junction3) > 190 && p.dist(junction4) > 190
		},
		step: 28, apart: 330, least: 250, most: 1500, through: 0.2, reach: 400, shy: 50, both: true, inertia: 3,
	}
	b.branch(t, w, unclassified, func(p pt) bool { z, _ := zoneAt(b.towns, p); return z == country || z == village }, func(line []pt, _ bool) {
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
	for _, r := range append([]*road(nil), b.roads...) {
		if !r.bulb || r.zone != estate || length(r.pts) < 40 {
			continue
		}
		end := r.pts[len(r.pts)-1]
		dir := end.sub(r.pts[len(r.pts)-2]).unit()
		for _, turn := range []float64{0, 0.5, -0.5, 1, -1} {
			h := heading(math.Atan2(dir.y, dir.x) + turn)
			s, at, ok := b.lines.hit(end.add(h.mul(2)), end.add(h.mul(85)))
			if !ok || sineBetween(s.dir(), h) < 0.6 || b.roads[s.of].rank >= path || b.roads[s.of].fixed || at.dist(s.a) < 3 || at.dist(s.b) < 3 || b.barriers.near(end.lerp(at, 0.5), 45) {
				continue
			}
			if b.crossesBarrier(end, at) {
				continue
			}
			alleys++
			at = snap(at)
			mid := snap(end.lerp(at, 0.5).add(h.left().mul(2)))
			switch {
			case alleys%9 == 0:
				way([]pt{end, mid, at}, "highway", "steps", "handrail", "yes", "step_count", "24", "incline", "up", "surface", "concrete", "lit", "yes")
			case alleys%4 == 0:
				way([]pt{end, mid, at}, "highway", "cycleway", "foot", "designated", "bicycle", "designated", "segregated", "no", "surface", "asphalt", "lit", "yes")
			default:
				way([]pt{end, mid, at}, "highway", "footway", "surface", "asphalt", "lit", []string{"yes", "no"}[alleys%2])
			}
			break
		}
	}
}

// pavements draws those along the main roads in the middle of Tarrowmouth as
// lines of their own.
func (b *builder) pavements(way func([]pt, ...string)) {
	centre := b.towns[0].centre
	for _, r := range append([]*road(nil), b.roads...) {
		if r.rank != primary || r.level != 0 || r.tags.Get("junction") != "" || length(r.pts) < 700 {
			continue
		}
		from := 160.0
		line := r.pts
		if line[0].dist(centre) > 200 {
			if line[len(line)-1].dist(centre) > 200 {
				continue
			}
			line = reversed(line)
		}
		part := slice(line, from, from+420)
		if z, _ := zoneAt(b.towns, part[len(part)/2]); z == country || z == village {
			continue
		}
		for _, side := range []float64{3.2, -3.2} {
			walk := offset(part, side)
			walk = append([]pt{part[0]}, append(walk, part[len(part)-1])...)
			way(walk, "highway", "footway", "footway", "sidewalk", "surface", "paving_stones", "lit", "yes")
		}
	}
}

func (b *builder) crossesBarrier(p, q pt) bool {
	_, _, cut := b.barriers.hit(p, q)
	return cut
}

// peak is the island's highest hill, Carn Halvern.
var peak = km(13.2, 14.55)
