package sample

import (
	"math"
)

// signs sets the limits and rules that single roads have, one of each kind at
// least, and notes where.
func (b *builder) signs() {
	tarrowmouth := b.towns[0].centre
	set := func(name, key string, r *road, kv ...string) {
		if r == nil {
			return
		}
		for i := 0; i+1 < len(kv); i += 2 {
			r.set(kv[i], kv[i+1])
		}
		b.noteRoad(name, key, r)
	}
	lane := func(r *road) bool {
		return r.rank == unclassified && r.zone == country && !r.fixed && r.level == 0 && b.linked(r) && length(r.pts) > 400
	}
	street := func(z zone, least float64) func(*road) bool {
		return func(r *road) bool {
			return r.rank == residential && r.zone == z && !r.bulb && !r.fixed && r.level == 0 && b.linked(r) && length(r.pts) > least
		}
	}
	main := func(k rank, z zone) func(*road) bool {
		return func(r *road) bool {
			return r.rank == k && r.zone == z && !r.fixed && r.level == 0 && r.tags.Get("junction") == "" && length(r.pts) > 150
		}
	}
	set("width limit in metres", "maxwidth", b.nearestRoad(km(10, 6), lane), "maxwidth", "2")
	set("width limit in feet", "maxwidth", b.nearestRoad(km(20, 8), lane), "maxwidth", `6'6"`)
	set("weight limit", "maxweight", b.nearestRoad(km(21, 9.5), lane), "maxweight", "7.5")
	set("weight limit for lorries", "maxweight:hgv", b.nearestRoad(km(22.5, 5.8), lane), "maxweight:hgv", "7.5")
	set("axle load limit", "maxaxleload", b.nearestRoad(km(12, 5), lane), "maxaxleload", "8")
	set("length limit", "maxlength", b.nearestRoad(km(14, 10.5), lane), "maxlength", "10")
	set("no lorries", "hgv", b.nearestRoad(km(6, 13), lane), "hgv", "no")
	set("no lorries but for access", "hgv", b.nearestRoad(km(11.3, 6), main(tertiary, country)), "hgv", "destination")
	set("access only", "motor_vehicle", b.nearestRoad(km(9.6, 4.4), street(village, 60)), "motor_vehicle", "destination")
	set("access only lane", "motor_vehicle", b.nearestRoad(km(7, 11.5), lane), "motor_vehicle", "destination")
	set("school street", "maxspeed:conditional", b.nearestRoad(tarrowmouth.add(pt{600, 500}), street(terrace, 120)), "maxspeed:conditional", "20 mph @ (Mo-Fr 08:00-09:30,15:00-16:30)")
	set("school road", "maxspeed:conditional", b.nearestRoad(tarrowmouth.add(pt{300, 900}), main(tertiary, terrace)), "maxspeed", "30 mph", "maxspeed:conditional", "20 mph @ (Mo-Fr 08:15-09:15,15:00-16:00)")
	set("bus street", "bus", b.nearestRoad(tarrowmouth.add(pt{90, -60}), street(core, 40)), "access", "no", "bus", "yes", "psv", "yes", "bicycle", "yes", "foot", "yes")
	set("bus lane", "busway:left", b.nearestRoad(tarrowmouth.add(pt{-200, 300}), main(primary, terrace)), "lanes", "3", "lanes:forward", "2", "lanes:backward", "1",
		"busway:left", "lane", "bus:lanes:forward", "designated|yes", "psv", "yes")
	set("cycle lanes", "cycleway:both", b.nearestRoad(tarrowmouth.add(pt{700, -200}), main(primary, terrace)), "cycleway:both", "lane")
	set("cycle lane", "cycleway:left", b.nearestRoad(tarrowmouth.add(pt{-700, -200}), main(tertiary, terrace)), "cycleway:left", "lane")
	set("pedestrian street", "highway", b.nearestRoad(tarrowmouth.add(pt{-60, 60}), street(core, 40)), "highway", "pedestrian", "motor_vehicle", "no", "surface", "paving_stones")
	for i, off := range []pt{{-300, 250}, {300, -250}, {-450, -100}, {350, 350}, {-150, -350}, {0, 420}} {
		kv := []string{"oneway", "yes"}
		name, key := "one-way street", "oneway"
		if i%2 == 1 {
			kv = append(kv, "oneway:bicycle", "no", "cycleway:right", "lane")
			name, key = "contraflow for bicycles", "oneway:bicycle"
		}
		set(name, key, b.nearestRoad(tarrowmouth.add(off), func(r *road) bool { return street(core, 35)(r) || street(terrace, 60)(r) }), kv...)
	}
	for _, off := range []pt{{900, 900}, {-900, -300}, {500, -1200}, {-500, 1100}} {
		set("living street", "highway", b.nearestRoad(tarrowmouth.add(off), b.lonely), "highway", "living_street", "maxspeed", "10 mph")
	}
	set("private road", "access", b.nearestRoad(tarrowmouth.add(pt{1100, -300}), b.lonely), "access", "private")
	for _, r := range b.roads {
		if r.rank == motorway && r.tags.Get("highway") == "motorway" {
			r.set("maxspeed:variable", "peak_traffic")
		}
	}
	b.lanesAtRoundabouts()
	b.turnLanes()
	b.lowBridges()
	b.cityTunnels()
}

