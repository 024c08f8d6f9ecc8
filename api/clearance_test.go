package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/geo"
)

// surveys is a gateway with surveyed roads.
type surveys struct {
	*clouds
	service *clearance.Service
}

func hostsSurveys(t *testing.T) *surveys {
	t.Helper()
	s := &surveys{clouds: &clouds{dir: t.TempDir()}}
	hosted := &pointclouds.Service{Store: blob.NewFolder(s.dir)}
	s.service = &clearance.Service{Clouds: hosted, Now: func() time.Time { return time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC) }}
	s.Gateway = apitest.Start(t, func(o *api.Options) { o.Clouds, o.Clearance = hosted, s.service })
	return s
}

const survey = "returns of a survey"

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// road writes the artefact of a road of 60 m to the east of longitude -3 and latitude 51.5, with
// a bridge of a headroom across it, and its manifest. who is the members of it beside.
func (s *surveys) road(t *testing.T, dataset, who string, headroom float64) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "a"))
	assert.NilError(t, err)
	h := &artefact.Header{
		EPSG: 32630, Vertical: "EPSG:5701 ODN height", From: "2026-06-01", To: "2026-06-02",
		Grid:    artefact.Grid{OriginX: 500_000, OriginY: originY, Cell: 0.25},
		Ceiling: 8, Least: 2, LeastObject: 0.008,
		Sources: []artefact.Source{{Name: "survey.laz", SHA256: sumOf(survey), Kind: "cloud", From: "2026-06-01", To: "2026-06-02", View: "below"}},
	}
	const tile = artefact.TileCells
	w := artefact.NewWriter(file)
	for tx := range 8 {
		for ty := range 3 {
			cells := new([tile * tile]*artefact.Cell)
			for i := range cells {
				x, y := float64(tx*8)+(float64(i%tile)+0.5)/4, float64(ty*8)+(float64(i/tile)+0.5)/4
				if math.Abs(y-roadY) > 4 {
					continue
				}
				c := artefact.NewCell()
				c.Flags, c.Lane, c.Surface = artefact.Surveyed|artefact.Dense, 1, 20
				if x > 30 && x < 36 {
					c.Kind, c.Headroom, c.Sigma, c.Gap = artefact.Structure, headroom, 0.02, 0.01
				}
				cells[i] = &c
				h.QA.Cells++
			}
			assert.NilError(t, w.Add(0, tx, ty, cells))
		}
	}
	assert.NilError(t, w.Close(h))
	assert.NilError(t, file.Close())
	content, err := os.ReadFile(file.Name())
	assert.NilError(t, err)
	s.write(t, dataset+"/roads.clearance", content)
	s.write(t, dataset+"/survey.laz", []byte(survey))
	s.manifest(t, dataset, who, sumOf(survey))
}

func (s *surveys) manifest(t *testing.T, dataset, who, sum string) {
	t.Helper()
	s.write(t, "manifests/"+dataset+".json", fmt.Appendf(nil, `{"files":{},"clearance":{"artefact":"roads","sources":{"survey.laz":"%s"}},%s}`, sum, who))
	assert.NilError(t, s.service.Refresh(t.Context()))
}

// The road runs so many metres north of the grid's origin: the central meridian of the zone goes
// through its start.
const (
	originY = 5_705_416.0
	roadY   = 5_705_429.17 - originY
)

// line is a line along the road between two places of it, in metres.
func stretch(from, to float64) string {
	at := func(metres float64) geo.Point { return geo.Destination(geo.Point{Lon: -3, Lat: 51.5}, 90, metres) }
	return geo.EncodePolyline([]geo.Point{at(from), at(to)}, 6)
}

func surveyed(members string) string {
	return fmt.Sprintf(`{"geometry_polyline6":%q,%s}`, stretch(5, 55), members)
}

// report has the members of a report that tests read.
type report struct {
	Height, Width struct {
		Verdict  string
		Reasons  []string
		Limiting *struct {
			Headroom float64 `json:"headroom_m"`
			Safe     float64 `json:"safe_headroom_m"`
			Sigma    float64 `json:"sigma_m"`
			Gap      float64 `json:"sampling_gap_m"`
			Dates    string  `json:"survey_dates"`
			Dataset  string
		}
		Failures []struct{} `json:"all_failures"`
		Coverage *struct {
			Kind     string
			Assessed float64    `json:"assessed_m"`
			None     []struct{} `json:"not_surveyed"`
			Little   []struct{} `json:"insufficient_data"`
		}
		Hint *string `json:"resolution_hint"`
	}
	Route       float64 `json:"route_m"`
	Margin      float64 `json:"margin_m"`
	Enforcement struct {
		Basis     string
		Certified *bool   `json:"route_certified"`
		Datum     *string `json:"vertical_datum"`
		Caveat    string
	}
	Datasets []struct {
		Dataset string
		Dates   string `json:"survey_dates"`
		Stale   bool
	}
	Warnings []struct{ Code int }
}

