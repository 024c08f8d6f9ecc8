package edge

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/netip"
	"time"

	"github.com/waygate/waygate/fault"
)

// guard checks before a handler runs that the caller may call its row.
type guard struct {
	edge *Edge

	publicCallers *networkLimiter // of public endpoints that write or look a token up
	payers        *networkLimiter // of keyless calls that pay
	links         *links          // of those with the token of a link
	admin         *adminAuth
}

// guarded checks before a handler runs what its row demands of a caller: a key, a session,
// a token or a rate.
func (g *guard) guarded(row *Row, h http.Handler) http.Handler {
	switch {
	case row.Auth == Keyed, row.Auth == Verified, row.Keyless:
		h = g.admitted(row, h)
	case row.Auth == SignedIn:
		h = g.inSession(h)
	case row.Auth == Linked:
		h = g.byLink(h)
	case row.Auth == Operators:
		h = g.byOperator(h)
	case row.Auth == Scrapers:
		h = g.byScraper(h)
	case row.Account:
		h = g.limited(h)
	}
	if row.uncacheable() {
		h = uncached(h)
	}
	return h
}

// adminAuth compares tokens with the hash of the admin token.
type adminAuth struct {
	shut  bool // no token is set
	hash  [sha256.Size]byte
	wrong *networkLimiter
}

func newAdminAuth(token string, now func() time.Time) *adminAuth {
	return &adminAuth{shut: token == "", hash: sha256.Sum256([]byte(token)), wrong: newNetworkLimiter(guessesPerMinute, now)}
}

// admit compares a token. The right one is always let in: the limit is on
// wrong ones, so that nobody's guesses lock out an operator who shares their
// network. It keeps guesses out of the way; what makes them hopeless is the
// length that the settings ask of a token.
func (a *adminAuth) admit(ctx context.Context, token string, client netip.Addr) error {
	if a.shut {
		return fault.New(fault.AdminUnauthorized, "the admin endpoints are off here: the operator has set no SVC_ADMIN_TOKEN")
	}
	if token == "" {
		return fault.New(fault.AdminUnauthorized, "the admin token is needed: send Authorization: Bearer <ADMIN_TOKEN>")
	}
	sent := sha256.Sum256([]byte(token))
	if subtle.ConstantTimeCompare(sent[:], a.hash[:]) == 1 {
		return nil
	}
	if err := a.wrong.allow(ctx, client); err != nil {
		return err
	}
	return fault.New(fault.AdminUnauthorized, "the admin token is wrong")
}

// byOperator lets those pass who hold the admin token.
func (g *guard) byOperator(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _, err := bearer(r)
		if err != nil {
			err = fault.New(fault.AdminUnauthorized, "send the admin token as Authorization: Bearer <ADMIN_TOKEN>, once")
		} else {
			err = g.admin.admit(r.Context(), token, g.edge.Client(r))
		}
		if err != nil {
			refuse(w, r, err, problems)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// byScraper lets those pass who read the metrics: from this machine, or with
// the admin token. A request that a proxy on this machine passed on is not from
// this machine.
func (g *guard) byScraper(next http.Handler) http.Handler {
	operator := g.byOperator(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if peer(r).IsLoopback() && !forwarded(r.Header) {
			next.ServeHTTP(w, r)
			return
		}
		operator.ServeHTTP(w, r)
	})
}

// forwarded reports whether a proxy passed a request on.
func forwarded(h http.Header) bool {
	for _, name := range [...]string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via"} {
		if _, ok := h[name]; ok {
			return true
		}
	}
	return false
}
