package edge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/http"
	"net/netip"
	"sync"
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

const (
	linkedPerMinute = 600           // by one link, and tries of tokens from one network
	linksPerMinute  = 6000          // by all links of one network
	linksFor        = 2 * time.Hour // at most, from when a token opened something
	linksMost       = 1 << 15       // that are remembered of either of two such halves
)

// links limits calls with the token of a link. A token that has opened something here lately has a
// rate of its own, so that drivers behind one address do not use up each other's; their network has
// a higher one, because who has a key has as many links as there are stops. Any other token is a
// try of its network, which is counted before the token is looked up: above that rate right and
// wrong tokens get the same answer. Its methods are safe for concurrent use.
type links struct {
	limiter rate.Limiter
	now     func() time.Time

	mu sync.Mutex
	// The hashes of tokens that opened something: latest since turned, before in the turn before.
	latest, before map[[sha256.Size]byte]struct{}
	turned         time.Time
}

func newLinks(now func() time.Time) *links {
	return &links{limiter: rate.NewOn(now), now: now, latest: map[[sha256.Size]byte]struct{}{}, turned: now()}
}

// allow takes a call or refuses it as rate-limited.
func (l *links) allow(ctx context.Context, hash [sha256.Size]byte, client netip.Addr) error {
	l.mu.Lock()
	l.turn()
	_, known := l.latest[hash]
	if !known {
		_, known = l.before[hash]
	}
	l.mu.Unlock()
	network := account.Network(client).String()
	if !known {
		return take(ctx, l.limiter, network, linkedPerMinute, "client network")
	}
	if err := take(ctx, l.limiter, hex.EncodeToString(hash[:]), linkedPerMinute, "link"); err != nil {
		return err
	}
	return take(ctx, l.limiter, "links of "+network, linksPerMinute, "client network")
}

// turn begins the next turn where one is over or full.
func (l *links) turn() {
	if age := l.now().Sub(l.turned); age >= 0 && age < linksFor/2 && len(l.latest) < linksMost {
		return
	}
	l.before, l.latest, l.turned = l.latest, map[[sha256.Size]byte]struct{}{}, l.now()
}

// found remembers that a token has opened something, or that it has not.
func (l *links) found(hash [sha256.Size]byte, opened bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if opened {
		l.latest[hash] = struct{}{}
		return
	}
	delete(l.latest, hash)
	delete(l.before, hash)
}

type linkKey struct{}

type sentLink struct {
	token string
	hash  [sha256.Size]byte
	links *links
}

// ByLink calls a function with the token of a request to a row for those with a link, as it was
// sent. The function returns not-found where the token opens nothing.
func ByLink[T any](ctx context.Context, open func(ctx context.Context, token string) (*T, error)) (*T, error) {
	sent, _ := ctx.Value(linkKey{}).(*sentLink)
	out, err := open(ctx, sent.token)
	if err == nil || fault.Is(err, fault.NotFound) {
		sent.links.found(sent.hash, err == nil)
	}
	return out, err
}

// byLink lets those pass who send a token, as often as the link and their network may.
func (g *guard) byLink(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _, err := bearer(r)
		if err != nil || token == "" {
			refuse(w, r, fault.New(fault.Unauthorized, "send the token of the link as Authorization: Bearer <TOKEN>, once"), problems)
			return
		}
		sent := &sentLink{token, sha256.Sum256([]byte(token)), g.links}
		if err := g.links.allow(r.Context(), sent.hash, g.edge.Client(r)); err != nil {
			refuse(w, r, err, problems)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), linkKey{}, sent)))
	})
}
