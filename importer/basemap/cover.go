package basemap

import "github.com/paulmach/orb"

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
