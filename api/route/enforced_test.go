package route_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/audited"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// codeless is an engine that enforces no tunnel codes.
type codeless struct{ engine.Engine }

func (c codeless) Can() engine.Can {
	can := c.Engine.Can()
	can.Name, can.TunnelCodes = "codeless", false
	return can
}

func (c codeless) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	q := *r
	q.Costing, q.Options = costing.Auto, costing.Settings{}
	q.Want &^= engine.WantTunnels
	return c.Engine.Route(ctx, &q)
}

// TestWhoEnforcesTunnelCodes asks one question of an engine that enforces codes, of one that
// does not, and of one that does not beside a region.
func TestWhoEnforcesTunnelCodes(t *testing.T) {
	town := towntest.Draw(t, `
		a---b-------c---d----t---u
		    |       |
		    e-------f`, towntest.Ways{
		{"ab", "primary"},
		{"bc", "primary tunnel=yes hazmat:adr_tunnel_cat=C"},
		{"cd", "primary"},
		{"befc", "residential"},
		{"dt", "primary tunnel=yes hazmat:adr_tunnel_cat=B"},
		{"tu", "primary"},
	})
	roads, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	point := func(p string) string { return fmt.Sprintf("%.6f,%.6f", town.Point(p).Lon, town.Point(p).Lat) }
	for name, c := range map[string]struct {
		engine         engine.Engine
		by             string
		around, refuse bool
	}{
		"embedded":                {roads, "engine", true, true},
		"remote":                  {codeless{roads}, "none", false, false},
		"remote, beside a region": {audited.New(codeless{roads}, roads), "gateway", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := apitest.Start(t, func(o *api.Options) {
				o.Acquire = apitest.Serves(t, &world.Region{Engine: c.engine, ID: "town", Name: "Town", Bounds: town.Bounds()})
			})
			k := g.Minted(t, account.Minting{})
			ask := func(to, code string) apitest.Reply {
				body := `{"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point(to)) + `],"costing":"truck","adr":{"dimensions":{"height_m":3,"width_m":2,"length_m":8,"gross_weight_t":12},"hazmat":true,"tunnel_code":` + code + `}}`
				return g.Send("POST", "/route", body, apitest.Bearer(k.Secret)...)
			}
			r := ask("d", `"C/D"`)
			if by := r.At(t, "adr", "enforced_by"); by != c.by {
				t.Errorf("enforced by %v, want %s", by, c.by)
			}
			if tunnels := r.At(t, "adr", "tunnels").([]any); len(tunnels) > 0 == c.around && c.by != "none" {
				t.Errorf("tunnels %v", tunnels)
			}
			if said := strings.Contains(string(r.Body), "asked 2 times until its route was legal"); said != (c.by == "gateway") {
				t.Errorf("the answer says of what was asked: %t: %s", said, r.Body)
			}
			if c.refuse {
				p := ask("u", `"B"`).Problem(t, 400, "upstream-error")
				blocked, _ := p["blocked_by"].(map[string]any)
				if p["error_code"] != 442.0 || blocked["constraint"] != "adr_tunnel_code" || fmt.Sprintf("%.0f", blocked["way_id"]) == "" {
					t.Errorf("refused with %v", p)
				}
			}
			url := "/route/v1/truck/" + point("a") + ";" + point("d") + "?tunnel_code=C%2FD&overview=full"
			length := func(url string) float64 {
				r := g.Send("GET", url, "", apitest.Bearer(k.Secret)...)
				return r.At(t, "routes").([]any)[0].(map[string]any)["distance"].(float64)
			}
			metres, direct := length(url), length("/route/v1/truck/"+point("a")+";"+point("d")+"?tunnel_code=(%E2%80%94)")
			if c.around != (metres > direct+1) {
				t.Errorf("in OSRM's form the load goes %g m, and without a code %g m", metres, direct)
			}
			if c.refuse {
				g.Send("GET", "/route/v1/truck/"+point("a")+";"+point("u")+"?tunnel_code=B", "", apitest.Bearer(k.Secret)...).Envelope(t, 442, "NoRoute")
			}
			if r := ask("d", `"(—)"`); r.At(t, "adr", "enforced_by") != c.by {
				t.Errorf("a load that may pass all: %s", r.Body)
			}
			if r := ask("d", `null`); r.At(t, "adr", "enforced_by") != c.by {
				t.Errorf("a dangerous load without a code: %s", r.Body)
			}
		})
	}
}
