package basemap

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/osm"
)

// landuseKind returns the kind of an area of ground, or "" if the schema has none for
// it.
func landuseKind(tags osm.Tags) string {
	switch {
	case is(tags, "aeroway", "aerodrome", "runway", "taxiway", "apron"):
		return tags.Get("aeroway")
	case is(tags, "amenity", "hospital", "school", "kindergarten", "university", "college"):
		return tags.Get("amenity")
	case is(tags, "leisure", "park", "garden", "golf_course", "dog_park", "playground", "pitch", "nature_reserve", "stadium", "marina", "recreation_ground"):
		return tags.Get("leisure")
	case is(tags, "landuse", "military") && is(tags, "military", "naval_base", "airfield"):
		return tags.Get("military")
	case is(tags, "landuse", "recreation_ground", "industrial", "railway", "cemetery", "commercial", "grass", "orchard",
		"farmland", "farmyard", "residential", "military", "village_green", "allotments", "forest", "meadow", "quarry"):
		return tags.Get("landuse")
	case tags.Get("landuse") == "brownfield":
		return "industrial"
	case tags.Get("landuse") == "vineyard":
		return "orchard"
	case tags.Get("landuse") == "retail":
		return "commercial"
	case is(tags, "natural", "beach", "wood", "glacier", "grassland", "scrub", "sand", "wetland", "bare_rock"):
		return tags.Get("natural")
	case tags.Get("natural") == "heath":
		return "scrub"
	case tags.Get("natural") == "shingle":
		return "beach"
	case tags.Get("natural") == "scree":
		return "bare_rock"
	case tags.Get("amenity") == "grave_yard":
		return "cemetery"
	case tags.Get("tourism") == "zoo":
		return "zoo"
	case is(tags, "man_made", "pier"):
		return "pier"
	case is(tags, "man_made", "bridge") || is(tags, "highway", "pedestrian", "footway"):
		return "pedestrian"
	case is(tags, "railway", "platform"):
		return "platform"
	case tags.Get("boundary") == "national_park":
		return "national_park"
	case tags.Get("boundary") == "protected_area":
		return "protected_area"
	}
	return ""
}

// landuseFeature draws an area of ground. Wide areas lie under small ones, and
// enclosures (national parks, housing) under what covers the ground.
func landuseFeature(kind string, tags osm.Tags, areas orb.MultiPolygon) feature {
	f := areaFeature(landuse, areas)
	f.minPixels = 2
	f.order = -areaRank(f.size)
	switch kind {
	case "national_park", "protected_area", "nature_reserve", "aerodrome", "military":
		f.order -= 1000
		f.minZoom = 6
	case "residential", "commercial", "industrial":
		f.order -= 1000
		f.minZoom = coverMaxZoom + 1
	case "park", "wetland":
		f.minZoom = coverMaxZoom
	case "farmland", "forest", "wood", "meadow", "glacier", "bare_rock", "scrub", "grassland":
		f.minZoom = coverMaxZoom + 1
	case "pitch", "playground", "platform", "pier", "pedestrian", "runway", "taxiway":
		f.order += 1000
		f.minZoom = 11
	default:
		f.minZoom = 9
	}
	f.add("kind", text(kind), 0)
	if kind == "wetland" {
		f.add("kind_detail", text(tags.Get("wetland")), 0)
	}
	f.add("sort_rank", integer(189), 0)
	if isLandscape(kind, tags) {
		f.addNames(tags, landscapeZoom)
	}
	return f
}

// landscapeZoom is from where landscapes carry their names: below it nobody reads them.
const landscapeZoom = 12

// isLandscape reports whether an area is a park or is protected for its nature or scenery.
// Classes of protection are those of the IUCN, 1 to 6, and 7 and 97 to 99 for those of
// nations and treaties; the others protect resources such as wells.
// https://wiki.openstreetmap.org/wiki/Tag:boundary=protected_area
func isLandscape(kind string, tags osm.Tags) bool {
	switch kind {
	case "park", "national_park", "nature_reserve":
		return true
	case "protected_area":
		class := tags.Get("protect_class")
		return class == "" || is(tags, "protect_class", "1", "1a", "1b", "2", "3", "4", "5", "6", "7", "97", "98", "99")
	}
	return false
}

