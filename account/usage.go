package account

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// usageDaysMax is how many days one answer of Usage covers.
const usageDaysMax = 366

// UsageOf selects the usage of a key or, if KeyID is "", of an identity.
type UsageOf struct{ KeyID, IdentityID string }

// Usage is metered units by day and endpoint.
type Usage struct {
	From, To string // days, inclusive: 2026-11-01
	Days     []UsageDay
	Calls    int64
	Units    int64
}

// UsageDay is one day of Usage; days without calls are left out.
type UsageDay struct {
	Date      string
	Units     int64
	Endpoints []UsageEndpoint // by units, largest first
}

// UsageEndpoint is one endpoint on one day.
type UsageEndpoint struct {
	Endpoint     string
	Class        string
	Calls, Units int64
}

// Usage returns flushed usage from one day to another, inclusive, at most 366 days: ""
// is today for to, and the first of the month of to for from. It refuses invalid days,
// and an unknown key (not-found).
func (a *Accounts) Usage(ctx context.Context, of UsageOf, from, to string) (*Usage, error) {
	u, err := span(a.now(), from, to)
	if err != nil {
		return nil, err
	}
	column, id := "k.identity_id", of.IdentityID
	if of.KeyID != "" {
		if _, err := a.Key(ctx, of.KeyID); err != nil {
			return nil, err
		}
		column, id = "k.id", of.KeyID
	}
	rows, err := a.options.DB.Query(ctx, `SELECT d.day, d.endpoint, d.class, CAST(sum(d.calls) AS BIGINT), CAST(sum(d.units) AS BIGINT)
		FROM usage_days d JOIN keys k ON k.id = d.key_id WHERE `+column+` = $1 AND d.day >= $2 AND d.day <= $3
		GROUP BY d.day, d.endpoint, d.class ORDER BY d.day`, id, u.From, u.To)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err reports it
	for rows.Next() {
		var date string
		var e UsageEndpoint
		if err := rows.Scan(&date, &e.Endpoint, &e.Class, &e.Calls, &e.Units); err != nil {
			return nil, store.Unavailable(err)
		}
		u.add(date, e)
	}
	for _, d := range u.Days {
		slices.SortFunc(d.Endpoints, func(x, y UsageEndpoint) int {
			return cmp.Or(cmp.Compare(y.Units, x.Units), cmp.Compare(x.Endpoint, y.Endpoint), cmp.Compare(x.Class, y.Class))
		})
	}
	return u, store.Unavailable(rows.Err())
}

func (u *Usage) add(date string, e UsageEndpoint) {
	if n := len(u.Days); n == 0 || u.Days[n-1].Date != date {
		u.Days = append(u.Days, UsageDay{Date: date})
	}
	d := &u.Days[len(u.Days)-1]
	d.Endpoints = append(d.Endpoints, e)
	d.Units += e.Units
	u.Calls += e.Calls
	u.Units += e.Units
}

// span reads the bounds of a Usage.
func span(now time.Time, from, to string) (*Usage, error) {
	var wrong []fault.Violation
	day := func(location, text string, otherwise time.Time) time.Time {
		if text == "" {
			return otherwise
		}
		t, err := time.Parse(dayForm, text)
		if err != nil {
			wrong = append(wrong, fault.Violation{Location: location, Value: text, Message: "must be a day, as 2026-11-21"})
		}
		return t
	}
	last := day("to", to, now.Truncate(24*time.Hour))
	first := day("from", from, last.AddDate(0, 0, 1-last.Day()))
	days := int(last.Sub(first)/(24*time.Hour)) + 1
	switch {
	case len(wrong) > 0:
	case last.Before(first):
		wrong = append(wrong, fault.Violation{Location: "from", Value: from, Message: "must not be after to, " + last.Format(dayForm)})
	case days > usageDaysMax:
		wrong = append(wrong, fault.Violation{Location: "from", Value: from, Message: fmt.Sprintf("is %d days from to, %s, inclusive; the limit is %d", days, last.Format(dayForm), usageDaysMax)})
	}
	if err := fault.Invalid(wrong...); err != nil {
		return nil, err
	}
	return &Usage{From: first.Format(dayForm), To: last.Format(dayForm), Days: []UsageDay{}}, nil
}
