package rate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
	"pgregory.net/rapid"
)

// journal is a log that tests read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) count(what string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.text.String(), what)
}

func dial(t testing.TB, address string) *redis.Client {
	t.Helper()
	c, err := Dial(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// newRedis makes a limiter on an emptied server, and one that counts calls
// which fall back.
func newRedis(t testing.TB, address string) (*Redis, *counted, *journal) {
	t.Helper()
	client := dial(t, address)
	if err := client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	j, f := &journal{}, &counted{Limiter: New()}
	r := NewRedis(client, f, slog.New(slog.NewTextHandler(j, nil)))
	r.timeout = waittest.Patience // the machine may be busy
	return r, f, j
}

// counted is a limiter that counts its calls.
type counted struct {
	Limiter
	calls atomic.Int64
}

func (c *counted) Allow(ctx context.Context, who string, perMinute int64) (time.Duration, bool, error) {
	c.calls.Add(1)
	return c.Limiter.Allow(ctx, who, perMinute)
}

// asks counts the scripts that are sent, whatever becomes of them.
type asks struct{ atomic.Int64 }

func (*asks) DialHook(next redis.DialHook) redis.DialHook { return next }

func (a *asks) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, c redis.Cmder) error {
		if c.Name() == "evalsha" {
			a.Add(1)
		}
		return next(ctx, c)
	}
}

func (*asks) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func countAsks(r *Redis) *asks {
	a := &asks{}
	r.client.AddHook(a)
	return a
}

func TestRedisIsALedger(t *testing.T) {
	r, _, _ := newRedis(t, storetest.Redis(t))
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		ledgers := map[string]*ledger{"a": {minute: minute}, "b": {minute: minute}}
		// Rates at which something happens in a few milliseconds, too.
		base := rapid.SampledFrom([]int64{1, 2, 7, 61, 6_000, 60_000, 599_999, 30_000_000, 70_000_000}).Draw(t, "rate")
		calls := rapid.IntRange(1, 40).Draw(t, "calls")
		for range calls {
			if rapid.IntRange(0, 9).Draw(t, "pause") == 0 {
				time.Sleep(time.Duration(rapid.IntRange(0, 2_000).Draw(t, "µs")) * time.Microsecond)
			}
			who, perMinute := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "who"), base
			if rapid.IntRange(0, 9).Draw(t, "upgrade") == 0 {
				perMinute = rapid.SampledFrom(rates).Draw(t, "other rate")
			}
			wait, now, err := r.take(context.Background(), fmt.Sprint(run, who), perMinute)
			if err != nil {
				t.Fatal(err)
			}
			if want := ledgers[who].allow(now, perMinute); want != (wait == 0) || wait < 0 || wait > longestWait(perMinute) {
				t.Fatalf("%s at %d: %v; the ledger says %v", who, perMinute, wait, want)
			}
			if early, late := ledgers[who].clone(), ledgers[who].clone(); wait > 0 && (early.allow(now+wait.Microseconds()-1, perMinute) || !late.allow(now+wait.Microseconds(), perMinute)) {
				t.Fatalf("%s at %d: the wait of %v is not the shortest", who, perMinute, wait)
			}
		}
	})
}

func TestReplicasAtOnce(t *testing.T) {
	const perMinute = 600
	address := storetest.Redis(t)
	a, fellA, _ := newRedis(t, address)
	b, fellB, _ := newRedis(t, address)
	var admitted atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	for i := range 8 {
		l := []*Redis{a, b}[i%2]
		all.Go(func() {
			for range 250 {
				_, ok, err := l.Allow(t.Context(), "shared", perMinute)
				if err != nil {
					t.Error(err)
				}
				if ok {
					admitted.Add(1)
				}
			}
		})
	}
	all.Wait()
	if n := admitted.Load(); n != perMinute && time.Since(begin) < time.Minute {
		t.Errorf("%d calls passed and %d may", n, perMinute)
	}
	if n := fellA.calls.Load() + fellB.calls.Load(); n > 0 {
		t.Errorf("%d calls fell back", n)
	}
}

