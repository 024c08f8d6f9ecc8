package tags

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// least reads each of the values between semicolons and gives the least of
// those that are anything.
func least(v string, parse func(string) float64) float64 {
	best := 0.0
	for part := range strings.SplitSeq(v, ";") {
		if n := parse(strings.ToLower(strings.TrimSpace(part))); n > 0 && (best == 0 || n < best) {
			best = n
		}
	}
	return best
}

// Metres reads a length: metres, with or without "m", "cm", "km", "ft", or
// feet and inches as in 11'6" or 11 ft 6 in. It gives 0 for what it cannot
// read and for words such as "default" and "none", and the least of several.
func Metres(v string) float64 { return least(v, metres) }

// lengthMarks writes feet and inches in one way.
var lengthMarks = strings.NewReplacer("′", "'", "’", "'", "‘", "'", "´", "'", "″", `"`, "”", `"`, "“", `"`,
	"feet", "'", "foot", "'", "ft", "'", "inches", `"`, "inch", `"`, "in", `"`)

func metres(v string) float64 {
	v = lengthMarks.Replace(v)
	if before, after, ok := strings.Cut(v, "'"); ok {
		feet, rest := number(strings.TrimSpace(before))
		inches, tail := 0.0, ""
		if in := strings.TrimSpace(strings.TrimRight(after, `"'. `)); in != "" {
			inches, tail = number(in)
		}
		if rest != "" || tail != "" || math.IsNaN(feet) || math.IsNaN(inches) {
			return 0
		}
		return (feet*12 + inches) * 0.0254
	}
	n, unit := number(v)
	if math.IsNaN(n) {
		return 0
	}
	switch unit {
	case "", "m", "metre", "metres", "meter", "meters", "mtr":
		return n
	case "cm":
		return n / 100
	case "km":
		return n * 1000
	case `"`:
		return n * 0.0254
	}
	return 0
}

// Tonnes reads a weight: tonnes, with or without "t", "kg", "lbs", "st" (short
// tons), "lt" (long tons) or "cwt" (long hundredweights). It gives 0 for what
// it cannot read, and the least of several.
func Tonnes(v string) float64 { return least(v, tonnes) }

func tonnes(v string) float64 {
	n, unit := number(v)
	if math.IsNaN(n) {
		return 0
	}
	unit = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(unit, "mgw"), "gvw"))
	switch unit {
	case "", "t", "to", "tonne", "tonnes", "ton", "tons", "mt":
		return n
	case "kg":
		return n / 1000
	case "lb", "lbs":
		return n * 0.00045359237
	case "st":
		return n * 0.90718474
	case "lt":
		return n * 1.0160469088
	case "cwt":
		return n * 0.05080234544
	}
	return 0
}

// sizes are the keys of what bounds the size of vehicles, with how their values are read
// and what they bound. Of the keys of one bound the least binds.
var sizes = map[string]struct {
	parse func(string) float64
	of    func(*graph.Bounds) *uint16
}{
	"maxheight": {Metres, height}, "maxheight:physical": {Metres, height}, "maxheight:signed": {Metres, height},
	"maxwidth": {Metres, width}, "maxwidth:physical": {Metres, width},
	"maxlength": {Metres, length},
	"maxweight": {Tonnes, weight}, "maxweight:signed": {Tonnes, weight}, "maxweightrating": {Tonnes, weight},
	"maxgcweight": {Tonnes, weight}, "maxgcweightrating": {Tonnes, weight},
	"maxaxleload": {Tonnes, axleLoad}, "maxaxleweight": {Tonnes, axleLoad},
}

func height(b *graph.Bounds) *uint16   { return &b.Height }
func width(b *graph.Bounds) *uint16    { return &b.Width }
func length(b *graph.Bounds) *uint16   { return &b.Length }
func weight(b *graph.Bounds) *uint16   { return &b.Weight }
func axleLoad(b *graph.Bounds) *uint16 { return &b.AxleLoad }