// lonely reports whether r is a close that nothing else hangs on.
func (b *builder) lonely(r *road) bool {
	if !r.bulb || r.zone != estate || len(r.pts) < 5 {
		return false
	}
	for _, p := range r.pts[1:] {
		if len(b.arms[p]) > 2 {
			return false
		}
	}
	return len(b.arms[r.pts[len(r.pts)-1]]) == 1
}

// lanesAtRoundabouts gives main roads a lane more where they come up to a
// roundabout.
func (b *builder) lanesAtRoundabouts() {
	rings := map[pt]bool{}
	for _, r := range b.roads {
		if r.tags.Get("junction") == "roundabout" {
			for _, p := range r.pts {
				rings[p] = true
			}
		}
	}
	for _, r := range append([]*road(nil), b.roads...) {
		if r.rank != primary || r.level != 0 || r.fixed || length(r.pts) < 260 || !rings[r.pts[len(r.pts)-1]] {
			continue
		}
		total := length(r.pts)
		near := b.apartAt(r, total-90, total, tags("lanes", "3", "lanes:forward", "2", "lanes:backward", "1",
			"turn:lanes:forward", "left;through|right", "change:lanes:forward", "not_right|not_left"))
		b.noteRoad("lanes at a roundabout", "turn:lanes:forward", near)
	}
}

// lowBridges signs the height under the railway's low bridges.
func (b *builder) lowBridges() {
	var bridges []*road
	for _, r := range b.roads {
		if r.rank == rail && r.level == 1 {
			bridges = append(bridges, r)
		}
	}
	for _, g := range bridges {
		mid := g.pts[0].lerp(g.pts[len(g.pts)-1], 0.5)
		for _, r := range append([]*road(nil), b.roads...) {
			if r.level != 0 || r.rank > unclassified {
				continue
			}
			s, d := project(r.pts, mid)
			total := length(r.pts)
			if d > 12 || s < 30 || s > total-30 {
				continue
			}
			height, name := "", ""
			switch {
			case mid.dist(lowBridge) < 300:
				height, name = "3.4 m", "low bridge"
			case r.rank == unclassified || r.rank == tertiary:
				height, name = `11'6"`, "low bridge in feet"
			default:
				height, name = "4.9 m", "railway bridge"
			}
			under := b.apartAt(r, s-22, s+22, tags("maxheight", height, "maxheight:signed", "yes"))
			b.noteRoad(name, "maxheight", under)
			b.marks[name] = mark{at: under.pts[len(under.pts)/2]}
		}
	}
}

// cityTunnels sinks short stretches of town and country road, each with a
// rule of its own for dangerous goods.
func (b *builder) cityTunnels() {
	at := func(name, key string, c pt, k rank, t ...string) {
		r := b.nearestRoad(c, func(r *road) bool {
			return r.rank == k && r.level == 0 && !r.fixed && r.tags.Get("junction") == "" && b.free(r, 130) >= 0
		})
		if r == nil {
			return
		}
		s := b.free(r, 130)
		m := b.apartAt(r, s, s+110, append(tags("tunnel", "yes", "layer", "-1", "lit", "yes"), tags(t...)...))
		m.level, m.apart = -1, true
		m.tags = without(m.tags, "sidewalk")
		b.noteRoad(name, key, m)
		b.marks[name] = mark{at: m.pts[0]}
	}
	at("tunnel closed to tankers", "hazmat:D", km(21.2, 14.4), secondary, "name", "Saltrey Tunnel", "hazmat:D", "no", "hazmat:E", "no")
	at("tunnel closed to dangerous goods", "hazmat", km(24.2, 10.2), tertiary, "name", "Ness Tunnel", "hazmat", "no")
	at("category B tunnel", "hazmat:adr_tunnel_cat", km(12.4, 13.2), tertiary, "name", "Mere Tunnel", "hazmat:adr_tunnel_cat", "B")
}

// free gives the start of a stretch of r without junctions, or -1.
func (b *builder) free(r *road, least float64) float64 {
	gone, from := 0.0, 25.0
	for i := 1; i < len(r.pts); i++ {
		gone += r.pts[i-1].dist(r.pts[i])
		if len(b.arms[r.pts[i]]) > 2 || b.pathsAt[r.pts[i]] || i == len(r.pts)-1 {
			if gone-from > math.Max(least, 160) {
				return from + 15
			}
			from = gone + 15
		}
	}
	return -1
}

