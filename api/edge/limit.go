package edge

import (
	"context"
	"math"
	"net/http"
	"net/netip"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/fault"
)

// Calls of one client network in any sixty seconds.
const (
	publicPerMinute  = 60  // to public endpoints that write or look up a token
	payersPerMinute  = 600 // without a key that pay, or ask for the price
	guessesPerMinute = 20  // with a wrong admin token
)

// networkLimiter limits callers who have no key, by client network, in this
// process.
type networkLimiter struct {
	limiter   rate.Limiter
	perMinute int64
}

func newNetworkLimiter(perMinute int64, now func() time.Time) *networkLimiter {
	return &networkLimiter{rate.NewOn(now), perMinute}
}

// allow takes a call or refuses it as rate-limited.
func (l *networkLimiter) allow(ctx context.Context, client netip.Addr) error {
	return take(ctx, l.limiter, account.Network(client).String(), l.perMinute, "client network")
}

// take takes a call of who, of a kind of caller, or refuses it as rate-limited.
func take(ctx context.Context, l rate.Limiter, who string, perMinute int64, kind string) error {
	wait, ok, err := l.Allow(ctx, who, perMinute)
	if ok || err != nil {
		return err
	}
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	return fault.New(fault.RateLimited, "this takes %d calls a minute from one %s; try again in %d s", perMinute, kind, seconds).
		With("retry_after", seconds).With("limit_per_min", perMinute)
}

// Caller describes the caller of an account's public endpoint.
type Caller struct {
	Client netip.Addr
	Agent  string // as the client calls itself
}

type callerKey struct{}

// CallerOf returns the caller of a public row about an account.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// limited refuses public callers above the rate of a client network, and gives the handler
// the Caller.
func (g *guard) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := Caller{g.edge.Client(r), r.UserAgent()}
		if err := g.publicCallers.allow(r.Context(), c.Client); err != nil {
			refuse(w, r, err, problems)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, c)))
	})
}
