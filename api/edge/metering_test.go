package api

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	tables "github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/store/storetest"
)

// TestNothingIsFreeByMistake has handlers of a row whose price depends on the
// request answer without having reserved anything: the answer does not go out.
func TestNothingIsFreeByMistake(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t), tables.Apply)
	a := testAPI(t)
	a.log = slog.New(slog.DiscardHandler)
	a.office.Gate = meter.New(meter.Options{DB: db, Ledger: ledger.New(db, nil), DemoRPM: 1000})
	a.office.Till = x402.New(x402.Options{})
	for name, c := range map[string]struct {
		class  class
		answer http.HandlerFunc
		status int
		units  string
	}{
		"silent":       {standardOrPremium, func(http.ResponseWriter, *http.Request) {}, 500, ""},
		"writes":       {standardOrPremium, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("secret")) }, 500, ""},
		"not modified": {standardOrPremium, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, 500, ""},
		"refuses":      {standardOrPremium, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 404, ""},
		"fixed":        {standard, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }, 200, "3"},
		"reserves": {standardOrPremium, func(w http.ResponseWriter, r *http.Request) {
			if err := a.reserve(r.Context(), meter.Premium, "truck"); err != nil {
				t.Error(err)
			}
		}, 200, "60"},
	} {
		r := row{method: http.MethodGet, path: "/x", auth: keyed, class: c.class, units: 3}
		w := httptest.NewRecorder()
		a.observe(a.recovered(a.admitted(r, c.answer))).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/x", nil))
		if w.Code != c.status || w.Header().Get(quotaHeader) != c.units {
			t.Errorf("%s: %d, %q units, want %d, %q: %s", name, w.Code, w.Header().Get(quotaHeader), c.status, c.units, w.Body)
		}
	}
}

func TestShownPath(t *testing.T) {
	for path, want := range map[string]string{
		"/v1/console/claims/abc":         "/v1/console/claims/…",
		"/v1/console/claims/abc/signin":  "/v1/console/claims/…",
		"/admin/identities/ann@x.org":    "/admin/identities/…",
		"/route/wg_0123456789abcdefghij": "/route/wg_***",
		"/route":                         "/route",
	} {
		if got := shownPath(httptest.NewRequest(http.MethodGet, path, nil)); got != want {
			t.Errorf("%s is shown as %s, want %s", path, got, want)
		}
	}
}

func FuzzSentKey(f *testing.F) {
	f.Add("Bearer wg_x", "a=b&api_key=wg_x")
	f.Add("wg_x", "api_key=%zz")
	f.Fuzz(func(t *testing.T, header, query string) {
		r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
		r.URL.RawQuery = query
		if header != "" {
			r.Header["Authorization"] = []string{header}
		}
		key, err := sentKey(r)
		if err != nil && key != "" {
			t.Errorf("both a key and %v", err)
		}
		if err == nil && key == "" && (header != "" || len(queryKeys(query)) > 0) {
			t.Errorf("header %q and query %q make a stranger", header, query)
		}
	})
}
