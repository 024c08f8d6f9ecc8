package sample

import (
	"math"

	"github.com/waygate/waygate/osm"
)

// extras writes single things: the peak, viewpoints, beaches and cliffs,
// protected land, the low emission zone, cameras and charge points.
func (b *builder) extras() {
	top := peak
	for _, p := range b.ridge {
		if b.land.at(p) > b.land.at(top) {
			top = p
		}
	}
	b.noteRefs("peak", "natural", "peak", b.out.point(top, tags("natural", "peak", "name", "Carn Halvern", "name:kw", "Karn Halwern", "ele", whole(b.land.at(top)))))
	view := snap(b.ridge[len(b.ridge)*3/4].add(pt{12, 18}))
	b.noteRefs("viewpoint", "tourism", "viewpoint", b.out.point(view, tags("tourism", "viewpoint", "name", "Three Bays View", "ele", whole(b.land.at(view)))))
	b.shoreline()

	protected := make([]pt, 0, 60)
	for i := range 60 {
		h := heading(2 * math.Pi * float64(i) / 60)
		r := 1 + 0.14*noise(h.mul(900), 300, 501)
		protected = append(protected, snap(km(13, 14).add(pt{h.x * 7600 * r, h.y * 1750 * r})))
	}
	b.noteRefs("protected landscape", "boundary", "protected_area", b.out.ring(protected, tags("boundary", "protected_area", "protect_class", "5", "name", "Halvern Downs",
		"protection_title", "Area of Outstanding Natural Beauty", "designation", "area_of_outstanding_natural_beauty")))
	var marsh []pt
	for i := range 30 {
		h := heading(2 * math.Pi * float64(i) / 30)
		marsh = append(marsh, snap(km(14.2, 5.6).add(pt{h.x * 380, h.y * 620}.mul(1+0.2*noise(h.mul(500), 200, 502)))))
	}
	b.noteRefs("nature reserve", "leisure", "nature_reserve", b.out.ring(marsh, tags("leisure", "nature_reserve", "name", "Hythe Saltings", "boundary", "protected_area", "protect_class", "4")))
	zone := b.edge(&b.towns[0], 0.42)
	b.noteRefs("low emission zone", "boundary", "low_emission_zone", b.out.ring(zone, tags("type", "boundary", "boundary", "low_emission_zone", "name", "Tarrowmouth Clean Air Zone",
		"low_emission_zone", "yes", "website", "https://clean-air.example.org", "motor_vehicle:conditional", "no @ (emissions < euro_6)")))
	b.cameras()
	b.chargers()
}

func whole(v float64) string {
	n := int(math.Round(v))
	out := ""
	for n > 0 || out == "" {
		out = string(rune('0'+n%10)) + out
		n /= 10
	}
	return out
}

// shoreline lays beaches in bays and cliffs on headlands.
func (b *builder) shoreline() {
	ring := b.islands[0].ring
	n := len(ring) - 1
	at := func(i int) pt { return ring[((i%n)+n)%n] }
	const span = 14
	last, named := 0, 0
	names := []string{"Longstrand", "Cockle Sands", "Merry Sands", "Wrack Beach", "Lugger's Cove", "Smooth Sands", "Pilot's Strand"}
	for i := 0; i < n; i++ {
		a, p, c := at(i-span), at(i), at(i+span)
		bend := p.sub(a).unit().cross(c.sub(p).unit()) // negative in a bay
		if i-last < 3*span || p.y < 8000 && p.y > 3000 && math.Abs(p.x-15000) < 1200 {
			continue
		}
		switch {
		case bend < -0.35:
			var strip, back []pt
			for k := -span; k <= span; k++ {
				q, m := at(i+k), at(i+k+1).sub(at(i+k-1)).unit().left()
				deep := 30 * (1 - float64(k*k)/float64((span+1)*(span+1)))
				strip = append(strip, snap(q.add(m.mul(0.5))))
				back = append(back, snap(q.add(m.mul(3+deep))))
			}
			name := names[named%len(names)]
			t := tags("natural", "beach", "surface", []string{"sand", "pebbles", "sand"}[named%3])
			if named < len(names) {
				t = append(t, osm.Tag{Key: "name", Value: name})
			}
			ref := b.out.ring(append(strip, reversed(back)...), t)
			if named == 0 {
				b.noteRefs("beach", "natural", "beach", ref)
			}
			named++
			last = i
		case bend > 0.3:
			var edge []pt
			for k := -span; k <= span; k++ {
				m := at(i + k + 1).sub(at(i + k - 1)).unit().left()
				edge = append(edge, snap(at(i+k).add(m.mul(9))))
			}
			b.out.way(reversed(edge), tags("natural", "cliff"))
			last = i
		}
	}
}

// cameras stands speed cameras by main roads.
func (b *builder) cameras() {
	n := 0
	for _, r := range b.roads {
		if r.rank > secondary || r.rank < trunk || length(r.pts) < 900 || r.level != 0 || n >= 7 {
			continue
		}
		i := len(r.pts) / 2
		if b.town[r.pts[i]] != nil || len(b.written[r]) == 0 {
			continue
		}
		n++
		p, q := r.pts[i-1], r.pts[i]
		limit := r.tags.Get("maxspeed")
		device := b.out.point(snap(q.add(q.sub(p).unit().left().mul(6))), tags("highway", "speed_camera", "maxspeed", limit, "direction", whole(bearingOf(q, p)), "ref", "HV"+whole(float64(100+n))))
		from := Ref{osm.KindNode, b.out.node(r.pts[max(0, i-4)])}
		to := Ref{osm.KindNode, b.out.node(r.pts[min(len(r.pts)-1, i+4)])}
		rel := b.out.relation([]osm.Member{device.as("device"), from.as("from"), to.as("to")}, tags("type", "enforcement", "enforcement", "maxspeed", "maxspeed", limit))
		if n == 1 {
			b.noteRefs("speed camera", "highway", "speed_camera", device)
			b.noteRefs("enforcement", "enforcement", "maxspeed", rel)
			b.marks["speed camera"] = mark{at: q}
		}
	}
}

// bearingOf is the course from p to q in whole degrees clockwise from north.
func bearingOf(p, q pt) float64 {
	a := math.Atan2(q.x-p.x, q.y-p.y) * 180 / math.Pi
	if a < 0 {
		a += 360
	}
	return a
}

// chargers stands charge points in car parks.
func (b *builder) chargers() {
	n := 0
	for _, l := range b.lots {
		if l.tags.Get("amenity") != "parking" && l.tags.Get("shop") != "supermarket" || l.tags.Get("hgv") == "designated" {
			continue
		}
		n++
		ref := b.out.point(snap(l.ring[0].lerp(l.ring[2], 0.12)), tags("amenity", "charging_station", "name", "Halvern Volt "+whole(float64(n)), "operator", "Halvern Volt", "capacity", "4",
			"socket:type2", "2", "socket:type2:output", "22 kW", "socket:chademo", "1", "socket:chademo:output", "50 kW", "socket:type2_combo", "1", "socket:type2_combo:output", "150 kW",
			"opening_hours", "24/7", "fee", "yes", "motorcar", "yes"))
		if n == 1 {
			b.noteRefs("charge point", "amenity", "charging_station", ref)
		}
	}
}
