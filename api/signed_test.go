package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/feature/pointclouds"
)

// signs returns a signed address without its server.
func signs(t *testing.T, g *apitest.Gateway, key string, body map[string]any) string {
	t.Helper()
	r := g.Send("POST", "/v1/signed-addresses", apitest.Body(body), apitest.Bearer(key)...)
	if r.Status != 201 || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%v: %d %s", body, r.Status, r.Body)
	}
	path := r.At(t, "path").(string)
	assert.Assert(t, strings.HasSuffix(r.At(t, "address").(string), path))
	assert.Assert(t, strings.HasPrefix(path, "/signed/"))
	return path
}

// TestSignedAddresses opens files of a point cloud by addresses without a key.
func TestSignedAddresses(t *testing.T) {
	clock := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	c := &clouds{dir: t.TempDir()}
	c.Gateway = apitest.Start(t, func(o *api.Options) {
		o.Clouds = &pointclouds.Service{Store: blob.NewFolder(c.dir)}
		o.Now = func() time.Time { return clock }
	})
	key, other := c.Minted(t, account.Minting{MonthlyQuota: 3}), c.Minted(t, account.Minting{})
	c.dataset(t, "ours", fmt.Sprintf(`"key_ids":[%q]`, key.Key.ID), bytesOf(1_500_000))
	below := signs(t, c.Gateway, key.Secret, map[string]any{"path": "/pointclouds/ours/"})
	one := signs(t, c.Gateway, key.Secret, map[string]any{"path": "/pointclouds/ours/a470.copc.laz", "expires_in_s": 60, "origin": "HTTPS://Maps.example.org:443"})
	for _, a := range []string{below, one} {
		for _, of := range []string{key.Secret, key.Key.ID, account.Hash(key.Secret), strings.TrimPrefix(key.Secret, "wg_")} {
			assert.Assert(t, !strings.Contains(a, of), a)
		}
	}
	assert.Equal(t, signs(t, c.Gateway, key.Secret, map[string]any{"path": "/pointclouds/ours/"}), below)

	// It answers as the path does, and the key pays.
	r := c.Send("GET", below+"a470.copc.laz", "", "Range", "bytes=0-588")
	if r.Status != 206 || len(r.Body) != 589 || cost(t, r) != 1 || r.Header.Get("Content-Range") != "bytes 0-588/1500000" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if r = c.Send("HEAD", below+"a470.bin", ""); r.Status != 200 || r.Header.Get("Content-Length") != "1500000" {
		t.Fatalf("HEAD: %d", r.Status)
	}
	self := c.Send("GET", "/v1/keys/self", "", apitest.Bearer(key.Secret)...)
	assert.Equal(t, self.At(t, "used_this_month"), 1.)

	from := []string{"Origin", "https://maps.example.org"}
	assert.Equal(t, c.Send("GET", one, "", append(from, "Range", "bytes=0-0")...).Status, 206)
	assert.Equal(t, c.Send("GET", one, "", "Referer", "https://maps.example.org/page", "Range", "bytes=0-0").Status, 206)
	c.Send("GET", one, "", "Origin", "https://elsewhere.example").Problem(t, 403, "origin-not-allowed")
	c.Send("GET", one, "").Problem(t, 403, "origin-not-allowed")

	// Addresses that were changed, other paths, and keys in the wrong place open nothing.
	changed := []byte(below)
	changed[20] ^= 1
	for _, path := range []string{
		string(changed) + "a470.bin", "/signed", "/signed/", "/signed/x", "/signed//pointclouds/ours/a470.bin", "/signed/" + key.Secret + "/pointclouds/ours/a470.bin",
		strings.Replace(below, "/ours/", "/open/", 1) + "a470.bin", strings.Replace(one, ".copc.laz", ".bin", 1), one + "?x=1", below + "../open/a470.bin", below + "%2e%2e/open/a470.bin", below + "..%2fopen/a470.bin",
	} {
		status, slug := 401, "unauthorized"
		if path == "/signed" {
			status, slug = 404, "not-found"
		}
		c.Send("GET", path, "", from...).Problem(t, status, slug)
	}
	c.Send("GET", below+"a470.json", "", apitest.Bearer(key.Secret)...).Problem(t, 401, "unauthorized")
	c.Send("GET", below+"a470.json?api_key="+key.Secret, "").Problem(t, 401, "unauthorized")
	c.Send("POST", below+"a470.json", "{}").Problem(t, 405, "method-not-allowed")
	// Somebody else's key signs as much as it may read.
	theirs := signs(t, c.Gateway, other.Secret, map[string]any{"path": "/pointclouds/ours/"})
	c.Send("GET", theirs+"a470.bin", "").Problem(t, 404, "not-found")

	// Its quota ends it, as its time does.
	assert.Equal(t, c.Send("GET", below+"a470.bin", "").Status, 200)
	c.Send("GET", below+"a470.bin", "").Problem(t, 429, "quota-exceeded")
	clock = clock.Add(2 * time.Minute)
	expired := c.Send("GET", one, "", from...).Problem(t, 401, "unauthorized")
	assert.Assert(t, strings.Contains(expired["detail"].(string), "expired at"), "%v", expired)
	assert.Assert(t, !strings.Contains(c.Log.String(), strings.Split(below, "/")[2]), "the log shows a token")
	assert.Assert(t, strings.Contains(c.Log.String(), "/signed/…/pointclouds/ours/a470.bin"))
}

