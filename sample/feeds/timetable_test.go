package feeds_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/sample/feeds"
)

// Every call of the timetable is at a stop of the map, and every route calls somewhere.
func TestTimetable(t *testing.T) {
	s := sample.Generate()
	tables := feeds.Timetable(s)
	stops := map[string]bool{}
	for _, stop := range s.Stops {
		stops[stop.Code] = true
	}
	rows, err := csv.NewReader(strings.NewReader(tables["stop_times.txt"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	called, latest := map[string]bool{}, ""
	for i, row := range rows[1:] {
		if !stops[row[3]] {
			t.Fatalf("a call at %s, which is no stop", row[3])
		}
		called[row[3]] = true
		latest = max(latest, row[1])
		if before := rows[i]; i > 0 && before[0] == row[0] && before[2] >= row[1] {
			t.Fatalf("%s comes to %s at %s, after %s", row[0], row[3], row[1], before[2])
		}
	}
	if len(called) != len(stops) || len(rows) < 5000 || latest < "25:00:00" {
		t.Errorf("%d of %d stops are called at, %d calls, the latest at %s", len(called), len(stops), len(rows), latest)
	}
}
