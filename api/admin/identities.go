package admin

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/record"
	"github.com/waygate/waygate/wire/null"
)

// identities lists identities and changes their limits.
type identities struct {
	accounts *account.Accounts
	notices  *notice.Notices
}

func creditOf(c *ledger.Credited, err error) (*Credit, error) {
	if err != nil {
		return nil, err
	}
	return &Credit{c.IdentityID, record.Pence(c.Millipence), c.Duplicate}, nil
}

type creditIdentityIn struct {
	Body struct {
		Email string `json:"email" minLength:"1" doc:"in any case"`
		Amount
	}
}

var creditIdentityDoc = edge.Doc{Summary: "Credit an identity", Example: `{"email":"ann@example.org","pence":500,"reason":"goodwill 42"}`, Description: "A reason counts once: with the same one again nothing changes, and duplicate is true.", Fails: []int{http.StatusNotFound}, Tags: []string{"admin"}}

func (h identities) credit(ctx context.Context, in *creditIdentityIn) (*Credit, error) {
	return creditOf(h.accounts.CreditIdentity(ctx, in.Body.Email, in.Body.millipence(), in.Body.Reason))
}

// IdentitySummary is an identity in a listing.
type IdentitySummary struct {
	ID             string     `json:"id" format:"uuid"`
	Email          string     `json:"email"`
	CreatedAt      time.Time  `json:"created_at"`
	BalancePence   int64      `json:"balance_pence"`
	DownloadMiB    int64      `json:"download_mib" doc:"this month, rounded up"`
	FirstSuccessAt *time.Time `json:"first_success_at" doc:"the earliest of its keys"`
	Keys           int64      `json:"keys" doc:"ever issued, revoked included"`
	LastActive     *string    `json:"last_active" format:"date" doc:"day, UTC"`
	MAUOverdrawn   bool       `json:"mau_overdrawn"`
	MAU            int64      `json:"mau_this_month"`
	MonthUsed      int64      `json:"month_used" doc:"units; of an identity whose address is not confirmed, those of its provisional keys in their lives"`
	MonthlyQuota   int64      `json:"monthly_quota" doc:"the ceiling in force, pooled over the keys; of an identity whose address is not confirmed, that of its provisional keys in force"`
}

// IdentityList is a part of the identities.
type IdentityList struct {
	Total      int64             `json:"total" doc:"that match"`
	Limit      int               `json:"limit"`
	Offset     int               `json:"offset"`
	Identities []IdentitySummary `json:"identities" nullable:"false"`
}

type identitiesIn struct {
	Page
	Order string `query:"order" enum:"created_at,email,month_used,balance,last_active" default:"created_at" doc:"email ascending, all else the most recent or largest first"`
	Q     string `query:"q" maxLength:"254" doc:"part of the address"`
}

// orders maps the words of the query to orders.
var orders = map[string]account.Order{
	"created_at": account.ByCreated, "email": account.ByEmail, "month_used": account.ByUsage, "balance": account.ByBalance, "last_active": account.ByActive,
}

var identitiesDoc = edge.Doc{Summary: "Identities", Description: "Who has or had keys, with their use of this month, a page at a time. The quota of an address that is not confirmed applies once it is.", Tags: []string{"admin"}}

func (h identities) list(ctx context.Context, in *identitiesIn) (*IdentityList, error) {
	found, total, err := h.accounts.Identities(ctx, account.Search{Text: in.Q, Order: orders[in.Order], Limit: in.Limit, Offset: in.Offset})
	if err != nil {
		return nil, err
	}
	return &IdentityList{total, in.Limit, in.Offset, record.Map(found, func(s account.Summary) IdentitySummary {
		return IdentitySummary{
			ID: s.ID, Email: s.Email, CreatedAt: s.CreatedAt.UTC(), BalancePence: record.Pence(s.Millipence), DownloadMiB: s.DownloadMiB,
			FirstSuccessAt: record.UTC(s.FirstSuccessAt), Keys: s.KeysEver, LastActive: null.IfZero(s.LastActive), MAUOverdrawn: s.MAUOverdrawn, MAU: s.MAU,
			MonthUsed: s.MonthUsed, MonthlyQuota: s.MonthlyQuota,
		}
	})}, nil
}

// IdentityRecord is an identity.
type IdentityRecord struct {
	ID            string    `json:"id" format:"uuid"`
	Email         string    `json:"email" doc:"in lower case"`
	CreatedAt     time.Time `json:"created_at"`
	TOSAcceptedAt time.Time `json:"tos_accepted_at" doc:"most recent acceptance"`
}

// IdentityDetail is one identity as operators see it.
type IdentityDetail struct {
	Identity         IdentityRecord       `json:"identity"`
	BalancePence     int64                `json:"balance_pence"`
	CreditedPence    int64                `json:"credited_total_pence" doc:"ever"`
	Keys             []record.KeyRecord   `json:"keys" nullable:"false" doc:"newest first"`
	History          []record.LedgerEntry `json:"history" nullable:"false" doc:"oldest first"`
	MAU              int64                `json:"mau_this_month"`
	MAUIncluded      int64                `json:"mau_included"`
	MAUOverdrawn     bool                 `json:"mau_overdrawn" doc:"serving continues"`
	MonthUsed        int64                `json:"month_used" doc:"units, as in the listing"`
	MonthlyQuota     int64                `json:"monthly_quota" doc:"the ceiling in force, as in the listing"`
	DownloadMiB      int64                `json:"download_allowance_mib" doc:"a month"`
	Plan             string               `json:"plan" doc:"free until a subscription is active"`
	StripeCustomerID *string              `json:"stripe_customer_id"`
}

