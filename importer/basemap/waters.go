package basemap

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/osm"
)

// waterKind is the kind of an area in the water layer.
type waterKind struct{ kind, detail string }

// waterArea classifies an area of water; kind is "" for anything else.
func waterArea(tags osm.Tags) waterKind {
	if tags.Get("covered") == "yes" {
		return waterKind{}
	}
	switch {
	case tags.Get("natural") == "water":
		switch w := tags.Get("water"); w {
		case "basin", "canal", "ditch", "drain", "lake", "river", "stream":
			return waterKind{"water", w}
		case "lagoon", "oxbow", "pond", "reservoir":
			return waterKind{"water", "lake"}
		case "wastewater": // which nobody takes for a lake
			return waterKind{"water", "basin"}
		}
		return waterKind{"water", ""}
	case is(tags, "waterway", "riverbank"):
		return waterKind{"water", "riverbank"}
	case is(tags, "waterway", "dock"):
		return waterKind{"water", "dock"}
	case tags.Get("landuse") == "reservoir":
		return waterKind{"lake", "reservoir"}
	case tags.Get("landuse") == "basin":
		return waterKind{"basin", ""}
	case is(tags, "leisure", "swimming_pool") || is(tags, "amenity", "swimming_pool"):
		return waterKind{"swimming_pool", ""}
	case is(tags, "amenity", "fountain"):
		return waterKind{"fountain", ""}
	case is(tags, "natural", "bay", "strait", "fjord"):
		return waterKind{tags.Get("natural"), ""}
	}
	return waterKind{}
}

// water draws an area of water and its label, if it has a name. Bays and straits are
// names only: the sea itself comes from the coastline.
func (c *classifier) water(k waterKind, tags osm.Tags, areas orb.MultiPolygon) {
	f := areaFeature(water, areas)
	if !is(tags, "natural", "bay", "strait", "fjord") {
		f.minZoom = 6
		f.minPixels = 1
		f.add("kind", text(k.kind), 0)
		f.add("kind_detail", text(k.detail), 0)
		f.add("sort_rank", integer(200), 0)
		if tags.Get("intermittent") == "yes" {
			f.add("intermittent", truth(), 0)
		}
		c.put(f)
	}
	at, ok := plane.LabelPoint(areas)
	if !ok || tags.Get("name") == "" || k.kind == "swimming_pool" {
		return
	}
	zoom := labelZoom(f.size)
	label := pointFeature(water, at)
	label.minZoom = uint8(min(zoom, DefaultMaxZoom))
	label.size = f.size
	label.add("kind", text(k.kind), 0)
	label.add("kind_detail", text(k.detail), 0)
	label.add("min_zoom", integer(zoom+1), 0)
	label.add("sort_rank", integer(200), 0)
	label.addNames(tags, 0)
	c.point(label)
}

// seaLabel names a sea, a bay or a strait that is mapped as a point.
func seaLabel(tags osm.Tags, at orb.Point) (feature, bool) {
	zoom := 0
	kind := tags.Get("natural")
	switch {
	case is(tags, "place", "ocean"):
		kind, zoom = "ocean", 1
	case is(tags, "place", "sea"):
		kind, zoom = "sea", 4
	case is(tags, "natural", "strait", "fjord"):
		zoom = 9
	case is(tags, "natural", "bay"):
		zoom = 12
	default:
		return feature{}, false
	}
	if tags.Get("name") == "" {
		return feature{}, false
	}
	f := pointFeature(water, at)
	f.minZoom = uint8(zoom)
	f.add("kind", text(kind), 0)
	f.add("min_zoom", integer(zoom+1), 0)
	f.add("sort_rank", integer(200), 0)
	f.addNames(tags, 0)
	return f, true
}

// labelZoom returns the zoom from which an area is wide enough for a label: about
// seventy pixels across.
func labelZoom(area float64) int {
	return max(0, min(16, int(math.Ceil(math.Log2(70.0/256/math.Sqrt(math.Max(area, 1e-18)))))))
}

// waterLine draws a river, stream or canal.
func waterLine(tags osm.Tags, lines orb.MultiLineString) (feature, bool) {
	zoom := 0
	kind := tags.Get("waterway")
	switch kind {
	case "river":
		zoom = 9
	case "canal":
		zoom = 10
	case "stream":
		zoom = 13
	case "ditch", "drain":
		zoom = 14
	default:
		return feature{}, false
	}
	if tunnel := tags.Get("tunnel"); tunnel != "" && tunnel != "no" || tags.Get("covered") == "yes" || is(tags, "location", "underground") {
		return feature{}, false
	}
	f := lineFeature(water, lines)
	f.minZoom = uint8(zoom)
	f.directed = true
	f.order = 1
	f.add("kind", text(kind), 0)
	f.add("min_zoom", integer(zoom+1), 0)
	f.add("sort_rank", integer(200), 0)
	if tags.Get("intermittent") == "yes" {
		f.add("intermittent", truth(), 0)
	}
	f.addNames(tags, 0)
	return f, true
}
