package route_test

import (
	"context"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/chosen"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// down is an engine that cannot be reached.
type down struct{ engine.Engine }

func (down) Route(context.Context, *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return nil, fault.New(fault.UpstreamUnavailable, "gone")
}

func TestSecondOpinion(t *testing.T) {
	town := towntest.Draw(t, `
		a---b-------c---d
		    |       |
		    e-------f`, towntest.Ways{{"ab", "primary"}, {"bc", "primary tunnel=yes hazmat:adr_tunnel_cat=C"}, {"cd", "primary"}, {"befc", "residential"}})
	roads, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	here := &world.Region{Engine: roads, Second: codeless{roads}, ID: "town", Name: "Town", Bounds: town.Bounds()}
	g := apitest.Start(t, func(o *api.Options) { o.Acquire = apitest.Serves(t, here) })
	k := g.Minted(t, account.Minting{})
	body := `{"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `],"costing":"truck","costing_options":{"truck":{"adr_tunnel_code":"C"}},"compare":true}`
	r := g.Send("POST", "/route", body, apitest.Bearer(k.Secret)...)
	if overlap := r.At(t, "comparison", "overlap").(float64); overlap < 0.2 || overlap > 0.8 {
		t.Errorf("an overlap of %g", overlap)
	}
	if causes := r.At(t, "comparison", "likely_causes").([]any); len(causes) == 0 || causes[0] != "codeless does not heed tunnel codes" {
		t.Errorf("causes %v", causes)
	}
	if units := r.Header.Get("X-Svc-Quota-Units"); units != "40" {
		t.Errorf("it costs %s units, want two computations of a truck", units)
	}
	failing := apitest.Start(t, func(o *api.Options) {
		o.Acquire = apitest.Serves(t, &world.Region{Engine: roads, Second: down{roads}, ID: "town", Name: "Town", Bounds: town.Bounds()})
	})
	r = failing.Send("POST", "/route", body, apitest.Bearer(failing.Minted(t, account.Minting{}).Secret)...)
	if units := r.Header.Get("X-Svc-Quota-Units"); r.At(t, "comparison", "other_refused") != "gone" || units != "20" {
		t.Errorf("with a second engine that fails: %v, and %s units, want those of the route alone", r.At(t, "comparison"), units)
	}
	g.Send("POST", "/route", body).Problem(t, 403, "forbidden")
	alone := apitest.Start(t, func(o *api.Options) {
		o.Acquire = apitest.Serves(t, &world.Region{Engine: roads, ID: "town", Name: "Town", Bounds: town.Bounds()})
	})
	alone.Send("POST", "/route", body, apitest.Bearer(alone.Minted(t, account.Minting{}).Secret)...).Problem(t, 501, "compare-not-enabled")
	rules := chosen.New("town", []chosen.Rule{{Any: true, Engines: []string{"embedded", "codeless"}}}, map[string]engine.Engine{"embedded": roads, "codeless": codeless{roads}})
	ruled := apitest.Start(t, func(o *api.Options) {
		o.Acquire = apitest.Serves(t, &world.Region{Engine: rules, Rules: rules, ID: "town", Name: "Town", Bounds: town.Bounds()})
	})
	plain := `{"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `],"costing":"auto","compare":true}`
	r = ruled.Send("POST", "/route", plain, apitest.Bearer(ruled.Minted(t, account.Minting{}).Secret)...)
	if r.At(t, "comparison", "engine") != "embedded" || r.At(t, "comparison", "other_engine") != "codeless" || r.At(t, "comparison", "overlap") != 1.0 {
		t.Errorf("under rules: %v", r.At(t, "comparison"))
	}
}
