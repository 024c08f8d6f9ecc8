// Package geocodetest has what tests of the geocoder find places with: an index
// of a few of them, and a server that speaks as a Photon does.
package geocodetest

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// Index returns a few places: the city of Newport with its airports and stations, a
// town of Caerleon beside it, streets and houses in both, and an island on the far
// side of the antimeridian.
func Index(t testing.TB) *find.Index {
	t.Helper()
	b := &build.Builder{Country: func(p geo.Point) string {
		if p.Lon > 90 || p.Lon < -90 {
			return "FJ"
		}
		return "GB"
	}}
	at := func(lon, lat float64) geo.Fixed { return geo.Point{Lon: lon, Lat: lat}.Fix() }
	number := int64(0)
	add := func(e build.Entry, names ...string) {
		number++
		e.Number = number
		for _, name := range names {
			e.Names = append(e.Names, place.Name{Text: name})
		}
		b.Add(&e)
	}
	add(build.Entry{Kind: place.Locality, At: at(-3, 51.58), Class: "city", Population: 150_000, Categories: []string{"city", "place"}}, "Newport")
	add(build.Entry{Kind: place.Locality, At: at(-2.95, 51.61), Class: "town", Population: 8000, Categories: []string{"town", "place"}}, "Caerleon")
	add(build.Entry{Kind: place.Locality, At: at(-179.9, -16.8), Class: "town", Population: 900, Categories: []string{"town", "place"}}, "Eastport")
	add(build.Entry{Kind: place.Locality, At: at(179.9, -16.8), Class: "town", Population: 900, Categories: []string{"town", "place"}}, "Westport")
	hub := func(name, kind string, lon, lat float64, details ...place.Detail) {
		category := []string{"station", "railway"}
		if kind == "aerodrome" {
			category = []string{"aerodrome", "aeroway"}
		}
		add(build.Entry{Kind: place.POI, At: at(lon, lat), Categories: category, Details: details}, name)
	}
	iata := func(code string) place.Detail { return place.Detail{Key: "iata", Value: code} }
	hub("Newport International Airport", "aerodrome", -3.5, 51.6, iata("NPT"))
	hub("Newport Flying Club", "aerodrome", -3.05, 51.6)              // has no code
	hub("Newport Far Airport", "aerodrome", -3.95, 51.6, iata("NPF")) // 66 km away
	hub("Caerleon Airport", "aerodrome", -3.1, 51.6, iata("CLN"))     // is another town's
	hub("Newport Central", "station", -3.0004, 51.5888)               // 1 km
	hub("Newport West", "station", -3.02, 51.57)                      // 2 km
	hub("Newport Parkway", "station", -2.9, 51.6)                     // 7 km
	hub("Newport Distant Halt", "station", -2.6, 51.58)               // 28 km
	hub("Pye Corner", "station", -3.03, 51.58)                        // is not named for it
	add(build.Entry{Kind: place.POI, At: at(-3.001, 51.5801), Categories: []string{"pub", "amenity"}, Street: "High Street", City: "Newport", Details: []place.Detail{{Key: "opening_hours", Value: "24/7"}, {Key: "phone", Value: "+44 1633 000000"}}}, "The Red Lion")
	for i, x := range []float64{-3, -2.95} {
		y := []float64{51.58, 51.61}[i]
		add(build.Entry{Kind: place.Street, Source: place.Way, At: at(x, y), Line: []geo.Fixed{at(x, y), at(x+0.002, y)}, Class: "residential"}, "High Street")
		for n := range 10 {
			add(build.Entry{
				Kind: place.Address, At: at(x+float64(n)*2e-4, y+1e-4), House: fmt.Sprint(n + 1), Street: "High Street",
				City: []string{"Newport", "Caerleon"}[i], Postcode: []string{"NP20 1AA", "NP18 3BB"}[i],
			})
		}
	}
	x, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return find.New(x)
}

// Bounds are those of the places of Index.
var Bounds = geo.Bounds{Min: geo.Point{Lon: -180, Lat: -20}, Max: geo.Point{Lon: 180, Lat: 60}}
