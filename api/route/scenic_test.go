package route_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// lakeside returns a gateway over a town with a motorway, a road beside a lake, and a lane to a
// place h that no motorway leads to.
func lakeside(t *testing.T) (*apitest.Gateway, *towntest.Town) {
	t.Helper()
	town := towntest.Draw(t, `
		h-oam---------------------------------------ndg

		   e----------------------------------------f
		      p                                 q

		      s                                 r`,
		towntest.Ways{
			{"ho", "residential"},
			{"oam", "primary maxspeed=80"},
			{"mn", "motorway maxspeed=80"},
			{"ndg", "primary maxspeed=80"},
			{"ae", "primary maxspeed=30"},
			{"ef", "primary maxspeed=90"},
			{"fd", "primary maxspeed=30"},
			{"pqrsp", "natural=water water=lake name=Mere"},
		})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "map.pmtiles")
	if _, err := basemap.Build(t.Context(), basemap.Options{Sources: []string{town.PBF(t)}, Out: out, Progress: func(string, int64, int64) {}}); err != nil {
		t.Fatal(err)
	}
	tiles, err := tileset.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tiles.Close() }) // read only
	pub := landmark.Place{At: geo.Destination(town.Point("a"), 200, 15), Name: "The Mere Inn", Category: "amenity=pub"}
	r := &world.Region{
		Engine: e, ID: "town", Name: "Town", Bounds: town.Bounds(), Surroundings: surroundings.New(tiles),
		Landmarks: &landmarks.Service{Index: landmark.Build([]landmark.Place{pub})},
	}
	return apitest.Start(t, func(o *api.Options) { o.Acquire = apitest.Serves(t, r) }), town
}

// without returns an answer without its scenic block.
func without(t *testing.T, body []byte) map[string]json.RawMessage {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		t.Fatal(err)
	}
	delete(all, "scenic")
	return all
}

