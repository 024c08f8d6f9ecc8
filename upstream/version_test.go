package upstream_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/upstream"
)

// versions is a farm whose servers have versions, and may be found to answer otherwise.
type versions struct {
	*farm
	version  [3]atomic.Value // text
	differs  atomic.Bool
	compared atomic.Int64
	during   func(fresh, old *upstream.ProbedServer)
	now      atomic.Int64 // seconds
}

func startVersions(t *testing.T) *versions {
	t.Helper()
	v := &versions{}
	o := upstream.PoolOptions{Hedge: -1, Now: func() time.Time { return time.Unix(v.now.Load(), 0) }}
	o.Probe = func(_ context.Context, s *upstream.ProbedServer) (upstream.Info, error) {
		return upstream.Info{Version: v.version[v.versionOf(s)].Load().(string)}, nil
	}
	o.Agree = func(_ context.Context, fresh, old *upstream.ProbedServer) error {
		v.compared.Add(1)
		if v.during != nil {
			v.during(fresh, old)
		}
		if v.differs.Load() {
			return errors.New("otherwise")
		}
		return nil
	}
	v.farm = start(t, 3, o)
	for i := range v.version {
		v.version[i].Store("1")
		v.probe(t, i)
	}
	return v
}

func (v *versions) versionOf(s *upstream.ProbedServer) int {
	for i := range v.version {
		if v.pool.Probes(s, i) {
			return i
		}
	}
	return -1
}

func (v *versions) probe(t *testing.T, i int) {
	t.Helper()
	v.pool.ProbeNow(t.Context(), i)
}

// answering lists which servers answer 30 calls.
func (v *versions) answering(t *testing.T) (list [3]bool) {
	t.Helper()
	for range 30 {
		by, err := v.ask(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		list[by] = true
	}
	return list
}

// TestAnotherVersionIsComparedFirst renews servers one after another: each gets no calls while
// it is compared with one that has the version before, and the first that agrees speaks for
// the others.
func TestAnotherVersionIsComparedFirst(t *testing.T) {
	v := startVersions(t)
	v.during = func(fresh, old *upstream.ProbedServer) {
		if v.versionOf(fresh) != 1 || v.versionOf(old) == 1 {
			t.Errorf("server %d is compared with server %d", v.versionOf(fresh), v.versionOf(old))
		}
		if c := v.condition(1); c != upstream.Checking {
			t.Errorf("the changed server is %s", c)
		}
		if got := v.answering(t); got != [3]bool{true, false, true} {
			t.Errorf("during the comparison the servers that answer are %v", got)
		}
	}
	v.version[1].Store("2")
	v.probe(t, 1)
	if got := v.answering(t); v.condition(1) != upstream.Up || got != [3]bool{true, true, true} {
		t.Errorf("the server is %s, and those that answer are %v", v.condition(1), got)
	}
	v.version[0].Store("2")
	v.probe(t, 0)
	if n := v.compared.Load(); n != 1 || v.condition(0) != upstream.Up {
		t.Errorf("%d comparisons, and the second server is %s", n, v.condition(0))
	}
}

// TestARefusedVersionIsTheLastResort renews a server whose answers differ: it gets no calls
// but where no other server does, is compared again later, and is up where it has the version
// of the others again.
func TestARefusedVersionIsTheLastResort(t *testing.T) {
	v := startVersions(t)
	v.differs.Store(true)
	v.version[2].Store("2")
	v.probe(t, 2)
	if got := v.answering(t); v.condition(2) != upstream.Refused || got != [3]bool{true, true, false} {
		t.Errorf("the server is %s, and those that answer are %v", v.condition(2), got)
	}
	for i := range 2 {
		v.proxies[i].Shut()
	}
	for range 30 { // until both are aside
		_, _ = v.ask(t.Context(), "x")
	}
	if got := v.answering(t); got != [3]bool{false, false, true} {
		t.Errorf("with no other server those that answer are %v", got)
	}
	for i := range 2 {
		v.proxies[i].Open(t)
		v.probe(t, i)
		_, _ = v.ask(t.Context(), "x")
	}
	if got := v.answering(t); got != [3]bool{true, true, false} {
		t.Errorf("with the others back those that answer are %v", got)
	}
	v.probe(t, 2)
	if n := v.compared.Load(); n != 1 {
		t.Errorf("%d comparisons within a minute", n)
	}
	v.now.Add(61)
	v.probe(t, 2)
	if n := v.compared.Load(); n != 2 || v.condition(2) != upstream.Refused {
		t.Errorf("%d comparisons after a minute, and the server is %s", n, v.condition(2))
	}
	v.version[2].Store("1")
	v.probe(t, 2)
	if n := v.compared.Load(); n != 2 || v.condition(2) != upstream.Up {
		t.Errorf("%d comparisons, and the server with the version of the others is %s", n, v.condition(2))
	}
}

// TestUnknownUntilHeard checks that a server is up once it has answered and not before.
func TestUnknownUntilHeard(t *testing.T) {
	f := start(t, 1, upstream.PoolOptions{Hedge: -1})
	f.proxies[0].Shut()
	if c := f.condition(0); c != upstream.Unknown {
		t.Errorf("at the start it is %s", c)
	}
	if _, err := f.ask(t.Context(), "x"); err == nil || f.condition(0) != upstream.Unknown {
		t.Errorf("after a failure (%v) it is %s", err, f.condition(0))
	}
	f.proxies[0].Open(t)
	if _, err := f.ask(t.Context(), "x"); err != nil || f.condition(0) != upstream.Up {
		t.Errorf("after an answer (%v) it is %s", err, f.condition(0))
	}
}