func TestKeysExpire(t *testing.T) {
	r, _, _ := newRedis(t, storetest.Redis(t))
	for _, perMinute := range []int64{60, 60_000} {
		who := fmt.Sprint(perMinute)
		if _, ok, err := r.Allow(t.Context(), who, perMinute); !ok || err != nil {
			t.Fatal(ok, err)
		}
		left, err := r.client.PTTL(t.Context(), prefix+who).Result()
		if err != nil || left > 61*time.Second || left < time.Second {
			t.Errorf("a call at %d a minute is kept for %v, %v", perMinute, left, err)
		}
	}
	keys, err := r.client.Keys(t.Context(), "*").Result()
	for _, k := range keys {
		if !strings.HasPrefix(k, prefix) {
			t.Errorf("key %q", k)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// TestLogsStayShort makes more calls than are remembered one by one.
func TestLogsStayShort(t *testing.T) {
	r, _, _ := newRedis(t, storetest.Redis(t))
	c := newClock()
	l := NewOn(c.now)
	for i := range 3 * mostKept {
		if _, ok, err := r.Allow(t.Context(), "k", 1_000_000); !ok || err != nil || !passes(t, l, "k", 1_000_000) {
			t.Fatal(i, ok, err)
		}
		c.pass(time.Minute / mostKept / 2)
	}
	if n := r.client.LLen(t.Context(), prefix+"k").Val(); n > mostKept+2 {
		t.Errorf("Redis keeps %d moments", n)
	}
	if n := len(l.latest["k"].kept); n > mostKept+2 {
		t.Errorf("%d moments are kept here", n)
	}
}

func TestClockOfRedisJumpsBack(t *testing.T) {
	r, _, _ := newRedis(t, storetest.Redis(t))
	hence := time.Now().Add(time.Hour).UnixMicro()
	if err := r.client.RPush(t.Context(), prefix+"k", "0 0", fmt.Sprintf("%d 599", hence), fmt.Sprintf("%d 600", hence+1)).Err(); err != nil {
		t.Fatal(err)
	}
	wait, ok, err := r.Allow(t.Context(), "k", 600)
	if ok || err != nil || wait > time.Minute {
		t.Fatal(wait, ok, err)
	}
	again, ok, err := r.Allow(t.Context(), "k", 600)
	if ok || err != nil || again >= wait {
		t.Errorf("the wait does not shrink: %v after %v, %v, %v", again, wait, ok, err)
	}
	if _, ok, err := r.Allow(t.Context(), "k", 601); !ok || err != nil {
		t.Errorf("one call more may pass: %v, %v", ok, err)
	}
	if left := r.client.PTTL(t.Context(), prefix+"k").Val(); left > time.Minute+time.Second {
		t.Errorf("kept for %v", left)
	}
}

func TestWhatOthersLeftInRedis(t *testing.T) {
	r, fell, _ := newRedis(t, storetest.Redis(t))
	ctx := t.Context()
	for _, junk := range []string{"", "nonsense", "1e300", "1 x", "0x10 1", " 5 "} {
		for _, leave := range []func() error{
			func() error { return r.client.Set(ctx, prefix+"k", junk, 0).Err() },
			func() error { return r.client.RPush(ctx, prefix+"k", junk).Err() },
			func() error { return r.client.SAdd(ctx, prefix+"k", junk).Err() },
		} {
			if err := errors.Join(r.client.Del(ctx, prefix+"k").Err(), leave()); err != nil {
				t.Fatal(err)
			}
			if wait, ok, err := r.Allow(ctx, "k", 600); err != nil || !ok {
				t.Errorf("%q: %v, %v", junk, wait, err)
			}
		}
	}
	if n := fell.calls.Load(); n != 0 {
		t.Errorf("%d calls fell back", n)
	}
}

func TestNobodyPassesAtNought(t *testing.T) {
	r, _, _ := newRedis(t, storetest.Redis(t))
	for _, l := range []Limiter{New(), r} {
		for _, perMinute := range []int64{0, -1, -1 << 63} {
			if wait, ok, err := l.Allow(t.Context(), "k", perMinute); ok || err != nil || wait != time.Minute {
				t.Errorf("%T at %d: %v, %v, %v", l, perMinute, wait, ok, err)
			}
		}
	}
}

func TestCallerWhoIsGone(t *testing.T) {
	r, fell, _ := newRedis(t, storetest.Redis(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok, err := r.Allow(ctx, "k", 60); ok || !errors.Is(err, context.Canceled) {
		t.Error(ok, err)
	}
	if _, ok, err := r.Allow(t.Context(), "k", 60); !ok || err != nil || fell.calls.Load() != 0 {
		t.Error("Redis is blamed for a caller who is gone")
	}
}

func TestRedisDiesAndComesBack(t *testing.T) {
	address, kill, start := storetest.OwnRedis(t)
	r, fell, j := newRedis(t, address)
	ctx := t.Context()
	allow := func() {
		t.Helper()
		if _, ok, err := r.Allow(ctx, "k", 60_000); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	allow()
	if fell.calls.Load() != 0 {
		t.Fatal("Redis is there and not used")
	}
	kill()
	asked := countAsks(r)
	begin := time.Now()
	for range 20_000 {
		allow()
	}
	if n, took := asked.Load(), time.Since(begin); n < 1 || n > 1+int64(took/retryAfter) {
		t.Errorf("Redis is asked %d times by 20,000 calls in %v", n, took)
	}
	if fell.calls.Load() != 20_000 || j.count("Redis is away") != 1 {
		t.Errorf("%d calls fell back, logged %d times", fell.calls.Load(), j.count("Redis is away"))
	}
	time.Sleep(retryAfter) // tried again, and still away
	allow()
	if j.count("Redis is away") != 1 {
		t.Errorf("logged %d times within a minute", j.count("Redis is away"))
	}

	start()
	waittest.Until(t, "Redis is used again", func() bool {
		before := fell.calls.Load()
		allow()
		return fell.calls.Load() == before
	})
	if n := r.client.Exists(ctx, prefix+"k").Val(); n != 1 || j.count("in Redis again") != 1 {
		t.Errorf("%d keys, logged %d times", n, j.count("in Redis again"))
	}
}

// TestProbe looks for Redis before any call does.
func TestProbe(t *testing.T) {
	address, kill, start := storetest.OwnRedis(t)
	r, fell, j := newRedis(t, address)
	r.Probe(t.Context())
	if !r.Works() || j.count("level=WARN") != 0 {
		t.Error("Redis is there and does not count as such")
	}
	kill()
	r.Probe(t.Context())
	if r.Works() || j.count("Redis is away") != 1 {
		t.Errorf("Redis is away: logged %d times", j.count("Redis is away"))
	}
	if _, ok, err := r.Allow(t.Context(), "k", 60_000); !ok || err != nil || fell.calls.Load() != 1 {
		t.Error("the call after it waits for Redis")
	}
	start()
	waittest.Until(t, "Redis is found again", func() bool { r.Probe(t.Context()); return r.Works() })
	if j.count("in Redis again") != 1 {
		t.Errorf("logged %d times that it is back", j.count("in Redis again"))
	}
}

// TestRedisHangsAtOnce has the server take calls and answer none.
func TestRedisHangsAtOnce(t *testing.T) {
	address, kill, start := storetest.OwnRedis(t)
	r, fell, _ := newRedis(t, address)
	ctx := t.Context()
	if _, ok, err := r.Allow(ctx, "k", 60_000); !ok || err != nil {
		t.Fatal(ok, err)
	}
	r.timeout = timeout
	operator := dial(t, address)
	if err := operator.Do(ctx, "CLIENT", "PAUSE", "600000", "ALL").Err(); err != nil {
		t.Fatal(err)
	}
	asked := countAsks(r)
	var all sync.WaitGroup
	begin := time.Now()
	for range 16 {
		all.Go(func() {
			for range 1000 {
				if _, ok, err := r.Allow(ctx, "k", 6_000_000); !ok || err != nil {
					t.Error(ok, err)
					return
				}
			}
		})
	}
	all.Wait()
	took := time.Since(begin)
	if n := asked.Load(); n < 1 || n > 16+int64(took/retryAfter) || took < timeout {
		t.Errorf("Redis is asked %d times by 16,000 calls of 16 callers in %v", n, took)
	}
	if fell.calls.Load() != 16_000 {
		t.Errorf("%d fell back", fell.calls.Load())
	}
	kill()
	start()
	r.timeout = waittest.Patience
	waittest.Until(t, "Redis is used again", func() bool {
		before := fell.calls.Load()
		if _, ok, err := r.Allow(ctx, "k", 6_000_000); !ok || err != nil {
			t.Fatal(ok, err)
		}
		return fell.calls.Load() == before
	})
}

func TestDialRefuses(t *testing.T) {
	for _, address := range []string{"", "nonsense", "http://127.0.0.1", "redis://127.0.0.1/x"} {
		if c, err := Dial(address); err == nil {
			t.Errorf("%q is taken: %v", address, c)
		}
	}
	_, err := Dial("redis://:secret@127.0.0.1:port/0")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

func BenchmarkRedis(b *testing.B) {
	r, _, _ := newRedis(b, storetest.Redis(b))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			passes(b, r, "k", 1_000_000)
		}
	})
}
