package valhalla

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/upstream/upstreamtest"
)

// TestWrongAnswers has a server answer what is no answer to the request: all are refused, and
// none is passed on.
func TestWrongAnswers(t *testing.T) {
	right := tripFor([]byte(`{"locations":[{"lat":51.5,"lon":-1.5},{"lat":51.5,"lon":-1.4}]}`))
	swap := func(old, replacement string) string {
		if !strings.Contains(right, old) {
			t.Fatalf("%q is not in %s", old, right)
		}
		return strings.Replace(right, old, replacement, 1)
	}
	line := func(digits int, points ...geo.Point) string { return geo.EncodePolyline(points, digits) }
	a, b, far := geo.Point{Lon: -1.5, Lat: 51.5}, geo.Point{Lon: -1.4, Lat: 51.5}, geo.Point{Lon: -1.5, Lat: 51.95}
	near := line(6, a, b)
	waypoints := func(p, q geo.Point, legs string) string {
		return fmt.Sprintf(`{"code":"Ok","routes":[{"geometry":"","legs":[%s]}],"waypoints":[{"location":[%g,%g]},{"location":[%g,%g]}]}`, legs, p.Lon, p.Lat, q.Lon, q.Lat)
	}
	at := func(url string) engine.Engine { return New(url, nil) }
	enginetest.RunReplies(t, at, *someRequest(), []enginetest.Reply{
		{Name: "a right one", Body: right, Format: engine.Native, Right: true},
		{Name: "a right one in OSRM's form", Body: waypoints(a, b, `{}`), Format: engine.OSRM, Right: true},
		{Name: "an error with status 200", Body: `{"error_code":442,"error":"No path could be found for input","status_code":400}`, Format: engine.Native, Code: engine.CodeNoRoute},
		{Name: "an error of OSRM's form with status 200", Body: `{"code":"NoRoute","message":"Impossible"}`, Format: engine.OSRM},
		{Name: "more legs", Body: swap(`"legs":[`, `"legs":[{"shape":"`+near+`"},`), Format: engine.Native},
		{Name: "no legs", Body: swap(`"legs":[`, `"stages":[`), Format: engine.Native},
		{Name: "a start 5 km away in another's answer", Body: swap(`"lat":51.5`, `"lat":51.545`), Format: engine.Native},
		{Name: "a line 50 km away", Body: swap(near, line(6, far, b)), Format: engine.Native},
		{Name: "a line of five digits", Body: swap(near, line(5, a, b)), Format: engine.Native},
		{Name: "a line of seven digits", Body: swap(near, line(6, geo.Point{Lon: -15, Lat: 80}, geo.Point{Lon: -14, Lat: 80})), Format: engine.Native},
		{Name: "no line", Body: swap(near, ""), Format: engine.Native},
		{Name: "three places", Body: swap(`"locations":[`, `"locations":[{"lat":51.5,"lon":-1.5},`), Format: engine.Native},
		{Name: "more legs in OSRM's form", Body: waypoints(a, b, `{},{}`), Format: engine.OSRM},
		{Name: "a start far away in OSRM's form", Body: waypoints(far, b, `{}`), Format: engine.OSRM},
		{Name: "too many requests", Body: `{"error_code":500,"error":"later"}`, Format: engine.Native, Status: 429},
	})
}

