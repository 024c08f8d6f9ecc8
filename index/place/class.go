package place

import "math"

// class is how large a locality or an area is for its kind, or how a street
// ranks.
type class struct {
	population int64 // taken where none is mapped
	settled    bool  // people say that they live there, and things around belong to it
}

// classes are the values of place=* that make a locality or an area.
var classes = map[string]class{
	"city": {100_000, true}, "town": {10_000, true}, "village": {1000, true}, "hamlet": {150, true}, "suburb": {6000, false}, "borough": {20_000, false}, "quarter": {3000, false},
	"neighbourhood": {800, false}, "isolated_dwelling": {10, false}, "farm": {10, false}, "locality": {20, false}, "island": {500, false}, "islet": {10, false},
	"city_block": {50, false}, "municipality": {5000, true}, "district": {30_000, false}, "county": {200_000, false}, "state": {3_000_000, false}, "province": {1_000_000, false},
	"region": {1_000_000, false}, "country": {20_000_000, false}, "square": {20, false}, "plot": {5, false}, "civil_parish": {1000, false}, "parish": {1000, false},
}

// above are those that are areas and no localities.
var above = map[string]bool{"county": true, "state": true, "province": true, "region": true, "country": true, "district": true}

// streetWeights are the importances of streets by their value of highway=*.
var streetWeights = map[string]float64{
	"motorway": 0.22, "trunk": 0.22, "primary": 0.2, "secondary": 0.18, "tertiary": 0.16, "unclassified": 0.14, "residential": 0.14, "living_street": 0.13, "pedestrian": 0.14,
	"service": 0.09, "track": 0.06, "footway": 0.07, "path": 0.06, "cycleway": 0.07, "steps": 0.06, "bridleway": 0.06,
}

// byPopulation is the importance of a place with so many people: one of a
// hundred is 0.25, a village 0.375, a city of a million 0.75.
func byPopulation(people int64) float64 {
	return max(0.05, min(1, math.Log10(float64(max(1, people)))/8))
}

// reach is how far in metres from its middle things belong to a settlement.
func reach(people int64) uint32 { return uint32(min(40_000, 25*math.Sqrt(float64(people)))) }

// IsLocality reports whether a value of place=* makes a locality.
func IsLocality(value string) bool {
	_, ok := classes[value]
	return ok && !above[value]
}

// IsArea reports whether a value of place=* makes an area above localities.
func IsArea(value string) bool { return above[value] }
