package api_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/feature/territories"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/territory"
)

// published is a gateway with an offline territory.
type published struct {
	*apitest.Gateway
	dir    string // of the store
	key    ed25519.PrivateKey
	of     *territory.Manifest
	secret string // of a verified key
}

// drawn are fonts that keep the glyphs which they have drawn.
var drawn = sync.OnceValues(func() (*glyph.Fonts, error) { return glyph.New() })

func publishes(t *testing.T) *published {
	t.Helper()
	p := &published{dir: t.TempDir()}
	p.Gateway = apitest.Start(t, func(o *api.Options) { o.Territories = &territories.Service{Files: blob.NewFolder(p.dir)} })
	var err error
	if p.key, err = territory.LoadKey(filepath.Join(t.TempDir(), "key")); err != nil {
		t.Fatal(err)
	}
	p.publish(t, "one")
	p.secret, _ = p.SignUp("down@example.org")
	return p
}

func (p *published) publish(t *testing.T, content string) (fresh bool) {
	t.Helper()
	var sections [][2]string
	for i, name := range []string{"graph", "basemap", "places"} {
		sections = append(sections, [2]string{name, strings.Repeat(name+content, 30_000*(i+1))})
	}
	dir := regiontest.Sealed(t, region.Manifest{ID: "town", Name: "Town", Built: time.Now()}, sections...)
	fonts, err := drawn()
	if err != nil {
		t.Fatal(err)
	}
	p.of, fresh, err = territory.Publish(t.Context(), blob.NewFolder(p.dir), territory.Publication{Region: dir, Fonts: fonts, Key: p.key, Builder: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return fresh
}

func (p *published) path(l territory.Layer) string {
	return fmt.Sprintf("/territories/%s/%d/layers/%s/%s", p.of.ID, p.of.Version, l.Addr, l.File)
}

func (p *published) pull(dir string) *territory.Pull {
	return &territory.Pull{Server: &territory.Server{URL: p.URL, Key: p.secret, Public: p.key.Public().(ed25519.PublicKey)}, ID: p.of.ID, Dir: dir}
}

func TestTerritories(t *testing.T) {
	none := apitest.Start(t)
	none.Send("GET", "/territories", "").Problem(t, 501, "territories-not-enabled")
	none.Send("GET", "/territories/index.sig", "").Problem(t, 501, "territories-not-enabled")
	if key := none.Send("GET", "/v1/platform", "").At(t, "territory_key"); key != nil {
		t.Errorf("a key of nothing: %v", key)
	}

	p := publishes(t)
	public := p.key.Public().(ed25519.PublicKey)
	if has := p.Send("GET", "/v1/platform", "").At(t, "territory_key"); has != territory.PublicText(public) {
		t.Errorf("the platform tells %v", has)
	}
	for _, at := range []string{"/territories /territories/index.sig", "/territories/town/1/manifest /territories/town/1/manifest.sig"} {
		document, signature, _ := strings.Cut(strings.ReplaceAll(at, "town", p.of.ID), " ")
		d, s := p.Send("GET", document, ""), p.Send("GET", signature, "")
		if d.Status != 200 || s.Status != 200 || territory.Verify(public, d.Body, s.Body) != nil {
			t.Fatalf("%s: %d, %d, %s", document, d.Status, s.Status, d.Body)
		}
		if again := p.Send("GET", document, "", "If-None-Match", d.Header.Get("ETag")); again.Status != 304 || len(again.Body) > 0 {
			t.Errorf("%s again: %d", document, again.Status)
		}
	}
	entry := p.Send("GET", "/territories", "").At(t, "territories").([]any)[0].(map[string]any)
	if _, has := entry["data_updated"]; !has || entry["id"] != p.of.ID || entry["version"] != 1.0 || entry["bytes"] != float64(p.of.Bytes()) {
		t.Errorf("%v", entry)
	}
	for _, path := range []string{"nowhere/1/manifest", p.of.ID + "/2/manifest", p.of.ID + "/2/manifest.sig", "..%2f..%2fetc/1/manifest", "TOWN/1/manifest"} {
		p.Send("GET", "/territories/"+path, "").Problem(t, 404, "not-found")
	}
	for _, version := range []string{"0", "-1", "x", "99999999999999999999"} {
		p.Send("GET", "/territories/"+p.of.ID+"/"+version+"/manifest", "").Problem(t, 400, "bad-request")
	}
	if p.publish(t, "one") {
		t.Error("the same region is a new version")
	}
	if !p.publish(t, "another") || p.of.Version != 2 {
		t.Errorf("another region is version %d", p.of.Version)
	}
}

func TestLayersAreForVerifiedAccounts(t *testing.T) {
	p := publishes(t)
	path := p.path(p.of.Layers[0])
	p.Send("GET", path, "").Problem(t, 401, "unauthorized")
	provisional := p.Send("POST", "/v1/keys", apitest.Body(apitest.Object{"email": "new@example.org", "accept_tos": true})).At(t, "key").(string)
	p.Send("GET", path, "", apitest.Bearer(provisional)...).Problem(t, 403, "forbidden")
	p.Send("GET", path, "", apitest.Bearer(p.Minted(t, account.Minting{}).Secret)...).Problem(t, 403, "forbidden")
	p.Send("GET", path, "", apitest.Bearer(p.Minted(t, account.Minting{Scope: account.Maps}).Secret)...).Problem(t, 403, "scope-insufficient")
	with := apitest.Bearer(p.secret)
	for _, wrong := range []string{
		strings.Replace(path, p.of.Layers[0].Addr, strings.Repeat("0", 64), 1), strings.Replace(path, p.of.Layers[0].File, "other", 1),
		strings.Replace(path, p.of.Layers[0].File, "..%2f..%2findex.json", 1), strings.Replace(path, p.of.Layers[0].Addr, "..", 1), strings.Replace(path, p.of.ID, "other", 1),
	} {
		if r := p.Send("GET", wrong, "", with...); r.Status != 404 && r.Status != 307 {
			t.Errorf("%s: %d", wrong, r.Status)
		}
	}
	if r := p.Send("POST", "/admin/identities/down@example.org/download-allowance", `{"download_allowance_mib":0,"reason":"test"}`, apitest.Bearer(apitest.AdminToken)...); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	refused := p.Send("GET", path, "", with...)
	if want := `{"code":"download_allowance_exceeded","upgrade":"` + apitest.Website + `/console"}` + "\n"; refused.Status != 402 || string(refused.Body) != want || refused.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %s", refused.Status, refused.Body)
	}
	if r := p.Send("HEAD", path, "", with...); r.Status != 200 {
		t.Errorf("a HEAD takes nothing of the allowance: %d", r.Status)
	}
}

func TestRangesOfLayers(t *testing.T) {
	p := publishes(t)
	l := p.of.Layers[0]
	whole, err := os.ReadFile(filepath.Join(p.dir, territory.LayerName(l.Addr)))
	if err != nil {
		t.Fatal(err)
	}
	size, tag := len(whole), strconv.Quote(l.Addr)
	for _, c := range []struct {
		header   string
		from, to int // of the part; to 0 is all
	}{
		{"", 0, 0},
		{"Range: bytes=0-0", 0, 1},
		{"Range: bytes=10-19", 10, 20},
		{"Range: bytes=100-", 100, size},
		{"Range: bytes=-7", size - 7, size},
		{"Range: bytes=5-999999999", 5, size},
		{fmt.Sprintf("Range: bytes=-%d", size+5), 0, size},
		{"Range: lines=1-2", 0, 0},
		{"Range: bytes=10-19|If-Range: " + tag, 10, 20},
		{`Range: bytes=10-19|If-Range: "other"`, 0, 0},
	} {
		header := apitest.Bearer(p.secret)
		for one := range strings.SplitSeq(c.header, "|") {
			if name, value, ok := strings.Cut(one, ": "); ok {
				header = append(header, name, value)
			}
		}
		r := p.Send("GET", p.path(l), "", header...)
		want, status, of := whole, 200, ""
		if c.to > 0 {
			want, status, of = whole[c.from:c.to], 206, fmt.Sprintf("bytes %d-%d/%d", c.from, c.to-1, size)
		}
		if r.Status != status || !bytes.Equal(r.Body, want) || r.Header.Get("Content-Range") != of || r.Header.Get("ETag") != tag {
			t.Errorf("%s: %d, %d bytes, %q", c.header, r.Status, len(r.Body), r.Header.Get("Content-Range"))
		}
	}
	for _, part := range []string{fmt.Sprintf("bytes=%d-", size), "bytes=99999999999999999999-", "bytes=19-10", "bytes=10-19,30-39", "bytes=x-1", "bytes=-", "bytes=10"} {
		r := p.Send("GET", p.path(l), "", append(apitest.Bearer(p.secret), "Range", part)...)
		r.Problem(t, 416, "range-not-satisfiable")
		if got := r.Header.Get("Content-Range"); got != fmt.Sprintf("bytes */%d", size) || r.Header.Get("ETag") != tag {
			t.Errorf("%s: %q, ETag %q", part, got, r.Header.Get("ETag"))
		}
	}
	if r := p.Send("GET", p.path(l), "", append(apitest.Bearer(p.secret), "If-None-Match", tag)...); r.Status != 304 {
		t.Errorf("what the caller has: %d", r.Status)
	}
}

// cutting returns a proxy that breaks off every answer with a layer after some bytes.
func cutting(t *testing.T, to string, after int) (address string, requests *int) {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	requests = new(int)
	proxy := httputil.NewSingleHostReverseProxy(target)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/layers/") {
			*requests++
			w = &cut{w, after}
		}
		proxy.ServeHTTP(w, r)
	}))
	s.Config.ErrorLog = nil
	t.Cleanup(s.Close)
	return s.URL, requests
}

