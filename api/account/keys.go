package api

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/account"
)

// caller is what the typed endpoints of accounts learn of who calls.
type caller struct {
	client netip.Addr
	agent  string
}

type callerKey struct{}

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

type issueIn struct {
	Body struct {
		Email          string   `json:"email" required:"false" doc:"where the verification link goes; disposable addresses are refused"`
		AcceptTOS      bool     `json:"accept_tos" required:"false" doc:"must be true; the terms are at /terms"`
		Label          string   `json:"label,omitempty" doc:"name of the key, at most 120 characters"`
		AllowedOrigins []string `json:"allowed_origins,omitempty" doc:"web pages that may use the key, at most 20: scheme://host with an optional port, or https://*.example.com for one label"`
		Scope          string   `json:"scope,omitempty" enum:"maps,full" doc:"full by default; maps is for keys that stand in web pages"`
		Source         string   `json:"source,omitempty" doc:"where this request comes from, in a word"`
	}
}

// IssuedKey is a new key. The secret is told this once.
type IssuedKey struct {
	Key            string     `json:"key" doc:"the secret; it is shown this once"`
	KeyID          string     `json:"key_id" format:"uuid"`
	State          string     `json:"state" enum:"provisional"`
	ExpiresAt      *time.Time `json:"expires_at" doc:"unless the e-mail is confirmed before"`
	MonthlyQuota   int64      `json:"monthly_quota" doc:"units in the key's life until it is verified"`
	RatePerMin     int64      `json:"rate_per_min"`
	Label          string     `json:"label"`
	AllowedOrigins []string   `json:"allowed_origins" nullable:"false" doc:"in canonical form; empty is all"`
	Scope          string     `json:"scope" enum:"maps,full"`
	ClaimURL       string     `json:"claim_url,omitempty" doc:"a page from which the holder of the address opens the account"`
	ClaimExpires   int64      `json:"claim_expires_in_h,omitempty" doc:"hours"`
	DisplayToUser  string     `json:"display_to_user,omitempty" doc:"a sentence for an agent to show its human as it is; no secrets"`
}

type issueOut struct{ Body IssuedKey }

var issueDoc = huma.Operation{
	Summary: "Get a key", Tags: []string{"keys"}, DefaultStatus: http.StatusCreated,
	Description: "Issues a provisional key (1,000 units, 72 hours) and e-mails a link that verifies it. Three keys a day for one client network, five active keys for one address.",
}

func (a *API) issue(ctx context.Context, in *issueIn) (*issueOut, error) {
	who := callerOf(ctx)
	b := in.Body
	k, err := a.office.Accounts.Issue(ctx, account.Application{
		Email: b.Email, AcceptTOS: b.AcceptTOS, Label: b.Label, AllowedOrigins: b.AllowedOrigins, Scope: account.Scope(b.Scope), Source: b.Source,
		Client: who.client, UserAgent: who.agent,
	})
	if err != nil {
		return nil, err
	}
	out := IssuedKey{
		Key: k.Secret, KeyID: k.Key.ID, State: string(k.Key.State), ExpiresAt: utc(k.Key.ExpiresAt), MonthlyQuota: k.Key.MonthlyQuota, RatePerMin: k.Key.RatePerMin,
		Label: k.Key.Name, AllowedOrigins: listed(k.Key.AllowedOrigins), Scope: string(k.Key.Scope), ClaimURL: k.ClaimURL, DisplayToUser: k.DisplayToUser,
	}
	if k.ClaimURL != "" {
		out.ClaimExpires = hours(k.ClaimExpiresIn)
	}
	return &issueOut{out}, nil
}

type tokenIn struct {
	Body struct {
		Token string `json:"token" minLength:"1" doc:"of the link in the e-mail"`
	}
}

// Verification is what a link says of the request behind it.
type Verification struct {
	Label       string    `json:"label"`
	MaskedEmail string    `json:"masked_email"`
	RequestedAt time.Time `json:"requested_at"`
	UserAgent   string    `json:"user_agent" doc:"of the request, as it called itself"`
	Source      string    `json:"source"`
	ExpiresAt   time.Time `json:"expires_at" doc:"of the link"`
	State       string    `json:"state" enum:"pending,verified,denied,expired"`
}

type verificationOut struct{ Body Verification }

func verificationAnswer(v *account.Verification, err error) (*verificationOut, error) {
	if err != nil {
		return nil, err
	}
	return &verificationOut{Verification{v.Label, v.MaskedEmail, v.RequestedAt.UTC(), v.UserAgent, v.Source, v.ExpiresAt.UTC(), v.State}}, nil
}

var (
	verificationDoc = huma.Operation{Summary: "What a verification link is about", Tags: []string{"keys"}, Description: "Changes nothing."}
	verifyDoc       = huma.Operation{Summary: "Confirm the key a link was sent for", Tags: []string{"keys"}, Description: "Confirming twice is agreement. A key that was denied, has expired or was revoked is a 403."}
	denyDoc         = huma.Operation{Summary: "Revoke the key a link was sent for", Tags: []string{"keys"}, Description: "For the holder of the address who did not ask for it; also after it was verified."}
)

func (a *API) verification(ctx context.Context, in *tokenIn) (*verificationOut, error) {
	return verificationAnswer(a.office.Accounts.Verification(ctx, in.Body.Token))
}

func (a *API) verify(ctx context.Context, in *tokenIn) (*verificationOut, error) {
	return verificationAnswer(a.office.Accounts.Verify(ctx, in.Body.Token))
}

func (a *API) deny(ctx context.Context, in *tokenIn) (*verificationOut, error) {
	return verificationAnswer(a.office.Accounts.Deny(ctx, in.Body.Token))
}
