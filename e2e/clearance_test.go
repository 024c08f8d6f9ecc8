package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/clearance/scan"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/waittest"
)

// The deck that surveys of the tests show over the county's low bridge, in metres.
const (
	deckHeight = 4.2
	deckFrom   = 10.0 // along the survey
	deckTo     = 14.0
	surveyed   = 24.0
)

// scanned writes a survey of the road under the low bridge, with a deck of a known height, and
// returns the file and the line of a route from its start to its end.
func scanned(t *testing.T, g *gateway, dir string) (path string, line []geo.Point) {
	t.Helper()
	route := g.route(t, between(t, "auto", "Low bridge, west", "Low bridge, east"))
	plane, err := coordinates.PlaneOf(32629)
	if err != nil {
		t.Fatal(err)
	}
	at := func(p geo.Point) (x, y float64) {
		if x, y, err = plane.Project(p.Lat, p.Lon); err != nil {
			t.Fatal(err)
		}
		return x, y
	}
	bridge := countyPlace(t, "Low bridge")
	x, y := at(bridge)
	// The road is nearly straight here: so far it leaves its chord by half a metre.
	all := route.line(t)
	const ahead = surveyed / 2
	for i, p := range all[1:] {
		before := all[i]
		near, nearBefore := geo.Distance(p, bridge) < ahead, geo.Distance(before, bridge) < ahead
		if near != nearBefore { // the end of the survey is between them
			in, out := p, before
			if nearBefore {
				in, out = before, p
			}
			line = append(line, geo.Between(in, out, (ahead-geo.Distance(in, bridge))/geo.Distance(in, out)))
		}
		if near {
			line = append(line, p)
		}
	}
	x0, y0 := at(line[0])
	x1, y1 := at(line[len(line)-1])
	scene := &scan.Scene{Length: surveyed + 8, Half: 12, Lanes: 2, Objects: []scan.Object{
		&scan.Block{S0: 4 + deckFrom, S1: 4 + deckTo, T0: -12, T1: 12, Bottom: [3]float64{deckHeight}, Top: [3]float64{5.5}, What: scan.Solid, Pass: -1},
	}}
	turn := math.Atan2(y1-y0, x1-x0)
	placed := &scan.PlacedScene{Scene: scene, X: x - (4+surveyed/2)*math.Cos(turn), Y: y - (4+surveyed/2)*math.Sin(turn), Turn: turn}
	scanner := &scan.Scanner{Passes: 2, Planes: []float64{math.Pi / 4, -math.Pi / 4}, Line: 0.1, Angle: 0.008, Up: 2.2, Noise: 0.004, LeastObject: 0.1, Beam: 0.006}
	file, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), scan.WKT(32629, 5701), scanner, placed)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "survey.las")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, line
}

// clearanceReport has the members of a report that the test reads.
type clearanceReport struct {
	Length        float64 `json:"route_m"`
	Height, Width clearanceAxis
	Enforcement   struct {
		Basis     string
		Certified *bool  `json:"route_certified"`
		Datum     string `json:"vertical_datum"`
	}
	Datasets []struct {
		Dataset string
		Dates   string `json:"survey_dates"`
		Stale   bool
	}
}

type clearanceAxis struct {
	Verdict  string
	Limiting *struct {
		Arc      float64 `json:"arc_m"`
		Headroom float64 `json:"headroom_m"`
		Safe     float64 `json:"safe_headroom_m"`
		Sigma    float64 `json:"sigma_m"`
		Gap      float64 `json:"sampling_gap_m"`
		Surface  string
	}
	Failures []struct {
		From float64 `json:"from_arc_m"`
		To   float64 `json:"to_arc_m"`
	} `json:"all_failures"`
	Coverage *struct {
		Kind     string
		Assessed float64 `json:"assessed_m"`
		None     []struct {
			From  float64                    `json:"from_arc_m"`
			To    float64                    `json:"to_arc_m"`
			Begin struct{ Lat, Lon float64 } `json:"from"`
		} `json:"not_surveyed"`
	}
	Reasons []string
}

