package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// A call that is explained is charged for what was computed, and for no more
// than was free.
func TestRationaleIsMetered(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{MonthlyQuota: 100})
	route := func(costing, options string) string {
		return fmt.Sprintf(`{"costing":%q,"rationale":true,"costing_options":{%q:%s},"locations":[%s,%s]}`, costing, costing, options, apitest.At(town.Point("a")), apitest.At(town.Point("d")))
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
		r := g.Send("POST", "/route", c.body, apitest.Bearer(k.Secret)...)
		h := r.Header
		if r.Status != 200 || h.Get("X-Svc-Rationale-Computations") != c.computed || h.Get("X-Svc-Rationale-Reserved") != c.most || h.Get("X-Svc-Quota-Units") != c.billed {
			t.Errorf("%s: %d, %q of %q computations, %q units; want %s, %s, %s: %s", c.body, r.Status,
				h.Get("X-Svc-Rationale-Computations"), h.Get("X-Svc-Rationale-Reserved"), h.Get("X-Svc-Quota-Units"), c.computed, c.most, c.billed, r.Body)
		}
		if !strings.Contains(string(r.Body), `"rationale":{"method":"route_divergence"`) {
			t.Errorf("no block: %s", r.Body)
		}
	}
	// 47 units are gone. The most of this is 80: it is refused before it runs.
	r := g.Send("POST", "/route", route("truck", `{"height":4,"weight":20}`), apitest.Bearer(k.Secret)...)
	if r.Status != 429 || !strings.Contains(string(r.Body), "quota-exceeded") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if _, units := g.Units(t, k.Key.ID); units != 47 {
		t.Errorf("%d units were charged, want 47", units)
	}
	if r := g.Send("POST", "/route", strings.Replace(route("auto", `{}`), "true", "false", 1), apitest.Bearer(k.Secret)...); strings.Contains(string(r.Body), "rationale") {
		t.Errorf("a block nobody asked for: %s", r.Body)
	}
}

// The pub at a crossing is named where the route turns there, and nowhere else.
func TestLandmarks(t *testing.T) {
	g, town := apitest.Drawn(t)
	route := func(more, to string) apitest.Reply {
		t.Helper()
		r := g.Send("POST", "/route", fmt.Sprintf(`{"costing":"auto",%s"locations":[%s,%s]}`, more, apitest.At(town.Between("a", "b", 0.5)), apitest.At(town.Point(to))))
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return r
	}
	if got := string(route(`"landmarks":true,`, "e").Body); !strings.Contains(got, `"landmarks":{"annotated":1}`) || !strings.Contains(got, `"landmark_instruction":"At The Red Lion, turn right`) {
		t.Errorf("turning at the pub: %s", got)
	}
	if got := string(route(`"landmarks":true,`, "c").Body); !strings.Contains(got, `"landmarks":{"annotated":0}`) || strings.Contains(got, "Red Lion") {
		t.Errorf("going past the pub: %s", got)
	}
	ends := town.Between("a", "b", 0.5)
	r := g.Send("GET", fmt.Sprintf("/route/v1/driving/%.6f,%.6f;%.6f,%.6f?steps=true&landmarks=true", ends.Lon, ends.Lat, town.Point("e").Lon, town.Point("e").Lat), "")
	if got := string(r.Body); r.Status != 200 || strings.Count(got, `"landmark_instruction":"At The Red Lion, turn right`) != 1 {
		t.Errorf("turning at the pub, on the compatible endpoint: %d %s", r.Status, got)
	}
	if got := string(route(`"landmarks":true,"language":"ja-JP",`, "e").Body); !strings.Contains(got, `"landmarks":{"annotated":1}`) {
		t.Errorf("in the language that the instructions are in: %s", got)
	}
	if got := string(route(`"landmarks":false,`, "e").Body); strings.Contains(got, "landmark") {
		t.Errorf("a block nobody asked for: %s", got)
	}
}