// sized are the kinds of vehicle that have bounds of their own.
var sized = [...]struct {
	mode graph.Modes
	of   func(*graph.Limits) *graph.Bounds
}{
	{graph.Auto, func(l *graph.Limits) *graph.Bounds { return &l.Car }},
	{graph.Truck, func(l *graph.Limits) *graph.Bounds { return &l.Lorry }},
	{graph.Bus, func(l *graph.Limits) *graph.Bounds { return &l.Bus }},
}

// size is what one tag says of the size of vehicles: maxweight:hgv:forward=7.5.
type size struct {
	key         string      // of sizes
	modes       graph.Modes // whom it concerns
	rank        int         // the higher, the more particularly it names them; 0 or 1 where not at all
	side        string      // ":forward", ":backward" or ""
	conditional bool        // its rank is odd
	value       string
}

// sizeOf reads the key of a tag; ok is false where it is another one.
func sizeOf(tag osm.Tag) (s size, ok bool) {
	if !strings.HasPrefix(tag.Key, "max") || strings.HasPrefix(tag.Key, "maxspeed") {
		return s, false
	}
	s = size{modes: graph.AllModes, value: tag.Value}
	name, rest, _ := strings.Cut(tag.Key, ":")
	s.key = name
	for rest != "" {
		name, rest, _ = strings.Cut(rest, ":")
		v, known := vehicleWords[name]
		switch {
		case known:
			s.modes, s.rank = s.modes&v.modes, s.rank+2*v.rank
		case name == "forward", name == "backward":
			s.side = ":" + name
		case name == "conditional":
			s.conditional = true
			s.rank++
		case name == "physical", name == "signed":
			s.key += ":" + name
		default:
			return s, false
		}
	}
	_, ok = sizes[s.key]
	return s, ok
}

// weightZones are the keys of access that a weight may condition, from the general to the
// particular.
var weightZones = [...]string{"access", "vehicle", "motor_vehicle", "motorcar", "motorhome", "goods", "hgv", "psv", "bus"}

// zones reads the weights over which conditional access forbids vehicles, by kind as in
// sized, 0 where it does not: no @ (weight > 7.5); and the modes of those who over some
// weight may only go to their destination. A more particular key that lets a kind pass
// does so whatever its weight, except for lorries, which the strictest binds.
func zones(t osm.Tags, suffix string) (forbiddenOver [len(sized)]float64, toDestination graph.Modes) {
	if !slices.ContainsFunc(t, func(tag osm.Tag) bool {
		return strings.HasSuffix(tag.Key, ":conditional") && strings.Contains(tag.Value, "weight")
	}) {
		return forbiddenOver, 0
	}
	for _, k := range weightZones {
		whom := graph.AllModes
		if v, ok := vehicleWords[k]; ok {
			whom = v.modes
		}
		for i, x := range sized {
			if whom&x.mode != 0 && x.mode != graph.Truck && permissionOf(t.Get(k)) == allowed {
				forbiddenOver[i] = 0
			}
		}
		for _, c := range append(clauses(t.Get(k+":conditional")), clauses(t.Get(k+suffix+":conditional"))...) {
			if c.over == 0 || !math.IsInf(c.upTo, 1) {
				continue
			}
			switch permissionOf(c.value) {
			case forbidden:
				for i, x := range sized {
					if whom&c.modes&x.mode != 0 && (forbiddenOver[i] == 0 || c.over < forbiddenOver[i]) {
						forbiddenOver[i] = c.over
					}
				}
			case destination, private, discouraged, unsuitable:
				toDestination |= whom & c.modes & (graph.Truck | graph.Bus)
			}
		}
	}
	return forbiddenOver, toDestination
}

// hundredths is a limit as the graph has it, rounded down: a lorry of 3.405 m does not
// pass 3.40 m.
func hundredths(n float64) uint16 {
	return uint16(math.Min(math.MaxUint16, math.Floor(n*100+1e-6)))
}