func TestScenic(t *testing.T) {
	g, town := lakeside(t)
	from := func(places string) string {
		var list []string
		for _, p := range places {
			list = append(list, apitest.At(town.Point(string(p))))
		}
		return `"costing":"auto","locations":[` + strings.Join(list, ",") + `]`
	}
	for _, c := range []struct {
		name, body, scenic string
		units              string // that are charged
		chosen             string
	}{
		{"in the usual form", from("og"), `true`, "3", "scenic"},
		{"as an object", from("og"), `{}`, "3", "scenic"},
		{"with time enough", from("og"), `{"max_extra_minutes":120}`, "3", "scenic"},
		{"without time", from("og"), `{"max_extra_minutes":0}`, "3", "fastest"},
		{"in OSRM's form", from("og") + `,"format":"osrm"`, `true`, "3", "scenic"},
		{"with alternates", from("og") + `,"alternates":2,"id":"mine"`, `true`, "2", "scenic"},
		{"without directions and lines", from("og") + `,"directions_type":"none","shape_format":"no_shape"`, `true`, "3", "scenic"},
		{"in German and miles", from("og") + `,"language":"de-DE","units":"miles"`, `true`, "3", "scenic"},
		{"three places", from("oag"), `true`, "2", "scenic"},
		{"where no motorway is", from("ha"), `true`, "2", "fastest"}, // one of two probes is given back
		{"three places where no motorway is", from("hoa"), `true`, "1", "fastest"},
		{"with a reason asked for", from("og") + `,"rationale":true,"exclude":["tolls"]`, `true`, "4", "scenic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain := g.Send("POST", "/route", `{`+c.body+`}`)
			for _, off := range []string{`false`, `null`} {
				if r := g.Send("POST", "/route", `{`+c.body+`,"scenic":`+off+`}`); !bytes.Equal(r.Body, plain.Body) || r.Header.Get("X-Svc-Quota-Units") != plain.Header.Get("X-Svc-Quota-Units") {
					t.Errorf("%s is not as without: %s", off, r.Body)
				}
			}
			r := g.Send("POST", "/route", `{`+c.body+`,"scenic":`+c.scenic+`}`)
			if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != c.units || r.At(t, "scenic", "chosen") != c.chosen {
				t.Fatalf("%d %s %s", r.Status, r.Header.Get("X-Svc-Quota-Units"), r.Body)
			}
			before, after := without(t, plain.Body), without(t, r.Body)
			if len(before) != len(after) {
				t.Errorf("%d members, %d without scenic", len(after), len(before))
			}
			for name := range before {
				if !bytes.Equal(before[name], after[name]) {
					t.Errorf("%s is not as without scenic: %s, %s", name, after[name], before[name])
				}
			}
			alternative, ok := r.At(t, "scenic").(map[string]any)["alternative"].(map[string]any)
			if ok != (c.chosen == "scenic") {
				t.Fatalf("%s", r.Body)
			}
			if !ok {
				return
			}
			fast, length := 0.0, 0.0
			if strings.Contains(c.body, "osrm") {
				routes := alternative["routes"].([]any)
				length, fast = routes[0].(map[string]any)["distance"].(float64), r.At(t, "routes").([]any)[0].(map[string]any)["distance"].(float64)
				if len(routes) != 1 || alternative["code"] != "Ok" {
					t.Errorf("%v", alternative)
				}
			} else {
				of := func(trip any) float64 {
					return trip.(map[string]any)["summary"].(map[string]any)["length"].(float64)
				}
				length, fast = of(alternative["trip"]), of(r.At(t, "trip"))
				if len(alternative) != 1 {
					t.Errorf("%v", alternative)
				}
			}
			if length <= fast {
				t.Errorf("the scenic route of %v is no longer than the fastest of %v", length, fast)
			}
			spoken, start := r.At(t, "scenic", "comparison", "spoken").(string), "The scenic route takes"
			if strings.Contains(c.body, "de-DE") {
				start = "Die landschaftlich schöne Strecke dauert"
			}
			if !strings.HasPrefix(spoken, start) || strings.Contains(c.body, "de-DE") != strings.Contains(spoken, "Meilen") {
				t.Error(spoken)
			}
		})
	}
	if r := g.Send("POST", "/route?estimate=1", `{`+from("og")+`,"scenic":true}`); r.At(t, "units") != 3.0 {
		t.Errorf("%s", r.Body)
	}
	if r := g.Send("POST", "/route", `{`+from("og")+`,"scenic":true,"rationale":true,"exclude":["tolls"]}`); fmt.Sprint(r.Header["X-Svc-Rationale-Computations"]) != "[2]" {
		t.Error(r.Header)
	}
}

// TestScenicIsAnnotated asks for what a route has beside it: the scenic one has that too.
func TestScenicIsAnnotated(t *testing.T) {
	g, town := lakeside(t)
	places := `"costing":"auto","locations":[` + apitest.At(town.Point("o")) + `,` + apitest.At(town.Point("g")) + `]`
	for _, more := range []string{``, `,"alternates":2`, `,"format":"osrm"`} {
		r := g.Send("POST", "/route", `{`+places+more+`,"scenic":true,"traffic":true,"landmarks":true}`)
		if r.Status != 200 || r.At(t, "scenic", "chosen") != "scenic" {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		alternative, err := json.Marshal(r.At(t, "scenic", "alternative"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"traffic":{`, `"landmark_instruction":"At The Mere Inn, `} {
			if n := strings.Count(string(alternative), want); n != 1 {
				t.Errorf("%s: %d times %s in %s", more, n, want, alternative)
			}
		}
		plain := g.Send("POST", "/route", `{`+places+more+`,"scenic":true}`)
		if a := fmt.Sprint(plain.At(t, "scenic", "alternative")); strings.Contains(a, "traffic") || strings.Contains(a, "landmark") {
			t.Errorf("%s: what was not asked for: %s", more, a)
		}
	}
}
