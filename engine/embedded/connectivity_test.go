package embedded_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/towntest"
)

// crossing returns a town of one crossroads, come to from the south over a road with
// tags, and relations of lane connectivity from that road.
func crossing(t *testing.T, tags string, at towntest.Part, relations ...[2]string) *towntest.Town {
	var list towntest.Relations
	for _, r := range relations {
		list = append(list, [2]string{`type=connectivity connectivity="` + r[1] + `"`, "from:ex via:x to:" + r[0]})
	}
	return towntest.Draw(t, `
		      n
		      |
		w-----x-----z
		      |
		      e
		      |
		      s`,
		towntest.Ways{
			{"se", `primary name="South Street"`},
			{"ex", `primary name="South Street" oneway=yes ` + tags},
			{"xn", `primary name="North Street"`},
			{"wx", `secondary name="West Street"`},
			{"xz", `secondary name="East Street"`},
		}, list, at)
}

// lanesFrom returns the lanes of the step that a manoeuvre to a place ends, as
// "left straight!!|right": valid ones with !, active ones with !!.
func lanesFrom(t *testing.T, town *towntest.Town, e engine.Engine, c costing.Costing, to string) string {
	t.Helper()
	text, err := written(e, &engine.RouteRequest{
		Output: engine.Output{Format: engine.OSRM, Steps: true}, Costing: c, Options: chosen(t, c, ""),
		Locations: []engine.Location{{Point: town.Point("s")}, {Point: town.Point(to)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Routes []struct{ Legs []struct{ Steps []laneStep } }
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	var found []string
	for i, s := range a.Routes[0].Legs[0].Steps {
		for k, x := range s.Intersections {
			if len(x.Lanes) == 0 {
				continue
			}
			if i != 0 || k != 0 {
				found = append(found, fmt.Sprintf("step %d, intersection %d:", i, k))
			}
			for _, l := range x.Lanes {
				text := strings.Join(l.Indications, " ")
				switch {
				case l.Active:
					text += "!!"
				case l.Valid:
					text += "!"
				}
				found = append(found, text)
			}
		}
	}
	return strings.Join(found, "|")
}

func TestLanesByConnectivity(t *testing.T) {
	searchtest.Sequential(t)
	all := [][2]string{{"wx", "1:1"}, {"xn", "1:1|2:2"}, {"xz", "3:1"}}
	for _, c := range []struct {
		name      string
		tags      string
		at        towntest.Part
		relations [][2]string
		costing   costing.Costing
		to, want  string
	}{
		{"arrows alone", "turn:lanes=left|through|right", nil, nil, costing.Auto, "w", "left!!|straight|right"},
		{"arrows and relations", "turn:lanes=left|through|right", nil, [][2]string{{"wx", "1:1|2:(2)"}}, costing.Auto, "w", "left!!|straight!|right"},
		{"relations alone", "", nil, all, costing.Auto, "w", "left straight!!|straight|right"},
		{"relations alone, right", "", nil, all, costing.Auto, "z", "left straight|straight|right!!"},
		{"some relations and a number", "lanes=3", nil, all[2:], costing.Auto, "z", "none|none|right!!"},
		{"some relations alone", "", nil, all[2:], costing.Auto, "z", ""},
		{"a value that says nothing", "lanes=3", nil, [][2]string{{"xz", "3:right"}}, costing.Auto, "z", ""},
		{"the lane for buses", "turn:lanes=left|left|through bus:lanes=designated||", nil, nil, costing.Auto, "w", "left|left!!|straight"},
		{"the lane for buses by bus", "turn:lanes=left|left|through bus:lanes=designated||", nil, nil, costing.Bus, "w", "left!!|left!!|straight"},
		{"turning round, traffic on the right", "turn:lanes=reverse;left|through", towntest.At(towntest.Germany), nil, costing.Auto, "w", "uturn left!!|straight"},
		{"turning round, traffic on the left", "turn:lanes=through|right;reverse", nil, nil, costing.Auto, "z", "straight|right uturn!!"},
		{"lanes that merge", "turn:lanes=left|merge_to_right;through|through", nil, nil, costing.Auto, "w", "left!!|straight slight right|straight"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := c.at
			if at == nil {
				at = towntest.At(towntest.England)
			}
			town := crossing(t, c.tags, at, c.relations...)
			e, err := embedded.New(town.Region(t))
			if err != nil {
				t.Fatal(err)
			}
			if got := lanesFrom(t, town, e, c.costing, c.to); got != c.want {
				t.Errorf("lanes %q, want %q", got, c.want)
			}
		})
	}
}

// A real Valhalla reads relations in the words of a draft that nobody maps by:
// what ours makes of the relations in use is ours alone. Where there are arrows
// too and both tell the same, both answer the same.
func TestConnectivityBesideValhalla(t *testing.T) {
	relations := [][2]string{{"wx", "1:1"}, {"xn", "2:1"}, {"xz", "3:1"}}
	for _, tags := range []string{"lanes=3 turn:lanes=left|through|right", "lanes=3"} {
		town := crossing(t, tags, towntest.At(towntest.Germany), relations...)
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		peer := valhalla.New(enginetest.StartValhalla(t, town.PBF(t)).URL, &http.Client{})
		for i, to := range []string{"w", "z"} {
			ours, theirs := lanesFrom(t, town, e, costing.Auto, to), lanesFrom(t, town, peer, costing.Auto, to)
			want := []string{"left", "straight", "right"}
			want[2*i] += "!!"
			if ours != strings.Join(want, "|") {
				t.Errorf("%s to %s: ours %q", tags, to, ours)
			}
			// Theirs hang on the junction itself.
			marked := slices.Contains(strings.FieldsFunc(theirs, func(r rune) bool { return r == '|' }), want[2*i])
			if marked != strings.Contains(tags, "turn:lanes") {
				t.Errorf("%s to %s: theirs %q", tags, to, theirs)
			}
			t.Logf("%s to %s: ours %q, theirs %q", tags, to, ours, theirs)
		}
	}
}
