package edge

import (
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
)

// ReadBox reads west,south,east,north in degrees. It is not ok where these are no numbers,
// lie off the globe, or enclose nothing. West is the larger where the box crosses the
// antimeridian.
func ReadBox(text string) (b geo.Bounds, ok bool) {
	parts := strings.Split(text, ",")
	if len(parts) != 4 {
		return b, false
	}
	var v [4]float64
	for i, part := range parts {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil || math.IsNaN(v[i]) {
			return b, false
		}
	}
	b = geo.Bounds{Min: geo.Point{Lon: v[0], Lat: v[1]}, Max: geo.Point{Lon: v[2], Lat: v[3]}}
	return b, b.Min.Valid() && b.Max.Valid() && v[0] != v[2] && v[1] < v[3]
}
