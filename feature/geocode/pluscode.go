package geocode

import (
	"math"
	"regexp"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Plus codes, as in the specification of Open Location Code: pairs of digits to base 20 for
// latitude and longitude, after ten digits one each for a cell of 4 by 5.
const (
	plusDigits  = "23456789CFGHJMPQRVWX"
	plusPairs   = 10
	plusRows    = 5
	plusColumns = 4
	plusStands  = 8 // digits before the plus sign of a whole code
)

var (
	wholePlus = regexp.MustCompile(`^([23456789CFGHJMPQRVWX]{8})\+([23456789CFGHJMPQRVWX]{2,7})?$`)
	shortPlus = regexp.MustCompile(`(?i)^([23456789CFGHJMPQRVWX]{4,6})\+([23456789CFGHJMPQRVWX]{2,7})(?:[ ,]+(.+))?$`)
)

// plusCode reads a whole plus code: the middle of its cell.
func plusCode(text string) (p geo.Point, ok bool) {
	m := wholePlus.FindStringSubmatch(strings.ToUpper(text))
	if m == nil {
		return p, false
	}
	p = plusCell(m[1] + m[2])
	return p, p.Valid()
}

// plusCell returns the middle of the cell of some digits.
func plusCell(digits string) geo.Point {
	lat, lon, height, width := -90.0, -180.0, 400.0, 400.0
	for i := 0; i < len(digits); i++ {
		d := strings.IndexByte(plusDigits, digits[i])
		switch {
		case i >= plusPairs:
			height, width = height/plusRows, width/plusColumns
			lat += float64(d/plusColumns) * height
			lon += float64(d%plusColumns) * width
		case i%2 == 0:
			height /= float64(len(plusDigits))
			lat += float64(d) * height
		default:
			width /= float64(len(plusDigits))
			lon += float64(d) * width
		}
	}
	return geo.Point{Lon: lon + width/2, Lat: lat + height/2}
}

// shortCode is a plus code without its first digits, which a place near by gives.
type shortCode struct {
	digits  string
	missing int    // digits, 2 or 4
	near    string // what was typed behind it, such as a town; "" for nothing
}

// readShort reads a short plus code: "J27H+2V Newport".
func readShort(text string) (c shortCode, ok bool) {
	m := shortPlus.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
	if m == nil || len(m[1])%2 == 1 {
		return c, false
	}
	return shortCode{strings.ToUpper(m[1] + m[2]), plusStands - len(m[1]), strings.TrimSpace(m[3])}, true
}

// by returns the place that the code means near a point: of all with these digits the nearest.
func (c shortCode) by(near geo.Point) (geo.Point, bool) {
	step := 20.0 // degrees between places with the same digits
	if c.missing == 4 {
		step = 1
	}
	first := make([]byte, 0, 4)
	lat, lon := near.Lat+90, near.Lon+180
	for size := 20.0; len(first) < c.missing; size /= float64(len(plusDigits)) {
		row, column := min(math.Floor(lat/size), 19), min(math.Floor(lon/size), 19)
		first = append(first, plusDigits[int(row)], plusDigits[int(column)])
		lat, lon = lat-row*size, lon-column*size
	}
	p := plusCell(string(first) + c.digits)
	nearer := func(value, to float64) float64 {
		switch {
		case value-to > step/2:
			return value - step
		case to-value > step/2:
			return value + step
		}
		return value
	}
	p.Lon = math.Remainder(nearer(p.Lon, near.Lon), 360)
	if lat := nearer(p.Lat, near.Lat); lat > -90 && lat < 90 {
		p.Lat = lat
	}
	return p, p.Valid()
}
