package basemap

import (
	"cmp"
	"strings"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/osm"
)

// class is how a kind of line is drawn: its kind in the tiles, and the first zooms of
// the line, its shield and its name.
type class struct {
	kind               string
	zoom, shield, name int
	rank               int32 // drawn later, so on top, where greater
}

// roadClass maps highway values; zooms follow the Protomaps basemap v4.
func roadClass(highway string) (class, bool) {
	link := strings.HasSuffix(highway, "_link")
	switch strings.TrimSuffix(highway, "_link") {
	case "motorway":
		return pick(link, class{"highway", 3, 7, 11, 90}, class{"highway", 9, 12, 13, 80}), true
	case "trunk":
		return pick(link, class{"major_road", 5, 8, 12, 70}, class{"major_road", 10, 12, 13, 60}), true
	case "primary":
		return pick(link, class{"major_road", 7, 10, 12, 59}, class{"major_road", 11, 13, 13, 56}), true
	case "secondary":
		return pick(link, class{"major_road", 9, 11, 12, 55}, class{"major_road", 12, 13, 14, 52}), true
	case "tertiary":
		return pick(link, class{"major_road", 10, 12, 13, 50}, class{"major_road", 12, 13, 14, 48}), true
	}
	switch highway {
	case "residential", "unclassified", "road", "raceway", "living_street", "busway":
		return class{"minor_road", 12, 12, 14, 40}, true
	case "service":
		return class{"minor_road", 13, 14, 14, 30}, true
	case "pedestrian", "track", "corridor":
		return class{"path", 12, 14, 14, 20}, true
	case "path", "cycleway", "bridleway", "footway", "steps":
		return class{"path", 13, 14, 14, 10}, true
	}
	return class{}, false
}

func pick(second bool, a, b class) class {
	if second {
		return b
	}
	return a
}

// otherClass maps lines that share the layer with roads.
func otherClass(tags osm.Tags) (_ class, detail string, ok bool) {
	switch railway := tags.Get("railway"); {
	case tags.Has("building"):
		return class{}, "", false
	case is(tags, "railway", "rail", "narrow_gauge", "preserved", "funicular", "light_rail", "monorail", "subway", "tram", "miniature", "disused"):
		c := class{"rail", 11, 14, 12, 95}
		switch {
		case railway == "rail" && is(tags, "service", "yard", "siding", "crossover", "spur"):
			c.zoom = 13
		case railway == "rail":
			c.zoom = 8
		case is(tags, "railway", "subway", "light_rail", "monorail", "funicular", "narrow_gauge"):
			c.zoom = 11
		default:
			c.zoom = 13
		}
		return c, railway, true
	case is(tags, "aerialway", "cable_car", "gondola", "chair_lift"):
		return class{"aerialway", 11, 14, 13, 96}, tags.Get("aerialway"), true
	case tags.Get("route") == "ferry":
		return class{"ferry", 8, 14, 11, 5}, "", true
	case tags.Get("man_made") == "pier":
		return class{"path", 13, 14, 14, 8}, "pier", true
	case tags.Get("aeroway") == "runway":
		return class{"aeroway", 9, 12, 14, 4}, "runway", true
	case tags.Get("aeroway") == "taxiway":
		return class{"aeroway", 11, 14, 14, 3}, "taxiway", true
	}
	return class{}, "", false
}

// roadFeature draws a way of the roads layer. Areas (squares, runway surfaces)
// are landuse instead.
func roadFeature(tags osm.Tags, routes []signed, lines orb.MultiLineString, asArea bool) (feature, bool) {
	if asArea {
		return feature{}, false
	}
	highway := tags.Get("highway")
	c, ok := roadClass(highway)
	detail := highway
	if !ok {
		if c, detail, ok = otherClass(tags); !ok {
			return feature{}, false
		}
	}
	if service := tags.Get("service"); highway == "service" && service != "" {
		c.zoom = 14
	}
	if is(tags, "footway", "sidewalk", "crossing") {
		c.zoom, detail = 14, tags.Get("footway")
	}
	if is(tags, "access", "private", "no") && highway != "" {
		c.zoom = max(c.zoom, 14)
	}
	f := lineFeature(roads, lines)
	f.onward = highway != "" || c.kind == "ferry" // routes lead there
	f.minZoom = uint8(c.zoom)
	f.order = c.rank
	f.add("kind", text(c.kind), 0)
	f.add("kind_detail", text(detail), 0)
	f.add("min_zoom", integer(c.zoom+1), 0)
	f.add("sort_rank", integer(400+int(c.rank)), 0)
	if strings.HasSuffix(highway, "_link") {
		f.add("is_link", truth(), 0)
	}
	f.brunnel(tags)
	f.shield(tags, routes, c.shield)
	if c.kind == "rail" {
		lines, colour := transitLines(routes)
		f.add("ref", text(lines), c.shield)
		f.add("colour", text(colour), 0)
	}
	f.oneway(tags, highway)
	if highway == "" || highway == "service" {
		f.add("service", text(tags.Get("service")), 13)
	}
	f.add("access", text(restricted(tags.Get("access"))), 14)
	f.addNames(tags, c.name)
	return f, true
}

const (
	brunnelZoom = 12   // from which bridges and tunnels are drawn differently
	brunnelStep = 1000 // how far over and under the rest they are drawn
)

// brunnel marks bridges and tunnels and puts them over and under the rest.
func (f *feature) brunnel(tags osm.Tags) {
	switch bridge, tunnel := tags.Get("bridge"), tags.Get("tunnel"); {
	case bridge != "" && bridge != "no":
		f.add("is_bridge", truth(), brunnelZoom)
		f.order += brunnelStep
	case tunnel != "" && tunnel != "no":
		f.add("is_tunnel", truth(), brunnelZoom)
		f.order -= brunnelStep
	}
}

// shield adds the road's number, in full and as a sign shows it. The network is that of
// the route if the way is part of one.
func (f *feature) shield(tags osm.Tags, routes []signed, from int) {
	ref := tags.Get("ref")
	if tags.Get("highway") == "" {
		return
	}
	numberValue, net := shortRef(ref), network(ref)
	if route, ok := roadRoute(routes, ref); ok {
		numberValue, net = shortRef(route.ref), route.network
	}
	if numberValue == "" {
		return
	}
	f.add("ref", text(cmp.Or(ref, numberValue)), from)
	f.add("shield_text", text(numberValue), from)
	f.add("network", text(net), from)
}

// network returns the networks that numbers identify: British and European ones. All
// else is other.
func network(ref string) string {
	ref = strings.TrimSpace(ref)
	if len(ref) < 2 || (ref[1] != ' ' && (ref[1] < '0' || ref[1] > '9')) {
		return "other"
	}
	switch ref[0] {
	case 'M':
		return "motorway"
	case 'E':
		return "e-road"
	}
	return "other"
}

func (f *feature) oneway(tags osm.Tags, highway string) {
	switch v := tags.Get("oneway"); {
	case v == "yes" || v == "1" || v == "true" || v == "" && (highway == "motorway" || tags.Get("junction") == "roundabout"):
		f.add("oneway", text("yes"), 14)
		f.directed = true
	case v == "-1" || v == "reverse":
		f.add("oneway", text("-1"), 14)
		f.directed = true
	}
}

func restricted(access string) string {
	if access == "private" || access == "no" {
		return access
	}
	return ""
}
