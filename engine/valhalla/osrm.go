package valhalla

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	wirejson "github.com/waygate/waygate/wire/json"
)

// osrmAnswer alters what Valhalla wrote in OSRM's format in three respects and
// passes everything else on as it stands:
//
//   - waypoints have an empty name, as the contract promises;
//   - a route's own geometry, which Valhalla always writes in full, is left out
//     for overview "false" and, for "simplified", loses the points that a
//     picture of the whole route a thousand pixels wide would not show.
//     Geometries of steps stay full, as OSRM's do;
//   - lanes stand on the step before their manoeuvre; see moveLanes.
func osrmAnswer(body []byte, o *engine.Output) ([]byte, error) {
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
		return errors.Join(moveLanes(route), overview(route, o))
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

func overview(route object, o *engine.Output) error {
	switch o.Overview {
	case "full":
		return nil
	case "false":
		delete(route, "geometry")
		return nil
	}
	digits := 5
	if o.Geometries == "polyline6" {
		digits = 6
	}
	line, err := wirejson.ReadLine(route["geometry"], digits)
	if err != nil {
		return fmt.Errorf("geometry: %w", err)
	}
	box := geo.NoBounds()
	for _, p := range line {
		box = box.Extend(p)
	}
	if box.Empty() {
		return nil
	}
	short := geo.Simplify(line, geo.Distance(box.Min, box.Max)/1000)
	if o.Geometries == "geojson" {
		object := lineString{Type: "LineString"}
		for _, p := range short {
			object.Coordinates = append(object.Coordinates, [2]float64{p.Lon, p.Lat})
		}
		route["geometry"], err = json.Marshal(object)
		return err
	}
	route["geometry"], err = json.Marshal(geo.EncodePolyline(short, digits))
	return err
}

type lineString struct {
	Coordinates [][2]float64 `json:"coordinates"`
	Type        string       `json:"type"`
}
