package tags

import (
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// Metres reads a length: metres, with or without "m", "cm", "km", "ft", or
// feet and inches as in 11'6". It gives 0 for what it cannot read and for
// words such as "default" and "none".
func Metres(v string) float64 {
	v = strings.ToLower(strings.TrimSpace(v))
	if i := strings.IndexByte(v, '\''); i > 0 {
		feet, rest := number(strings.TrimSpace(v[:i]))
		inches := 0.0
		if in := strings.TrimSpace(strings.TrimRight(v[i+1:], `"'”″ `)); in != "" {
			var tail string
			if inches, tail = number(in); tail != "" {
				return 0
			}
		}
		if rest != "" || math.IsNaN(feet) || math.IsNaN(inches) {
			return 0
		}
		return (feet*12 + inches) * 0.0254
	}
	n, unit := number(v)
	if math.IsNaN(n) {
		return 0
	}
	switch unit {
	case "", "m", "metres", "meters":
		return n
	case "cm":
		return n / 100
	case "km":
		return n * 1000
	case "ft", "feet", "foot":
		return n * 0.3048
	case "in", "inches":
		return n * 0.0254
	}
	return 0
}

// Tonnes reads a weight: tonnes, with or without "t", "kg", "lbs", "st" (short
// tons) or "lt" (long tons). It gives 0 for what it cannot read.
func Tonnes(v string) float64 {
	n, unit := number(strings.ToLower(strings.TrimSpace(v)))
	if math.IsNaN(n) {
		return 0
	}
	switch unit {
	case "", "t", "tonnes", "ton", "tons", "mgw":
		return n
	case "kg":
		return n / 1000
	case "lb", "lbs":
		return n * 0.00045359237
	case "st":
		return n * 0.90718474
	case "lt", "cwt":
		return n * 1.0160469
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

func (w *Way) limits(t osm.Tags) {
	if !slices.ContainsFunc(t, func(tag osm.Tag) bool {
		return strings.HasPrefix(tag.Key, "max") && !strings.HasPrefix(tag.Key, "maxspeed") || strings.HasPrefix(tag.Key, "hazmat") || strings.HasPrefix(tag.Key, "tunnel:c")
	}) {
		return
	}
	for _, side := range []struct {
		s      *Side
		suffix string
	}{{&w.Forward, ":forward"}, {&w.Backward, ":backward"}} {
		read := func(keys []string, parse func(string) float64, scale float64) uint16 {
			least := 0.0
			for _, k := range keys {
				if excepted(t.Get(k + ":conditional")) {
					side.s.Destination |= graph.Truck & side.s.Access
					continue
				}
				for _, v := range []string{t.Get(k), t.Get(k + side.suffix)} {
					if n := parse(v); n > 0 && (least == 0 || n < least) {
						least = n
					}
				}
			}
			// Rounded down: a lorry of 3.405 m does not pass 3.40 m.
			return uint16(math.Min(math.MaxUint16, math.Floor(least*scale+1e-6)))
		}
		l := &side.s.Limits
		l.Height = read(heightKeys, Metres, 100)
		l.Width = read(widthKeys, Metres, 100)
		l.Length = read(lengthKeys, Metres, 100)
		l.Weight = read(weightKeys, Tonnes, 100)
		l.AxleLoad = read(axleKeys, Tonnes, 100)
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
	for _, k := range []string{"hazmat:adr_tunnel_cat", "hazmat:adr_tunnel_category", "tunnel:category", "adr_tunnel_category", "hazmat:tunnel_category"} {
		v := strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(t.Get(k))), "ADR ")
		if len(v) == 1 && v[0] >= 'A' && v[0] <= 'E' {
			category = max(category, v[0])
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
	"junction:ref", "lanes", "turn:lanes", "change:lanes", "bus:lanes", "access:lanes", "maxheight:lanes",
}

func (w *Way) signs(t osm.Tags) {
	forward := w.Oneway != -1
	backward := w.Oneway != 1
	for _, k := range signKeys {
		v := t.Get(k)
		if v != "" && k != "lanes" && forward != backward {
			if forward {
				w.Forward.Sign = append(w.Forward.Sign, k, v)
			} else {
				w.Backward.Sign = append(w.Backward.Sign, k, v)
			}
		}
		if v != "" && k == "lanes" {
			w.Forward.Sign = append(w.Forward.Sign, k, v)
			w.Backward.Sign = append(w.Backward.Sign, k, v)
		}
		if v := t.Get(k + ":forward"); v != "" {
			w.Forward.Sign = append(w.Forward.Sign, k+":forward", v)
		}
		if v := t.Get(k + ":backward"); v != "" {
			w.Backward.Sign = append(w.Backward.Sign, k+":backward", v)
		}
	}
	for _, s := range []*Side{&w.Forward, &w.Backward} {
		for _, tag := range t {
			if strings.HasSuffix(tag.Key, ":conditional") && tag.Key != "" || tag.Key == "opening_hours" && w.Ferry {
				s.Sign = append(s.Sign, tag.Key, tag.Value)
				s.Flags |= graph.Conditional
			}
		}
		if slices.Contains(s.Sign, "turn:lanes") || slices.Contains(s.Sign, "turn:lanes:forward") || slices.Contains(s.Sign, "turn:lanes:backward") {
			s.Flags |= graph.HasLanes
		}
	}
}
