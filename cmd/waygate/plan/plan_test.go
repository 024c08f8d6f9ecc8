package plan

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/importer/importertest"
)

const (
	vehicle = `{"id":"van","start":{"lat":49.326622,"lon":-7.267471},"end":{"lat":49.326622,"lon":-7.267471},"capacity":[4],"time_window":[28800,61200]}`
	jobs    = `"jobs":[{"id":"a","location":{"lat":49.324115,"lon":-7.251523},"service_s":300,"delivery":[2]},{"id":"heavy","location":{"lat":49.321496,"lon":-7.235719},"delivery":[9]}]`
	problem = `{"vehicles":[` + vehicle + `],` + jobs + `,"colour":"red"}`
	rest    = `{"vehicles":[` + vehicle + `],` + jobs + `,"progress":[{"vehicle":"van","completed_stop_ids":["a"]}]}`
)

// planned runs the command on a problem in a file.
func planned(t *testing.T, c Command, body string, summary bool) (string, error) {
	t.Helper()
	c.Region, c.File = importertest.County(t), filepath.Join(t.TempDir(), "problem.json")
	if err := os.WriteFile(c.File, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := c.read(nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = c.plan(t.Context(), text, &out, summary)
	return out.String(), err
}

// TestPlan plans on the sample county: a plan as the API writes it, the same each time, and a
// summary that names what it serves and what it leaves out.
func TestPlan(t *testing.T) {
	first, err := planned(t, Command{}, problem, false)
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Code       *int
		Routes     []struct{ Steps []struct{ Type, ID string } }
		Unassigned []struct{ ID, Reason string }
		Search     struct{ Solver string }
		Warnings   []struct{ Text string }
	}
	if err := json.Unmarshal([]byte(first), &a); err != nil {
		t.Fatal(err)
	}
	if a.Code == nil || len(a.Routes) != 1 || a.Routes[0].Steps[1].ID != "a" || len(a.Unassigned) != 1 || a.Unassigned[0].ID != "heavy" || a.Unassigned[0].Reason != "capacity" || a.Search.Solver != "embedded" {
		t.Errorf("%s", first)
	}
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0].Text, "colour") {
		t.Errorf("warnings %v", a.Warnings)
	}
	if again, _ := planned(t, Command{}, problem, false); again != first {
		t.Errorf("%s\n%s", first, again)
	}
	text, err := planned(t, Command{}, problem, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 routes with 1 stops, 1 tasks left out", "van", "heavy", "carries", "8:00:00", "colour"} {
		if !strings.Contains(text, want) {
			t.Errorf("the summary does not have %q:\n%s", want, text)
		}
	}
}

// TestReplan plans what remains of a day.
func TestReplan(t *testing.T) {
	text, err := planned(t, Command{Replan: true}, rest, false)
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Replan struct {
			Locked []struct{ Stops []string } `json:"locked_stops_per_vehicle"`
		}
		Unassigned []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil || len(a.Replan.Locked) != 1 || !slices.Equal(a.Replan.Locked[0].Stops, []string{"a"}) || len(a.Unassigned) != 1 {
		t.Errorf("%v %s", err, text)
	}
}

// TestRefusals names each member that is wrong, a body that is none, and one that is too long.
func TestRefusals(t *testing.T) {
	for body, want := range map[string][]string{
		`{"vehicles":[{"id":"v","start":{"lat":97,"lon":-7}}],"jobs":[{"id":"j","location":{"lat":49,"lon":-7},"service_s":-1}]}`: {"vehicles[0].start.lat", "jobs[0].service_s"},
		`{"vehicles":[` + vehicle + `]}`: {"jobs"},
		`[]`:                             {"JSON object"},
	} {
		_, err := planned(t, Command{}, body, false)
		if err == nil {
			t.Errorf("%s is planned", body)
			continue
		}
		for _, part := range want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v has no word of %s", body, err, part)
			}
		}
	}
	if _, err := (&Command{File: "-"}).read(strings.NewReader(strings.Repeat(" ", mostBytes+1))); err == nil || !strings.Contains(err.Error(), "8388608") {
		t.Errorf("a problem that is too long: %v", err)
	}
}
