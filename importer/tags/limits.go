package tags

import (
	"math"
	"regexp"
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

// limitKeys are the keys of each bound; the least of them binds.
var (
	heightKeys = []string{"maxheight", "maxheight:physical", "maxheight:hgv", "maxheight:signed"}
	widthKeys  = []string{"maxwidth", "maxwidth:physical", "maxwidth:hgv"}
	lengthKeys = []string{"maxlength", "maxlength:hgv"}
	weightKeys = []string{"maxweight", "maxweight:hgv", "maxweight:signed", "maxweightrating", "maxweightrating:hgv", "maxgcweight", "maxgcweight:hgv", "maxgcweightrating", "maxgcweightrating:hgv"}
	axleKeys   = []string{"maxaxleload", "maxaxleload:hgv", "maxaxleweight"}
)

// mayLimit reports quickly whether a key may be one of those that limits reads.
func mayLimit(key string) bool {
	return strings.HasPrefix(key, "max") && !strings.HasPrefix(key, "maxspeed") || strings.HasPrefix(key, "hazmat") ||
		strings.Contains(key, "tunnel") && len(key) > len("tunnel") || strings.HasSuffix(key, ":conditional")
}

// weightZones are the keys of access that a weight may condition.
var weightZones = []string{"hgv:conditional", "goods:conditional", "motor_vehicle:conditional", "vehicle:conditional", "access:conditional"}

// onlyWeight reads one clause of a conditional access that depends on the
// vehicle's weight alone: no @ (weight > 7.5).
var onlyWeight = regexp.MustCompile(`^\s*(\w+)\s*@\s*\(?\s*(?:max)?(?:gross)?weight(?:rating)?(?::hgv)?\s*>=?\s*([0-9][^()<>=@]*?)\s*\)?\s*$`)

// weightZone reads the weight over which a conditional access forbids a
// vehicle, 0 where it does not, and whether one over some weight may only go
// to its destination.
func weightZone(t osm.Tags) (forbiddenOver float64, toDestination bool) {
	for _, k := range weightZones {
		v := t.Get(k)
		if !strings.Contains(v, "weight") {
			continue
		}
		for clause := range strings.SplitSeq(v, ";") {
			m := onlyWeight.FindStringSubmatch(clause)
			if m == nil {
				continue
			}
			n := Tonnes(m[2])
			switch p := permissionOf(m[1]); {
			case n <= 0:
			case p == forbidden && (forbiddenOver == 0 || n < forbiddenOver):
				forbiddenOver = n
			case p == destination:
				toDestination = true
			}
		}
	}
	return forbiddenOver, toDestination
}

func (w *Way) limits(t osm.Tags) {
	if !slices.ContainsFunc(t, func(tag osm.Tag) bool { return mayLimit(tag.Key) }) {
		return
	}
	zone, toDestination := weightZone(t)
	for _, side := range []struct {
		s      *Side
		suffix string
	}{{&w.Forward, ":forward"}, {&w.Backward, ":backward"}} {
		if toDestination {
			side.s.Destination |= graph.Truck & side.s.Access
		}
		hundredths := func(n float64) uint16 {
			// Rounded down: a lorry of 3.405 m does not pass 3.40 m.
			return uint16(math.Min(math.MaxUint16, math.Floor(n*100+1e-6)))
		}
		read := func(keys []string, parse func(string) float64) uint16 {
			bound := 0.0
			for _, k := range keys {
				if excepted(t.Get(k + ":conditional")) {
					side.s.Destination |= graph.Truck & side.s.Access
					continue
				}
				for _, v := range []string{t.Get(k), t.Get(k + side.suffix)} {
					if n := parse(v); n > 0 && (bound == 0 || n < bound) {
						bound = n
					}
				}
			}
			return hundredths(bound)
		}
		l := &side.s.Limits
		l.Height = read(heightKeys, Metres)
		l.Width = read(widthKeys, Metres)
		l.Length = read(lengthKeys, Metres)
		l.Weight = read(weightKeys, Tonnes)
		if w := hundredths(zone); w != 0 && (l.Weight == 0 || w < l.Weight) {
			l.Weight = w
		}
		l.AxleLoad = read(axleKeys, Tonnes)
		if n, unit := number(t.Get("maxaxles")); n >= 1 && n < 256 && unit == "" {
			l.Axles = uint8(n)
		}
		if no(t.Get("hazmat")) {
			l.Hazmat = 1
		}
		l.Tunnel = TunnelCategory(t)
	}
}

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
