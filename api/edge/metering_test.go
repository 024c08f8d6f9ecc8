package edge

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	tables "github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/world"
)

// testEdge returns an edge whose demo lane is open, with rows.
func testEdge(t *testing.T, rows ...Row) *Edge {
	t.Helper()
	db := storetest.Open(t, storetest.SQLite(t), tables.Apply)
	e, err := New(Options{
		Acquire: func() (*world.World, func()) { return nil, func() {} },
		Gate:    meter.New(meter.Options{DB: db, Ledger: ledger.New(db, nil), DemoRPM: 1000}),
		Session: func(context.Context, string) (*account.Identity, error) {
			return nil, errors.New("nobody is signed in")
		},
		Payments: x402.New(x402.Options{}), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Mount(rows); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestNothingIsFreeByMistake has handlers of a row whose price depends on the
// request answer without having reserved anything: the answer does not go out.
func TestNothingIsFreeByMistake(t *testing.T) {
	e := testEdge(t)
	for name, c := range map[string]struct {
		class  Class
		answer http.HandlerFunc
		status int
		units  string
	}{
		"silent":       {StandardOrPremium, func(http.ResponseWriter, *http.Request) {}, 500, ""},
		"writes":       {StandardOrPremium, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("secret")) }, 500, ""},
		"not modified": {StandardOrPremium, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, 500, ""},
		"refuses":      {StandardOrPremium, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 404, ""},
		"fixed":        {FlatTen, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }, 200, "10"},
		"reserves": {StandardOrPremium, func(_ http.ResponseWriter, r *http.Request) {
			if err := CallOf(r.Context()).Reserve(r.Context(), Price{Features: []string{"truck"}}); err != nil {
				t.Error(err)
			}
		}, 200, "20"},
	} {
		row := Row{Method: http.MethodGet, Path: "/x", Auth: Keyed, Class: c.class}
		w := httptest.NewRecorder()
		e.observe(e.recovered(e.guard.admitted(&row, c.answer))).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/x", nil))
		if w.Code != c.status || w.Header().Get(quotaHeader) != c.units {
			t.Errorf("%s: %d, %q units, want %d, %q: %s", name, w.Code, w.Header().Get(quotaHeader), c.status, c.units, w.Body)
		}
	}
}

type priced struct{ truck bool }

// Price returns that of a truck, or three computations of a car.
func (p *priced) Price() Price {
	if p.truck {
		return Price{Features: []string{"truck"}}
	}
	return Price{Times: 3}
}

// TestRowsThatCannotBePriced checks that a row whose price depends on the
// request cannot be bound to a handler that does not report it.
func TestRowsThatCannotBePriced(t *testing.T) {
	row := Row{Method: http.MethodGet, Path: "/x", Auth: Keyed, Class: StandardOrPremium}
	typed := func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }
	for name, bind := range map[string]func(){
		"typed":   func() { On(row, typed) },
		"reading": func() { Read(row, func(*http.Request) (*int, error) { return nil, nil }, nil) },
		"writing": func() { Write(row, func(http.ResponseWriter, *http.Request, *struct{}) error { return nil }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: is bound", name)
				}
			}()
			bind()
		}()
	}
	if err := testEdge(t).Mount([]Row{row}); err == nil {
		t.Error("a row without a handler is mounted")
	}
}

// TestPrices checks that a bound row reserves what its request says.
func TestPrices(t *testing.T) {
	row := func(path string) Row {
		return Row{Method: http.MethodGet, Path: path, Auth: Keyed, Class: StandardOrPremium}
	}
	read := func(path string, truck bool) Row {
		return Read(row(path), func(*http.Request) (*priced, error) { return &priced{truck}, nil }, func(http.ResponseWriter, *http.Request, *priced) error { return nil })
	}
	e := testEdge(t, read("/truck", true), read("/car", false),
		On(row("/typed"), func(context.Context, *priced) (*struct{}, error) { return new(struct{}), nil }))
	for path, want := range map[string]string{"/truck": "20", "/car": "3", "/typed": "3"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if got := w.Header().Get(quotaHeader); w.Code != http.StatusOK || got != want {
			t.Errorf("%s: %d, %q units, want %s", path, w.Code, got, want)
		}
	}
}

func TestShownPath(t *testing.T) {
	page := func(http.ResponseWriter, *http.Request, *struct{}) error { return nil }
	e := testEdge(t,
		Write(Row{Method: http.MethodGet, Path: "/v1/console/claims/{token}", Auth: Public, Class: Free, Secret: true}, page),
		Write(Row{Method: http.MethodGet, Path: "/admin/identities/{email}", Auth: Operators, Class: Free, Secret: true}, page))
	for path, want := range map[string]string{
		"/v1/console/claims/abc":         "/v1/console/claims/…",
		"/v1/console/claims/abc/signin":  "/v1/console/claims/…",
		"/admin/identities/ann@x.org":    "/admin/identities/…",
		"/route/wg_0123456789abcdefghij": "/route/wg_***",
		"/route":                         "/route",
	} {
		if got := e.shown(path); got != want {
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
			t.Errorf("header %q and query %q are taken for no key", header, query)
		}
	})
}
