package directions

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Codes of the compatible endpoint's envelope.
const (
	invalidURL     = "InvalidUrl"
	invalidQuery   = "InvalidQuery"
	invalidValue   = "InvalidValue"
	invalidOptions = "InvalidOptions"
	tooBig         = "TooBig"
)

// refusal is a failure of a compatible request with its code.
func refusal(code, format string, args ...any) *fault.Error {
	return fault.New(fault.BadRequest, format, args...).With("code", code)
}

// Coordinates reads the coordinates of a compatible request's path, already
// unescaped: lon,lat;lon,lat… or polyline(…) or polyline6(…), with or without
// .json at the end. It takes 2 to MaxLocations of them.
func Coordinates(path string, region geo.Bounds) ([]geo.Point, error) {
	path = strings.TrimSuffix(path, ".json")
	if digits, encoded, ok := encodedPath(path); ok {
		line, err := geo.DecodePolyline(encoded, digits)
		if err != nil {
			return nil, refusal(invalidURL, "coordinates: %v", err)
		}
		return line, counted(len(line))
	}
	if err := counted(strings.Count(path, ";") + 1); err != nil {
		return nil, err
	}
	var line []geo.Point
	for pair := range strings.SplitSeq(path, ";") {
		lon, lat, ok := strings.Cut(pair, ",")
		x, errX := decimal(lon)
		y, errY := decimal(lat)
		if !ok || errX != nil || errY != nil {
			return nil, refusal(invalidURL, "coordinate %d is %q; it must be lon,lat in degrees", len(line), fault.Clip(pair))
		}
		p := geo.Point{Lon: x, Lat: y}
		if !p.Valid() {
			return nil, refusal(invalidValue, "coordinate %d is %s: %s", len(line), fault.Clip(pair), offGlobe(p, region))
		}
		line = append(line, p)
	}
	return line, nil
}

func offGlobe(p geo.Point, region geo.Bounds) string {
	text := fmt.Sprintf("lon is %g and must be between -180 and 180 degrees", p.Lon)
	if p.Lon >= -180 && p.Lon <= 180 {
		text = fmt.Sprintf("lat is %g and must be between -90 and 90 degrees", p.Lat)
	}
	if hint := body.Swapped(p, region); hint != "" {
		text += "; " + hint
	}
	return text
}

func encodedPath(path string) (digits int, encoded string, ok bool) {
	inner, closed := strings.CutSuffix(path, ")")
	if !closed {
		return 0, "", false
	}
	if encoded, ok = strings.CutPrefix(inner, "polyline6("); ok {
		return 6, encoded, true
	}
	encoded, ok = strings.CutPrefix(inner, "polyline(")
	return 5, encoded, ok
}

func counted(n int) error {
	switch {
	case n < 2:
		return refusal(invalidOptions, "the path has %d of at least two coordinates", n)
	case n > MaxLocations:
		return refusal(tooBig, "there are %d coordinates and may be %d", n, MaxLocations)
	}
	return nil
}

// decimal reads a plain decimal number: no NaN, no infinity, no hexadecimal.
func decimal(s string) (float64, error) {
	if s == "" || strings.IndexFunc(s, func(c rune) bool { return (c < '0' || c > '9') && !strings.ContainsRune("+-.eE", c) }) >= 0 {
		return 0, fmt.Errorf("%q is not a decimal number", fault.Clip(s))
	}
	return strconv.ParseFloat(s, 64)
}
