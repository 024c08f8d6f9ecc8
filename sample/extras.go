package sample

import (
	"math"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/extract"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// extras writes single things: the peak, viewpoints, beaches and cliffs,
// protected land, the low emission zone, cameras and charge points.
func (b countyWriter) extras() {
	top := peak
	for _, p := range b.ridge {
		if b.land.At(p) > b.land.At(top) {
			top = p
		}
	}
	b.noteRefs("peak", "natural", "peak", b.out.Point(top, network.Tags("natural", "peak", "name", "Carn Halvern", "name:kw", "Karn Halwern", "ele", whole(b.land.At(top)))))
	view := plane.Snap(b.ridge[len(b.ridge)*3/4].Add(plane.Point{X: 12, Y: 18}))
	b.noteRefs("viewpoint", "tourism", "viewpoint", b.out.Point(view, network.Tags("tourism", "viewpoint", "name", "Three Bays View", "ele", whole(b.land.At(view)))))
	b.shoreline()

	protected := make([]plane.Point, 0, 60)
	for i := range 60 {
		h := plane.Heading(2 * math.Pi * float64(i) / 60)
		r := 1 + 0.14*plane.Noise(h.Mul(900), 300, 501)
		protected = append(protected, plane.Snap(plane.Km(13, 14).Add(plane.Point{X: h.X * 7600 * r, Y: h.Y * 1750 * r})))
	}
	b.noteRefs("protected landscape", "boundary", "protected_area", b.out.Ring(protected, network.Tags("boundary", "protected_area", "protect_class", "5", "name", "Halvern Downs",
		"protection_title", "Area of Outstanding Natural Beauty", "designation", "area_of_outstanding_natural_beauty")))
	var marsh []plane.Point
	for i := range 30 {
		h := plane.Heading(2 * math.Pi * float64(i) / 30)
		marsh = append(marsh, plane.Snap(plane.Km(14.2, 5.6).Add(plane.Point{X: h.X * 380, Y: h.Y * 620}.Mul(1+0.2*plane.Noise(h.Mul(500), 200, 502)))))
	}
	b.noteRefs("nature reserve", "leisure", "nature_reserve", b.out.Ring(marsh, network.Tags("leisure", "nature_reserve", "name", "Hythe Saltings", "boundary", "protected_area", "protect_class", "4")))
	zone := b.edge(&b.towns[0], 0.42)
	b.noteRefs("low emission zone", "boundary", "low_emission_zone", b.out.Ring(zone, network.Tags("type", "boundary", "boundary", "low_emission_zone", "name", "Tarrowmouth Clean Air Zone",
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
func (b countyWriter) shoreline() {
	ring := b.islands[0].Ring
	n := len(ring) - 1
	at := func(i int) plane.Point { return ring[((i%n)+n)%n] }
	const span = 14
	last, named := 0, 0
	names := []string{"Longstrand", "Cockle Sands", "Merry Sands", "Wrack Beach", "Lugger's Cove", "Smooth Sands", "Pilot's Strand"}
	for i := 0; i < n; i++ {
		a, p, c := at(i-span), at(i), at(i+span)
		bend := p.Sub(a).Unit().Cross(c.Sub(p).Unit()) // negative in a bay
		if i-last < 3*span || p.Y < 8000 && p.Y > 3000 && math.Abs(p.X-15000) < 1200 {
			continue
		}
		switch {
		case bend < -0.35:
			var strip, back []plane.Point
			for k := -span; k <= span; k++ {
				q, m := at(i+k), at(i+k+1).Sub(at(i+k-1)).Unit().Left()
				deep := 30 * (1 - float64(k*k)/float64((span+1)*(span+1)))
				strip = append(strip, plane.Snap(q.Add(m.Mul(0.5))))
				back = append(back, plane.Snap(q.Add(m.Mul(3+deep))))
			}
			name := names[named%len(names)]
			t := network.Tags("natural", "beach", "surface", []string{"sand", "pebbles", "sand"}[named%3])
			if named < len(names) {
				t = append(t, osm.Tag{Key: "name", Value: name})
			}
			ref := b.out.Ring(append(strip, plane.Reversed(back)...), t)
			if named == 0 {
				b.noteRefs("beach", "natural", "beach", ref)
			}
			named++
			last = i
		case bend > 0.3:
			var edge []plane.Point
			for k := -span; k <= span; k++ {
				m := at(i + k + 1).Sub(at(i + k - 1)).Unit().Left()
				edge = append(edge, plane.Snap(at(i+k).Add(m.Mul(9))))
			}
			b.out.Way(plane.Reversed(edge), network.Tags("natural", "cliff"))
			last = i
		}
	}
}

// cameras stands speed cameras by main roads.
func (b countyWriter) cameras() {
	n := 0
	for _, r := range b.roads {
		if r.Rank > network.Secondary || r.Rank < network.Trunk || plane.Length(r.Pts) < 900 || r.Level != 0 || n >= 7 {
			continue
		}
		i := len(r.Pts) / 2
		if b.town[r.Pts[i]] != nil || len(b.written[r]) == 0 {
			continue
		}
		n++
		p, q := r.Pts[i-1], r.Pts[i]
		limit := r.Tags.Get("maxspeed")
		device := b.out.Point(plane.Snap(q.Add(q.Sub(p).Unit().Left().Mul(6))), network.Tags("highway", "speed_camera", "maxspeed", limit, "direction", whole(bearingOf(q, p)), "ref", "HV"+whole(float64(100+n))))
		from := extract.Ref{Kind: osm.KindNode, ID: b.out.Node(r.Pts[max(0, i-4)])}
		to := extract.Ref{Kind: osm.KindNode, ID: b.out.Node(r.Pts[min(len(r.Pts)-1, i+4)])}
		rel := b.out.Relation([]osm.Member{device.As("device"), from.As("from"), to.As("to")}, network.Tags("type", "enforcement", "enforcement", "maxspeed", "maxspeed", limit))
		if n == 1 {
			b.noteRefs("speed camera", "highway", "speed_camera", device)
			b.noteRefs("enforcement", "enforcement", "maxspeed", rel)
			b.marks["speed camera"] = mark{at: q}
		}
	}
}

// bearingOf returns the course from p to q in whole degrees clockwise from north.
func bearingOf(p, q plane.Point) float64 {
	a := math.Atan2(q.X-p.X, q.Y-p.Y) * 180 / math.Pi
	if a < 0 {
		a += 360
	}
	return a
}

// chargers stands charge points in car parks.
func (b countyWriter) chargers() {
	n := 0
	for _, l := range b.lots {
		if l.tags.Get("amenity") != "parking" && l.tags.Get("shop") != "supermarket" || l.tags.Get("hgv") == "designated" {
			continue
		}
		n++
		ref := b.out.Point(plane.Snap(l.ring[0].Lerp(l.ring[2], 0.12)), network.Tags("amenity", "charging_station", "name", "Halvern Volt "+whole(float64(n)), "operator", "Halvern Volt", "capacity", "4",
			"socket:type2", "2", "socket:type2:output", "22 kW", "socket:chademo", "1", "socket:chademo:output", "50 kW", "socket:type2_combo", "1", "socket:type2_combo:output", "150 kW",
			"opening_hours", "24/7", "fee", "yes", "motorcar", "yes"))
		if n == 1 {
			b.noteRefs("charge point", "amenity", "charging_station", ref)
		}
	}
}
