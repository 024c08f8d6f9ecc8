package meter_test

import (
	"context"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// A deployment that sells nothing names no address to buy at.
func TestCreditOfTheOperatorAlone(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t), func(o *meter.Options) { o.Upgrade = "" })
	id, k := w.verified(100)
	w.must(k, 100)
	f := refused(t, w.call(w.gate, k, 1), fault.PaymentRequired)
	if upgrade, is := f.Fields["upgrade"]; upgrade != nil || !is {
		t.Error(f, f.Fields)
	}
	w.credit(id, price)
	w.gate.Invalidate(id)
	w.must(k, 1)
}

// Beyond the quota credit pays, to the penny, and then nothing does.
func TestCredit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		id, k := w.verified(100)
		w.must(k, 90)
		f := refused(t, w.call(w.gate, k, 20), fault.PaymentRequired)
		if f.Fields["balance_millipence"] != int64(0) || f.Fields["upgrade"] != "https://example.org/console" {
			t.Error(f.Fields)
		}
		w.credit(id, 50*price+5)
		w.gate.Invalidate(id)
		w.must(k, 20) // 10 of the quota, 10 from credit
		if s := w.standing(w.gate, k); s.Millipence != 40*price+5 || s.Remaining != 0 || s.Used != 110 {
			t.Errorf("%+v", s)
		}
		// Of a call that uses less, credit comes back first.
		p := w.admit(w.gate, k)
		if err := p.Reserve(t.Context(), meter.Premium, 40); err != nil {
			t.Fatal(err)
		}
		refused(t, w.call(w.gate, k, 1), fault.PaymentRequired)
		p.Use(15)
		p.Settle(200)
		w.must(k, 25)
		f = refused(t, w.call(w.gate, k, 1), fault.PaymentRequired)
		if f.Fields["balance_millipence"] != int64(5) {
			t.Error(f.Fields)
		}
		w.flush(w.gate)
		w.gate.Invalidate(id)
		if s := w.standing(w.gate, k); s.Millipence != 5 || s.Used != 150 {
			t.Errorf("%+v", s)
		}
		history, err := w.ledger.History(t.Context(), id)
		if err != nil || len(history) != 2 || history[1].Millipence != -50*price || history[1].BalanceAfter != 5 {
			t.Errorf("%+v %v", history, err)
		}
	})
}

// Where part of a reservation came from the quota and part from credit, what
// is not used goes back to credit before the quota.
func TestRefund(t *testing.T) {
	for _, c := range []struct{ use, units, millipence int64 }{
		{20, 110, 90 * price}, {15, 105, 95 * price}, {10, 100, 100 * price}, {4, 94, 100 * price}, {0, 90, 100 * price},
	} {
		w := newWorld(t, storetest.SQLite(t))
		id, k := w.verified(100)
		w.credit(id, 100*price)
		w.must(k, 90)
		p := w.running(k, 12)
		if err := p.Reserve(t.Context(), meter.Standard, 20); err != nil {
			t.Fatal(err)
		}
		p.Use(c.use)
		p.Settle(200)
		w.flush(w.gate)
		if s := w.standing(w.gate, k); s.Used != c.units || s.Millipence != c.millipence {
			t.Errorf("used %d: %d units, %d millipence; want %d, %d", c.use, s.Used, s.Millipence, c.units, c.millipence)
		}
	}
}

// Credit is spent to its end and no further, however often it is flushed.
func TestCreditEnds(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	id, k := w.verified(0)
	w.credit(id, 40*price)
	var calls int
	for w.call(w.gate, k, 3) == nil {
		calls++
		w.flush(w.gate)
	}
	if calls != 13 {
		t.Errorf("%d calls of 3 units for 40 units' worth", calls)
	}
	w.must(k, 1)
	w.flush(w.gate)
	if b := w.queryInt("SELECT millipence FROM balances"); b != 0 {
		t.Errorf("%d millipence are left", b)
	}
}

// A deployment that sells nothing says so with the quota.
func TestUnsold(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t), func(o *meter.Options) { o.UnitPrice = 0 })
	id, k := w.verified(10)
	w.credit(id, 1000)
	w.must(k, 10)
	refused(t, w.call(w.gate, k, 1), fault.QuotaExceeded)
	// A key that is not confirmed spends none of an identity's credit.
	w = newWorld(t, storetest.SQLite(t))
	id = w.identity()
	w.credit(id, 1000)
	fresh := w.key(account.Key{State: account.Provisional, IdentityID: id, MonthlyQuota: 1})
	w.must(fresh, 1)
	refused(t, w.call(w.gate, fresh, 1), fault.QuotaExceeded)
	if s := w.standing(w.gate, fresh); s.Millipence != 0 {
		t.Errorf("a key that is not confirmed sees %d millipence", s.Millipence)
	}
}

