package places

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
)

// keys are the tags whose values are categories, in the order in which a place has them.
// Of those with a list only its values count. place.TagKeys has them in the same order.
var keys = []struct {
	key    string
	values []string
}{
	{"amenity", nil},
	{"shop", nil},
	{"tourism", nil},
	{"leisure", nil},
	{"historic", nil},
	{"healthcare", nil},
	{"office", nil},
	{"craft", nil},
	{"club", nil},
	{"railway", []string{"station", "halt", "tram_stop", "subway_entrance"}},
	{"aeroway", []string{"aerodrome", "terminal", "helipad"}},
	{"public_transport", []string{"station"}},
	{"highway", []string{"bus_stop", "services", "rest_area", "motorway_junction"}},
	{"natural", []string{"peak", "volcano", "beach", "cave_entrance", "spring", "bay", "cape", "cliff", "water", "wood", "glacier", "saddle", "hot_spring"}},
	{"mountain_pass", []string{"yes"}},
	{"man_made", []string{"lighthouse", "windmill", "watermill", "observatory", "tower", "water_tower", "pier", "bridge", "works"}},
	{"landuse", []string{"cemetery", "recreation_ground", "allotments", "village_green", "military", "industrial", "retail", "commercial"}},
	{"boundary", []string{"national_park", "protected_area"}},
	{"emergency", []string{"defibrillator", "ambulance_station", "phone"}},
	{"waterway", []string{"waterfall", "dock", "boatyard"}},
	{"barrier", []string{"toll_booth"}},
	{"power", []string{"plant"}},
}

// byName are the keys that make a place of what has a name and no category of those above,
// the first that is there. Such places are found by what they are called, and do not count
// among what is near a point.
var byName = strings.Fields("railway aeroway aerialway highway waterway natural man_made landuse boundary route piste:type power barrier public_transport military emergency geological telecom place " +
	"landcover junction lock bridge tunnel attraction sport playground golf entrance building:part indoor room cemetery memorial information seamark:type type")

// nameless are values that are looked for although most of them have no name.
var nameless = map[string]bool{
	"parking": true, "toilets": true, "atm": true, "drinking_water": true, "post_box": true, "charging_station": true, "fuel": true, "recycling": true, "bicycle_parking": true,
	"pharmacy": true, "bank": true, "telephone": true, "taxi": true, "car_wash": true, "compressed_air": true, "shelter": true, "playground": true, "defibrillator": true, "vending_machine": true,
	"supermarket": true, "convenience": true, "bakery": true, "hairdresser": true, "restaurant": true, "cafe": true, "fast_food": true, "pub": true, "bar": true, "viewpoint": true, "picnic_site": true,
	"doctors": true, "dentist": true, "kindergarten": true, "school": true, "place_of_worship": true, "bus_stop": true, "post_office": true, "ferry_terminal": true, "car_sharing": true, "bicycle_rental": true,
	"police": true, "library": true, "townhall": true, "fire_station": true, "hospital": true, "clinic": true, "cemetery": true, "grave_yard": true, "veterinary": true, "sports_centre": true, "swimming_pool": true, "community_centre": true,
	"courthouse": true, "bus_station": true, "car_repair": true, "laundry": true, "butcher": true, "hotel": true, "university": true, "college": true, "marketplace": true, "lifeboat_station": true, "ambulance_station": true, "camp_site": true, "information": true,
	"pitch": true, "fitness_centre": true, "fitness_station": true, "beach": true, "public_bath": true, "water_park": true, "picnic_table": true, "bbq": true, "fountain": true, "tyres": true, "ice_cream": true, "social_facility": true, "childcare": true,
	"arts_centre": true, "embassy": true, "prison": true, "public_bookcase": true, "bureau_de_change": true, "car_rental": true, "optician": true, "florist": true, "greengrocer": true, "chemist": true, "newsagent": true, "dry_cleaning": true, "hardware": true, "doityourself": true, "garden_centre": true,
	"clothes": true, "shoes": true, "bicycle": true, "furniture": true, "books": true, "jewelry": true, "mobile_phone": true, "beauty": true, "pet": true, "alcohol": true, "kiosk": true, "museum": true, "guest_house": true, "hostel": true, "alpine_hut": true, "wilderness_hut": true, "caravan_site": true, "lighthouse": true,
	"station": true, "halt": true, "tram_stop": true, "services": true, "rest_area": true, "water_point": true, "shower": true, "parcel_locker": true, "motorcycle_parking": true, "dog_park": true,
}

// faiths are the buildings that stand for a religion where a place of worship has no tag of it.
var faiths = map[string]string{"church": "christian", "chapel": "christian", "cathedral": "christian", "mosque": "muslim", "synagogue": "jewish"}

// grounds are values whose places are for some sports, which are kinds of their own.
var grounds = map[string]bool{"pitch": true, "sports_centre": true, "sports_hall": true, "stadium": true, "track": true}

