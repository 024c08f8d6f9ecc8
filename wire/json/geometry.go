package json

import (
	"encoding/json"

	"github.com/waygate/waygate/geo"
)

// Position writes [lon, lat] with six decimals at the most; as an element, or
// after a Key.
func (w *Writer) Position(p geo.Point) { w.Degrees(p, 0) }

// Degrees is Position with at least so many decimals, noughts or not.
func (w *Writer) Degrees(p geo.Point, least int) {
	w.comma()
	w.b = append(w.b, '[')
	w.b = append(AppendDecimal(w.b, p.Lon, 6, least), ',')
	w.b = append(AppendDecimal(w.b, p.Lat, 6, least), ']')
}

// LineString writes a line as GeoJSON.
func (w *Writer) LineString(line []geo.Point) {
	w.Open('{')
	w.String("type", "LineString")
	w.Open('[', "coordinates")
	for _, p := range line {
		w.Position(p)
	}
	w.Close(']')
	w.Close('}')
}

// Polyline writes a line as an encoded polyline of so many digits, 5 or 6.
func (w *Writer) Polyline(line []geo.Point, digits int) {
	w.comma()
	w.b = append(w.b, '"')
	w.b = geo.AppendQuotedPolyline(w.b, line, digits)
	w.b = append(w.b, '"')
}

// ReadLine reads a line: a GeoJSON LineString, or a polyline of so many digits.
// Nothing is no line.
func ReadLine(raw []byte, digits int) ([]geo.Point, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if raw[0] != '{' {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
		return geo.DecodePolyline(text, digits)
	}
	var line struct{ Coordinates [][2]float64 }
	if err := json.Unmarshal(raw, &line); err != nil {
		return nil, err
	}
	points := make([]geo.Point, len(line.Coordinates))
	for i, c := range line.Coordinates {
		points[i] = geo.Point{Lon: c[0], Lat: c[1]}
	}
	return points, nil
}
