package upstream_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/upstream"
	"github.com/waygate/waygate/upstream/upstreamtest"
	"github.com/waygate/waygate/waittest"
)

// farm is servers behind proxies that may spoil their connections.
type farm struct {
	proxies  []*upstreamtest.Proxy
	handlers []atomic.Value // of http.HandlerFunc
	calls    []atomic.Int64 // besides probes
	pool     *upstream.Pool
}

// good answers with its number and what it was asked.
func good(i int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, `{"by":%d,"asked":%q,"trace":%q,"pad":%q}`, i, asked, r.Header.Get("Traceparent"), strings.Repeat("x", 500)) // a client that hangs up fails by itself
	}
}

// start starts servers. Nobody probes them but where a test says so; hedge below 0 never
// sends a call to a second server because the first is slow.
func start(t *testing.T, n int, o upstream.PoolOptions) *farm {
	t.Helper()
	f := &farm{handlers: make([]atomic.Value, n), calls: make([]atomic.Int64, n)}
	var addresses []string
	for i := range n {
		f.handlers[i].Store(good(i))
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/status" {
				_, _ = io.WriteString(w, `{}`)
				return
			}
			f.calls[i].Add(1)
			f.handlers[i].Load().(http.HandlerFunc)(w, r)
		}))
		t.Cleanup(server.Close)
		f.proxies = append(f.proxies, upstreamtest.Start(t, server.Listener.Addr().String()))
		addresses = append(addresses, f.proxies[i].URL+"/")
	}
	if o.Most == 0 {
		o.Most = 1 << 20
	}
	o.Client = upstream.NewClient()
	o.Log = slog.New(slog.DiscardHandler)
	if o.Probe == nil {
		o.Probe = func(ctx context.Context, s *upstream.ProbedServer) (upstream.Info, error) {
			_, err := s.Send(ctx, &upstream.Request{Path: "/status", Judge: judge})
			return upstream.Info{}, err
		}
	}
	f.pool = upstream.NewPool("the server", addresses, o)
	return f
}

// judge takes JSON with status 200 for an answer, a 400 for a refusal, and all else for a
// failure.
func judge(status int, body []byte) (failed bool, err error) {
	switch {
	case status == http.StatusBadRequest:
		return false, fault.New(fault.Upstream, "refused")
	case status != http.StatusOK || !json.Valid(body):
		return true, fault.New(fault.Upstream, "status %d is no answer", status).With("upstream_status", status)
	}
	return false, nil
}

