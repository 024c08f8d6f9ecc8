package rate

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/store/storetest"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// clock is set by a test.
type clock struct{ time.Time }

func newClock() *clock { return &clock{time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time       { return c.Time }
func (c *clock) pass(d time.Duration) { c.Time = c.Add(d) }

// passes takes a call of who.
func passes(t testing.TB, l Limiter, who string, perMinute int64) bool {
	_, ok, err := l.Allow(context.Background(), who, perMinute)
	if err != nil && t != nil {
		t.Error(err)
	}
	return ok
}

// ledger is the slow obvious limiter: it writes down when each call passed, to
// the end of its step, and counts those of the last minute.
type ledger struct {
	minute int64 // ticks
	at     []int64
}

func (l *ledger) allow(now, perMinute int64) bool {
	if perMinute <= 0 {
		return false
	}
	step := stepOf(perMinute, l.minute)
	at := now
	for at%step != 0 {
		at += step - at%step
	}
	n := int64(0)
	for i := range l.at {
		l.at[i] = min(l.at[i], at)
		if l.at[i] > now-l.minute {
			n++
		}
	}
	if n >= perMinute {
		return false
	}
	l.at = append(l.at, at)
	return true
}

func (l *ledger) clone() *ledger { return &ledger{l.minute, slices.Clone(l.at)} }

// rates a minute that divide it, that do not, and that are out of scale.
var rates = []int64{1, 2, 7, 59, 60, 61, 999, 6_000, 7_001, 1_000_000, 59_999_999, 70_000_000_000}

func TestLocalIsALedger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		l := NewOn(c.now)
		begin := c.Time
		names := []string{"a", "b", "c"}
		ledgers := map[string]*ledger{}
		for _, who := range names {
			ledgers[who] = &ledger{minute: int64(time.Minute)}
		}
		base := rapid.SampledFrom(rates).Draw(t, "rate")
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			switch rapid.IntRange(0, 5).Draw(t, "pause") {
			case 0:
				c.pass(time.Duration(rapid.Int64Range(0, int64(3*time.Minute)).Draw(t, "long")))
			case 1, 2:
				c.pass(time.Minute / time.Duration(base) * time.Duration(rapid.IntRange(0, 3).Draw(t, "gaps")))
			case 3:
				c.pass(time.Duration(rapid.IntRange(0, 100).Draw(t, "short")))
			}
			who, perMinute := rapid.SampledFrom(names).Draw(t, "who"), base
			if rapid.IntRange(0, 9).Draw(t, "upgrade") == 0 {
				perMinute = rapid.SampledFrom(append(rates, 0, -5)).Draw(t, "other rate")
			}
			want := ledgers[who].allow(int64(c.Sub(begin)), perMinute)
			wait, ok, err := l.Allow(context.Background(), who, perMinute)
			if ok != want || err != nil || ok != (wait == 0) || wait < 0 || wait > longestWait(perMinute) {
				t.Fatalf("%s at %d: %v, %v, %v; the ledger says %v", who, perMinute, wait, ok, err, want)
			}
			if ok || perMinute <= 0 {
				continue
			}
			// The wait is as announced, to the tick.
			early, late := ledgers[who].clone(), ledgers[who].clone()
			if at := int64(c.Sub(begin) + wait); early.allow(at-1, perMinute) || !late.allow(at, perMinute) {
				t.Fatalf("%s at %d: the wait of %v is not the shortest", who, perMinute, wait)
			}
		}
	})
}

// longestWait returns a minute and the step of a rate.
func longestWait(perMinute int64) time.Duration {
	if perMinute <= 0 {
		return time.Minute
	}
	return time.Minute + time.Duration(stepOf(perMinute, int64(time.Minute))) - 1
}

// TestSixtySeconds checks the promise: of n calls a minute no n and one pass
// within sixty seconds, and who made fewer is not refused.
func TestSixtySeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		l := NewOn(c.now)
		n := rapid.SampledFrom([]int64{1, 2, 3, 7, 20, 60, 1024, 1025, 1500}).Draw(t, "rate")
		step := time.Duration(stepOf(n, int64(time.Minute)))
		var passed []time.Time
		for range rapid.IntRange(1, 60).Draw(t, "bursts") {
			switch rapid.IntRange(0, 3).Draw(t, "pause") {
			case 0:
				c.pass(time.Duration(rapid.Int64Range(0, int64(70*time.Second)).Draw(t, "long")))
			case 1:
				c.pass(time.Minute / time.Duration(n))
			case 2:
				c.pass(time.Duration(rapid.Int64Range(0, int64(step)).Draw(t, "short")))
			}
			for range rapid.Int64Range(1, n+1).Draw(t, "calls") {
				if passes(nil, l, "k", n) {
					passed = append(passed, c.Time)
					continue
				}
				if m := len(passed); int64(m) < n || !passed[int64(m)-n].After(c.Add(-time.Minute-step)) {
					t.Fatalf("refused after %d calls, of which fewer than %d were in the last minute", m, n)
				}
			}
		}
		for i := n; i < int64(len(passed)); i++ {
			if within := passed[i].Sub(passed[i-n]); within < time.Minute {
				t.Fatalf("%d calls within %v at %d a minute", n+1, within, n)
			}
		}
	})
}

