package route_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/wire/schema/schematest"
	"github.com/waygate/waygate/world"
)

// recording is a request that a real OSRM was sent and what it answered.
type recording struct {
	Name   string
	Path   string
	Status int `json:"http"`
	Code   string
	answer []byte
}

// service returns the first word of the path.
func (r *recording) service() string { return strings.SplitN(r.Path, "/", 3)[1] }

func recordings(t *testing.T) []recording {
	t.Helper()
	dir := realdata.Beside(t, "peers/osrm/examples")
	raw, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []recording
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if all[i].answer, err = os.ReadFile(filepath.Join(dir, all[i].Name+".response.json")); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// ground returns the embedded engine on the extract that the recorded answers are of.
func ground(t *testing.T) *world.Region {
	t.Helper()
	r := regiontest.Open(t, importertest.Region(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf")))
	e, err := embedded.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return &world.Region{Engine: e, ID: "li", Name: "Liechtenstein", Bounds: r.Manifest.Bounds}
}

// served returns an edge over it.
func served(t *testing.T) *apitest.Gateway {
	t.Helper()
	li := ground(t)
	return apitest.Start(t, func(o *api.Options) { o.Acquire = apitest.Serves(t, li) })
}

// form has the kinds of value at each path of some documents.
type form map[string]*seen

type seen struct {
	kinds          map[string]bool // JSON types
	times, objects int             // in all, and of those that are objects
}

func (f form) learn(v any) {
	schematest.EachValue("", v, func(path, kind string) {
		s := f[path]
		if s == nil {
			s = &seen{kinds: map[string]bool{}}
			f[path] = s
		}
		s.kinds[kind] = true
		s.times++
		if kind == "object" {
			s.objects++
		}
	})
}

// tell describes the values at a path: its types, with a question mark where only
// some of the objects around it have it.
func (f form) tell(path string) string {
	s := f[path]
	if s == nil {
		return "absent"
	}
	text := strings.Join(slices.Sorted(maps.Keys(s.kinds)), "|")
	if at := strings.LastIndexByte(path, '.'); at >= 0 && !strings.HasSuffix(path, "]") && s.times < f[path[:at]].objects {
		text += "?"
	}
	return text
}

// apart lists where two forms differ, the innermost of what is absent left out.
func apart(service string, ours, theirs form) []string {
	paths := maps.Clone(ours)
	maps.Copy(paths, theirs)
	var list []string
	absent := ""
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		a, b := ours.tell(path), theirs.tell(path)
		if a == b || absent != "" && (strings.HasPrefix(path, absent+".") || strings.HasPrefix(path, absent+"[")) {
			continue
		}
		if absent = ""; a == "absent" || b == "absent" {
			absent = path
		}
		list = append(list, fmt.Sprintf("%s %s: %s, theirs %s", service, path, a, b))
	}
	return list
}

// different is where our answer to a recorded request is not OSRM's, and the
// row of docs/compatibility.md that says why.
type different struct{ what, row string }

// outcomes are statuses and codes that differ, by recording.
var outcomes = []different{
	{"08_route_exclude_bearings_radiuses_approaches: 400 InvalidValue, theirs 200 Ok", "`exclude=motorway,toll,ferry`"},
	{"16_err_invalid_query: 400 InvalidUrl, theirs 400 InvalidQuery", "malformed coordinates"},
	{"18_err_invalid_value: 400 InvalidValue, theirs 400 InvalidOptions", "lists of a wrong length"},
	{"20_err_unknown_service: 404 not-found, theirs 400 InvalidService", "unknown service or version"},
	{"21_err_unknown_version: 404 not-found, theirs 400 InvalidVersion", "unknown service or version"},
}

// forms are members that differ, in any answer of a service.
var forms = []different{
	{"match .matchings[].legs[].annotation.nodes[]: null|number, theirs number", "`annotation.nodes`"},
	{"match .matchings[].legs[].admins: array, theirs absent", "`legs[].via_waypoints`, `legs[].admins`"},
	{"match .matchings[].legs[].via_waypoints: array, theirs absent", "`legs[].via_waypoints`, `legs[].admins`"},
	{"match .tracepoints[]: object, theirs null|object", "`match`: `tidy`"},
	{"match .tracepoints[].hint: absent, theirs string", "`waypoints[].hint`"},
	{"nearest .waypoints[].hint: absent, theirs string", "`waypoints[].hint`"},
	{"table .destinations[].hint: absent, theirs string", "`waypoints[].hint`"},
	{"table .sources[].hint: absent, theirs string", "`waypoints[].hint`"},
	{"trip .trips[].legs[].admins: array, theirs absent", "`legs[].via_waypoints`, `legs[].admins`"},
	{"trip .trips[].legs[].via_waypoints: array, theirs absent", "`legs[].via_waypoints`, `legs[].admins`"},
	{"trip .waypoints[].hint: absent, theirs string", "`waypoints[].hint`"},
}

// hold checks differences against those that are known: every one is listed,
// every one listed occurs, and a row explains it.
func hold(t *testing.T, found []string, known []different) {
	t.Helper()
	explained, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range known {
		if !slices.Contains(found, d.what) {
			t.Errorf("listed as a difference and no longer one: %s", d.what)
		}
		if !strings.Contains(string(explained), "\n| "+d.row+" |") {
			t.Errorf("%s: docs/compatibility.md has no row %q", d.what, d.row)
		}
	}
	for _, what := range found {
		if !slices.ContainsFunc(known, func(d different) bool { return d.what == what }) {
			t.Errorf("a difference that is not listed: %s", what)
		}
	}
}

// TestRecordedFamily sends what a real OSRM was sent and holds the answers
// against its own: status, code, every member with its type and presence, and
// the values.
func TestRecordedFamily(t *testing.T) {
	all := recordings(t)
	g := served(t)
	var unlike []string
	ours, theirs := map[string]form{}, map[string]form{}
	for _, r := range all {
		a := g.Send("GET", r.Path, "")
		var we, they any
		if err := errors.Join(json.Unmarshal(a.Body, &we), json.Unmarshal(r.answer, &they)); err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		code := outcome(we)
		if a.Status != r.Status || code != r.Code {
			unlike = append(unlike, fmt.Sprintf("%s: %d %s, theirs %d %s", r.Name, a.Status, code, r.Status, r.Code))
			continue
		}
		service := r.service()
		if r.Status != http.StatusOK {
			service = "failure"
		}
		if ours[service] == nil {
			ours[service], theirs[service] = form{}, form{}
		}
		ours[service].learn(we)
		theirs[service].learn(they)
	}
	hold(t, unlike, outcomes)
	var found []string
	for _, service := range []string{"table", "nearest", "match", "trip", "failure"} {
		if ours[service] == nil {
			t.Errorf("no recorded answer of %s", service)
		}
		found = append(found, apart(service, ours[service], theirs[service])...)
	}
	hold(t, found, forms)
	for _, r := range all {
		if r.Status == http.StatusOK {
			t.Run(r.Name, func(t *testing.T) { agrees(g, t, &r) })
		}
	}
}

// outcome returns the code of an answer, or the kind of a problem.
func outcome(v any) string {
	m, _ := v.(map[string]any)
	if code, ok := m["code"].(string); ok {
		return code
	}
	kind, _ := m["type"].(string)
	return kind[strings.LastIndexByte(kind, ':')+1:]
}