// ask asks once; by is the server that answered, -1 for none.
func (f *farm) ask(ctx context.Context, text string) (by int, err error) {
	body, err := f.pool.Send(ctx, &upstream.Request{Path: "/ask", Body: []byte(text), Judge: judge})
	if err != nil {
		return -1, err
	}
	var answer struct {
		By    int
		Asked string
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Asked != text {
		return -1, fmt.Errorf("asked %q and got %.80s", text, body)
	}
	return answer.By, nil
}

func (f *farm) condition(i int) upstream.Condition { return f.pool.States()[i].Condition }

// TestFaults asks one server whose connections are spoilt: each fault has its kind of
// failure, none takes longer than the caller waits, and what comes after it is as before.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault upstreamtest.Fault
		slug  fault.Slug
		name  string
	}{
		{upstreamtest.Silent, fault.UpstreamTimeout, "silent"},
		{upstreamtest.Stalling, fault.UpstreamTimeout, "stalling"},
		{upstreamtest.Resets, fault.UpstreamUnavailable, "resets"},
		{upstreamtest.Garbage, fault.UpstreamUnavailable, "garbage"},
		{upstreamtest.Half, fault.Upstream, "half"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := start(t, 1, upstream.PoolOptions{})
			if _, err := f.ask(t.Context(), "before"); err != nil {
				t.Fatal(err)
			}
			f.proxies[0].Set(c.fault)
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			if c.slug != fault.UpstreamTimeout {
				ctx = t.Context()
			}
			if _, err := f.ask(ctx, "x"); !fault.Is(err, c.slug) {
				t.Errorf("%v, want %s", err, c.slug)
			}
			f.proxies[0].Set(upstreamtest.None)
			if _, err := f.ask(t.Context(), "after"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOneOfThreeFails has callers ask three servers of which one begins to fail in each
// way: no call fails, the server is put aside after a few, and gets calls again after a probe.
func TestOneOfThreeFailsAtOnce(t *testing.T) {
	for name, c := range map[string]struct{ spoil, mend func(t *testing.T, f *farm) }{
		"down": {func(_ *testing.T, f *farm) { f.proxies[0].Shut() }, func(t *testing.T, f *farm) { f.proxies[0].Open(t) }},
		"resets": {
			func(_ *testing.T, f *farm) { f.proxies[0].Set(upstreamtest.Resets) },
			func(_ *testing.T, f *farm) { f.proxies[0].Set(upstreamtest.None) },
		},
		"half": {
			func(_ *testing.T, f *farm) { f.proxies[0].Set(upstreamtest.Half) },
			func(_ *testing.T, f *farm) { f.proxies[0].Set(upstreamtest.None) },
		},
		"silent": {
			func(_ *testing.T, f *farm) { f.proxies[0].Set(upstreamtest.Silent) },
			func(_ *testing.T, f *farm) { f.proxies[0].Set(upstreamtest.None) },
		},
		"a page": {
			func(_ *testing.T, f *farm) {
				f.handlers[0].Store(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					_, _ = io.WriteString(w, "<html>welcome</html>")
				}))
			},
			func(_ *testing.T, f *farm) { f.handlers[0].Store(good(0)) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := start(t, 3, upstream.PoolOptions{Hedge: 20 * time.Millisecond, Every: 20 * time.Millisecond})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var watching sync.WaitGroup
			watching.Go(func() { f.pool.Watch(ctx) })
			var callers sync.WaitGroup
			var asked atomic.Int64
			stop := make(chan struct{})
			for k := range 3 {
				callers.Go(func() {
					for i := 0; ; i++ {
						select {
						case <-stop:
							return
						default:
						}
						if _, err := f.ask(t.Context(), fmt.Sprintf("%d of %d", i, k)); err != nil {
							t.Errorf("a call failed: %v", err)
						}
						asked.Add(1)
					}
				})
			}
			enough := func() bool { n := asked.Load(); return n > 60 }
			waittest.Until(t, "calls are answered", enough)
			c.spoil(t, f)
			waittest.Until(t, "the server is put aside", func() bool { return f.condition(0) != upstream.Up })
			asked.Store(0)
			waittest.Until(t, "calls are answered without it", enough)
			c.mend(t, f)
			waittest.Until(t, "the server is back", func() bool { return f.condition(0) == upstream.Up })
			asked.Store(0)
			before := f.calls[0].Load()
			waittest.Until(t, "it gets calls", func() bool { return enough() && f.calls[0].Load() > before })
			close(stop)
			callers.Wait()
			cancel()
			watching.Wait()
			for i, s := range f.pool.States() {
				if s.InFlight != 0 {
					t.Errorf("server %d has %d calls under way", i, s.InFlight)
				}
			}
		})
	}
}

// TestLeastLoaded keeps one of two servers busy: the other gets the calls.
func TestLeastLoaded(t *testing.T) {
	f := start(t, 2, upstream.PoolOptions{Hedge: -1})
	release, busy := make(chan struct{}), make(chan struct{})
	f.handlers[0].Store(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(busy)
		<-release
		good(0)(w, r)
	}))
	done := make(chan error, 1)
	go func() { _, err := f.ask(t.Context(), "slow"); done <- err }()
	<-busy
	for range 20 {
		if by, err := f.ask(t.Context(), "x"); by != 1 || err != nil {
			t.Fatalf("server %d answered (%v)", by, err)
		}
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestHedge asks a server that never answers: another answers, and the first hears that
// nobody waits. One call in ten may be sent so, and ten more in a row.
func TestHedge(t *testing.T) {
	f := start(t, 2, upstream.PoolOptions{Hedge: time.Millisecond})
	left := make(chan struct{}, 100)
	never := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the server notices who leaves once the body is read
		<-r.Context().Done()
		left <- struct{}{}
	})
	f.handlers[0].Store(never)
	for range 2 { // the calls begin at either
		if by, err := f.ask(t.Context(), "x"); by != 1 || err != nil {
			t.Fatalf("server %d answered (%v)", by, err)
		}
	}
	select {
	case <-left:
	case <-time.After(waittest.Patience):
		t.Error("the server works on for nobody")
	}
	f.handlers[1].Store(never)
	sent := func() int64 { return f.calls[0].Load() + f.calls[1].Load() }
	before, failed := sent(), 0
	for range 30 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := f.ask(ctx, "x"); err != nil {
			failed++
		}
		cancel()
	}
	if more := sent() - before; failed != 30 || more > 30+10+3 {
		t.Errorf("%d of 30 calls failed, and %d were sent", failed, more)
	}
}

