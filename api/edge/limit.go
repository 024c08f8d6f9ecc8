package api

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/fault"
)

// Calls a minute of one client network, with a burst of as many.
const (
	publicPerMinute  = 60  // to public endpoints that write or look up a token
	payersPerMinute  = 600 // without a key that pay, or ask for the price
	guessesPerMinute = 20  // with a wrong admin token
)

// crowdSize bounds the client networks that are remembered.
const crowdSize = 1 << 14

// crowd limits callers who have no key, by client network, in this process.
type crowd struct {
	limiter   rate.Limiter
	perMinute int64
}

func newCrowd(perMinute int64, now func() time.Time) *crowd {
	return &crowd{rate.NewOn(now), perMinute}
}

// allow takes a call or refuses it as rate-limited.
func (c *crowd) allow(ctx context.Context, client netip.Addr) error {
	wait, ok, err := c.limiter.Allow(ctx, account.Network(client).String(), c.perMinute)
	if ok || err != nil {
		return err
	}
	return slower(c.perMinute, wait)
}

func slower(perMinute int64, wait time.Duration) error {
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	return fault.New(fault.RateLimited, "this takes %d calls a minute from one client network; try again in %d s", perMinute, seconds).
		With("retry_after", seconds).With("limit_per_min", perMinute)
}

// operator knows the admin token by its hash, and who guesses at it.
type operator struct {
	shut  bool // no token is set
	hash  [sha256.Size]byte
	wrong *crowd
	now   func() time.Time

	mu     sync.Mutex
	barred map[netip.Addr]time.Time // until when a network's token is not looked at
}

func newOperator(token string, now func() time.Time) *operator {
	return &operator{
		shut: token == "", hash: sha256.Sum256([]byte(token)), wrong: newCrowd(guessesPerMinute, now), now: now, barred: map[netip.Addr]time.Time{},
	}
}

// admit compares a token. Whoever has guessed too often waits, whatever the
// next guess is: otherwise the refusal would tell which are wrong.
func (o *operator) admit(ctx context.Context, token string, client netip.Addr) error {
	if o.shut {
		return fault.New(fault.AdminUnauthorized, "the admin endpoints are off here: the operator has set no SVC_ADMIN_TOKEN")
	}
	if token == "" {
		return fault.New(fault.AdminUnauthorized, "the admin token is needed: send Authorization: Bearer <ADMIN_TOKEN>")
	}
	who := account.Network(client)
	if wait := o.bar(who); wait > 0 {
		return slower(guessesPerMinute, wait)
	}
	sent := sha256.Sum256([]byte(token))
	if subtle.ConstantTimeCompare(sent[:], o.hash[:]) == 1 {
		return nil
	}
	wait, ok, err := o.wrong.limiter.Allow(ctx, who.String(), guessesPerMinute)
	if err != nil {
		return err
	}
	if !ok {
		o.mu.Lock()
		defer o.mu.Unlock()
		if len(o.barred) >= crowdSize {
			clear(o.barred)
		}
		o.barred[who] = o.now().Add(wait)
		return slower(guessesPerMinute, wait)
	}
	return fault.New(fault.AdminUnauthorized, "the admin token is wrong")
}

// bar is how long a network has to wait.
func (o *operator) bar(who netip.Addr) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	until, ok := o.barred[who]
	if !ok {
		return 0
	}
	if wait := until.Sub(o.now()); wait > 0 {
		return wait
	}
	delete(o.barred, who)
	return 0
}
