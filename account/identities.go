package account

import (
	"context"
	"strings"
	"time"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Summary is an identity as operators see it in a list. For an unconfirmed address the
// quota is that of its valid provisional keys, and the usage is the lifetime usage of
// those that were valid this month.
type Summary struct {
	Identity
	Millipence     int64
	DownloadMiB    int64 // used this month, rounded up
	FirstSuccessAt *time.Time
	KeysEver       int64
	LastActive     string // day, "" for never
	MAU            int64
	MAUOverdrawn   bool
	MonthUsed      int64
}

// Order is how identities are listed.
type Order string

// The orders of identities. "" is ByCreated.
const (
	ByCreated Order = "created" // newest first
	ByEmail   Order = "email"
	ByUsage   Order = "usage" // most this month first
	ByBalance Order = "balance"
	ByActive  Order = "active" // most recent first
)

// orders are the sort expressions of search.
var orders = map[Order]string{
	"":        "i.created_at DESC",
	ByCreated: "i.created_at DESC",
	ByEmail:   "i.email",
	ByUsage:   "i.used DESC",
	ByBalance: "i.millipence DESC",
	ByActive:  "i.active DESC",
}

// Search selects identities.
type Search struct {
	Text          string // in the address; "" is all
	Order         Order
	Limit, Offset int // a limit of 1 to 500, or 0 for 50
}

// Identities lists identities, and returns how many match in all.
func (a Operators) Identities(ctx context.Context, s Search) (found []Summary, total int64, err error) {
	order, ok := orders[s.Order]
	var wrong []fault.Violation
	if !ok {
		wrong = append(wrong, fault.Violation{Location: "order", Value: string(s.Order), Message: "must be created, email, usage, balance or active"})
	}
	if len(s.Text) > longestEmail || !printable(s.Text) {
		wrong = append(wrong, fault.Violation{Location: "q", Value: strings.ToValidUTF8(s.Text, "\ufffd"), Message: "must be a part of an e-mail address"})
	}
	if err := fault.Invalid(wrong...); err != nil {
		return nil, 0, err
	}
	if s.Limit, err = page(s.Limit, s.Offset); err != nil {
		return nil, 0, err
	}
	found, total, err = a.search(ctx, s, order)
	return found, total, store.Unavailable(err)
}

// wildcards escapes the special characters of LIKE.
var wildcards = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func (a Operators) search(ctx context.Context, s Search, order string) (found []Summary, total int64, err error) {
	like := "%" + wildcards.Replace(strings.ToLower(s.Text)) + "%"
	if err := a.options.DB.QueryRow(ctx, `SELECT count(*) FROM identities WHERE email LIKE $1 ESCAPE '\'`, like).Scan(&total); err != nil {
		return nil, 0, err
	}
	// The inner query has what can be sorted by; the outer one adds the rest, for the
	// rows of the page only.
	rows, err := a.options.DB.Query(ctx, "SELECT "+identityColumns+`, i.millipence, i.used, i.active, `+provisionalQuota("$5")+`,
		(SELECT count(*) FROM keys k WHERE k.identity_id = i.id),
		(SELECT min(k.first_success_at) FROM keys k WHERE k.identity_id = i.id),
		(SELECT count(*) FROM active_users u WHERE u.identity_id = i.id AND u.month = $2),
		COALESCE((SELECT d.bytes FROM downloads d WHERE d.identity_id = i.id AND d.month = $2), 0)
		FROM (SELECT m.*, COALESCE(b.millipence, 0) AS millipence,
			CASE WHEN m.verified_at IS NULL THEN `+provisionalUse("$6")+` ELSE COALESCE(p.units, 0) END AS used,
			COALESCE((SELECT max(d.day) FROM usage_days d JOIN keys k ON k.id = d.key_id WHERE k.identity_id = m.id), '') AS active
			FROM identities m LEFT JOIN balances b ON b.identity_id = m.id LEFT JOIN usage_periods p ON p.pool = m.id AND p.period = $2
			WHERE m.email LIKE $1 ESCAPE '\') i
		ORDER BY `+order+", i.id LIMIT $3 OFFSET $4", like, a.now().Format(monthForm), s.Limit, s.Offset, a.now().UnixMilli(), a.monthBegan())
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err reports it
	found = []Summary{}
	for rows.Next() {
		var one Summary
		var success *int64
		var bytes, quota int64
		i, err := scanIdentity(rows, &one.Millipence, &one.MonthUsed, &one.LastActive, &quota, &one.KeysEver, &success, &one.MAU, &bytes)
		if err != nil {
			return nil, 0, err
		}
		one.Identity, one.FirstSuccessAt = *i, optional(success)
		if i.VerifiedAt == nil {
			one.MonthlyQuota = quota
		}
		one.MAUOverdrawn = one.MAU > i.IncludedMAU
		one.DownloadMiB = (bytes + 1<<20 - 1) >> 20
		found = append(found, one)
	}
	return found, total, rows.Err()
}

// provisionalUse returns a query for the lifetime usage of the provisional keys of an
// identity m that were valid after a time, and provisionalQuota one for the quota of
// those of an identity i that are valid.
func provisionalUse(since string) string {
	return `(SELECT CAST(COALESCE(sum(o.units), 0) AS BIGINT) FROM usage_periods o JOIN keys k ON k.id = o.pool
		WHERE k.identity_id = m.id AND o.period = 'life' AND k.state = 'provisional' AND k.expires_at > ` + since + `)`
}

func provisionalQuota(since string) string {
	return `(SELECT CAST(COALESCE(sum(k.monthly_quota), 0) AS BIGINT) FROM keys k
		WHERE k.identity_id = i.id AND k.state = 'provisional' AND k.revoked_at IS NULL AND k.expires_at > ` + since + `)`
}

// monthBegan returns the start of this month.
func (a *core) monthBegan() int64 {
	now := a.now()
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location()).UnixMilli()
}

