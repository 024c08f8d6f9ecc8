package embedded_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// TestLastResortsAreNamed drives over roads that are discouraged or unsuitable where there
// is no other way, and looks for what the answer says of them.
func TestLastResortsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name, tags string
		nodes      towntest.Nodes
		by         costing.Costing
		says       []string // nil where nothing is said
	}{
		{"an unsuitable road", `tertiary hgv=unsuitable name="Mill Lane"`, nil, costing.Truck, []string{"Mill Lane", "hgv=unsuitable", "truck"}},
		{"no matter for a car", "tertiary hgv=unsuitable", nil, costing.Auto, nil},
		{"a discouraged road", "tertiary motor_vehicle=discouraged", nil, costing.Auto, []string{"b1c", "motor_vehicle=discouraged"}},
		{"a word that nobody knows", "tertiary hgv=ifo", nil, costing.Truck, []string{"hgv=ifo"}},
		{"a gate", `tertiary name="Mill Lane"`, towntest.Nodes{{"1", "barrier=gate hgv=discouraged"}}, costing.Truck, []string{"Mill Lane"}},
		{"a plain road", "tertiary hgv=yes", nil, costing.Truck, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			town := towntest.Draw(t, "a--b--1--c--d", towntest.Ways{{"ab", "tertiary"}, {"b1c", c.tags}, {"cd", "tertiary"}}, c.nodes)
			extract := filepath.Join(t.TempDir(), "town.osm.pbf")
			if err := towntest.WriteFile(extract, town.Data()); err != nil {
				t.Fatal(err)
			}
			a, err := open(t, extract).Route(t.Context(), pair{from: town.Point("a"), to: town.Point("d")}.request(t, c.by))
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, w := range a.Warnings {
				if w.Code == engine.WarnShunned {
					said = append(said, w.Text)
				}
			}
			if (len(said) == 1) != (c.says != nil) || len(said) > 1 {
				t.Fatalf("said is %q", said)
			}
			for _, words := range c.says {
				if !strings.Contains(said[0], words) {
					t.Errorf("%q does not say %q", said[0], words)
				}
			}
		})
	}
}
