package network

import (
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/plane"
)

// describer has the settlements that name roads and limit speeds.
type describer struct {
	towns []land.Settlement
}

// Describe returns the roads with the limits, names and surface that the places they
// pass through call for, broken where these change.
func Describe(roads []*Road, towns []land.Settlement) []*Road {
	d := &describer{towns}
	n := &Namer{Rnd: plane.Dice("names"), Used: map[string]bool{}}
	names := map[string]string{} // of a street in a settlement
	crescents := map[int]bool{}
	for _, r := range roads {
		if r.Rank == Residential && !r.Bulb && len(r.Pts) > 6 {
			if l := plane.Length(r.Pts); r.Pts[0].Dist(r.Pts[len(r.Pts)-1]) < 0.72*l && l < 520 {
				crescents[r.Street] = true
			}
		}
	}
	var out []*Road
	for _, r := range roads {
		if r.Fixed || r.Rank >= Rail {
			out = append(out, r)
			continue
		}
		for _, part := range d.byPlace(r) {
			d.limits(part)
			if part.Rank < Service && part.Tags.Get("name") == "" {
				key := part.Place + "/" + strconv.Itoa(part.Street)
				if part.Rank <= Secondary {
					key += d.side(part)
				}
				name, ok := names[key]
				switch {
				case ok:
				case part.Rank <= Secondary || part.Rank == Tertiary && part.Zone == land.Country:
					name = d.mainName(part, n)
				case part.Rank == Tertiary && part.Zone == land.Village:
					name = d.mainName(part, n)
				case part.Zone == land.Country && n.Rnd.Float64() < 0.35:
					name = "" // a lane nobody has named
				default:
					name = n.Street(part.Place, part.Zone, part, crescents[part.Street])
				}
				names[key] = name
				if name != "" {
					part.Set("name", name)
				}
			}
			if part.Place != "" && part.Rank >= Tertiary && part.Rank < Service {
				part.Set("postal_code", d.settlement(part.Place).Postcode)
			}
			out = append(out, part)
		}
	}
	return out
}

func (d *describer) settlement(name string) *land.Settlement {
	for i := range d.towns {
		if d.towns[i].Name == name {
			return &d.towns[i]
		}
	}
	return nil
}

// side returns on which side of its settlement's centre a road lies: a road
// that goes through a town has two names.
func (d *describer) side(r *Road) string {
	s := d.settlement(r.Place)
	if s == nil || s.Kind != "town" {
		return ""
	}
	mid := r.Pts[len(r.Pts)/2].Sub(s.Centre)
	if mid.Dot(r.Pts[0].Sub(r.Pts[len(r.Pts)-1])) > 0 {
		return "/from"
	}
	return "/to"
}

// byPlace breaks a road where it enters or leaves a settlement or its core.
func (d *describer) byPlace(r *Road) []*Road {
	kind := func(p plane.Point) (land.Zone, string) {
		z, s := land.ZoneAt(d.towns, p)
		if s == nil {
			return land.Country, ""
		}
		if z == land.Core && r.Rank > Tertiary || z == land.Works || z == land.Terrace || z == land.Estate {
			return map[bool]land.Zone{true: z, false: land.Terrace}[r.Rank > Tertiary], s.Name
		}
		return z, s.Name
	}
	if r.Rank > Tertiary || r.Apart {
		c := *r
		c.Zone, c.Place = kind(r.Pts[len(r.Pts)/2])
		return []*Road{&c}
	}
	var out []*Road
	from := 0
	z, place := kind(r.Pts[0].Lerp(r.Pts[1], 0.5))
	for i := 1; i < len(r.Pts); i++ {
		next, at := z, place
		if i+1 < len(r.Pts) {
			next, at = kind(r.Pts[i].Lerp(r.Pts[i+1], 0.5))
		}
		if i == len(r.Pts)-1 || (next != z || at != place) && plane.Length(r.Pts[from:i+1]) > 80 {
			c := *r
			c.Pts, c.Tags = slices.Clone(r.Pts[from:i+1]), slices.Clone(r.Tags)
			c.Zone, c.Place = z, place
			out = append(out, &c)
			from, z, place = i, next, at
		}
	}
	return out
}

