package meter_test

import (
	"bytes"
	"context"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// line is a network before a database that a test can cut.
type line struct {
	listener net.Listener
	to       string

	mu       sync.Mutex
	cut      bool
	lastWord []byte // is forwarded to the database, and then the line is cut
	open     []net.Conn
	secret   []byte        // its caller waits for the answer
	answer   chan struct{} // until this is closed
	answered chan struct{} // has something once an answer is held
}

// hold keeps the answers back of connections over which a text is sent, until
// release is called.
func (l *line) hold(text string) (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.secret, l.answer, l.answered = []byte(text), make(chan struct{}), make(chan struct{}, 100)
	return sync.OnceFunc(func() { close(l.answer) })
}

// newLine returns a line to the PostgreSQL at an address, and its own address.
func newLine(t *testing.T, address string) (*line, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{listener: listener, to: u.Host}
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			ended.Go(func() { l.carry(c) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		l.set(true)
		ended.Wait()
	})
	u.Host = listener.Addr().String()
	return l, u.String()
}

// set cuts the line, or mends it.
func (l *line) set(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut = cut; cut {
		for _, c := range l.open {
			hangUp(c)
		}
		l.open = nil
	}
}

// cutAfter cuts the line once the database has been sent what holds a word,
// before it can answer.
func (l *line) cutAfter(word string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastWord = []byte(word)
}

func hangUp(c net.Conn) { _ = c.Close() }

func (l *line) carry(c net.Conn) {
	defer hangUp(c)
	db, err := net.Dial("tcp", l.to)
	if err != nil {
		return
	}
	defer hangUp(db)
	l.mu.Lock()
	if l.cut {
		l.mu.Unlock()
		return
	}
	l.open = append(l.open, c)
	l.mu.Unlock()
	var answered sync.WaitGroup
	var held atomic.Bool
	answered.Go(func() {
		defer hangUp(c)
		buffer := make([]byte, 1<<16)
		for {
			n, err := db.Read(buffer)
			if held.Load() {
				l.answered <- struct{}{}
				<-l.answer
			}
			if err != nil {
				return
			}
			if _, err := c.Write(buffer[:n]); err != nil {
				return
			}
		}
	})
	buffer := make([]byte, 1<<16)
	for {
		n, err := c.Read(buffer)
		if err != nil {
			break
		}
		l.mu.Lock()
		if l.secret != nil && bytes.Contains(buffer[:n], l.secret) {
			held.Store(true)
		}
		last := l.lastWord != nil && bytes.Contains(buffer[:n], l.lastWord)
		l.mu.Unlock()
		if last {
			l.set(true)
		}
		if _, err := db.Write(buffer[:n]); err != nil {
			break
		}
		if last {
			answered.Wait() // to a client that is gone
		}
	}
	hangUp(db)
	answered.Wait()
}

// far returns a deployment whose gate reaches PostgreSQL over a line.
func far(t *testing.T, change ...func(*meter.Options)) (*fixture, *line) {
	t.Helper()
	address := storetest.PostgreSQL(t)
	l, through := newLine(t, address)
	w := newWorld(t, address, func(o *meter.Options) {
		o.DB = storetest.Open(t, through)
		o.Ledger = ledger.New(o.DB, o.Now)
		for _, c := range change {
			c(o)
		}
	})
	return w, l
}

// While the database is away, known keys are served from memory, however old,
// and what they use is written when it is back, once.
func TestOutage(t *testing.T) {
	w, l := far(t)
	id, k := w.verified(50)
	unsold := w.key(account.Key{State: account.Admin, MonthlyQuota: 30})
	uncached := w.key(account.Key{State: account.Admin, MonthlyQuota: 30})
	w.credit(id, 20*price)
	w.must(k, 55)
	w.must(unsold, 1)
	w.flush(w.gate)
	l.set(true)
	for range 3 {
		w.must(unsold, 9)
		if err := w.gate.Flush(t.Context()); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Fatal(err)
		}
		_, err := w.gate.Admit(t.Context(), meter.Call{Secret: uncached.secret, Endpoint: endpoint, Client: client})
		if f := refused(t, err, fault.UpstreamUnavailable); f.Fields["retry_after"] == nil {
			t.Error("the refusal lacks Retry-After")
		}
		w.standing(w.gate, k)
		w.clock.add(time.Hour)
	}
	refused(t, w.call(w.gate, unsold, 3), fault.QuotaExceeded)
	l.set(false)
	waittest.Until(t, "usage is written", func() bool { return w.gate.Flush(t.Context()) == nil })
	w.flush(w.gate)
	if n := w.queryInt("SELECT SUM(units) FROM usage_days WHERE key_id = $1", unsold.id); n != 28 {
		t.Errorf("%d units are written", n)
	}
	if n := w.queryInt("SELECT units FROM usage_periods WHERE pool = $1", unsold.id); n != 28 {
		t.Errorf("%d units are written to the period", n)
	}
	waittest.Until(t, "the key that is not cached is let in", func() bool { return w.call(w.gate, uncached, 1) == nil })
}

