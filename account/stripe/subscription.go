package stripe

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/store"
)

// Events of a subscription may come late and out of order. The newest time that was
// booked is stored as the row subscription:ID of processor_events, so that an older
// event changes nothing; a subscription that has ended never comes back and is stored
// with the time over. Stripe's times are whole seconds: of two events in one second the
// creation is the older; for two updates the handler reads the state of the subscription
// from Stripe.
const (
	ticks = 1000 // of a second; an update is one later than a creation
	over  = math.MaxInt64
)

// undecided is an event of the same second as another that was booked.
type undecided struct {
	subscription string
	at           int64
}

func (u *undecided) Error() string {
	return "two events of subscription " + u.subscription + " in one second"
}

// change is the state of a subscription at a time.
type change struct {
	*subscription
	at      int64 // in ticks
	settled bool  // it was fetched: it takes precedence over another of the same time
}

// plan gives the identity the plan of a subscription, or takes it away.
func (d *Billing) plan(c *change) entry {
	return func(ctx context.Context, tx *store.Tx) (string, error) {
		if fresh, err := c.mark(ctx, tx); err != nil || !fresh {
			return "", err
		}
		identityID, err := d.owner(ctx, tx, c.Metadata[metaIdentity], c.Customer)
		if err != nil || identityID == "" {
			return "", err
		}
		if !c.granted() {
			// Another subscription of the identity stays.
			_, err := tx.Exec(ctx, `UPDATE identities SET plan = $3, plan_quota = NULL, plan_rate = NULL, stripe_subscription_id = NULL
				WHERE id = $1 AND stripe_subscription_id = $2`, identityID, c.ID, account.FreePlan)
			return identityID, err
		}
		p, ok := d.priced(c.subscription)
		if !ok {
			d.options.Log.ErrorContext(ctx, "a subscription has a price of no plan on offer: the account stays as it is", "subscription", c.ID, "identity", identityID)
			return "", nil
		}
		var other int
		err = tx.QueryRow(ctx, "SELECT COUNT(*) FROM identities WHERE id = $1 AND stripe_subscription_id <> $2", identityID, c.ID).Scan(&other)
		if err != nil {
			return "", fmt.Errorf("look for another subscription: %w", err)
		}
		if other > 0 {
			d.options.Log.WarnContext(ctx, "an identity pays for two subscriptions: the later one holds, end the other", "subscription", c.ID, "identity", identityID)
		}
		_, err = tx.Exec(ctx, "UPDATE identities SET plan = $2, plan_quota = $3, plan_rate = $4, stripe_subscription_id = $5 WHERE id = $1",
			identityID, p.Name, p.MonthlyQuota, p.RatePerMin, c.ID)
		return identityID, err
	}
}

// priced finds the plan on offer that a subscription pays for.
func (d *Billing) priced(s *subscription) (Plan, bool) {
	for _, item := range s.Items.Data {
		i := slices.IndexFunc(d.options.Plans, func(p Plan) bool { return p.Price == string(item.Price) || p.Price == string(item.Plan) })
		if i >= 0 {
			return d.options.Plans[i], true
		}
	}
	return Plan{}, false
}

// mark stores the time of a change and reports whether it is the newest.
func (c *change) mark(ctx context.Context, tx *store.Tx) (fresh bool, err error) {
	if c.over() {
		c.at = over
	}
	row := "subscription:" + c.ID
	newer := "processor_events.at < excluded.at"
	if c.settled {
		newer = "processor_events.at <= excluded.at"
	}
	n, err := tx.Exec(ctx, "INSERT INTO processor_events (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE "+newer, row, c.at)
	if err != nil {
		return false, fmt.Errorf("keep the time of a subscription: %w", err)
	}
	if n > 0 {
		return true, nil
	}
	var kept int64
	if err := tx.QueryRow(ctx, "SELECT at FROM processor_events WHERE id = $1", row).Scan(&kept); err != nil {
		return false, fmt.Errorf("read the time of a subscription: %w", err)
	}
	if kept == c.at && kept != over && !c.settled {
		return false, &undecided{c.ID, c.at}
	}
	return false, nil
}

// fetch requests the state of a subscription from Stripe.
func (d *Billing) fetch(ctx context.Context, id string) (*subscription, error) {
	got, err := d.client.V1Subscriptions.Retrieve(ctx, id, nil)
	if err != nil {
		return nil, refused(err)
	}
	s := &subscription{}
	e := event{Type: "subscription " + id}
	e.Data.Object = got.LastResponse.RawJSON
	return s, e.read(s)
}
