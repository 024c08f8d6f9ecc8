package ledger_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) {
	// Every step waits for a disk; go test -rapid.checks=1000 looks longer.
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	os.Exit(storetest.Main(m))
}

// noon is when the tests begin.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// clock is a time that a test moves.
type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.ms.Store(noon.UnixMilli())
	return c
}

func (c *clock) now() time.Time        { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *clock) pass(by time.Duration) { c.ms.Add(by.Milliseconds()) }

// identify adds an identity without credit.
func identify(t testing.TB, db *store.DB, id string) {
	t.Helper()
	if _, err := db.Exec(t.Context(), "INSERT INTO identities (id, email, created_at, tos_accepted_at) VALUES ($1, $2, 1, 1)", id, id+"@example.org"); err != nil {
		t.Fatal(err)
	}
}

// spend is SpendIn in a transaction of its own.
func spend(t testing.TB, db *store.DB, l *ledger.Ledger, identity, hold string, spent, release int64, at time.Time) (booked int64) {
	t.Helper()
	err := db.Tx(t.Context(), func(tx *store.Tx) (err error) {
		booked, err = l.SpendIn(t.Context(), tx, identity, hold, spent, release, at)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return booked
}

func TestCredit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		c := newClock()
		l := ledger.New(db, c.now)
		identify(t, db, "i")
		if b, err := l.Balance(t.Context(), "i"); err != nil || b != (ledger.Balance{}) {
			t.Fatalf("before any credit: %+v %v", b, err)
		}
		steps := []struct {
			millipence int64
			reason     string
			want       ledger.Credited
		}{
			{5_000, "first", ledger.Credited{IdentityID: "i", Millipence: 5_000}},
			{1, "second", ledger.Credited{IdentityID: "i", Millipence: 5_001}},
			{5_000, "first", ledger.Credited{IdentityID: "i", Millipence: 5_000, Duplicate: true}},
			{7, "first", ledger.Credited{IdentityID: "i", Millipence: 5_000, Duplicate: true}},
			{ledger.MaxCredit, "third", ledger.Credited{IdentityID: "i", Millipence: 5_001 + ledger.MaxCredit}},
			{1, "second", ledger.Credited{IdentityID: "i", Millipence: 5_001, Duplicate: true}},
		}
		for _, s := range steps {
			got, err := l.Credit(t.Context(), "i", s.millipence, s.reason, "admin")
			if err != nil || *got != s.want {
				t.Fatalf("credit of %d for %q: %+v %v, want %+v", s.millipence, s.reason, got, err, s.want)
			}
			c.pass(time.Second)
		}
		want := []ledger.Entry{
			{noon, "credit", 5_000, 5_000, "first", "admin"},
			{noon.Add(time.Second), "credit", 1, 5_001, "second", "admin"},
			{noon.Add(4 * time.Second), "credit", ledger.MaxCredit, 5_001 + ledger.MaxCredit, "third", "admin"},
		}
		equalHistory(t, l, "i", want)
		if b, err := l.Balance(t.Context(), "i"); err != nil || b != (ledger.Balance{Millipence: 5_001 + ledger.MaxCredit, Credited: 5_001 + ledger.MaxCredit}) {
			t.Errorf("%+v %v", b, err)
		}
	})
}

