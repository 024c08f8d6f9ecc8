package account

import (
	"context"
	"net/http"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/record"
)

// console serves the account of the signed-in user, and signs in and out.
type console struct {
	accounts *account.Accounts
	billing  *stripe.Billing
}

// Accepted confirms that a request was taken, and no more.
type Accepted struct {
	Status string `json:"status" enum:"accepted"`
}

func accepted(err error) (*Accepted, error) {
	if err != nil {
		return nil, err
	}
	return &Accepted{"accepted"}, nil
}

type signInIn struct {
	Body struct {
		Email string `json:"email"`
	}
}

var signInDoc = edge.Doc{
	Summary: "E-mail a sign-in link", Example: `{"email":"ann@example.org"}`, Tags: []string{"console"},
	Description: "Answers 202 whether or not the address has an account, or is one at all. The link works once, for 15 minutes.",
}

func (c console) signIn(ctx context.Context, in *signInIn) (*Accepted, error) {
	return accepted(c.accounts.SignIn(ctx, in.Body.Email))
}

type pointerIn struct {
	Token string `path:"token" doc:"of the claim pointer"`
}

// Resolved is the one fact that a claim pointer reveals.
type Resolved struct {
	MaskedEmail string `json:"masked_email"`
}

var (
	resolveDoc     = edge.Doc{Summary: "Whose a claim pointer is", Tags: []string{"console"}, Description: "Returns a masked address and consumes nothing."}
	claimSignInDoc = edge.Doc{
		Summary: "E-mail a sign-in link to the account behind a claim pointer", Tags: []string{"console"},
		Description: "Goes to the address that the pointer masks. The link works once, for 15 minutes.",
	}
)

func (c console) resolve(ctx context.Context, in *pointerIn) (*Resolved, error) {
	email, err := c.accounts.Resolve(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	return &Resolved{email}, nil
}

func (c console) claimSignIn(ctx context.Context, in *pointerIn) (*Accepted, error) {
	return accepted(c.accounts.SignInByClaim(ctx, in.Token))
}

// Session is a signed-in console.
type Session struct {
	Session   string    `json:"session" doc:"to send as Authorization: Bearer; it is shown this once"`
	ExpiresAt time.Time `json:"expires_at"`
}

var (
	sessionDoc = edge.Doc{Summary: "Exchange the token of a sign-in link for a session", Example: `{"token":"from-the-link-in-the-mail"}`, Tags: []string{"console"}, Description: "A token works once.", Fails: []int{http.StatusUnauthorized}}
	signOutDoc = edge.Doc{Summary: "Sign out", Description: "Ends the session of this call.", Tags: []string{"console"}}
)

func (c console) openSession(ctx context.Context, in *tokenIn) (*Session, error) {
	s, err := c.accounts.SignedIn(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return &Session{s.Token, s.ExpiresAt.UTC()}, nil
}

func (c console) signOut(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, c.accounts.SignOut(ctx, edge.SessionOf(ctx).Token)
}

// ConsoleSelf is the account of the signed-in user.
type ConsoleSelf struct {
	Email         string               `json:"email"`
	CreatedAt     time.Time            `json:"created_at"`
	BalancePence  int64                `json:"balance_pence" doc:"the floor of balance_millipence"`
	Balance       int64                `json:"balance_millipence" doc:"1,000 are a penny"`
	MonthlyQuota  int64                `json:"monthly_quota" doc:"units a month, pooled over the verified keys"`
	UsedThisMonth int64                `json:"used_this_month"`
	Keys          []ConsoleKey         `json:"keys" nullable:"false" doc:"newest first"`
	History       []record.LedgerEntry `json:"history" nullable:"false" doc:"oldest first"`
	Plan          string               `json:"plan" doc:"free until a subscription is active"`
	Plans         []Plan               `json:"plans" nullable:"false" doc:"on offer here"`
	Checkout      bool                 `json:"checkout" doc:"credit and plans are sold here"`
}

// ConsoleKey is a key as its owner's console shows it.
type ConsoleKey struct {
	KeyID         string     `json:"key_id" format:"uuid" doc:"names the key and opens nothing"`
	Label         string     `json:"label"`
	State         string     `json:"state" enum:"provisional,verified"`
	CreatedAt     time.Time  `json:"created_at"`
	ExpiresAt     *time.Time `json:"expires_at"`
	RevokedAt     *time.Time `json:"revoked_at"`
	UsedThisMonth int64      `json:"used_this_month" doc:"units of flushed rows"`
}

func consoleKeys(all []account.ConsoleKey) []ConsoleKey {
	return record.Map(all, func(k account.ConsoleKey) ConsoleKey {
		return ConsoleKey{k.ID, k.Name, string(k.State), k.CreatedAt.UTC(), record.UTC(k.ExpiresAt), record.UTC(k.RevokedAt), k.UsedThisMonth}
	})
}

// Plan is a subscription on offer.
type Plan struct {
	Name         string `json:"name"`
	MonthlyQuota int64  `json:"monthly_quota" doc:"units"`
	RatePerMin   int64  `json:"rate_per_min"`
	Pence        int64  `json:"pence" doc:"a month"`
}

// plans returns the plans on offer.
func (c console) plans() []Plan {
	if !c.billing.Open() {
		return []Plan{}
	}
	return record.Map(c.billing.Plans(), func(p stripe.Plan) Plan {
		return Plan{p.Name, p.MonthlyQuota, p.RatePerMin, p.MonthlyPence}
	})
}

var (
	consoleDoc      = edge.Doc{Summary: "The account", Description: "Keys, use, quota and credit of who is signed in.", Fails: []int{http.StatusNotFound}, Tags: []string{"console"}}
	consoleUsageDoc = edge.Doc{Summary: "Metered units of all keys by day and endpoint", Description: "Of the keys of who is signed in; days of UTC.", Tags: []string{"console"}}
)

func (c console) self(ctx context.Context, _ *struct{}) (*ConsoleSelf, error) {
	v, err := c.accounts.Console(ctx, edge.SessionOf(ctx).Identity.ID)
	if err != nil {
		return nil, err
	}
	return &ConsoleSelf{
		Email: v.Identity.Email, CreatedAt: v.Identity.CreatedAt.UTC(), BalancePence: record.Pence(v.Balance.Millipence), Balance: v.Balance.Millipence,
		MonthlyQuota: v.Identity.MonthlyQuota, UsedThisMonth: v.UsedThisMonth, Keys: consoleKeys(v.Keys), History: record.Ledger(v.History),
		Plan: v.Identity.Plan, Plans: c.plans(), Checkout: c.billing.Open(),
	}, nil
}

func (c console) usage(ctx context.Context, in *record.Span) (*record.Usage, error) {
	return record.UsageOf(c.accounts.Usage(ctx, account.UsageOf{IdentityID: edge.SessionOf(ctx).Identity.ID}, in.From, in.To))
}
