package sample

import (
	"math"

	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// signs sets the limits and rules that single roads have, one of each kind at
// least, and notes where.
func (b signDrawer) signs() {
	tarrowmouth := b.towns[0].Centre
	set := func(name, key string, r *network.Road, kv ...string) {
		if r == nil {
			return
		}
		for i := 0; i+1 < len(kv); i += 2 {
			r.Set(kv[i], kv[i+1])
		}
		b.noteRoad(name, key, r)
	}
	lane := func(r *network.Road) bool {
		return r.Rank == network.Unclassified && r.Zone == land.Country && !r.Fixed && r.Level == 0 && b.linked(r) && plane.Length(r.Pts) > 400
	}
	street := func(z land.Zone, least float64) func(*network.Road) bool {
		return func(r *network.Road) bool {
			return r.Rank == network.Residential && r.Zone == z && !r.Bulb && !r.Fixed && r.Level == 0 && b.linked(r) && plane.Length(r.Pts) > least
		}
	}
	main := func(k network.Rank, z land.Zone) func(*network.Road) bool {
		return func(r *network.Road) bool {
			return r.Rank == k && r.Zone == z && !r.Fixed && r.Level == 0 && r.Tags.Get("junction") == "" && plane.Length(r.Pts) > 150
		}
	}
	set("width limit in metres", "maxwidth", b.nearestRoad(plane.Km(10, 6), lane), "maxwidth", "2")
	set("width limit in feet", "maxwidth", b.nearestRoad(plane.Km(20, 8), lane), "maxwidth", `6'6"`)
	set("weight limit", "maxweight", b.nearestRoad(plane.Km(21, 9.5), lane), "maxweight", "7.5")
	set("weight limit for lorries", "maxweight:hgv", b.nearestRoad(plane.Km(22.5, 5.8), lane), "maxweight:hgv", "7.5")
	set("axle load limit", "maxaxleload", b.nearestRoad(plane.Km(12, 5), lane), "maxaxleload", "8")
	set("length limit", "maxlength", b.nearestRoad(plane.Km(14, 10.5), lane), "maxlength", "10")
	set("no lorries", "hgv", b.nearestRoad(plane.Km(6, 13), lane), "hgv", "no")
	set("no lorries but for access", "hgv", b.nearestRoad(plane.Km(11.3, 6), main(network.Tertiary, land.Country)), "hgv", "destination")
	set("access only", "motor_vehicle", b.nearestRoad(plane.Km(9.6, 4.4), street(land.Village, 60)), "motor_vehicle", "destination")
	set("access only lane", "motor_vehicle", b.nearestRoad(plane.Km(7, 11.5), lane), "motor_vehicle", "destination")
	set("school street", "maxspeed:conditional", b.nearestRoad(tarrowmouth.Add(plane.Point{X: 600, Y: 500}), street(land.Terrace, 120)), "maxspeed:conditional", "20 mph @ (Mo-Fr 08:00-09:30,15:00-16:30)")
	set("school road", "maxspeed:conditional", b.nearestRoad(tarrowmouth.Add(plane.Point{X: 300, Y: 900}), main(network.Tertiary, land.Terrace)), "maxspeed", "30 mph", "maxspeed:conditional", "20 mph @ (Mo-Fr 08:15-09:15,15:00-16:00)")
	set("bus street", "bus", b.nearestRoad(tarrowmouth.Add(plane.Point{X: 90, Y: -60}), street(land.Core, 40)), "access", "no", "bus", "yes", "psv", "yes", "bicycle", "yes", "foot", "yes")
	set("bus lane", "busway:left", b.nearestRoad(tarrowmouth.Add(plane.Point{X: -200, Y: 300}), main(network.Primary, land.Terrace)), "lanes", "3", "lanes:forward", "2", "lanes:backward", "1",
		"busway:left", "lane", "bus:lanes:forward", "designated|yes", "psv", "yes")
	set("cycle lanes", "cycleway:both", b.nearestRoad(tarrowmouth.Add(plane.Point{X: 700, Y: -200}), main(network.Primary, land.Terrace)), "cycleway:both", "lane")
	set("cycle lane", "cycleway:left", b.nearestRoad(tarrowmouth.Add(plane.Point{X: -700, Y: -200}), main(network.Tertiary, land.Terrace)), "cycleway:left", "lane")
	set("pedestrian street", "highway", b.nearestRoad(tarrowmouth.Add(plane.Point{X: -60, Y: 60}), street(land.Core, 40)), "highway", "pedestrian", "motor_vehicle", "no", "surface", "paving_stones")
	for i, off := range []plane.Point{{X: -300, Y: 250}, {X: 300, Y: -250}, {X: -450, Y: -100}, {X: 350, Y: 350}, {X: -150, Y: -350}, {X: 0, Y: 420}} {
		kv := []string{"oneway", "yes"}
		name, key := "one-way street", "oneway"
		if i%2 == 1 {
			kv = append(kv, "oneway:bicycle", "no", "cycleway:right", "lane")
			name, key = "contraflow for bicycles", "oneway:bicycle"
		}
		set(name, key, b.nearestRoad(tarrowmouth.Add(off), func(r *network.Road) bool { return street(land.Core, 35)(r) || street(land.Terrace, 60)(r) }), kv...)
	}
	for _, off := range []plane.Point{{X: 900, Y: 900}, {X: -900, Y: -300}, {X: 500, Y: -1200}, {X: -500, Y: 1100}} {
		set("living street", "highway", b.nearestRoad(tarrowmouth.Add(off), b.lonely), "highway", "living_street", "maxspeed", "10 mph")
	}
	set("private road", "access", b.nearestRoad(tarrowmouth.Add(plane.Point{X: 1100, Y: -300}), b.lonely), "access", "private")
	for _, r := range b.roads {
		if r.Rank == network.Motorway && r.Tags.Get("highway") == "motorway" {
			r.Set("maxspeed:variable", "peak_traffic")
		}
	}
	b.lanesAtRoundabouts()
	b.turnLanes()
	b.lowBridges()
	b.cityTunnels()
}

// lonely reports whether r is a close that nothing else hangs on.
func (b signDrawer) lonely(r *network.Road) bool {
	if !r.Bulb || r.Zone != land.Estate || len(r.Pts) < 5 {
		return false
	}
	for _, p := range r.Pts[1:] {
		if len(b.arms[p]) > 2 {
			return false
		}
	}
	return len(b.arms[r.Pts[len(r.Pts)-1]]) == 1
}

// lanesAtRoundabouts gives main roads a lane more where they come up to a
// roundabout.
func (b signDrawer) lanesAtRoundabouts() {
	rings := map[plane.Point]bool{}
	for _, r := range b.roads {
		if r.Tags.Get("junction") == "roundabout" {
			for _, p := range r.Pts {
				rings[p] = true
			}
		}
	}
	for _, r := range append([]*network.Road(nil), b.roads...) {
		if r.Rank != network.Primary || r.Level != 0 || r.Fixed || plane.Length(r.Pts) < 260 || !rings[r.Pts[len(r.Pts)-1]] {
			continue
		}
		total := plane.Length(r.Pts)
		near := b.apartAt(r, total-90, total, network.Tags("lanes", "3", "lanes:forward", "2", "lanes:backward", "1",
			"turn:lanes:forward", "left;through|right", "change:lanes:forward", "not_right|not_left"))
		b.noteRoad("lanes at a roundabout", "turn:lanes:forward", near)
	}
}

// lowBridges signs the height under the railway's low bridges.
func (b signDrawer) lowBridges() {
	var bridges []*network.Road
	for _, r := range b.roads {
		if r.Rank == network.Rail && r.Level == 1 {
			bridges = append(bridges, r)
		}
	}
	for _, g := range bridges {
		mid := g.Pts[0].Lerp(g.Pts[len(g.Pts)-1], 0.5)
		for _, r := range append([]*network.Road(nil), b.roads...) {
			if r.Level != 0 || r.Rank > network.Unclassified {
				continue
			}
			s, d := plane.Project(r.Pts, mid)
			total := plane.Length(r.Pts)
			if d > 12 || s < 30 || s > total-30 {
				continue
			}
			height, name := "", ""
			switch {
			case mid.Dist(lowBridge) < 300:
				height, name = "3.4 m", "low bridge"
			case r.Rank == network.Unclassified || r.Rank == network.Tertiary:
				height, name = `11'6"`, "low bridge in feet"
			default:
				height, name = "4.9 m", "railway bridge"
			}
			under := b.apartAt(r, s-22, s+22, network.Tags("maxheight", height, "maxheight:signed", "yes"))
			b.noteRoad(name, "maxheight", under)
			b.marks[name] = mark{at: under.Pts[len(under.Pts)/2]}
		}
	}
}

// cityTunnels sinks short stretches of town and country road, each with a
// rule of its own for dangerous goods.
func (b signDrawer) cityTunnels() {
	at := func(name, key string, c plane.Point, k network.Rank, t ...string) {
		r := b.nearestRoad(c, func(r *network.Road) bool {
			return r.Rank == k && r.Level == 0 && !r.Fixed && r.Tags.Get("junction") == "" && b.free(r, 130) >= 0
		})
		if r == nil {
			return
		}
		s := b.free(r, 130)
		m := b.apartAt(r, s, s+110, append(network.Tags("tunnel", "yes", "layer", "-1", "lit", "yes"), network.Tags(t...)...))
		m.Level, m.Apart = -1, true
		m.Tags = network.Without(m.Tags, "sidewalk")
		b.noteRoad(name, key, m)
		b.marks[name] = mark{at: m.Pts[0]}
	}
	at("tunnel closed to tankers", "hazmat:D", plane.Km(21.2, 14.4), network.Secondary, "name", "Saltrey Tunnel", "hazmat:D", "no", "hazmat:E", "no")
	at("tunnel closed to dangerous goods", "hazmat", plane.Km(24.2, 10.2), network.Tertiary, "name", "Ness Tunnel", "hazmat", "no")
	at("category B tunnel", "hazmat:adr_tunnel_cat", plane.Km(12.4, 13.2), network.Tertiary, "name", "Mere Tunnel", "hazmat:adr_tunnel_cat", "B")
}

// free returns the start of a stretch of r without junctions, or -1.
func (b signDrawer) free(r *network.Road, least float64) float64 {
	gone, from := 0.0, 25.0
	for i := 1; i < len(r.Pts); i++ {
		gone += r.Pts[i-1].Dist(r.Pts[i])
		if len(b.arms[r.Pts[i]]) > 2 || b.pathsAt[r.Pts[i]] || i == len(r.Pts)-1 {
			if gone-from > math.Max(least, 160) {
				return from + 15
			}
			from = gone + 15
		}
	}
	return -1
}

// nodesOnRoads puts nodes on roads: signals, crossings, barriers.
func (b signDrawer) nodesOnRoads() {
	n := 0
	for i := range b.towns[:3] {
		t := &b.towns[i]
		for _, p := range b.junctions(t.Centre, t.Radius, 3, func(_ plane.Point, arms []arm) bool {
			for _, a := range arms {
				if a.r.Fixed || a.r.Tags.Get("junction") != "" || a.r.Level != 0 {
					return false
				}
			}
			return true
		}) {
			var big, small int
			for _, a := range b.arms[p] {
				if a.r.Rank <= network.Tertiary {
					big++
				} else if a.r.Rank <= network.Living {
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
					if a.r.Rank <= network.Tertiary || a.next.Dist(p) < 9 || !a.in {
						continue
					}
					q := plane.Snap(p.Lerp(a.next, 6/p.Dist(a.next)))
					a.r.Pts = insertBetween(a.r.Pts, p, a.next, q)
					value := "give_way"
					if n%7 == 0 {
						value = "stop"
					}
					b.tag(q, "highway", value, "direction", direction(a.r.Pts, q, p))
					b.noteOnce(map[string]string{"stop": "stop sign", "give_way": "give way"}[value], "highway", value, q)
					break
				}
			}
		}
	}
	kinds := []string{"zebra", "traffic_signals", "uncontrolled", "unmarked"}
	for i, r := range b.roads {
		if r.Rank > network.Tertiary || r.Zone == land.Country || r.Level != 0 || r.Fixed || r.Tags.Get("junction") != "" {
			continue
		}
		for k := 3; k < len(r.Pts)-3; k += 9 {
			if p := r.Pts[k]; len(b.arms[p]) == 2 && b.town[p] == nil {
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
	barrier := func(r *network.Road, value string, kv ...string) {
		i := 1
		if len(r.Pts) < 3 || b.town[r.Pts[i]] != nil || len(b.arms[r.Pts[i]]) > 2 {
			return
		}
		b.tag(r.Pts[i], append([]string{"barrier", value}, kv...)...)
		b.noteOnce(map[string]string{"gate": "gate", "cattle_grid": "cattle grid", "bollard": "bollard", "kissing_gate": "kissing gate", "lift_gate": "lift gate"}[value], "barrier", value, r.Pts[i])
	}
	for i, r := range b.roads {
		seen[r.Tags.Get("highway")]++
		k := seen[r.Tags.Get("highway")]
		switch {
		case r.Rank == network.Track && k%5 == 1:
			barrier(r, "gate", "access", "yes")
		case r.Rank == network.Track && k%17 == 3:
			r.Set("access", "private")
			barrier(r, "gate", "access", "private", "locked", "yes")
		case r.Rank == network.Unclassified && r.Zone == land.Country && b.land.At(r.Pts[len(r.Pts)/2]) > 170 && i%2 == 0:
			barrier(r, "cattle_grid")
		case r.Tags.Get("designation") == "public_footpath" && k%3 == 1:
			barrier(r, "kissing_gate")
		case r.Rank == network.Path && r.Tags.Get("highway") == "cycleway" && len(r.Pts) == 3:
			barrier(r, "bollard", "bicycle", "yes", "foot", "yes", "motor_vehicle", "no")
		}
	}
	for _, r := range b.roads {
		if r.Tags.Get("toll") == "yes" && r.Level == 1 {
			for _, p := range []plane.Point{r.Pts[0]} {
				b.tag(p, "barrier", "toll_booth", "name", "Tarrow Bridge Tolls", "fee", "yes", "payment:cash", "yes", "payment:contactless", "yes")
				b.noteOnce("toll booth", "barrier", "toll_booth", p)
			}
			b.noteRoad("toll bridge", "toll", r)
			b.marks["toll bridge"] = mark{at: r.Pts[len(r.Pts)/2]}
		}
	}
}

func (b *builder) noteOnce(name, key, value string, p plane.Point) {
	for _, n := range b.notes {
		if n.name == name {
			return
		}
	}
	b.noteNode(name, key, value, p)
}

func insertBetween(line []plane.Point, p, next, q plane.Point) []plane.Point {
	for i := 1; i < len(line); i++ {
		if line[i-1] == p && line[i] == next || line[i-1] == next && line[i] == p {
			out := append([]plane.Point(nil), line[:i]...)
			out = append(out, q)
			return append(out, line[i:]...)
		}
	}
	return line
}

// direction reports whether traffic towards p passes q with the line or
// against it.
func direction(line []plane.Point, q, p plane.Point) string {
	for i := 1; i < len(line); i++ {
		if line[i-1] == q && line[i] == p {
			return "forward"
		}
	}
	return "backward"
}
