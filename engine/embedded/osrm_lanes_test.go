package embedded_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/towntest"
)

type lane struct {
	Indications   []string
	Valid, Active bool
}

type laneStep struct {
	Distance float64
	Maneuver struct{ Type, Modifier string }
	Banners  []struct {
		At  float64 `json:"distanceAlongGeometry"`
		Sub *struct {
			Components []struct {
				Type       string
				Directions []string
				Active     bool
				Direction  string `json:"active_direction"`
			}
		}
	} `json:"bannerInstructions"`
	Intersections []struct{ Lanes []lane }
}

// The step before a manoeuvre carries its lanes on its first intersection and
// nowhere else, and the banner of that step shows them.
func TestLanesStandBeforeTheirManoeuvre(t *testing.T) {
	town := towntest.Draw(t, `
		            k
		            |
		a--b--c--d--e--f--g
		            |
		            |
		            h`,
		towntest.Ways{
			{"abcd", `primary name="Long Road"`},
			{"de", `primary name="Long Road" oneway=yes lanes=3 turn:lanes=left|through|through;right`},
			{"efg", `primary name="Far Road"`},
			{"eh", `secondary name="South Street"`},
			{"ek", `secondary name="North Street"`},
		}, towntest.Cell(200))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	text, err := written(e, &engine.RouteRequest{
		Output: engine.Output{Format: engine.OSRM, Steps: true, Banners: true, Voice: true}, Costing: costing.Auto, Options: chosen(t, costing.Auto, ""),
		Locations: []engine.Location{{Point: town.Point("a")}, {Point: town.Point("h")}},
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
	steps := a.Routes[0].Legs[0].Steps
	want := []lane{{[]string{"left"}, false, false}, {[]string{"straight"}, false, false}, {[]string{"straight", "right"}, true, true}}
	for i, s := range steps {
		before := i+1 < len(steps) && steps[i+1].Maneuver.Modifier == "right"
		for k, x := range s.Intersections {
			if has := len(x.Lanes) > 0; has != (before && k == 0) {
				t.Errorf("step %d (%+v), intersection %d has the lanes %+v", i, s.Maneuver, k, x.Lanes)
			}
			if len(x.Lanes) > 0 && !reflect.DeepEqual(x.Lanes, want) {
				t.Errorf("the lanes are %+v, want %+v", x.Lanes, want)
			}
		}
		if !before {
			continue
		}
		if len(s.Banners) != 2 || s.Banners[0].Sub != nil || s.Banners[1].Sub == nil {
			t.Fatalf("the banners of %g m are %+v", s.Distance, s.Banners)
		}
		for k, c := range s.Banners[1].Sub.Components {
			if c.Type != "lane" || c.Active != want[k].Active || !reflect.DeepEqual(c.Directions, want[k].Indications) || (c.Direction == "right") != c.Active {
				t.Errorf("lane %d of the banner is %+v", k, c)
			}
		}
	}
	if len(steps) != 3 {
		t.Errorf("%d steps: %+v", len(steps), steps)
	}
}
