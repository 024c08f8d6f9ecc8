package place

import (
	"math"
	"slices"
)

// class is how large a locality or an area is for its kind, or how a street
// ranks.
type class struct {
	Population int64 // taken where none is mapped
	Settled    bool  // people say that they live there, and things around belong to it
}

// Classes are the values of place=* that make a locality or an area.
var Classes = map[string]class{
	"city": {100_000, true}, "town": {10_000, true}, "village": {1000, true}, "hamlet": {150, true}, "suburb": {6000, false}, "borough": {20_000, false}, "quarter": {3000, false},
	"neighbourhood": {800, false}, "isolated_dwelling": {10, false}, "farm": {10, false}, "locality": {20, false}, "island": {500, false}, "islet": {10, false},
	"city_block": {50, false}, "municipality": {5000, true}, "district": {30_000, false}, "county": {200_000, false}, "state": {3_000_000, false}, "province": {1_000_000, false},
	"region": {1_000_000, false}, "country": {20_000_000, false}, "square": {20, false}, "plot": {5, false}, "civil_parish": {1000, false}, "parish": {1000, false},
}

// Classes of localities besides values of place=*.
const (
	Administrative = "administrative" // an administrative area of a municipality or a part of one
	Ground         = "ground"         // what a settlement of the name covers; where there is none it is no place
)

// above are those that are areas and no localities.
var above = map[string]bool{"county": true, "state": true, "province": true, "region": true, "country": true, "district": true}

// StreetWeights are the importances of streets by their value of highway=*.
var StreetWeights = map[string]float64{
	"motorway": 0.22, "trunk": 0.22, "primary": 0.2, "secondary": 0.18, "tertiary": 0.16, "unclassified": 0.14, "residential": 0.14, "living_street": 0.13, "pedestrian": 0.14,
	"service": 0.09, "track": 0.06, "footway": 0.07, "path": 0.06, "cycleway": 0.07, "steps": 0.06, "bridleway": 0.06,
}

// Importances of points of interest: of those without fame, and what the best-known have
// besides.
const (
	PoiImportance = 0.08
	PoiKnown      = 0.25
)

// ByPopulation returns the importance of a place with so many people: one of a
// hundred is 0.25, a village 0.375, a city of a million 0.75.
func ByPopulation(people int64) float64 {
	return max(0.05, min(1, math.Log10(float64(max(1, people)))/8))
}

// Reach returns how far in metres from its middle things belong to a settlement.
func Reach(people int64) uint32 { return uint32(min(40_000, 25*math.Sqrt(float64(people)))) }

// IsLocality reports whether a value of place=* makes a locality.
func IsLocality(value string) bool {
	_, ok := Classes[value]
	return ok && !above[value]
}

// IsArea reports whether a value of place=* makes an area above localities.
func IsArea(value string) bool { return above[value] }

// classWords are the classes that a record keeps, by their numbers: values of place=* and of
// highway=*, and administrative areas by their admin_level. Indexes on disk have the numbers, so
// that words are only ever added at the end.
var classWords = []string{
	"", "city", "town", "village", "hamlet", "suburb", "borough", "quarter", "neighbourhood", "isolated_dwelling", "farm", "locality", "island", "islet", "city_block", "municipality", "district",
	"county", "state", "province", "region", "country", "square", "plot", "civil_parish", "parish",
	"administrative2", "administrative3", "administrative4", "administrative5", "administrative6", "administrative7", "administrative8", "administrative9", "administrative10",
	"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street", "pedestrian", "service", "track", "footway", "path", "cycleway", "steps", "bridleway", "road",
	"motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link", "busway", "raceway", "corridor", "construction", "proposed", "bus_guideway",
}

// ClassNumber returns the number of a class, 0 for one that is not kept.
func ClassNumber(word string) uint8 { return uint8(max(0, slices.Index(classWords, word))) }

// ClassText returns the word of a class by its number.
func ClassText(n uint8) string {
	if int(n) < len(classWords) {
		return classWords[n]
	}
	return ""
}
