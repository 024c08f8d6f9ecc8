package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
)

// A call that is explained is charged for what was computed, and for no more
// than was free.
func TestRationaleIsMetered(t *testing.T) {
	g, town := drawn(t)
	k := g.minted(t, account.Minting{MonthlyQuota: 100})
	route := func(costing, options string) string {
		return fmt.Sprintf(`{"costing":%q,"rationale":true,"costing_options":{%q:%s},"locations":[%s,%s]}`, costing, costing, options, at(town.Point("a")), at(town.Point("d")))
	}
	for _, c := range []struct {
		body                   string
		computed, most, billed string
	}{
		{route("auto", `{}`), "1", "1", "1"},
		{route("auto", `{"use_tolls":0}`), "2", "2", "2"},
		{route("auto", `{"use_tolls":0,"use_highways":0}`), "2", "4", "2"},
		{route("truck", `{"height":4}`), "2", "40", "40"},
	} {
		r := g.send("POST", "/route", c.body, bearer(k.Secret)...)
		h := r.header
		if r.status != 200 || h.Get("X-Svc-Rationale-Computations") != c.computed || h.Get("X-Svc-Rationale-Reserved") != c.most || h.Get("X-Svc-Quota-Units") != c.billed {
			t.Errorf("%s: %d, %q of %q computations, %q units; want %s, %s, %s: %s", c.body, r.status,
				h.Get("X-Svc-Rationale-Computations"), h.Get("X-Svc-Rationale-Reserved"), h.Get("X-Svc-Quota-Units"), c.computed, c.most, c.billed, r.body)
		}
		if !strings.Contains(string(r.body), `"rationale":{"method":"route_divergence"`) {
			t.Errorf("no block: %s", r.body)
		}
	}
	// 45 units are gone. The most of this is 80: it is refused before it runs.
	r := g.send("POST", "/route", route("truck", `{"height":4,"weight":20}`), bearer(k.Secret)...)
	if r.status != 429 || !strings.Contains(string(r.body), "quota-exceeded") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if _, units := g.units(t, k.Key.ID); units != 45 {
		t.Errorf("%d units were charged, want 45", units)
	}
	if r := g.send("POST", "/route", strings.Replace(route("auto", `{}`), "true", "false", 1), bearer(k.Secret)...); strings.Contains(string(r.body), "rationale") {
		t.Errorf("a block nobody asked for: %s", r.body)
	}
}
