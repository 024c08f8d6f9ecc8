package valhalla

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode"

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
	var edits []wirejson.Edit
	var bad error
	cut := 0 // where the last edit of a geometry ended: a member that stands there twice is left the second time
	wirejson.Each(body, []string{"waypoints.*", "waypoints.*.name", "routes.*", "routes.*.geometry", "routes.*.legs"}, func(at wirejson.Place) {
		text := body[at.Begin:at.End]
		var err error
		switch at.Path {
		case 0, 2:
			if string(text) == "null" {
				err = errors.New("a route or a waypoint is null")
			}
		case 1:
			edits = append(edits, wirejson.Edit{From: at.Begin, To: at.End, Text: []byte(`""`)})
		case 3:
			var edit *wirejson.Edit
			if edit, err = overviewEdit(body, at, o); edit != nil && edit.From >= cut {
				edits = append(edits, *edit)
				cut = edit.To
			}
		case 4:
			if !bytes.Contains(text, []byte(`"lanes"`)) {
				return
			}
			route := object{"legs": text}
			err = moveLanes(route)
			edits = append(edits, wirejson.Edit{From: at.Begin, To: at.End, Text: route["legs"]})
		}
		bad = cmp.Or(bad, err)
	})
	if bad != nil {
		return nil, bad
	}
	return wirejson.Splice(body, edits), nil
}

// overviewEdit returns what becomes of a route's geometry, nil where it stays.
func overviewEdit(body []byte, at wirejson.Place, o *engine.Output) (*wirejson.Edit, error) {
	switch o.Overview {
	case "full":
		return nil, nil //nolint:nilnil // staying is no failure
	case "false":
		from, to := at.Name, at.End
		for to < len(body) && unicode.IsSpace(rune(body[to])) {
			to++
		}
		if to < len(body) && body[to] == ',' {
			to++
		} else if before := bytes.TrimRightFunc(body[:from], unicode.IsSpace); len(before) > 0 && before[len(before)-1] == ',' {
			from = len(before) - 1
		}
		return &wirejson.Edit{From: from, To: to}, nil
	}
	route := object{"geometry": body[at.Begin:at.End]}
	if err := overview(route, o); err != nil {
		return nil, err
	}
	return &wirejson.Edit{From: at.Begin, To: at.End, Text: route["geometry"]}, nil
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
