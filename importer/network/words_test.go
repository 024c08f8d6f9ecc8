package network

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUnknownWordsAreCounted checks that an import counts tags of access with words that it
// lacks, of ways and of barriers, and names the first of them.
func TestUnknownWordsAreCounted(t *testing.T) {
	s := crossroads()
	s.node('b', 2, 0, "barrier=gate, motor_vehicle=maybe")
	s.node('o', 3, 0, "emergency=fire_hydrant, access=ifo")
	s.way(20, "eb", "highway=residential, hgv=ifo, bicycle=yes")
	s.way(21, "bo", "highway=residential, hgv=unsuitable, psv=opposite_lane")
	r, _, err := Build(t.Context(), Options{Sources: []string{s.xml(t, "x.osm")}, Out: filepath.Join(t.TempDir(), "graph")})
	if err != nil {
		t.Fatal(err)
	}
	named := r.Named["unknown_access_words"]
	if r.Counts["unknown_access_words"] != 2 || !strings.Contains(named, "hgv=ifo of way 20") || !strings.Contains(named, "motor_vehicle=maybe of node") {
		t.Errorf("%d: %q", r.Counts["unknown_access_words"], named)
	}
}