func TestBurstAndRate(t *testing.T) {
	for _, perMinute := range []int64{1, 7, 60, 999} {
		c := newClock()
		l := NewOn(c.now)
		admitted := func() (n int64) {
			for {
				if !passes(t, l, "k", perMinute) {
					return n
				}
				n++
			}
		}
		if n := admitted(); n != perMinute {
			t.Errorf("a burst of %d at %d a minute", n, perMinute)
		}
		// In an hour of asking every now and then pass an hour's worth of calls.
		total := int64(0)
		for range 60 * 12 {
			c.pass(time.Hour / (60 * 12))
			total += admitted()
		}
		if total != 60*perMinute {
			t.Errorf("%d calls in an hour at %d a minute", total, perMinute)
		}
		// A caller at exactly his rate is not refused.
		c.pass(time.Minute)
		for i := range 3 * perMinute {
			if !passes(t, l, "k", perMinute) {
				t.Errorf("call %d of an even %d a minute is refused", i, perMinute)
				break
			}
			c.pass((time.Minute + time.Duration(perMinute) - 1) / time.Duration(perMinute))
		}
	}
}

func TestClockJumpsBack(t *testing.T) {
	for _, jump := range []time.Duration{time.Second, 59 * time.Second, time.Minute, time.Hour, 24 * 365 * time.Hour} {
		c := newClock()
		l := NewOn(c.now)
		for range 60 {
			passes(t, l, "k", 60)
		}
		c.pass(-jump)
		wait, ok, _ := l.Allow(t.Context(), "k", 60)
		if ok || wait > time.Minute {
			t.Fatalf("after a jump of %v: %v, %v", jump, wait, ok)
		}
		c.pass(wait)
		if !passes(t, l, "k", 60) {
			t.Errorf("after a jump of %v the wait is not enough", jump)
		}
		c.pass(time.Minute)
		n := 0
		for range 100 {
			if passes(t, l, "k", 60) {
				n++
			}
		}
		if n != 60 {
			t.Errorf("a minute after a jump of %v: a burst of %d", jump, n)
		}
	}
}

func TestCallersAreForgotten(t *testing.T) {
	c := newClock()
	l := NewOn(c.now)
	call := func(who string) {
		if !passes(t, l, who, 60) {
			t.Fatal("the first call of a caller is refused")
		}
	}
	for _, jump := range []time.Duration{0, -24 * time.Hour, 48 * time.Hour} {
		c.pass(jump)
		for i := range 1000 {
			call(fmt.Sprint(jump, i))
			c.pass(time.Second)
		}
		if n := len(l.latest) + len(l.before); n > 130 {
			t.Errorf("%d callers are kept of those who called in the last two minutes, after a jump of %v", n, jump)
		}
	}

	l.capacity = 100
	for i := range 1000 {
		call(fmt.Sprint("flood", i))
	}
	if n := len(l.latest); n > 100 {
		t.Errorf("%d callers are kept, more than there is room for", n)
	}
	c.pass(61 * time.Second)
	call("later")
	c.pass(61 * time.Second)
	call("last")
	if n := len(l.latest) + len(l.before); n != 2 {
		t.Errorf("%d callers are kept, two minutes after a flood", n)
	}
}

// TestForgettingGivesNothingAway has a caller use up the burst just before the
// minute turns, and again as soon as two have turned.
func TestForgettingGivesNothingAway(t *testing.T) {
	for before := time.Duration(0); before <= 2*time.Minute; before += 10 * time.Second {
		c := newClock()
		l := NewOn(c.now)
		c.pass(before)
		b := ledger{minute: int64(time.Minute)}
		for at := before; at < before+5*time.Minute; at += 7 * time.Second {
			for range 100 {
				if ok := passes(t, l, "k", 60); ok != b.allow(int64(at), 60) {
					t.Fatalf("at %v: %v", at, ok)
				}
				passes(t, l, "other", 60)
			}
			c.pass(7 * time.Second)
		}
	}
}

func TestLocalAtOnce(t *testing.T) {
	const perMinute = 6000
	l := NewOn(newClock().now)
	var admitted atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range perMinute / 6 {
				if passes(t, l, "k", perMinute) {
					admitted.Add(1)
				}
				passes(t, l, fmt.Sprint(admitted.Load()), perMinute)
			}
		})
	}
	all.Wait()
	if n := admitted.Load(); n != perMinute {
		t.Errorf("%d calls passed of 8,000 in a moment, and %d may", n, perMinute)
	}
}

func TestKnownCallersCostNoAllocation(t *testing.T) {
	l := New()
	if n := testing.AllocsPerRun(1000, func() { passes(t, l, "11111111-1111-4111-8111-111111111111", 60) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLocal(b *testing.B) {
	names := make([]string, 1024)
	for i := range names {
		names[i] = fmt.Sprintf("11111111-1111-4111-8111-%012d", i)
	}
	b.Run("alone", func(b *testing.B) {
		l := New()
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			passes(b, l, names[i%len(names)], 1_000_000)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		l := New()
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				passes(b, l, names[i%len(names)], 1_000_000)
			}
		})
	})
}
