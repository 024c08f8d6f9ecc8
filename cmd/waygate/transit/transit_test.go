package transit

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/importer/importertest"
)

// TestReport measures the sample county, all of it and a town, and reads what is written.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	county := Report{Region: importertest.County(t), Day: "2027-06-01", Modes: []string{"bus"}, Format: "csv", Out: filepath.Join(dir, "all.csv")}
	if err := county.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(county.Out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil || len(all) < 20 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	town := county
	town.Format, town.Out, town.Places = "json", filepath.Join(dir, "town.json"), []string{"pub"}
	town.Area = file("town.geojson", `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"MultiPolygon","coordinates":[[[[-7.29,49.31],[-7.22,49.31],[-7.22,49.345],[-7.29,49.345],[-7.29,49.31]]]]}}]}`)
	town.People = file("people.csv", "\ufeffname,people,lon,lat\na,100,-7.2675,49.3266\nfar away,7,-6,49.3\n")
	if err := town.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(town.Out)
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		Area struct {
			Catchments []struct {
				Of         string
				Total, Any float64
			}
		}
		Stops []struct {
			Reach map[string]struct {
				Within map[string]float64
			}
		}
	}
	if err := json.Unmarshal(text, &made); err != nil {
		t.Fatal(err)
	}
	if n := len(made.Stops); n == 0 || n >= len(all)-1 {
		t.Errorf("%d stops in the town, and %d in all", n, len(all)-1)
	}
	if c := made.Area.Catchments; len(c) != 2 || c[0].Of != "people" || c[0].Total != 100 || c[0].Any != 100 || c[1].Total == 0 {
		t.Errorf("catchments %+v", c)
	}
	if within := made.Stops[0].Reach["people"].Within; within["60_min"] != 100 {
		t.Errorf("within reach of the first stop: %+v", within)
	}
}

// A file on the command line that is none of its kind is refused by name.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(text string) string {
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		says string
		make func(r *Report)
	}{
		{"rocket", func(r *Report) { r.Modes = []string{"rocket"} }},
		{"--day", func(r *Report) { r.Day = "2027-02-30" }},
		{"is not in the timetable", func(r *Report) { r.Day = "2040-02-01" }},
		{"is not GeoJSON", func(r *Report) { r.Area = file("<kml>") }},
		{"neither a Polygon", func(r *Report) { r.Area = file(`{"type":"Point","coordinates":[1,2]}`) }},
		{"has no area", func(r *Report) { r.Area = file(`{"type":"FeatureCollection","features":[]}`) }},
		{"has no stop", func(r *Report) { r.Area = file(`{"type":"Polygon","coordinates":[[[1,1],[2,1],[2,2],[1,1]]]}`) }},
		{"no column people", func(r *Report) { r.People = file("lat,lon\n1,2\n") }},
		{"no header", func(r *Report) { r.People = file("") }},
		{`line 3: lat "91"`, func(r *Report) { r.People = file("lat,lon,people\n1,2,3\n91,2,3\n") }},
		{`people "NaN"`, func(r *Report) { r.People = file("lat,lon,people\n1,2,NaN\n") }},
		{"wrong number of fields", func(r *Report) { r.People = file("lat,lon,people\n1,2\n") }},
		{"--places", func(r *Report) { r.Places = []string{"glorp shop"} }},
		{"17 kinds", func(r *Report) { r.Places = strings.Split(strings.Repeat("school,", 17)[:17*7-1], ",") }},
	} {
		r := Report{Region: importertest.County(t), Modes: []string{"bus"}, Format: "csv", Out: filepath.Join(dir, "out")}
		c.make(&r)
		if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want an error with %q", err, c.says)
		}
	}
}
