package nominatim

import (
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// rank is how large a place is by Nominatim's scheme: 4 is a country, 30 a house. address is where in
// an address it stands, 0 where it is no part of one.
type rank struct{ search, address int }

// house is the rank of what stands at a number of a street.
var house = rank{30, 30}

// placeRanks are those of the values of place=*, as Nominatim's usual settings have them.
var placeRanks = map[string]rank{
	"country": {4, 4}, "state": {8, 8}, "province": {8, 8}, "region": {18, 0}, "county": {12, 12}, "district": {12, 12}, "municipality": {14, 14}, "city": {16, 16}, "town": {18, 16},
	"borough": {18, 18}, "village": {19, 16}, "suburb": {19, 20}, "hamlet": {20, 20}, "quarter": {20, 22}, "neighbourhood": {24, 24}, "isolated_dwelling": {22, 25}, "farm": {22, 25},
	"city_block": {25, 25}, "square": {25, 25}, "locality": {25, 25}, "island": {17, 0}, "islet": {20, 0}, "civil_parish": {20, 20}, "parish": {20, 20}, "plot": {25, 25},
	"house": house, "postcode": {21, 11},
}

// smallStreets are the values of highway=* of streets that only few are on.
var smallStreets = map[string]bool{
	"service": true, "cycleway": true, "path": true, "footway": true, "steps": true, "bridleway": true, "corridor": true,
	"motorway_link": true, "trunk_link": true, "primary_link": true, "secondary_link": true, "tertiary_link": true,
}

// areaKeys are keys of what is no part of an address, with its search rank.
var areaKeys = map[string]int{"landuse": 24, "boundary": 25, "natural": 22, "waterway": 20}

// tagRanks are those of tags that differ from their key's.
var tagRanks = map[place.Tag]rank{
	{Key: "natural", Value: "peak"}: {18, 0}, {Key: "natural", Value: "volcano"}: {18, 0}, {Key: "natural", Value: "spring"}: house, {Key: "natural", Value: "cave_entrance"}: house,
	{Key: "natural", Value: "hot_spring"}: house, {Key: "leisure", Value: "park"}: {24, 0}, {Key: "leisure", Value: "nature_reserve"}: {24, 0}, {Key: "leisure", Value: "common"}: {24, 0},
	{Key: "leisure", Value: "garden"}: {25, 0},
}

// administrative begins the class of an area that is known by its admin_level.
const administrative = "administrative"

// levelOf returns the admin_level of a class; 0 where it has none.
func levelOf(class string) int {
	level, _ := strconv.Atoi(strings.TrimPrefix(class, administrative))
	return level
}

// Areas wants areas, and localities, which have those of the same name in them.
func Areas(s *place.Sort) bool { return s.Kind == place.Area || s.Kind == place.Locality }

// AreaAt returns the last of some areas as a place of which no more is known than that a point lies
// in it.
func AreaAt(at geo.Point, areas []Area) Place {
	last := areas[len(areas)-1]
	p := Place{Areas: areas, Place: place.Place{Kind: place.Area, At: at, Name: last.Name, Class: administrative + strconv.Itoa(last.Level)}}
	if areas[0].Level == 2 {
		p.CountryCode = areas[0].ISO
	}
	return p
}

// rankOf returns the rank of places of a sort whose first tag is t.
func rankOf(s *place.Sort, t place.Tag) rank {
	switch s.Kind {
	case place.Address:
		return house
	case place.Street, place.Crossing:
		if smallStreets[t.Value] {
			return rank{27, 27}
		}
		return rank{26, 26}
	case place.Area, place.Locality, place.Postcode:
		if r, ok := placeRanks[t.Value]; ok && t.Key == "place" {
			return r
		}
		if level := levelOf(s.Class); level >= 2 && level <= 12 {
			return rank{2 * level, 2 * level}
		}
		return rank{25, 0}
	}
	if r, ok := tagRanks[t]; ok {
		return r
	}
	if search, ok := areaKeys[t.Key]; ok {
		return rank{search, 0}
	}
	return house
}

// Kinds of places by their rank in an address, as Photon's type and GeocodeJSON's have them.
const (
	House    = "house"
	Street   = "street"
	Locality = "locality"
	District = "district"
	City     = "city"
	County   = "county"
	State    = "state"
	Country  = "country"
	Other    = "other" // no part of an address
)

// kindOf returns the kind of a place by its rank in an address.
func kindOf(address int) string {
	switch {
	case address >= 29:
		return House
	case address >= 26:
		return Street
	case address >= 22:
		return Locality
	case address >= 17:
		return District
	case address >= 13:
		return City
	case address >= 10:
		return County
	case address >= 5:
		return State
	case address == 4:
		return Country
	}
	return Other
}

// KindOf returns the kind of places of a sort.
func KindOf(s *place.Sort) string {
	if s.Kind == place.Postcode {
		return Other
	}
	return kindOf(rankOf(s, s.Tags()[0]).address)
}

// labels are the labels of areas in an address by half their rank, which is their admin_level.
var labels = [...]string{2: "country", 3: "region", 4: "state", 5: "state_district", 6: "county", 7: "municipality", 8: "city", 9: "city_district", 10: "suburb", 11: "neighbourhood", 12: "city_block"}

func labelOf(level int) string {
	if level < 2 || level >= len(labels) {
		return administrative
	}
	return labels[level]
}

// layers of Nominatim.
const (
	addressLayer = "address"
	poiLayer     = "poi"
	railwayLayer = "railway"
	naturalLayer = "natural"
	manmadeLayer = "manmade"
)

// inLayer reports whether places of a sort are of a layer. Stations are of two.
func inLayer(s *place.Sort, layer string) bool {
	if s.Kind != place.POI {
		return layer == addressLayer
	}
	t := s.Tags()[0]
	switch {
	case t.Key == "building":
		return layer == addressLayer
	case t.Key == "railway" && layer == railwayLayer:
		return true
	case rankOf(s, t).address > 0:
		return layer == poiLayer
	case t.Key == "natural" || t.Key == "waterway":
		return layer == naturalLayer
	}
	return layer == manmadeLayer
}
