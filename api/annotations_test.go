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
		{strings.Replace(route("auto", `{"use_tolls":0}`), "{", `{"format":"osrm",`, 1), "2", "2", "2"},
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
	// 47 units are gone. The most of this is 80: it is refused before it runs.
	r := g.send("POST", "/route", route("truck", `{"height":4,"weight":20}`), bearer(k.Secret)...)
	if r.status != 429 || !strings.Contains(string(r.body), "quota-exceeded") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if _, units := g.units(t, k.Key.ID); units != 47 {
		t.Errorf("%d units were charged, want 47", units)
	}
	if r := g.send("POST", "/route", strings.Replace(route("auto", `{}`), "true", "false", 1), bearer(k.Secret)...); strings.Contains(string(r.body), "rationale") {
		t.Errorf("a block nobody asked for: %s", r.body)
	}
}

// The pub at a crossing is named where the route turns there, and nowhere else.
func TestLandmarks(t *testing.T) {
	g, town := drawn(t)
	route := func(more, to string) reply {
		t.Helper()
		r := g.send("POST", "/route", fmt.Sprintf(`{"costing":"auto",%s"locations":[%s,%s]}`, more, at(town.Between("a", "b", 0.5)), at(town.Point(to))))
		if r.status != 200 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		return r
	}
	if got := string(route(`"landmarks":true,`, "e").body); !strings.Contains(got, `"landmarks":{"annotated":1}`) || !strings.Contains(got, `"landmark_instruction":"At The Red Lion, turn right`) {
		t.Errorf("turning at the pub: %s", got)
	}
	if got := string(route(`"landmarks":true,`, "c").body); !strings.Contains(got, `"landmarks":{"annotated":0}`) || strings.Contains(got, "Red Lion") {
		t.Errorf("going past the pub: %s", got)
	}
	ends := town.Between("a", "b", 0.5)
	r := g.send("GET", fmt.Sprintf("/route/v1/driving/%.6f,%.6f;%.6f,%.6f?steps=true&landmarks=true", ends.Lon, ends.Lat, town.Point("e").Lon, town.Point("e").Lat), "")
	if got := string(r.body); r.status != 200 || strings.Count(got, `"landmark_instruction":"At The Red Lion, turn right`) != 1 {
		t.Errorf("turning at the pub, on the compatible endpoint: %d %s", r.status, got)
	}
	if got := string(route(`"landmarks":true,"language":"ja-JP",`, "e").body); !strings.Contains(got, `"landmarks":{"annotated":1}`) {
		t.Errorf("in the language that the instructions are in: %s", got)
	}
	if got := string(route(`"landmarks":false,`, "e").body); strings.Contains(got, "landmark") {
		t.Errorf("a block nobody asked for: %s", got)
	}
}
