package account

import (
	"context"
	"net/http"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/record"
)

// keys issues and verifies keys.
type keys struct{ accounts *account.Accounts }

type issueIn struct {
	Body struct {
		Email          string   `json:"email" required:"later" doc:"where the verification link goes; disposable addresses are refused"`
		AcceptTOS      bool     `json:"accept_tos" required:"later" doc:"must be true; the terms are at /terms"`
		Label          string   `json:"label,omitempty" maxLength:"120" doc:"name of the key"`
		AllowedOrigins []string `json:"allowed_origins,omitempty" maxItems:"20" of:"origins" doc:"web pages that may use the key: scheme://host with an optional port, or https://*.example.com for one label"`
		Scope          string   `json:"scope,omitempty" enum:"maps,full" doc:"full by default; maps is for keys that stand in web pages"`
		Source         string   `json:"source,omitempty" maxLength:"64" pattern:"^([A-Za-z0-9][A-Za-z0-9._:/+-]*)?$" doc:"where this request comes from, in a word"`
	}
}

// IssuedKey is a new key. The secret is shown this once.
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

var issueDoc = edge.Doc{
	Summary: "Get a key", Example: `{"email":"ann@example.org","accept_tos":true,"label":"my app"}`, Tags: []string{"keys"},
	Description: "Issues a provisional key (1,000 units, 72 hours) and e-mails a link that verifies it. Three keys a day for one client network unless the deployment allows more (SVC_KEYS_PER_IP_DAY), five active keys for one address.",
	Fails:       []int{http.StatusConflict},
}

func (k keys) issue(ctx context.Context, in *issueIn) (*IssuedKey, error) {
	who := edge.CallerOf(ctx)
	b := in.Body
	issued, err := k.accounts.Issue(ctx, account.Application{
		Email: b.Email, AcceptTOS: b.AcceptTOS, Label: b.Label, AllowedOrigins: b.AllowedOrigins, Scope: account.Scope(b.Scope), Source: b.Source,
		Client: who.Client, UserAgent: who.Agent,
	})
	if err != nil {
		return nil, err
	}
	out := IssuedKey{
		Key: issued.Secret, KeyID: issued.Key.ID, State: string(issued.Key.State), ExpiresAt: record.UTC(issued.Key.ExpiresAt), MonthlyQuota: issued.Key.MonthlyQuota, RatePerMin: issued.Key.RatePerMin,
		Label: issued.Key.Name, AllowedOrigins: record.List(issued.Key.AllowedOrigins), Scope: string(issued.Key.Scope), ClaimURL: issued.ClaimURL, DisplayToUser: issued.DisplayToUser,
	}
	if issued.ClaimURL != "" {
		out.ClaimExpires = hours(issued.ClaimExpiresIn)
	}
	return &out, nil
}

type tokenIn struct {
	Body struct {
		Token string `json:"token" minLength:"1" doc:"of the link in the e-mail"`
	}
}

// Verification describes the request behind a link.
type Verification struct {
	Label       string    `json:"label"`
	MaskedEmail string    `json:"masked_email"`
	RequestedAt time.Time `json:"requested_at"`
	UserAgent   string    `json:"user_agent" doc:"of the request, as it called itself"`
	Source      string    `json:"source"`
	ExpiresAt   time.Time `json:"expires_at" doc:"of the link"`
	State       string    `json:"state" enum:"pending,verified,denied,expired"`
}

func verificationAnswer(v *account.Verification, err error) (*Verification, error) {
	if err != nil {
		return nil, err
	}
	return &Verification{v.Label, v.MaskedEmail, v.RequestedAt.UTC(), v.UserAgent, v.Source, v.ExpiresAt.UTC(), v.State}, nil
}

var (
	verificationDoc = edge.Doc{Summary: "What a verification link is about", Example: `{"token":"from-the-link-in-the-mail"}`, Tags: []string{"keys"}, Description: "Changes nothing.", Fails: []int{http.StatusNotFound}}
	verifyDoc       = edge.Doc{Summary: "Confirm the key a link was sent for", Example: `{"token":"from-the-link-in-the-mail"}`, Tags: []string{"keys"}, Description: "Confirming twice is agreement. A key that was denied, has expired or was revoked is a 403.", Fails: []int{http.StatusForbidden, http.StatusNotFound}}
	denyDoc         = edge.Doc{Summary: "Revoke the key a link was sent for", Example: `{"token":"from-the-link-in-the-mail"}`, Tags: []string{"keys"}, Description: "For the holder of the address who did not ask for it; also after it was verified.", Fails: []int{http.StatusForbidden, http.StatusNotFound}}
)

func (k keys) verification(ctx context.Context, in *tokenIn) (*Verification, error) {
	return verificationAnswer(k.accounts.Verification(ctx, in.Body.Token))
}

func (k keys) verify(ctx context.Context, in *tokenIn) (*Verification, error) {
	return verificationAnswer(k.accounts.Verify(ctx, in.Body.Token))
}

func (k keys) deny(ctx context.Context, in *tokenIn) (*Verification, error) {
	return verificationAnswer(k.accounts.Deny(ctx, in.Body.Token))
}

// hours returns a duration in whole hours, rounded to the nearest.
func hours(d time.Duration) int64 { return int64(d.Round(time.Hour) / time.Hour) }
