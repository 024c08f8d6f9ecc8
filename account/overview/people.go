package overview

import (
	"context"
	"database/sql"

	"github.com/waygate/waygate/account"
)

const mostSources = 100 // tags are free text of callers

func (r *reading) abuse(ctx context.Context, a *Abuse) error {
	a.MaxIssuancesPerHour = int64(r.options.MaxIssuancesPerHour)
	return r.db.QueryRow(ctx, `SELECT
			(SELECT COALESCE(CAST(SUM(n) AS BIGINT), 0) FROM issuances_hour WHERE hour = $1),
			COALESCE(CAST(SUM(n) AS BIGINT), 0), COUNT(*)
		FROM issuances_client WHERE day = $2 AND n > 0`,
		r.now.Format("2006-01-02T15"), r.now.Format("2006-01-02")).
		Scan(&a.IssuancesThisHour, &a.IssuancesToday, &a.DistinctIPsToday)
}

func (r *reading) activation(ctx context.Context, a *Activation) error {
	a.WindowDays = WindowDays
	since := r.since(WindowDays)
	if err := r.db.QueryRow(ctx, "SELECT COUNT(*) FROM identities WHERE created_at >= $1", since).Scan(&a.Signups); err != nil {
		return err
	}
	first, err := r.firstCalls(ctx, since)
	if err != nil {
		return err
	}
	a.Converted, a.MedianTTFCSeconds, a.P90TTFCSeconds = first.converted, first.median, first.p90
	if a.Signups > 0 {
		// Somebody may have signed up and called between the two statements.
		a.ConversionRate = min(1, float64(a.Converted)/float64(a.Signups))
	}
	return nil
}

// firstCalls are the times from signup to the first successful call.
type firstCalls struct {
	converted   int64
	median, p90 *int64 // seconds; nil for none
}

// firstCalls reads those of the identities that signed up since a time. The database
// computes the ranks, so that not all times are transferred.
func (r *reading) firstCalls(ctx context.Context, since int64) (f firstCalls, err error) {
	var lower, upper, p90 sql.NullInt64
	err = r.db.QueryRow(ctx, `WITH waits AS (
			SELECT MIN(k.first_success_at) - i.created_at AS wait
			FROM identities i JOIN keys k ON k.identity_id = i.id
			WHERE i.created_at >= $1 AND k.first_success_at IS NOT NULL
			GROUP BY i.id, i.created_at
		), ranked AS (
			SELECT wait, ROW_NUMBER() OVER (ORDER BY wait) AS place, COUNT(*) OVER () AS n FROM waits
		)
		SELECT COUNT(*),
			MAX(CASE WHEN place = (n + 1) / 2 THEN wait END),
			MAX(CASE WHEN place = n / 2 + 1 THEN wait END),
			MAX(CASE WHEN place = (9 * n + 9) / 10 THEN wait END)
		FROM ranked`, since).Scan(&f.converted, &lower, &upper, &p90)
	if err != nil || f.converted == 0 {
		return f, err
	}
	f.median, f.p90 = seconds((lower.Int64+upper.Int64)/2), seconds(p90.Int64)
	return f, nil
}

// seconds returns whole seconds of milliseconds; 0 if the clocks of two replicas put
// the end before the beginning.
func seconds(milliseconds int64) *int64 { return new(max(0, milliseconds/1000)) }

func (r *reading) downloads(ctx context.Context, d *Downloads) error {
	d.Month = r.now.Format("2006-01")
	var bytes int64
	err := r.db.QueryRow(ctx, `SELECT
			(SELECT COALESCE(CAST(SUM(bytes) AS BIGINT), 0) FROM downloads WHERE month = $1),
			COALESCE(CAST(SUM(COALESCE(download_allowance_mib, $2)) AS BIGINT), 0)
		FROM identities`, d.Month, int64(account.DownloadMiB)).Scan(&bytes, &d.AllowanceMiB)
	d.UsedMiB = (bytes + 1<<20 - 1) >> 20
	return err
}

func (r *reading) identities(ctx context.Context, i *Identities) error {
	err := r.db.QueryRow(ctx, `SELECT COUNT(*), COUNT(CASE WHEN created_at >= $1 THEN 1 END),
			COUNT(CASE WHEN created_at >= $2 THEN 1 END), COUNT(CASE WHEN source = '' THEN 1 END)
		FROM identities`, r.since(7), r.since(30)).Scan(&i.Total, &i.New7d, &i.New30d, &i.Untagged)
	if err != nil {
		return err
	}
	i.BySource, err = list(ctx, r.db, func(rows *sql.Rows, s *SourceCount) error { return rows.Scan(&s.Source, &s.Count) },
		"SELECT source, COUNT(*) FROM identities WHERE source <> '' GROUP BY source ORDER BY COUNT(*) DESC, source LIMIT $1", mostSources)
	return err
}

func (r *reading) funnel(ctx context.Context, f *Funnel) error {
	first, err := r.firstCalls(ctx, 0)
	if err != nil {
		return err
	}
	f.ActivatedIdentities, f.MedianActivationSeconds = first.converted, first.median
	return r.db.QueryRow(ctx, `SELECT (SELECT COUNT(*) FROM identities), COUNT(DISTINCT identity_id), COUNT(first_success_at),
			(SELECT COUNT(DISTINCT identity_id) FROM payments)
		FROM keys WHERE identity_id IS NOT NULL`).Scan(&f.Identities, &f.WithKey, &f.ActivatedKeys, &f.PaidIdentities)
}