// Replicas share a balance: none takes it all, and what one does not spend
// comes back, also when it is killed.
func TestCreditShared(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		id, k := w.verified(0)
		w.credit(id, 100*price)
		other, killed := w.open(), w.open()
		for range 10 {
			for _, g := range []*meter.Gate{w.gate, other, killed} {
				if err := w.call(g, k, 1); err != nil {
					t.Fatal(err)
				}
			}
		}
		if free := w.queryInt("SELECT millipence - held FROM balances"); free < 20*price {
			t.Errorf("only %d millipence are left free", free)
		}
		w.flush(w.gate)
		w.flush(other)
		if b := w.queryInt("SELECT millipence FROM balances"); b != 80*price {
			t.Errorf("the balance is %d", b)
		}
		// There are no more calls at the first gate.
		w.clock.add(5 * time.Second)
		w.flush(w.gate)
		if n := w.queryInt("SELECT COUNT(*) FROM holds"); n != 2 {
			t.Errorf("%d holds, want that of the other and of the killed", n)
		}
		batches := w.queryInt("SELECT COUNT(*) FROM usage_batches")
		w.flush(w.gate)
		if n := w.queryInt("SELECT COUNT(*) FROM usage_batches"); n != batches {
			t.Error("a gate without changes writes")
		}
		w.clock.add(ledger.HoldLife)
		if _, err := w.ledger.ReleaseExpired(t.Context()); err != nil {
			t.Fatal(err)
		}
		// The other has not been heard of for a minute: what it spends now it
		// has to ask for again.
		spent := int64(0)
		for w.call(other, k, 1) == nil {
			spent++
		}
		if spent != 80 {
			t.Errorf("%d units more are sold, want 80", spent)
		}
		w.flush(other)
		if b, held := w.queryInt("SELECT millipence FROM balances"), w.queryInt("SELECT held FROM balances"); b != 0 || held != 0 {
			t.Errorf("the balance is %d, held %d", b, held)
		}
	})
}

// A hold that is being given back, in a batch that did not reach the database,
// is no reason to refuse a call of the same replica.
func TestCreditComesBackUnwritten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		id, k := w.verified(0)
		w.credit(id, 17*price)
		p := w.running(k, 17)
		w.clock.add(5 * time.Second) // nothing was reserved for so long that the hold goes
		p.Settle(404)
		cut, cancel := context.WithCancel(t.Context())
		cancel()
		if err := w.gate.Flush(cut); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Fatal(err)
		}
		w.must(k, 17)
		refused(t, w.call(w.gate, k, 1), fault.PaymentRequired)
		w.flush(w.gate)
		if b, held := w.queryInt("SELECT millipence FROM balances"), w.queryInt("SELECT held FROM balances"); b != 0 || held != 0 {
			t.Errorf("the balance is %d, held %d", b, held)
		}
	})
}

// Credit that was lacking a moment ago is requested again once a hold is given back.
func TestCreditComesBackAfterRefusal(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	id, k := w.verified(0)
	w.credit(id, 20*price)
	p := w.running(k, 20)
	w.clock.add(5 * time.Second)
	refused(t, w.call(w.gate, k, 5), fault.PaymentRequired)
	p.Settle(404)
	w.flush(w.gate)
	w.must(k, 17)
}

// A hold whose call takes long is renewed meanwhile.
func TestHoldRenewed(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	id, k := w.verified(0)
	w.credit(id, 10*price)
	p := w.running(k, 10)
	for range 30 {
		w.clock.add(10 * time.Second)
		w.flush(w.gate)
		if n, err := w.ledger.ReleaseExpired(t.Context()); n != 0 || err != nil {
			t.Fatalf("%d reaped, %v", n, err)
		}
	}
	refused(t, w.call(w.open(), k, 1), fault.PaymentRequired)
	p.Settle(200)
	w.flush(w.gate)
	if b := w.queryInt("SELECT millipence FROM balances"); b != 0 {
		t.Errorf("the balance is %d", b)
	}
}

// A gate that ends gives back what it holds at once.
func TestRunEnds(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t), func(o *meter.Options) { o.Flush = time.Millisecond })
	id, k := w.verified(0)
	w.credit(id, 100*price)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { w.gate.Run(ctx); close(ended) }()
	w.must(k, 1)
	waittest.Until(t, "the call is written", func() bool {
		return w.queryInt("SELECT COALESCE(SUM(units), 0) FROM usage_days") == 1
	})
	w.must(k, 1)
	cancel()
	<-ended
	if b, held := w.queryInt("SELECT millipence FROM balances"), w.queryInt("SELECT held FROM balances"); b != 98*price || held != 0 {
		t.Errorf("the balance is %d, held %d", b, held)
	}
	if n := w.queryInt("SELECT SUM(units) FROM usage_days"); n != 2 {
		t.Errorf("%d units are written", n)
	}
}
