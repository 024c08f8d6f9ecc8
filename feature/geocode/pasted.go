package geocode

import (
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/proj"
)

const decimal = `(-?\d{1,3}(?:\.\d+)?)`

// linkForms are where links of map sites have a place, the most exact first: the pin of a
// place comes before the middle of the map.
var linkForms = []struct {
	pattern *regexp.Regexp
	lonLat  bool // the longitude comes first
}{
	{regexp.MustCompile(`!3d` + decimal + `!4d` + decimal), false},                                                                                       // Google's places
	{regexp.MustCompile(`[?&#;]mlat=` + decimal + `&mlon=` + decimal), false},                                                                            // OpenStreetMap's markers
	{regexp.MustCompile(`[?&#](?:whatshere\[point\]|poi\[point\])=` + decimal + `,` + decimal), true},                                                    // Yandex
	{regexp.MustCompile(`[?&#](?:q|query|daddr|destination|loc|pin|coordinate|to|sp|where1)=(?:loc:|point\.)?` + decimal + `[,~_ ] ?` + decimal), false}, // most sites
	{regexp.MustCompile(`[?&#]here=` + decimal + `,` + decimal), true},                                                                                   // the place that the explorer shows
	{regexp.MustCompile(`[?&#]p=(?:[^&]*;)?` + decimal + `,` + decimal + `(?:&|$)`), true},                                                               // the explorer's destination
	{regexp.MustCompile(`[?&]route=(?:[^&#]*;)?` + decimal + `,` + decimal + `(?:[&#]|$)`), false},                                                       // OpenStreetMap's destination
	{regexp.MustCompile(`^.*[?&]point=` + decimal + `,` + decimal), false},                                                                               // GraphHopper's destination
	{regexp.MustCompile(`[?&#](?:lat|latitude)=` + decimal + `&(?:zoom=\d+&)?(?:lon|lng|long|longitude)=` + decimal), false},                             // OsmAnd and others
	{regexp.MustCompile(`[?&#]x=` + decimal + `&y=` + decimal), true},                                                                                    // Mapy.com
	{regexp.MustCompile(`/(?:place|search|dir)/(?:[^@]*/)?` + decimal + `, ?` + decimal + `(?:[/?&]|$)`), false},                                         // Google's searches
	{regexp.MustCompile(`[?&#](?:ll|sll|cp|center|cbll|viewpoint|c)=` + decimal + `[,~] ?` + decimal), false},                                            // Apple, Bing, Waze
	{regexp.MustCompile(`[?&#/]map=\d+(?:\.\d+)?/` + decimal + `/` + decimal), false},                                                                    // OpenStreetMap
	{regexp.MustCompile(`[?&#]map=` + decimal + `,` + decimal), false},                                                                                   // HERE
	{regexp.MustCompile(`/@` + decimal + `,` + decimal), false},                                                                                          // Google's maps
	{regexp.MustCompile(`[?&#]m=` + decimal + `,` + decimal), true},                                                                                      // 2GIS
	{regexp.MustCompile(`#\d+(?:\.\d+)?/` + decimal + `/` + decimal), false},                                                                             // maps drawn by Leaflet or MapLibre
}

// lonLatHosts are sites whose every pair begins with the longitude.
var lonLatHosts = []string{"yandex.", "ya.ru", "2gis."}

// link reads the place of a link of a map site; ok is false where none is in it.
func link(text string) (p geo.Point, ok bool) {
	if plain, err := url.QueryUnescape(text); err == nil {
		text = plain
	}
	_, rest, _ := strings.Cut(text, "://")
	host, _, _ := strings.Cut(rest, "/")
	for _, form := range linkForms {
		m := form.pattern.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		a, _ := strconv.ParseFloat(m[1], 64)
		b, _ := strconv.ParseFloat(m[2], 64)
		lonLat := form.lonLat
		for _, site := range lonLatHosts {
			lonLat = lonLat || strings.Contains(host, site)
		}
		if lonLat {
			a, b = b, a
		}
		if p = (geo.Point{Lon: b, Lat: a}); p.Valid() {
			return p, true
		}
	}
	return geo.Point{}, false
}

var gridPattern = regexp.MustCompile(`^([HNOSTJ])([A-HJ-Z])(?: ?(\d{2,5}) (\d{2,5})| ?(\d{4,10}))$`)

// gridReference reads a reference to the National Grid of Great Britain: two letters for a
// square of 100 km and two to five digits for each axis. The place is the middle of the
// square that is named. See Ordnance Survey, A guide to coordinate systems in Great Britain.
func gridReference(text string) (p geo.Point, ok bool) {
	m := gridPattern.FindStringSubmatch(strings.ToUpper(text))
	if m == nil {
		return p, false
	}
	east, north := m[3], m[4]
	if m[5] != "" {
		east, north = m[5][:len(m[5])/2], m[5][len(m[5])/2:]
	}
	if len(east) != len(north) || len(m[5])%2 == 1 {
		return p, false
	}
	// The letters count squares of 500 and 100 km from the south-west of VV, leaving out I.
	index := func(s string) int {
		n := int(s[0] - 'A')
		if n > 'I'-'A' {
			n--
		}
		return n
	}
	big, small := index(m[1]), index(m[2])
	square := math.Pow10(5 - len(east)) // metres
	axis := func(hundreds int, digits string) float64 {
		n, _ := strconv.Atoi(digits)
		return float64(hundreds)*100_000 + (float64(n)+0.5)*square
	}
	lon, lat, ok := proj.NewBritish().WGS84(axis((big%5-2)*5+small%5, east), axis((3-big/5)*5+4-small/5, north))
	return geo.Point{Lon: lon, Lat: lat}, ok
}