// Detail is one identity as operators see it; its figures are those of a Summary.
type Detail struct {
	Identity      Identity
	Balance       ledger.Balance
	Keys          []ConsoleKey // newest first
	History       []ledger.Entry
	MAU           int64
	MAUOverdrawn  bool
	MonthUsed     int64
	DownloadBytes int64
}

// Identity returns one identity by its address; not-found otherwise.
func (a Operators) Identity(ctx context.Context, email string) (*Detail, error) {
	i, err := a.byEmail(ctx, email)
	if err != nil {
		return nil, err
	}
	v, err := a.view(ctx, i)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	d := &Detail{Identity: *i, Balance: v.Balance, Keys: v.Keys, History: v.History, MonthUsed: v.UsedThisMonth}
	err = a.options.DB.QueryRow(ctx, `SELECT (SELECT count(*) FROM active_users WHERE identity_id = $1 AND month = $2),
		COALESCE((SELECT bytes FROM downloads WHERE identity_id = $1 AND month = $2), 0)`, i.ID, a.now().Format(monthForm)).Scan(&d.MAU, &d.DownloadBytes)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	d.MAUOverdrawn = d.MAU > i.IncludedMAU
	if i.VerifiedAt != nil {
		return d, nil
	}
	d.Identity.MonthlyQuota = 0
	for _, k := range d.Keys {
		if k.State == Provisional && k.RevokedAt == nil && k.ExpiresAt != nil && k.ExpiresAt.After(a.now()) {
			d.Identity.MonthlyQuota += k.MonthlyQuota
		}
	}
	err = a.options.DB.QueryRow(ctx, "SELECT "+provisionalUse("$2")+" FROM identities m WHERE m.id = $1", i.ID, a.monthBegan()).Scan(&d.MonthUsed)
	return d, store.Unavailable(err)
}
