package matrix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// grid is an engine on whose streets one goes east only, a second and ten
// metres a thousandth of a degree. South of the equator there are no roads.
type grid struct{ engine.Unable }

func (grid) Matrix(_ context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	a := &engine.MatrixAnswer{Warnings: []engine.Warning{{Code: 1, Text: "this engine goes east"}}}
	snap := func(list []engine.Location) (out []engine.Snapped) {
		for _, l := range list {
			if l.Point.Lat < 0 {
				out = append(out, engine.Snapped{Miss: "no road in the south"})
			} else {
				out = append(out, engine.Snapped{Point: l.Point})
			}
		}
		return out
	}
	a.Sources, a.Targets = snap(r.Sources), snap(r.Targets)
	if !slices.ContainsFunc(a.Sources, func(s engine.Snapped) bool { return s.Miss == "" }) {
		return nil, engine.Refused(engine.CodeNoSegment, "sources[0] has no road")
	}
	for _, s := range a.Sources {
		var row []engine.MatrixCell
		for _, t := range a.Targets {
			c := engine.MatrixCell{}
			if east := t.Point.Lon - s.Point.Lon; s.Miss == "" && t.Miss == "" && east >= 0 {
				c = engine.MatrixCell{Seconds: 1000 * east, Metres: 10_000 * east, Reached: true}
			}
			row = append(row, c)
		}
		a.Cells = append(a.Cells, row)
	}
	return a, nil
}

var region = geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}

func read(s *Service, body string) (*Request, error) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &doc); err != nil {
		return nil, err
	}
	return s.Read(doc)
}

