package tags

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// squares are the kinds of highway that people cross freely if they are mapped as an
// area. Areas of other kinds are the widths of roads, whose lines are mapped too.
var squares = []string{
	"pedestrian", "footway", "path", "living_street", "platform", "corridor", "steps", "cycleway", "bridleway",
}

// Walked reports whether people walk freely over a closed way or multipolygon: a
// square, a platform of trains or buses, a pier, a hall or corridor of a building.
func Walked(t osm.Tags) bool {
	area := t.Get("area")
	if area == "no" {
		return false
	}
	hall := t.Get("indoor") == "corridor" || t.Get("indoor") == "area"
	if h := t.Get("highway"); h != "" && !busStop(t) {
		always := h == "platform" || t.Get("type") == "multipolygon" || hall
		return (area == "yes" || always) && slices.Contains(squares, h)
	}
	return platform(t) || pier(t) || hall && !t.Has("building") && !t.Has("building:part")
}

// Platform reports whether a way that no other key opens is a platform of trains or
// buses, to walk along.
func Platform(t osm.Tags) bool {
	return platform(t) && (!t.Has("highway") || busStop(t)) && t.Get("area") != "yes"
}

func platform(t osm.Tags) bool {
	return t.Get("railway") == "platform" || t.Get("public_transport") == "platform"
}

func busStop(t osm.Tags) bool { return t.Get("highway") == "bus_stop" && platform(t) }

// ReadWalked is Read for areas and platforms. Only walkers, wheelchairs and bicycles
// may use them, in any direction. The number of a platform is not a road's number.
func ReadWalked(t osm.Tags, c *country.Country) (w Way, ok bool) {
	plain := make(osm.Tags, 0, len(t)+1)
	for _, tag := range t {
		switch {
		case strings.HasPrefix(tag.Key, "oneway"), tag.Key == "junction", tag.Key == "route", tag.Key == "ref", tag.Key == "highway" && tag.Value == "bus_stop":
		default:
			plain = append(plain, tag)
		}
	}
	if !plain.Has("highway") {
		kind := "platform"
		if !platform(t) && !pier(t) {
			kind = "corridor"
		}
		plain = append(plain, osm.Tag{Key: "highway", Value: kind})
	}
	if w, ok = Read(plain, c); !ok {
		return w, false
	}
	w.Flags |= graph.Area
	for _, s := range []*Side{&w.Forward, &w.Backward} {
		s.Access &= active
		s.Destination &= active
	}
	return w, w.Forward.Access|w.Backward.Access != 0
}
