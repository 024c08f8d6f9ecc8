package sample

import (
	"slices"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// dual is a road of two carriageways along one centre line.
type dual struct {
	centre        []plane.Point
	ahead, back   []plane.Point // in the direction of travel; ahead is on the left
	half          float64
	exits, enters []plane.Point
}

func newDual(control []plane.Point, half float64) *dual {
	centre := plane.Spline(control, 45, false)
	return &dual{centre: centre, half: half, ahead: plane.Offset(centre, half), back: plane.Reversed(plane.Offset(centre, -half))}
}

// at returns the point s metres along the centre line, off metres to its left.
func (d *dual) at(s, off float64) plane.Point {
	p, _, dir := plane.Along(d.centre, s)
	return plane.Snap(p.Add(dir.Left().Mul(off)))
}

// slip draws a slip road of the ahead (side 1) or back (side -1) carriageway
// near s: an exit that leaves 400 m before, or an entry that merges 400 m
// beyond, whose other end is at to.
func (d *dual) slip(s float64, side float64, exit bool, run float64, to plane.Point) []plane.Point {
	sign := side // direction of travel along the centre line
	if !exit {
		sign = -side
	}
	nose, _, _ := plane.Along(d.carriageway(side), d.run(s-sign*run, side))
	nose = plane.Snap(nose)
	line := plane.Spline([]plane.Point{
		nose, d.at(s-sign*run*0.78, side*(d.half+7)), d.at(s-sign*run*0.5, side*(d.half+17)),
		d.at(s-sign*run*0.27, side*(d.half+38)), to,
	}, 25, false)
	if side > 0 {
		d.ahead = insertVertex(d.ahead, nose)
	} else {
		d.back = insertVertex(d.back, nose)
	}
	if exit {
		d.exits = append(d.exits, nose)
		return line
	}
	d.enters = append(d.enters, nose)
	return plane.Reversed(line)
}

func (d *dual) carriageway(side float64) []plane.Point {
	if side > 0 {
		return d.ahead
	}
	return d.back
}

// run returns how far along the carriageway of a side the place s metres along
// the centre line lies.
func (d *dual) run(s, side float64) float64 {
	got, _ := plane.Project(d.carriageway(side), d.at(s, side*d.half))
	return got
}

const motorwayRef = "M91"

// motorways lays the M91 with its junctions and services, and the by-pass of
// Tarrowmouth.
func (b roadPlanner) motorways() {
	m := newDual([]plane.Point{junction1, junctionB, junction2, plane.Km(18.1, 9.72), junction3, junction4, junction5}, 10)
	var links []*network.Road
	link := func(line []plane.Point, kv ...string) {
		t := network.Tags("highway", "motorway_link", "oneway", "yes", "lanes", "1")
		for i := 0; i+1 < len(kv); i += 2 {
			t = network.With(t, kv[i], kv[i+1])
		}
		links = append(links, &network.Road{Pts: line, Rank: network.Motorway, Apart: true, Fixed: true, Street: b.street(), Tags: t})
	}
	type exit struct {
		ref, name, to, refs string
	}
	where := map[plane.Point]exit{}
	interchange := func(c plane.Point, ref, name string, reach float64, aheadTo, aheadRefs, backTo, backRefs string) {
		s, _ := plane.Project(m.centre, c)
		for _, side := range []float64{1, -1} {
			to, refs := aheadTo, aheadRefs
			if side < 0 {
				to, refs = backTo, backRefs
			}
			in := d2(m, s, side, reach, true)
			out := d2(m, s, side, reach, false)
			off := m.slip(s, side, true, 430, in)
			where[off[0]] = exit{ref, name, to, refs}
			link(off, "destination", to, "destination:ref", refs, "junction:ref", ref)
			link(m.slip(s, side, false, 430, out), "destination:ref", motorwayRef)
		}
	}
	interchange(junctionB, "2", "Sedgeholme", 0, "Sedgeholme", "B3965", "Sedgeholme", "B3965")
	interchange(junction2, "3", "Tarrowmouth Interchange", 80, "Tarrowmouth;Marlowick", "A3951;A3960", "Tarrowmouth;Marlowick", "A3951;A3960")
	interchange(junction3, "4", "Hethercombe", 0, "Hethercombe;Chilverstoke", "B3956", "Hethercombe;Chilverstoke", "B3956")
	interchange(junction4, "5", "Ruddlecombe", 0, "Ruddlecombe;Hethercombe", "B3962", "Ruddlecombe;Hethercombe", "B3962")
	for _, side := range []float64{1, -1} {
		s, _ := plane.Project(m.centre, plane.Km(18.1, 9.72))
		b.services(m, s, side, link)
	}
	b.roads = append(b.roads, links...)
	by := newDual([]plane.Point{junction2, plane.Km(16.07, 8.86), plane.Km(16.5, 8.66), plane.Km(17.4, 8.62), plane.Km(18.5, 8.25), plane.Km(19.15, 7.4), bypassEast, plane.Km(18.95, 5.3), bypassSouth}, 8)
	for _, c := range [][]plane.Point{by.ahead, by.back} {
		b.roads = append(b.roads, &network.Road{Pts: c, Rank: network.Trunk, Apart: true, Fixed: true, Street: b.street(), Tags: network.Tags(
			"highway", "trunk", "ref", "A3960", "name", "Tarrowmouth By-pass", "oneway", "yes", "dual_carriageway", "yes",
			"lanes", "2", "maxspeed", "70 mph", "lit", "no", "surface", "asphalt")})
	}
	for side, c := range [][]plane.Point{m.ahead, m.back} {
		to := []string{"Port Gwillan", "Stannerford"}[side]
		for _, part := range cutAt(c, append(slices.Clone(m.exits), m.enters...)) {
			t := network.Tags("highway", "motorway", "ref", motorwayRef, "oneway", "yes", "lanes", "3", "maxspeed", "70 mph", "lit", "no", "surface", "asphalt", "destination", to)
			last := part[len(part)-1]
			if _, ok := where[last]; ok {
				t = network.With(t, "turn:lanes", "through|through|through")
				t = network.With(t, "destination:lanes", to+"|"+to+"|"+to)
				t = network.With(t, "change:lanes", "not_left|yes|not_right")
			}
			b.roads = append(b.roads, &network.Road{Pts: part, Rank: network.Motorway, Apart: true, Fixed: true, Street: b.street(), Tags: t})
		}
	}
	for p, e := range where {
		b.tag(p, "highway", "motorway_junction", "ref", e.ref, "name", e.name)
	}
	b.reindex()
	b.tag(m.ahead[len(m.ahead)-2], "highway", "motorway_junction", "ref", "6", "name", "Gwillan Gate")
	b.tag(m.back[len(m.back)-2], "highway", "motorway_junction", "ref", "1", "name", "Hallow")

	inner := func(r *network.Road) bool {
		return r.Rank != network.Motorway || r.Tags.Get("highway") == "motorway_link"
	}
	b.punch(circle(junction2, 95, 40), &network.Road{Rank: network.Primary, Fixed: true, Street: b.street(), Tags: network.Tags("highway", "primary", "junction", "roundabout",
		"name", "Tarrowmouth Interchange", "ref", "A3951", "lanes", "2", "maxspeed", "40 mph", "lit", "yes", "surface", "asphalt")}, inner)
	for _, j := range []plane.Point{junctionB, junction3, junction4} {
		for _, side := range []float64{1, -1} {
			s, _ := plane.Project(m.centre, j)
			b.punch(circle(m.at(s, side*88), 24, 16), &network.Road{Rank: network.Secondary, Street: b.street(), Tags: network.Tags("highway", "secondary", "junction", "roundabout")}, inner)
		}
	}
	b.roundabout(junction1, 44, network.Primary, network.Tags("name", "Hallow Roundabout"))
	b.roundabout(junction5, 44, network.Primary, network.Tags("name", "Gwillan Gate Roundabout"))
	b.roundabout(bypassEast, 36, network.Primary, network.Tags("name", "Cooper's Drove Roundabout"))
	b.roundabout(bypassSouth, 32, network.Primary, network.Tags("name", "Saltpan Roundabout"))
}

// d2 returns the end of a slip road inside its roundabout.
func d2(m *dual, s, side, reach float64, exit bool) plane.Point {
	if reach == 0 {
		return m.at(s, side*88)
	}
	back := side
	if !exit {
		back = -side
	}
	return m.at(s-back*reach*0.55, side*reach*0.75)
}

// services lays a service area beside one carriageway.
func (b roadPlanner) services(m *dual, s, side float64, link func([]plane.Point, ...string)) {
	in, out := m.at(s-side*110, side*70), m.at(s+side*150, side*70)
	link(m.slip(s-side*70, side, true, 430, in), "destination", "Halvern Services")
	link(m.slip(s+side*110, side, false, 430, out), "destination:ref", motorwayRef)
	lane := func(extra osm.Tags, pts ...plane.Point) {
		t := network.Tags("highway", "service", "maxspeed", "20 mph", "lit", "yes", "surface", "asphalt")
		if extra == nil {
			t = network.With(t, "oneway", "yes")
		}
		for _, x := range extra {
			t = network.With(t, x.Key, x.Value)
		}
		b.roads = append(b.roads, &network.Road{Pts: pts, Rank: network.Service, Fixed: true, Street: b.street(), Tags: t})
	}
	at := func(x, y float64) plane.Point { return m.at(s+side*x, side*y) }
	lane(nil, in, at(-60, 92), at(0, 98), at(60, 96), at(110, 88), out)
	lane(network.Tags("name", "Lorry park"), at(-60, 92), at(-62, 175), at(62, 178), at(60, 96))
	for i, x := range []float64{-40, -15, 10, 35} {
		// The lorry park's way round leads from left to right; so do the rows.
		top, bottom := at(x, 175+3*(x+62)/124), at(x, []float64{94, 97, 97.667, 96.833}[i])
		lane(network.Tags("service", "parking_aisle"), bottom, top)
	}
	area := []plane.Point{at(-75, 60), at(120, 60), at(120, 190), at(-75, 190)}
	fuel := []plane.Point{at(70, 108), at(104, 108), at(104, 134), at(70, 134)}
	hall := []plane.Point{at(-45, 64), at(-5, 64), at(-5, 84), at(-45, 84)}
	bound := map[float64]string{1: "eastbound", -1: "westbound"}[side]
	b.lots = append(b.lots, lot{ring: area, at: at(0, 120), tags: network.Tags("highway", "services", "name", "Halvern Services ("+bound+")", "operator", "Wayfarer Inns", "opening_hours", "24/7"), extra: []patch{
		{fuel, network.Tags("amenity", "fuel", "name", "Wayfarer Fuel", "brand", "Wayfarer", "opening_hours", "24/7", "fuel:diesel", "yes", "fuel:HGV_diesel", "yes", "fuel:octane_95", "yes", "fuel:adblue", "yes", "hgv", "yes", "building", "roof")},
		{hall, network.Tags("building", "retail", "building:levels", "1", "amenity", "cafe", "name", "Wayfarer Kitchen", "opening_hours", "24/7")},
		{[]plane.Point{at(-62, 181), at(62, 181), at(62, 189), at(-62, 189)}, network.Tags("amenity", "parking", "name", "Lorry park", "hgv", "designated", "capacity:hgv", "24")},
	}})
	b.marks["services"] = mark{at: at(0, 98)}
}

// cutAt breaks a line at those of the points that are its vertices.
func cutAt(line []plane.Point, points []plane.Point) [][]plane.Point {
	var out [][]plane.Point
	from := 0
	for i := 1; i < len(line); i++ {
		if i == len(line)-1 || slices.Contains(points, line[i]) {
			out = append(out, line[from:i+1])
			from = i
		}
	}
	return out
}
