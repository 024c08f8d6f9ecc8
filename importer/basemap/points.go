package basemap

import (
	"cmp"
	"math"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/osm"
)

// populationBreaks are the least populations of ranks 2, 3, ... 18; rank 1 is
// any population.
var populationBreaks = [...]int{
	200, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000,
	1000000, 5000000, 10000000, 20000000, 50000000, 100000000, 1000000000,
}

// placeClass is how a place is drawn: its kind, the population assumed if none is
// mapped, and its first zoom.
type placeClass struct {
	kind       string
	population int
	zoom       int
}

func classOfPlace(place string) (placeClass, bool) {
	c, ok := map[string]placeClass{
		"country":           {"country", 0, 2},
		"state":             {"region", 0, 5},
		"province":          {"region", 0, 5},
		"city":              {"locality", 50000, 5},
		"town":              {"locality", 10000, 8},
		"village":           {"locality", 1000, 10},
		"hamlet":            {"locality", 200, 12},
		"locality":          {"locality", 50, 14},
		"isolated_dwelling": {"locality", 10, 14},
		"farm":              {"locality", 10, 14},
		"suburb":            {"neighbourhood", 5000, 11},
		"quarter":           {"macrohood", 2000, 12},
		"neighbourhood":     {"neighbourhood", 500, 13},
		"island":            {"earth", 0, 11},
		"islet":             {"earth", 0, 13},
	}[place]
	return c, ok
}

// placeFeature draws the name of a place.
func placeFeature(tags osm.Tags, at orb.Point) (feature, bool) {
	place := tags.Get("place")
	c, ok := classOfPlace(place)
	if !ok || tags.Get("name") == "" {
		return feature{}, false
	}
	population, err := strconv.Atoi(tags.Get("population"))
	if err != nil || population <= 0 {
		population = c.population
	}
	l := places
	if c.kind == "earth" {
		l, c.kind = earth, place
	}
	f := pointFeature(l, at)
	// Larger towns show a little earlier than their like, never later.
	zoom := c.zoom
	if c.kind == "locality" && zoom > 5 && population >= 8*max(1, c.population) {
		zoom--
	}
	f.minZoom = uint8(zoom)
	f.size = float64(population)
	f.order = int32(zoom)*100 - int32(populationRank(population))
	f.add("kind", text(c.kind), 0)
	f.add("kind_detail", text(place), 0)
	f.add("min_zoom", integer(zoom+1), 0)
	if l == places {
		f.add("population", integer(population), 0)
		f.add("population_rank", integer(populationRank(population)), 0)
		f.add("sort_key", integer(int(f.order)), 0)
		f.add("capital", text(tags.Get("capital")), 0)
	}
	f.add("wikidata", text(tags.Get("wikidata")), 0)
	f.addNames(tags, 0)
	return f, true
}

func isIsland(tags osm.Tags) bool { return is(tags, "place", "island", "islet") && tags.Has("name") }

// islandFeature draws the name of an island that is mapped by its outline, from the
// zoom with room for it; area is in world units.
func islandFeature(tags osm.Tags, at orb.Point, area float64) (feature, bool) {
	if !isIsland(tags) {
		return feature{}, false
	}
	zoom := max(3, labelZoom(area)-1)
	f := pointFeature(earth, at)
	f.minZoom = uint8(min(zoom, DefaultMaxZoom))
	f.order = int32(zoom) * 100
	f.add("kind", text(tags.Get("place")), 0)
	f.add("min_zoom", integer(zoom+1), 0)
	f.addNames(tags, 0)
	return f, true
}

func populationRank(population int) int {
	rank := 1
	for _, least := range populationBreaks {
		if population >= least {
			rank++
		}
	}
	return rank
}

// poi describes a point of interest; zoom is the first at which it is drawn.
type poi struct {
	kind string
	zoom int
}