// shut reports whether a place without a name is for its owners alone: gardens have swimming
// pools, and houses have car parks, that nobody looks for. Of pools those alone are looked for
// that say who may swim.
func shut(t osm.Tags, value string) bool {
	switch t.Get("access") {
	case "private", "no", "residents":
		return true
	case "":
		return value == "swimming_pool" && !t.Has("fee") && !t.Has("opening_hours")
	}
	return false
}

// kitchens are values whose places have a cuisine.
var kitchens = map[string]bool{"restaurant": true, "fast_food": true, "cafe": true, "pub": true, "bar": true, "food_court": true}

// never are values that say that there is none.
var never = []string{"no", "vacant", "none", "disused", "abandoned", "razed", "demolished", "removed", "bench", "waste_basket", "yes;no"}

// makesPlace reports whether an object with tags makes any place; way is true of what may be a
// piece of a street.
func makesPlace(t osm.Tags, way bool) bool {
	for i := range t {
		switch k := t[i].Key; k {
		case "addr:housenumber", "addr:housename", "addr:conscriptionnumber", "addr:streetnumber", "addr:block_number":
			return true
		case "ref":
			if way && t.Has("highway") {
				return true
			}
		case "boundary":
			if t[i].Value == "postal_code" {
				return true
			}
		case "bridge:name", "tunnel:name", "lock_name":
			return true
		}
	}
	if hasName(t) {
		return true
	}
	list, _ := categories(t, way)
	return len(list) > 0
}

// categories returns the values and keys of what a place is, nil for none, with "building" for
// every building that has a name. byName is true of what is found by its name alone.
func categories(t osm.Tags, way bool) (all []string, byName bool) {
	named := hasName(t)
	run := named || t.Has("brand") || t.Has("operator")
	for i := range keys {
		k := &keys[i]
		v := t.Get(k.key)
		if v == "" || slices.Contains(never, v) || k.values != nil && !slices.Contains(k.values, v) {
			continue
		}
		n := len(all)
		for one := range strings.SplitSeq(v, ";") {
			if one = strings.TrimSpace(one); one != "" && one != "yes" && len(one) <= 60 && (run || (nameless[one] || k.key == "shop") && !shut(t, one)) && !slices.Contains(all, one) && len(all) < 12 {
				all = append(all, one)
			}
		}
		if len(all) > n || v == "yes" && run {
			all = append(all, k.key)
		}
	}
	further := func(list, key string) {
		n := len(all)
		for one := range strings.SplitSeq(list, ";") {
			if one = strings.TrimSpace(one); one != "" && len(one) <= 60 && !slices.Contains(all, one) && len(all) < 12 {
				all = append(all, one)
			}
		}
		if len(all) > n && key != "" {
			all = append(all, key)
		}
	}
	switch {
	case len(all) == 0:
	case slices.ContainsFunc(all, func(v string) bool { return kitchens[v] }):
		// The cuisine is a kind of its own: people ask for pizza.
		further(t.Get("cuisine"), "")
	case slices.Contains(all, "place_of_worship"):
		faith := t.Get("religion")
		if faith == "" {
			faith = faiths[t.Get("building")]
		}
		further(faith, "religion")
	case slices.ContainsFunc(all, func(v string) bool { return grounds[v] }):
		further(t.Get("sport"), "sport")
	case slices.Contains(all, "information"):
		further(t.Get("information"), "")
	case slices.Contains(all, "station"):
		further(t.Get("station"), "")
	}
	if b := t.Get("building"); b != "" && b != "no" && named {
		all = append(all, "building")
	}
	if len(all) == 0 && named {
		all = namedOnly(t, way)
		return all, len(all) > 0
	}
	return all, false
}

// namedOnly returns the categories of what is a place for its name alone: the value and the key of
// the first of its tags that says what it is.
func namedOnly(t osm.Tags, way bool) []string {
	for _, key := range byName {
		v, _, _ := strings.Cut(t.Get(key), ";")
		switch {
		case v == "" || slices.Contains(never, v) && key != "railway" || len(v) > 60 || !says(t, key, v, way):
		case v == "yes":
			return []string{key}
		default:
			return []string{v, key}
		}
	}
	return nil
}

// says reports whether a tag says what a place is: it is no attribute of a road or another
// line, and it makes no street, locality or area.
func says(t osm.Tags, key, value string, way bool) bool {
	switch key {
	case "highway":
		return !way || offRoad[value]
	case "railway":
		return value == "abandoned" || value == "disused" || !slices.Contains(never, value) // those can still be seen
	case "boundary":
		return value != "administrative" && value != "postal_code"
	case "place":
		return !place.IsLocality(value) && !place.IsArea(value)
	case "bridge", "tunnel", "lock", "junction", "entrance":
		return !t.Has("highway") && !t.Has("railway") && !t.Has("waterway")
	case "type":
		return value == "waterway" || value == "bridge" || value == "tunnel" || value == "site"
	}
	return true
}

// offRoad are the values of ways that no one travels along.
var offRoad = map[string]bool{"bus_stop": true, "services": true, "rest_area": true, "platform": true, "elevator": true, "emergency_bay": true, "toll_gantry": true, "trailhead": true}
