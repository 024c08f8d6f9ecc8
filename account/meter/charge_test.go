package meter_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

// A charge in another package's transaction stands or falls with it, is seen by every
// gate after a flush, and is refunded to quota and credit.
func TestChargeIn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		identity, k := w.verified(30)
		w.credit(identity, 1000)
		other := w.open()
		used := func() int64 {
			return w.queryInt("SELECT COALESCE(SUM(units), 0) FROM usage_periods WHERE pool = $1", identity)
		}
		balance := func() int64 { return w.queryInt("SELECT millipence FROM balances WHERE identity_id = $1", identity) }
		admit := func(g *meter.Gate, units int64) *meter.Admission {
			t.Helper()
			a, err := g.Admit(t.Context(), meter.Call{Secret: k.secret, Endpoint: "POST /v1/jobs/x"})
			if err == nil {
				err = a.Reserve(t.Context(), meter.Premium, units)
			}
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		charge := func(a *meter.Admission, fail error) (c *meter.Charge) {
			t.Helper()
			err := w.db.Tx(t.Context(), func(tx *store.Tx) (err error) {
				if c, err = a.ChargeIn(t.Context(), tx); err != nil {
					return err
				}
				return fail
			})
			if !errors.Is(err, fail) {
				t.Fatal(err)
			}
			if fail == nil {
				a.Booked()
			}
			return c
		}
		// A transaction that fails charges nothing.
		a := admit(w.gate, 20)
		charge(a, errors.New("no"))
		a.Settle(http.StatusInternalServerError)
		if used() != 0 {
			t.Errorf("%d units were charged", used())
		}
		first := admit(w.gate, 20)
		charge(first, nil)
		if used() != 20 {
			t.Errorf("%d units are in the database", used())
		}
		first.Settle(http.StatusAccepted)
		if s := w.standing(w.gate, k); s.Used != 20 || s.Remaining != 10 || s.Key.FirstSuccessAt == nil {
			t.Errorf("before anything is flushed the key reads %d used, %d left, first success %v", s.Used, s.Remaining, s.Key.FirstSuccessAt)
		}
		// The gate counts them before anything is flushed: ten units are left of the quota,
		// and ten come from credit.
		second := admit(w.gate, 20)
		c := charge(second, nil)
		second.Settle(http.StatusAccepted)
		if used() != 40 || balance() != 1000-10*price || c.Millipence != 10*price {
			t.Errorf("%d units, %d millipence: %+v", used(), balance(), c)
		}
		for range 2 {
			for _, g := range []*meter.Gate{w.gate, other} {
				if err := g.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if used() != 40 || balance() != 1000-10*price {
			t.Errorf("flushed: %d units, %d millipence", used(), balance())
		}
		// Refunded, the quota has room again, here and elsewhere.
		if err := w.db.Tx(t.Context(), func(tx *store.Tx) error { return c.RefundIn(t.Context(), tx, w.ledger) }); err != nil {
			t.Fatal(err)
		}
		if used() != 20 || balance() != 1000 {
			t.Errorf("refunded: %d units, %d millipence", used(), balance())
		}
		if n := w.queryInt("SELECT SUM(millipence) FROM entries WHERE identity_id = $1", identity); n != 1000 {
			t.Errorf("the entries come to %d", n)
		}
		for _, g := range []*meter.Gate{w.gate, other} {
			if err := g.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			a := admit(g, 10)
			if status, err := g.KeyStatus(a); err != nil || status.Remaining != 0 {
				t.Errorf("while a call runs: %+v %v", status, err)
			}
			a.Settle(http.StatusInternalServerError)
			if status, err := g.KeyStatus(a); err != nil || status.Remaining != 10 {
				t.Errorf("%+v %v", status, err)
			}
		}
		if calls, units := w.queryInt("SELECT SUM(calls) FROM usage_days WHERE key_id = $1", k.id), w.queryInt("SELECT SUM(units) FROM usage_days WHERE key_id = $1", k.id); calls != 2 || units != 20 {
			t.Errorf("%d calls, %d units", calls, units)
		}
		// A settled call cannot be charged.
		err := w.db.Tx(t.Context(), func(tx *store.Tx) error { _, err := a.ChargeIn(t.Context(), tx); return err })
		if !fault.Is(err, fault.Internal) {
			t.Error(err)
		}
	})
}
