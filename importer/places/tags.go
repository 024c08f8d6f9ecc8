package places

import (
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/landmarks"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
)

// origin is the object that tags belong to.
type origin struct {
	source place.Source
	number int64
	at     geo.Fixed
	line   []geo.Fixed // of ways
	box    geo.Bounds  // of ways and relations
	closed bool
}

// keys are the tags whose values are categories, the first that are told first.
// Of those with a list only its values count.
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
	{"railway", []string{"station", "halt", "tram_stop", "subway_entrance"}},
	{"aeroway", []string{"aerodrome", "terminal", "helipad"}},
	{"public_transport", []string{"station"}},
	{"highway", []string{"bus_stop", "services", "rest_area"}},
	{"natural", []string{"peak", "volcano", "beach", "cave_entrance", "spring", "bay", "cape", "cliff", "water", "wood", "glacier", "saddle", "hot_spring"}},
	{"man_made", []string{"lighthouse", "windmill", "watermill", "observatory", "tower", "water_tower", "pier", "bridge", "works"}},
	{"landuse", []string{"cemetery", "recreation_ground", "allotments", "village_green", "military", "industrial", "retail", "commercial"}},
	{"boundary", []string{"national_park", "protected_area"}},
	{"emergency", []string{"defibrillator", "ambulance_station", "phone"}},
	{"waterway", []string{"waterfall", "dock", "boatyard"}},
}

// nameless are values that are looked for although most of them have no name.
var nameless = map[string]bool{
	"parking": true, "toilets": true, "atm": true, "drinking_water": true, "post_box": true, "charging_station": true, "fuel": true, "recycling": true, "bicycle_parking": true,
	"pharmacy": true, "bank": true, "telephone": true, "taxi": true, "car_wash": true, "compressed_air": true, "shelter": true, "playground": true, "defibrillator": true, "vending_machine": true,
	"supermarket": true, "convenience": true, "bakery": true, "hairdresser": true, "restaurant": true, "cafe": true, "fast_food": true, "pub": true, "bar": true, "viewpoint": true, "picnic_site": true,
	"doctors": true, "dentist": true, "kindergarten": true, "school": true, "place_of_worship": true, "bus_stop": true, "post_office": true, "ferry_terminal": true, "car_sharing": true, "bicycle_rental": true,
	"police": true, "library": true, "townhall": true, "fire_station": true, "hospital": true, "clinic": true, "cemetery": true, "grave_yard": true, "veterinary": true, "sports_centre": true, "swimming_pool": true, "community_centre": true,
	"courthouse": true, "bus_station": true, "car_repair": true, "laundry": true, "butcher": true, "hotel": true, "university": true, "college": true, "marketplace": true, "lifeboat_station": true, "ambulance_station": true, "camp_site": true, "information": true,
	"station": true, "halt": true, "tram_stop": true, "services": true, "rest_area": true, "water_point": true, "shower": true, "parcel_locker": true, "motorcycle_parking": true, "dog_park": true,
}

// kitchens are values whose places have a cuisine.
var kitchens = map[string]bool{"restaurant": true, "fast_food": true, "cafe": true, "pub": true, "bar": true, "food_court": true}

// never are values that say that there is none.
var never = []string{"no", "vacant", "none", "disused", "abandoned", "bench", "waste_basket", "yes;no"}

// makesPlace reports whether an object with tags makes any place; road tells
// that it may be a piece of a street.
func makesPlace(t osm.Tags, road bool) bool {
	for i := range t {
		switch k := t[i].Key; k {
		case "addr:housenumber", "addr:housename", "addr:conscriptionnumber", "addr:streetnumber":
			return true
		case "name":
			for j := range t {
				switch t[j].Key {
				case "highway":
					if road {
						return true
					}
				case "place", "building":
					return true
				case "boundary":
					if t[j].Value == "administrative" {
						return true
					}
				}
			}
		case "ref":
			if road && t.Has("highway") {
				return true
			}
		case "boundary":
			if t[i].Value == "postal_code" {
				return true
			}
		}
	}
	return len(categories(t)) > 0
}

// categories are the values and keys of what a place is, "" for none, with
// "building" for every building that has a name.
func categories(t osm.Tags) []string {
	var all []string
	named := t.Has("name") || t.Has("brand") || t.Has("operator")
	for _, k := range keys {
		v := t.Get(k.key)
		if v == "" || slices.Contains(never, v) || k.values != nil && !slices.Contains(k.values, v) {
			continue
		}
		n := len(all)
		for one := range strings.SplitSeq(v, ";") {
			if one = strings.TrimSpace(one); one != "" && one != "yes" && len(one) <= 60 && (named || nameless[one]) && !slices.Contains(all, one) && len(all) < 12 {
				all = append(all, one)
			}
		}
		if len(all) > n || v == "yes" && named {
			all = append(all, k.key)
		}
	}
	// What a kitchen makes is a kind of its own: people ask for pizza.
	if len(all) > 0 && slices.ContainsFunc(all, func(v string) bool { return kitchens[v] }) {
		for one := range strings.SplitSeq(t.Get("cuisine"), ";") {
			if one = strings.TrimSpace(one); one != "" && len(one) <= 60 && !slices.Contains(all, one) && len(all) < 12 {
				all = append(all, one)
			}
		}
	}
	if b := t.Get("building"); b != "" && b != "no" && t.Has("name") {
		all = append(all, "building")
	}
	return all
}

