package sample

import (
	"math"
	"strconv"

	"github.com/waygate/waygate/osm"
)

// lot is a piece of ground by a road with a use of its own: a school, a car
// park, a supermarket, a park.
type lot struct {
	ring  []pt
	tags  osm.Tags
	extra []patch // buildings and pitches on it
	at    pt
}

// want says what a lot is to be and where it may lie.
type want struct {
	near       pt
	zones      []zone
	wide, deep float64
	tags       osm.Tags
	drive      bool // a service road leads in
	house      []string
	aisles     int
	note       string
}

// frame places local coordinates, x along the road and y away from it.
type frame struct{ o, dir, n pt }

func (f frame) at(x, y float64) pt { return snap(f.o.add(f.dir.mul(x)).add(f.n.mul(y))) }

func (f frame) box(x, y, w, d float64) []pt {
	ring := []pt{f.at(x, y), f.at(x+w, y), f.at(x+w, y+d), f.at(x, y+d)}
	if area(ring) < 0 {
		ring[1], ring[3] = ring[3], ring[1]
	}
	return ring
}

// place finds room for what is wanted nearest to where it is wanted.
func (b *builder) place(w want) {
	type spot struct {
		f frame
		r *road
		p pt
	}
	var best *spot
	far := math.Inf(1)
	for _, r := range b.roads {
		if !r.drivable() || r.rank < primary || r.rank > residential || r.fixed || r.level != 0 || r.tags.Get("junction") != "" {
			continue
		}
		total := length(r.pts)
		for s := 12.0; s+w.wide+6 < total; s += 22 {
			p, _, _ := along(r.pts, s+w.wide/2)
			if d := p.dist(w.near); d >= far || d > 1600 {
				continue
			}
			z, _ := zoneAt(b.towns, p)
			ok := false
			for _, want := range w.zones {
				ok = ok || z == want
			}
			if !ok {
				continue
			}
			a, _, _ := along(r.pts, s)
			c, _, _ := along(r.pts, s+w.wide)
			dir := c.sub(a).unit()
			for _, side := range []float64{1, -1} {
				n := dir.left().mul(side)
				f := frame{p.sub(dir.mul(w.wide / 2)), dir, n}
				if b.clearLot(f, w.wide, w.deep) {
					best, far = &spot{f, r, p}, p.dist(w.near)
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
		l.extra = append(l.extra, patch{f.box(x, y, bw, bd), tags("building", kind, "building:levels", strconv.Itoa(1+i))})
	}
	if w.drive {
		gate, _, _ := along(best.r.pts, func() float64 { s, _ := project(best.r.pts, f.at(w.wide*0.22, 0)); return s }())
		gate = snap(gate)
		if near := nearestVertex(best.r.pts, gate); near.dist(gate) < 4 {
			gate = near
		}
		best.r.pts = insertVertex(best.r.pts, gate)
		lane := func(name string, pts ...pt) {
			t := tags("highway", "service", "maxspeed", "10 mph", "surface", "asphalt", "lit", "yes")
			if name != "" {
				t = with(t, "service", name)
			}
			r := &road{pts: pts, rank: service, fixed: true, street: b.street(), zone: works, tags: t}
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
		b.area.add(l.ring[i], l.ring[(i+1)%4], 0)
	}
	b.lots = append(b.lots, l)
	if w.note != "" {
		b.marks[w.note] = mark{at: l.at}
	}
}

func nearestVertex(line []pt, p pt) pt {
	best := line[0]
	for _, q := range line {
		if q.dist(p) < best.dist(p) {
			best = q
		}
	}
	return best
}

func (b *builder) noteOnceRoad(name, key string, r *road) {
	for _, n := range b.notes {
		if n.name == name {
			return
		}
	}
	b.noteRoad(name, key, r)
}

// clearLot reports whether a box beside a road is free of roads, lots and
// water.
func (b *builder) clearLot(f frame, wide, deep float64) bool {
	for y := 9.0; y <= 9+deep+4; y += 9 {
		for x := -2.0; x <= wide+2; x += 9 {
			p := f.at(x, y)
			if b.lines.near(p, 6.5) || b.barriers.near(p, 14) || b.land.inland(p) < 20 || b.inLot(p) || b.wet(p) {
				return false
			}
		}
	}
	ring := f.box(-1, 8, wide+2, deep+2)
	for i := range ring {
		if _, _, cut := b.lines.hit(ring[i], ring[(i+1)%4]); cut {
			return false
		}
	}
	return true
}

func (b *builder) inLot(p pt) bool {
	for i := range b.lots {
		l := &b.lots[i]
		if p.dist(l.at) < 200 && inside(l.ring, p) {
			return true
		}
	}
	return false
}

// facilities places what needs ground of its own.
func (b *builder) facilities() {
	phone := 100
	contact := func(t osm.Tags, site string) osm.Tags {
		phone++
		return append(t, osm.Tag{Key: "phone", Value: "+44 1632 960" + strconv.Itoa(phone)}, osm.Tag{Key: "website", Value: "https://" + site + ".example.org"})
	}
	town := []zone{terrace, estate, works}
	for i := range b.towns {
		t := &b.towns[i]
		c := t.centre
		if t.kind == "hamlet" {
			continue
		}
		if t.kind == "village" {
			b.place(want{near: c, zones: []zone{village}, wide: 40, deep: 42, tags: contact(tags("amenity", "school", "name", t.name+" Primary School", "isced:level", "1"), "school"), house: []string{"school"}, drive: true})
			b.place(want{near: c, zones: []zone{village}, wide: 30, deep: 34, tags: tags("landuse", "cemetery", "name", t.name+" Churchyard", "religion", "christian"), house: []string{"church"}, note: "church " + t.name})
			b.place(want{near: c.add(pt{150, 100}), zones: []zone{village, country}, wide: 70, deep: 60, tags: tags("leisure", "recreation_ground", "name", t.name+" Green")})
			continue
		}
		place := func(dx, dy float64, wide, deep float64, key string, t osm.Tags, houses []string, aisles int) {
			b.place(want{near: c.add(pt{dx, dy}), zones: town, wide: wide, deep: deep, tags: t, drive: aisles >= 0, aisles: max(0, aisles), house: houses, note: key})
		}
		if ring := b.square(t); ring != nil {
			b.lots = append(b.lots, lot{ring: ring, at: t.centre, tags: tags("highway", "pedestrian", "area", "yes", "place", "square", "name", "Market Place", "surface", "sett")})
		}
		r := t.radius
		h := heading(t.works)
		place(h.x*r*0.6, h.y*r*0.6, 90, 80, "supermarket "+t.name, contact(tags("shop", "supermarket", "name", "Gannet & Wren "+t.name, "brand", "Gannet & Wren", "opening_hours", "Mo-Sa 07:00-22:00; Su 10:00-16:00; Dec 25 off", "wheelchair", "yes"), "gannet-wren"), []string{"supermarket"}, 1)
		place(h.x*r*0.75, h.y*r*0.75, 36, 34, "fuel "+t.name, contact(tags("amenity", "fuel", "name", "Halvern Fuels "+t.name, "brand", "Halvern Fuels", "opening_hours", "24/7", "fuel:octane_95", "yes", "fuel:octane_98", "yes", "fuel:diesel", "yes", "fuel:HGV_diesel", "yes", "fuel:adblue", "yes", "hgv", "yes", "shop", "convenience"), "halvern-fuels"), []string{"retail"}, 0)
		place(-h.x*r*0.5, -h.y*r*0.5, 34, 32, "fuel east "+t.name, contact(tags("amenity", "fuel", "name", "Tern Petrol", "brand", "Tern", "opening_hours", "Mo-Su 06:00-22:00", "fuel:octane_95", "yes", "fuel:diesel", "yes", "fuel:lpg", "yes", "hgv", "no"), "tern"), []string{"retail"}, 0)
		place(120, -150, 62, 56, "car park "+t.name, tags("amenity", "parking", "parking", "surface", "name", "Butts Car Park", "capacity", "120", "fee", "Mo-Sa 08:00-18:00", "access", "yes", "capacity:disabled", "6", "capacity:charging", "4"), nil, 2)
		place(h.x*r*0.8, h.y*r*0.8, 80, 60, "lorry park "+t.name, tags("amenity", "parking", "name", "Lorry Park", "hgv", "designated", "motorcar", "no", "capacity:hgv", "30", "fee", "yes", "maxstay", "24 h"), nil, 1)
		place(-r*0.4, r*0.35, 120, 100, "school "+t.name, contact(tags("amenity", "school", "name", t.name+" Academy", "isced:level", "2;3"), "academy"), []string{"school", "school"}, 0)
		place(r*0.35, r*0.3, 80, 70, "", contact(tags("amenity", "school", "name", "Chapel Field Primary School", "isced:level", "1"), "chapel-field"), []string{"school"}, 0)
		place(-r*0.2, -r*0.3, 130, 110, "park "+t.name, tags("leisure", "park", "name", []string{"Victory Park", "Mill Meadow", "Lookout Gardens"}[i]), nil, -1)
		place(r*0.3, -r*0.35, 80, 80, "", tags("leisure", "park", "name", []string{"Ropewalk Park", "Castle Green", "Marine Gardens"}[i]), nil, -1)
		place(-r*0.6, -r*0.2, 90, 90, "", tags("landuse", "cemetery", "name", t.name+" Cemetery", "religion", "multifaith"), []string{"chapel"}, 0)
		place(r*0.6, r*0.5, 70, 60, "", tags("landuse", "allotments", "name", "Beanfield Allotments"), nil, -1)
		place(r*0.2, r*0.6, 100, 90, "", tags("leisure", "pitch", "sport", "soccer", "surface", "grass"), nil, -1)
		if i == 0 {
			place(-r*0.3, r*0.5, 120, 110, "hospital", contact(tags("amenity", "hospital", "name", "Halvern Royal Infirmary", "emergency", "yes", "opening_hours", "24/7", "wheelchair", "yes"), "infirmary"), []string{"hospital", "hospital"}, 1)
			place(h.x*r*0.55, h.y*r*0.65, 110, 90, "retail park", contact(tags("landuse", "retail", "name", "Saltpan Retail Park"), "saltpan"), []string{"retail", "retail"}, 1)
			place(0, -300, 46, 40, "", contact(tags("tourism", "museum", "name", "Museum of Tin and Tide", "opening_hours", "Apr-Oct: Tu-Su 10:00-17:00; Nov-Mar: Sa,Su 11:00-16:00; PH off", "fee", "yes"), "museum"), []string{"public"}, 0)
		}
		if i == 1 {
			place(-150, 200, 70, 60, "castle", tags("historic", "castle", "ruins", "yes", "name", "Stanner Castle", "castle_type", "defensive", "tourism", "attraction"), []string{"ruins"}, -1)
		}
	}
	b.place(want{near: km(22.9, 5.0), zones: []zone{country}, wide: 110, deep: 100, drive: true, tags: contact(tags("tourism", "camp_site", "name", "Pengarrow Sands Camping", "tents", "yes", "caravans", "yes", "opening_hours", "Mar 15-Oct 31", "capacity:pitches", "140"), "camping"), house: []string{"service"}, note: "camp site"})
}

// square is the open ground within a town's market ring.
func (b *builder) square(t *settlement) []pt {
	for _, r := range b.roads {
		if r.tags.Get("name") == "Market Place" && r.pts[0].dist(t.centre) < 150 && r.pts[0] == r.pts[len(r.pts)-1] {
			ring := reversed(r.pts[1:]) // anticlockwise
			return shrink(ring, 6)
		}
	}
	return nil
}
