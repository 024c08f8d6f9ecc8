// Package account has the endpoints about keys, their use and their owners that callers
// use themselves. Those of operators are in api/admin.
package account

import (
	"net/http"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/feedback"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	Accounts *account.Accounts
	Gate     *meter.Gate
	Billing  *stripe.Billing
	Feedback *feedback.Service
	Caps     Caps

	Base     func(*http.Request) string // address of this server as the caller sees it
	Now      func() time.Time
	Signable func(address string) (path, query string, err error) // see edge.Edge.Signable
}

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	const public, keyed, signedIn, free = edge.Public, edge.Keyed, edge.SignedIn, edge.Free
	k, o := keys{d.Accounts}, ownKey{d.Accounts, d.Gate}
	c, pay, r := console{d.Accounts, d.Billing}, checkout{d.Billing}, retros{d.Feedback}
	return []edge.Row{
		edge.On(edge.Row{Method: post, Path: "/v1/keys", Auth: public, Class: free, Account: true, Status: http.StatusCreated, Doc: issueDoc}, k.issue),
		edge.On(edge.Row{Method: get, Path: "/v1/keys/self", Auth: keyed, Maps: true, Class: free, Account: true, Doc: selfDoc}, o.self),
		edge.On(edge.Row{Method: get, Path: "/v1/limits", Auth: keyed, Keyless: true, Maps: true, Class: free, Account: true, BeyondContract: true, Doc: limitsDoc}, limits{d.Gate, d.Caps}.limits),
		edge.On(edge.Row{Method: post, Path: "/v1/keys/self/webhook-secret", Auth: keyed, Class: free, Account: true, Doc: webhookDoc}, o.webhookSecret),
		edge.Write(edge.Row{Method: post, Path: "/v1/signed-addresses", Auth: keyed, Class: free, Account: true, BeyondContract: true, Status: http.StatusCreated, Doc: signDoc}, addresses{d}.sign),
		edge.On(edge.Row{Method: get, Path: "/v1/usage", Auth: keyed, Maps: true, Class: free, Account: true, Doc: usageDoc}, o.usage),
		edge.On(edge.Row{Method: post, Path: "/v1/keys/verify", Auth: public, Class: free, Account: true, Doc: verifyDoc}, k.verify),
		edge.On(edge.Row{Method: post, Path: "/v1/keys/verify/details", Auth: public, Class: free, Account: true, Doc: verificationDoc}, k.verification),
		edge.On(edge.Row{Method: post, Path: "/v1/keys/verify/deny", Auth: public, Class: free, Account: true, Doc: denyDoc}, k.deny),
		edge.On(edge.Row{Method: post, Path: "/v1/keys/claim", Auth: keyed, Class: free, Account: true, Doc: claimDoc}, o.claim),

		edge.On(edge.Row{Method: post, Path: "/v1/console/signin", Auth: public, Class: free, Account: true, Status: http.StatusAccepted, Doc: signInDoc}, c.signIn),
		edge.On(edge.Row{Method: get, Path: "/v1/console/claims/{token}", Auth: public, Class: free, Account: true, Secret: true, Doc: resolveDoc}, c.resolve),
		edge.On(edge.Row{Method: post, Path: "/v1/console/claims/{token}/signin", Auth: public, Class: free, Account: true, Secret: true, Status: http.StatusAccepted, Doc: claimSignInDoc}, c.claimSignIn),
		edge.On(edge.Row{Method: post, Path: "/v1/console/session", Auth: public, Class: free, Account: true, Status: http.StatusCreated, Doc: sessionDoc}, c.openSession),
		edge.On(edge.Row{Method: del, Path: "/v1/console/session", Auth: signedIn, Class: free, Status: http.StatusNoContent, Doc: signOutDoc}, c.signOut),
		edge.On(edge.Row{Method: get, Path: "/v1/console/self", Auth: signedIn, Class: free, Doc: consoleDoc}, c.self),
		edge.On(edge.Row{Method: get, Path: "/v1/console/usage", Auth: signedIn, Class: free, BeyondContract: true, Doc: consoleUsageDoc}, c.usage),
		edge.On(edge.Row{Method: post, Path: "/v1/console/checkout", Auth: signedIn, Class: free, BeyondContract: true, Doc: checkoutDoc}, pay.open),
		edge.On(edge.Row{Method: post, Path: "/v1/console/portal", Auth: signedIn, Class: free, BeyondContract: true, Doc: portalDoc}, pay.portal),
		edge.Write(edge.Row{Method: post, Path: "/v1/stripe/webhook", Auth: public, Class: free, BeyondContract: true, Doc: eventDoc}, pay.event),

		edge.On(edge.Row{Method: post, Path: "/v1/feedback", Auth: keyed, Class: free, Account: true, DropUnknown: true, Status: http.StatusAccepted, Doc: retroDoc}, r.submit),
	}
}
