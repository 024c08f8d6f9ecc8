package api

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/fault"
)

// signed is a session on a request: its token and whose it is.
type signed struct {
	token    string
	identity *account.Identity
}

type signedKey struct{}

// whose gives the identity of a request that went through inSession.
func whose(ctx context.Context) signed {
	s, _ := ctx.Value(signedKey{}).(signed)
	return s
}

// inSession lets those pass who are signed in to the console.
func (a *API) inSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := a.session(r)
		if err != nil {
			refuse(w, r, err, writeProblem)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), signedKey{}, s)))
	})
}

func (a *API) session(r *http.Request) (signed, error) {
	token, _, err := bearer(r)
	switch {
	case err != nil:
		return signed{}, err
	case token == "":
		return signed{}, fault.New(fault.Unauthorized, "a session is needed: sign in by POST /v1/console/signin and send Authorization: Bearer <SESSION>")
	case account.Plausible(token):
		return signed{}, fault.New(fault.Unauthorized, "this is an API key, and a session is needed: sign in by POST /v1/console/signin")
	}
	identity, err := a.office.Accounts.Session(r.Context(), token)
	return signed{token, identity}, err
}

// byOperator lets those pass who hold the admin token.
func (a *API) byOperator(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _, err := bearer(r)
		if err != nil {
			err = fault.New(fault.AdminUnauthorized, "send the admin token as Authorization: Bearer <ADMIN_TOKEN>, once")
		} else {
			err = a.keypad.admit(r.Context(), token, a.client(r))
		}
		if err != nil {
			refuse(w, r, err, writeProblem)
			return
		}
		next.ServeHTTP(w, r)
	})
}
