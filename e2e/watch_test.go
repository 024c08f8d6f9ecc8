package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/waittest"
)

// TestWatches has a route watched by a gateway that is killed before the closure
// comes and before it goes: each is reported once, signed, with the old and the new time,
// and the first with the best way of then.
func TestWatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	feed := filepath.Join(dir, "incidents.json")
	publish := func(records ...fields) {
		t.Helper()
		text, err := json.Marshal(fields{"full": true, "records": records})
		if err == nil {
			err = os.WriteFile(feed, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	from, to := countyPlace(t, "Stannerford"), countyPlace(t, "Port Gwillan")
	ends := []fields{{"lat": from.Lat, "lon": from.Lon}, {"lat": to.Lat, "lon": to.Lon}}
	works := fields{"id": "works", "kind": "roadworks", "lat": to.Lat, "lon": to.Lon, "heading": 90}
	publish(works)
	env := []string{
		"SVC_REGION_DIR=" + countyDir(t), "SVC_ADMIN_TOKEN=" + adminToken, "SVC_INCIDENTS=" + feed, "SVC_WEBHOOKS_PRIVATE=true",
		"SVC_DATABASE_URL=sqlite:" + filepath.Join(dir, "accounts.db"), "SVC_DATA_DIR=" + filepath.Join(dir, "data"),
	}
	g, err := launch(env, "serve")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.kill() })
	key, _ := mint(t, g, 1e9, 1e6)
	hooks := listen(t)
	hooks.secret = reply[struct{ Secret string }](t, g, 200, http.MethodPost, "/v1/keys/self/webhook-secret", key, fields{}).Secret
	type record struct {
		ID       string
		Shape    string
		Duration float64 `json:"duration_s"`
		Closed   bool
		Told     int
	}
	w := reply[record](t, g, 200, http.MethodPost, "/v1/watches", key, fields{"locations": ends, "webhook_url": hooks.url, "threshold_s": 30})
	line, err := geo.DecodePolyline(w.Shape, 6)
	if err != nil || w.Duration <= 0 || w.Told != 0 {
		t.Fatalf("%+v %v", w, err)
	}
	// Asked what they would cost, routes are not watched.
	for _, route := range []fields{{"locations": ends}, {"shape": w.Shape}} {
		route["webhook_url"] = hooks.url
		if e := reply[struct{ Units int }](t, g, 200, http.MethodPost, "/v1/watches?estimate=1", key, route); e.Units != 1 {
			t.Errorf("%+v", e)
		}
	}
	if list := reply[struct{ Watches []record }](t, g, 200, http.MethodGet, "/v1/watches", key, nil).Watches; len(list) != 1 || list[0].ID != w.ID {
		t.Errorf("%+v", list)
	}

	type change struct {
		Type string
		Data struct {
			ID          string   `json:"watch_id"`
			Reason      string   `json:"reason"`
			Old         *float64 `json:"old_duration_s"`
			New         *float64 `json:"new_duration_s"`
			Closures    []any    `json:"closures"`
			Alternative *struct {
				Duration float64 `json:"duration_s"`
			} `json:"alternative"`
		}
	}
	// A webhook that is sent again after a kill has the same id.
	known := map[string]bool{}
	next := func() (c change) {
		t.Helper()
		for deadline := time.After(waittest.Patience); ; {
			select {
			case h := <-hooks.heard:
				h.signed(t, hooks.secret)
				if known[h.id] {
					continue
				}
				known[h.id] = true
				if err := json.Unmarshal(h.body, &c); err != nil {
					t.Fatal(err)
				}
				return c
			case <-deadline:
				t.Fatalf("no webhook comes\n%s", g.log.String())
			}
		}
	}

	g.kill()
	middle := len(line) / 2
	publish(works, fields{"id": "shut", "kind": "closure", "closed": true, "shape": geo.EncodePolyline(line[middle-8:middle+8], 6)})
	if g, err = launch(env, "serve"); err != nil {
		t.Fatal(err)
	}
	c := next()
	if c.Type != "watch.changed" || c.Data.ID != w.ID || c.Data.Reason != "closure" || c.Data.Old == nil || *c.Data.Old != w.Duration || c.Data.New != nil || len(c.Data.Closures) == 0 || c.Data.Alternative == nil || c.Data.Alternative.Duration <= w.Duration {
		t.Errorf("of the closure it tells %+v", c)
	}

	g.kill()
	publish(works)
	if g, err = launch(env, "serve"); err != nil {
		t.Fatal(err)
	}
	if c = next(); c.Data.Reason != "reopened" || c.Data.Old != nil || c.Data.New == nil || *c.Data.New != w.Duration {
		t.Errorf("of its end it tells %+v", c)
	}
	if w = reply[record](t, g, 200, http.MethodGet, "/v1/watches/"+w.ID, key, nil); w.Told != 2 || w.Closed {
		t.Errorf("it stands as %+v", w)
	}
	g.send(t, http.MethodDelete, "/v1/watches/"+w.ID, "", bearer(key))
	reply[fields](t, g, 404, http.MethodGet, "/v1/watches/"+w.ID, key, nil)
}
