package valhalla

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

var noBounds = geo.NoBounds()

// compatible alters what Valhalla wrote in OSRM's format in three respects and
// passes everything else on as it stands:
//
//   - waypoints have an empty name, as the contract promises;
//   - a route's own geometry, which Valhalla always writes in full, is left out
//     for overview "false" and, for "simplified", loses the points that a
//     picture of the whole route a thousand pixels wide would not show.
//     Geometries of steps stay full, as OSRM's do;
//   - lanes stand on the step before their manoeuvre; see moveLanes.
func compatible(body []byte, r *engine.RouteRequest) ([]byte, error) {
	var answer object
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if err := each(answer, "waypoints", func(waypoint object) error {
		waypoint["name"] = json.RawMessage(`""`)
		return nil
	}); err != nil {
		return nil, err
	}
	if err := each(answer, "routes", func(route object) error {
		return errors.Join(moveLanes(route), overview(route, r))
	}); err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// each alters the objects of the list under name.
func each(answer object, name string, alter func(object) error) error {
	var list []object
	if err := json.Unmarshal(answer[name], &list); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i, object := range list {
		if object == nil {
			return fmt.Errorf("%s[%d] is null", name, i)
		}
		if err := alter(object); err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, err)
		}
	}
	var err error
	answer[name], err = json.Marshal(list)
	return err
}

func overview(route object, r *engine.RouteRequest) error {
	switch r.Overview {
	case "full":
		return nil
	case "false":
		delete(route, "geometry")
		return nil
	}
	line, err := readGeometry(route["geometry"], r.Geometries)
	if err != nil {
		return err
	}
	box := geo.NoBounds()
	for _, p := range line {
		box = box.Extend(p)
	}
	if box.Empty() {
		return nil
	}
	short := geo.Simplify(line, geo.Distance(box.Min, box.Max)/1000)
	route["geometry"], err = writeGeometry(short, r.Geometries)
	return err
}

func digits(geometries string) int {
	if geometries == "polyline6" {
		return 6
	}
	return 5
}

type lineString struct {
	Coordinates [][2]float64 `json:"coordinates"`
	Type        string       `json:"type"`
}

func readGeometry(raw json.RawMessage, geometries string) ([]geo.Point, error) {
	if geometries != "geojson" {
		var encoded string
		if err := json.Unmarshal(raw, &encoded); err != nil {
			return nil, fmt.Errorf("geometry: %w", err)
		}
		return geo.DecodePolyline(encoded, digits(geometries))
	}
	var object lineString
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("geometry: %w", err)
	}
	line := make([]geo.Point, len(object.Coordinates))
	for i, c := range object.Coordinates {
		line[i] = geo.Point{Lon: c[0], Lat: c[1]}
	}
	return line, nil
}

func writeGeometry(line []geo.Point, geometries string) (json.RawMessage, error) {
	if geometries != "geojson" {
		return json.Marshal(geo.EncodePolyline(line, digits(geometries)))
	}
	object := lineString{Type: "LineString"}
	for _, p := range line {
		object.Coordinates = append(object.Coordinates, [2]float64{p.Lon, p.Lat})
	}
	return json.Marshal(object)
}
