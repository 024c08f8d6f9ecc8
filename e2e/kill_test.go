package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// TestKillNine credits and spends under load and kills the gateway, again and
// again on the same database.
//
// Of what the clients saw, with the price p:
//
//	charged <= p * (answered + without an answer)
//	charged >= p * (answered - perhaps lost in a kill - free)
//
// where perhaps lost are those that were answered after a moment since which the gateway
// was not seen to write twice: what it writes the second time it has gathered after the
// first, and that has all that was answered before. And free are the units of the quota, one in each life of the process at
// most. To the unit, what is charged is what the usage rows have beyond the
// quota. Every credit is there once, whether or not its answer arrived. No
// credit stays promised to a process that is gone.
func TestKillNine(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, address string) {
		t.Parallel()
		k := &killing{t: t, database: address, mails: outboxtest.SMTP(t)}
		t.Cleanup(func() { k.current.kill() })
		g := k.launch()
		k.who = join(t, g, k.mails, "eve@waygate-test.org")
		subscribe(t, g, k.who)
		kills := times(t, "WAYGATE_KILLS", 4)
		first := enough * int64(kills)
		credit(t, g, k.who, first, "at first")
		k.credited.Store(first)
		for i := range kills {
			k.work(g, true)
			g = k.launch()
			k.repeatCredits(g)
			if last := i+1 == kills; last || (i+1)%100 == 0 {
				k.work(g, false) // this one ends well
				k.add(i + 1)
				if !last {
					g = k.launch()
				}
			}
		}
		k.release()
	})
}

// enough is the credit in pence for the calls of one life of the gateway. It pays for three
// million calls, so that no machine is so fast that calls are refused for want of credit.
const enough = 20_000

// killing is a gateway that is killed, and the ledger of its clients.
type killing struct {
	t        *testing.T
	database string
	mails    *outboxtest.Server
	current  *gateway
	lives    int64 // of the gateway
	who      *member

	answered, unanswered, lost int64         // calls; lost are those that may be
	credited                   atomic.Int64  // pence
	unsure                     []string      // reasons of credits of a penny without an answer
	reasons                    atomic.Uint64 // numbers them
}

func (k *killing) launch() *gateway {
	k.t.Helper()
	g, err := launch(accounts(k.database, k.mails), "serve", "--region", countyDir(k.t))
	if err != nil {
		k.t.Fatal(err)
	}
	k.current, k.lives = g, k.lives+1
	return g
}

