package embedded_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/towntest"
)

// Lifts, stairs and buildings are notifications in OSRM's format, shown
// and said in words; a leg that begins on stairs departs all the same.
func TestFloorsInOSRM(t *testing.T) {
	town := towntest.Draw(t, `
		a--b--c--d--e`,
		towntest.Ways{
			{"ab", `footway name="Station Road"`},
			{"bc", `corridor indoor=yes level=0 name="Hall"`},
			{"cd", `elevator indoor=yes level=0;1 name=""`},
			{"de", `steps indoor=yes level=1;2 name=""`},
		}, towntest.Cell(40))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, to     string
		types, words []string
	}{
		{"ab", "de", []string{"depart", "notification", "notification", "notification", "arrive"}, []string{
			"Head east on Station Road.", "Enter the building and continue on Hall.", "Take the lift.", "Take the steps.", "You have arrived at your destination.",
		}},
		{"de", "bc", []string{"depart", "notification", "new name", "arrive"}, []string{
			"Take the steps.", "Take the lift to level 0.", "Continue on Hall.", "You have arrived at your destination.",
		}},
	} {
		middle := func(s string) engine.Location { return engine.Location{Point: town.Between(s[:1], s[1:], 0.5)} }
		text, err := written(e, &engine.RouteRequest{
			Output: engine.Output{Format: engine.OSRM, Language: "en-GB", Steps: true, Voice: true, Banners: true}, Costing: costing.Pedestrian, Locations: []engine.Location{middle(c.from), middle(c.to)},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Routes []struct {
				Legs []struct {
					Steps []struct {
						Maneuver           struct{ Type, Instruction string }
						BannerInstructions []struct{ Primary struct{ Text, Type string } }
					}
				}
			}
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		var types, words []string
		steps := got.Routes[0].Legs[0].Steps
		for i, s := range steps {
			types, words = append(types, s.Maneuver.Type), append(words, s.Maneuver.Instruction)
			for _, b := range s.BannerInstructions {
				if next := steps[i+1].Maneuver; next.Type == "notification" && b.Primary.Text != next.Instruction {
					t.Errorf("%s to %s: %q is shown before %q", c.from, c.to, b.Primary.Text, next.Instruction)
				}
			}
		}
		if !slices.Equal(types, c.types) || !slices.Equal(words, c.words) {
			t.Errorf("%s to %s: %q %q, want %q %q", c.from, c.to, types, words, c.types, c.words)
		}
	}
}
