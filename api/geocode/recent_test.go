package geocode_test

import (
	"net/url"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// TestRecent picks the last of some suggestions: it comes first from then on for the key that
// asked for that, and for no other.
func TestRecent(t *testing.T) {
	g := served(t)
	key := apitest.Bearer(g.Minted(t, account.Minting{}).Secret)
	other := apitest.Bearer(g.Minted(t, account.Minting{}).Secret)
	const ask = "/geocode/suggest?q=newport&limit=5"
	last := properties(t, g.Send("GET", ask, "", key...), 4)
	pick := func() {
		t.Helper()
		if r := g.Send("GET", "/geocode/selection?id="+url.QueryEscape(last["id"].(string)), "", key...); r.Status != 204 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	first := func(key []string) apitest.Object { t.Helper(); return properties(t, g.Send("GET", ask, "", key...), 0) }
	pick()
	if p := first(key); p["id"] == last["id"] || p["recent"] != nil {
		t.Errorf("without having asked: %v", p)
	}
	if r := g.Send("GET", "/geocode/recent", "", key...); r.Status != 200 || r.At(t, "remember") != false || len(r.At(t, "places").([]any)) != 0 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := g.Send("PUT", "/geocode/recent", "", key...); r.Status != 200 || r.At(t, "remember") != true {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	pick()
	if p := first(key); p["id"] != last["id"] || p["recent"] != true {
		t.Errorf("%v, want %v first", p, last["id"])
	}
	if p := first(other); p["id"] == last["id"] || p["recent"] != nil {
		t.Errorf("another key: %v", p)
	}
	if r := g.Send("GET", "/geocode/recent", "", key...); len(r.At(t, "places").([]any)) != 1 {
		t.Errorf("%s", r.Body)
	}
	if r := g.Send("DELETE", "/geocode/recent", "", key...); r.Status != 204 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if p := first(key); p["id"] == last["id"] {
		t.Errorf("after it is forgotten: %v", p)
	}
	g.Send("PUT", "/geocode/recent", "", apitest.Bearer(g.Minted(t, account.Minting{Scope: account.Maps}).Secret)...).Problem(t, 403, "scope-insufficient")
	g.Send("PUT", "/geocode/recent", "").Problem(t, 401, "unauthorized")
}
