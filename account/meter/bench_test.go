package meter_test

import (
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/store/storetest"
)

// BenchmarkCall measures the admission of a call with a cached key, without the call itself.
func BenchmarkCall(b *testing.B) {
	call := func(b *testing.B, w *fixture, k key) {
		b.Helper()
		p, err := w.gate.Admit(background, meter.Call{Secret: k.secret, Endpoint: endpoint, Client: client, Origin: "https://a.example.com"})
		if err == nil {
			err = p.Reserve(background, meter.Standard, 1)
		}
		if err != nil {
			b.Error(err)
			return
		}
		p.Settle(200)
	}
	limits := map[string]func(*testing.B) rate.Limiter{
		"local": func(*testing.B) rate.Limiter { return rate.New() },
		"redis": func(b *testing.B) rate.Limiter {
			c, err := rate.Dial(storetest.Redis(b))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = c.Close() })
			return rate.NewRedis(c, rate.New(), nil)
		},
	}
	for name, limiter := range limits {
		for what, restricted := range map[string][]string{"plain": nil, "origins": {"https://*.example.com"}} {
			setup := func(b *testing.B) (*fixture, key) {
				b.Helper()
				w := newWorld(b, storetest.SQLite(b), func(o *meter.Options) { o.Keys, o.Now = limiter(b), nil })
				id := w.identity()
				w.exec("UPDATE identities SET monthly_quota = 1000000000000, plan_rate = 100000000 WHERE id = $1", id)
				k := w.key(account.Key{State: account.Verified, IdentityID: id, AllowedOrigins: restricted})
				call(b, w, k)
				b.ReportAllocs()
				b.ResetTimer()
				return w, k
			}
			b.Run(name+"/"+what, func(b *testing.B) {
				w, k := setup(b)
				for b.Loop() {
					call(b, w, k)
				}
			})
			b.Run(name+"/"+what+"/parallel", func(b *testing.B) {
				w, k := setup(b)
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						call(b, w, k)
					}
				})
			})
		}
	}
}

func BenchmarkStanding(b *testing.B) {
	w := newWorld(b, storetest.SQLite(b), func(o *meter.Options) { o.Now = nil })
	_, k := w.verified(1000)
	b.ReportAllocs()
	for b.Loop() {
		w.standing(w.gate, k)
	}
}

// A flush of many keys at once.
func BenchmarkFlush(b *testing.B) {
	for name, address := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, address(b))
			keys := make([]key, 1000)
			for i := range keys {
				keys[i] = w.key(account.Key{State: account.Admin, MonthlyQuota: 1_000_000_000})
			}
			for b.Loop() {
				b.StopTimer()
				for _, k := range keys {
					w.must(k, 1)
				}
				b.StartTimer()
				w.flush(w.gate)
			}
		})
	}
}
