package geocode

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
)

// angle matches one angle: degrees, perhaps with minutes and seconds, and perhaps
// a letter of the compass before or after.
const angle = `([NSEW])?\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′]\s*)?(?:(\d{1,2}(?:\.\d+)?)\s*(?:"|″|'')\s*)?([NSEW])?`

var (
	pair = regexp.MustCompile(`^` + angle + `\s*[,;/ ]\s*` + angle + `$`)
	// tight is two angles with nothing between them but a letter: 51°34'N2°59'W.
	tight = regexp.MustCompile(`^([NS])?\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′]\s*)?(?:(\d{1,2}(?:\.\d+)?)\s*(?:"|″|'')\s*)?([NS])` + angle + `$`)
)

// Coordinates reads latitude and longitude as people type them: 51.58, -2.99;
// 51.58N 2.99W; 51°34'48"N 2°59'24"W; geo:51.58,-2.99. Without letters the
// latitude comes first, unless it cannot be one; and two whole numbers without
// degree signs are none, for they may be anything else.
func Coordinates(text string) (geo.Point, bool) {
	text, labelled := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(text)), "GEO:")
	text = strings.NewReplacer("’", "'", "”", `"`, "−", "-", "º", "°").Replace(text)
	m := pair.FindStringSubmatch(text)
	if m == nil {
		m = tight.FindStringSubmatch(text)
	}
	if m == nil || !labelled && !strings.ContainsAny(text, ".°NSEW'") {
		return geo.Point{}, false
	}
	a, first, ok1 := degrees(m[1:6])
	b, second, ok2 := degrees(m[6:11])
	swapped := first == 'E' || second == 'N' || first == 0 && second == 0 && (a > 90 || a < -90)
	if !ok1 || !ok2 || first != 0 && first == second || (first == 0) != (second == 0) {
		return geo.Point{}, false
	}
	p := geo.Point{Lon: b, Lat: a}
	if swapped {
		p = geo.Point{Lon: a, Lat: b}
	}
	return p, p.Valid()
}

// degrees reads one angle. axis is N of a latitude, E of a longitude, 0 where
// no letter says.
func degrees(m []string) (value float64, axis byte, ok bool) {
	letter := m[0] + m[4]
	value, _ = strconv.ParseFloat(m[1], 64)
	minutes, _ := strconv.ParseFloat(m[2], 64)
	seconds, _ := strconv.ParseFloat(m[3], 64)
	below := strings.HasPrefix(m[1], "-")
	if len(letter) > 1 || minutes >= 60 || seconds >= 60 || below && letter != "" || m[2] != "" && strings.Contains(m[1], ".") {
		return 0, 0, false
	}
	if below {
		minutes, seconds = -minutes, -seconds
	}
	value += minutes/60 + seconds/3600
	switch letter {
	case "":
		return value, 0, true
	case "N":
		return value, 'N', true
	case "S":
		return -value, 'N', true
	case "E":
		return value, 'E', true
	}
	return -value, 'E', true
}