// work has clients call and an operator credit until the gateway is killed at
// a moment that nobody chose, or stopped in order.
func (k *killing) work(g *gateway, kill bool) {
	var clients sync.WaitGroup
	var calls []outcome
	var over atomic.Bool
	written := &writings{db: storetest.Open(k.t, k.database), pool: k.who.identity}
	clients.Go(func() {
		for !over.Load() {
			if err := written.look(context.Background()); err != nil {
				k.t.Error(err)
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	clients.Go(func() {
		calls = traffic{gateway: g, key: k.who.key, workers: 4}.run(func(mine []outcome) bool {
			// A call that is answered with anything but success, or not at all,
			// is the last: the gateway is gone.
			return over.Load() || len(mine) > 0 && mine[len(mine)-1].status != http.StatusOK
		})
	})
	clients.Go(func() {
		for !over.Load() {
			k.creditPenny(g, fmt.Sprintf("penny %d", k.reasons.Add(1)))
			time.Sleep(20 * time.Millisecond)
		}
	})
	waittest.Until(k.t, "units are written twice", func() bool { return !written.certain().IsZero() })
	time.Sleep(rand.N(2 * time.Second))
	if kill {
		g.kill()
		over.Store(true)
		clients.Wait()
	} else {
		over.Store(true)
		clients.Wait()
		if err := g.stop(); err != nil {
			k.t.Errorf("stopped in order, it ended with %v", err)
		}
	}
	answered := int64(counted(calls, http.StatusOK))
	unanswered := int64(counted(calls, 0))
	if n := int64(len(calls)); n != answered+unanswered {
		k.t.Errorf("%d calls were refused: %+v", n-answered-unanswered, calls[len(calls)-1])
	}
	k.answered, k.unanswered = k.answered+answered, k.unanswered+unanswered
	for _, o := range calls {
		if kill && o.status == http.StatusOK && o.at.After(written.certain()) {
			k.lost++
		}
	}
}

// writings are the moments at which units were seen to be other than before.
type writings struct {
	db   *store.DB
	pool string

	mu    sync.Mutex
	units int64
	known bool
	last  time.Time    // of the last look
	until [2]time.Time // looks before the last two changes, the newest first
}

// look reads what is written.
func (w *writings) look(ctx context.Context) error {
	began, units := time.Now(), int64(0)
	if err := w.db.QueryRow(ctx, "SELECT COALESCE(SUM(units), 0) FROM usage_periods WHERE pool = $1", w.pool).Scan(&units); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known && units != w.units {
		w.until = [2]time.Time{w.last, w.until[0]}
	}
	w.units, w.known, w.last = units, true, began
	return nil
}

// certain returns the moment before which all that was answered is written: a look since which
// there were two changes. It is zero before there were.
func (w *writings) certain() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.until[1]
}

// creditPenny credits a penny; where the answer does not come, it may or may
// not be there.
func (k *killing) creditPenny(g *gateway, reason string) {
	a, err := request(http.MethodPost, g.url+"/admin/identities/credit", fmt.Sprintf(`{"email":%q,"pence":1,"reason":%q}`, k.who.email, reason), "Content-Type: application/json", bearer(adminToken))
	switch {
	case err != nil:
		k.unsure = append(k.unsure, reason)
	case a.status == http.StatusOK:
		k.credited.Add(1)
	default:
		k.t.Errorf("%s: %s", reason, a)
	}
}

// repeatCredits sends again what had no answer.
func (k *killing) repeatCredits(g *gateway) {
	unsure := k.unsure
	k.unsure = nil
	for _, reason := range unsure {
		k.creditPenny(g, reason)
	}
}

// add compares the ledger with the clients' ledger, after so many kills.
func (k *killing) add(kills int) {
	t := k.t
	db := storetest.Open(t, k.database)
	balance, held, credited := k.balance(db)
	entries := queryInt(t, db, "SELECT SUM(millipence) FROM entries WHERE identity_id = $1", k.who.identity)
	charged := -queryInt(t, db, "SELECT COALESCE(SUM(millipence), 0) FROM entries WHERE identity_id = $1 AND kind = 'usage'", k.who.identity)
	units := queryInt(t, db, "SELECT units FROM usage_periods WHERE pool = $1", k.who.identity)
	rows := queryInt(t, db, "SELECT SUM(units) FROM usage_days WHERE key_id = $1", k.who.keyID)
	t.Logf("%d kills: %d calls answered, %d without an answer, %d may be lost; %d units charged, %d credited pence, %d left", kills, k.answered, k.unanswered, k.lost, charged/unitPrice, k.credited.Load(), balance/1000)

	if k.answered < int64(kills) {
		t.Errorf("%d calls were answered: the test tests nothing", k.answered)
	}
	if credited != k.credited.Load()*1000 {
		t.Errorf("%d millipence were ever credited, want %d", credited, k.credited.Load()*1000)
	}
	if entries != balance || balance != credited-charged {
		t.Errorf("the entries sum to %d, the balance is %d, credited %d and charged %d millipence", entries, balance, credited, charged)
	}
	if most := (k.answered + k.unanswered) * unitPrice; charged > most {
		t.Errorf("%d millipence are charged for calls that cost at most %d", charged, most)
	}
	if least := (k.answered - k.lost - k.lives) * unitPrice; charged < least {
		t.Errorf("%d millipence are charged, at least %d are due", charged, least)
	}
	if units != rows || charged != (units-1)*unitPrice {
		t.Errorf("%d units of the month, %d of the day, %d charged", units, rows, charged/unitPrice)
	}
	if promised := queryInt(t, db, "SELECT COALESCE(SUM(millipence), 0) FROM holds WHERE identity_id = $1", k.who.identity); promised != held || held > balance {
		t.Errorf("holds of %d, and %d of %d millipence are held", promised, held, balance)
	}
}

// release sees that the holds of those who were killed fall back once they
// have expired.
func (k *killing) release() {
	t := k.t
	db := storetest.Open(t, k.database)
	before, _, _ := k.balance(db)
	if _, err := db.Exec(t.Context(), "UPDATE holds SET expires_at = 1"); err != nil {
		t.Fatal(err)
	}
	g := k.launch()
	if o := (traffic{gateway: g, key: k.who.key}).once(); o.status != http.StatusOK {
		t.Errorf("a call has status %d", o.status)
	}
	if err := g.stop(); err != nil {
		t.Error(err)
	}
	balance, held, _ := k.balance(db)
	if holds := queryInt(t, db, "SELECT COUNT(*) FROM holds"); held != 0 || holds != 0 || balance != before-unitPrice {
		t.Errorf("%d of %d millipence are held in %d holds; before the last call there were %d", held, balance, holds, before)
	}
}

func (k *killing) balance(db *store.DB) (balance, held, credited int64) {
	k.t.Helper()
	err := db.QueryRow(k.t.Context(), "SELECT millipence, held, credited FROM balances WHERE identity_id = $1", k.who.identity).Scan(&balance, &held, &credited)
	if err != nil {
		k.t.Fatal(err)
	}
	return balance, held, credited
}

// queryInt reads one.
func queryInt(t *testing.T, db *store.DB, query string, args ...any) (n int64) {
	t.Helper()
	if err := db.QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}
