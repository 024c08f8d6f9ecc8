package admin

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/record"
	"github.com/waygate/waygate/wire/schema"
)

// keys shows, makes, revokes and credits keys.
type keys struct{ accounts *account.Accounts }

// Page selects a part of a list.
type Page struct {
	Limit  int `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Offset int `query:"offset" minimum:"0" maximum:"1000000000" default:"0"`
}

type mintIn struct {
	Body struct {
		Name           string   `json:"name" minLength:"1" maxLength:"120"`
		MonthlyQuota   int64    `json:"monthly_quota" minimum:"1" maximum:"1000000000000" doc:"units a month"`
		RatePerMin     int64    `json:"rate_per_min" minimum:"1" maximum:"1000000" doc:"calls a minute"`
		AllowedOrigins []string `json:"allowed_origins,omitempty" maxItems:"20" of:"origins" doc:"web pages that may use the key"`
		Scope          string   `json:"scope,omitempty" enum:"maps,full" doc:"full by default"`
	}
}

// MintedKey is a key that an operator made. The secret is shown this once.
type MintedKey struct {
	ID             string    `json:"id" format:"uuid"`
	Name           string    `json:"name"`
	Key            string    `json:"key" doc:"the secret; it is shown this once"`
	CreatedAt      time.Time `json:"created_at"`
	MonthlyQuota   int64     `json:"monthly_quota"`
	RatePerMin     int64     `json:"rate_per_min"`
	AllowedOrigins []string  `json:"allowed_origins" nullable:"false"`
	Scope          string    `json:"scope" enum:"maps,full"`
}

var mintDoc = edge.Doc{Summary: "Make a key without an identity", Example: `{"name":"night batch","monthly_quota":100000,"rate_per_min":600}`, Description: "The secret of the key is in this answer and nowhere else. It has no identity: no quota is shared and no credit goes with it.", Tags: []string{"admin"}}

func (h keys) mint(ctx context.Context, in *mintIn) (*MintedKey, error) {
	b := in.Body
	k, err := h.accounts.Mint(ctx, account.Minting{
		Name: b.Name, MonthlyQuota: b.MonthlyQuota, RatePerMin: b.RatePerMin, AllowedOrigins: b.AllowedOrigins, Scope: account.Scope(b.Scope),
	})
	if err != nil {
		return nil, err
	}
	return &MintedKey{
		ID: k.Key.ID, Name: k.Key.Name, Key: k.Secret, CreatedAt: k.Key.CreatedAt.UTC(), MonthlyQuota: k.Key.MonthlyQuota, RatePerMin: k.Key.RatePerMin,
		AllowedOrigins: record.List(k.Key.AllowedOrigins), Scope: string(k.Key.Scope),
	}, nil
}

// KeyList is a part of the keys.
type KeyList struct {
	Total  int64              `json:"total"`
	Limit  int                `json:"limit"`
	Offset int                `json:"offset"`
	Keys   []record.KeyRecord `json:"keys" nullable:"false" doc:"newest first"`
}

var keyListDoc = edge.Doc{Summary: "Every key", Description: "Keys of all states, the newest first, a page at a time.", Tags: []string{"admin"}}

func (h keys) list(ctx context.Context, in *Page) (*KeyList, error) {
	found, total, err := h.accounts.Keys(ctx, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &KeyList{total, in.Limit, in.Offset, record.Map(found, record.Key)}, nil
}

// OfKey identifies a key.
type OfKey struct {
	ID string `path:"id" doc:"of the key; not its secret"`
}

var revokeDoc = edge.Doc{Summary: "Revoke a key", Tags: []string{"admin"}, Description: "Revoking twice keeps the first time."}

func (h keys) revoke(ctx context.Context, in *OfKey) (*record.KeyRecord, error) {
	k, err := h.accounts.Revoke(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := record.Key(*k)
	return &out, nil
}

type keyUsageIn struct {
	OfKey
	record.Span
}

var keyUsageDoc = edge.Doc{Summary: "Metered units of a key by day and endpoint", Description: "Days of UTC, at most a year of them; the last second may be missing.", Tags: []string{"admin"}}

func (h keys) usage(ctx context.Context, in *keyUsageIn) (*record.Usage, error) {
	if _, err := h.accounts.Key(ctx, in.ID); err != nil {
		return nil, err
	}
	return record.UsageOf(h.accounts.Usage(ctx, account.UsageOf{KeyID: in.ID}, in.From, in.To))
}

// longestReason limits the bytes of a reason.
const longestReason = 200

// Reasoned is a change that is recognised by its reason.
type Reasoned struct {
	Reason string `json:"reason" minLength:"1" maxLength:"200" doc:"what the change is known by, not blank and at most 200 bytes; a repeated reason changes nothing"`
}

// Check checks what the tags cannot express.
func (r *Reasoned) Check(c *schema.Context) {
	switch {
	case strings.TrimSpace(r.Reason) == "":
		c.Refuse("reason", r.Reason, "must not be blank; a repeated reason changes nothing")
	case len(r.Reason) > longestReason:
		c.Refuse("reason", r.Reason, "must have at most %d bytes, and has %d", longestReason, len(r.Reason))
	}
}

// Amount is credit that is given for a reason.
type Amount struct {
	Reasoned
	Pence int64 `json:"pence" minimum:"1" maximum:"1000000000"`
}

func (a *Amount) millipence() int64 { return a.Pence * 1000 }

type creditKeyIn struct {
	OfKey
	Body Amount
}

// Credit is the outcome of a credit.
type Credit struct {
	IdentityID   string `json:"identity_id" format:"uuid"`
	BalancePence int64  `json:"balance_pence" doc:"after the credit; of a duplicate, after the original"`
	Duplicate    bool   `json:"duplicate" doc:"the reason was applied before and nothing changed"`
}

var creditKeyDoc = edge.Doc{Summary: "Credit the identity of a key", Example: `{"pence":500,"reason":"goodwill 42"}`, Tags: []string{"admin"}, Description: "409 no-identity-ledger for a key without an identity.", Fails: []int{http.StatusConflict}}

func (h keys) credit(ctx context.Context, in *creditKeyIn) (*Credit, error) {
	return creditOf(h.accounts.CreditKey(ctx, in.ID, in.Body.millipence(), in.Body.Reason))
}