func TestSignedAddressesEnd(t *testing.T) {
	c := hostsClouds(t)
	key := c.Minted(t, account.Minting{})
	c.dataset(t, "open", `"public":true`, bytesOf(10))
	before := signs(t, c.Gateway, key.Secret, map[string]any{"path": "/pointclouds/open/"}) + "a470.bin"
	assert.Equal(t, c.Send("GET", before, "").Status, 200)
	after := signs(t, c.Gateway, key.Secret, map[string]any{"path": "/pointclouds/open/", "withdraw": true}) + "a470.bin"
	c.Send("GET", before, "").Problem(t, 401, "unauthorized")
	assert.Equal(t, c.Send("GET", after, "").Status, 200)
	if r := c.Send("DELETE", "/admin/keys/"+key.Key.ID, "", apitest.Bearer(apitest.AdminToken)...); r.Status >= 300 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	gone := c.Send("GET", after, "").Problem(t, 401, "unauthorized")
	assert.Assert(t, strings.Contains(gone["detail"].(string), "revoked"), "%v", gone)
	c.Send("POST", "/v1/signed-addresses", `{"path":"/tiles/"}`, apitest.Bearer(key.Secret)...).Problem(t, 401, "unauthorized")
}

func TestWhatCanBeSigned(t *testing.T) {
	g := apitest.Start(t)
	key, maps := g.Minted(t, account.Minting{}), g.Minted(t, account.Minting{Scope: account.Maps})
	for path, ok := range map[string]bool{
		"/tiles/": true, "/tiles/county/": true, "/tiles/county/12/": true, "/tiles/county/12/5/": true, "/tiles/county/12/5/6.mvt": true, "/tiles/county/12/5/6.pbf": true, "/tiles/county/tiles.json": true,
		"/tiles/county/style.json?theme=dark": true, "/v1/static-map?center=9.5,47.1&zoom=5": true, "/styles/light@1?territory=county": true, "/styles/harbour%402": true,
		"/pointclouds/survey/": true, "/pointclouds/survey/a.bin": true,
		"/": false, "//tiles/": false, "tiles/": false, "/tiles": false, "/tiles/county": false, "/tiles//": false, "/tiles/../v1/": false, "/tiles/a%2fb/": false, "/tiles/county/12/5/6.mvt/": false, "/tiles/county/12/5/6.png": false,
		"/pointclouds/": false, "/styles/": false, "/styles": false, "/v1/": false, "/v1/static-map/": false, "/api/static-map": false, "/route": false, "/v1/keys/self": false, "/admin/keys": false, "/health": false, "/fonts/": false,
		"https://elsewhere.example/tiles/": false, "/tiles/?x=1": false, "/tiles/county/style.json#x": false, "/signed/AAAA/tiles/": false, "/tiles/county/style.json?api_key=x": false, "/tiles/\x00/": false, "": false,
	} {
		r := g.Send("POST", "/v1/signed-addresses", apitest.Body(map[string]any{"path": path}), apitest.Bearer(key.Secret)...)
		if !ok {
			r.Problem(t, 400, "bad-request")
			assert.Assert(t, strings.Contains(string(r.Body), "path"), "%s", r.Body)
		} else if r.Status != 201 {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	for _, body := range []string{
		``, `{}`, `[]`, `{"path":"/tiles/","expires_in_s":59}`, `{"path":"/tiles/","expires_in_s":86401}`, `{"path":"/tiles/","expires_in_s":1e99}`, `{"path":"/tiles/","origin":"elsewhere"}`, `{"path":"/tiles/","origin":"https://*.com"}`,
		`{"path":"/tiles/","origin":"https://a.example/"}`, `{"path":"/tiles/","more":1}`, `{"path":7}`,
	} {
		if r := g.Send("POST", "/v1/signed-addresses", body, apitest.Bearer(key.Secret)...); r.Status != 400 {
			t.Errorf("%s: %d %s", body, r.Status, r.Body)
		}
	}
	g.Send("POST", "/v1/signed-addresses", `{"path":"/tiles/"}`).Problem(t, 401, "unauthorized")
	g.Send("POST", "/v1/signed-addresses", `{"path":"/tiles/"}`, apitest.Bearer(maps.Secret)...).Problem(t, 403, "scope-insufficient")
	// An address is no key for another endpoint, whatever it was signed for.
	begin := strings.TrimSuffix(signs(t, g, key.Secret, map[string]any{"path": "/tiles/"}), "/tiles/")
	for _, path := range []string{"/v1/keys/self", "/health", "/"} {
		if r := g.Send("GET", begin+path, ""); r.Status != 403 && r.Status != 401 {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}