const clearancePath = "/v1/clearance/along"

func (s *surveys) report(t *testing.T, body string, header ...string) (r report) {
	t.Helper()
	reply := s.Send("POST", clearancePath, body, header...)
	if reply.Status != 200 {
		t.Fatalf("%s: %d %s", body, reply.Status, reply.Body)
	}
	assert.NilError(t, json.Unmarshal(reply.Body, &r))
	e := r.Enforcement
	if e.Basis != "surveyed_pointcloud_within_survey_difference" || e.Certified == nil || *e.Certified || e.Caveat == "" {
		t.Errorf("enforcement %+v", e)
	}
	return r
}

// TestClearanceReport reads a report in full.
func TestClearanceReport(t *testing.T) {
	s := hostsSurveys(t)
	s.Send("POST", clearancePath, surveyed(`"vehicle_height_m":4`)).Problem(t, 501, "clearance-not-enabled")
	s.road(t, "open", `"public":true`, 4.5)
	r := s.report(t, surveyed(`"vehicle_height_m":4.2,"vehicle_width_m":2.55,"margin_m":0.1,"truck":{}`))
	h := r.Height
	if h.Verdict != "pass" || len(h.Reasons) != 0 || h.Hint != nil || h.Limiting == nil || h.Limiting.Headroom != 4.5 || h.Limiting.Safe != 4.45 || h.Limiting.Sigma != 0.02 || h.Limiting.Gap != 0.01 || h.Limiting.Dates != "2026-06-01/2026-06-02" || h.Limiting.Dataset != "open" {
		t.Errorf("height %+v %+v", h, h.Limiting)
	}
	if c := h.Coverage; c.Kind != "complete" || c.Assessed != r.Route || math.Abs(r.Route-50) > 0.2 {
		t.Errorf("coverage %+v of %v m", c, r.Route)
	}
	if r.Width.Verdict != "pass" || r.Margin != 0.1 || *r.Enforcement.Datum != "EPSG:5701 ODN height" || len(r.Datasets) != 1 || r.Datasets[0].Stale || r.Datasets[0].Dates != "2026-06-01/2026-06-02" || len(r.Warnings) != 1 {
		t.Errorf("%+v", r)
	}
	low := s.report(t, surveyed(`"vehicle_height_m":4.6,"vehicle_width_m":null,"datasets":null`))
	if low.Height.Verdict != "fail" || len(low.Height.Failures) != 1 || low.Width.Verdict != "not_assessed" || low.Height.Hint == nil {
		t.Errorf("%+v", low)
	}
	if edge := s.report(t, surveyed(`"vehicle_height_m":4.2,"margin_m":0.26`)); edge.Height.Verdict != "indeterminate" {
		t.Errorf("within the bound: %+v", edge.Height)
	}
	long := s.report(t, fmt.Sprintf(`{"geometry_polyline6":%q,"vehicle_height_m":4}`, stretch(5, 500)))
	if c := long.Height.Coverage; long.Height.Verdict != "no_verdict" || c.Kind != "partial" || len(c.None) != 1 || c.Little == nil || c.Assessed > 60 {
		t.Errorf("%+v %+v", long.Height, c)
	}
	if cross := s.Send("POST", clearancePath, surveyed(`"vehicle_height_m":4.6`)); !strings.Contains(string(cross.Body), `"cross_section":[{"from_m":`) {
		t.Errorf("no cross-section: %s", cross.Body)
	}
}

