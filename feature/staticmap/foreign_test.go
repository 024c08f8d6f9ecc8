package staticmap

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/waygate/waygate/internet"
)

func TestForeign(t *testing.T) {
	mux := http.NewServeMux()
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
	}
	answer("/style.json", `{"version":8,"sources":{"a":{"type":"vector","url":"`+server.URL+`/tiles.json"},"b":{"type":"raster","tiles":[],"attribution":"<b>B</b>"}},"layers":[]}`)
	answer("/tiles.json", `{"attribution":"© A"}`)
	answer("/old.json", `{"version":7}`)
	answer("/big.json", `{"version":8,"x":"`+strings.Repeat("x", maxStyle)+`"}`)
	mux.HandleFunc("/away.json", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://elsewhere.example/", http.StatusFound)
	})
	f := NewForeign([]string{u.Host}, server.Client())
	m, err := f.Map(t.Context(), server.URL+"/style.json")
	if err != nil || m.Attribution != "© A · <b>B</b>" || !m.Foreign {
		t.Errorf("%+v, %v", m, err)
	}
	if r, err := m.Fetch(t.Context(), u.JoinPath("tiles.json")); err != nil || !json.Valid(r.Body) {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := m.Fetch(t.Context(), &url.URL{Scheme: "https", Host: "elsewhere.example"}); err == nil {
		t.Error("a host that is not allowed was asked")
	}
	for address, words := range map[string]string{
		server.URL + "/old.json": "version 8", server.URL + "/big.json": "more than 1048576 bytes", server.URL + "/none.json": "Not Found", server.URL + "/away.json": "elsewhere.example, which this deployment does not allow",
		"https://elsewhere.example/style.json": "does not allow", "http://" + u.Host + "/style.json": "https", "https://a:b@" + u.Host + "/": "password",
	} {
		_, err := f.Map(t.Context(), address)
		wantProblem(t, err, words)
	}
	_, err = NewForeign(nil, nil).Map(t.Context(), server.URL+"/style.json")
	wantProblem(t, err, "from no other server")
	// An allowed name that leads to an address that is not public.
	_, err = NewForeign([]string{u.Host}, nil).Map(t.Context(), server.URL+"/style.json")
	wantProblem(t, err, "no public address")
}

func TestPublicOnly(t *testing.T) {
	for address, public := range map[string]bool{
		"93.184.216.34:443": true, "[2606:2800:220:1::1]:443": true,
		"127.0.0.1:443": false, "10.1.2.3:443": false, "192.168.0.1:443": false, "169.254.169.254:443": false, "100.64.0.1:443": false, "0.0.0.0:443": false, "255.255.255.255:443": false, "224.0.0.1:443": false,
		"[::1]:443": false, "[fe80::1]:443": false, "[fd00::1]:443": false, "[::ffff:127.0.0.1]:443": false, "[64:ff9b::7f00:1]:443": false, "[2002:7f00:1::]:443": false,
	} {
		if err := internet.Only("tcp", address, nil); (err == nil) != public {
			t.Errorf("%s: %v", address, err)
		}
	}
}
