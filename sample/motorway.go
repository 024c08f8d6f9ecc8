package sample

import (
	"slices"

	"github.com/waygate/waygate/osm"
)

// dual is a road of two carriageways along one centre line.
type dual struct {
	centre        []pt
	ahead, back   []pt // in the direction of travel; ahead is on the left
	half          float64
	exits, enters []pt
}

func newDual(control []pt, half float64) *dual {
	centre := spline(control, 45, false)
	return &dual{centre: centre, half: half, ahead: offset(centre, half), back: reversed(offset(centre, -half))}
}

// at is the point s metres along the centre line, off metres to its left.
func (d *dual) at(s, off float64) pt {
	p, _, dir := along(d.centre, s)
	return snap(p.add(dir.left().mul(off)))
}

// slip draws a slip road of the ahead (side 1) or back (side -1) carriageway
// near s: an exit that leaves 400 m before, or an entry that merges 400 m
// beyond, whose other end is at to.
func (d *dual) slip(s float64, side float64, exit bool, run float64, to pt) []pt {
	sign := side // direction of travel along the centre line
	if !exit {
		sign = -side
	}
	nose, _, _ := along(d.carriageway(side), d.run(s-sign*run, side))
	nose = snap(nose)
	line := spline([]pt{
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
	return reversed(line)
}

func (d *dual) carriageway(side float64) []pt {
	if side > 0 {
		return d.ahead
	}
	return d.back
}

// run is how far along the carriageway of a side the place s metres along
// the centre line lies.
func (d *dual) run(s, side float64) float64 {
	got, _ := project(d.carriageway(side), d.at(s, side*d.half))
	return got
}

const motorwayRef = "M91"

// motorways lays the M91 with its junctions and services, and the by-pass of
// Tarrowmouth.
func (b *builder) motorways() {
	m := newDual([]pt{junction1, junctionB, junction2, km(18.1, 9.72), junction3, junction4, junction5}, 10)
	var links []*road
	link := func(line []pt, kv ...string) {
		t := tags("highway", "motorway_link", "oneway", "yes", "lanes", "1")
		for i := 0; i+1 < len(kv); i += 2 {
			t = with(t, kv[i], kv[i+1])
		}
		links = append(links, &road{pts: line, rank: motorway, apart: true, fixed: true, street: b.street(), tags: t})
	}
	type exit struct {
		ref, name, to, refs string
	}
	where := map[pt]exit{}
	interchange := func(c pt, ref, name string, reach float64, aheadTo, aheadRefs, backTo, backRefs string) {
		s, _ := project(m.centre, c)
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
		s, _ := project(m.centre, km(18.1, 9.72))
		b.services(m, s, side, link)
	}
	b.roads = append(b.roads, links...)
	by := newDual([]pt{junction2, km(16.07, 8.86), km(16.5, 8.66), km(17.4, 8.62), km(18.5, 8.25), km(19.15, 7.4), bypassEast, km(18.95, 5.3), bypassSouth}, 8)
	for _, c := range [][]pt{by.ahead, by.back} {
		b.roads = append(b.roads, &road{pts: c, rank: trunk, apart: true, fixed: true, street: b.street(), tags: tags(
			"highway", "trunk", "ref", "A3960", "name", "Tarrowmouth By-pass", "oneway", "yes", "dual_carriageway", "yes",
			"lanes", "2", "maxspeed", "70 mph", "lit", "no", "surface", "asphalt")})
	}
	for side, c := range [][]pt{m.ahead, m.back} {
		to := []string{"Port Gwillan", "Stannerford"}[side]
		for _, part := range cutAt(c, append(slices.Clone(m.exits), m.enters...)) {
			t := tags("highway", "motorway", "ref", motorwayRef, "oneway", "yes", "lanes", "3", "maxspeed", "70 mph", "lit", "no", "surface", "asphalt", "destination", to)
			last := part[len(part)-1]
			if _, ok := where[last]; ok {
				t = with(t, "turn:lanes", "through|through|through")
				t = with(t, "destination:lanes", to+"|"+to+"|"+to)
				t = with(t, "change:lanes", "not_left|yes|not_right")
			}
			b.roads = append(b.roads, &road{pts: part, rank: motorway, apart: true, fixed: true, street: b.street(), tags: t})
		}
	}
	for p, e := range where {
		b.tag(p, "highway", "motorway_junction", "ref", e.ref, "name", e.name)
	}
	b.reindex()
	b.tag(m.ahead[len(m.ahead)-2], "highway", "motorway_junction", "ref", "6", "name", "Gwillan Gate")
	b.tag(m.back[len(m.back)-2], "highway", "motorway_junction", "ref", "1", "name", "Hallow")

	inner := func(r *road) bool { return r.rank != motorway || r.tags.Get("highway") == "motorway_link" }
	b.punch(circle(junction2, 95, 40), &road{rank: primary, fixed: true, street: b.street(), tags: tags("highway", "primary", "junction", "roundabout",
		"name", "Tarrowmouth Interchange", "ref", "A3951", "lanes", "2", "maxspeed", "40 mph", "lit", "yes", "surface", "asphalt")}, inner)
	for _, j := range []pt{junctionB, junction3, junction4} {
		for _, side := range []float64{1, -1} {
			s, _ := project(m.centre, j)
			b.punch(circle(m.at(s, side*88), 24, 16), &road{rank: secondary, street: b.street(), tags: tags("highway", "secondary", "junction", "roundabout")}, inner)
		}
	}
	b.roundabout(junction1, 44, primary, tags("name", "Hallow Roundabout"))
	b.roundabout(junction5, 44, primary, tags("name", "Gwillan Gate Roundabout"))
	b.roundabout(bypassEast, 36, primary, tags("name", "Cooper's Drove Roundabout"))
	b.roundabout(bypassSouth, 32, primary, tags("name", "Saltpan Roundabout"))
}

// d2 is the end of a slip road inside its roundabout.
func d2(m *dual, s, side, reach float64, exit bool) pt {
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
func (b *builder) services(m *dual, s, side float64, link func([]pt, ...string)) {
	in, out := m.at(s-side*110, side*70), m.at(s+side*150, side*70)
	link(m.slip(s-side*70, side, true, 430, in), "destination", "Halvern Services")
	link(m.slip(s+side*110, side, false, 430, out), "destination:ref", motorwayRef)
	lane := func(extra osm.Tags, pts ...pt) {
		t := tags("highway", "service", "maxspeed", "20 mph", "lit", "yes", "surface", "asphalt")
		if extra == nil {
			t = with(t, "oneway", "yes")
		}
		for _, x := range extra {
			t = with(t, x.Key, x.Value)
		}
		b.roads = append(b.roads, &road{pts: pts, rank: service, fixed: true, street: b.street(), tags: t})
	}
	at := func(x, y float64) pt { return m.at(s+side*x, side*y) }
	lane(nil, in, at(-60, 92), at(0, 98), at(60, 96), at(110, 88), out)
	lane(tags("name", "Lorry park"), at(-60, 92), at(-62, 175), at(62, 178), at(60, 96))
	for i, x := range []float64{-40, -15, 10, 35} {
		// The lorry park's way round leads from left to right; so do the rows.
		top, bottom := at(x, 175+3*(x+62)/124), at(x, []float64{94, 97, 97.667, 96.833}[i])
		lane(tags("service", "parking_aisle"), bottom, top)
	}
	area := []pt{at(-75, 60), at(120, 60), at(120, 190), at(-75, 190)}
	fuel := []pt{at(70, 108), at(104, 108), at(104, 134), at(70, 134)}
	hall := []pt{at(-45, 64), at(-5, 64), at(-5, 84), at(-45, 84)}
	bound := map[float64]string{1: "eastbound", -1: "westbound"}[side]
	b.lots = append(b.lots, lot{ring: area, at: at(0, 120), tags: tags("highway", "services", "name", "Halvern Services ("+bound+")", "operator", "Wayfarer Inns", "opening_hours", "24/7"), extra: []patch{
		{fuel, tags("amenity", "fuel", "name", "Wayfarer Fuel", "brand", "Wayfarer", "opening_hours", "24/7", "fuel:diesel", "yes", "fuel:HGV_diesel", "yes", "fuel:octane_95", "yes", "fuel:adblue", "yes", "hgv", "yes", "building", "roof")},
		{hall, tags("building", "retail", "building:levels", "1", "amenity", "cafe", "name", "Wayfarer Kitchen", "opening_hours", "24/7")},
		{[]pt{at(-62, 181), at(62, 181), at(62, 189), at(-62, 189)}, tags("amenity", "parking", "name", "Lorry park", "hgv", "designated", "capacity:hgv", "24")},
	}})
	b.marks["services"] = mark{at: at(0, 98)}
}

// cutAt breaks a line at those of the points that are its vertices.
func cutAt(line []pt, points []pt) [][]pt {
	var out [][]pt
	from := 0
	for i := 1; i < len(line); i++ {
		if i == len(line)-1 || slices.Contains(points, line[i]) {
			out = append(out, line[from:i+1])
			from = i
		}
	}
	return out
}