// TestClearanceRefusals sends what is wrong.
func TestClearanceRefusals(t *testing.T) {
	s := hostsSurveys(t)
	s.road(t, "open", `"public":true`, 4.5)
	many := make([]geo.Point, 10_001)
	for i := range many {
		many[i] = geo.Point{Lon: -3 + float64(i)/1e6, Lat: 51.5}
	}
	lined := func(line string) string { return fmt.Sprintf(`{"geometry_polyline6":%q,"vehicle_height_m":4}`, line) }
	for body, says := range map[string]string{
		surveyed(`"vehicle_height_m":0`):                                "vehicle_height_m",
		surveyed(`"vehicle_height_m":-1`):                               "vehicle_height_m",
		surveyed(`"vehicle_height_m":"NaN"`):                            "vehicle_height_m",
		surveyed(`"vehicle_height_m":null`):                             "vehicle_height_m",
		surveyed(`"vehicle_height_m":21`):                               "vehicle_height_m",
		surveyed(`"vehicle_height_m":NaN`):                              "JSON",
		surveyed(`"vehicle_height_m":1e999`):                            "vehicle_height_m",
		surveyed(`"margin_m":1`):                                        "vehicle_height_m",
		surveyed(`"vehicle_height_m":4,"vehicle_width_m":0`):            "vehicle_width_m",
		surveyed(`"vehicle_height_m":4,"vehicle_width_m":-2`):           "vehicle_width_m",
		surveyed(`"vehicle_height_m":4,"margin_m":-0.1`):                "margin_m",
		surveyed(`"vehicle_height_m":4,"datasets":"open"`):              "datasets",
		surveyed(`"vehicle_height_m":4,"datasets":[1]`):                 "datasets",
		surveyed(`"vehicle_height_m":4,"wheelbase_m":-1`):               "wheelbase_m",
		`{"vehicle_height_m":4}`:                                        "geometry_polyline6",
		lined(""):                                                       "geometry_polyline6",
		lined("!!"):                                                     "geometry_polyline6",
		lined("_p~iF"):                                                  "geometry_polyline6",
		lined(geo.EncodePolyline([]geo.Point{{Lon: 1}, {Lon: 1}}, 6)):   "no length",
		lined(geo.EncodePolyline(many, 6)):                              "10000",
		lined(geo.EncodePolyline([]geo.Point{{Lat: 1}, {Lat: 500}}, 6)): "geometry_polyline6",
		`[]`: "object",
	} {
		p := s.Send("POST", clearancePath, body).Problem(t, 400, "bad-request")
		if text := fmt.Sprint(p["detail"], p["violations"]); !strings.Contains(text, says) {
			t.Errorf("%.80s: %s, want %s", body, text, says)
		}
	}
	if r := s.report(t, lined(geo.EncodePolyline(many[:10_000], 6))); r.Height.Verdict != "no_verdict" {
		t.Errorf("10,000 positions: %+v", r.Height.Verdict)
	}
}

// TestClearanceGrants asks as several keys.
func TestClearanceGrants(t *testing.T) {
	s := hostsSurveys(t)
	ours := s.Minted(t, account.Minting{})
	granted, stranger := apitest.Bearer(ours.Secret), apitest.Bearer(s.Minted(t, account.Minting{}).Secret)
	grant := fmt.Sprintf(`"key_ids":[%q]`, ours.Key.ID)
	s.road(t, "closed", grant, 4.5)
	ask := surveyed(`"vehicle_height_m":4`)
	if r := s.report(t, ask, granted...); r.Height.Verdict != "pass" {
		t.Errorf("with a grant: %+v", r.Height)
	}
	nothing := string(s.Send("POST", clearancePath, fmt.Sprintf(`{"geometry_polyline6":%q,"vehicle_height_m":4,"datasets":["none"]}`, stretch(5, 55)), granted...).Body)
	for name, body := range map[string]string{"a stranger": ask, "naming it": surveyed(`"vehicle_height_m":4,"datasets":["closed"]`), "naming none": surveyed(`"vehicle_height_m":4,"datasets":[]`)} {
		who := stranger
		if name == "naming none" {
			who = granted
		}
		if got := string(s.Send("POST", clearancePath, body, who...).Body); got != nothing || !strings.Contains(got, `"no_verdict"`) {
			t.Errorf("%s: %s, want %s", name, got, nothing)
		}
	}
	if r := s.report(t, surveyed(`"vehicle_height_m":4,"datasets":["other","closed"]`), granted...); r.Height.Verdict != "pass" {
		t.Errorf("naming it with a grant: %+v", r.Height)
	}
	s.write(t, "manifests/closed.json", fmt.Appendf(nil, `{"files":{},"clearance":{"artefact":"roads","sources":{"survey.laz":"%s"}},"key_ids":["another"]}`, sumOf(survey)))
	if got := string(s.Send("POST", clearancePath, ask, granted...).Body); got != nothing {
		t.Errorf("after the grant was taken back: %s", got)
	}
}

