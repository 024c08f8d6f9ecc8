package tags

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// least reads each of the values between semicolons and returns the least above 0.
func least(v string, parse func(string) float64) float64 {
	best := 0.0
	for part := range strings.SplitSeq(v, ";") {
		if n := parse(strings.ToLower(strings.TrimSpace(part))); n > 0 && (best == 0 || n < best) {
			best = n
		}
	}
	return best
}

// Metres reads a length: metres, with or without "m", "cm", "km", "ft", or feet and
// inches as in 11'6" or 11 ft 6 in. It returns 0 for unreadable values and for words
// such as "default" and "none", and the least of several.
func Metres(v string) float64 { return least(v, metres) }

// lengthMarks writes feet and inches in one way.
var lengthMarks = strings.NewReplacer("′", "'", "’", "'", "‘", "'", "´", "'", "″", `"`, "”", `"`, "“", `"`,
	"feet", "'", "foot", "'", "ft", "'", "inches", `"`, "inch", `"`, "in", `"`)

func metres(v string) float64 {
	v = lengthMarks.Replace(v)
	if before, after, ok := strings.Cut(v, "'"); ok {
		feet, rest := splitUnit(strings.TrimSpace(before))
		inches, tail := 0.0, ""
		if in := strings.TrimSpace(strings.TrimRight(after, `"'. `)); in != "" {
			inches, tail = splitUnit(in)
		}
		if rest != "" || tail != "" || math.IsNaN(feet) || math.IsNaN(inches) {
			return 0
		}
		return (feet*12 + inches) * 0.0254
	}
	n, unit := splitUnit(v)
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

// Tonnes reads a weight: tonnes, with or without "t", "kg", "lbs", "st" (short tons),
// "lt" (long tons) or "cwt" (long hundredweights). It returns 0 for unreadable values,
// and the least of several.
func Tonnes(v string) float64 { return least(v, tonnes) }

func tonnes(v string) float64 {
	n, unit := splitUnit(v)
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

// sizes are the keys of limits of the size of vehicles, with the parser of their values
// and the limit. Of several keys of one limit the lowest value counts.
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

// sized are the kinds of vehicle that have limits of their own.
var sized = [...]struct {
	mode graph.Modes
	of   func(*graph.Limits) *graph.Bounds
}{
	{graph.Auto, func(l *graph.Limits) *graph.Bounds { return &l.Car }},
	{graph.Truck, func(l *graph.Limits) *graph.Bounds { return &l.Lorry }},
	{graph.Bus, func(l *graph.Limits) *graph.Bounds { return &l.Bus }},
}

// size is a tag that limits the size of vehicles: maxweight:hgv:forward=7.5.
type size struct {
	key   string      // of sizes
	modes graph.Modes // whom it concerns
	rank  int         // the higher, the more particularly it names them; 0 where not at all
	side  string      // ":forward", ":backward" or ""
	name  string      // the key without the side
	value string
}

// sizeOf reads the key of a tag; ok is false for other keys.
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
			s.modes, s.rank = s.modes&v.modes, s.rank+v.rank
		case name == "forward", name == "backward":
			s.side = ":" + name
		case name == "physical", name == "signed":
			s.key += ":" + name
		default:
			return s, false
		}
	}
	s.name = strings.TrimSuffix(tag.Key, s.side)
	_, ok = sizes[s.key]
	return s, ok
}

// hundredths returns a limit in the graph's unit, rounded down: a lorry of 3.405 m does
// not pass 3.40 m.
func hundredths(n float64) uint16 {
	return uint16(math.Min(math.MaxUint16, math.Floor(n*100+1e-6)))
}

// mayLimit reports quickly whether a key may be one of those that limits reads.
func mayLimit(key string) bool {
	return strings.HasPrefix(key, "max") && !strings.HasPrefix(key, "maxspeed") || strings.HasPrefix(key, "hazmat") ||
		strings.Contains(key, "tunnel") && len(key) > len("tunnel")
}

