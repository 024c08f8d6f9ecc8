package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/stripe"
)

// Accepted says that a request was taken, and no more.
type Accepted struct {
	Status string `json:"status" enum:"accepted"`
}

type acceptedOut struct{ Body Accepted }

func accepted(err error) (*acceptedOut, error) {
	if err != nil {
		return nil, err
	}
	return &acceptedOut{Accepted{"accepted"}}, nil
}

type signInIn struct {
	Body struct {
		Email string `json:"email"`
	}
}

var signInDoc = huma.Operation{
	Summary: "E-mail a sign-in link", Tags: []string{"console"}, DefaultStatus: http.StatusAccepted,
	Description: "Answers 202 whether or not the address has an account. The link works once, for 15 minutes.",
}

func (a *API) signIn(ctx context.Context, in *signInIn) (*acceptedOut, error) {
	return accepted(a.office.Accounts.SignIn(ctx, in.Body.Email))
}

type pointerIn struct {
	Token string `path:"token" doc:"of the claim pointer"`
}

// Resolved is the one fact that a claim pointer reveals.
type Resolved struct {
	MaskedEmail string `json:"masked_email"`
}

type resolvedOut struct{ Body Resolved }

var (
	resolveDoc     = huma.Operation{Summary: "Whose a claim pointer is", Tags: []string{"console"}, Description: "Tells a masked address and consumes nothing."}
	claimSignInDoc = huma.Operation{
		Summary: "E-mail a sign-in link to the account behind a claim pointer", Tags: []string{"console"}, DefaultStatus: http.StatusAccepted,
	}
)

func (a *API) resolve(ctx context.Context, in *pointerIn) (*resolvedOut, error) {
	email, err := a.office.Accounts.Resolve(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	return &resolvedOut{Resolved{email}}, nil
}

func (a *API) claimSignIn(ctx context.Context, in *pointerIn) (*acceptedOut, error) {
	return accepted(a.office.Accounts.SignInByClaim(ctx, in.Token))
}

// Session is a signed-in console.
type Session struct {
	Session   string    `json:"session" doc:"to send as Authorization: Bearer; it is shown this once"`
	ExpiresAt time.Time `json:"expires_at"`
}

type sessionOut struct{ Body Session }

var (
	sessionDoc = huma.Operation{Summary: "Exchange the token of a sign-in link for a session", Tags: []string{"console"}, DefaultStatus: http.StatusCreated, Description: "A token works once."}
	signOutDoc = huma.Operation{Summary: "Sign out", Tags: []string{"console"}, DefaultStatus: http.StatusNoContent}
)

func (a *API) openSession(ctx context.Context, in *tokenIn) (*sessionOut, error) {
	s, err := a.office.Accounts.SignedIn(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return &sessionOut{Session{s.Token, s.ExpiresAt.UTC()}}, nil
}

func (a *API) signOut(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, a.office.Accounts.SignOut(ctx, whose(ctx).token)
}

// ConsoleSelf is the account of whoever is signed in.
type ConsoleSelf struct {
	Email         string        `json:"email"`
	CreatedAt     time.Time     `json:"created_at"`
	BalancePence  int64         `json:"balance_pence" doc:"the floor of balance_millipence"`
	Balance       int64         `json:"balance_millipence" doc:"1,000 are a penny"`
	MonthlyQuota  int64         `json:"monthly_quota" doc:"units a month, pooled over the verified keys"`
	UsedThisMonth int64         `json:"used_this_month"`
	Keys          []ConsoleKey  `json:"keys" nullable:"false" doc:"newest first"`
	History       []LedgerEntry `json:"history" nullable:"false" doc:"oldest first"`
	Plan          string        `json:"plan" doc:"free until a subscription is active"`
	Plans         []Plan        `json:"plans" nullable:"false" doc:"on offer here"`
	Checkout      bool          `json:"checkout" doc:"credit and plans are sold here"`
}

// Plan is a subscription on offer.
type Plan struct {
	Name         string `json:"name"`
	MonthlyQuota int64  `json:"monthly_quota" doc:"units"`
	RatePerMin   int64  `json:"rate_per_min"`
	Pence        int64  `json:"pence" doc:"a month"`
}

// plans are those that can be bought here.
func (a *API) plans() []Plan {
	if !a.office.Desk.Open() {
		return []Plan{}
	}
	return mapped(a.office.Desk.Plans(), func(p stripe.Plan) Plan {
		return Plan{p.Name, p.MonthlyQuota, p.RatePerMin, p.MonthlyPence}
	})
}

type consoleOut struct{ Body ConsoleSelf }

var (
	consoleDoc      = huma.Operation{Summary: "The account", Tags: []string{"console"}}
	consoleUsageDoc = huma.Operation{Summary: "Metered units of all keys by day and endpoint", Tags: []string{"console"}}
)

func (a *API) console(ctx context.Context, _ *struct{}) (*consoleOut, error) {
	v, err := a.office.Accounts.Console(ctx, whose(ctx).identity.ID)
	if err != nil {
		return nil, err
	}
	return &consoleOut{ConsoleSelf{
		Email: v.Identity.Email, CreatedAt: v.Identity.CreatedAt.UTC(), BalancePence: pence(v.Balance.Millipence), Balance: v.Balance.Millipence,
		MonthlyQuota: v.Identity.MonthlyQuota, UsedThisMonth: v.UsedThisMonth, Keys: consoleKeys(v.Keys), History: ledgerEntries(v.History),
		Plan: v.Identity.Plan, Plans: a.plans(), Checkout: a.office.Desk.Open(),
	}}, nil
}

func (a *API) consoleUsage(ctx context.Context, in *Span) (*usageOut, error) {
	return usageAnswer(a.office.Accounts.Usage(ctx, account.UsageOf{IdentityID: whose(ctx).identity.ID}, in.From, in.To))
}