// add makes the places that an object is.
func (c *collector) add(t osm.Tags, o origin) {
	e := place.Entry{
		Source: o.source, Number: o.number, At: o.at,
		Street: t.Get("addr:street"), Place: t.Get("addr:place"), City: t.Get("addr:city"), Postcode: firstOf(t, "addr:postcode", "postal_code"),
		Suburb: firstOf(t, "addr:suburb", "addr:hamlet", "addr:village", "addr:locality", "addr:district"), State: firstOf(t, "addr:state", "addr:province"), Country: t.Get("addr:country"),
		House: t.Get("addr:housenumber"), HouseName: t.Get("addr:housename"),
	}
	if e.House == "" { // as it is written in Czechia and Slovakia
		e.House = strings.Trim(t.Get("addr:conscriptionnumber")+"/"+t.Get("addr:streetnumber"), "/")
	}
	if !o.box.Empty() && o.closed {
		e.Extent = [2]geo.Fixed{o.box.Min.Fix(), o.box.Max.Fix()}
	}
	named := names(t)
	a := e
	if len(named) > 0 {
		a.HouseName = "" // what has a name of its own is found by that
	}
	addAddress(c.builder, a)
	e.Names = named
	if t.Has("wikidata") || t.Has("wikipedia") {
		e.Known = 0.5
	}
	switch kind := t.Get("place"); {
	case len(named) == 0 || o.source == place.Way && !o.closed && kind != "":
	case kind != "" && place.IsArea(kind):
		c.addArea(t, e, kind)
	case kind != "" && place.IsLocality(kind):
		l := e
		l.Kind, l.Class, l.Population, l.House = place.Locality, kind, population(t), ""
		l.Categories = []string{kind, "place"}
		l.Suburb = firstOf(t, "is_in:city", "is_in:county", "is_in")
		l.Details = details(t)
		c.builder.Add(&l)
	case t.Get("boundary") == "administrative" && o.source != place.Way:
		c.addArea(t, e, "")
	}
	if t.Get("boundary") == "postal_code" && o.source == place.Relation {
		c.builder.AddPostcode(firstOf(t, "postal_code", "ref", "name"), o.at, e.Country)
	}
	c.addStreet(t, o, e)
	c.addPOI(t, e)
}

// addStreet makes a street of a way that has a name or, as motorways do, a number
// alone.
func (c *collector) addStreet(t osm.Tags, o origin, e place.Entry) {
	if o.source != place.Way || !t.Has("highway") || o.closed && t.Get("area") == "yes" {
		return
	}
	e.Names = slices.Clone(e.Names)
	for ref := range strings.SplitSeq(t.Get("ref"), ";") {
		if ref = strings.TrimSpace(ref); ref != "" {
			e.Names = append(e.Names, place.Name{Text: ref})
		}
	}
	if len(e.Names) == 0 {
		return
	}
	e.Kind, e.Class, e.Line, e.Extent = place.Street, t.Get("highway"), o.line, [2]geo.Fixed{}
	c.builder.Add(&e)
}

func firstOf(t osm.Tags, keys ...string) string {
	for _, k := range keys {
		if v := t.Get(k); v != "" {
			return v
		}
	}
	return ""
}

// addAddress makes the addresses of an object: one for each number that is
// listed, and one for its name.
func addAddress(b *place.Builder, e place.Entry) {
	e.Kind, e.Extent = place.Address, [2]geo.Fixed{}
	house := e.House
	name := e.HouseName
	if house != "" {
		for i, one := range strings.FieldsFunc(house, func(r rune) bool { return r == ';' || r == ',' }) {
			if one = strings.TrimSpace(one); one != "" && i < mostNumbers {
				e.House, e.Part = one, i
				b.Add(&e)
			}
		}
	}
	if name != "" {
		e.House, e.Part = "", mostNumbers
		e.Names = []place.Name{{Text: name}}
		b.Add(&e)
	}
}

// mostNumbers is how many house numbers one object may list.
const mostNumbers = 100

// levels are the populations that areas by admin_level count as.
var levels = map[string]int64{"2": 20_000_000, "3": 5_000_000, "4": 2_000_000, "5": 800_000, "6": 300_000, "7": 60_000, "8": 20_000, "9": 4000, "10": 1500}

func (c *collector) addArea(t osm.Tags, e place.Entry, kind string) {
	level := t.Get("admin_level")
	people := population(t)
	if people == 0 {
		people = levels[level]
	}
	if kind == "" && (people == 0 || level == "11") {
		return
	}
	e.Kind, e.Class, e.Population, e.House = place.Area, kind, people, ""
	e.Categories = []string{"administrative", "boundary"}
	e.Details = details(t)
	if level == "2" {
		e.Country = firstOf(t, "ISO3166-1:alpha2", "ISO3166-1")
	}
	c.builder.Add(&e)
}

