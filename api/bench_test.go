package api_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/world"
)

// BenchmarkCalls calls through the whole edge with a cached key, on SQLite.
func BenchmarkCalls(b *testing.B) {
	o := api.Options{
		Server: api.Server{Acquire: func() (*world.World, func()) { return nil, func() {} }, Log: slog.New(slog.DiscardHandler)},
		Limits: api.Limits{UnitPrice: 10},
	}
	s := apitest.NewStaff(b, &o, x402.Options{})
	handler, err := api.New(o)
	if err != nil {
		b.Fatal(err)
	}
	k := s.Minted(b, account.Minting{MonthlyQuota: 1_000_000_000_000, RatePerMin: 1_000_000})
	for name, path := range map[string]string{"self": "/v1/keys/self", "crs": "/coordinates/crs?q=27700", "health": "/health"} {
		b.Run(name, func(b *testing.B) {
			req := httptest.NewRequest(http.MethodGet, path, nil)
			req.Header.Set("Authorization", "Bearer "+k.Secret)
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, req)
				if w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