// A database that hangs is waited for once, not by every call, however old what is known of
// a key is. The clock stands still but where a call waits.
func TestHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, storetest.SQLite(t), func(o *meter.Options) { o.Wait = time.Second })
		k := w.key(account.Key{State: account.Admin, MonthlyQuota: 100})
		w.must(k, 1)
		for { // takes all connections that there are
			ctx, give := context.WithCancel(t.Context())
			defer give()
			waiting := time.AfterFunc(time.Second, give)
			rows, err := w.db.Query(ctx, "SELECT 1 UNION SELECT 2")
			if err != nil {
				break
			}
			waiting.Stop()
			defer func() { _ = rows.Close() }()
		}
		w.clock.add(time.Minute)
		waited := func() time.Duration {
			began := time.Now()
			w.must(k, 1)
			return time.Since(began)
		}
		if waited() == 0 {
			t.Fatal("the database does not hang")
		}
		for n := range 75 { // 1.5 s in all, more than retryAfter, after which the gate reads the database again
			if d := waited(); d > 0 {
				t.Errorf("call %d waits for %s", n, d)
			}
			time.Sleep(20 * time.Millisecond)
			if n == 40 {
				w.clock.add(time.Hour)
			}
		}
	})
}

// A key that is revoked while it is being loaded is not served from what was
// read before.
func TestForgetAndLoadAtOnce(t *testing.T) {
	w, l := far(t)
	k := w.key(account.Key{State: account.Admin, MonthlyQuota: 100})
	release := l.hold(account.Hash(k.secret))
	defer release()
	var load sync.WaitGroup
	load.Go(func() { _ = w.call(w.gate, k, 1) })
	<-l.answered // and nobody heard it
	w.exec("UPDATE keys SET revoked_at = 1 WHERE id = $1", k.id)
	w.gate.Invalidate(k.id)
	release()
	load.Wait()
	refused(t, w.call(w.gate, k, 1), fault.Unauthorized)
}

// A commit that arrives though its answer does not is not repeated.
func TestUnclearCommit(t *testing.T) {
	w, l := far(t)
	id, k := w.verified(10)
	w.credit(id, 100*price)
	w.must(k, 30)
	l.cutAfter("commit")
	if err := w.gate.Flush(t.Context()); err == nil {
		t.Fatal("the line was not cut")
	}
	waittest.Until(t, "the commit arrives", func() bool { return w.queryInt("SELECT COALESCE(SUM(units), 0) FROM usage_days") == 30 })
	// More is used meanwhile, and the rest of the quota is known to be gone.
	w.must(k, 5)
	l.cutAfter("nothing in particular")
	l.set(false)
	waittest.Until(t, "usage is written", func() bool { return w.gate.Flush(t.Context()) == nil })
	w.flush(w.gate)
	w.gate.Invalidate(id)
	if s := w.standing(w.gate, k); s.Used != 35 || s.Millipence != 75*price {
		t.Errorf("%d used, %d millipence", s.Used, s.Millipence)
	}
	for what, want := range map[string]int64{
		"units FROM usage_days": 35, "calls FROM usage_days": 2, "units FROM usage_periods": 35, "millipence FROM balances": 75 * price,
	} {
		if n := w.queryInt("SELECT " + what); n != want {
			t.Errorf("%d %s, want %d", n, what, want)
		}
	}
}