// TestWrongMatrices has a server answer matrices of other sizes, orders and values.
func TestWrongMatrices(t *testing.T) {
	cells := func(rows ...string) string {
		return fmt.Sprintf(`{"sources_to_targets":[%s],"sources":[{"lat":51.5,"lon":-1.5}],"targets":[{"lat":51.5,"lon":-1.5},{"lat":51.5,"lon":-1.4}]}`, strings.Join(rows, ","))
	}
	const one, two = `{"from_index":0,"to_index":0,"time":1,"distance":1}`, `{"from_index":0,"to_index":1,"time":2,"distance":2}`
	for name, body := range map[string]string{
		"":                  cells("[" + one + "," + two + "]"),
		"no rows":           cells(),
		"a row too many":    cells("["+one+","+two+"]", "["+one+","+two+"]"),
		"half a row":        cells("[" + one + "]"),
		"another order":     cells("[" + two + "," + one + "]"),
		"times before none": cells("[" + one + "," + strings.Replace(two, `"time":2`, `"time":-2`, 1) + "]"),
	} {
		list := someRequest().Locations
		a, err := replying(t, 0, body).Matrix(t.Context(), &engine.MatrixRequest{Costing: costing.Auto, Sources: list[:1], Targets: list})
		if name == "" {
			if err != nil || a.Cells[0][1].Seconds != 2 {
				t.Errorf("%v %+v", err, a)
			}
		} else if !fault.Is(err, fault.Upstream) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := replying(t, 0, `[{"edges":[]}]`).Locate(t.Context(), &engine.LocateRequest{Costing: costing.Auto, Locations: someRequest().Locations}); !fault.Is(err, fault.Upstream) {
		t.Errorf("one place for two: %v", err)
	}
	if _, err := replying(t, 0, `{"type":"FeatureCollection"}`).Isochrone(t.Context(), &engine.IsochroneRequest{Costing: costing.Auto, Location: someRequest().Locations[0]}); !fault.Is(err, fault.Upstream) {
		t.Errorf("an isochrone without features: %v", err)
	}
}

// TestACallThatIsNotConfigured checks that a server which does not offer a call is no fault of
// the caller.
func TestACallThatIsNotConfigured(t *testing.T) {
	e := replying(t, 404, `{"error_code":106,"error":"Try any of: '/route' '/status'","status_code":404,"status":"Not Found"}`)
	if _, err := e.Centroid(t.Context(), someRequest()); !fault.IsNotEnabled(err) || !strings.Contains(err.Error(), "centroid") {
		t.Errorf("%v", err)
	}
}

// TestLargeMatrices has a server answer matrices of up to 10,000 cells: a larger one is put
// together of these, with the warnings of all. Each has more sources than targets where the
// whole has, as Valhalla heeds times of departure or of arrival by that.
func TestLargeMatrices(t *testing.T) {
	asked, tall := 0, false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Sources, Targets []position }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || len(q.Sources)*len(q.Targets) > mostCells {
			t.Errorf("a request of %d x %d (%v)", len(q.Sources), len(q.Targets), err)
		}
		if more := len(q.Sources) > len(q.Targets); more != tall {
			t.Errorf("a request of %d x %d, where more sources than targets is %v", len(q.Sources), len(q.Targets), tall)
		}
		asked++
		warnings := []map[string]any{{"code": 1, "text": "each"}}
		if asked == 1 {
			warnings = append(warnings, map[string]any{"code": 2, "text": "the first"})
		}
		var cells [][]map[string]any
		for i, s := range q.Sources {
			row := []map[string]any{}
			for j, to := range q.Targets {
				row = append(row, map[string]any{"from_index": i, "to_index": j, "time": math.Round(s.Lat * 1000), "distance": to.Lon})
			}
			cells = append(cells, row)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"sources_to_targets": cells, "sources": q.Sources, "targets": q.Targets, "warnings": warnings}) // a client that hangs up fails by itself
	}))
	defer server.Close()
	for _, size := range [][2]int{{1, 1}, {100, 100}, {250, 260}, {1, 25_000}, {25_000, 1}, {101, 100}, {100, 101}, {2, 1}, {3, 9_999}, {10_001, 2}, {199, 200}, {200, 199}, {200, 201}, {202, 200}} {
		r := &engine.MatrixRequest{Costing: costing.Auto}
		for i := range size[0] {
			r.Sources = append(r.Sources, engine.Location{Point: geo.Point{Lat: float64(i) / 1000}})
		}
		for j := range size[1] {
			r.Targets = append(r.Targets, engine.Location{Point: geo.Point{Lon: float64(j) / 1000}})
		}
		asked, tall = 0, size[0] > size[1]
		a, err := New(server.URL, nil).Matrix(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if most := size[0]*size[1]/mostCells*2 + 2; asked > most {
			t.Errorf("%v takes %d requests", size, asked)
		}
		if len(a.Warnings) != 2 {
			t.Errorf("%v: %+v", size, a.Warnings)
		}
		for i := range a.Cells {
			for j, c := range a.Cells[i] {
				if c.Seconds != float64(i) || math.Round(c.Metres) != float64(j) {
					t.Fatalf("%v: cell %d, %d is %+v", size, i, j, c)
				}
			}
		}
	}
}

// replying returns an engine whose server answers the same to all.
func replying(t *testing.T, status int, body string) *Engine {
	t.Helper()
	return New(upstreamtest.Reply(t, status, body), nil)
}
