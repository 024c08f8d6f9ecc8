package osrm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// coordinates describes those that a service takes.
func (s Service) coordinates() string {
	switch n := limits[s]; {
	case n.most == 1:
		return "lon,lat"
	case s == MatchService:
		return fmt.Sprintf("lon,lat;lon,lat… in order, or polyline(…) or polyline6(…) (%d to %d)", n.least, n.most)
	default:
		return fmt.Sprintf("lon,lat;lon,lat… or polyline(…) or polyline6(…) (%d to %d)", n.least, n.most)
	}
}

// coordinates reads those of a path, already unescaped: lon,lat;lon,lat… or
// polyline(…) or polyline6(…), with or without .json at the end.
func coordinates(path string, s Service, region geo.Bounds) ([]geo.Point, error) {
	path, err := unformatted(path)
	if err != nil {
		return nil, err
	}
	if digits, encoded, ok := encodedPath(path); ok {
		line, err := geo.DecodePolyline(encoded, digits)
		if err != nil {
			return nil, Refuse(InvalidURL, "coordinates: %v", err)
		}
		return line, counted(len(line), s)
	}
	if strings.HasPrefix(path, "polyline") {
		return nil, Refuse(InvalidURL, "coordinates are %q; they must be polyline(…) or polyline6(…), closed", fault.Clip(path))
	}
	if err := counted(strings.Count(path, ";")+1, s); err != nil {
		return nil, err
	}
	var line []geo.Point
	for pair := range strings.SplitSeq(path, ";") {
		lon, lat, ok := strings.Cut(pair, ",")
		x, errX := decimal(lon)
		y, errY := decimal(lat)
		if !ok || errX != nil || errY != nil {
			return nil, Refuse(InvalidURL, "coordinate %d is %q; it must be lon,lat in degrees", len(line), fault.Clip(pair))
		}
		p := geo.Point{Lon: x, Lat: y}
		if !p.Valid() {
			return nil, Refuse(InvalidValue, "coordinate %d is %s: %s", len(line), fault.Clip(pair), offGlobe(p, region))
		}
		line = append(line, p)
	}
	return line, nil
}

// unformatted takes the name of a format off the end of a path; json is the only
// one there is.
func unformatted(path string) (string, error) {
	at := strings.LastIndexByte(path, '.')
	if at < 0 || at == len(path)-1 || strings.ContainsFunc(path[at+1:], func(c rune) bool { return c < 'A' || c > 'z' || c > 'Z' && c < 'a' }) {
		return path, nil
	}
	if path[at+1:] != "json" {
		return "", Refuse(InvalidURL, "the coordinates end in the format %q and answers are JSON: it must be .json or left out", fault.Clip(path[at:]))
	}
	return path[:at], nil
}

func offGlobe(p geo.Point, region geo.Bounds) string {
	text := fmt.Sprintf("lon is %g and must be between -180 and 180 degrees", p.Lon)
	if p.Lon >= -180 && p.Lon <= 180 {
		text = fmt.Sprintf("lat is %g and must be between -90 and 90 degrees", p.Lat)
	}
	if hint := engine.SwappedHint(p, region); hint != "" {
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

func counted(n int, s Service) error {
	switch limit := limits[s]; {
	case n < limit.least && limit.least == 2:
		return Refuse(InvalidOptions, "the path has %d of at least two coordinates", n)
	case n < limit.least:
		return Refuse(InvalidOptions, "the path has %d of at least %d coordinates", n, limit.least)
	case n > limit.most:
		return Refuse(TooBig, "there are %d coordinates and may be %d", n, limit.most)
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
