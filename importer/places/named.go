package places

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/osm"
)

// lines are the keys whose ways are lines although they may be closed.
var lines = []string{"railway", "route", "aerialway"}

// rivers are the waters of areas that are part of a river.
var rivers = []string{"river", "canal", "stream", "oxbow", "ditch", "drain", "rapids"}

// lineOf returns the line that a place lies along, of which there may be other pieces; nil where it
// is a point or an area.
func lineOf(t osm.Tags, o origin) []geo.Fixed {
	switch {
	case o.line == nil || o.source != place.Way:
		return o.line
	case slices.Contains(rivers, t.Get("water")) || t.Get("waterway") == "riverbank":
		return []geo.Fixed{o.at}
	case !o.closed, slices.Contains(rivers, t.Get("waterway")), slices.ContainsFunc(lines, t.Has):
		return o.line
	}
	return nil
}

// parts are names of parts of a road, a railway or a canal that are places of their own, and
// what they are. Their number distinguishes them from the way itself.
var parts = []struct {
	key        string
	categories []string
}{
	{"bridge:name", []string{"bridge", "man_made"}},
	{"tunnel:name", []string{"tunnel", "man_made"}},
	{"lock_name", []string{"lock", "waterway"}},
}

// addParts makes the places that are parts of a way with a name of their own.
func (c *collector) addParts(t osm.Tags, o origin, e build.Entry) {
	for i, p := range parts {
		if e.Names = namesOf(t, p.key, nil); len(e.Names) == 0 {
			continue
		}
		e.Kind, e.Part, e.Categories, e.ByName, e.House = place.POI, i+1, p.categories, true, ""
		e.Known = fame[p.categories[0]]
		e.Line = o.line
		c.builder.Add(&e)
	}
}

// longerNames are names that say more than those of a place: which of a chain's shops it is,
// which stop of those that are called the same, which of an operator's.
func longerNames(t osm.Tags, named []place.Name) []place.Name {
	var all []place.Name
	add := func(before, after string) {
		if before != "" && after != "" && !strings.Contains(before, after) {
			all = append(all, place.Name{Text: before + " " + after})
		}
	}
	name := t.Get("name")
	for _, n := range []string{name, t.Get("brand")} {
		add(n, t.Get("branch"))
	}
	switch {
	case t.Has("route"):
		if n := numberName(t); !strings.Contains(strings.ToLower(name), strings.ToLower(n)) {
			all = append(all, place.Name{Text: n})
		}
	case t.Get("highway") == "bus_stop", t.Has("public_transport"), t.Has("railway"):
		for _, key := range []string{"naptan:Indicator", "local_ref"} {
			add(name, t.Get(key))
		}
		if t.Get("railway") == "subway_entrance" || t.Get("railway") == "train_station_entrance" {
			add(name, t.Get("ref"))
		}
	case name == "" && len(named) > 0:
		add(named[0].Text, t.Get("ref"))
	}
	return all
}
