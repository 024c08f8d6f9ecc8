package e2e

import (
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// TestDatabaseAway has a database that for a while takes what it is sent and fails before it
// says so, and then is away for ten seconds or more: at first nothing answers, then nothing
// listens. Callers whose keys are cached are served all the time, and every unit is written
// afterwards, once.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(storetest.PostgreSQL(t))
	if err != nil {
		t.Fatal(err)
	}
	line := wireTo(t, address.Host)
	address.Host = line.address
	g := start(t, accounts(address.String(), outboxtest.SMTP(t)), "serve", "--region", countyDir(t))
	known, knownID := mint(t, g, 1_000_000, unlimitedRate)
	stranger, _ := mint(t, g, 1_000_000, unlimitedRate) // not known to the gateway before it calls
	if o := (traffic{gateway: g, key: known}).once(); o.status != http.StatusOK {
		t.Fatalf("the first call: %d", o.status)
	}

	var over atomic.Bool
	var work sync.WaitGroup
	var keyed, keyless []outcome
	done := func([]outcome) bool { return over.Load() }
	work.Go(func() { keyed = traffic{gateway: g, key: known, workers: 2, every: 10 * time.Millisecond}.run(done) })
	work.Go(func() { keyless = traffic{gateway: g, every: 50 * time.Millisecond}.run(done) })

	line.turn(losing)
	waittest.Until(t, "commits are in doubt", func() bool { return line.lost.Load() >= 3 })
	for _, state := range []wireState{silent, refusing} {
		line.turn(state)
		for range 10 {
			a := g.send(t, http.MethodPost, "/adr/check", oneUnit, bearer(stranger))
			if a.refused(t, 503, "upstream-unavailable"); a.header.Get("Retry-After") == "" {
				t.Errorf("%s %v", a, a.header)
			}
			g.get(t, "/health").ok(t)
			g.get(t, "/v1/keys/self", bearer(known)).ok(t)
			time.Sleep(500 * time.Millisecond)
		}
	}
	line.turn(carrying)
	waittest.Until(t, "the stranger is let in", func() bool { return (traffic{gateway: g, key: stranger}).once().status == http.StatusOK })
	over.Store(true)
	work.Wait()

	for who, calls := range map[string][]outcome{"a known key": keyed, "the demo lane": keyless} {
		if ok := counted(calls, http.StatusOK); ok != len(calls) || ok == 0 {
			t.Errorf("%s: %d of %d calls were answered", who, ok, len(calls))
		}
	}
	want := int64(len(keyed) + 1)
	waittest.Until(t, "all units are written", func() bool {
		calls, units := usageOf(t, g, known).total()
		return calls == want && units == want
	})
	time.Sleep(3 * time.Second) // and none twice
	db := storetest.Open(t, address.String())
	if units := queryInt(t, db, "SELECT units FROM usage_periods WHERE pool = $1", knownID); units != want {
		t.Errorf("%d units for %d calls", units, want)
	}
	if calls := queryInt(t, db, "SELECT SUM(calls) FROM demo_days"); calls != int64(len(keyless)) {
		t.Errorf("%d calls of the demo lane, want %d", calls, len(keyless))
	}
}
