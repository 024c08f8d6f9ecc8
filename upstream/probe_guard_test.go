package upstream_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/upstream"
)

// probed is a pool of two servers that are never called, of which the first answers probes as a
// test says and the second always.
type probed struct {
	pool   *upstream.Pool
	now    time.Time
	answer error
	probes int
}

func startProbed(every time.Duration) *probed {
	p := &probed{now: time.Unix(1000, 0)}
	p.pool = upstream.NewPool("the server", []string{"http://a.example", "http://b.example"}, upstream.PoolOptions{
		Client: upstream.NewClient(), Log: slog.New(slog.DiscardHandler), Every: every, Now: func() time.Time { return p.now }, Most: 1 << 20,
		Probe: func(_ context.Context, s *upstream.ProbedServer) (upstream.Info, error) {
			if p.pool.Probes(s, 1) {
				return upstream.Info{}, nil
			}
			p.probes++
			return upstream.Info{}, p.answer
		},
	})
	return p
}

// TestProbesByTheirRules compares the condition of a server after any probes with a few rules:
// two failures in a row put it aside, one success brings it back for a trial, a success between
// two failures parts them, and where no other server gets calls silence is no failure.
func TestProbesByTheirRules(t *testing.T) {
	down, silent := errors.New("down"), fault.New(fault.UpstreamTimeout, "silent")
	rapid.Check(t, func(t *rapid.T) {
		p := startProbed(time.Hour)
		want, row := upstream.Unknown, 0
		for _, kind := range rapid.SliceOfN(rapid.SampledFrom([]string{"works", "fails", "says nothing"}), 1, 12).Draw(t, "probes") {
			p.now = p.now.Add(time.Second)
			p.answer = map[string]error{"fails": down, "says nothing": silent}[kind]
			before := p.pool.States()[0]
			p.pool.ProbeNow(t.Context(), 0)
			switch {
			case kind == "works":
				row = 0
				switch want {
				case upstream.Down:
					want = upstream.Trial
				case upstream.Unknown:
					want = upstream.Up
				}
			case want != upstream.Down:
				if row++; row == 2 {
					want = upstream.Down
				}
			}
			got := p.pool.States()[0]
			if got.Condition != want || (got.Fault == nil) != (kind == "works") {
				t.Fatalf("after a probe that %s it is %s (%v), want %s", kind, got.Condition, got.Fault, want)
			}
			entered := got.Condition != before.Condition && (got.Condition == upstream.Down || got.Condition == upstream.Trial)
			if entered != got.Since.Equal(p.now) {
				t.Fatalf("it has been %s, before %s, since %v at %v", got.Condition, before.Condition, got.Since, p.now)
			}
		}
	})
}

// A server beside none that gets calls stays while it says nothing, and not while it fails.
func TestTheLastServerMayBeSilent(t *testing.T) {
	p := startProbed(time.Hour)
	alone := upstream.NewPool("the server", []string{"http://a.example"}, upstream.PoolOptions{
		Client: upstream.NewClient(), Log: slog.New(slog.DiscardHandler), Every: time.Hour, Now: func() time.Time { return p.now }, Most: 1 << 20,
		Probe: func(context.Context, *upstream.ProbedServer) (upstream.Info, error) { return upstream.Info{}, p.answer },
	})
	p.answer = fault.New(fault.UpstreamTimeout, "silent")
	for range 5 {
		alone.ProbeNow(t.Context(), 0)
	}
	if c := alone.States()[0].Condition; c == upstream.Down {
		t.Error("the only server is down for its silence")
	}
	p.answer = errors.New("down")
	for i, want := range []bool{false, true} {
		if alone.ProbeNow(t.Context(), 0); (alone.States()[0].Condition == upstream.Down) != want {
			t.Errorf("after %d failures it is %s", i+1, alone.States()[0].Condition)
		}
	}
}

// Check probes those servers anew whose last probe is older than two rounds and the time of a
// probe, and no others.
func TestCheckProbesWhatIsOld(t *testing.T) {
	p := startProbed(10 * time.Second)
	for i, c := range []struct {
		later time.Duration
		want  int
	}{{0, 1}, {0, 1}, {22*time.Second - 1, 1}, {1, 2}, {time.Second, 2}} {
		p.now = p.now.Add(c.later)
		if states := p.pool.Check(t.Context()); p.probes != c.want || len(states) != 2 {
			t.Errorf("check %d: %d probes so far, want %d", i, p.probes, c.want)
		}
	}
}

// A probe whose caller has left changes nothing.
func TestAnAbandonedProbeCountsForNothing(t *testing.T) {
	p := startProbed(time.Hour)
	gone, leave := context.WithCancel(t.Context())
	leave()
	p.answer = context.Canceled
	for range 3 {
		p.pool.ProbeNow(gone, 0)
	}
	if s := p.pool.States()[0]; s.Condition != upstream.Unknown || s.Fault != nil {
		t.Errorf("it is %s: %v", s.Condition, s.Fault)
	}
}