// poiOf classifies points of interest; kind is "" for anything else. Most need a name,
// because they are drawn as a label only.
func poiOf(tags osm.Tags) poi {
	named := tags.Has("name")
	switch {
	case tags.Get("aeroway") == "aerodrome" && named:
		if tags.Has("iata") {
			return poi{"aerodrome", 10}
		}
		return poi{"aerodrome", 13}
	case is(tags, "railway", "station") && named:
		if is(tags, "station", "subway", "light_rail") {
			return poi{"station", 14}
		}
		return poi{"station", 12}
	case is(tags, "railway", "halt") && named:
		return poi{"halt", 13}
	case is(tags, "aerialway", "station") && named:
		return poi{"aerialway_station", 14}
	case is(tags, "railway", "tram_stop") && named:
		return poi{"tram_stop", 15}
	case is(tags, "railway", "subway_entrance"):
		return poi{"subway_entrance", 17}
	case is(tags, "highway", "bus_stop"):
		return poi{"bus_stop", 17}
	case is(tags, "natural", "peak", "volcano") && named:
		return poi{tags.Get("natural"), 12}
	case is(tags, "natural", "beach", "cave_entrance", "spring", "saddle", "cape") && named:
		return poi{tags.Get("natural"), 14}
	case tags.Get("mountain_pass") == "yes" && named:
		return poi{"saddle", 13}
	case is(tags, "waterway", "waterfall") && named:
		return poi{"waterfall", 14}
	case is(tags, "amenity", "hospital") && named:
		return poi{"hospital", 13}
	case is(tags, "amenity", "university", "college") && named:
		return poi{tags.Get("amenity"), 14}
	case is(tags, "amenity", "library", "townhall", "theatre", "ferry_terminal", "bus_station", "courthouse", "marketplace") && named:
		return poi{tags.Get("amenity"), 14}
	case is(tags, "amenity", "post_office", "school", "police", "fire_station", "place_of_worship", "cinema", "community_centre", "arts_centre") && named:
		return poi{tags.Get("amenity"), 15}
	case is(tags, "amenity", "fuel", "charging_station", "parking", "toilets", "atm", "drinking_water", "post_box"):
		return poi{tags.Get("amenity"), pickZoom(named, 16, 17)}
	case is(tags, "amenity", "cafe", "restaurant", "pub", "bar", "fast_food", "pharmacy", "bank", "doctors", "dentist", "clinic",
		"veterinary", "kindergarten", "nightclub", "ice_cream", "car_rental", "bicycle_rental", "childcare", "social_facility") && named:
		return poi{tags.Get("amenity"), 16}
	case is(tags, "tourism", "attraction", "museum", "zoo", "theme_park", "gallery", "aquarium") && named:
		return poi{tags.Get("tourism"), 14}
	case is(tags, "tourism", "hotel", "camp_site", "caravan_site", "hostel", "guest_house", "alpine_hut", "viewpoint", "artwork", "chalet", "apartment") && named:
		return poi{tags.Get("tourism"), pickZoom(is(tags, "tourism", "alpine_hut", "camp_site"), 14, 16)}
	case is(tags, "historic", "castle", "ruins", "archaeological_site", "monument", "fort", "memorial", "battlefield") && named:
		return poi{tags.Get("historic"), pickZoom(is(tags, "historic", "castle", "fort"), 14, 15)}
	case is(tags, "leisure", "park", "nature_reserve", "golf_course", "stadium", "marina", "garden", "sports_centre", "swimming_pool", "water_park", "playground") && named:
		return poi{tags.Get("leisure"), pickZoom(is(tags, "leisure", "playground", "swimming_pool", "garden"), 16, 15)}
	case is(tags, "landuse", "cemetery", "recreation_ground", "village_green", "allotments", "military", "forest") && named:
		return poi{tags.Get("landuse"), 15}
	case is(tags, "natural", "wood") && named:
		return poi{"wood", 15}
	case is(tags, "boundary", "national_park") && named:
		return poi{"national_park", 12}
	case is(tags, "man_made", "lighthouse", "windmill", "observatory") && named:
		return poi{tags.Get("man_made"), 14}
	case is(tags, "shop", "supermarket", "mall", "department_store") && named:
		return poi{tags.Get("shop"), 15}
	case tags.Has("shop") && named && !is(tags, "shop", "vacant", "no"):
		return poi{tags.Get("shop"), 16}
	case is(tags, "place", "square") && named:
		return poi{"square", 16}
	case is(tags, "tourism", "picnic_site", "information") || is(tags, "amenity", "shelter", "bicycle_parking", "bench", "telephone", "recycling"):
		return poi{cmp.Or(tags.Get("tourism"), tags.Get("amenity")), pickZoom(named, 17, 18)}
	}
	return poi{}
}

func pickZoom(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}

// sceneryZoom is the zoom of the tiles that scenery along routes is read from. They have
// viewpoints and passes, which maps show later: by their min_zoom.
const sceneryZoom = 12

// poiFeature draws a point of interest; area is that of its outline in world units, 0
// for a node. A wide one is drawn as soon as there is room for its name.
func poiFeature(p poi, tags osm.Tags, at orb.Point, area float64) feature {
	zoom := p.zoom
	if area > 0 && p.kind != "bus_stop" && p.kind != "station" {
		zoom = max(5, min(zoom, labelZoom(area)))
	}
	f := pointFeature(pois, at)
	f.minZoom = uint8(min(zoom, DefaultMaxZoom))
	if p.kind == "viewpoint" || tags.Get("mountain_pass") == "yes" {
		f.minZoom = min(f.minZoom, sceneryZoom)
	}
	f.size = math.Exp2(-float64(zoom))
	f.order = int32(zoom) * 10
	f.add("kind", text(p.kind), 0)
	f.add("min_zoom", integer(zoom+1), 0)
	for _, key := range []string{"cuisine", "religion", "sport"} {
		if v := tags.Get(key); v != "" {
			f.add("kind_detail", text(v), 14)
			break
		}
	}
	f.add("iata", text(tags.Get("iata")), 0)
	if ele := decimal(tags.Get("ele")); ele != 0 && (p.kind == "peak" || p.kind == "volcano" || p.kind == "alpine_hut" || p.kind == "saddle") {
		f.add("elevation", numberValue(math.Round(ele)), 0)
	}
	f.addNames(tags, 0)
	return f
}