func equalHistory(t testing.TB, l *ledger.Ledger, identity string, want []ledger.Entry) {
	t.Helper()
	got, err := l.History(t.Context(), identity)
	if err != nil || len(got) != len(want) {
		t.Fatalf("history %+v %v, want %+v", got, err, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("entry %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

// A refused booking changes nothing.
func TestCreditRefusals(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		l := ledger.New(db, nil)
		identify(t, db, "i")
		if _, err := l.Credit(t.Context(), "i", 9, "the only one", "admin"); err != nil {
			t.Fatal(err)
		}
		cases := map[string]struct {
			identity   string
			millipence int64
			reason     string
			slug       fault.Slug
			says       string
		}{
			"zero":             {"i", 0, "r", fault.BadRequest, "1000000000 pence"},
			"negative":         {"i", -1, "r", fault.BadRequest, "1000000000 pence"},
			"least of all":     {"i", -1 << 63, "r", fault.BadRequest, "1000000000 pence"},
			"above the most":   {"i", ledger.MaxCredit + 1, "r", fault.BadRequest, "1000000000 pence"},
			"most of all":      {"i", 1<<63 - 1, "r", fault.BadRequest, "1000000000 pence"},
			"no reason":        {"i", 1, "", fault.BadRequest, "reason"},
			"blank reason":     {"i", 1, " \t", fault.BadRequest, "reason"},
			"long reason":      {"i", 1, strings.Repeat("é", ledger.MaxReason+1), fault.BadRequest, "200 characters"},
			"a day's usage":    {"i", 1, "usage 2026-11-21", fault.BadRequest, "reason"},
			"a zero byte":      {"i", 1, "a\x00b", fault.BadRequest, "reason"},
			"broken UTF-8":     {"i", 1, "a\xffb", fault.BadRequest, "reason"},
			"unknown identity": {"nobody", 1, "r", fault.NotFound, "identity"},
		}
		for name, c := range cases {
			got, err := l.Credit(t.Context(), c.identity, c.millipence, c.reason, "admin")
			if got != nil || !fault.Is(err, c.slug) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %+v %v", name, got, err)
			}
		}
		if _, err := l.Credit(t.Context(), "i", 1, strings.Repeat("é", ledger.MaxReason), "admin"); err != nil {
			t.Errorf("the longest reason: %v", err)
		}
		if b, err := l.Balance(t.Context(), "i"); err != nil || b != (ledger.Balance{Millipence: 10, Credited: 10}) {
			t.Errorf("%+v %v", b, err)
		}
	})
}

// A full balance refuses, also where much of what was credited is spent.
func TestCreditOverflow(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		l := ledger.New(db, nil)
		for _, id := range []string{"full", "spent"} {
			identify(t, db, id)
			if _, err := db.Exec(t.Context(), "INSERT INTO balances (identity_id, millipence, credited) VALUES ($1, $2, $2)", id, ledger.MaxBalance-10); err != nil {
				t.Fatal(err)
			}
		}
		spend(t, db, l, "spent", "h", ledger.MaxBalance-10, 0, noon)
		for _, id := range []string{"full", "spent"} {
			if got, err := l.Credit(t.Context(), id, 11, "too much", "admin"); got != nil || !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), "1000000000000 pence") {
				t.Errorf("%s: %+v %v", id, got, err)
			}
			if got, err := l.Credit(t.Context(), id, 10, "just right", "admin"); err != nil || got.Duplicate {
				t.Errorf("%s: %+v %v", id, got, err)
			}
		}
	})
}

// The same credit from many sides at once is booked once, and all get the
// balance after it.
func TestCreditAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		replicas := []*store.DB{storetest.Open(t, address, schema.Apply), storetest.Open(t, address)}
		identify(t, replicas[0], "i")
		var originals atomic.Int64
		var all sync.WaitGroup
		for n := range 16 {
			all.Go(func() {
				got, err := ledger.New(replicas[n%2], nil).Credit(t.Context(), "i", 700, "stripe:cs_1", "stripe")
				if err != nil || got.Millipence != 700 {
					t.Errorf("%+v %v", got, err)
					return
				}
				if !got.Duplicate {
					originals.Add(1)
				}
			})
		}
		all.Wait()
		if n := originals.Load(); n != 1 {
			t.Errorf("%d credits claim to be the first", n)
		}
		if b, err := ledger.New(replicas[1], nil).Balance(t.Context(), "i"); err != nil || b != (ledger.Balance{Millipence: 700, Credited: 700}) {
			t.Errorf("%+v %v", b, err)
		}
	})
}

// A credit goes with its transaction.
func TestCreditUndone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		l := ledger.New(db, nil)
		identify(t, db, "i")
		undo := errors.New("undo")
		err := db.Tx(t.Context(), func(tx *store.Tx) error {
			if _, err := l.CreditIn(t.Context(), tx, "i", 5, "r", "admin"); err != nil {
				return err
			}
			return undo
		})
		if !errors.Is(err, undo) {
			t.Fatal(err)
		}
		if got, err := l.Credit(t.Context(), "i", 5, "r", "admin"); err != nil || got.Duplicate || got.Millipence != 5 {
			t.Errorf("%+v %v", got, err)
		}
	})
}