type cut struct {
	http.ResponseWriter
	left int
}

func (c *cut) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p[:min(len(p), c.left)])
	if c.left -= n; c.left == 0 {
		_ = http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

func TestPull(t *testing.T) {
	p := publishes(t)
	dir := filepath.Join(t.TempDir(), "pulled")
	pull := p.pull(dir)
	var requests *int
	pull.Server.URL, requests = cutting(t, p.URL, 100_000)
	m, err := pull.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := region.Verify(t.Context(), dir); err != nil {
		t.Error(err)
	}
	if *requests <= len(m.Layers) {
		t.Errorf("%d requests for %d layers: nothing was broken off", *requests, len(m.Layers))
	}
	*requests = 0
	if _, err := pull.Run(t.Context()); err != nil || *requests != 0 {
		t.Errorf("what is there is fetched again: %d requests, %v", *requests, err)
	}
	p.publish(t, "another")
	if m, err = p.pull(dir).Run(t.Context()); err != nil || m.Version != 2 || region.Verify(t.Context(), dir) != nil {
		t.Errorf("the next version: %v, %v", m, err)
	}
	back := p.pull(dir)
	back.Version = 1
	if _, err := back.Run(t.Context()); err != nil {
		t.Errorf("back to version 1: %v", err)
	}
	other := p.pull(dir)
	other.ID = "other"
	if _, err := other.Run(t.Context()); err == nil || !strings.Contains(err.Error(), p.of.ID) {
		t.Errorf("a territory that is not there: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := p.pull(t.TempDir()).Run(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("a pull that was stopped: %v", err)
	}
}

// TestTamperedIsRefused changes what a store holds, one thing at a time.
func TestTamperedIsRefused(t *testing.T) {
	p := publishes(t)
	fresh := func() error {
		_, err := p.pull(t.TempDir()).Run(t.Context())
		return err
	}
	if err := fresh(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		territory.IndexName: territory.ErrSignature, territory.ManifestName(p.of.ID, 1): territory.ErrSignature,
		territory.SignatureName(territory.IndexName): territory.ErrSignature, territory.LayerName(p.of.Layers[0].Addr): territory.ErrTampered,
	} {
		path := filepath.Join(p.dir, name)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		bad := bytes.Clone(good)
		bad[len(bad)/2] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := fresh(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stranger := p.pull(t.TempDir())
	stranger.Server.Public = make(ed25519.PublicKey, ed25519.PublicKeySize)
	if _, err := stranger.Run(t.Context()); !errors.Is(err, territory.ErrSignature) {
		t.Errorf("another key: %v", err)
	}
}
