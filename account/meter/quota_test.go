package meter_test

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

// Whose quota a key draws from, and in what period.
func TestPools(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		id, first := w.verified(100)
		second := w.key(account.Key{State: account.Verified, IdentityID: id, MonthlyQuota: 7})
		fresh := w.key(account.Key{State: account.Provisional, IdentityID: id, MonthlyQuota: 10})
		admin := w.key(account.Key{State: account.Admin, MonthlyQuota: 20})
		w.must(first, 60)
		w.must(second, 40)
		w.must(fresh, 10)
		w.must(admin, 20)
		refused(t, w.call(w.gate, first, 1), fault.PaymentRequired)
		refused(t, w.call(w.gate, second, 1), fault.PaymentRequired)
		f := refused(t, w.call(w.gate, fresh, 1), fault.QuotaExceeded)
		if f.Fields["quota"] != int64(10) || f.Fields["used"] != int64(10) {
			t.Error(f.Fields)
		}
		refused(t, w.call(w.gate, admin, 1), fault.QuotaExceeded)
		w.flush(w.gate)
		if n := w.queryInt("SELECT SUM(units) FROM usage_days"); n != 130 {
			t.Errorf("%d units in usage_days", n)
		}
		for _, c := range []struct {
			pool, period string
			units        int64
		}{{id, "2026-11", 100}, {fresh.id, "life", 10}, {admin.id, "2026-11", 20}} {
			if n := w.queryInt("SELECT units FROM usage_periods WHERE pool = $1 AND period = $2", c.pool, c.period); n != c.units {
				t.Errorf("%s: %d units, want %d", c.period, n, c.units)
			}
		}
		// The next month is a new one, but not for a key in its first life.
		w.clock.set(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
		w.must(first, 100)
		w.must(admin, 20)
		refused(t, w.call(w.gate, fresh, 1), fault.QuotaExceeded)
		refused(t, w.call(w.gate, second, 1), fault.PaymentRequired)
		// So it is for a replica that starts now, and back in the old month.
		w.flush(w.gate)
		other := w.open()
		for _, at := range []time.Time{w.clock.now(), start, w.clock.now().Add(time.Hour)} {
			w.clock.set(at)
			for _, g := range []*meter.Gate{w.gate, other} {
				refused(t, w.call(g, second, 1), fault.PaymentRequired)
				refused(t, w.call(g, fresh, 1), fault.QuotaExceeded)
				refused(t, w.call(g, admin, 1), fault.QuotaExceeded)
			}
		}
		// Confirmed, the key joins the pool.
		w.clock.set(start.AddDate(0, 2, 0))
		w.exec("UPDATE keys SET state = 'verified' WHERE id = $1", fresh.id)
		w.gate.Invalidate(fresh.id)
		w.must(fresh, 100)
		refused(t, w.call(w.gate, first, 1), fault.PaymentRequired)
	})
}

// TestQuotaInForce checks the quota of a verified key.
func TestQuotaInForce(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	for _, c := range []struct {
		plan, own any
		want      int64
	}{{nil, nil, account.VerifiedQuota}, {int64(70), nil, 70}, {int64(70), int64(60), 60}, {nil, int64(80), 80}} {
		id := w.identity()
		w.exec("UPDATE identities SET plan_quota = $2, monthly_quota = $3 WHERE id = $1", id, c.plan, c.own)
		k := w.key(account.Key{State: account.Verified, IdentityID: id, MonthlyQuota: 5})
		if s := w.standing(w.gate, k); s.MonthlyQuota != c.want || s.Remaining != c.want {
			t.Errorf("%v %v: %d, want %d", c.plan, c.own, s.MonthlyQuota, c.want)
		}
	}
}

