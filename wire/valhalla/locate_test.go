package valhalla_test

import (
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/valhalla"
)

func TestWarningsJoinTheFirstPlace(t *testing.T) {
	warnings := []engine.Warning{{Code: 901, Text: "one"}}
	const warning = `"warnings":[{"code":901,"text":"one"}]`
	for _, c := range []struct {
		answer, want string
		places       int
	}{
		{`[{"edges":null}, {"edges":[]}]`, `[{"edges":null,` + warning + `}, {"edges":[]}]`, 2},
		{`[ { } ]`, `[ { ` + warning + `} ]`, 1},
		{`[{"a":{"b":[1 , 2]} }]`, `[{"a":{"b":[1 , 2]} ,` + warning + `}]`, 1},
	} {
		r, a := &engine.LocateRequest{Locations: make([]engine.Location, c.places)}, &engine.LocateAnswer{Raw: []byte(c.answer)}
		if plain, err := valhalla.WriteLocate(r, a, nil); err != nil || string(plain) != c.answer {
			t.Errorf("without warnings %s becomes %s (%v)", c.answer, plain, err)
		}
		if got, err := valhalla.WriteLocate(r, a, warnings); err != nil || string(got) != c.want {
			t.Errorf("%s becomes %s (%v), want %s", c.answer, got, err, c.want)
		}
	}
	for _, bad := range []string{`[]`, `[1]`, `{}`} {
		if _, err := valhalla.WriteLocate(&engine.LocateRequest{Locations: make([]engine.Location, 1)}, &engine.LocateAnswer{Raw: []byte(bad)}, warnings); !fault.Is(err, fault.Upstream) {
			t.Errorf("%s is taken for an answer (%v)", bad, err)
		}
	}
	own := &engine.LocateAnswer{Places: make([]engine.Located, 2)}
	got, err := valhalla.WriteLocate(&engine.LocateRequest{Locations: make([]engine.Location, 2)}, own, warnings)
	if want := `[{"input_lat":0,"input_lon":0,"edges":null,"nodes":null,` + warning + `},{"input_lat":0,"input_lon":0,"edges":null,"nodes":null}]`; err != nil || string(got) != want {
		t.Errorf("%s (%v), want %s", got, err, want)
	}
}