// A server that drops its connections in the middle of flushes has all counted
// once in the end.
func TestDroppedConnectionsAtOnce(t *testing.T) {
	address := storetest.PostgreSQL(t)
	w := newWorld(t, address)
	id, k := w.verified(100)
	w.credit(id, 10_000*price)
	w.must(k, 110) // and holds credit from now on
	killer := storetest.Open(t, address)
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_, err := killer.Exec(background, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
				if err != nil {
					t.Error(err)
				}
				time.Sleep(5 * time.Millisecond)
			}
		}
	})
	sold := int64(110)
	for range 100 {
		if w.call(w.gate, k, 3) == nil {
			sold += 3
		}
		_ = w.gate.Flush(t.Context()) // fails, or does not
	}
	close(stop)
	all.Wait()
	waittest.Until(t, "all is written", func() bool { return w.gate.Flush(background) == nil })
	if sold != 410 {
		t.Errorf("%d units were sold of what is held", sold)
	}
	for _, query := range []string{"SELECT SUM(units) FROM usage_days", "SELECT SUM(units) FROM usage_periods"} {
		if n := w.queryInt(query); n != sold {
			t.Errorf("%s: %d, want %d", query, n, sold)
		}
	}
	if b := w.queryInt("SELECT millipence FROM balances"); b != (10_000-(sold-100))*price {
		t.Errorf("%d units' worth of credit was taken for %d", 10_000-b/price, sold-100)
	}
}

// On a database closed underneath nothing is lost that another can write.
func TestClosedUnderneath(t *testing.T) {
	address := storetest.SQLite(t)
	var db *store.DB
	w := newWorld(t, address, func(o *meter.Options) {
		var err error
		if db, err = store.Open(t.Context(), address, store.Options{}); err != nil {
			t.Fatal(err)
		}
		o.DB, o.Ledger = db, ledger.New(db, o.Now)
	})
	k := w.key(account.Key{State: account.Admin, MonthlyQuota: 10})
	w.must(k, 1)
	w.flush(w.gate)
	w.must(k, 2)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := w.gate.Flush(t.Context()); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Fatal(err)
		}
		w.must(k, 1)
	}
	if s := w.standing(w.gate, k); s.Used != 6 {
		t.Errorf("%d used", s.Used)
	}
	if n := w.queryInt("SELECT SUM(units) FROM usage_days"); n != 1 {
		t.Errorf("%d units are written", n)
	}
}

// Run writes to a database that comes back, also when it comes back only at
// the end.
func TestRunAndOutageAtOnce(t *testing.T) {
	w, l := far(t, func(o *meter.Options) { o.Flush = 5 * time.Millisecond })
	k := w.key(account.Key{State: account.Admin, MonthlyQuota: 10_000})
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { w.gate.Run(ctx) })
	const calls = 50
	var used int64
	for n := range 5 {
		l.set(n%2 == 1)
		for range calls {
			w.must(k, 1)
			used++
			time.Sleep(time.Millisecond)
		}
	}
	l.set(true)
	w.must(k, 1)
	cancel()
	time.Sleep(20 * time.Millisecond)
	l.set(false)
	ended.Wait()
	if n := w.queryInt("SELECT SUM(units) FROM usage_days"); n != used+1 {
		t.Errorf("%d units are written, want %d", n, used+1)
	}
}
