package embedded

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// lineString is a GeoJSON line.
type lineString struct {
	Type        string       `json:"type"`
	Coordinates [][2]float64 `json:"coordinates"`
}

// encode writes JSON without the escapes that only HTML needs.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// nativeLength is a length in the request's unit.
func nativeLength(r *engine.MatchRequest, metres float64) float64 {
	const mile = 1609.344
	if r.Miles {
		return round(metres/mile, 4)
	}
	return round(metres/1000, 3)
}

func nativeShape(r *engine.MatchRequest, line []geo.Point) any {
	switch r.ShapeFormat {
	case "no_shape":
		return nil
	case "geojson":
		return lineStringOf(line)
	case "polyline5":
		return geo.EncodePolyline(line, 5)
	}
	return geo.EncodePolyline(line, 6)
}

// lineStringOf writes a line with the two positions GeoJSON asks for at the
// least.
func lineStringOf(line []geo.Point) lineString {
	l := lineString{Type: "LineString", Coordinates: make([][2]float64, 0, max(2, len(line)))}
	for _, p := range line {
		l.Coordinates = append(l.Coordinates, position(p))
	}
	if len(line) == 1 {
		l.Coordinates = append(l.Coordinates, l.Coordinates[0])
	}
	return l
}

func position(p geo.Point) [2]float64 { return [2]float64{round(p.Lon, 6), round(p.Lat, 6)} }

// nativeTravel gives Valhalla's words for a costing.
func nativeTravel(r *engine.MatchRequest) (mode, kind string) {
	switch r.Costing {
	case costing.Truck, costing.Bus, costing.Motorcycle, costing.MotorScooter:
		return "drive", r.Costing.String()
	case costing.Bicycle:
		return "bicycle", bicycleTypes[r.Options.Of(r.Costing).Bicycle]
	case costing.Pedestrian:
		return "pedestrian", r.Options.Text(costing.WalkerKind)
	}
	return "drive", "car"
}

var bicycleTypes = [...]string{costing.RoadBicycle: "road", costing.HybridBicycle: "hybrid", costing.CrossBicycle: "cross", costing.MountainBicycle: "mountain"}

// round keeps so many decimals, at most 6.
func round(v float64, digits int) float64 {
	scale := [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}[digits]
	return math.Round(v*scale) / scale
}
