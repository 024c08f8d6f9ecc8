package ledger_test

import (
	"testing"
	"time"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func hold(t testing.TB, l *ledger.Ledger, id string, least, want int64) int64 {
	t.Helper()
	added, err := l.Hold(t.Context(), "i", id, least, want)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func balance(t testing.TB, l *ledger.Ledger) ledger.Balance {
	t.Helper()
	b, err := l.Balance(t.Context(), "i")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestHoldAndSpend(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		c := newClock()
		l := ledger.New(db, c.now)
		identify(t, db, "i")
		equal(t, "hold of one without credit", hold(t, l, "a", 1, 10), 0)
		equal(t, "spent by one without credit", spend(t, db, l, "i", "a", 5, 0, noon), 0)
		if _, err := l.Credit(t.Context(), "i", 100, "r", "admin"); err != nil {
			t.Fatal(err)
		}
		equal(t, "hold", hold(t, l, "a", 10, 60), 60)
		equal(t, "hold of what is left", hold(t, l, "b", 10, 60), 40)
		equal(t, "hold of nothing", hold(t, l, "b", 1, 60), 0)
		equal(t, "all held", balance(t, l), ledger.Balance{Millipence: 100, Held: 100, Credited: 100})

		c.pass(time.Second)
		equal(t, "spent and released", spend(t, db, l, "i", "a", 20, 30, c.now()), 20)
		equal(t, "after it", balance(t, l), ledger.Balance{Millipence: 80, Held: 50, Credited: 100})
		equal(t, "less free than least", hold(t, l, "b", 31, 60), 0)
		equal(t, "more than the hold has", spend(t, db, l, "i", "a", 15, 0, c.now()), 15)
		equal(t, "the rest came from the free balance", balance(t, l), ledger.Balance{Millipence: 65, Held: 40, Credited: 100})
		equal(t, "more than there is", spend(t, db, l, "i", "a", 1<<62, 1<<62, c.now()), 25)
		equal(t, "what another holds is left", balance(t, l), ledger.Balance{Millipence: 40, Held: 40, Credited: 100})

		c.pass(12 * time.Hour)
		equal(t, "an expired hold spends from the free balance", spend(t, db, l, "i", "b", 15, 0, c.now()), 15)
		equal(t, "a hold again", hold(t, l, "b", 1, 5), 5)
		equal(t, "only released", spend(t, db, l, "i", "b", 0, 9, c.now()), 0)
		equalHistory(t, l, "i", []ledger.Entry{
			{noon, "credit", 100, 100, "r", "admin"},
			{noon.Add(time.Second), "usage", -60, 40, "usage 2026-11-21", ""},
			{noon.Add(time.Second + 12*time.Hour), "usage", -15, 25, "usage 2026-11-22", ""},
		})
		equal(t, "in the end", balance(t, l), ledger.Balance{Millipence: 25, Credited: 100})
	})
}

// The entry of a day keeps the latest time, whatever order flushes come in.
func TestDays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		l := ledger.New(db, newClock().now)
		identify(t, db, "i")
		if _, err := l.Credit(t.Context(), "i", 100, "r", "admin"); err != nil {
			t.Fatal(err)
		}
		east := time.FixedZone("east", 5*3600)
		midnight := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
		spend(t, db, l, "i", "h", 1, 0, midnight)
		spend(t, db, l, "i", "h", 2, 0, midnight.Add(-time.Millisecond).In(east))
		spend(t, db, l, "i", "h", 4, 0, midnight.Add(-time.Hour).In(east))
		equalHistory(t, l, "i", []ledger.Entry{
			{noon, "credit", 100, 100, "r", "admin"},
			{midnight, "usage", -1, 99, "usage 2026-11-22", ""},
			{midnight.Add(-time.Millisecond), "usage", -6, 93, "usage 2026-11-21", ""},
		})
	})
}

func TestExpiry(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		c := newClock()
		l := ledger.New(db, c.now)
		identify(t, db, "i")
		if _, err := l.Credit(t.Context(), "i", 100, "r", "admin"); err != nil {
			t.Fatal(err)
		}
		reap := func(want int) {
			t.Helper()
			if n, err := l.ReleaseExpired(t.Context()); err != nil || n != want {
				t.Errorf("%d reaped, want %d: %v", n, want, err)
			}
		}
		hold(t, l, "renewed", 1, 10)
		hold(t, l, "left", 1, 20)
		hold(t, l, "spent", 1, 30)
		reap(0)
		c.pass(ledger.HoldLife - time.Millisecond)
		reap(0)
		equal(t, "renewal adds nothing", hold(t, l, "renewed", 0, 0), 0)
		equal(t, "renewal where too little is free", hold(t, l, "renewed", 1_000, 1_000), 0)
		spend(t, db, l, "i", "spent", 5, 0, c.now())
		c.pass(time.Millisecond)
		equal(t, "held", balance(t, l).Held, 10+20+25)
		reap(1)
		equal(t, "held", balance(t, l).Held, 10+25)
		c.pass(ledger.HoldLife)
		equal(t, "what has expired can be promised before it is reaped", hold(t, l, "new", 95, 1_000), 95)
		equal(t, "an expired hold has nothing", spend(t, db, l, "i", "renewed", 10, 0, c.now()), 0)
		reap(0)
		equal(t, "in the end", balance(t, l), ledger.Balance{Millipence: 95, Held: 95, Credited: 100})
	})
}

func TestHoldRefusals(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		l := ledger.New(db, nil)
		for _, id := range []string{"i", "other"} {
			identify(t, db, id)
			if _, err := l.Credit(t.Context(), id, 100, "r", "admin"); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range [][2]int64{{-1, 5}, {5, 4}, {-3, -2}} {
			if added, err := l.Hold(t.Context(), "i", "h", r[0], r[1]); err == nil {
				t.Errorf("%v: %d", r, added)
			}
		}
		for _, s := range [][2]int64{{-1, 0}, {0, -1}} {
			err := db.Tx(t.Context(), func(tx *store.Tx) error {
				_, err := l.SpendIn(t.Context(), tx, "i", "h", s[0], s[1], noon)
				return err
			})
			if err == nil {
				t.Errorf("%v was booked", s)
			}
		}
		equal(t, "untouched", balance(t, l), ledger.Balance{Millipence: 100, Credited: 100})
		hold(t, l, "h", 10, 10)
		if added, err := l.Hold(t.Context(), "other", "h", 1, 10); err == nil {
			t.Errorf("a hold of two identities: %d", added)
		}
		equal(t, "spending another's hold takes one's own credit", spend(t, db, l, "other", "h", 5, 0, noon), 5)
		equal(t, "and leaves the hold", balance(t, l), ledger.Balance{Millipence: 100, Held: 10, Credited: 100})
	})
}
