package places

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/landmarks"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
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
	member bool          // of a relation that makes a place
	part   int           // distinguishes several of one object
	names  []place.Name  // besides those of its tags
	rings  [][]geo.Fixed // of what is known to cover its ground
}

// add makes the places that an object is.
func (c *collector) add(t osm.Tags, o origin) {
	e := build.Entry{
		Source: o.source, Number: o.number, Part: o.part, At: o.at,
		Street: t.Get("addr:street"), Place: t.Get("addr:place"), City: t.Get("addr:city"), Postcode: firstOf(t, "addr:postcode", "postal_code"),
		Suburb: firstOf(t, "addr:suburb", "addr:hamlet", "addr:village", "addr:locality", "addr:district"), State: firstOf(t, "addr:state", "addr:province"), Country: t.Get("addr:country"),
		House: t.Get("addr:housenumber"), HouseName: t.Get("addr:housename"), Outline: o.rings,
	}
	if e.House == "" { // as it is written in Czechia and Slovakia
		e.House = strings.Trim(t.Get("addr:conscriptionnumber")+"/"+t.Get("addr:streetnumber"), "/")
	}
	inBlock(t, &e)
	if !o.box.Empty() && o.closed {
		e.Extent = [2]geo.Fixed{o.box.Min.Fix(), o.box.Max.Fix()}
	}
	named := append(names(t), o.names...)
	a := e
	if list, _ := categories(t, o.source == place.Way); len(named) > 0 && e.HouseName != "" && len(list) > 0 {
		a.HouseName = "" // it is one more name of what is there
		named = append(named, place.Name{Text: e.HouseName})
	}
	addAddress(c.builder, a)
	e.Names = named
	if t.Has("wikidata") || t.Has("wikipedia") {
		e.Known = 0.5
	}
	settled := true // a locality or an area
	switch kind := t.Get("place"); {
	case len(named) == 0 || o.source == place.Way && !o.closed && kind != "":
		settled = false
	case kind != "" && place.IsArea(kind):
		c.addArea(t, e, kind)
	case kind != "" && place.IsLocality(kind):
		l := e
		l.Kind, l.Class, l.Population, l.House = place.Locality, kind, population(t), ""
		l.Categories = []string{kind, "place"}
		l.Suburb = firstOf(t, "is_in:city", "is_in:county", "is_in")
		l.Details = details(t)
		c.builder.Add(&l)
	case t.Get("boundary") == "administrative" && t.Get("type") != "multilinestring" && (o.source != place.Way || o.closed && !o.member && levels[t.Get("admin_level")] <= smallArea):
		c.addArea(t, e, "")
	default:
		settled = false
	}
	if t.Get("boundary") == "postal_code" && o.source == place.Relation {
		c.builder.AddPostcode(firstOf(t, "postal_code", "ref", "name"), o.at, e.Country)
	}
	if t.Get("landuse") == "residential" && len(named) > 0 && t.Get("place") == "" && len(o.rings) > 0 {
		l := e
		l.Kind, l.Class = place.Locality, place.Ground
		c.builder.Add(&l)
	}
	c.addStreet(t, o, e)
	c.addPOI(t, o, e, settled)
	c.addParts(t, o, e)
}

// inBlock reads an address of quarters and blocks, as in Japan: the quarter is the place that the
// house is numbered in, and its number has that of the block before it.
func inBlock(t osm.Tags, e *build.Entry) {
	quarter, part := t.Get("addr:quarter"), t.Get("addr:neighbourhood")
	switch {
	case e.Street != "" || e.Place != "":
		e.Suburb = cmp.Or(e.Suburb, part, quarter)
	case part == "" || strings.HasPrefix(part, quarter):
		e.Place = cmp.Or(part, quarter)
	default:
		e.Place = quarter + " " + part
	}
	switch block := t.Get("addr:block_number"); {
	case block == "":
	case e.House == "":
		e.House = block
	case !strings.HasPrefix(e.House, block+"-") && !strings.Contains(e.House, "番"):
		e.House = block + "番" + strings.TrimSuffix(e.House, "号") + "号"
	}
}

// addStreet makes a street of a way or a square that has a name or, as motorways do, a number
// alone.
func (c *collector) addStreet(t osm.Tags, o origin, e build.Entry) {
	kind := t.Get("highway")
	if kind == "" || o.source == place.Node || offRoad[kind] {
		return
	}
	if square := o.closed && (t.Get("area") == "yes" || o.source == place.Relation); !square {
		e.Extent = [2]geo.Fixed{}
	}
	e.Names = slices.Clone(e.Names)
	for _, ref := range roadNumbers(t) {
		e.Names = append(e.Names, place.Name{Text: ref})
	}
	if len(e.Names) == 0 {
		return
	}
	e.Kind, e.Class, e.Line = place.Street, kind, o.line
	c.builder.Add(&e)
}

