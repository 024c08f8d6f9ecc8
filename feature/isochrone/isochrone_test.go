package isochrone

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// islands is an engine that has roads north of the equator only and always
// tells a warning.
type islands struct {
	engine.Unable
	warns engine.Warning
}

func (e islands) Isochrone(_ context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	if r.Location.Point.Lat < 0 {
		return nil, engine.Refused(engine.CodeNoSegment, "locations[0] has no road")
	}
	return &engine.IsochroneAnswer{Warnings: []engine.Warning{e.warns}}, nil
}

var region = geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}

func read(s *Service, body string) (*Request, error) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &doc); err != nil {
		return nil, err
	}
	return s.Read(doc)
}

const here = `"locations":[{"lat":47.1,"lon":9.5}]`

func TestRead(t *testing.T) {
	s := &Service{Engine: islands{}, Bounds: region}
	req, err := read(s, `{"costing":"bicycle",`+here+`,"contours":[{"time":10,"color":"ff0000"},{"distance":2.5,"color":"#00FF00"},{"time":5,"distance":1}],`+
		`"polygons":true,"denoise":0.5,"generalize":20,"reverse":true,"show_locations":true,"format":"geojson","id":"x","costing_options":{"bicycle":{"cycling_speed":20}}}`)
	if err != nil {
		t.Fatal(err)
	}
	q := req.Isochrone
	want := []engine.Contour{{Minutes: 10, Colour: "ff0000"}, {Kilometres: 2.5, Colour: "00FF00"}, {Minutes: 5}, {Kilometres: 1}}
	if !slices.Equal(q.Contours, want) || !q.Polygons || !q.Reverse || !q.ShowLocations || *q.Denoise != 0.5 || *q.Generalize != 20 || q.ID != "x" ||
		q.Costing != costing.Bicycle || q.Options.Of(q.Costing).CyclingSpeed != 20 || q.Location.Point.Lat != 47.1 || len(req.warnings) > 0 {
		t.Errorf("%+v", q)
	}
	if req, err = read(s, `{"costing":"truck",`+here+`,"contours":[{"time":10}]}`); err != nil || req.Isochrone.Denoise != nil || req.Isochrone.Polygons {
		t.Errorf("%v %+v", err, req)
	}
}

