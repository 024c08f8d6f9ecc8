package sample

import (
	"math"
	"strconv"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// lot is a piece of ground by a road with a use of its own: a school, a car
// park, a supermarket, a park.
type lot struct {
	ring  []plane.Point
	tags  osm.Tags
	extra []patch // buildings and pitches on it
	at    plane.Point
}

// want describes a lot and where it may lie.
type want struct {
	near       plane.Point
	zones      []land.Zone
	wide, deep float64
	tags       osm.Tags
	drive      bool // a service road leads in
	house      []string
	aisles     int
	note       string
}

// frame places local coordinates, x along the road and y away from it.
type frame struct{ o, dir, n plane.Point }

func (f frame) at(x, y float64) plane.Point { return plane.Snap(f.o.Add(f.dir.Mul(x)).Add(f.n.Mul(y))) }

func (f frame) box(x, y, w, d float64) []plane.Point {
	ring := []plane.Point{f.at(x, y), f.at(x+w, y), f.at(x+w, y+d), f.at(x, y+d)}
	if plane.Area(ring) < 0 {
		ring[1], ring[3] = ring[3], ring[1]
	}
	return ring
}

// findRoom finds room for what is wanted nearest to where it is wanted.
func (b siteDrawer) findRoom(w want) {
	type candidate struct {
		f frame
		r *network.Road
		p plane.Point
	}
	var best *candidate
	far := math.Inf(1)
	for _, r := range b.roads {
		if !r.Drivable() || r.Rank < network.Primary || r.Rank > network.Residential || r.Fixed || r.Level != 0 || r.Tags.Get("junction") != "" {
			continue
		}
		total := plane.Length(r.Pts)
		for s := 12.0; s+w.wide+6 < total; s += 22 {
			p, _, _ := plane.Along(r.Pts, s+w.wide/2)
			if d := p.Dist(w.near); d >= far || d > 1600 {
				continue
			}
			z, _ := land.ZoneAt(b.towns, p)
			ok := false
			for _, want := range w.zones {
				ok = ok || z == want
			}
			if !ok {
				continue
			}
			a, _, _ := plane.Along(r.Pts, s)
			c, _, _ := plane.Along(r.Pts, s+w.wide)
			dir := c.Sub(a).Unit()
			for _, side := range []float64{1, -1} {
				n := dir.Left().Mul(side)
				f := frame{p.Sub(dir.Mul(w.wide / 2)), dir, n}
				if b.clearLot(f, w.wide, w.deep) {
					best, far = &candidate{f, r, p}, p.Dist(w.near)
					break
				}
			}
		}
	}
	if best == nil {
		return
	}
	f := best.f
	l := lot{ring: f.box(0, 9, w.wide, w.deep), tags: w.tags, at: f.at(w.wide/2, 9+w.deep/2)}
	for i, kind := range w.house {
		bw, bd := w.wide*0.5, w.deep*0.32
		x, y := w.wide*0.4, 9+w.deep*0.6
		if i == 1 {
			x, y, bw, bd = w.wide*0.08, 9+w.deep*0.66, w.wide*0.24, w.deep*0.2
		}
		l.extra = append(l.extra, patch{f.box(x, y, bw, bd), network.Tags("building", kind, "building:levels", strconv.Itoa(1+i))})
	}
	if w.drive {
		gate, _, _ := plane.Along(best.r.Pts, func() float64 { s, _ := plane.Project(best.r.Pts, f.at(w.wide*0.22, 0)); return s }())
		gate = plane.Snap(gate)
		if near := nearestVertex(best.r.Pts, gate); near.Dist(gate) < 4 {
			gate = near
		}
		best.r.Pts = insertVertex(best.r.Pts, gate)
		lane := func(name string, pts ...plane.Point) {
			t := network.Tags("highway", "service", "maxspeed", "10 mph", "surface", "asphalt", "lit", "yes")
			if name != "" {
				t = network.With(t, "service", name)
			}
			r := &network.Road{Pts: pts, Rank: network.Service, Fixed: true, Street: b.street(), Zone: land.Works, Tags: t}
			b.add(r)
			if name == "parking_aisle" {
				b.noteOnceRoad("parking aisle", "service", r)
			}
		}
		inner := f.at(w.wide*0.22, 9+w.deep*0.15)
		if w.aisles == 0 {
			lane("", gate, inner, f.at(w.wide*0.22, 9+w.deep*0.5))
		} else {
			far := f.at(w.wide*0.22, 9+w.deep*0.52)
			lane("", gate, inner, far)
			lane("parking_aisle", inner, f.at(w.wide*0.9, 9+w.deep*0.15), f.at(w.wide*0.9, 9+w.deep*0.52), far)
			if w.aisles > 1 {
				b.tag(inner, "barrier", "lift_gate", "access", "customers")
				b.noteOnce("lift gate", "barrier", "lift_gate", inner)
			}
		}
	}
	for i := range l.ring {
		b.area.Add(l.ring[i], l.ring[(i+1)%4], 0)
	}
	b.lots = append(b.lots, l)
	if w.note != "" {
		b.marks[w.note] = mark{at: l.at}
	}
}

func nearestVertex(line []plane.Point, p plane.Point) plane.Point {
	best := line[0]
	for _, q := range line {
		if q.Dist(p) < best.Dist(p) {
			best = q
		}
	}
	return best
}

func (b siteDrawer) noteOnceRoad(name, key string, r *network.Road) {
	for _, n := range b.notes {
		if n.name == name {
			return
		}
	}
	b.noteRoad(name, key, r)
}

// clearLot reports whether a box beside a road is free of roads, lots and
// water.
func (b siteDrawer) clearLot(f frame, wide, deep float64) bool {
	for y := 9.0; y <= 9+deep+4; y += 9 {
		for x := -2.0; x <= wide+2; x += 9 {
			p := f.at(x, y)
			if b.lines.Near(p, 6.5) || b.barriers.Near(p, 14) || b.land.Inland(p) < 20 || b.inLot(p) || b.wet(p) {
				return false
			}
		}
	}
	ring := f.box(-1, 8, wide+2, deep+2)
	for i := range ring {
		if _, _, cut := b.lines.Hit(ring[i], ring[(i+1)%4]); cut {
			return false
		}
	}
	return true
}

func (b siteDrawer) inLot(p plane.Point) bool {
	for i := range b.lots {
		l := &b.lots[i]
		if p.Dist(l.at) < 200 && plane.Inside(l.ring, p) {
			return true
		}
	}
	return false
}

// facilities places what needs ground of its own.
func (b siteDrawer) facilities() {
	phone := 100
	contact := func(t osm.Tags, site string) osm.Tags {
		phone++
		return append(t, osm.Tag{Key: "phone", Value: "+44 1632 960" + strconv.Itoa(phone)}, osm.Tag{Key: "website", Value: "https://" + site + ".example.org"})
	}
	town := []land.Zone{land.Terrace, land.Estate, land.Works}
	for i := range b.towns {
		t := &b.towns[i]
		c := t.Centre
		if t.Kind == "hamlet" {
			continue
		}
		if t.Kind == "village" {
			b.findRoom(want{near: c, zones: []land.Zone{land.Village}, wide: 40, deep: 42, tags: contact(network.Tags("amenity", "school", "name", t.Name+" Primary School", "isced:level", "1"), "school"), house: []string{"school"}, drive: true})
			b.findRoom(want{near: c, zones: []land.Zone{land.Village}, wide: 30, deep: 34, tags: network.Tags("landuse", "cemetery", "name", t.Name+" Churchyard", "religion", "christian"), house: []string{"church"}, note: "church " + t.Name})
			b.findRoom(want{near: c.Add(plane.Point{X: 150, Y: 100}), zones: []land.Zone{land.Village, land.Country}, wide: 70, deep: 60, tags: network.Tags("leisure", "recreation_ground", "name", t.Name+" Green")})
			continue
		}
		place := func(dx, dy float64, wide, deep float64, key string, t osm.Tags, houses []string, aisles int) {
			b.findRoom(want{near: c.Add(plane.Point{X: dx, Y: dy}), zones: town, wide: wide, deep: deep, tags: t, drive: aisles >= 0, aisles: max(0, aisles), house: houses, note: key})
		}
		if ring := b.square(t); ring != nil {
			b.lots = append(b.lots, lot{ring: ring, at: t.Centre, tags: network.Tags("highway", "pedestrian", "area", "yes", "place", "square", "name", "Market Place", "surface", "sett")})
		}
		r := t.Radius
		h := plane.Heading(t.Works)
		place(h.X*r*0.6, h.Y*r*0.6, 90, 80, "supermarket "+t.Name, contact(network.Tags("shop", "supermarket", "name", "Gannet & Wren "+t.Name, "brand", "Gannet & Wren", "opening_hours", "Mo-Sa 07:00-22:00; Su 10:00-16:00; Dec 25 off", "wheelchair", "yes"), "gannet-wren"), []string{"supermarket"}, 1)
		place(h.X*r*0.75, h.Y*r*0.75, 36, 34, "fuel "+t.Name, contact(network.Tags("amenity", "fuel", "name", "Halvern Fuels "+t.Name, "brand", "Halvern Fuels", "opening_hours", "24/7", "fuel:octane_95", "yes", "fuel:octane_98", "yes", "fuel:diesel", "yes", "fuel:HGV_diesel", "yes", "fuel:adblue", "yes", "hgv", "yes", "shop", "convenience"), "halvern-fuels"), []string{"retail"}, 0)
		place(-h.X*r*0.5, -h.Y*r*0.5, 34, 32, "fuel east "+t.Name, contact(network.Tags("amenity", "fuel", "name", "Tern Petrol", "brand", "Tern", "opening_hours", "Mo-Su 06:00-22:00", "fuel:octane_95", "yes", "fuel:diesel", "yes", "fuel:lpg", "yes", "hgv", "no"), "tern"), []string{"retail"}, 0)
		place(120, -150, 62, 56, "car park "+t.Name, network.Tags("amenity", "parking", "parking", "surface", "name", "Butts Car Park", "capacity", "120", "fee", "Mo-Sa 08:00-18:00", "access", "yes", "capacity:disabled", "6", "capacity:charging", "4"), nil, 2)
		place(h.X*r*0.8, h.Y*r*0.8, 80, 60, "lorry park "+t.Name, network.Tags("amenity", "parking", "name", "Lorry Park", "hgv", "designated", "motorcar", "no", "capacity:hgv", "30", "fee", "yes", "maxstay", "24 h"), nil, 1)
		place(-r*0.4, r*0.35, 120, 100, "school "+t.Name, contact(network.Tags("amenity", "school", "name", t.Name+" Academy", "isced:level", "2;3"), "academy"), []string{"school", "school"}, 0)
		place(r*0.35, r*0.3, 80, 70, "", contact(network.Tags("amenity", "school", "name", "Chapel Field Primary School", "isced:level", "1"), "chapel-field"), []string{"school"}, 0)
		place(-r*0.2, -r*0.3, 130, 110, "park "+t.Name, network.Tags("leisure", "park", "name", []string{"Victory Park", "Mill Meadow", "Lookout Gardens"}[i]), nil, -1)
		place(r*0.3, -r*0.35, 80, 80, "", network.Tags("leisure", "park", "name", []string{"Ropewalk Park", "Castle Green", "Marine Gardens"}[i]), nil, -1)
		place(-r*0.6, -r*0.2, 90, 90, "", network.Tags("landuse", "cemetery", "name", t.Name+" Cemetery", "religion", "multifaith"), []string{"chapel"}, 0)
		place(r*0.6, r*0.5, 70, 60, "", network.Tags("landuse", "allotments", "name", "Beanfield Allotments"), nil, -1)
		place(r*0.2, r*0.6, 100, 90, "", network.Tags("leisure", "pitch", "sport", "soccer", "surface", "grass"), nil, -1)
		if i == 0 {
			place(-r*0.3, r*0.5, 120, 110, "hospital", contact(network.Tags("amenity", "hospital", "name", "Halvern Royal Infirmary", "emergency", "yes", "opening_hours", "24/7", "wheelchair", "yes"), "infirmary"), []string{"hospital", "hospital"}, 1)
			place(h.X*r*0.55, h.Y*r*0.65, 110, 90, "retail park", contact(network.Tags("landuse", "retail", "name", "Saltpan Retail Park"), "saltpan"), []string{"retail", "retail"}, 1)
			place(0, -300, 46, 40, "", contact(network.Tags("tourism", "museum", "name", "Museum of Tin and Tide", "opening_hours", "Apr-Oct: Tu-Su 10:00-17:00; Nov-Mar: Sa,Su 11:00-16:00; PH off", "fee", "yes"), "museum"), []string{"public"}, 0)
		}
		if i == 1 {
			place(-150, 200, 70, 60, "castle", network.Tags("historic", "castle", "ruins", "yes", "name", "Stanner Castle", "castle_type", "defensive", "tourism", "attraction"), []string{"ruins"}, -1)
		}
	}
	b.findRoom(want{near: plane.Km(22.9, 5.0), zones: []land.Zone{land.Country}, wide: 110, deep: 100, drive: true, tags: contact(network.Tags("tourism", "camp_site", "name", "Pengarrow Sands Camping", "tents", "yes", "caravans", "yes", "opening_hours", "Mar 15-Oct 31", "capacity:pitches", "140"), "camping"), house: []string{"service"}, note: "camp site"})
}

// square returns the open ground within a town's market ring.
func (b siteDrawer) square(t *land.Settlement) []plane.Point {
	for _, r := range b.roads {
		if r.Tags.Get("name") == "Market Place" && r.Pts[0].Dist(t.Centre) < 150 && r.Pts[0] == r.Pts[len(r.Pts)-1] {
			ring := plane.Reversed(r.Pts[1:]) // anticlockwise
			return shrink(ring, 6)
		}
	}
	return nil
}
