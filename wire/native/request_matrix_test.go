package native_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/native"
)

// refused checks that a request is refused for what a member says.
func refused(t *testing.T, body string, err error, location, says string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Slug != fault.BadRequest {
		t.Errorf("%s: %v", body, err)
		return
	}
	v, ok := f.Fields["errors"].([]fault.Violation)
	if !ok || !slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Location == location && strings.Contains(v.Message, says) }) {
		t.Errorf("%s: %+v, want %s to be refused with %q", body, v, location, says)
	}
}

// matrix reads the body of POST /matrix for an engine.
func matrix(can engine.Can, body string, cells int) (*engine.MatrixRequest, []engine.Warning, error) {
	in, warnings, err := read[native.MatrixRequest](body)
	if err != nil {
		return nil, nil, err
	}
	q, more, err := in.Matrix(can, cells)
	return q, append(warnings, more...), err
}

func TestMatrixRefusals(t *testing.T) {
	const one, two = `[{"lat":47.1,"lon":9.5}]`, `[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]`
	with := func(rest string) string { return `{"costing":"auto",` + rest + `}` }
	for _, c := range []struct{ body, location, says string }{
		{`{"costing":"spaceship","sources":` + one + `,"targets":` + one + `}`, "costing", "pedestrian"},
		{with(`"id":"x"`), "sources", "is missing"},
		{with(`"sources":` + one), "targets", "is missing"},
		{with(`"targets":` + one), "sources", "is missing"},
		{with(`"sources":[],"targets":` + one), "sources", "is empty"},
		{with(`"locations":[]`), "locations", "is empty"},
		{with(`"sources":{},"targets":` + one), "sources", "must be a list"},
		{with(`"sources":"x","targets":` + one), "sources", "must be a list"},
		{with(`"sources":[1],"targets":` + one), "sources[0]", "must be an object"},
		{with(`"sources":[[9,47]],"targets":` + one), "sources[0]", "must be an object"},
		{with(`"sources":` + one + `,"targets":[{"lat":47}]`), "targets[0].lon", "is missing"},
		{with(`"sources":` + one + `,"targets":[{"lat":147,"lon":9}]`), "targets[0].lat", "is 147 and must be between -90 and 90"},
		{with(`"sources":` + one + `,"targets":[{"lat":47,"lon":9,"heading":400}]`), "targets[0].heading", "between 0 and 360"},
		{with(`"sources":` + one + `,"targets":[{"lat":47,"lon":9,"search_filter":{"max_road_class":1}}]`), "targets[0].search_filter.max_road_class", "motorway"},
		{with(`"locations":` + two + `,"sources":` + one), "sources", "beside locations"},
		{with(`"locations":[{"lat":47,"lon":9},{"lat":47,"lon":9},{"lat":47,"lon":9}]`), "locations", "3 x 3 = 9 cells, and one request may have 5"},
		{with(`"sources":` + two + `,"targets":[{"lat":1,"lon":1},{"lat":1,"lon":1},{"lat":1,"lon":1}]`), "targets", "2 x 3 = 6 cells, and one request may have 5"},
		{with(`"sources":` + one + `,"targets":` + one + `,"costing_options":{"auto":{"height":40}}`), "costing_options.auto.height", "between 0 and 10"},
		{with(`"sources":` + one + `,"targets":` + one + `,"costing_options":{"auto":{"hazmat":true}}`), "costing_options.auto.hazmat", "truck"},
		{with(`"sources":` + one + `,"targets":` + one + `,"costing_options":[]`), "costing_options", "must be an object"},
		{with(`"sources":` + one + `,"targets":` + one + `,"costing_options":{"auto":{"use_tolls":"much"}}`), "costing_options.auto.use_tolls", "must be a number"},
		{with(`"sources":` + one + `,"targets":` + one + `,"date_time":{"type":1,"value":"soon"}`), "date_time.value", "YYYY-MM-DDTHH:MM"},
		{with(`"sources":` + one + `,"targets":` + one + `,"date_time":{"type":1,"value":"1960-01-01T08:00"}`), "date_time.value", "before the year 1970"},
		{with(`"sources":` + one + `,"targets":` + one + `,"exclude_polygons":[[[9,47],[9.01,47.01],[9.01,47],[9,47.01]]]`), "exclude_polygons[0]", "crosses itself"},
		{with(`"sources":` + one + `,"targets":` + one + `,"exclude_polygons":[[[9,47],[9.01,47],[9,47]]]`), "exclude_polygons[0]", "2 different corners"},
		{with(`"sources":` + one + `,"targets":` + one + `,"exclude_polygons":[[[9,47],[10,47],[10,47.5]]]`), "exclude_polygons", "may have 10000 m"},
		{with(`"sources":` + one + `,"targets":` + one + `,"exclude_locations":[{"lat":47}]`), "exclude_locations[0].lon", "is missing"},
		{with(`"sources":` + one + `,"targets":` + one + `,"speed_types":["fast"]`), "speed_types[0]", "one of freeflow"},
	} {
		_, _, err := matrix(embedded, c.body, 5)
		refused(t, c.body, err, c.location, c.says)
	}
	_, _, err := matrix(embedded, with(`"sources":`+one+`,"targets":`+one+`,"matrix_locations":1`), 5)
	if !fault.IsNotEnabled(err) {
		t.Errorf("a member that cannot be honoured: %v", err)
	}
	// A remote engine gets the rest as it came.
	q, _, err := matrix(remote, with(`"sources":`+one+`,"targets":`+one+`,"date_time":{"type":0},"matrix_locations":1,"units":"miles","zzz":1`), 5)
	if err != nil || len(q.Extra) != 2 || string(q.Extra["matrix_locations"]) != `1` || q.When == nil {
		t.Errorf("%v %+v", err, q)
	}
}

