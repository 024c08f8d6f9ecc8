package account

import (
	"context"
	"net/http"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/record"
)

// ownKey shows and changes what belongs to the key of a call.
type ownKey struct {
	accounts *account.Accounts
	gate     *meter.Gate
}

// KeySelf is the state of the key of a call.
type KeySelf struct {
	KeyID          string     `json:"key_id" format:"uuid"`
	State          string     `json:"state" enum:"admin,provisional,verified"`
	MonthlyQuota   int64      `json:"monthly_quota" doc:"units a month, pooled over the verified keys of an identity; of a provisional key, in its life"`
	UsedThisMonth  int64      `json:"used_this_month" doc:"units of the same pool and period"`
	Remaining      int64      `json:"remaining" doc:"units left of the quota now, never below 0; what calls under way may cost is taken off"`
	CreditsPence   int64      `json:"credits_pence" doc:"the floor of credits_millipence"`
	Credits        int64      `json:"credits_millipence" doc:"1,000 are a penny"`
	ExpiresAt      *time.Time `json:"expires_at"`
	FirstSuccessAt *time.Time `json:"first_success_at"`
	IdentityKeys   int64      `json:"identity_keys" doc:"keys of the identity that are neither revoked nor expired; a provisional key counts itself only"`
	DownloadMiB    int64      `json:"download_allowance_mib" doc:"a month"`
	DownloadUsed   int64      `json:"download_used_mib" doc:"this month, rounded up"`
	MAU            int64      `json:"mau_this_month" doc:"distinct client networks with a metered call that succeeded, of the identity or of a provisional key"`
	MAUIncluded    int64      `json:"mau_included"`
	MAUOverdrawn   bool       `json:"mau_overdrawn" doc:"serving continues"`
	AllowedOrigins []string   `json:"allowed_origins" nullable:"false" doc:"empty is all"`
	Scope          string     `json:"scope" enum:"maps,full"`
}

var selfDoc = edge.Doc{Summary: "How the key of this call stands", Tags: []string{"keys"}, Description: "Costs nothing and has no rate. Units, credit and first_success_at are of this moment, with all that was just used; mau_this_month and download_used_mib may lag by a few seconds."}

func (o ownKey) self(ctx context.Context, _ *struct{}) (*KeySelf, error) {
	s, err := o.gate.KeyStatus(edge.CallOf(ctx).Admission())
	if err != nil {
		return nil, err
	}
	return &KeySelf{
		KeyID: s.Key.ID, State: string(s.Key.State), MonthlyQuota: s.MonthlyQuota, UsedThisMonth: s.Used, Remaining: s.Remaining,
		CreditsPence: record.Pence(s.Millipence), Credits: s.Millipence, ExpiresAt: record.UTC(s.Key.ExpiresAt), FirstSuccessAt: record.UTC(s.Key.FirstSuccessAt),
		IdentityKeys: s.IdentityKeys, DownloadMiB: s.DownloadMiB, DownloadUsed: s.DownloadUsedMiB, MAU: s.MAU, MAUIncluded: s.MAUIncluded,
		MAUOverdrawn: s.MAUOverdrawn, AllowedOrigins: record.List(s.Key.AllowedOrigins), Scope: string(s.Key.Scope),
	}, nil
}

var usageDoc = edge.Doc{Summary: "Own metered units by day and endpoint", Tags: []string{"keys"}, Description: "Of the key of this call; the last second may be missing. Costs nothing."}

func (o ownKey) usage(ctx context.Context, in *record.Span) (*record.Usage, error) {
	return record.UsageOf(o.accounts.Usage(ctx, account.UsageOf{KeyID: edge.CallOf(ctx).Key().ID}, in.From, in.To))
}

type webhookIn struct {
	Body *struct {
		URL string `json:"url,omitempty" maxLength:"2048" doc:"https address that receives account events such as quota.threshold; left out, the registered one stays"`
	}
}

// WebhookSecret is a new signing secret.
type WebhookSecret struct {
	Secret string `json:"secret" doc:"whsec_ and base64, as Standard Webhooks has it; it is shown this once"`
}

var webhookDoc = edge.Doc{
	Summary: "Make or renew the signing secret of webhooks", Example: `{"url":"https://hooks.example.org/waygate"}`, Tags: []string{"keys"}, Description: "The old secret ceases to sign at once. Costs nothing.",
}

func (o ownKey) webhookSecret(ctx context.Context, in *webhookIn) (*WebhookSecret, error) {
	address := ""
	if in.Body != nil {
		address = in.Body.URL
	}
	secret, err := o.accounts.WebhookSecret(ctx, edge.CallOf(ctx).Key().ID, address)
	if err != nil {
		return nil, err
	}
	return &WebhookSecret{secret}, nil
}

// Claim is a pointer that an agent shows its human.
type Claim struct {
	URL           string `json:"claim_url"`
	Expires       int64  `json:"expires_in_h" doc:"hours"`
	DisplayToUser string `json:"display_to_user" doc:"a sentence to show as it is; no secrets"`
}

var claimDoc = edge.Doc{Summary: "A fresh claim pointer", Tags: []string{"keys"}, Description: "A page from which the holder of the key's e-mail address opens the account. Costs nothing.", Fails: []int{http.StatusNotImplemented}}

func (o ownKey) claim(ctx context.Context, _ *struct{}) (*Claim, error) {
	c, err := o.accounts.Claim(ctx, edge.CallOf(ctx).Key().ID)
	if err != nil {
		return nil, err
	}
	return &Claim{c.URL, hours(c.ExpiresIn), c.DisplayToUser}, nil
}
