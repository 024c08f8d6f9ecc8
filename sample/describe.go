package sample

import (
	"slices"
	"strconv"
	"strings"
)

// describe gives each road the limits, names and surface that the places it
// passes through call for, and breaks it where they change.
func (b *builder) describe() {
	n := &namer{rnd: dice("names"), used: map[string]bool{}}
	names := map[string]string{} // of a street in a settlement
	crescents := map[int]bool{}
	for _, r := range b.roads {
		if r.rank == residential && !r.bulb && len(r.pts) > 6 {
			if l := length(r.pts); r.pts[0].dist(r.pts[len(r.pts)-1]) < 0.72*l && l < 520 {
				crescents[r.street] = true
			}
		}
	}
	var out []*road
	for _, r := range b.roads {
		if r.fixed || r.rank >= rail {
			out = append(out, r)
			continue
		}
		for _, part := range b.byPlace(r) {
			b.limits(part)
			if part.rank < service && part.tags.Get("name") == "" {
				key := part.place + "/" + strconv.Itoa(part.street)
				if part.rank <= secondary {
					key += b.side(part)
				}
				name, ok := names[key]
				switch {
				case ok:
				case part.rank <= secondary || part.rank == tertiary && part.zone == country:
					name = b.mainName(part, n)
				case part.rank == tertiary && part.zone == village:
					name = b.mainName(part, n)
				case part.zone == country && n.rnd.Float64() < 0.35:
					name = "" // a lane nobody has named
				default:
					name = n.street(part.place, part.zone, part, crescents[part.street])
				}
				names[key] = name
				if name != "" {
					part.set("name", name)
				}
			}
			if part.place != "" && part.rank >= tertiary && part.rank < service {
				part.set("postal_code", b.settlement(part.place).postcode)
			}
			out = append(out, part)
		}
	}
	b.roads = out
}

func (b *builder) settlement(name string) *settlement {
	for i := range b.towns {
		if b.towns[i].name == name {
			return &b.towns[i]
		}
	}
	return nil
}

// side tells on which side of its settlement's centre a road lies: a road
// that goes through a town has two names.
func (b *builder) side(r *road) string {
	s := b.settlement(r.place)
	if s == nil || s.kind != "town" {
		return ""
	}
	mid := r.pts[len(r.pts)/2].sub(s.centre)
	if mid.dot(r.pts[0].sub(r.pts[len(r.pts)-1])) > 0 {
		return "/from"
	}
	return "/to"
}

// byPlace breaks a road where it enters or leaves a settlement or its core.
func (b *builder) byPlace(r *road) []*road {
	kind := func(p pt) (zone, string) {
		z, s := zoneAt(b.towns, p)
		if s == nil {
			return country, ""
		}
		if z == core && r.rank > tertiary || z == works || z == terrace || z == estate {
			return map[bool]zone{true: z, false: terrace}[r.rank > tertiary], s.name
		}
		return z, s.name
	}
	if r.rank > tertiary || r.apart {
		c := *r
		c.zone, c.place = kind(r.pts[len(r.pts)/2])
		return []*road{&c}
	}
	var out []*road
	from := 0
	z, place := kind(r.pts[0].lerp(r.pts[1], 0.5))
	for i := 1; i < len(r.pts); i++ {
		next, at := z, place
		if i+1 < len(r.pts) {
			next, at = kind(r.pts[i].lerp(r.pts[i+1], 0.5))
		}
		if i == len(r.pts)-1 || (next != z || at != place) && length(r.pts[from:i+1]) > 80 {
			c := *r
			c.pts, c.tags = slices.Clone(r.pts[from:i+1]), slices.Clone(r.tags)
			c.zone, c.place = z, place
			out = append(out, &c)
			from, z, place = i, next, at
		}
	}
	return out
}

// limits sets speed, lighting, pavements and surface.
func (b *builder) limits(r *road) {
	def := func(key, value string) {
		if !r.tags.Has(key) {
			r.set(key, value)
		}
	}
	built := r.zone != country
	if r.tags.Get("junction") == "roundabout" {
		def("maxspeed", map[bool]string{true: "30 mph", false: "50 mph"}[built])
	}
	switch {
	case r.rank == track:
		def("tracktype", []string{"grade2", "grade3", "grade2", "grade4", "grade1", "grade5"}[r.street%6])
		def("surface", []string{"gravel", "compacted", "fine_gravel", "ground", "asphalt", "grass"}[r.street%6])
		return
	case r.rank == service:
		def("maxspeed", "10 mph")
		return
	case r.zone == core:
		def("maxspeed", "20 mph")
	case built && r.rank <= secondary && r.zone == estate:
		def("maxspeed", "40 mph")
	case built && r.zone != works && r.rank == residential && r.street%3 == 0:
		def("maxspeed", "20 mph")
	case built:
		def("maxspeed", "30 mph")
	default:
		def("maxspeed", "60 mph")
		if r.rank > secondary && r.tags.Get("maxspeed") == "60 mph" {
			def("maxspeed:type", "GB:nsl_single")
		}
	}
	if built {
		def("lit", "yes")
		if r.level == 0 {
			def("sidewalk", []string{"both", "both", "left", "both", "right"}[r.street%5])
		}
	} else {
		def("lit", "no")
		if r.rank > secondary && r.level == 0 {
			def("sidewalk", "no")
		}
	}
	def("surface", map[bool]string{true: "paving_stones", false: "asphalt"}[r.zone == core && r.street%4 == 0 && r.rank == residential])
	switch {
	case r.rank <= primary && r.level == 0:
		def("lanes", "2")
	case r.rank == unclassified && !built:
		def("lanes", "1")
		def("width", []string{"3", "3.5", "2.8", "4"}[r.street%4])
	}
}

// mainName names a main road: the old street in a village, the road to
// somewhere else at a town's edge, nothing in the country.
func (b *builder) mainName(r *road, n *namer) string {
	if r.tags.Get("junction") == "roundabout" {
		return n.street(r.place, works, r, false) + " Roundabout"
	}
	if r.place == "" {
		return ""
	}
	home := b.settlement(r.place)
	fixed := []string{"High Street", "Fore Street", "Church Street", "Bridge Street", "Station Road", "Castle Street"}
	if r.zone == village || r.zone == terrace && r.pts[0].dist(home.centre) < 500 {
		for _, name := range fixed {
			if !n.used[r.place+"/"+name] {
				n.used[r.place+"/"+name] = true
				return name
			}
		}
	}
	// The nearest settlement the road points to from the centre.
	mid := r.pts[len(r.pts)/2]
	out := mid.sub(home.centre).unit()
	best, name := 0.6, ""
	for i := range b.towns {
		t := &b.towns[i]
		if t == home {
			continue
		}
		d := t.centre.sub(home.centre)
		f := d.unit().dot(out) - d.len()/40000
		if t.kind == "town" {
			f += 0.18
		}
		if f > best {
			best, name = f, t.name+" Road"
		}
	}
	if name == "" || n.used[r.place+"/"+name] {
		return strings.TrimSpace(n.street(r.place, r.zone, r, false))
	}
	n.used[r.place+"/"+name] = true
	return name
}