func TestAnswer(t *testing.T) {
	s := &Service{Engine: grid{}, Bounds: region}
	req, err := read(s, `{"costing":"auto","sources":[{"lat":47,"lon":9.1},{"lat":-47,"lon":9.1},{"lat":47,"lon":9.3}],"targets":[{"lat":47,"lon":9.2},{"lat":-1,"lon":9}],"units":"miles","foo":1}`)
	if err != nil {
		t.Fatal(err)
	}
	body, err := s.Answer(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"durations":[[100,null],[null,null],[null,null]],"distances":[[1000,null],[null,null],[null,null]],` +
		`"sources":[{"lat":47.000000,"lon":9.100000},null,{"lat":47.000000,"lon":9.300000}],"targets":[{"lat":47.000000,"lon":9.200000},null],` +
		`"unreachable":[{"source":0,"target":1,"reason":"no road near the target"},{"source":1,"target":0,"reason":"no road near the source"},` +
		`{"source":1,"target":1,"reason":"no road near the source"},{"source":2,"target":0,"reason":"no way between them"},{"source":2,"target":1,"reason":"no road near the target"}],` +
		`"warnings":[{"code":901,"text":"foo is not known here and had no effect"},{"code":903,"text":"units has no effect on the routing engine here"},{"code":1,"text":"this engine goes east"},` +
		`{"code":906,"text":"sources[1]: no road in the south"},{"code":906,"text":"targets[1]: no road in the south"}]}`
	if string(body) != want || !json.Valid(body) {
		t.Errorf("got  %s\nwant %s", body, want)
	}
}

func TestSquare(t *testing.T) {
	s := &Service{Engine: grid{}}
	req, err := read(s, `{"costing":"truck","locations":[{"lat":47,"lon":9.1},{"lat":47,"lon":9.2}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Matrix.Sources) != 2 || len(req.Matrix.Targets) != 2 {
		t.Errorf("%+v", req)
	}
	body, err := s.Answer(t.Context(), req)
	if err != nil || !strings.HasPrefix(string(body), `{"durations":[[0,100],[null,0]],"distances":[[0,1000],[null,0]]`) {
		t.Errorf("%s %v", body, err)
	}
}

// TestSquareWords holds that a caller who gave locations reads of locations.
func TestSquareWords(t *testing.T) {
	s := &Service{Engine: grid{}}
	for body, want := range map[string]string{
		`{"costing":"auto","locations":[{"lat":-1,"lon":9.1}]}`:                     "locations[0] has no road",
		`{"costing":"auto","locations":[{"lat":1,"lon":9.1},{"lat":-1,"lon":9.1}]}`: `"locations[1]: no road in the south"}]}`,
	} {
		req, err := read(s, body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := s.Answer(t.Context(), req)
		if got := fmt.Sprint(string(answer), err); !strings.Contains(got, want) || strings.Contains(got, "sources[") {
			t.Errorf("%s: %s", body, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	const one, two = `[{"lat":47.1,"lon":9.5}]`, `[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]`
	with := func(rest string) string { return `{"costing":"auto",` + rest + `}` }
	s := &Service{Engine: grid{}, Bounds: region, Cells: 5}
	for _, c := range []struct{ body, location, says string }{
		{`{"sources":` + one + `,"targets":` + one + `}`, "costing", "is missing"},
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
		{with(`"sources":` + two + `,"targets":[{},{},{}]`), "targets", "2 x 3 = 6 cells, and one request may have 5"},
		{with(`"sources":` + one + `,"targets":` + one + `,"costing_options":{"auto":{"height":40}}`), "costing_options.auto.height", "between 0 and 10"},
		{with(`"sources":` + one + `,"targets":` + one + `,"costing_options":{"auto":{"hazmat":true}}`), "costing_options.auto.hazmat", "truck"},
		{with(`"sources":` + one + `,"targets":` + one + `,"costing_options":[]`), "costing_options", "must be an object"},
		{with(`"sources":` + one + `,"targets":` + one + `,"costing_options":{"auto":{"use_tolls":"much"}}`), "costing_options.auto.use_tolls", "must be a number"},
		{with(`"sources":` + one + `,"targets":` + one + `,"adr":{"hazmat":true}`), "adr", "POST /route only"},
		{with(`"sources":` + one + `,"targets":` + one + `,"avoid":["tolls"]`), "avoid", "costing_options"},
		{with(`"sources":` + one + `,"targets":` + one + `,"date_time":{"type":1,"value":"soon"}`), "date_time.value", "YYYY-MM-DDTHH:MM"},
		{with(`"sources":` + one + `,"targets":` + one + `,"date_time":{"type":1,"value":"1960-01-01T08:00"}`), "date_time.value", "before the year 1970"},
		{with(`"sources":` + one + `,"targets":` + one + `,"exclude_polygons":[[[9,47],[9.01,47.01],[9.01,47],[9,47.01]]]`), "exclude_polygons[0]", "crosses itself"},
		{with(`"sources":` + one + `,"targets":` + one + `,"exclude_polygons":[[[9,47],[9.01,47],[9,47]]]`), "exclude_polygons[0]", "2 different corners"},
		{with(`"sources":` + one + `,"targets":` + one + `,"exclude_polygons":[[[9,47],[10,47],[10,47.5]]]`), "exclude_polygons", "may have 10000 m"},
		{with(`"sources":` + one + `,"targets":` + one + `,"exclude_locations":[{"lat":47}]`), "exclude_locations[0].lon", "is missing"},
		{with(`"sources":` + one + `,"targets":` + one + `,"speed_types":["fast"]`), "speed_types", "none of freeflow"},
	} {
		_, err := read(s, c.body)
		var f *fault.Error
		if !errors.As(err, &f) || f.Slug != fault.BadRequest {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		v, ok := f.Fields["errors"].([]fault.Violation)
		if !ok || !slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Location == c.location && strings.Contains(v.Message, c.says) }) {
			t.Errorf("%s: %+v, want %s to be refused with %q", c.body, v, c.location, c.says)
		}
	}
	_, err := read(s, with(`"sources":`+one+`,"targets":`+one+`,"matrix_locations":1`))
	if !fault.Is(err, fault.NotEnabled) {
		t.Errorf("a member that cannot be honoured: %v", err)
	}
	// A remote engine gets the rest as it came.
	req, err := read(&Service{Engine: valhalla.New("http://localhost", nil)}, with(`"sources":`+one+`,"targets":`+one+`,"date_time":{"type":0},"matrix_locations":1,"units":"miles","zzz":1`))
	if err != nil || len(req.Matrix.Extra) != 2 || string(req.Matrix.Extra["matrix_locations"]) != `1` || req.Matrix.When == nil {
		t.Errorf("%v %+v", err, req)
	}
}

func TestDefaultLimit(t *testing.T) {
	many := func(n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(`{"lat":47,"lon":9},`, n), ",") + "]"
	}
	s := &Service{Engine: grid{}}
	if _, err := read(s, `{"costing":"auto","locations":`+many(500)+`}`); err != nil {
		t.Errorf("500 x 500: %v", err)
	}
	if _, err := read(s, `{"costing":"auto","locations":`+many(501)+`}`); err == nil || !strings.Contains(err.Error(), "251001 cells, and one request may have 250000") {
		t.Errorf("501 x 501: %v", err)
	}
}

func TestSwappedPlaces(t *testing.T) {
	s := &Service{Engine: grid{}, Bounds: region}
	req, err := read(s, `{"costing":"auto","sources":[{"lat":-9.5,"lon":47}],"targets":[{"lat":9.5,"lon":47.5}]}`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Answer(t.Context(), req)
	if engine.Code(err) != engine.CodeNoSegment || !strings.Contains(err.Error(), "lat 47.5, lon 9.5 lies in the region") {
		t.Errorf("%v", err)
	}
}

func TestDecimal(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", 1.5: "1.5", 0.001: "0.001", 12.345: "12.345", 99.9996: "100", 1e7 + 0.25: "10000000.25"} {
		if got := string(decimal(nil, v, 3)); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"costing":"auto","sources":[{"lat":47.1,"lon":9.5}],"targets":[{"lat":47.1,"lon":9.5}]}`)
	f.Add(`{"costing":"truck","locations":[{"lat":47.1,"lon":9.5,"heading":9,"search_filter":{"exclude_tunnel":true}}],"costing_options":{"truck":{"adr_tunnel_code":"b/d"}}}`)
	f.Add(`{"costing":null,"locations":null,"sources":[{}],"targets":[null]}`)
	s := &Service{Engine: grid{}, Bounds: region, Cells: 50}
	f.Fuzz(func(t *testing.T, body string) {
		req, err := read(s, body)
		if err != nil {
			if text := fmt.Sprint(err); text == "" {
				t.Error("an error without words")
			}
			return
		}
		m := &req.Matrix
		if !m.Costing.Known() || len(m.Sources) == 0 || len(m.Targets) == 0 || len(m.Sources)*len(m.Targets) > 50 {
			t.Fatalf("%s was taken for %+v", body, m)
		}
		for _, l := range slices.Concat(m.Sources, m.Targets) {
			if !l.Point.Valid() {
				t.Fatalf("%s was taken for %+v", body, m)
			}
		}
		if answer, err := s.Answer(t.Context(), req); err == nil && !json.Valid(answer) {
			t.Fatalf("%s is answered %s", body, answer)
		}
	})
}
