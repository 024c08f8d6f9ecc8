// Package record has the JSON of accounts' resources that the endpoints of callers and
// of operators share. Names and members are the contract's; a missing value is present
// and null.
package record

import (
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/wire/null"
)

// KeyRecord is an API key without its secret.
type KeyRecord struct {
	ID             string     `json:"id" format:"uuid"`
	Name           string     `json:"name" doc:"the label"`
	CreatedAt      time.Time  `json:"created_at"`
	ExpiresAt      *time.Time `json:"expires_at" doc:"of provisional keys only"`
	FirstSuccessAt *time.Time `json:"first_success_at" doc:"of the first metered call that succeeded; written once"`
	MonthlyQuota   int64      `json:"monthly_quota" doc:"units a month; of a provisional key, in its life"`
	RatePerMin     int64      `json:"rate_per_min" doc:"calls a minute"`
	RevokedAt      *time.Time `json:"revoked_at"`
	State          string     `json:"state" enum:"admin,provisional,verified" doc:"an expired or revoked key keeps its last state"`
	AllowedOrigins []string   `json:"allowed_origins" nullable:"false" doc:"web pages that may use the key; empty is all"`
	Scope          string     `json:"scope" enum:"maps,full"`
}

// Key returns the record of a key.
func Key(k account.Key) KeyRecord {
	return KeyRecord{
		ID: k.ID, Name: k.Name, CreatedAt: k.CreatedAt.UTC(), ExpiresAt: UTC(k.ExpiresAt), FirstSuccessAt: UTC(k.FirstSuccessAt), MonthlyQuota: k.MonthlyQuota,
		RatePerMin: k.RatePerMin, RevokedAt: UTC(k.RevokedAt), State: string(k.State), AllowedOrigins: List(k.AllowedOrigins), Scope: string(k.Scope),
	}
}

// LedgerEntry is one line of the history of credit.
type LedgerEntry struct {
	At           time.Time `json:"at"`
	Kind         string    `json:"kind" enum:"credit,usage"`
	Millipence   int64     `json:"millipence" doc:"above 0 for credit, below for usage; 1,000 are a penny"`
	BalanceAfter int64     `json:"balance_after_millipence"`
	Reason       string    `json:"reason" doc:"unique in the identity; the usage of a day is one entry"`
	Source       *string   `json:"source" nullable:"true" enum:"admin,stripe" doc:"null for usage"`
}

// Ledger returns the history of credit.
func Ledger(all []ledger.Entry) []LedgerEntry {
	return Map(all, func(e ledger.Entry) LedgerEntry {
		return LedgerEntry{e.At.UTC(), e.Kind, e.Millipence, e.BalanceAfter, e.Reason, null.IfZero(e.Source)}
	})
}

// Usage is metered units by day and endpoint.
type Usage struct {
	From   string     `json:"from" format:"date" doc:"first day, UTC"`
	To     string     `json:"to" format:"date" doc:"last day, included"`
	Days   []UsageDay `json:"days" nullable:"false" doc:"days without calls are left out"`
	Totals UsageTotal `json:"totals"`
}

// UsageDay is one day of Usage.
type UsageDay struct {
	Date      string          `json:"date" format:"date"`
	Units     int64           `json:"total_units"`
	Endpoints []UsageEndpoint `json:"endpoints" nullable:"false" doc:"by units, largest first"`
}

// UsageEndpoint is one endpoint on one day.
type UsageEndpoint struct {
	Endpoint string `json:"endpoint" example:"POST /route"`
	Class    string `json:"class" enum:"standard,premium"`
	Calls    int64  `json:"calls"`
	Units    int64  `json:"units"`
}

// UsageTotal sums the days.
type UsageTotal struct {
	Calls int64 `json:"calls"`
	Units int64 `json:"units"`
}

// UsageOf returns the answer for a usage, or passes the error on.
func UsageOf(u *account.Usage, err error) (*Usage, error) {
	if err != nil {
		return nil, err
	}
	days := Map(u.Days, func(d account.UsageDay) UsageDay {
		return UsageDay{d.Date, d.Units, Map(d.Endpoints, func(e account.UsageEndpoint) UsageEndpoint {
			return UsageEndpoint{e.Endpoint, e.Class, e.Calls, e.Units}
		})}
	})
	return &Usage{u.From, u.To, days, UsageTotal{u.Calls, u.Units}}, nil
}

// Span has the days of a usage query.
type Span struct {
	From string `query:"from" format:"date" doc:"first day as YYYY-MM-DD, UTC; by default the first of this month"`
	To   string `query:"to" format:"date" doc:"last day, included; by default today; at most 366 days in all"`
}

// UTC returns a time that may be missing in UTC.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

// List returns a list that is never null.
func List(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}

// Map applies a function to each element; its result is never null.
func Map[A, B any](all []A, one func(A) B) []B {
	out := make([]B, len(all))
	for i, v := range all {
		out[i] = one(v)
	}
	return out
}

// Pence returns an amount of millipence in pence, rounded down.
func Pence(millipence int64) int64 {
	p := millipence / 1000
	if millipence%1000 < 0 {
		p--
	}
	return p
}
