package hours_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
)

// TestAgainstTheReference reads every opening_hours of the extracts and compares
// what it says, every five minutes of two weeks in four seasons, with the reference
// implementation, opening_hours.js. What that does not read itself does not count.
// Not known here and not compared are sunrise and sunset, and school holidays.
func TestAgainstTheReference(t *testing.T) {
	if testing.Short() {
		t.Skip("compares with the reference implementation, which a short test does not")
	}
	modules, err := filepath.Abs("../web/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "opening_hours")); err != nil {
		t.Skip("the reference implementation is not installed: npm ci in web")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("the reference implementation needs Node")
	}
	values := openingHours(t)
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "testdata/reference.cjs", modules)
	cmd.Env, cmd.Stdin = append(os.Environ(), "TZ=UTC"), bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []struct {
		Error string
		Spans [][][3]float64
	}
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	read, same := 0, 0
	for i, a := range answers {
		if a.Error != "" {
			continue
		}
		read++
		s, err := hours.Parse(values[i])
		if err != nil {
			t.Log(err)
			continue
		}
		if at, ok := agrees(s, values[i], a.Spans); ok {
			same++
		} else {
			t.Logf("%q differs at %s", values[i], at)
		}
	}
	t.Logf("%d of %d values are read alike", same, read)
	if read < 3000 || float64(same) < 0.995*float64(read) {
		t.Errorf("%d of %d values are read alike, want 99.5 %% of 3,000 or more", same, read)
	}
}

// begins are those of testdata/reference.cjs.
var begins = [...]string{"2026-02-09", "2026-06-08", "2026-09-07", "2026-11-09"}

// agrees compares a schedule with the reference's spans; at is a moment at which
// they differ.
func agrees(s *hours.Schedule, text string, spans [][][3]float64) (at string, ok bool) {
	notKnown := strings.Contains(text, "SH") || slices.ContainsFunc([]string{"sun", "dawn", "dusk"}, func(w string) bool { return strings.Contains(text, w) })
	for k, begin := range begins {
		day, err := time.Parse(time.DateOnly, begin)
		if err != nil {
			return err.Error(), false
		}
		want := make([]hours.State, 14*24*60)
		for _, x := range spans[k] {
			for m := int(x[0]); m < int(x[1]); m++ {
				if want[m] = hours.Open; x[2] != 0 {
					want[m] = hours.Unknown
				}
			}
		}
		for m := 0; m < len(want); m += 5 {
			now := day.Add(time.Duration(m) * time.Minute)
			if got := s.At(now); got != want[m] && !(notKnown && got == hours.Unknown) {
				return now.Format("2006-01-02 Mon 15:04"), false
			}
		}
	}
	return "", true
}

// openingHours gives the distinct values of the extracts.
func openingHours(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(realdata.File(t, "osm/all-35-places.osm.pbf")), "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	see := func(tags osm.Tags) {
		if v := tags.Get("opening_hours"); v != "" {
			found[strings.Clone(v)] = true
		}
	}
	for _, f := range files {
		if strings.HasSuffix(f, ".osm") { // not sorted; it has no such tags
			continue
		}
		_, err := osm.Scan(t.Context(), f, osm.Options{}, func(b *osm.Block) error {
			for i := range b.Nodes {
				see(b.Nodes[i].Tags)
			}
			for i := range b.Ways {
				see(b.Ways[i].Tags)
			}
			for i := range b.Relations {
				see(b.Relations[i].Tags)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var values []string
	for v := range found {
		values = append(values, v)
	}
	slices.Sort(values)
	return values
}
