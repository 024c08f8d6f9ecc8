package meter_test

import (
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/store/storetest"
)

// An allowance of a day is free over all keys of an identity and all replicas;
// beyond it a call costs a unit, and the next day begins anew. Calls that fail
// take nothing out of it.
func TestAllowance(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		const perDay = 6
		w := newWorld(t, address)
		other := w.open()
		identity, one := w.verified(3)
		two := w.key(account.Key{State: account.Verified, IdentityID: identity})
		suggest := func(g *meter.Gate, k key, status int) (free bool, charged int64) {
			t.Helper()
			p := w.admit(g, k)
			free, err := p.ReserveWithin(w.Context(), "suggest", perDay)
			if err != nil {
				t.Fatal(err)
			}
			charged = p.Charged()
			p.Settle(status)
			return free, charged
		}
		for i := range perDay / 2 {
			for g, k := range map[*meter.Gate]key{w.gate: one, other: two} {
				if free, charged := suggest(g, k, 200); !free || charged != 0 {
					t.Fatalf("call %d: free %v, charged %d", i, free, charged)
				}
				if free, _ := suggest(g, k, 502); !free {
					t.Fatal("a call that failed is not free")
				}
				w.flush(g)
			}
		}
		w.flush(w.gate)
		w.flush(other)
		for g, k := range map[*meter.Gate]key{w.gate: two, other: one} {
			if free, charged := suggest(g, k, 200); free || charged != 1 {
				t.Errorf("beyond the allowance: free %v, charged %d", free, charged)
			}
		}
		if s := w.standing(w.gate, one); s.Used != 1 {
			t.Errorf("%d units are used here", s.Used)
		}
		w.flush(other)
		w.flush(w.gate)
		if s := w.standing(w.gate, one); s.Used != 2 {
			t.Errorf("%d units are used in all", s.Used)
		}
		if n := w.queryInt("SELECT units FROM usage_periods WHERE pool = $1 AND period = 'allowance:suggest:2026-11-15'", identity); n != perDay {
			t.Errorf("%d calls of the allowance are in the database", n)
		}
		if calls, units := w.queryInt("SELECT SUM(calls) FROM usage_days"), w.queryInt("SELECT SUM(units) FROM usage_days"); calls != perDay+2 || units != 2 {
			t.Errorf("%d calls, %d units", calls, units)
		}
		stranger := w.key(account.Key{State: account.Provisional, IdentityID: identity, MonthlyQuota: 10})
		if free, _ := suggest(w.gate, stranger, 200); !free {
			t.Error("a provisional key draws from the identity's allowance")
		}
		w.clock.add(24 * time.Hour)
		if free, _ := suggest(w.gate, one, 200); !free {
			t.Error("the next day is not free")
		}
		w.clock.add(48 * time.Hour)
		w.flush(w.gate)
		if free, _ := suggest(w.gate, one, 200); !free {
			t.Error("another day is not free")
		}
		w.flush(w.gate)
		if n := w.queryInt("SELECT COUNT(*) FROM usage_periods WHERE period LIKE 'allowance:%' AND pool = $1", identity); n > 2 {
			t.Errorf("%d past allowances are kept", n)
		}
	})
}

// Calls beyond allowance and quota are refused as others are.
func TestAllowanceAndQuota(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	k := w.key(account.Key{State: account.Admin, MonthlyQuota: 1})
	for i := range 4 {
		p := w.admit(w.gate, k)
		free, err := p.ReserveWithin(w.Context(), "suggest", 2)
		switch {
		case i < 2 && (!free || err != nil), i == 2 && (free || err != nil):
			t.Errorf("call %d: %v, %v", i, free, err)
		case i == 3:
			refused(t, err, "quota-exceeded")
			p.Settle(429)
			continue
		}
		p.Settle(200)
	}
}
