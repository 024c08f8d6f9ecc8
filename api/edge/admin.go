package edge

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/fault"
)

// barredMost bounds the client networks that are remembered for their guesses.
const barredMost = 1 << 14

// adminAuth knows the admin token by its hash, and who guesses at it.
type adminAuth struct {
	shut  bool // no token is set
	hash  [sha256.Size]byte
	wrong *networkLimiter
	now   func() time.Time

	mu     sync.Mutex
	barred map[netip.Addr]time.Time // until when a network's token is not looked at
}

func newAdminAuth(token string, now func() time.Time) *adminAuth {
	return &adminAuth{
		shut: token == "", hash: sha256.Sum256([]byte(token)), wrong: newNetworkLimiter(guessesPerMinute, now), now: now, barred: map[netip.Addr]time.Time{},
	}
}

// admit compares a token. Whoever has guessed too often waits, whatever the
// next guess is: otherwise the refusal would tell which are wrong.
func (a *adminAuth) admit(ctx context.Context, token string, client netip.Addr) error {
	if a.shut {
		return fault.New(fault.AdminUnauthorized, "the admin endpoints are off here: the operator has set no SVC_ADMIN_TOKEN")
	}
	if token == "" {
		return fault.New(fault.AdminUnauthorized, "the admin token is needed: send Authorization: Bearer <ADMIN_TOKEN>")
	}
	who := account.Network(client)
	if wait := a.bar(who); wait > 0 {
		return slower(guessesPerMinute, wait)
	}
	sent := sha256.Sum256([]byte(token))
	if subtle.ConstantTimeCompare(sent[:], a.hash[:]) == 1 {
		return nil
	}
	wait, ok, err := a.wrong.limiter.Allow(ctx, who.String(), guessesPerMinute)
	if err != nil {
		return err
	}
	if !ok {
		a.mu.Lock()
		defer a.mu.Unlock()
		if len(a.barred) >= barredMost {
			clear(a.barred)
		}
		a.barred[who] = a.now().Add(wait)
		return slower(guessesPerMinute, wait)
	}
	return fault.New(fault.AdminUnauthorized, "the admin token is wrong")
}

// bar is how long a network has to wait.
func (a *adminAuth) bar(who netip.Addr) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	until, ok := a.barred[who]
	if !ok {
		return 0
	}
	if wait := until.Sub(a.now()); wait > 0 {
		return wait
	}
	delete(a.barred, who)
	return 0
}

// byOperator lets those pass who hold the admin token.
func (e *Edge) byOperator(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _, err := bearer(r)
		if err != nil {
			err = fault.New(fault.AdminUnauthorized, "send the admin token as Authorization: Bearer <ADMIN_TOKEN>, once")
		} else {
			err = e.admin.admit(r.Context(), token, e.Client(r))
		}
		if err != nil {
			refuse(w, r, err, problems)
			return
		}
		next.ServeHTTP(w, r)
	})
}