// areaRank grows with the logarithm of an area of the world, 0 to about 600.
func areaRank(area float64) int32 {
	return int32(600 + 10*math.Log2(math.Max(area, 1e-18)))
}

func isBuilding(tags osm.Tags) bool {
	b, p := tags.Get("building"), tags.Get("building:part")
	return b != "" && b != "no" || p != "" && p != "no"
}

// Levels are about three metres high, as in Simple 3D Buildings.
const metresPerLevel = 3

func buildingFeature(tags osm.Tags, areas orb.MultiPolygon) feature {
	f := areaFeature(buildings, areas)
	f.minZoom = 13
	f.minPixels = 3
	f.order = -areaRank(f.size)
	kind := "building"
	if !tags.Has("building") {
		kind = "building_part"
	}
	f.add("kind", text(kind), 0)
	f.add("sort_rank", integer(400), 0)
	height := decimal(tags.Get("height"))
	if height <= 0 {
		height = decimal(tags.Get("building:levels")) * metresPerLevel
	}
	least := decimal(tags.Get("min_height"))
	if least <= 0 {
		least = decimal(tags.Get("building:min_level")) * metresPerLevel
	}
	// Heights to the metre let equal attributes share their place in a tile.
	if height > 0 && height < 1000 {
		f.add("height", numberValue(math.Max(1, math.Round(height))), 14)
	}
	if least > 0 && least < height {
		f.add("min_height", numberValue(math.Round(least)), 14)
	}
	return f
}

func addressFeature(tags osm.Tags, at orb.Point) feature {
	f := pointFeature(buildings, at)
	f.minZoom = DefaultMaxZoom
	f.order = math.MaxInt32
	f.size = streetOf(tags)
	f.add("kind", text("address"), 0)
	f.add("addr_housenumber", text(tags.Get("addr:housenumber")), 0)
	f.add("min_zoom", integer(18), 0)
	return f
}

// boundaryFeature draws a way of administrative boundaries; level is the lowest of its
// relations', 0 if it has none.
func boundaryFeature(tags osm.Tags, level int, lines orb.MultiLineString) (feature, bool) {
	if level == 0 {
		level = adminLevel(tags)
	}
	if level == 0 || level > 8 || tags.Get("natural") == "coastline" || is(tags, "maritime", "yes") || is(tags, "closure_segment", "yes") {
		return feature{}, false
	}
	f := lineFeature(boundaries, lines)
	kind := "locality"
	switch {
	case level <= 2:
		kind, f.minZoom = "country", 0
	case level <= 4:
		kind, f.minZoom = "region", 4
	case level <= 6:
		kind, f.minZoom = "county", 8
	default:
		f.minZoom = 10
	}
	f.order = int32(-level)
	f.add("kind", text(kind), 0)
	f.add("kind_detail", integer(level), 0)
	f.add("min_zoom", integer(int(f.minZoom)+1), 0)
	f.add("sort_rank", integer(289), 0)
	if tags.Get("disputed") == "yes" || tags.Get("boundary") == "disputed" {
		f.add("disputed", truth(), 0)
	}
	return f, true
}

// coverMaxZoom is the last zoom of the landcover layer, which the landuse layer
// follows.
const coverMaxZoom = 7

// coverOf returns the kind of land cover as which small maps show an area of ground, ""
// for none.
func coverOf(kind string) string {
	switch kind {
	case "wood", "forest":
		return "forest"
	case "farmland", "orchard":
		return "farmland"
	case "meadow", "grass", "grassland":
		return "grassland"
	case "scrub":
		return "scrub"
	case "glacier":
		return "glacier"
	case "bare_rock", "sand", "beach", "quarry":
		return "barren"
	case "residential", "industrial", "commercial":
		return "urban_area"
	}
	return ""
}

// coverFeature draws an area of land cover on small maps.
func coverFeature(kind string, areas orb.MultiPolygon) feature {
	f := areaFeature(landcover, areas)
	f.minZoom, f.maxZoom = 3, coverMaxZoom
	f.minPixels = 2
	f.order = -areaRank(f.size)
	if kind == "urban_area" {
		f.order -= 1000 // what covers lies over what encloses
	}
	f.add("kind", text(kind), 0)
	return f
}
