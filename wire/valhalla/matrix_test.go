package valhalla_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/wire/valhalla"
)

// east answers as an engine on whose streets one goes east only, a second and
// ten metres a thousandth of a degree. South of the equator there are no roads.
func east(r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	a := &engine.MatrixAnswer{Warnings: []engine.Warning{{Code: 1, Text: "this engine goes east"}}}
	snap := func(list []engine.Location) (out []engine.Snapped, any bool) {
		for _, l := range list {
			s := engine.Snapped{Point: l.Point}
			if l.Point.Lat < 0 {
				s = engine.Snapped{Miss: "no road in the south"}
			}
			out, any = append(out, s), any || s.Miss == ""
		}
		return out, any
	}
	var any bool
	a.Targets, _ = snap(r.Targets)
	if a.Sources, any = snap(r.Sources); !any {
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

// matrixOf answers the body of POST /matrix.
func matrixOf(t *testing.T, body string) ([]byte, error) {
	t.Helper()
	var in native.MatrixRequest
	warnings, err := schema.Of[native.MatrixRequest]().Read(t.Context(), []byte(body), &in, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, more, err := in.Matrix(engine.Can{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	a, err := east(q)
	if err != nil {
		region := geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}
		return nil, valhalla.MatrixRefusal(err, in.Square(), region, q)
	}
	return valhalla.WriteMatrix(a, valhalla.MatrixForm{Square: in.Square(), ID: in.ID, Warnings: append(warnings, more...)})
}

func TestWriteMatrix(t *testing.T) {
	const body = `{"costing":"auto","sources":[{"lat":47,"lon":9.1},{"lat":-47,"lon":9.1},{"lat":47,"lon":9.3}],"targets":[{"lat":47,"lon":9.2},{"lat":-1,"lon":9}],"units":"miles","foo":1}`
	const want = `{"durations":[[100,null],[null,null],[null,null]],"distances":[[1000,null],[null,null],[null,null]],` +
		`"sources":[{"lat":47.000000,"lon":9.100000},null,{"lat":47.000000,"lon":9.300000}],"targets":[{"lat":47.000000,"lon":9.200000},null],` +
		`"unreachable":[{"source":0,"target":1,"reason":"no road near the target"},{"source":1,"target":0,"reason":"no road near the source"},` +
		`{"source":1,"target":1,"reason":"no road near the source"},{"source":2,"target":0,"reason":"no way between them"},{"source":2,"target":1,"reason":"no road near the target"}],` +
		`"warnings":[{"code":901,"text":"foo is not known here and had no effect","parameter":"foo"},{"code":903,"text":"units has no effect on the routing engine here","parameter":"units"},{"code":1,"text":"this engine goes east"},` +
		`{"code":906,"text":"sources[1]: no road in the south"},{"code":906,"text":"targets[1]: no road in the south"}]}`
	if got, err := matrixOf(t, body); err != nil || string(got) != want || !json.Valid(got) {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
}

func TestSquareMatrix(t *testing.T) {
	body, err := matrixOf(t, `{"costing":"truck","locations":[{"lat":47,"lon":9.1},{"lat":47,"lon":9.2}]}`)
	if err != nil || !strings.HasPrefix(string(body), `{"durations":[[0,100],[null,0]],"distances":[[0,1000],[null,0]]`) {
		t.Errorf("%s %v", body, err)
	}
	// A caller who gave locations reads of locations.
	for body, want := range map[string]string{
		`{"costing":"auto","locations":[{"lat":-1,"lon":9.1}]}`:                     "locations[0] has no road",
		`{"costing":"auto","locations":[{"lat":1,"lon":9.1},{"lat":-1,"lon":9.1}]}`: `"locations[1]: no road in the south"}]}`,
	} {
		answer, err := matrixOf(t, body)
		if got := fmt.Sprint(string(answer), err); !strings.Contains(got, want) || strings.Contains(got, "sources[") {
			t.Errorf("%s: %s", body, got)
		}
	}
}

func TestSwappedPlacesOfAMatrix(t *testing.T) {
	_, err := matrixOf(t, `{"costing":"auto","sources":[{"lat":-9.5,"lon":47}],"targets":[{"lat":9.5,"lon":47.5}]}`)
	if engine.Code(err) != engine.CodeNoSegment || !strings.Contains(err.Error(), "lat 47.5, lon 9.5 lies in the region") {
		t.Errorf("%v", err)
	}
}

// TestMatrixClocks checks the times at the other ends of ways between two time zones, and
// where one of them is not known.
func TestMatrixClocks(t *testing.T) {
	zone := func(name string) *time.Location {
		z, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	vienna, london := zone("Europe/Vienna"), zone("Europe/London")
	begin := time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC) // the clocks of Vienna go on half an hour later
	for _, c := range []struct {
		from, to *time.Location
		arrives  bool
		want     string
	}{
		{vienna, vienna, false, `"date_time":"2026-03-29T03:30","time_zone_offset":"+02:00","time_zone_name":"Europe/Vienna"`},
		{vienna, london, false, `"date_time":"2026-03-29T02:30","time_zone_offset":"+01:00","time_zone_name":"Europe/London"`},
		{vienna, vienna, true, `"date_time":"2026-03-29T00:30","time_zone_offset":"+01:00","time_zone_name":"Europe/Vienna"`},
		{london, vienna, true, `"date_time":"2026-03-28T23:30","time_zone_offset":"+00:00","time_zone_name":"Europe/London"`},
		{vienna, nil, false, `"date_time":"2026-03-29T02:30"}`},
	} {
		a := &engine.MatrixAnswer{
			Cells:   [][]engine.MatrixCell{{{Seconds: 3600, Metres: 1, Reached: true}}},
			Sources: []engine.Snapped{{Zone: c.from}}, Targets: []engine.Snapped{{Zone: c.to}}, Begin: []time.Time{begin}, Arrives: c.arrives,
		}
		got, err := valhalla.WriteMatrix(a, valhalla.MatrixForm{Valhalla: &native.ValhallaMatrix{}})
		if err != nil || !strings.Contains(string(got), c.want) {
			t.Errorf("%v to %v: %v, %s does not have %s", c.from, c.to, err, got, c.want)
		}
	}
}