// nodesOnRoads puts nodes on roads: signals, crossings, barriers.
func (b *builder) nodesOnRoads() {
	n := 0
	for i := range b.towns[:3] {
		t := &b.towns[i]
		for _, p := range b.junctions(t.centre, t.radius, 3, func(_ pt, arms []arm) bool {
			for _, a := range arms {
				if a.r.fixed || a.r.tags.Get("junction") != "" || a.r.level != 0 {
					return false
				}
			}
			return true
		}) {
			var big, small int
			for _, a := range b.arms[p] {
				if a.r.rank <= tertiary {
					big++
				} else if a.r.rank <= living {
					small++
				}
			}
			n++
			switch {
			case big >= 3 && n%2 == 0:
				b.tag(p, "highway", "traffic_signals", "traffic_signals:direction", "both", "crossing", "traffic_signals")
				b.noteOnce("traffic signals", "highway", "traffic_signals", p)
			case big >= 3 && len(b.arms[p]) <= 4:
				b.tag(p, "highway", "mini_roundabout", "direction", "clockwise")
				b.noteOnce("mini roundabout", "highway", "mini_roundabout", p)
			case big == 2 && small > 0:
				for _, a := range b.arms[p] {
					if a.r.rank <= tertiary || a.next.dist(p) < 9 || !a.in {
						continue
					}
					q := snap(p.lerp(a.next, 6/p.dist(a.next)))
					a.r.pts = insertBetween(a.r.pts, p, a.next, q)
					value := "give_way"
					if n%7 == 0 {
						value = "stop"
					}
					b.tag(q, "highway", value, "direction", direction(a.r.pts, q, p))
					b.noteOnce(map[string]string{"stop": "stop sign", "give_way": "give way"}[value], "highway", value, q)
					break
				}
			}
		}
	}
	kinds := []string{"zebra", "traffic_signals", "uncontrolled", "unmarked"}
	for i, r := range b.roads {
		if r.rank > tertiary || r.zone == country || r.level != 0 || r.fixed || r.tags.Get("junction") != "" {
			continue
		}
		for k := 3; k < len(r.pts)-3; k += 9 {
			if p := r.pts[k]; len(b.arms[p]) == 2 && b.town[p] == nil {
				kind := kinds[(i+k)%4]
				b.tag(p, "highway", "crossing", "crossing", kind)
				if kind != "unmarked" {
					b.tag(p, "tactile_paving", "yes")
				}
				b.noteOnce("crossing", "highway", "crossing", p)
			}
		}
	}
	seen := map[string]int{}
	barrier := func(r *road, value string, kv ...string) {
		i := 1
		if len(r.pts) < 3 || b.town[r.pts[i]] != nil || len(b.arms[r.pts[i]]) > 2 {
			return
		}
		b.tag(r.pts[i], append([]string{"barrier", value}, kv...)...)
		b.noteOnce(map[string]string{"gate": "gate", "cattle_grid": "cattle grid", "bollard": "bollard", "kissing_gate": "kissing gate", "lift_gate": "lift gate"}[value], "barrier", value, r.pts[i])
	}
	for i, r := range b.roads {
		seen[r.tags.Get("highway")]++
		k := seen[r.tags.Get("highway")]
		switch {
		case r.rank == track && k%5 == 1:
			barrier(r, "gate", "access", "yes")
		case r.rank == track && k%17 == 3:
			r.set("access", "private")
			barrier(r, "gate", "access", "private", "locked", "yes")
		case r.rank == unclassified && r.zone == country && b.land.at(r.pts[len(r.pts)/2]) > 170 && i%2 == 0:
			barrier(r, "cattle_grid")
		case r.tags.Get("designation") == "public_footpath" && k%3 == 1:
			barrier(r, "kissing_gate")
		case r.rank == path && r.tags.Get("highway") == "cycleway" && len(r.pts) == 3:
			barrier(r, "bollard", "bicycle", "yes", "foot", "yes", "motor_vehicle", "no")
		}
	}
	for _, r := range b.roads {
		if r.tags.Get("toll") == "yes" && r.level == 1 {
			for _, p := range []pt{r.pts[0]} {
				b.tag(p, "barrier", "toll_booth", "name", "Tarrow Bridge Tolls", "fee", "yes", "payment:cash", "yes", "payment:contactless", "yes")
				b.noteOnce("toll booth", "barrier", "toll_booth", p)
			}
			b.noteRoad("toll bridge", "toll", r)
			b.marks["toll bridge"] = mark{at: r.pts[len(r.pts)/2]}
		}
	}
}

func (b *builder) noteOnce(name, key, value string, p pt) {
	for _, n := range b.notes {
		if n.name == name {
			return
		}
	}
	b.noteNode(name, key, value, p)
}

func insertBetween(line []pt, p, next, q pt) []pt {
	for i := 1; i < len(line); i++ {
		if line[i-1] == p && line[i] == next || line[i-1] == next && line[i] == p {
			out := append([]pt(nil), line[:i]...)
			out = append(out, q)
			return append(out, line[i:]...)
		}
	}
	return line
}

// direction tells whether traffic towards p passes q with the line or
// against it.
func direction(line []pt, q, p pt) string {
	for i := 1; i < len(line); i++ {
		if line[i-1] == q && line[i] == p {
			return "forward"
		}
	}
	return "backward"
}
