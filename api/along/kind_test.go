package along_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// shops adds places to a town beside its roads.
func shops(t *testing.T) func(*towntest.Town, *world.Region) {
	return func(town *towntest.Town, r *world.Region) {
		var b build.Builder
		for i, s := range []struct{ name, category, hours, at string }{
			{"Bridge Filling", "fuel", "24/7", "e"}, {"High Fuels", "fuel", "Mo 03:00-03:01", "c"}, {"Mill Bakery", "bakery", "", "f"}, {"", "fuel", "", "g"},
		} {
			e := build.Entry{Kind: place.POI, Source: place.Node, Number: int64(i + 1), At: town.Point(s.at).Fix(), Categories: []string{s.category, "amenity"}}
			if s.name != "" {
				e.Names = []place.Name{{Text: s.name}}
			}
			if s.hours != "" {
				e.Details = []place.Detail{{Key: "opening_hours", Value: s.hours}}
			}
			b.Add(&e)
		}
		x, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.Places = find.New(x)
	}
}

func TestAlongAKind(t *testing.T) {
	g, town := apitest.DrawnWith(t, shops(t))
	way := `"costing":"pedestrian","locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `]`
	for _, kind := range []string{"petrol station", "Tankstellen", "fuel", "the nearest petrol stations"} {
		r := g.Send("POST", "/route/along", `{`+way+`,"kind":"`+kind+`"}`)
		if r.Status != 200 {
			t.Fatalf("%s: %d %s", kind, r.Status, r.Body)
		}
		var names []string
		for _, p := range r.At(t, "places").([]any) {
			name, _ := p.(map[string]any)["name"].(string)
			names = append(names, name)
		}
		if strings.Join(names, ", ") != "High Fuels, Bridge Filling, " {
			t.Errorf("%s: %q", kind, names)
		}
	}
	near := g.Send("POST", "/route/along", `{`+way+`,"kind":"petrol station","corridor_m":100}`)
	if n := len(near.At(t, "places").([]any)); n != 1 || geo.Distance(town.Point("b"), town.Point("e")) < 100 {
		t.Errorf("within 100 m: %s", near.Body)
	}
	open := g.Send("POST", "/route/along", `{`+way+`,"kind":"petrol station","open_now":true}`)
	list := open.At(t, "places").([]any)
	if len(list) != 2 || list[0].(map[string]any)["properties"].(map[string]any)["open_now"] != true {
		t.Errorf("open: %s", open.Body)
	}
	for body, says := range map[string]string{
		`"kind":"petrol sation"`:                       "is it petrol station",
		`"kind":"qwertyuiop"`:                          "is no kind of place",
		`"kind":"fuel","dataset":"own"`:                "stands beside",
		`"kind":"fuel","places":[{"lat":1,"lon":1}]`:   "stands beside",
		`"open_now":true,"places":[{"lat":1,"lon":1}]`: "needs kind",
	} {
		if p := g.Send("POST", "/route/along", `{`+way+`,`+body+`}`).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %v", body, p["detail"])
		}
	}
}

func TestAlongAKindWithoutPlaces(t *testing.T) {
	g, town := apitest.Drawn(t)
	body := `{"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `],"kind":"fuel"}`
	g.Send("POST", "/route/along", body).Problem(t, 501, "geocoding-not-enabled")
}