// A reservation holds its units until it is settled, and gives back the rest.
func TestReserve(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	k := w.key(account.Key{State: account.Admin, MonthlyQuota: 100})
	remaining := func(want int64) {
		t.Helper()
		if s := w.standing(w.gate, k); s.Remaining != want || s.Used != 100-want {
			t.Errorf("%d remain, %d used; want %d", s.Remaining, s.Used, want)
		}
	}
	reserve := func(p *meter.Admission, units int64) error { return p.Reserve(t.Context(), meter.Standard, units) }
	a, b := w.admit(w.gate, k), w.admit(w.gate, k)
	if err := reserve(a, 80); err != nil {
		t.Fatal(err)
	}
	refused(t, reserve(b, 21), fault.QuotaExceeded)
	if err := reserve(b, 15); err != nil {
		t.Fatal(err)
	}
	if err := reserve(b, 20); err != nil {
		t.Fatal(err)
	}
	refused(t, reserve(b, 21), fault.QuotaExceeded)
	if b.Charged() != 20 {
		t.Errorf("%d are charged after a raise that was refused", b.Charged())
	}
	a.Use(30)
	if a.Use(90); a.Charged() != 80 {
		t.Errorf("%d are charged, more than reserved", a.Charged())
	}
	if a.Use(30); a.Charged() != 30 {
		t.Errorf("%d are charged", a.Charged())
	}
	a.Settle(200)
	a.Settle(200)
	if s := w.standing(w.gate, k); s.Used != 30 || s.Remaining != 50 { // b is under way
		t.Errorf("%d remain, %d used", s.Remaining, s.Used)
	}
	if err := reserve(a, 90); err == nil {
		t.Error("a settled call reserves")
	}
	b.Settle(400)
	remaining(70)
	// A call that fails, was refused, or never reserved anything costs nothing.
	for _, status := range []int{400, 401, 404, 429, 500, 503} {
		p := w.admit(w.gate, k)
		if err := reserve(p, 70); err != nil {
			t.Fatal(err)
		}
		p.Settle(status)
	}
	w.admit(w.gate, k).Settle(200)
	remaining(70)
	for _, status := range []int{200, 206, 304} {
		p := w.admit(w.gate, k)
		if err := reserve(p, 10); err != nil {
			t.Fatal(err)
		}
		p.Settle(status)
	}
	remaining(40)
	w.flush(w.gate)
	remaining(40)
	if calls, units := w.queryInt("SELECT calls FROM usage_days"), w.queryInt("SELECT units FROM usage_days"); calls != 4 || units != 60 {
		t.Errorf("%d calls, %d units", calls, units)
	}
}

// A replica counts what others have used as of the last flush.
func TestReplicas(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		other := w.open()
		_, pooled := w.verified(100)
		for _, k := range []key{pooled, w.key(account.Key{State: account.Admin, MonthlyQuota: 100}), w.key(account.Key{State: account.Provisional, MonthlyQuota: 100})} {
			for range 9 {
				for _, g := range []*meter.Gate{w.gate, other} {
					if err := w.call(g, k, 5); err != nil {
						t.Fatal(err)
					}
					w.flush(g)
				}
			}
			w.flush(w.gate)
			if s := w.standing(w.gate, k); s.Used != 90 {
				t.Errorf("%d used", s.Used)
			}
			if err := w.call(other, k, 10); err != nil {
				t.Fatal(err)
			}
			w.flush(other)
			w.flush(w.gate)
			if err := w.call(w.gate, k, 1); err == nil {
				t.Error("more is let in than the quota")
			}
		}
	})
}

// Thresholds are notified of once they are in the database.
func TestCrossed(t *testing.T) {
	type crossing struct {
		identity, month string
		percent         int
	}
	var heard []crossing
	var w *fixture
	w = newWorld(t, storetest.SQLite(t), func(o *meter.Options) {
		o.Crossed = func(ctx context.Context, identity, month string, percent int) {
			heard = append(heard, crossing{identity, month, percent})
			if n := w.queryInt("SELECT units FROM usage_periods WHERE pool = $1 AND period = $2", identity, month); n < int64(percent) {
				t.Errorf("%d%% with %d units written", percent, n)
			}
			if err := w.gate.Flush(ctx); err != nil { // nothing is locked
				t.Error(err)
			}
		}
	})
	id, k := w.verified(100)
	w.must(w.key(account.Key{State: account.Admin, MonthlyQuota: 10}), 10)
	w.must(w.key(account.Key{State: account.Provisional, IdentityID: w.identity(), MonthlyQuota: 10}), 10)
	for _, c := range []struct {
		units int64
		want  []crossing
	}{
		{49, nil}, {1, []crossing{{id, "2026-11", 50}}}, {5, nil}, {30, []crossing{{id, "2026-11", 80}}}, {15, []crossing{{id, "2026-11", 100}}}, {0, nil},
	} {
		heard = nil
		w.must(k, c.units)
		w.flush(w.gate)
		if !slices.Equal(heard, c.want) {
			t.Errorf("after %d more: %v, want %v", c.units, heard, c.want)
		}
	}
	heard = nil
	w.clock.set(start.AddDate(0, 1, 0))
	w.must(k, 90)
	w.flush(w.gate)
	if want := []crossing{{id, "2026-12", 80}}; !slices.Equal(heard, want) {
		t.Errorf("%v, want %v", heard, want)
	}
}

// Of many that want the last unit, one gets it.
func TestLastUnitAtOnce(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	id, sold := w.verified(50)
	w.credit(id, 30*price)
	for _, c := range []struct {
		key  key
		want int64
	}{{w.key(account.Key{State: account.Admin, MonthlyQuota: 50}), 50}, {sold, 80}} {
		var let atomic.Int64
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() {
				for range 10 {
					if w.call(w.gate, c.key, 1) == nil {
						let.Add(1)
					}
				}
			})
		}
		all.Go(func() {
			for range 5 {
				if err := w.gate.Flush(background); err != nil {
					t.Error(err)
				}
			}
		})
		all.Wait()
		if let.Load() != c.want {
			t.Errorf("%d calls were let in, want %d", let.Load(), c.want)
		}
	}
	w.flush(w.gate)
	if b := w.queryInt("SELECT millipence FROM balances WHERE identity_id = $1", id); b != 0 {
		t.Errorf("%d millipence are left", b)
	}
}

