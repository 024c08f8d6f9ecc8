package embedded

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/contour"
)

// writeIsochrone writes outlines as a FeatureCollection with Valhalla's
// properties, in the order of the contours.
func writeIsochrone(r *engine.IsochroneRequest, contours []engine.Contour, shapes [][]contour.Polygon, place *snapped) []byte {
	dst := []byte(`{"features":[`)
	feature := func(properties string, geometry func([]byte) []byte) {
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"properties":`+properties+`,"geometry":`...)
		dst = append(geometry(dst), `,"type":"Feature"}`...)
	}
	for i, polygons := range shapes {
		properties := style(contours[i], i, len(contours))
		if r.Polygons {
			feature(properties, func(dst []byte) []byte { return appendPolygons(dst, polygons) })
			continue
		}
		for _, p := range polygons {
			for _, ring := range append([]contour.Ring{p.Outer}, p.Holes...) {
				feature(properties, func(dst []byte) []byte {
					return append(appendLine(append(dst, `{"coordinates":`...), ring), `,"type":"LineString"}`...)
				})
			}
		}
	}
	if r.ShowLocations {
		feature(`{"location_index":0,"type":"snapped"}`, func(dst []byte) []byte {
			return append(appendLine(append(dst, `{"coordinates":`...), []geo.Point{place.waypoint.snapped}), `,"type":"MultiPoint"}`...)
		})
		feature(`{"location_index":0,"type":"input"}`, func(dst []byte) []byte {
			return append(appendPoint(append(dst, `{"coordinates":`...), r.Location.Point), `,"type":"Point"}`...)
		})
	}
	dst = append(dst, `],"type":"FeatureCollection"`...)
	if r.ID != "" {
		// A string always marshals.
		id, _ := json.Marshal(r.ID)
		dst = append(append(dst, `,"id":`...), id...)
	}
	return append(dst, '}')
}

// style is what the several libraries that draw GeoJSON read, as Valhalla
// writes it.
func style(c engine.Contour, i, of int) string {
	colour := "#" + c.Colour
	if c.Colour == "" {
		colour = hue(float64(i) * 150 / float64(of))
	}
	metric, value := "time", c.Minutes
	if c.Kilometres > 0 {
		metric, value = "distance", c.Kilometres
	}
	number := strconv.FormatFloat(value, 'f', -1, 64)
	if value == math.Trunc(value) {
		number += ".0"
	}
	return fmt.Sprintf(`{"fill-opacity":0.33,"fillColor":%[1]q,"opacity":0.33,"fill":%[1]q,"fillOpacity":0.33,"color":%[1]q,"contour":%[2]s,"metric":%[3]q}`, colour, number, metric)
}

// hue is a colour of the wheel, in degrees below 180, half as saturated and
// light as can be.
func hue(degrees float64) string {
	part := func(x float64) int { return int(math.Round(255 * (0.25 + 0.5*math.Max(0, math.Min(1, x))))) }
	return fmt.Sprintf("#%02x%02x%02x", part((120-degrees)/60), part(degrees/60), part((degrees-120)/60))
}

// appendPolygons writes one polygon as such, several as one geometry.
func appendPolygons(dst []byte, all []contour.Polygon) []byte {
	dst = append(dst, `{"coordinates":`...)
	kind := "Polygon"
	switch len(all) {
	case 0:
		dst = append(dst, "[]"...)
	case 1:
		dst = appendRings(dst, &all[0])
	default:
		kind = "MultiPolygon"
		for i := range all {
			dst = append(dst, "[,"[min(i, 1)])
			dst = appendRings(dst, &all[i])
		}
		dst = append(dst, ']')
	}
	return append(dst, `,"type":"`+kind+`"}`...)
}

func appendRings(dst []byte, p *contour.Polygon) []byte {
	dst = appendLine(append(dst, '['), p.Outer)
	for _, h := range p.Holes {
		dst = appendLine(append(dst, ','), h)
	}
	return append(dst, ']')
}

func appendLine(dst []byte, line []geo.Point) []byte {
	dst = append(dst, '[')
	for i, p := range line {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendPoint(dst, p)
	}
	return append(dst, ']')
}

func appendPoint(dst []byte, p geo.Point) []byte {
	dst = append(appendDegrees(append(dst, '['), p.Lon), ',')
	return append(appendDegrees(dst, p.Lat), ']')
}

// appendDegrees writes an angle in whole millionths of a degree.
func appendDegrees(dst []byte, v float64) []byte {
	return appendDecimal(dst, int64(math.Round(v*1e6)), 6, 1)
}

// tens are the powers of ten.
var tens = [...]float64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000}

// appendDecimal writes a number in units of its last decimal, of which there
// are at most so many as tens has powers, without noughts at its end but for
// the least decimals wanted.
func appendDecimal(dst []byte, n int64, decimals, least int) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	unit := int64(tens[decimals])
	dst = strconv.AppendInt(dst, n/unit, 10)
	rest := uint32(n % unit)
	for decimals > least && rest%10 == 0 {
		rest, decimals = rest/10, decimals-1
	}
	if decimals == 0 {
		return dst
	}
	var digits [len(tens)]byte
	for i := decimals; i > 0; i-- {
		digits[i] = byte('0' + rest%10)
		rest /= 10
	}
	digits[0] = '.'
	return append(dst, digits[:decimals+1]...)
}
