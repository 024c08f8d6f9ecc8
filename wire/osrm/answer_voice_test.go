package osrm

import (
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
)

// TestPrompts checks how far before a turn each prompt of the first step is said: all is
// over before the next begins, a turn is announced ahead where there is room for it, and
// twice at speed.
func TestPrompts(t *testing.T) {
	english, _ := narrate.Find("en-GB")
	said := []narrate.Text{{Pre: "Head north."}, {Alert: "turn right", Succinct: "Turn right.", Pre: "Turn right into High Street."}}
	for _, c := range []struct {
		what    string
		metres  float64
		seconds float64
		want    []float64
	}{
		{"a street", 1000, 100, []float64{1000, 300, 50}},
		{"a motorway", 5000, 200, []float64{5000, 2000, 800, 125}},
		{"a short street", 150, 15, []float64{150, 50}},
		{"a few steps", 12, 2, []float64{12}},
	} {
		leg := &engine.Leg{Manoeuvres: []guidance.Manoeuvre{{Type: guidance.Start, Metres: c.metres, Seconds: c.seconds}, {Type: guidance.Right}}}
		w := &legWriter{writer: &writer{out: &engine.Output{}, words: english}, leg: leg, texts: said}
		w.speak(0, []engine.Intersection{{Metres: c.metres, Seconds: c.seconds}})
		var got []float64
		end := c.metres
		for _, p := range w.prompts {
			if p.metres > end+1e-9 {
				t.Errorf("%s: %q begins at %.0f m, before what is said until %.0f m is over", c.what, p.text, p.metres, end)
			}
			got, end = append(got, p.metres), p.metres-c.metres/c.seconds*speaking(p.text)
		}
		if last := w.prompts[len(w.prompts)-1].text; !strings.HasPrefix(last, "Turn right") {
			t.Errorf("%s: the last word is %q", c.what, last)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: it is said at %v, want %v", c.what, got, c.want)
		}
	}
}
