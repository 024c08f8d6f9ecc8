package overview

import (
	"context"
	"database/sql"

	"github.com/waygate/waygate/account"
)

func (r *reading) credit(ctx context.Context, c *Credit) error {
	var balance, credited int64
	err := r.db.QueryRow(ctx, `SELECT COALESCE(CAST(SUM(millipence) AS BIGINT), 0), COALESCE(CAST(SUM(credited) AS BIGINT), 0)
		FROM balances`).Scan(&balance, &credited)
	c.BalancePence, c.CreditedTotalPence = balance/1000, credited/1000
	c.ConsumedPence = c.CreditedTotalPence - c.BalancePence
	return err
}

// billing is the monthly amount of subscriptions and their number.
type billing struct{ pence, accounts int64 }

// plans counts identities by plan, and returns what the plans bill.
func (r *reading) plans(ctx context.Context) ([]PlanCount, billing, error) {
	prices := map[string]int64{}
	for _, p := range r.options.Plans {
		prices[p.Name] = p.MonthlyPence
	}
	var billed billing
	counts, err := list(ctx, r.db, func(rows *sql.Rows, p *PlanCount) error {
		var subscribed int64
		if err := rows.Scan(&p.Plan, &p.Count, &subscribed); err != nil {
			return err
		}
		if p.Plan == account.FreePlan {
			p.MonthlyPence = new(int64)
		} else if price, ok := prices[p.Plan]; ok {
			p.MonthlyPence = &price
			billed.pence += subscribed * price
			billed.accounts += subscribed
		}
		return nil
	}, `SELECT plan, COUNT(*), COUNT(NULLIF(stripe_subscription_id, '')) FROM identities
		GROUP BY plan ORDER BY COUNT(*) DESC, plan`)
	return counts, billed, err
}

func (r *reading) revenue(ctx context.Context, v *Revenue) error {
	v.WindowDays = WindowDays
	plans, billed, err := r.plans(ctx)
	if err != nil {
		return err
	}
	v.Plans, v.MRRBilledPence, v.MRRBilledAccounts = plans, billed.pence, billed.accounts
	if err := r.db.QueryRow(ctx, "SELECT COUNT(NULLIF(stripe_customer_id, '')) FROM identities").Scan(&v.StripeCustomers); err != nil {
		return err
	}
	if err := r.settled(ctx, 0, &v.AllTime); err != nil {
		return err
	}
	return r.settled(ctx, r.since(WindowDays), &v.Last30d)
}

func (r *reading) settled(ctx context.Context, since int64, s *SettledRevenue) error {
	return r.db.QueryRow(ctx, `SELECT COALESCE(CAST(SUM(pence) AS BIGINT), 0),
			COALESCE(CAST(SUM(CASE WHEN kind = 'credit' THEN pence END) AS BIGINT), 0),
			COALESCE(CAST(SUM(CASE WHEN kind = 'subscription' THEN pence END) AS BIGINT), 0),
			COUNT(*), COUNT(DISTINCT identity_id)
		FROM payments WHERE at >= $1`, since).
		Scan(&s.Pence, &s.CreditPence, &s.SubscriptionPence, &s.Payments, &s.Accounts)
}

func (r *reading) prepaid(ctx context.Context, p *Prepaid) error {
	p.WindowDays = WindowDays
	var outstanding int64
	if err := r.db.QueryRow(ctx, "SELECT COALESCE(CAST(SUM(millipence) AS BIGINT), 0) FROM balances").Scan(&outstanding); err != nil {
		return err
	}
	p.OutstandingPence = outstanding / 1000
	if err := r.entries(ctx, 0, &p.AllTime); err != nil {
		return err
	}
	return r.entries(ctx, r.since(WindowDays), &p.Last30d)
}

func (r *reading) entries(ctx context.Context, since int64, p *PrepaidRevenue) error {
	var sold, granted, consumed int64
	err := r.db.QueryRow(ctx, `SELECT
			COALESCE(CAST(SUM(CASE WHEN kind = 'credit' AND source = 'stripe' THEN millipence END) AS BIGINT), 0),
			COALESCE(CAST(SUM(CASE WHEN kind = 'credit' AND source <> 'stripe' THEN millipence END) AS BIGINT), 0),
			COALESCE(CAST(SUM(CASE WHEN kind = 'usage' THEN -millipence END) AS BIGINT), 0),
			COUNT(DISTINCT CASE WHEN kind = 'usage' THEN identity_id END)
		FROM entries WHERE at >= $1`, since).Scan(&sold, &granted, &consumed, &p.Accounts)
	p.SoldPence, p.GrantedPence, p.ConsumedPence = sold/1000, granted/1000, consumed/1000
	return err
}