// TestPoison sends what makes every server fail: none is put aside, and the budget of calls
// sent again bounds what it costs. What the servers refuse is sent once.
func TestPoison(t *testing.T) {
	f := start(t, 3, upstream.PoolOptions{Hedge: -1})
	for i := range 3 {
		f.handlers[i].Store(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	}
	for range 40 {
		if _, err := f.ask(t.Context(), "x"); !fault.Is(err, fault.Upstream) {
			t.Fatal(err)
		}
	}
	total := func() (n int64) {
		for i := range 3 {
			n += f.calls[i].Load()
		}
		return n
	}
	if n := total(); n > 40+10+4 {
		t.Errorf("40 calls were sent %d times", n)
	}
	before := total()
	for i := range 3 {
		if f.condition(i) != upstream.Unknown {
			t.Errorf("server %d is %s", i, f.condition(i))
		}
		f.handlers[i].Store(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }))
	}
	for range 20 {
		if _, err := f.ask(t.Context(), "x"); err == nil || err.(*fault.Error).Detail != "refused" {
			t.Fatal(err)
		}
	}
	if n := total() - before; n != 20 {
		t.Errorf("20 refusals took %d calls", n)
	}
}

// TestAllDown asks when no server is there: the refusal is at once once they are aside, and
// calls are tried again after a while even where nothing probes.
func TestAllDown(t *testing.T) {
	var now atomic.Int64
	f := start(t, 2, upstream.PoolOptions{Hedge: -1, Now: func() time.Time { return time.Unix(now.Load(), 0) }})
	for i := range 2 {
		f.proxies[i].Shut()
	}
	for range 8 {
		if _, err := f.ask(t.Context(), "x"); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Fatal(err)
		}
	}
	if _, err := f.ask(t.Context(), "x"); !fault.Is(err, fault.UpstreamUnavailable) || !strings.Contains(err.Error(), "none of its 2 servers") || strings.Contains(err.(*fault.Error).Detail, "127.0.0.1") {
		t.Fatal(err)
	}
	for i := range 2 {
		f.proxies[i].Open(t)
	}
	if _, err := f.ask(t.Context(), "x"); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("%v, before a server is due to be tried", err)
	}
	now.Add(2)
	if _, err := f.ask(t.Context(), "x"); err != nil {
		t.Error(err)
	}
}

