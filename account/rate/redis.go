package rate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

const (
	// timeout is how long a call waits for Redis.
	timeout = 50 * time.Millisecond
	// retryAfter is how long Redis is not asked after a failure.
	retryAfter = time.Second
	// warnEvery is how long no further failure is logged.
	warnEvery = time.Minute
	// prefix separates the keys from those of others in the same Redis.
	prefix = "waygate:calls:"
	// minute is a minute in microseconds, the ticks of a limiter in Redis.
	minute = int64(time.Minute / time.Microsecond)
)

// script is calls.take in microseconds by the clock of Redis, so that replicas need not
// agree on the time. Times have 16 digits; numbers of Lua are exact to 9e15. A key is a
// list of moments, "at upTo", the first of which is the last that is a minute old, or
// nothing yet. The key expires when no call of its caller counts. A value in another
// form is replaced. The script returns the wait and the time.
var script = redis.NewScript(`
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local most, step, minute, key = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), KEYS[1]
local at = math.ceil(now / step) * step
local function moment(i)
	local a, upTo = string.match(redis.call('LINDEX', key, i) or '', '^(%d+) (%d+)$')
	return tonumber(a), tonumber(upTo)
end
local function text(a, upTo) return string.format('%.0f %.0f', a, upTo) end
if redis.call('TYPE', key).ok ~= 'list' or not moment(0) or not moment(-1) then
	redis.call('DEL', key)
	redis.call('RPUSH', key, text(0, 0))
end
local kept = redis.call('LLEN', key) - 1
for i = kept, 1, -1 do
	local a, upTo = moment(i)
	if a <= at then break end
	redis.call('LSET', key, i, text(at, upTo))
end
while kept > 0 and moment(1) + minute <= now do
	redis.call('LPOP', key)
	kept = kept - 1
end
local last, all = moment(-1)
local wait = 0
for i = 1, kept do
	local _, before = moment(i - 1)
	if all - before < most then break end
	wait = moment(i) + minute - now
end
if wait == 0 then
	if kept > 0 and last == at then
		redis.call('LSET', key, -1, text(at, all + 1))
	else
		redis.call('RPUSH', key, text(at, all + 1))
	end
	redis.call('PEXPIRE', key, math.ceil((at + minute - now) / 1000))
end
return {wait, now}
`)

// Redis limits in a Redis, or a compatible server, that replicas share. If it fails or
// is slow, calls go to the fallback, and Redis is not asked for a second; then one call
// at a time tries it. Meanwhile every replica counts by itself, so that a caller may
// pass as many times the calls as there are replicas, in addition to what Redis let
// pass before and after.
type Redis struct {
	client   redis.UniversalClient
	fallback Limiter
	log      *slog.Logger
	start    time.Time
	timeout  time.Duration

	retry  atomic.Int64 // when Redis may be tried again, since start; 0 where it works
	silent atomic.Int64 // until when failures are not logged, since start
	warned atomic.Bool  // whether the last failure was logged
}

// Dial returns a client for NewRedis of an address such as redis://:secret@host:6379/0,
// rediss://… or unix://…. It does not connect yet. Unlike a client with go-redis's
// defaults it gives up in time, and it silences go-redis's log in this process.
func Dial(address string) (*redis.Client, error) {
	o, err := redis.ParseURL(address)
	if err != nil {
		if u := (*url.Error)(nil); errors.As(err, &u) {
			err = u.Err // without the address, which may hold a password
		}
		return nil, fmt.Errorf("the address of Redis: %w", err)
	}
	// go-redis logs every try; ours logs a failure once.
	logging.Disable()
	o.ContextTimeoutEnabled = true
	o.MaxRetries = -1
	o.DialerRetries = 1
	// Calls wait as long as their contexts allow. A connection may take longer to come
	// about, and is then there for later calls.
	o.DialTimeout = retryAfter
	o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = retryAfter, retryAfter, retryAfter
	return redis.NewClient(o), nil
}

// NewRedis returns a limiter in Redis; client comes from Dial.
func NewRedis(client redis.UniversalClient, fallback Limiter, log *slog.Logger) *Redis {
	return &Redis{client: client, fallback: fallback, log: log, start: time.Now(), timeout: timeout}
}

// Allow takes a call.
func (r *Redis) Allow(ctx context.Context, who string, perMinute int64) (time.Duration, bool, error) {
	if perMinute <= 0 {
		return time.Minute, false, nil
	}
	if !r.open() {
		return r.fallback.Allow(ctx, who, perMinute)
	}
	wait, _, err := r.take(ctx, who, perMinute)
	if err == nil {
		r.works()
		return wait, wait == 0, nil
	}
	if ctx.Err() != nil {
		// The caller has gone, or its deadline was too short to blame Redis.
		return 0, false, ctx.Err()
	}
	r.failed(err)
	return r.fallback.Allow(ctx, who, perMinute)
}

// take takes tokens in Redis; now is the time there in microseconds.
func (r *Redis) take(ctx context.Context, who string, perMinute int64) (wait time.Duration, now int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	answer, err := script.Run(ctx, r.client, []string{prefix + who}, perMinute, stepOf(perMinute, minute), minute).Int64Slice()
	if err != nil {
		return 0, 0, err
	}
	if len(answer) != 2 {
		return 0, 0, fmt.Errorf("the script answers %v", answer)
	}
	return time.Duration(answer[0]) * time.Microsecond, answer[1], nil
}

// Probe checks that Redis answers, and logs as Allow does if it does not within a
// second, so that a wrong address is found before the first call.
func (r *Redis) Probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, retryAfter)
	defer cancel()
	if err := r.client.Ping(ctx).Err(); err != nil {
		r.failed(err)
		return
	}
	r.works()
}

// Works reports whether the last request to Redis succeeded.
func (r *Redis) Works() bool { return r.retry.Load() == 0 }

// open reports whether to try Redis: always while it works, and once in a retryAfter
// while it does not.
func (r *Redis) open() bool {
	retry := r.retry.Load()
	if retry == 0 {
		return true
	}
	now := time.Since(r.start)
	return int64(now) >= retry && r.retry.CompareAndSwap(retry, int64(now+retryAfter))
}

func (r *Redis) works() {
	if r.retry.Load() == 0 {
		return
	}
	r.retry.Store(0)
	if r.warned.Swap(false) {
		r.log.Info("rate limits are counted in Redis again")
	}
}

func (r *Redis) failed(err error) {
	now := time.Since(r.start)
	r.retry.Store(int64(now + retryAfter))
	until := r.silent.Load()
	if int64(now) >= until && r.silent.CompareAndSwap(until, int64(now+warnEvery)) {
		r.warned.Store(true)
		r.log.Warn("Redis is away; rate limits are counted in this process", "error", err)
	}
}