func population(t osm.Tags) int64 {
	n, err := strconv.ParseInt(strings.ReplaceAll(t.Get("population"), " ", ""), 10, 64)
	if err != nil || n < 0 || n > 2e9 {
		return 0
	}
	return n
}

// known is how well-known places of a category are, besides those with an entry
// in an encyclopedia.
var known = map[string]float64{
	"station": 0.5, "halt": 0.3, "hospital": 0.35, "university": 0.35, "castle": 0.3, "museum": 0.25, "attraction": 0.25, "stadium": 0.3, "college": 0.2, "theatre": 0.2, "townhall": 0.25,
	"mall": 0.25, "department_store": 0.2, "supermarket": 0.1, "peak": 0.2, "national_park": 0.4, "park": 0.1, "zoo": 0.3, "theme_park": 0.3, "terminal": 0.3, "ferry_terminal": 0.3, "bus_station": 0.3,
	"bus_stop": -0.2, "parking": -0.2, "post_box": -0.25, "bicycle_parking": -0.25, "atm": -0.2, "memorial": -0.1,
}

func (c *collector) addPOI(t osm.Tags, e place.Entry) {
	list := categories(t)
	if len(list) == 0 || landmarks.Disused(t) {
		return
	}
	e.Kind, e.Categories, e.Details = place.POI, list, details(t)
	if len(e.Names) == 0 {
		for _, key := range []string{"brand", "operator"} {
			if v := t.Get(key); v != "" {
				e.Names = []place.Name{{Text: v}}
				break
			}
		}
	} else if brand := t.Get("brand"); brand != "" {
		e.Names = append(e.Names[:len(e.Names):len(e.Names)], place.Name{Text: brand})
	}
	for _, v := range list {
		if k := known[v]; k > e.Known || k < 0 {
			e.Known += k
			break
		}
	}
	if list[0] == "aerodrome" {
		for _, key := range []string{"iata", "icao"} {
			if code := t.Get(key); code != "" {
				e.Names = append(e.Names[:len(e.Names):len(e.Names)], place.Name{Text: code})
			}
		}
		if t.Has("iata") {
			e.Known = 1
		}
	}
	c.builder.Add(&e)
}

// detailKeys are the attributes of places that are told, each with the keys that
// it may be mapped by.
var detailKeys = []struct {
	key  string
	from []string
}{
	{"brand", []string{"brand"}},
	{"cuisine", []string{"cuisine"}},
	{"email", []string{"email", "contact:email"}},
	{"iata", []string{"iata"}},
	{"icao", []string{"icao"}},
	{"opening_hours", []string{"opening_hours"}},
	{"operator", []string{"operator"}},
	{"phone", []string{"phone", "contact:phone"}},
	{"website", []string{"website", "contact:website"}},
	{"wheelchair", []string{"wheelchair"}},
	{"wikidata", []string{"wikidata"}},
	{"wikipedia", []string{"wikipedia"}},
}

// details are the attributes of a place, by key.
func details(t osm.Tags) []place.Detail {
	var all []place.Detail
	for _, d := range detailKeys {
		if v := firstOf(t, d.from...); v != "" {
			all = append(all, place.Detail{Key: d.key, Value: v})
		}
	}
	for i := range t {
		if strings.HasPrefix(t[i].Key, "socket:") && len(all) < 40 {
			all = append(all, place.Detail{Key: t[i].Key, Value: t[i].Value})
		}
	}
	slices.SortStableFunc(all, func(a, b place.Detail) int { return strings.Compare(a.Key, b.Key) })
	return all
}

// otherNames are the keys of names besides name and name:xx.
var otherNames = []string{"official_name", "int_name", "alt_name", "old_name", "short_name", "loc_name", "nat_name", "reg_name"}

// names are all names of an object, the local one first; nil where it has none.
func names(t osm.Tags) []place.Name {
	local := t.Get("name")
	if local == "" {
		return nil
	}
	all := []place.Name{{Text: local}}
	for i := range t {
		if lang, ok := strings.CutPrefix(t[i].Key, "name:"); ok && isLanguage(lang) {
			all = append(all, place.Name{Lang: strings.ToLower(lang), Text: t[i].Value})
		}
	}
	for _, key := range otherNames {
		for v := range strings.SplitSeq(t.Get(key), ";") {
			if v = strings.TrimSpace(v); v != "" {
				all = append(all, place.Name{Text: v})
			}
		}
	}
	return all
}

// isLanguage reports whether a suffix of name: is a language: two or three small
// letters, then perhaps a script or country.
func isLanguage(s string) bool {
	base, _, _ := strings.Cut(s, "-")
	if len(base) < 2 || len(base) > 3 {
		return false
	}
	for i := range len(base) {
		if base[i] < 'a' || base[i] > 'z' {
			return false
		}
	}
	return true
}

func cloneTags(t osm.Tags) osm.Tags {
	out := make(osm.Tags, len(t))
	for i := range t {
		out[i] = osm.Tag{Key: strings.Clone(t[i].Key), Value: strings.Clone(t[i].Value)}
	}
	return out
}