// TestRelapse has a server that answers probes and fails calls: after each trial twice as
// many probes must succeed before the next.
func TestRelapse(t *testing.T) {
	f := start(t, 2, upstream.PoolOptions{Hedge: -1, Every: time.Hour})
	f.handlers[0].Store(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	asks := func(n int) {
		for range n {
			if by, err := f.ask(t.Context(), "x"); by != 1 || err != nil {
				t.Fatalf("server %d answered (%v)", by, err)
			}
		}
	}
	for i := 0; f.condition(0) != upstream.Down; i++ {
		if asks(1); i > 20 {
			t.Fatal("the server is not put aside")
		}
	}
	for _, probes := range []int{1, 2, 4} {
		for range probes {
			if f.condition(0) != upstream.Down {
				t.Fatalf("a trial before %d probes", probes)
			}
			f.pool.ProbeNow(t.Context(), 0)
		}
		if f.condition(0) != upstream.Trial {
			t.Fatalf("no trial after %d probes", probes)
		}
		asks(12) // whose tokens pay for the next trial
		if f.condition(0) != upstream.Down {
			t.Fatalf("the server is %s after it failed its trial", f.condition(0))
		}
	}
	f.handlers[0].Store(good(0))
	for range 8 {
		f.pool.ProbeNow(t.Context(), 0)
	}
	for range 2 {
		if _, err := f.ask(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
	}
	if f.condition(0) != upstream.Up {
		t.Errorf("the server is %s", f.condition(0))
	}
}

// TestBusyIsNotDown has probes fail: no answer in time puts the only server aside as little as
// one that is at work, and any other failure does.
func TestBusyIsNotDown(t *testing.T) {
	var failure error
	probe := func(context.Context, *upstream.ProbedServer) (upstream.Info, error) { return upstream.Info{}, failure }
	f, two := start(t, 1, upstream.PoolOptions{Probe: probe}), start(t, 2, upstream.PoolOptions{Probe: probe, Hedge: -1})
	thrice := func(f *farm) {
		for range 3 {
			f.pool.ProbeNow(t.Context(), 0)
		}
	}
	failure = fault.New(fault.UpstreamTimeout, "slow")
	if thrice(f); f.condition(0) == upstream.Down {
		t.Error("the only server is put aside because it is busy")
	}
	release, busy := make(chan struct{}), make(chan struct{})
	two.handlers[0].Store(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(busy)
		<-release
		good(0)(w, r)
	}))
	done := make(chan error, 1)
	go func() { _, err := two.ask(t.Context(), "slow"); done <- err }()
	<-busy
	if thrice(two); two.condition(0) == upstream.Down {
		t.Error("a server at work is put aside")
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if thrice(two); two.condition(0) != upstream.Down {
		t.Error("a silent server that is at work on nothing gets calls")
	}
	failure = fault.New(fault.UpstreamUnavailable, "gone")
	if thrice(f); f.condition(0) != upstream.Down {
		t.Error("a server that is gone gets calls")
	}
}

// TestHugeAnswer has a server answer 300 MB, with and without saying so: the call is refused
// after the limit, once, and the server is not to blame.
func TestHugeAnswer(t *testing.T) {
	f := start(t, 2, upstream.PoolOptions{Hedge: -1, Most: 4096})
	var written atomic.Int64
	for _, said := range []bool{true, false} {
		huge := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if said {
				w.Header().Set("Content-Length", fmt.Sprint(300<<20))
			}
			for range 300 {
				n, err := w.Write(make([]byte, 1<<20))
				written.Add(int64(n))
				if err != nil {
					return
				}
			}
		})
		f.handlers[0].Store(huge)
		f.handlers[1].Store(huge)
		before := f.calls[0].Load() + f.calls[1].Load()
		if _, err := f.ask(t.Context(), "x"); !fault.Is(err, fault.Upstream) || !strings.Contains(err.Error(), "longer than 4096 bytes") {
			t.Error(err)
		}
		if n := f.calls[0].Load() + f.calls[1].Load() - before; n != 1 {
			t.Errorf("it was asked for %d times", n)
		}
	}
	if n := written.Load(); n > 64<<20 {
		t.Errorf("the servers could write %d MB", n>>20)
	}
}

// TestCallerLeaves sees that a caller who leaves is no failure, and that his call ends.
func TestCallerLeaves(t *testing.T) {
	f := start(t, 2, upstream.PoolOptions{Hedge: -1})
	left := make(chan struct{})
	asked := make(chan struct{})
	for i := range 2 {
		f.handlers[i].Store(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			close(asked)
			<-r.Context().Done()
			close(left)
		}))
	}
	ctx, leave := context.WithCancel(t.Context())
	go func() { <-asked; leave() }()
	if _, err := f.ask(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-left
	for _, s := range f.pool.States() {
		if s.Failed != 0 || s.InFlight != 0 {
			t.Errorf("%+v", s)
		}
	}
}

// TestTrace sees that the trace of a request reaches the server, and no other header does.
func TestTrace(t *testing.T) {
	f := start(t, 1, upstream.PoolOptions{})
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for sent, want := range map[string]string{parent: parent, "": "", "00-xyz": "", parent + "\r\nX: y": "", parent + strings.Repeat("-", 600): ""} {
		ctx := context.WithValue(t.Context(), upstream.TraceKey{}, upstream.ReadTrace(http.Header{"Traceparent": {sent}}))
		body, err := f.pool.Send(ctx, &upstream.Request{Path: "/ask", Judge: judge})
		if err != nil || !strings.Contains(string(body), fmt.Sprintf(`"trace":%q`, want)) {
			t.Errorf("%q: %.120s %v", sent, body, err)
		}
	}
}