// mayLimit reports quickly whether a key may be one of those that limits reads.
func mayLimit(key string) bool {
	return strings.HasPrefix(key, "max") && !strings.HasPrefix(key, "maxspeed") || strings.HasPrefix(key, "hazmat") ||
		strings.Contains(key, "tunnel") && len(key) > len("tunnel") || strings.HasSuffix(key, ":conditional")
}

// limits fills what both sides' Limits bound.
func (w *Way) limits(t osm.Tags) {
	if !slices.ContainsFunc(t, func(tag osm.Tag) bool { return mayLimit(tag.Key) }) {
		return
	}
	var list []size
	for _, tag := range t {
		if s, ok := sizeOf(tag); ok {
			list = append(list, s)
		}
	}
	// The particular after the general, and conditions after what they lift.
	slices.SortStableFunc(list, func(a, b size) int { return cmp.Compare(a.rank, b.rank) })
	for _, side := range []struct {
		s      *Side
		suffix string
	}{{&w.Forward, ":forward"}, {&w.Backward, ":backward"}} {
		l := &side.s.Limits
		forbiddenOver, toDestination := zones(t, side.suffix)
		for i, x := range sized {
			b := x.of(l)
			if boundBy(list, side.suffix, x.mode, b) {
				toDestination |= x.mode & (graph.Truck | graph.Bus)
			}
			if over := hundredths(forbiddenOver[i]); over != 0 && (b.Weight == 0 || over < b.Weight) {
				b.Weight = over
			}
		}
		side.s.Destination |= toDestination & side.s.Access
		for _, k := range []string{"maxaxles", "maxaxles:hgv"} {
			if n, unit := number(t.Get(k)); n >= 1 && n < 256 && unit == "" && (l.Axles == 0 || uint8(n) < l.Axles) {
				l.Axles = uint8(n)
			}
		}
		if no(t.Get("hazmat")) {
			l.Hazmat = 1
		}
		l.Tunnel = TunnelCategory(t)
	}
}

// boundBy fills the bounds of a kind of vehicle in a direction by a sorted list of tags,
// and reports whether those who have business on the road are excepted. A tag that names
// the kind takes the place of one that does not, so that a limit for all may be lifted for
// buses; lorries are bound by the least of all.
func boundBy(list []size, suffix string, kind graph.Modes, b *graph.Bounds) (toDestination bool) {
	least := map[string]float64{} // by key of sizes; 0 is no limit
	rank := map[string]int{}      // of what is there
	for i := range list {
		s := &list[i]
		if s.modes&kind == 0 || s.side != "" && s.side != suffix {
			continue
		}
		put := func(n float64, particular int) {
			if was := least[s.key]; n > 0 && (was == 0 || n < was || particular > rank[s.key] && kind != graph.Truck) {
				least[s.key] = n
			} else if n == 0 && kind != graph.Truck {
				delete(least, s.key)
			}
			rank[s.key] = particular
		}
		n := sizes[s.key].parse(s.value)
		switch {
		case !s.conditional && (n > 0 || s.modes != graph.AllModes && lifted(s.value)):
			put(n, s.rank)
		case s.conditional && excepted(s.value):
			delete(least, s.key)
			toDestination = true
		case s.conditional:
			for _, c := range clauses(s.value) {
				n := sizes[s.key].parse(c.value)
				if c.modes&kind != 0 && c.modes != graph.AllModes && c.over == 0 && math.IsInf(c.upTo, 1) && (n > 0 || lifted(c.value)) {
					put(n, s.rank)
				}
			}
		}
	}
	for key, n := range least {
		at := sizes[key].of(b)
		if limit := hundredths(n); limit != 0 && (*at == 0 || limit < *at) {
			*at = limit
		}
	}
	return toDestination
}

