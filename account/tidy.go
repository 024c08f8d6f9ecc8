package account

import (
	"context"
	"time"

	"github.com/waygate/waygate/store"
)

// eventLife is how long the ids of the payment processor's events are stored. Stripe
// repeats an event for three days by itself, and for thirty when asked. What an event
// has credited stays in the ledger under its payment's id.
const eventLife = 35 * 24 * time.Hour

// Tidy deletes expired rows: links, sessions, events of the payment processor, active
// users of past months, secrets of addresses that have all expired, and the counters of networks and hours with the salts of their
// hashes. Any replica may call it, about hourly.
func (a *Accounts) Tidy(ctx context.Context) error {
	now := a.now()
	ms := now.UnixMilli()
	// Replicas' clocks differ a little, and the hours of yesterday are still shown:
	// counters are kept for a day longer.
	yesterday := now.AddDate(0, 0, -1).Format(dayForm)
	for _, purge := range []struct {
		query string
		args  []any
	}{
		{"DELETE FROM links WHERE kind <> $1 AND expires_at <= $2", []any{verifyLink, ms}},
		{"DELETE FROM links WHERE kind = $1 AND expires_at <= $2", []any{verifyLink, now.Add(-DenyLife).UnixMilli()}},
		{"DELETE FROM sessions WHERE expires_at <= $1", []any{ms}},
		{"DELETE FROM issuances_client WHERE day LIKE '2%' AND day < $1", []any{yesterday}},
		{"DELETE FROM issuances_client WHERE day LIKE $1 AND day < $2", []any{signInScope + "%", signInScope + now.Add(-time.Hour).Format(time.RFC3339)}},
		{"DELETE FROM issuances_hour WHERE hour < $1", []any{yesterday}},
		{"DELETE FROM processor_events WHERE at < $1 AND id NOT LIKE 'subscription:%'", []any{now.Add(-eventLife).UnixMilli()}},
		{"DELETE FROM active_users WHERE month < $1", []any{now.AddDate(0, 0, -1).Format(monthForm)}},
		{"DELETE FROM address_secrets WHERE created_at < $1", []any{now.Add(-addressSecretEnd).UnixMilli()}},
		{"DELETE FROM salts WHERE scope LIKE 'client:%' AND scope < $1", []any{"client:" + yesterday}},
		{"DELETE FROM salts WHERE scope LIKE 'mau:%' AND scope < $1", []any{"mau:" + now.AddDate(0, 0, -1).Format(monthForm)}},
	} {
		if _, err := a.options.DB.Exec(ctx, purge.query, purge.args...); err != nil {
			return store.Unavailable(err)
		}
	}
	return nil
}
