package answer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
)

// TestLanguageOfAnswers asks for languages that are there, whatever their
// region, and for some that are not, which the answer then names.
func TestLanguageOfAnswers(t *testing.T) {
	d := county()
	for _, c := range []struct{ asked, answered, first, warning string }{
		{"", "en-GB", "Head east on Mill Lane.", ""},
		{"en-US", "en-US", "Head east on Mill Lane.", ""},
		{"de-CH", "de", "Fahren Sie auf Mill Lane nach Osten.", ""},
		{"cy-GB", "cy", "Ewch tua'r dwyrain ar hyd Mill Lane.", ""},
		{"pt-BR", "pt-BR", "Siga para o leste por Mill Lane.", ""},
		{"nb-NO", "en-GB", "Head east on Mill Lane.", "there are no instructions in nb-NO here; they are in en-GB"},
		{"lb", "de", "Fahren Sie auf Mill Lane nach Osten.", "there are no instructions in lb here; they are in de"},
		{"zh", "en-GB", "Head east on Mill Lane.", "there are no instructions in zh here; they are in en-GB"},
		{"zz", "en-GB", "Head east on Mill Lane.", "there are no instructions in zz here; they are in en-GB"},
	} {
		r := requestFrom(d, engine.Native, 'a', 'g')
		r.Language = c.asked
		var body struct {
			Trip struct {
				Language string
				Legs     []struct {
					Maneuvers []struct{ Instruction string }
				}
			}
		}
		if err := json.Unmarshal(write(t, d, r, routeOf(r, d.Path(across), d, 'a', 'g')), &body); err != nil {
			t.Fatal(err)
		}
		if first := body.Trip.Legs[0].Maneuvers[0].Instruction; body.Trip.Language != c.answered || first != c.first {
			t.Errorf("%q is answered in %s with %q, want %s with %q", c.asked, body.Trip.Language, first, c.answered, c.first)
		}
		var warnings []string
		for _, w := range Warnings(d.Graph, r.Costing, &r.Options, &r.Output) {
			if w.Code != engine.WarnLanguage {
				t.Errorf("%q brings warning %+v", c.asked, w)
			}
			warnings = append(warnings, w.Text)
		}
		if got := strings.Join(warnings, "|"); got != c.warning {
			t.Errorf("%q brings the warning %q, want %q", c.asked, got, c.warning)
		}
		r.Directions = engine.Manoeuvres
		if list := Warnings(d.Graph, r.Costing, &r.Options, &r.Output); len(list) != 0 {
			t.Errorf("%q without instructions brings %+v", c.asked, list)
		}
	}
}