// limits sets speed, lighting, pavements and surface.
func (d *describer) limits(r *Road) {
	def := func(key, value string) {
		if !r.Tags.Has(key) {
			r.Set(key, value)
		}
	}
	built := r.Zone != land.Country
	if r.Tags.Get("junction") == "roundabout" {
		def("maxspeed", map[bool]string{true: "30 mph", false: "50 mph"}[built])
	}
	switch {
	case r.Rank == Track:
		def("tracktype", []string{"grade2", "grade3", "grade2", "grade4", "grade1", "grade5"}[r.Street%6])
		def("surface", []string{"gravel", "compacted", "fine_gravel", "ground", "asphalt", "grass"}[r.Street%6])
		return
	case r.Rank == Service:
		def("maxspeed", "10 mph")
		return
	case r.Zone == land.Core:
		def("maxspeed", "20 mph")
	case built && r.Rank <= Secondary && r.Zone == land.Estate:
		def("maxspeed", "40 mph")
	case built && r.Zone != land.Works && r.Rank == Residential && r.Street%3 == 0:
		def("maxspeed", "20 mph")
	case built:
		def("maxspeed", "30 mph")
	default:
		def("maxspeed", "60 mph")
		if r.Rank > Secondary && r.Tags.Get("maxspeed") == "60 mph" {
			def("maxspeed:type", "GB:nsl_single")
		}
	}
	if built {
		def("lit", "yes")
		if r.Level == 0 {
			def("sidewalk", []string{"both", "both", "left", "both", "right"}[r.Street%5])
		}
	} else {
		def("lit", "no")
		if r.Rank > Secondary && r.Level == 0 {
			def("sidewalk", "no")
		}
	}
	def("surface", map[bool]string{true: "paving_stones", false: "asphalt"}[r.Zone == land.Core && r.Street%4 == 0 && r.Rank == Residential])
	switch {
	case r.Rank <= Primary && r.Level == 0:
		def("lanes", "2")
	case r.Rank == Unclassified && !built:
		def("lanes", "1")
		def("width", []string{"3", "3.5", "2.8", "4"}[r.Street%4])
	}
}

// mainName names a main road: the old street in a village, the road to
// somewhere else at a town's edge, nothing in the country.
func (d *describer) mainName(r *Road, n *Namer) string {
	if r.Tags.Get("junction") == "roundabout" {
		return n.Street(r.Place, land.Works, r, false) + " Roundabout"
	}
	if r.Place == "" {
		return ""
	}
	home := d.settlement(r.Place)
	fixed := []string{"High Street", "Fore Street", "Church Street", "Bridge Street", "Station Road", "Castle Street"}
	if r.Zone == land.Village || r.Zone == land.Terrace && r.Pts[0].Dist(home.Centre) < 500 {
		for _, name := range fixed {
			if !n.Used[r.Place+"/"+name] {
				n.Used[r.Place+"/"+name] = true
				return name
			}
		}
	}
	// The nearest settlement the road points to from the centre.
	mid := r.Pts[len(r.Pts)/2]
	out := mid.Sub(home.Centre).Unit()
	best, name := 0.6, ""
	for i := range d.towns {
		t := &d.towns[i]
		if t == home {
			continue
		}
		d := t.Centre.Sub(home.Centre)
		f := d.Unit().Dot(out) - d.Len()/40000
		if t.Kind == "town" {
			f += 0.18
		}
		if f > best {
			best, name = f, t.Name+" Road"
		}
	}
	if name == "" || n.Used[r.Place+"/"+name] {
		return strings.TrimSpace(n.Street(r.Place, r.Zone, r, false))
	}
	n.Used[r.Place+"/"+name] = true
	return name
}
