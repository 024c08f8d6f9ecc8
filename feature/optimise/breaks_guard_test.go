package optimise

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/wire/native/plan"
)

// restAt returns what is left for one vehicle at a time of its day, with its notes.
func restAt(t *testing.T, vehicle string, now int) (plan.FleetVehicle, string) {
	t.Helper()
	r, err := (&Planner{Solver: Embedded{}}).RemainingOf(asked[plan.ReplanRequest](t, fmt.Sprintf(`{"vehicles":[{"id":"v","start":P00%s}],"jobs":[{"id":"a","location":P01},{"id":"b","location":P02}],
		"progress":[{"vehicle":"v","completed_stop_ids":["a"],"time_s":%d}]}`, vehicle, now)))
	if err != nil {
		t.Fatal(err)
	}
	return r.Request().Vehicles[0], strings.Join(r.block.Notes, "\n")
}

// TestBreaksByTheTime has a break before its window, at each end of it, within and after.
func TestBreaksByTheTime(t *testing.T) {
	const vehicle = `,"time_window":[0,10000],"breaks":[{"id":"tea","time_windows":[[1000,2000],[3000,4000]],"service":60}]`
	for now, want := range map[int]struct{ taken, left bool }{
		0: {false, true}, 999: {false, true}, 1000: {false, true}, 1001: {true, true}, 2500: {true, true}, 4000: {true, true}, 4001: {false, false}, 9000: {false, false},
	} {
		v, notes := restAt(t, vehicle, now)
		if got := strings.Contains(notes, "could have been taken"); got != want.taken || (len(v.Breaks) == 1) != want.left || strings.Contains(notes, "is over") == want.left {
			t.Errorf("at %d: %d breaks, %s", now, len(v.Breaks), notes)
		}
	}
	if _, notes := restAt(t, `,"time_window":[0,10000],"breaks":[{"id":"tea","service":60}]`, 500); strings.Contains(notes, "could have been taken") {
		t.Errorf("a break at any time: %s", notes)
	}
	// A break for which the shift has no room any more is left out.
	if v, notes := restAt(t, `,"time_window":[0,10000],"breaks":[{"id":"tea","time_windows":[[9000,9990]],"service":1000}]`, 9500); len(v.Breaks) != 0 || !strings.Contains(notes, "what is left of the shift") {
		t.Errorf("%d breaks, %s", len(v.Breaks), notes)
	}
}

// TestShiftsByTheTime has what is left of one shift, of two and of none.
func TestShiftsByTheTime(t *testing.T) {
	for now, want := range map[int]string{0: "[[100 200] [300 400]]", 100: "[[100 200] [300 400]]", 150: "[[150 200] [300 400]]", 200: "[[200 200] [300 400]]", 201: "[[300 400]]", 350: "[[350 400]]", 400: "[[400 400]]", 401: "[[401 401]]"} {
		v, notes := restAt(t, `,"time_windows":[[100,200],[300,400]]`, now)
		if got := fmt.Sprint(v.Shifts()); got != want || strings.Contains(notes, "its shift is over") != (now > 400) {
			t.Errorf("at %d: %s, want %s; %s", now, got, want, notes)
		}
	}
	if v, _ := restAt(t, "", 77); fmt.Sprint(v.Shifts()) != fmt.Sprintf("[[77 %d]]", lastMoment) {
		t.Errorf("without a shift: %v", v.Shifts())
	}
}

// TestWhereTheRestBegins has a vehicle with a position, with a stop that it has made, and with neither.
func TestWhereTheRestBegins(t *testing.T) {
	for _, c := range []struct{ start, progress, basis, at string }{
		{`"start":P00`, `"completed_stop_ids":["a"]`, "last_completed_stop", "P01"},
		{`"start":P00`, `"completed_stop_ids":["a","take"]`, "last_completed_stop", "P04"},
		{`"start":P00`, `"completed_stop_ids":["take","bring"]`, "last_completed_stop", "P05"},
		{`"start":P00`, `"completed_stop_ids":["a"],"current_position":P09`, "current_position", "P09"},
		{`"start":P00`, `"completed_stop_ids":[]`, "start", "P00"},
		{`"end":P08`, `"completed_stop_ids":[]`, "none", ""},
		{`"end":P08`, `"current_position":P09`, "current_position", "P09"},
	} {
		r, err := (&Planner{Solver: Embedded{}}).RemainingOf(asked[plan.ReplanRequest](t, `{"vehicles":[{"id":"v",`+c.start+`}],"jobs":[{"id":"a","location":P01},{"id":"b","location":P02}],
			"shipments":[{"id":"s","pickup":{"id":"take","location":P04},"delivery":{"id":"bring","location":P05}}],"progress":[{"vehicle":"v",`+c.progress+`}]}`))
		if err != nil {
			t.Fatal(err)
		}
		start := r.Request().Vehicles[0].Start
		if got := r.block.Locked[0].StartBasis; got != c.basis || (start == nil) != (c.at == "") {
			t.Errorf("%+v: from %v by %s", c, start, got)
			continue
		}
		if start == nil {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(c.at, "P%d", &n); err != nil {
			t.Fatal(err)
		}
		if got := start.Point().Lon; got < -1+float64(n)/1000-1e-9 || got > -1+float64(n)/1000+1e-9 {
			t.Errorf("%+v: from %v", c, start.Point())
		}
	}
}

// TestUnavailableVehicles has what a vehicle releases that does nothing more, and what is stranded.
func TestUnavailableVehicles(t *testing.T) {
	r, err := (&Planner{Solver: Embedded{}}).RemainingOf(asked[plan.ReplanRequest](t, `{"vehicles":[
		{"id":"v","start":P00,"steps":[{"type":"start"},{"type":"job","id":"a"},{"type":"job","id":"b"},{"type":"pickup","id":"take"},{"type":"delivery","id":"bring"},{"type":"job","id":"c"},{"type":"end"}]},{"id":"w","start":P00}],
		"jobs":[{"id":"a","location":P01},{"id":"b","location":P02},{"id":"c","location":P03}],"shipments":[{"id":"s","pickup":{"id":"take","location":P04},"delivery":{"id":"bring","location":P05}}],
		"progress":[{"vehicle":"v","completed_stop_ids":["a","take"],"unavailable":true,"current_position":P09}],"changes":{"cancel_job_ids":["c"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(r.block.Notes, "\n")
	if len(r.Request().Vehicles) != 1 || r.Request().Vehicles[0].ID != "w" || len(r.Request().Shipments) != 0 || fmt.Sprint(r.block.Released) != "[b]" ||
		!strings.Contains(notes, "its current_position has no effect") || !strings.Contains(notes, "shipment s is on board of vehicle v") || strings.Contains(notes, "steps were not told") {
		t.Errorf("vehicles %v, shipments %v, released %v, %s", r.Request().Vehicles, r.Request().Shipments, r.block.Released, notes)
	}
}