func TestRefusals(t *testing.T) {
	with := func(contours string) string { return `{"costing":"auto",` + here + `,"contours":` + contours + `}` }
	also := func(rest string) string {
		return `{"costing":"auto",` + here + `,"contours":[{"time":1}],` + rest + `}`
	}
	s := &Service{Engine: islands{}, Bounds: region}
	for _, c := range []struct{ body, location, says string }{
		{`{` + here + `,"contours":[{"time":1}]}`, "costing", "is missing"},
		{`{"costing":"auto","contours":[{"time":1}]}`, "locations", "is missing"},
		{`{"costing":"auto","locations":{},"contours":[{"time":1}]}`, "locations", "must be a list"},
		{`{"costing":"auto","locations":[],"contours":[{"time":1}]}`, "locations", "has 0 locations and must have 1"},
		{`{"costing":"auto","locations":[{},{}],"contours":[{"time":1}]}`, "locations", "has 2 locations and must have 1"},
		{`{"costing":"auto","locations":[{"lat":1}],"contours":[{"time":1}]}`, "locations[0].lon", "is missing"},
		{`{"costing":"auto","locations":[{"lat":1,"lon":200}],"contours":[{"time":1}]}`, "locations[0].lon", "between -180 and 180"},
		{`{"costing":"auto",` + here + `}`, "contours", "is missing"},
		{with(`{}`), "contours", "must be a list"},
		{with(`[]`), "contours", "has 0 contours and must have 1 to 4"},
		{with(`[` + strings.Repeat(`{"time":1},`, 9) + `{"time":1}]`), "contours", "has 10 contours and must have 1 to 4"},
		{with(`[{}]`), "contours[0]", "needs time in minutes or distance in kilometres"},
		{with(`[7]`), "contours[0]", "must be an object"},
		{with(`[{"time":0}]`), "contours[0].time", "is 0 and must be above 0 and up to 120 minutes"},
		{with(`[{"time":600}]`), "contours[0].time", "is 600 and must be between 0 and 120 minutes"},
		{with(`[{"time":-5}]`), "contours[0].time", "is -5"},
		{with(`[{"time":"ten"}]`), "contours[0].time", "must be a number"},
		{with(`[{"time":1e999}]`), "contours[0].time", "must be a number"},
		{with(`[{"distance":0}]`), "contours[0].distance", "above 0 and up to 200 kilometres"},
		{with(`[{"distance":201}]`), "contours[0].distance", "is 201"},
		{with(`[{"time":1},{"time":1,"color":"red"}]`), "contours[1].color", "hexadecimal"},
		{also(`"polygons":"yes"`), "polygons", "true or false"},
		{also(`"reverse":1`), "reverse", "true or false"},
		{also(`"show_locations":[]`), "show_locations", "true or false"},
		{also(`"denoise":1.5`), "denoise", "between 0 and 1"},
		{also(`"generalize":-1`), "generalize", "between 0 and 10000 metres"},
		{also(`"format":"gpx"`), "format", "geojson"},
		{also(`"id":7`), "id", "string"},
		{also(`"costing_options":{"auto":{"top_speed":"fast"}}`), "costing_options.auto.top_speed", "must be a number"},
		{also(`"adr":{"hazmat":true}`), "adr", "POST /route only"},
		{also(`"exclude":["tolls"]`), "exclude", "costing_options"},
		{also(`"date_time":{"type":1,"value":"soon"}`), "date_time.value", "YYYY-MM-DDTHH:MM"},
		{also(`"date_time":{"type":1,"value":"1960-01-01T08:00"}`), "date_time.value", "before the year 1970"},
		{also(`"exclude_polygons":[[[9,47],[9.01,47.01],[9.01,47],[9,47.01]]]`), "exclude_polygons[0]", "crosses itself"},
		{also(`"exclude_polygons":[[[9,47],[9.01,47],[9,47]]]`), "exclude_polygons[0]", "2 different corners"},
		{also(`"exclude_polygons":[[[9,47],[10,47],[10,47.5]]]`), "exclude_polygons", "may have 10000 m"},
		{also(`"exclude_locations":[{"lat":47}]`), "exclude_locations[0].lon", "is missing"},
		{also(`"speed_types":["fast"]`), "speed_types", "none of freeflow"},
		{also(`"date_time":{"type":2,"value":"2026-09-01T08:00"}`), "date_time.type", "needs reverse"},
		{also(`"date_time":{"type":1,"value":"2026-09-01T08:00"},"reverse":true`), "date_time.type", "cannot stand beside reverse"},
	} {
		_, err := read(s, c.body)
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		v, ok := f.Fields["errors"].([]fault.Violation)
		if !ok || !slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Location == c.location && strings.Contains(v.Message, c.says) }) {
			t.Errorf("%s: %+v, want %s to be refused with %q", c.body, v, c.location, c.says)
		}
	}
	for _, whole := range []string{
		`"date_time":{"type":1,"value":"2026-09-01T08:00"}`, `"date_time":{"type":2,"value":"2026-09-01T08:00"},"reverse":true`,
		`"date_time":{"type":0},"reverse":true`, `"date_time":{"type":3,"value":"2026-09-01T08:00"},"reverse":true`,
	} {
		if req, err := read(s, also(whole+`,"exclude_polygons":[[[9,47],[9,47.01],[9.01,47]]]`)); err != nil || req.Isochrone.When == nil || len(req.Isochrone.ExcludePolygons) != 1 {
			t.Errorf("%s: %v", whole, err)
		}
	}
}

// The warnings of the request come before those of the engine, and a refusal is
// the engine's.
func TestAnswer(t *testing.T) {
	s := &Service{Engine: islands{warns: engine.Warning{Code: 3, Text: "a"}}, Bounds: region}
	req, err := read(s, `{"costing":"auto",`+here+`,"contours":[{"time":1}],"foo":true}`)
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := s.Answer(t.Context(), req)
	if want := []engine.Warning{{Code: 901, Text: "foo is not known here and had no effect"}, {Code: 3, Text: "a"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	req.Isochrone.Location.Point = geo.Point{Lon: 47.5, Lat: -9}
	if _, _, err := s.Answer(t.Context(), req); engine.Code(err) != engine.CodeNoSegment {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"costing":"auto",` + here + `,"contours":[{"time":10,"color":"ff0000"},{"distance":2}],"polygons":true,"denoise":0.1}`)
	f.Add(`{"costing":"auto",` + here + `,"contours":[{"time":1e-300}],"generalize":0}`)
	f.Add(`{"contours":null,"locations":[null]}`)
	s := &Service{Engine: islands{}, Bounds: region}
	f.Fuzz(func(t *testing.T, body string) {
		req, err := read(s, body)
		if err != nil {
			return
		}
		q := &req.Isochrone
		if !q.Costing.Known() || !q.Location.Point.Valid() || len(q.Contours) == 0 || len(q.Contours) > 2*MaxContours {
			t.Fatalf("%s was taken for %+v", body, q)
		}
		for _, c := range q.Contours {
			if (c.Minutes > 0) == (c.Kilometres > 0) || c.Minutes > MaxMinutes || c.Kilometres > MaxKilometres {
				t.Fatalf("%s was taken for %+v", body, c)
			}
		}
	})
}
