package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// twoTowns imports a town in England and one in Germany, with their maps.
func twoTowns(t *testing.T) (english, german *towntest.Town, dirs [2]string) {
	t.Helper()
	english = towntest.Draw(t, "a---b\n|   |\nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}}, towntest.At(towntest.England))
	german = towntest.Draw(t, "a---b\n|   |\nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}}, towntest.At(towntest.Germany))
	for i, town := range []*towntest.Town{english, german} {
		id := []string{"west", "east"}[i]
		dirs[i] = t.TempDir()
		if _, err := importer.Run(t.Context(), importer.Options{Dir: dirs[i], Sources: []string{town.PBF(t)}, ID: id, Name: "Town " + id, Builder: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	return english, german, dirs
}

// posted sends a body and gives what it is answered with.
func posted(t *testing.T, address, body string) (status int, answer map[string]any) {
	t.Helper()
	resp, err := http.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if strings.HasSuffix(address, "/locate") && resp.StatusCode == http.StatusOK {
		return resp.StatusCode, nil // a list
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, answer
}

// TestServeSeveralRegions asks every endpoint that has places of one server on
// two towns: in the one, in the other, in none and across both.
func TestServeSeveralRegions(t *testing.T) {
	english, german, dirs := twoTowns(t)
	address, _ := serving(t, quick(), strings.Join(dirs[:], string(filepath.ListSeparator)))

	at := func(town *towntest.Town, name string) string {
		p := town.Point(name)
		return fmt.Sprintf(`{"lat":%.6f,"lon":%.6f}`, p.Lat, p.Lon)
	}
	const sea = `{"lat":20,"lon":-40}`
	bodies := map[string]func(a, b string) string{
		"/route":            func(a, b string) string { return `{"costing":"auto","locations":[` + a + `,` + b + `]}` },
		"/locate":           func(a, b string) string { return `{"locations":[` + a + `,` + b + `]}` },
		"/centroid":         func(a, b string) string { return `{"costing":"auto","locations":[` + a + `,` + b + `]}` },
		"/matrix":           func(a, b string) string { return `{"costing":"auto","sources":[` + a + `],"targets":[` + b + `]}` },
		"/trace_route":      func(a, b string) string { return `{"costing":"auto","shape":[` + a + `,` + b + `]}` },
		"/trace_attributes": func(a, b string) string { return `{"costing":"auto","shape":[` + a + `,` + b + `]}` },
		"/route/report":     func(a, b string) string { return `{"locations":[` + a + `,` + b + `]}` },
		"/route/along":      func(a, b string) string { return `{"locations":[` + a + `,` + b + `],"places":[` + a + `]}` },
		"/route/progress":   func(a, b string) string { return `{"origin":` + a + `,"destination":` + b + `,"position":` + a + `}` },
	}
	for path, body := range bodies {
		for _, town := range []*towntest.Town{english, german} {
			if status, answer := posted(t, address+path, body(at(town, "a"), at(town, "b"))); status != http.StatusOK {
				t.Errorf("%s within a town: %d %v", path, status, answer)
			}
		}
		status, answer := posted(t, address+path, body(sea, at(german, "b")))
		detail, _ := answer["detail"].(string)
		if regions, _ := answer["regions"].([]any); status != http.StatusBadRequest || answer["error_code"] != 171.0 || len(regions) != 2 ||
			!strings.Contains(detail, "lat 20, lon -40") || !strings.Contains(detail, "west (lat 51.") || !strings.Contains(detail, "east (lat 51.") {
			t.Errorf("%s at sea: %d %v", path, status, answer)
		}
		if status, answer := posted(t, address+path, body(at(english, "a"), at(german, "b"))); status != http.StatusBadRequest || answer["error_code"] != 442.0 || answer["location_index"] != 1.0 {
			t.Errorf("%s across: %d %v", path, status, answer)
		}
	}
	isochrone := func(place string) (int, map[string]any) {
		return posted(t, address+"/isochrone", `{"costing":"auto","locations":[`+place+`],"contours":[{"time":1}]}`)
	}
	for place, want := range map[string]int{at(english, "a"): 200, at(german, "a"): 200, sea: 400} {
		if status, answer := isochrone(place); status != want {
			t.Errorf("isochrone at %s: %d %v", place, status, answer)
		}
	}

	a, b := english.Point("a"), german.Point("b")
	for _, service := range []string{"route", "table", "match", "trip"} {
		for _, town := range []*towntest.Town{english, german} {
			c, d := town.Point("a"), town.Point("b")
			if status, body := get(t, fmt.Sprintf("%s/%s/v1/driving/%.6f,%.6f;%.6f,%.6f", address, service, c.Lon, c.Lat, d.Lon, d.Lat)); status != http.StatusOK {
				t.Errorf("%s within a town: %d %s", service, status, body)
			}
		}
		status, body := get(t, fmt.Sprintf("%s/%s/v1/driving/%.6f,%.6f;%.6f,%.6f", address, service, a.Lon, a.Lat, b.Lon, b.Lat))
		if status != 442 || !strings.Contains(body, `"NoRoute"`) || !strings.Contains(body, "contains all locations") {
			t.Errorf("%s across: %d %s", service, status, body)
		}
	}
	if status, body := get(t, address+"/nearest/v1/driving/-40,20"); status != http.StatusBadRequest || !strings.Contains(body, `"NoSegment"`) {
		t.Errorf("nearest at sea: %d %s", status, body)
	}
}

// TestSeveralRegionsAreToldOf looks at what a server on two towns says of
// itself, and takes a new one of them into service.
func TestSeveralRegionsAreToldOf(t *testing.T) {
	english, german, dirs := twoTowns(t)
	address, _ := serving(t, quick(), strings.Join(dirs[:], string(filepath.ListSeparator)))
	for _, id := range []string{"west", "east"} {
		if status, body := get(t, address+"/tiles/"+id+"/tiles.json"); status != http.StatusOK || !strings.Contains(body, "Town "+id) {
			t.Errorf("the map of %s: %d %s", id, status, body)
		}
	}
	if status, body := get(t, address+"/tiles/north/tiles.json"); status != http.StatusNotFound || !strings.Contains(body, "east, west") {
		t.Errorf("another map: %d %s", status, body)
	}
	var platform struct {
		Engine      string   `json:"routing_engine"`
		Version     *string  `json:"routing_engine_version"`
		Snapshot    *string  `json:"graph_snapshot"`
		Basemaps    []string `json:"basemaps"`
		Territories []struct{ ID string }
	}
	_, body := get(t, address+"/v1/platform")
	if err := json.Unmarshal([]byte(body), &platform); err != nil || platform.Engine != "embedded" || platform.Version == nil || platform.Snapshot != nil ||
		fmt.Sprint(platform.Basemaps) != "[east west]" || fmt.Sprint(platform.Territories) != "[{west} {east}]" {
		t.Errorf("%v: %s", err, body)
	}
	if status, body := get(t, address+"/health"); status != http.StatusOK || !strings.Contains(body, `"ok"`) {
		t.Errorf("%d %s", status, body)
	}

	// A new town in the east: the west goes on as it was.
	round := towntest.Draw(t, "a   b\n|   |\nc---d", towntest.Ways{{"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}}, towntest.At(towntest.Germany))
	if _, err := importer.Run(t.Context(), importer.Options{Dir: dirs[1], Sources: []string{round.PBF(t)}, ID: "east", Name: "Round", NoMap: true, Builder: "test"}); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the new region is in service", func() bool { return mustRoute(t, address, way(german, "a", "b")) > 700 })
	if d := mustRoute(t, address, way(english, "a", "b")); d > 420 {
		t.Errorf("%.0f m in the west after the swap in the east", d)
	}
	// One that does not verify is turned down, as is one with the other's id.
	damage(t, dirs[0])
	waittest.Until(t, "the damaged region is turned down", func() bool {
		_, body := get(t, address+"/metrics")
		return strings.Contains(body, `waygate_region_swaps_total{outcome="refused"} 1`)
	})
	if _, err := importer.Run(t.Context(), importer.Options{Dir: dirs[1], Sources: []string{round.PBF(t)}, ID: "west", Name: "Both west", NoMap: true, Builder: "test"}); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "two regions of one id are turned down", func() bool {
		_, body := get(t, address+"/metrics")
		return strings.Contains(body, `waygate_region_swaps_total{outcome="refused"} 2`)
	})
	for town, most := range map[*towntest.Town]float64{english: 420, german: 1300} {
		if d := mustRoute(t, address, way(town, "a", "b")); d > most {
			t.Errorf("%.0f m, want at most %.0f", d, most)
		}
	}
}

// TestSeveralRegionsOnTheCommandLine names folders in every way there is.
func TestSeveralRegionsOnTheCommandLine(t *testing.T) {
	both := "/tmp/a" + string(filepath.ListSeparator) + "/tmp/b"
	for _, c := range []struct {
		env  string
		args []string
		want string
	}{
		{args: []string{"--region", "/tmp/a"}, want: "[/tmp/a]"},
		{args: []string{"--region", "/tmp/a", "--region", "/tmp/b"}, want: "[/tmp/a /tmp/b]"},
		{args: []string{"--region", both}, want: "[/tmp/a /tmp/b]"},
		{env: both, want: "[/tmp/a /tmp/b]"},
		{env: "/tmp/c", args: []string{"--region", "/tmp/a"}, want: "[/tmp/a]"},
		{want: "[]"},
	} {
		t.Setenv("SVC_REGION_DIR", c.env)
		if c.env == "" {
			if err := os.Unsetenv("SVC_REGION_DIR"); err != nil {
				t.Fatal(err)
			}
		}
		if got := fmt.Sprint(parsed(t, append([]string{"serve"}, c.args...)).Serve.Region); got != c.want {
			t.Errorf("%q and %v: %s, want %s", c.env, c.args, got, c.want)
		}
	}
}