func TestMatrixReads(t *testing.T) {
	q, warnings, err := matrix(embedded, `{"costing":"truck","locations":[{"lat":47,"lon":9.1},{"lat":47,"lon":9.2}],"id":"x","units":"miles","adr":{"hazmat":true}}`, 4)
	if err != nil || len(q.Sources) != 2 || len(q.Targets) != 2 || q.Costing != costing.Truck {
		t.Errorf("%+v %v", q, err)
	}
	if len(warnings) != 2 || !strings.Contains(warnings[0].Text, "adr counts on POST /route and POST /optimise only") || warnings[1].Text != "units has no effect on the routing engine here" {
		t.Errorf("%v", warnings)
	}
}

// isochrone reads the body of POST /isochrone for an engine.
func isochrone(can engine.Can, body string) (*engine.IsochroneRequest, []engine.Warning, error) {
	in, warnings, err := read[native.IsochroneRequest](body)
	if err != nil {
		return nil, nil, err
	}
	q, more, err := in.Isochrone(can)
	return q, append(warnings, more...), err
}

const here = `"locations":[{"lat":47.1,"lon":9.5}]`

func TestIsochroneReads(t *testing.T) {
	q, warnings, err := isochrone(embedded, `{"costing":"bicycle",`+here+`,"contours":[{"time":10,"color":"ff0000"},{"distance":2.5,"color":"#00FF00"},{"time":5,"distance":1}],`+
		`"polygons":true,"denoise":0.5,"generalize":20,"reverse":true,"show_locations":true,"format":"geojson","id":"x","costing_options":{"bicycle":{"cycling_speed":20}}}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []engine.Contour{{Minutes: 10, Colour: "ff0000"}, {Kilometres: 2.5, Colour: "00FF00"}, {Minutes: 5}, {Kilometres: 1}}
	if !slices.Equal(q.Contours, want) || !q.Polygons || !q.Reverse || !q.ShowLocations || *q.Denoise != 0.5 || *q.Generalize != 20 || q.ID != "x" ||
		q.Costing != costing.Bicycle || q.Options.Of(q.Costing).CyclingSpeed != 20 || q.Location.Point.Lat != 47.1 || len(warnings) > 0 {
		t.Errorf("%+v", q)
	}
	if q, _, err = isochrone(embedded, `{"costing":"truck",`+here+`,"contours":[{"time":10}]}`); err != nil || q.Denoise != nil || q.Polygons {
		t.Errorf("%v %+v", err, q)
	}
}

func TestIsochroneRefusals(t *testing.T) {
	with := func(contours string) string { return `{"costing":"auto",` + here + `,"contours":` + contours + `}` }
	also := func(rest string) string {
		return `{"costing":"auto",` + here + `,"contours":[{"time":1}],` + rest + `}`
	}
	for _, c := range []struct{ body, location, says string }{
		{`{"costing":"auto","contours":[{"time":1}]}`, "locations", "is missing"},
		{`{"costing":"auto","locations":{},"contours":[{"time":1}]}`, "locations", "must be a list"},
		{`{"costing":"auto","locations":[],"contours":[{"time":1}]}`, "locations", "is empty: at least one is needed"},
		{`{"costing":"auto","locations":[{},{}],"contours":[{"time":1}]}`, "locations", "has 2 locations and may have 1"},
		{`{"costing":"auto","locations":[{"lat":1}],"contours":[{"time":1}]}`, "locations[0].lon", "is missing"},
		{`{"costing":"auto","locations":[{"lat":1,"lon":200}],"contours":[{"time":1}]}`, "locations[0].lon", "between -180 and 180"},
		{`{"costing":"auto",` + here + `}`, "contours", "is missing"},
		{with(`{}`), "contours", "must be a list"},
		{with(`[]`), "contours", "is empty: at least one is needed"},
		{with(`[` + strings.Repeat(`{"time":1},`, 9) + `{"time":1}]`), "contours", "has 10 contours and may have 4"},
		{with(`[{}]`), "contours[0]", "needs time in minutes or distance in kilometres"},
		{with(`[7]`), "contours[0]", "must be an object"},
		{with(`[{"time":0}]`), "contours[0].time", "is 0 and must be above 0 and at most 120 minutes"},
		{with(`[{"time":600}]`), "contours[0].time", "is 600 and must be above 0 and at most 120 minutes"},
		{with(`[{"time":-5}]`), "contours[0].time", "is -5"},
		{with(`[{"time":"ten"}]`), "contours[0].time", "must be a number"},
		{with(`[{"time":1e999}]`), "contours[0].time", "is 1e999 and must be above 0"},
		{with(`[{"distance":0}]`), "contours[0].distance", "above 0 and at most 200 kilometres"},
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
		{also(`"date_time":{"type":1,"value":"soon"}`), "date_time.value", "YYYY-MM-DDTHH:MM"},
		{also(`"date_time":{"type":1,"value":"1960-01-01T08:00"}`), "date_time.value", "before the year 1970"},
		{also(`"exclude_polygons":[[[9,47],[9.01,47.01],[9.01,47],[9,47.01]]]`), "exclude_polygons[0]", "crosses itself"},
		{also(`"exclude_polygons":[[[9,47],[9.01,47],[9,47]]]`), "exclude_polygons[0]", "2 different corners"},
		{also(`"exclude_polygons":[[[9,47],[10,47],[10,47.5]]]`), "exclude_polygons", "may have 10000 m"},
		{also(`"exclude_locations":[{"lat":47}]`), "exclude_locations[0].lon", "is missing"},
		{also(`"speed_types":["fast"]`), "speed_types[0]", "one of freeflow"},
		{also(`"date_time":{"type":2,"value":"2026-09-01T08:00"}`), "date_time.type", "needs reverse"},
		{also(`"date_time":{"type":1,"value":"2026-09-01T08:00"},"reverse":true`), "date_time.type", "cannot stand beside reverse"},
	} {
		_, _, err := isochrone(embedded, c.body)
		refused(t, c.body, err, c.location, c.says)
	}
	for _, whole := range []string{
		`"date_time":{"type":1,"value":"2026-09-01T08:00"}`, `"date_time":{"type":2,"value":"2026-09-01T08:00"},"reverse":true`,
		`"date_time":{"type":0},"reverse":true`, `"date_time":{"type":3,"value":"2026-09-01T08:00"},"reverse":true`,
	} {
		if q, _, err := isochrone(embedded, also(whole+`,"exclude_polygons":[[[9,47],[9,47.01],[9.01,47]]]`)); err != nil || q.When == nil || len(q.ExcludePolygons) != 1 {
			t.Errorf("%s: %v", whole, err)
		}
	}
}