// OfEmail identifies an identity.
type OfEmail struct {
	Email string `path:"email" doc:"of the identity, in any case"`
}

var identityDoc = edge.Doc{Summary: "One identity", Description: "All that is known of one: its keys, its use, its credit and the entries of its ledger.", Tags: []string{"admin"}}

func (h identities) one(ctx context.Context, in *OfEmail) (*IdentityDetail, error) {
	d, err := h.accounts.Identity(ctx, in.Email)
	if err != nil {
		return nil, err
	}
	i := d.Identity
	return &IdentityDetail{
		Identity:     IdentityRecord{i.ID, i.Email, i.CreatedAt.UTC(), i.TOSAcceptedAt.UTC()},
		BalancePence: record.Pence(d.Balance.Millipence), CreditedPence: record.Pence(d.Balance.Credited), Keys: record.Map(d.Keys, func(k account.ConsoleKey) record.KeyRecord { return record.Key(k.Key) }), History: record.Ledger(d.History),
		MAU: d.MAU, MAUIncluded: i.IncludedMAU, MAUOverdrawn: d.MAUOverdrawn, MonthUsed: d.MonthUsed,
		MonthlyQuota: i.MonthlyQuota, DownloadMiB: i.DownloadMiB, Plan: i.Plan, StripeCustomerID: null.IfZero(i.StripeCustomerID),
	}, nil
}

type quotaIn struct {
	OfEmail
	Body struct {
		MonthlyQuota int64 `json:"monthly_quota" minimum:"1" maximum:"1000000000000" doc:"units a month"`
		Reasoned
	}
}

// Quota is the quota of confirmed keys.
type Quota struct {
	Email        string `json:"email" doc:"in lower case"`
	MonthlyQuota int64  `json:"monthly_quota"`
	Applies      string `json:"applies" enum:"now,once_confirmed" doc:"once_confirmed: no key of the identity is confirmed by e-mail yet, and until one is each has the quota of a provisional key"`
	Duplicate    bool   `json:"duplicate" doc:"the reason was applied before and nothing changed"`
}

var quotaDoc = edge.Doc{Summary: "Set the monthly quota of an identity", Example: `{"monthly_quota":200000,"reason":"asked on 3 May"}`, Description: "In units, for all of its keys together.", Tags: []string{"admin"}}

func (h identities) setQuota(ctx context.Context, in *quotaIn) (*Quota, error) {
	v, again, err := h.accounts.Set(ctx, in.Email, account.MonthlyQuota, in.Body.MonthlyQuota, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	of, err := h.accounts.Identity(ctx, in.Email)
	if err != nil {
		return nil, err
	}
	applies := "once_confirmed"
	if of.Identity.VerifiedAt != nil {
		applies = "now"
	}
	return &Quota{strings.ToLower(in.Email), v, applies, again}, nil
}

type allowanceIn struct {
	OfEmail
	Body struct {
		MiB int64 `json:"download_allowance_mib" minimum:"0" maximum:"1000000000000" doc:"a month"`
		Reasoned
	}
}

// DownloadAllowance is the allowance in force.
type DownloadAllowance struct {
	Email     string `json:"email" doc:"in lower case"`
	MiB       int64  `json:"download_allowance_mib"`
	Duplicate bool   `json:"duplicate" doc:"the reason was applied before and nothing changed"`
}

var allowanceDoc = edge.Doc{Summary: "Set the download allowance of an identity", Example: `{"download_allowance_mib":4096,"reason":"asked on 3 May"}`, Description: "In mebibytes a month.", Tags: []string{"admin"}}

func (h identities) setAllowance(ctx context.Context, in *allowanceIn) (*DownloadAllowance, error) {
	v, again, err := h.accounts.Set(ctx, in.Email, account.DownloadAllowance, in.Body.MiB, in.Body.Reason)
	return &DownloadAllowance{strings.ToLower(in.Email), v, again}, err
}

type mauIn struct {
	OfEmail
	Body struct {
		Included int64 `json:"mau_included" minimum:"0" maximum:"1000000000000" doc:"monthly active users"`
		Reasoned
	}
}

// MAUIncluded is the number of active users in force.
type MAUIncluded struct {
	Email     string `json:"email" doc:"in lower case"`
	Included  int64  `json:"mau_included"`
	Duplicate bool   `json:"duplicate" doc:"the reason was applied before and nothing changed"`
}

var mauDoc = edge.Doc{Summary: "Set the included monthly active users of an identity", Example: `{"mau_included":5000,"reason":"asked on 3 May"}`, Description: "How many clients a month are included.", Tags: []string{"admin"}}

func (h identities) setMAU(ctx context.Context, in *mauIn) (*MAUIncluded, error) {
	v, again, err := h.accounts.Set(ctx, in.Email, account.MAUIncluded, in.Body.Included, in.Body.Reason)
	return &MAUIncluded{strings.ToLower(in.Email), v, again}, err
}

// Outreach is the notice of a quota threshold as it would be sent now.
type Outreach struct {
	Payload notice.Payload `json:"payload" doc:"data of the webhook quota.threshold"`
	Subject string         `json:"email_subject"`
	Body    string         `json:"email_body" doc:"text"`
	HTML    string         `json:"email_html"`
	Message string         `json:"operator_message"`
}

var outreachDoc = edge.Doc{Summary: "The quota notice an identity would get now", Tags: []string{"admin"}, Description: "Sends and writes nothing."}

func (h identities) outreach(ctx context.Context, in *OfEmail) (*Outreach, error) {
	o, err := h.notices.Render(ctx, in.Email)
	if err != nil {
		return nil, err
	}
	return &Outreach{o.Payload, o.Subject, o.Body, o.HTML, o.Message}, nil
}
