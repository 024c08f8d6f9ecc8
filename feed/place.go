package feed

import "github.com/waygate/waygate/geo"

// countryBoxes are a little wider than the countries, without their overseas parts.
var countryBoxes = map[string]geo.Bounds{
	"AT": box(9.4, 46.3, 17.2, 49.1), "BE": box(2.5, 49.4, 6.5, 51.6), "CH": box(5.9, 45.7, 10.6, 47.9), "CZ": box(12, 48.5, 18.9, 51.1),
	"DE": box(5.8, 47.2, 15.1, 55.1), "DK": box(8, 54.5, 15.3, 57.8), "ES": box(-18.3, 27.5, 4.4, 43.9), "FI": box(19, 59.6, 31.6, 70.2),
	"FR": box(-5.3, 41.2, 9.7, 51.2), "GB": box(-8.8, 49.7, 1.9, 61), "IE": box(-10.8, 51.3, -5.3, 55.5), "IT": box(6.5, 35.3, 18.7, 47.2),
	"LI": box(9.4, 47, 9.7, 47.3), "LU": box(5.7, 49.4, 6.6, 50.2), "NL": box(3.2, 50.7, 7.3, 53.7), "NO": box(4, 57.8, 31.3, 71.3),
	"PL": box(14, 49, 24.2, 54.9), "PT": box(-31.4, 32.3, -6.1, 42.2), "SE": box(10.5, 55.2, 24.3, 69.1),
}

func box(west, south, east, north float64) geo.Bounds {
	return geo.Bounds{Min: geo.Point{Lon: west, Lat: south}, Max: geo.Point{Lon: east, Lat: north}}
}

// Misplaced returns why a record cannot be where it says: "no place", "coordinates
// swapped", "place outside of the country"; "" where it can, and where the country
// (ISO 3166-1 alpha-2) is not one that is known here, or the place counts as of it.
func (in *Input) Misplaced(country string, p geo.Point) string {
	at, known := countryBoxes[country]
	switch {
	case !p.Valid() || p == geo.Point{}:
		return "no place"
	case !known || at.Contains(p) || in.counts != nil && in.counts(country, p):
		return ""
	case at.Contains(geo.Point{Lon: p.Lat, Lat: p.Lon}):
		return "coordinates swapped"
	}
	return "place outside of the country"
}