// lifted reports whether a value says that there is no limit.
func lifted(value string) bool { return value == "none" || no(value) || value == "unlimited" }

// excepted reports whether a conditional limit lifts the limit for those who
// have business on the road, as British 7.5 tonne zones do.
func excepted(conditional string) bool {
	v := strings.ReplaceAll(conditional, " ", "")
	return strings.HasPrefix(v, "none@") && (strings.Contains(v, "destination") || strings.Contains(v, "delivery") || strings.Contains(v, "access"))
}

// TunnelCategory gives the ADR category of a tunnel, 'A' to 'E', or 0 where no
// tag tells it. OSM knows several spellings: hazmat:adr_tunnel_cat=C,
// tunnel:category=C, hazmat:tunnel_cat…, and hazmat:C=no, "loads that category
// C forbids may not pass". The strictest counts.
func TunnelCategory(t osm.Tags) uint8 {
	category := uint8(0)
	for _, k := range []string{
		"hazmat:adr_tunnel_cat", "hazmat:adr_tunnel_category", "hazmat:tunnel_cat", "hazmat:tunnel_category",
		"tunnel:category", "tunnel:cat", "tunnel_category", "adr_tunnel_cat", "adr_tunnel_category",
	} {
		for v := range strings.SplitSeq(strings.ToUpper(t.Get(k)), ";") {
			v = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(v), "ADR "), "CATEGORY ")
			if len(v) == 1 && v[0] >= 'A' && v[0] <= 'E' {
				category = max(category, v[0])
			}
		}
	}
	for c := byte('A'); c <= 'E'; c++ {
		switch t.Get("hazmat:" + string(c)) {
		case "no", "designated":
			category = max(category, c)
		}
	}
	return category
}

// signKeys are kept with their direction, for guidance and for answers with a
// time of day.
var signKeys = []string{
	"destination", "destination:ref", "destination:ref:to", "destination:street", "destination:to", "destination:symbol", "destination:lanes",
	"junction:ref", "lanes", "turn:lanes", "change:lanes", "access:lanes", "vehicle:lanes", "motor_vehicle:lanes", "motorcar:lanes", "hgv:lanes",
	"psv:lanes", "bus:lanes", "taxi:lanes", "hov:lanes", "motorcycle:lanes", "bicycle:lanes", "maxheight:lanes",
}

func (w *Way) signs(t osm.Tags) {
	forward := w.Oneway != -1
	backward := w.Oneway != 1
	for _, k := range signKeys {
		v := t.Get(k)
		if v != "" && k != "lanes" && forward != backward {
			if forward {
				w.Forward.Attributes = append(w.Forward.Attributes, k, v)
			} else {
				w.Backward.Attributes = append(w.Backward.Attributes, k, v)
			}
		}
		if v != "" && k == "lanes" {
			w.Forward.Attributes = append(w.Forward.Attributes, k, v)
			w.Backward.Attributes = append(w.Backward.Attributes, k, v)
		}
		if v := t.Get(k + ":forward"); v != "" {
			w.Forward.Attributes = append(w.Forward.Attributes, k+":forward", v)
		}
		if v := t.Get(k + ":backward"); v != "" {
			w.Backward.Attributes = append(w.Backward.Attributes, k+":backward", v)
		}
	}
	for _, s := range []*Side{&w.Forward, &w.Backward} {
		for _, tag := range t {
			if strings.HasSuffix(tag.Key, ":conditional") || tag.Key == "opening_hours" && w.Ferry {
				s.Attributes = append(s.Attributes, tag.Key, tag.Value)
				s.Flags |= graph.Conditional
			}
		}
		if slices.Contains(s.Attributes, "turn:lanes") || slices.Contains(s.Attributes, "turn:lanes:forward") || slices.Contains(s.Attributes, "turn:lanes:backward") {
			s.Flags |= graph.HasLanes
		}
	}
}