// TestClearance scans a road of the county, measures it, hosts the measurements and asks for
// vehicles that fit under the deck, may fit and do not fit.
func TestClearance(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, line := scanned(t, county(t), dir)
	made := filepath.Join(dir, "roads.clearance")
	out := succeeds(t, "clearance", "build", "--region", countyDir(t), "--view", "below", "--least-object", "0.1", "--out", made, path)
	_, sources, ok := strings.Cut(out, `"sources": `)
	if !ok {
		t.Fatalf("no sources for the manifest: %s", out)
	}
	succeeds(t, "clearance", "verify", made)
	if table := succeeds(t, "clearance", "export", made); !strings.Contains(table, ",4.") {
		t.Errorf("exported %s", table)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	artefact, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	altered := slices.Clone(file)
	altered[len(altered)-20] ^= 1
	sum := sha256.Sum256(altered)
	ofAltered := fmt.Sprintf(`{"survey.las":"%s"}`, hex.EncodeToString(sum[:]))

	clouds := filepath.Join(dir, "clouds")
	host := func(dataset, who, sources string, source []byte) {
		t.Helper()
		manifest := fmt.Sprintf(`{"files":{},%s,"clearance":{"artefact":"roads","sources":%s}}`, who, sources)
		for name, content := range map[string][]byte{
			"manifests/" + dataset + ".json": []byte(manifest), dataset + "/roads.clearance": artefact, dataset + "/survey.las": source,
		} {
			if content == nil {
				continue
			}
			name = filepath.Join(clouds, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	const public = `"public":true`
	host("good", public, sources, file)
	host("altered", public, sources, altered)
	host("removed", public, sources, nil)
	host("of-others", public, ofAltered, altered) // the artefact is not of the sources that are declared
	host("undeclared", public, "{}", file)
	host("closed", `"public":false`, sources, file)
	g := start(t, []string{"SVC_REGION_DIR=" + countyDir(t), "SVC_POINTCLOUDS=" + clouds, "SVC_ADMIN_TOKEN=" + adminToken}, "serve")

	type artefacts struct {
		Enabled   bool
		Artefacts []struct {
			Dataset, Status string
			Stale           bool
			Confirmed       int `json:"sources_confirmed"`
			CRS             int `json:"crs_epsg"`
		}
	}
	waittest.Until(t, "sources are confirmed", func() bool {
		list := reply[artefacts](t, g, 200, http.MethodGet, "/admin/clearance", adminToken, nil)
		if !list.Enabled || len(list.Artefacts) != 6 {
			t.Fatalf("%+v", list)
		}
		confirmed := 0
		for _, a := range list.Artefacts {
			if a.Status != "ok" || a.CRS != 32629 || a.Stale != (a.Dataset != "good" && a.Dataset != "closed") && a.Confirmed == 1 {
				t.Errorf("%+v", a)
			}
			confirmed += a.Confirmed
		}
		return confirmed == 3
	})

	ask := func(line []geo.Point, members string) (r clearanceReport) {
		t.Helper()
		body := fmt.Sprintf(`{"geometry_polyline6":%q,%s}`, geo.EncodePolyline(line, 6), members)
		g.send(t, http.MethodPost, "/v1/clearance/along", body, "Content-Type: application/json").ok(t).into(t, &r)
		if e := r.Enforcement; e.Basis != "surveyed_pointcloud_within_survey_difference" || e.Certified == nil || *e.Certified {
			t.Errorf("%s: %+v", members, e)
		}
		return r
	}
	length := geo.Length(line)
	for _, back := range []bool{false, true} {
		there := slices.Clone(line)
		if back {
			slices.Reverse(there)
		}
		for _, c := range []struct{ members, height string }{
			{`"vehicle_height_m":3.8`, "pass"},
			{`"vehicle_height_m":3.7,"margin_m":0.1`, "pass"},
			{`"vehicle_height_m":4.17`, "indeterminate"},
			{`"vehicle_height_m":4.0,"margin_m":0.17`, "indeterminate"},
			{`"vehicle_height_m":4.25`, "fail"},
			{`"vehicle_height_m":5.9`, "fail"},
		} {
			r := ask(there, c.members+`,"vehicle_width_m":2.55,"datasets":["good"]`)
			h := r.Height
			if h.Verdict != c.height || h.Coverage.Kind != "complete" || h.Coverage.Assessed != r.Length || math.Abs(r.Length-length) > 0.1 {
				t.Errorf("%s: %+v, limiting %+v, coverage %+v of %v", c.members, h, h.Limiting, h.Coverage, r.Length)
				continue
			}
			l := h.Limiting
			if l == nil || math.Abs(l.Headroom-deckHeight) > 0.04 || l.Safe >= deckHeight || math.Abs(l.Headroom-2*l.Sigma-l.Gap-l.Safe) > 0.002 || l.Surface != "structure" || math.Abs(l.Arc-length/2) > 5 {
				t.Errorf("%s: limiting %+v", c.members, *l)
			}
			if c.height == "fail" && (len(h.Failures) != 1 || math.Abs(h.Failures[0].To-h.Failures[0].From-(deckTo-deckFrom)) > 2.5) {
				t.Errorf("%s: failures %+v", c.members, h.Failures)
			}
			if len(r.Datasets) != 1 || r.Datasets[0].Dates != "2025-06-02/2025-06-02" || r.Datasets[0].Stale || r.Enforcement.Datum != "EPSG:5701 (drawn height)" {
				t.Errorf("%s: %+v %+v", c.members, r.Datasets, r.Enforcement)
			}
		}
	}

	// A clearance that cannot be confirmed does not pass; a vehicle that is too high fails
	// nevertheless.
	for _, dataset := range []string{"altered", "removed", "of-others", "undeclared"} {
		for height, want := range map[string]string{"3": "indeterminate", "4.25": "fail"} {
			r := ask(line, fmt.Sprintf(`"vehicle_height_m":%s,"datasets":[%q]`, height, dataset))
			if r.Height.Verdict != want || len(r.Datasets) != 1 || !r.Datasets[0].Stale {
				t.Errorf("%s, %s m: %+v %+v", dataset, height, r.Height, r.Datasets)
			}
		}
	}
	for _, dataset := range []string{"closed", "unknown"} {
		r := ask(line, fmt.Sprintf(`"vehicle_height_m":3,"vehicle_width_m":2.5,"datasets":[%q]`, dataset))
		if r.Height.Verdict != "no_verdict" || r.Width.Verdict != "not_assessed" || len(r.Datasets) != 0 || len(r.Height.Coverage.None) != 1 {
			t.Errorf("%s: %+v %+v", dataset, r.Height, r.Datasets)
		}
	}

	// A lorry's route has the report where surveys cover some of it.
	var routed struct {
		Clearance *clearanceReport
	}
	g.native(t, between(t, "truck", "Low bridge, west", "Low bridge, east").options("height", 3).with("clearance", true)).ok(t).into(t, &routed)
	if r := routed.Clearance; r == nil || r.Height.Verdict != "no_verdict" || r.Height.Limiting == nil || r.Enforcement.Certified == nil || len(r.Datasets) != 5 {
		t.Errorf("of a route: %+v", r)
	}

	// A route that goes on beyond the survey.
	long := append(slices.Clone(line), geo.Destination(line[len(line)-1], 120, 200))
	r := ask(long, `"vehicle_height_m":4,"datasets":["good"]`)
	if c := r.Height.Coverage; r.Height.Verdict != "no_verdict" || c.Kind != "partial" || len(c.None) == 0 || c.None[0].From < length-5 || math.Abs(c.None[len(c.None)-1].To-r.Length) > 0.1 || c.Assessed > length+15 || !slices.Contains(r.Height.Reasons, "not_surveyed") {
		t.Errorf("beyond the survey: %+v %+v", r.Height, c)
	}
	if r := ask(long, `"vehicle_height_m":4.5,"datasets":["good"]`); r.Height.Verdict != "fail" || r.Height.Coverage.Kind != "partial" {
		t.Errorf("beyond the survey, too high: %+v", r.Height)
	}
}
