package overview

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/waygate/waygate/store"
)

const (
	mostEndpoints   = 20
	mostFeatures    = 50
	retentionMonths = 12
	// paying is the feature under which the gate counts calls that paid for
	// themselves, which are not part of the demo lane.
	paying = "x402"
)

// counted is a table of usage by day, endpoint and class.
type counted string

const (
	keyed counted = "usage_days"
	demo  counted = "demo_days"
)

func (r *reading) topEndpoints(ctx context.Context, from counted) ([]EndpointUsage, error) {
	return list(ctx, r.db, func(rows *sql.Rows, e *EndpointUsage) error { return rows.Scan(&e.Endpoint, &e.Count) },
		`SELECT endpoint, CAST(SUM(calls) AS BIGINT) FROM `+string(from)+` WHERE day >= $1
		GROUP BY endpoint HAVING SUM(calls) > 0 ORDER BY SUM(calls) DESC, endpoint LIMIT $2`, r.firstDay(), mostEndpoints)
}

// mix is the usage of a window by class.
type mix struct{ calls, premium, units, premiumUnits int64 }

func (r *reading) mix(ctx context.Context, from counted) (m mix, err error) {
	err = r.db.QueryRow(ctx, `SELECT COALESCE(CAST(SUM(calls) AS BIGINT), 0),
			COALESCE(CAST(SUM(CASE WHEN class = 'premium' THEN calls END) AS BIGINT), 0),
			COALESCE(CAST(SUM(units) AS BIGINT), 0),
			COALESCE(CAST(SUM(CASE WHEN class = 'premium' THEN units END) AS BIGINT), 0)
		FROM `+string(from)+` WHERE day >= $1`, r.firstDay()).Scan(&m.calls, &m.premium, &m.units, &m.premiumUnits)
	return m, err
}

func (r *reading) usageMix(ctx context.Context, u *UsageMix) error {
	m, err := r.mix(ctx, keyed)
	if err != nil {
		return err
	}
	u.WindowDays, u.Standard, u.Premium, u.Total = WindowDays, m.calls-m.premium, m.premium, m.calls
	u.TopEndpoints, err = r.topEndpoints(ctx, keyed)
	return err
}

func (r *reading) demoLane(ctx context.Context, d *DemoLane) error {
	m, err := r.mix(ctx, demo)
	if err != nil {
		return err
	}
	d.Enabled, d.RPMPerIP, d.WindowDays = r.options.DemoRPM > 0, int64(r.options.DemoRPM), WindowDays
	d.Calls, d.Standard, d.Premium = m.calls, m.calls-m.premium, m.premium
	d.Units, d.PremiumUnits, d.NotionalMillipence = m.units, m.premiumUnits, m.units*r.options.UnitPrice
	if d.TopEndpoints, err = r.topEndpoints(ctx, demo); err != nil {
		return err
	}
	d.PremiumFeatures, err = list(ctx, r.db, func(rows *sql.Rows, f *DemoFeature) error { return rows.Scan(&f.Features, &f.Calls, &f.Units) },
		`SELECT feature, CAST(SUM(calls) AS BIGINT), CAST(SUM(units) AS BIGINT) FROM demo_features WHERE day >= $1 AND feature <> $2
		GROUP BY feature ORDER BY SUM(units) DESC, feature LIMIT $3`, r.firstDay(), paying, mostFeatures)
	d.Clients = r.options.DemoClients()
	d.Clients.Top = append([]DemoClient{}, d.Clients.Top...)
	return err
}

// retention counts the active identities of each month, and those of them that were
// active in the month before. In SQL a month is its number since year 0.
func (r *reading) retention(ctx context.Context) ([]RetentionMonth, error) {
	this := time.Date(r.now.Year(), r.now.Month(), 1, 0, 0, 0, 0, time.UTC)
	number := func(month time.Time) int64 { return int64(month.Year())*12 + int64(month.Month()) }
	before := this.AddDate(0, -retentionMonths, 0)
	type row struct{ month, active, retained int64 }
	rows, err := list(ctx, r.db, func(rows *sql.Rows, w *row) error { return rows.Scan(&w.month, &w.active, &w.retained) },
		`WITH active AS (
			SELECT DISTINCT k.identity_id AS identity,
				CAST(SUBSTR(u.day, 1, 4) AS BIGINT) * 12 + CAST(SUBSTR(u.day, 6, 2) AS BIGINT) AS month
			FROM usage_days u JOIN keys k ON k.id = u.key_id
			WHERE u.day >= $1 AND u.calls > 0 AND k.identity_id IS NOT NULL
		)
		SELECT a.month, COUNT(*), COUNT(b.identity)
		FROM active a LEFT JOIN active b ON b.identity = a.identity AND b.month = a.month - 1
		GROUP BY a.month`, before.Format(time.DateOnly))
	if err != nil {
		return nil, err
	}
	found := map[int64]row{}
	for _, w := range rows {
		found[w.month] = w
	}
	var months []RetentionMonth
	for n := range retentionMonths {
		month := before.AddDate(0, n+1, 0)
		w := found[number(month)]
		m := RetentionMonth{Month: month.Format("2006-01"), Active: w.active, Retained: w.retained}
		if previous := found[number(month)-1].active; previous > 0 {
			m.RetentionRate = new(float64(w.retained) / float64(previous))
		}
		months = append(months, m)
	}
	return months, nil
}

// list reads rows; without rows it returns an empty list, not nil.
func list[T any](ctx context.Context, db *store.DB, scan func(*sql.Rows, *T) error, query string, args ...any) (found []T, err error) {
	rows, err := db.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	found = []T{}
	for rows.Next() {
		var t T
		if err := scan(rows, &t); err != nil {
			return nil, err
		}
		found = append(found, t)
	}
	return found, rows.Err()
}