// roadNumbers returns the numbers of a road, each as it is written and without spaces.
func roadNumbers(t osm.Tags) []string {
	var all []string
	for _, key := range []string{"ref", "int_ref", "nat_ref", "reg_ref"} {
		for ref := range strings.SplitSeq(t.Get(key), ";") {
			ref = strings.TrimSpace(ref)
			for _, one := range []string{ref, strings.ReplaceAll(ref, " ", "")} {
				if one != "" && !slices.Contains(all, one) {
					all = append(all, one)
				}
			}
		}
	}
	return all
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
func addAddress(b *build.Builder, e build.Entry) {
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

// smallArea is the most people of an area that a way may be the whole border of.
const smallArea = 60_000

// municipalLevel is the admin_level from which areas are municipalities and parts of them, which
// people live in whether the map has a settlement of their name or not.
const municipalLevel = 7

func (c *collector) addArea(t osm.Tags, e build.Entry, kind string) {
	level := t.Get("admin_level")
	people := population(t)
	if people == 0 {
		people = levels[level]
	}
	if kind == "" && (people == 0 || level == "11") {
		return
	}
	e.Kind, e.Class, e.Population, e.House = place.Area, kind, people, ""
	if kind == "" {
		e.Class = "administrative" + level
		if n, err := strconv.Atoi(level); err == nil && n >= municipalLevel {
			e.Kind, e.Class = place.Locality, place.Administrative
		}
	}
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

// fame is how well-known places of a category are, besides those with an entry
// in an encyclopedia.
var fame = map[string]float64{
	"station": 0.5, "halt": 0.3, "hospital": 0.35, "university": 0.35, "castle": 0.3, "museum": 0.25, "attraction": 0.25, "stadium": 0.3, "college": 0.2, "theatre": 0.2, "townhall": 0.25,
	"mall": 0.25, "department_store": 0.2, "supermarket": 0.1, "peak": 0.2, "national_park": 0.4, "park": 0.1, "zoo": 0.3, "theme_park": 0.3, "terminal": 0.3, "ferry_terminal": 0.3, "bus_station": 0.3,
	"bus_stop": -0.2, "parking": -0.2, "post_box": -0.25, "bicycle_parking": -0.25, "atm": -0.2, "memorial": -0.1,
	"river": 0.2, "canal": 0.1, "strait": 0.2, "sea": 0.5, "forest": 0.05, "valley": 0.05, "mountain_range": 0.2, "bridge": 0.05, "tunnel": 0.05, "dam": 0.05, "motorway_junction": 0.1, "plant": 0.1, "mountain_pass": 0.15,
}

// knownByName is how well-known the rest is that is found by its name alone: less than what
// people go to.
const knownByName = -0.15

func (c *collector) addPOI(t osm.Tags, o origin, e build.Entry, settled bool) {
	list, byName := categories(t, o.source == place.Way)
	if len(list) == 0 && len(e.Names) > 0 && !settled && !t.Has("highway") && !t.Has("boundary") && (o.source != place.Way || o.closed) {
		list, byName = []string{"place"}, true
	}
	if len(list) == 0 || byName && settled || landmarks.Disused(t) && (!byName || list[0] == "place") { // a canal lies there although nobody uses it
		return
	}
	e.Kind, e.Categories, e.Details, e.ByName = place.POI, list, details(t), byName
	if e.Line = lineOf(t, o); len(e.Line) > 1 {
		e.Extent = [2]geo.Fixed{}
	}
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
	e.Names = append(e.Names[:len(e.Names):len(e.Names)], longerNames(t, e.Names)...)
	rest := 0.0
	if byName {
		rest = knownByName
	}
	for _, v := range list {
		k, ok := fame[v]
		if ok {
			rest = 0
		}
		if k > e.Known || k < 0 {
			e.Known += k
			break
		}
	}
	e.Known += rest
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

// detailKeys are the attributes that places have in answers, each with the keys that
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

// details returns the attributes of a place, by key.
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

func cloneTags(t osm.Tags) osm.Tags {
	out := make(osm.Tags, len(t))
	for i := range t {
		out[i] = osm.Tag{Key: strings.Clone(t[i].Key), Value: strings.Clone(t[i].Value)}
	}
	return out
}