// The first success of a key is written once.
func TestFirstSuccess(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		k := w.key(account.Key{State: account.Admin, MonthlyQuota: 100})
		first := func() int64 {
			w.flush(w.gate)
			w.gate.Invalidate(k.id)
			return w.queryInt("SELECT COALESCE(first_success_at, 0) FROM keys WHERE id = $1", k.id)
		}
		for _, status := range []int{404, 304} {
			p := w.running(k, 1)
			p.Settle(status)
		}
		w.standing(w.gate, k)
		if at := first(); at != 0 {
			t.Errorf("a first success at %d", at)
		}
		w.must(k, 1)
		if at := first(); at != start.UnixMilli() {
			t.Errorf("the first success is at %d", at)
		}
		w.clock.add(time.Hour)
		w.must(k, 1)
		if at := first(); at != start.UnixMilli() {
			t.Errorf("the first success has moved to %d", at)
		}
		if s := w.standing(w.gate, k); s.Key.FirstSuccessAt == nil || !s.Key.FirstSuccessAt.Equal(start) {
			t.Errorf("standing says %v", s.Key.FirstSuccessAt)
		}
	})
}

// TestStandingIsOfNow checks that a key reads what it used at once, before anything is written:
// also while calls are under way, and its first success.
func TestStandingIsOfNow(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	_, k := w.verified(100)
	if s := w.standing(w.gate, k); s.Used != 0 || s.Remaining != 100 || s.Key.FirstSuccessAt != nil {
		t.Errorf("at first %+v", s)
	}
	for range 7 {
		w.must(k, 5)
	}
	if s := w.standing(w.gate, k); s.Used != 35 || s.Remaining != 65 || s.Key.FirstSuccessAt == nil {
		t.Errorf("after a burst %+v", s)
	}
	running := w.running(k, 20)
	if s := w.standing(w.gate, k); s.Used != 35 || s.Remaining != 45 {
		t.Errorf("while a call runs %+v", s)
	}
	running.Settle(500)
	if s := w.standing(w.gate, k); s.Used != 35 || s.Remaining != 65 {
		t.Errorf("after it failed %+v", s)
	}
	w.flush(w.gate)
	if s := w.standing(w.gate, k); s.Used != 35 || s.Remaining != 65 || s.Key.FirstSuccessAt == nil {
		t.Errorf("after a flush %+v", s)
	}
}

// Client networks of successful metered calls are a month's active users.
func TestActiveUsers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		id, k := w.verified(1000)
		w.exec("UPDATE identities SET mau_included = 2 WHERE id = $1", id)
		other := w.open()
		call := func(g *meter.Gate, from string, status int, free bool) {
			t.Helper()
			p, err := g.Admit(t.Context(), meter.Call{Secret: k.secret, Endpoint: endpoint, Client: netip.MustParseAddr(from), Free: free})
			if err != nil {
				t.Fatal(err)
			}
			if !free {
				if err := p.Reserve(t.Context(), meter.Standard, 1); err != nil {
					t.Fatal(err)
				}
			}
			p.Settle(status)
		}
		standing := func(users int64, overdrawn bool) {
			t.Helper()
			w.flush(w.gate)
			w.flush(other)
			w.gate.Invalidate(id)
			if s := w.standing(w.gate, k); s.MAU != users || s.MAUOverdrawn != overdrawn || s.MAUIncluded != 2 {
				t.Errorf("%d users of %d, overdrawn %v; want %d", s.MAU, s.MAUIncluded, s.MAUOverdrawn, users)
			}
		}
		call(w.gate, "192.0.2.1", 200, false)
		call(w.gate, "192.0.2.9", 404, false)
		call(w.gate, "192.0.2.8", 200, true)
		call(other, "192.0.2.1", 200, false)
		standing(1, false)
		call(w.gate, "2001:db8::1", 200, false)
		call(other, "2001:db8::2", 200, false)
		standing(2, false)
		call(other, "2001:db8:0:1::2", 200, false)
		standing(3, true)
		call(w.gate, "192.0.2.1", 200, false) // is served on
		w.clock.set(start.AddDate(0, 1, 0))
		call(w.gate, "192.0.2.1", 200, false)
		standing(1, false)
		if n := w.queryInt("SELECT COUNT(DISTINCT client) FROM active_users"); n != 4 {
			t.Errorf("%d pseudonyms: they must differ from month to month", n)
		}
	})
}
