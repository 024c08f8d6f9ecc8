package roadside

import (
	"strconv"
	"strings"
)

// winds are the sixteen points of the compass, clockwise from north.
var winds = []string{"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"}

// bearing reads a direction in degrees or as a point of the compass.
func bearing(v string) (degrees int, ok bool) {
	v = strings.ToUpper(strings.TrimSpace(v))
	for i, w := range winds {
		if v == w {
			return i * 360 / len(winds), true
		}
	}
	f, err := strconv.ParseFloat(strings.TrimSuffix(v, "°"), 64)
	if err != nil || !(f >= 0 && f <= 360) {
		return 0, false
	}
	return int(f+0.5) % 360, true
}
