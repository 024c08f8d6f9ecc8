package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/api/edge"
)

// inside makes a call from inside the process, as g.Send does over HTTP.
func inside(t *testing.T, g *apitest.Gateway, method, path, body, key string) *edge.Result {
	t.Helper()
	c := edge.Invocation{Method: method, Path: path, Key: key}
	if body != "" {
		c.Body = []byte(body)
	}
	if key == "" {
		c.For = httptest.NewRequest("POST", "/", nil)
	}
	r, err := g.Edge.Do(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestInside makes the same calls over HTTP and from inside, each with a key of its own of
// the same kind: answers, prices, refusals and what is counted are the same.
func TestInside(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	g := apitest.Start(t, func(o *api.Options) { o.MaxBody, o.Now = 4000, func() time.Time { return now } })
	for name, c := range map[string]struct {
		minting account.Minting
		key     string // in place of one that is minted
		calls   []string
	}{
		"answers": {calls: []string{
			"POST /route " + plainRoute, "POST /route " + truckRoute, "GET " + crs, "GET /route/v1/car/9.5,47.1;9.6,47.2", "POST /route?estimate=1 " + truckRoute,
			"GET /v1/keys/self", "POST /map-issues " + `{"lat":47,"lon":9,"category":"other"}`,
		}},
		"refused requests": {calls: []string{
			"POST /route {}", "POST /route {", "POST /route?nonsense=1 " + plainRoute, "POST /route " + `{"locations":[{"lat":1,"lon":1},{"lat":2,"lon":2}]}`,
			"POST /route " + strings.Repeat(" ", 4001), "GET /route/v1/car/9.5,47.1", "POST /isochrone " + `{"locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":5}]}`,
			"POST /map-issues?api_key=another " + `{"lat":47,"lon":9,"category":"other"}`,
		}},
		"failures":      {calls: []string{"POST /route " + strings.Replace(plainRoute, `"lat":47.1`, `"name":"gone","lat":47.1`, 1), "POST /route " + strings.Replace(plainRoute, `"lat":47.1`, `"name":"panic","lat":47.1`, 1)}},
		"rate":          {minting: account.Minting{RatePerMin: 1}, calls: []string{"GET " + crs, "GET " + crs, "GET " + crs}},
		"quota":         {minting: account.Minting{MonthlyQuota: 21}, calls: []string{"POST /route " + truckRoute, "POST /route " + truckRoute, "GET " + crs, "GET " + crs, "GET /route/v1/car/9.5,47.1;9.6,47.2"}},
		"scope":         {minting: account.Minting{Scope: account.Maps}, calls: []string{"POST /route " + plainRoute, "GET " + crs}},
		"a wrong key":   {key: "wg_0000000000000000000000000000", calls: []string{"POST /route " + plainRoute}},
		"no key at all": {key: "none", calls: []string{"POST /route " + plainRoute, "GET /v1/keys/self"}},
	} {
		t.Run(name, func(t *testing.T) {
			ids, keys := [2]string{}, [2]string{c.key, c.key}
			switch c.key {
			case "":
				for i := range keys {
					k := g.Minted(t, c.minting)
					ids[i], keys[i] = k.Key.ID, k.Secret
				}
			case "none":
				keys = [2]string{}
			}
			for _, call := range c.calls {
				method, rest, _ := strings.Cut(call, " ")
				path, body, _ := strings.Cut(rest, " ")
				var header []string
				if keys[0] != "" {
					header = apitest.Bearer(keys[0])
				}
				over := g.Send(method, path, body, header...)
				within := inside(t, g, method, path, body, keys[1])
				if within.Status != over.Status || changing.ReplaceAllString(string(over.Body), "") != changing.ReplaceAllString(string(within.Body), "") {
					t.Errorf("%.80s: inside %d %s\nover HTTP %d %s", call, within.Status, within.Body, over.Status, over.Body)
				}
				for _, name := range []string{"Content-Type", "X-Svc-Quota-Units", "Cache-Control", "WWW-Authenticate", "X-Svc-Warnings"} {
					if got, want := within.Header.Get(name), over.Header.Get(name); got != want {
						t.Errorf("%.80s: %s is %q inside and %q over HTTP", call, name, got, want)
					}
				}
			}
			if ids[0] == "" {
				return
			}
			calls, units := g.Units(t, ids[0])
			if c, u := g.Units(t, ids[1]); c != calls || u != units {
				t.Errorf("%d calls of %d units are counted inside, %d of %d over HTTP", c, u, calls, units)
			}
		})
	}
}

// changing are the members of answers that name a key, or something that was made for it.
var changing = regexp.MustCompile(`"(key_id|key_prefix|id)":"[^"]*"`)

// TestInsideSpendsCredit goes into the credit of an account from inside.
func TestInsideSpendsCredit(t *testing.T) {
	g := apitest.Start(t)
	const who = "ann@example.org"
	key, id := g.SignUp(who)
	for path, text := range map[string]string{"/admin/identities/" + who + "/quota": `{"monthly_quota":1,"reason":"small"}`, "/admin/keys/" + id + "/credit": `{"pence":1,"reason":"a penny"}`} {
		if r := g.Send("POST", path, text, apitest.Bearer(apitest.AdminToken)...); r.Status != 200 {
			t.Fatalf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	for i, want := range []float64{1000, 990, 980} {
		if r := inside(t, g, "POST", "/route", plainRoute, key); r.Status != 200 {
			t.Fatalf("call %d: %d %s", i, r.Status, r.Body)
		}
		if r := g.Send("GET", "/v1/keys/self", "", apitest.Bearer(key)...); r.At(t, "credits_millipence") != want {
			t.Errorf("after call %d: %s", i, r.Body)
		}
	}
}

// TestInsideEnds cancels a call from inside: it ends, and costs nothing.
func TestInsideEnds(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{})
	g.Engine.Hold, g.Engine.Ends = make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := g.Edge.Do(ctx, edge.Invocation{Method: "POST", Path: "/route", Body: []byte(plainRoute), Key: k.Secret})
		ended <- err
	}()
	for g.Engine.Asked() == nil {
		select {
		case err := <-ended:
			t.Fatal("the call ended before the engine had it: ", err)
		default:
		}
	}
	cancel()
	if err := <-g.Engine.Ends; !errors.Is(err, context.Canceled) {
		t.Errorf("the engine's call ends with %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ends with %v", err)
	}
	if calls, units := g.Units(t, k.Key.ID); calls+units != 0 {
		t.Errorf("%d calls of %d units were charged", calls, units)
	}
}

// TestInsideRefuses makes calls that have no place inside the process.
func TestInsideRefuses(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{})
	for _, c := range []struct {
		c    edge.Invocation
		want string
	}{
		{edge.Invocation{Method: "POST", Path: "/nowhere"}, "no endpoint"},
		{edge.Invocation{Method: "DELETE", Path: "/route"}, "no endpoint"},
		{edge.Invocation{Method: "GET", Path: "/health"}, "no endpoint"},
		{edge.Invocation{Method: "GET", Path: "/openapi.json"}, "no endpoint"},
		{edge.Invocation{Method: "GET", Path: "/admin/overview"}, "no endpoint"},
		{edge.Invocation{Method: "GET", Path: "/v1/console/keys"}, "no endpoint"},
		{edge.Invocation{Method: "GET", Path: "/tiles/county/0/0/0.mvt"}, "no endpoint"},
		{edge.Invocation{Method: "GET", Path: "/territories/town/1/layers/a/b"}, "no endpoint"},
		{edge.Invocation{Method: "GET", Path: "//coordinates/crs"}, "no endpoint"},
		{edge.Invocation{Method: "GET", Path: "%"}, "invalid URL"},
		{edge.Invocation{Method: "GET", Path: crs, MaxAnswer: 10}, "more than 10 bytes"},
	} {
		c.c.Key = k.Secret
		if r, err := g.Edge.Do(t.Context(), c.c); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %+v, %v", c.c.Method, c.c.Path, r, err)
		}
	}
	if _, err := g.Edge.Do(t.Context(), edge.Invocation{Method: "GET", Path: crs}); err == nil {
		t.Error("a call with neither key nor request is made")
	}
	if calls, _ := g.Units(t, k.Key.ID); calls != 1 {
		t.Errorf("%d calls were charged: the one whose answer was too long is to be", calls)
	}
}

// TestInsideOrigin holds a browser's key to its origins when a page has the call made.
func TestInsideOrigin(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{AllowedOrigins: []string{"https://shop.example"}})
	for origin, want := range map[string]int{"https://shop.example": 200, "https://other.example": 403, "": 403} {
		page := httptest.NewRequest("POST", "/", nil)
		page.Header.Set("Authorization", "Bearer not-this-one")
		if origin != "" {
			page.Header.Set("Origin", origin)
		}
		r, err := g.Edge.Do(t.Context(), edge.Invocation{Method: "GET", Path: crs, Key: k.Secret, For: page})
		if err != nil || r.Status != want {
			t.Errorf("%q: %v, %v", origin, fmt.Sprintf("%+v", r), err)
		}
	}
}
