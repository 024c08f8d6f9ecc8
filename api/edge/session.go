package edge

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/fault"
)

// Session is a session of the console on a request: its token and whose it is.
type Session struct {
	Token    string
	Identity *account.Identity
}

type sessionKey struct{}

// SessionOf returns the session of a request to a row for those who are signed
// in.
func SessionOf(ctx context.Context) Session {
	s, _ := ctx.Value(sessionKey{}).(Session)
	return s
}

// inSession lets those pass who are signed in to the console.
func (g *guard) inSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := g.session(r)
		if err != nil {
			refuse(w, r, err, outOfSession)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), sessionKey{}, s)))
	})
}

func (g *guard) session(r *http.Request) (Session, error) {
	token, _, err := bearer(r)
	switch {
	case err != nil:
		return Session{}, fault.New(fault.Unauthorized, "send the session as Authorization: Bearer <SESSION>, once")
	case token == "":
		return Session{}, fault.New(fault.Unauthorized, "a session is needed: sign in by POST /v1/console/signin and send Authorization: Bearer <SESSION>")
	case account.Plausible(token):
		return Session{}, fault.New(fault.Unauthorized, "this is an API key, and a session is needed: sign in by POST /v1/console/signin")
	}
	identity, err := g.edge.options.Session(r.Context(), token)
	return Session{token, identity}, err
}
