package edge

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestWebsiteRows checks that a row of the website has its own label and address,
// and is served by the same process.
func TestWebsiteRows(t *testing.T) {
	e := testEdge(t)
	e.options.WebsiteURL = "https://maps.example.com"
	row := On(Row{Method: http.MethodGet, Host: Website, Path: "/api/x", Auth: Public, Class: Free}, func(context.Context, *struct{}) (*string, error) { return new(string), nil })
	if err := e.Mount([]Row{row}); err != nil {
		t.Fatal(err)
	}
	if got := e.Rows()[0].Label(); got != "GET {website}/api/x" {
		t.Errorf("the label is %s", got)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/x", nil))
	if w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	var document struct {
		Paths map[string]map[string]struct{ Servers []struct{ URL string } }
	}
	if err := json.Unmarshal(e.Document(), &document); err != nil {
		t.Fatal(err)
	}
	if s := document.Paths["/api/x"]["get"].Servers; len(s) != 1 || s[0].URL != "https://maps.example.com" {
		t.Errorf("its servers are %v", s)
	}
}

// TestCaching checks that an answer may be kept as its row says, and a failure
// not, unless the row is about an account: then nothing may.
func TestCaching(t *testing.T) {
	type in struct {
		N int `query:"n"`
	}
	answer := func(context.Context, *in) (*string, error) { return new(string), nil }
	row := func(path, cache string, account bool) Row {
		return On(Row{Method: http.MethodGet, Path: path, Auth: Public, Class: Free, Cache: cache, Account: account}, answer)
	}
	e := testEdge(t, row("/kept", "public, max-age=60", false), row("/plain", "", false), row("/account", "", true), row("/never", NoStore, false))
	for target, want := range map[string]string{
		"/kept": "public, max-age=60", "/kept?n=x": "", "/plain": "", "/plain?n=x": "",
		"/account": NoStore, "/account?n=x": NoStore, "/never": NoStore, "/never?n=x": NoStore,
	} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		if got := w.Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: %d, Cache-Control %q, want %q", target, w.Code, got, want)
		}
	}
}