// row has the members of the inventory that tests read.
type row struct {
	Dataset, Artefact, Status, Error string
	Stale                            bool
	Declared                         int      `json:"sources_declared"`
	Confirmed                        int      `json:"sources_confirmed"`
	CellSize                         *float64 `json:"cell_size_m"`
	CRS                              *int     `json:"crs_epsg"`
	Dates                            *string  `json:"survey_dates"`
	Datum                            *string  `json:"vertical_datum"`
	Grid, QA                         map[string]any
}

func (s *surveys) inventory(t *testing.T) (enabled bool, rows []row) {
	t.Helper()
	assert.NilError(t, s.service.Refresh(t.Context()))
	var out struct {
		Enabled   bool
		Artefacts []row
	}
	reply := s.Send("GET", "/admin/clearance", "", apitest.Bearer(apitest.AdminToken)...)
	assert.NilError(t, json.Unmarshal(reply.Body, &out))
	return out.Enabled, out.Artefacts
}

// TestClearanceInventory looks at artefacts as they and their sources change.
func TestClearanceInventory(t *testing.T) {
	s := hostsSurveys(t)
	if on, rows := s.inventory(t); on || rows == nil || len(rows) != 0 {
		t.Errorf("without artefacts: %v %v", on, rows)
	}
	s.road(t, "open", `"public":true`, 4.5)
	on, rows := s.inventory(t)
	one := rows[0]
	if !on || one.Status != "ok" || one.Stale || one.Declared != 1 || one.Confirmed != 1 || *one.CellSize != 0.25 || *one.CRS != 32630 || *one.Dates != "2026-06-01/2026-06-02" || *one.Datum != "EPSG:5701 ODN height" || one.Grid == nil || one.QA == nil || one.Artefact != "roads" || one.Dataset != "open" {
		t.Errorf("%v %+v", on, one)
	}
	verdict := func() string {
		r := s.report(t, surveyed(`"vehicle_height_m":4`))
		return fmt.Sprint(r.Height.Verdict, " ", r.Height.Reasons)
	}
	for _, c := range []struct {
		name              string
		change            func()
		status            string
		stale             bool
		declared, confirm int
		verdict           string
	}{
		{"as it was", func() {}, "ok", false, 1, 1, "pass []"},
		{"a source that was changed", func() { s.write(t, "open/survey.laz", []byte("other returns of it")) }, "ok", true, 1, 0, "indeterminate [sources_unconfirmed]"},
		{"declared as it is now", func() { s.manifest(t, "open", `"public":true`, sumOf("other returns of it")) }, "ok", true, 1, 1, "indeterminate [sources_unconfirmed]"},
		{"as it was again", func() {
			s.write(t, "open/survey.laz", []byte(survey))
			s.manifest(t, "open", `"public":true`, sumOf(survey))
		}, "ok", false, 1, 1, "pass []"},
		{"a source that is missing", func() { assert.NilError(t, os.Remove(filepath.Join(s.dir, "open/survey.laz"))) }, "ok", true, 1, 0, "indeterminate [sources_unconfirmed]"},
		{"no sources", func() {
			s.write(t, "manifests/open.json", []byte(`{"files":{},"public":true,"clearance":{"artefact":"roads","sources":{}}}`))
		}, "ok", true, 0, 0, "indeterminate [sources_unconfirmed]"},
		{"a damaged artefact", func() { s.damage(t) }, "unreadable", true, 0, 0, "no_verdict [not_surveyed]"},
		{"none of the name", func() { assert.NilError(t, os.Remove(filepath.Join(s.dir, "open/roads.clearance"))) }, "unreadable", true, 0, 0, "no_verdict [not_surveyed]"},
	} {
		c.change()
		on, rows := s.inventory(t)
		if one := rows[0]; !on || one.Status != c.status || one.Stale != c.stale || one.Declared != c.declared || one.Confirmed != c.confirm || (one.Error == "") != (c.status == "ok") {
			t.Errorf("%s: %+v", c.name, one)
		}
		if got := verdict(); got != c.verdict {
			t.Errorf("%s: %s, want %s", c.name, got, c.verdict)
		}
	}
	s.road(t, "sound", `"public":true`, 4.5) // beside the damaged one
	if got := verdict(); got != "pass []" {
		t.Errorf("beside a damaged artefact: %s", got)
	}
}

// damage changes a byte of the artefact.
func (s *surveys) damage(t *testing.T) {
	t.Helper()
	name := filepath.Join(s.dir, "open/roads.clearance")
	content, err := os.ReadFile(name)
	assert.NilError(t, err)
	content[5000] ^= 1
	assert.NilError(t, os.WriteFile(name, content, 0o600))
}