// limits sets the Limits of both sides.
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
	// Particular keys come after general ones.
	slices.SortStableFunc(list, func(a, b size) int { return cmp.Compare(a.rank, b.rank) })
	some := conditioned(t)
	for _, side := range []struct {
		s      *Side
		suffix string
	}{{&w.Forward, ":forward"}, {&w.Backward, ":backward"}} {
		strict := bounds(t, list, side.suffix)
		l := strict
		if some { // limits that have conditions are left to Side.Conditions
			plain := slices.DeleteFunc(slices.Clone(list), func(s size) bool { return hasConditions(t, s.name, side.suffix) })
			if l = bounds(t, plain, side.suffix); hasConditions(t, "maxaxles", side.suffix) || hasConditions(t, "maxaxles:hgv", side.suffix) {
				l.Axles = 0
			}
		}
		l.BusSpeed, l.LastResort = side.s.Limits.BusSpeed, side.s.Limits.LastResort
		side.s.Limits, side.s.Strict = l, strict
	}
}

// bounds returns the limits of one direction by a sorted list of tags.
func bounds(t osm.Tags, list []size, side string) (l graph.Limits) {
	for _, x := range sized {
		boundBy(list, side, x.mode, x.of(&l))
	}
	if ofGoods(list, side, &l) {
		l.Car.Weight = l.Bus.Weight
	}
	for _, k := range []string{"maxaxles", "maxaxles:hgv"} {
		if n, unit := splitUnit(t.Get(k)); n >= 1 && n < 256 && unit == "" && (l.Axles == 0 || uint8(n) < l.Axles) {
			l.Axles = uint8(n)
		}
	}
	switch permissionOf(t.Get("hazmat")) {
	case forbidden:
		l.Hazmat = graph.HazmatNo
	case destination, private:
		l.Hazmat = graph.HazmatDestination
	case unknown, allowed, discouraged, unsuitable:
	}
	l.Tunnel = TunnelCategory(t)
	return l
}

// ofGoods reports whether a limit of weight for all is about goods vehicles: where a tag
// lets heavier buses pass, the road carries more, and cars with a weight, such as campers,
// pass as buses do. A tag that names cars counts before that.
func ofGoods(list []size, suffix string, l *graph.Limits) bool {
	if l.Car.Weight == 0 || l.Bus.Weight != 0 && l.Bus.Weight <= l.Car.Weight {
		return false
	}
	return !slices.ContainsFunc(list, func(s size) bool {
		weighs := strings.Contains(s.key, "weight") && s.key != "maxaxleweight"
		return weighs && s.rank > 0 && s.modes&graph.Auto != 0 && (s.side == "" || s.side == suffix)
	})
}

// boundBy sets the bounds of a kind of vehicle in a direction by a sorted list of tags.
// A tag that names the kind replaces one that does not, so that a limit for all may be
// lifted for buses; for lorries the lowest of all counts.
func boundBy(list []size, suffix string, kind graph.Modes, b *graph.Bounds) {
	least := map[string]float64{} // by key of sizes; 0 is no limit
	rank := map[string]int{}      // of what is there
	for i := range list {
		s := &list[i]
		if s.modes&kind == 0 || s.side != "" && s.side != suffix {
			continue
		}
		n := sizes[s.key].parse(s.value)
		if !(n > 0) && (s.modes == graph.AllModes || !lifted(s.value)) {
			continue
		}
		if was := least[s.key]; n > 0 && (was == 0 || n < was || s.rank > rank[s.key] && kind != graph.Truck) {
			least[s.key] = n
		} else if n == 0 && kind != graph.Truck {
			delete(least, s.key)
		}
		rank[s.key] = s.rank
	}
	for key, n := range least {
		at := sizes[key].of(b)
		if limit := hundredths(n); limit != 0 && (*at == 0 || limit < *at) {
			*at = limit
		}
	}
}

// lifted reports whether a value says that there is no limit.
func lifted(value string) bool { return value == "none" || no(value) || value == "unlimited" }

// TunnelCategory returns the ADR category of a tunnel, 'A' to 'E', or 0 if no tag gives
// one. OSM has several spellings: hazmat:adr_tunnel_cat=C, tunnel:category=C,
// hazmat:tunnel_cat…, and hazmat:C=no, "loads that category C forbids may not pass".
// The strictest counts.
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

// signKeys are kept with their direction, for guidance and for answers with a time of
// day.
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
			if tag.Key == "opening_hours" && tag.Value != "24/7" {
				s.Attributes = append(s.Attributes, tag.Key, tag.Value)
				s.Flags |= graph.Conditional
			}
		}
		if slices.Contains(s.Attributes, "turn:lanes") || slices.Contains(s.Attributes, "turn:lanes:forward") || slices.Contains(s.Attributes, "turn:lanes:backward") {
			s.Flags |= graph.HasLanes
		}
	}
}
