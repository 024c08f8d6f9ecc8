package stripe

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	api "github.com/stripe/stripe-go/v86"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// The least and the most credit of one checkout, in pence.
const (
	LeastPence = 500
	MostPence  = 1_000_000
)

// currency is the currency of all prices.
const currency = "gbp"

// The metadata of what is made here, by which Event recognises it.
const (
	metaIdentity = "identity_id"
	metaPence    = "pence"
	metaPlan     = "plan"
)

// The paths below the website to which a checkout returns.
const (
	pagePaid      = "/console?checkout=done"
	pageCancelled = "/console?checkout=cancelled"
	pageAccount   = "/console"
)

// Credit makes a checkout page for pence of credit, LeastPence to MostPence, and
// returns its address. Errors are billing-not-enabled, bad-request, not-found (the
// identity), upstream-error and upstream-unavailable.
func (d *Billing) Credit(ctx context.Context, identityID string, pence int64) (address string, err error) {
	if err := d.closed(); err != nil {
		return "", err
	}
	if pence < LeastPence || pence > MostPence {
		return "", fault.Invalid(fault.Violation{Location: "pence", Value: pence, Message: fmt.Sprintf("one checkout buys from %d to %d pence", LeastPence, MostPence)})
	}
	b, err := d.buyer(ctx, identityID)
	if err != nil {
		return "", err
	}
	meta := map[string]string{metaIdentity: identityID, metaPence: strconv.FormatInt(pence, 10)}
	return d.checkout(ctx, b, func() *api.CheckoutSessionCreateParams {
		return &api.CheckoutSessionCreateParams{
			Mode:     api.String("payment"),
			Metadata: meta,
			LineItems: []*api.CheckoutSessionCreateLineItemParams{{
				Quantity: api.Int64(1),
				PriceData: &api.CheckoutSessionCreateLineItemPriceDataParams{
					Currency:   api.String(currency),
					UnitAmount: api.Int64(pence),
					ProductData: &api.CheckoutSessionCreateLineItemPriceDataProductDataParams{
						Name: api.String("Waygate credit"),
					},
				},
			}},
			// The payment has the metadata too, for people who look at it at Stripe
			// later.
			PaymentIntentData: &api.CheckoutSessionCreatePaymentIntentDataParams{Metadata: meta},
		}
	})
}

// Subscribe makes a checkout page for a plan by its name, and returns its address. It
// refuses (bad-request) an identity that has a subscription: that is changed at the
// Portal, or it would be billed twice. Other errors are those of Credit.
func (d *Billing) Subscribe(ctx context.Context, identityID, plan string) (address string, err error) {
	if err := d.closed(); err != nil {
		return "", err
	}
	i := slices.IndexFunc(d.options.Plans, func(p Plan) bool { return p.Name == plan })
	if i < 0 {
		return "", fault.Invalid(fault.Violation{Location: "plan", Value: plan, Message: d.offer()})
	}
	b, err := d.buyer(ctx, identityID)
	if err != nil {
		return "", err
	}
	if b.subscription != "" {
		return "", fault.Invalid(fault.Violation{Location: "plan", Value: plan, Message: "the account has the plan " + b.plan + "; change or end it on the billing page"})
	}
	meta := map[string]string{metaIdentity: identityID, metaPlan: plan}
	return d.checkout(ctx, b, func() *api.CheckoutSessionCreateParams {
		return &api.CheckoutSessionCreateParams{
			Mode:     api.String("subscription"),
			Metadata: meta,
			LineItems: []*api.CheckoutSessionCreateLineItemParams{{
				Quantity: api.Int64(1),
				Price:    api.String(d.options.Plans[i].Price),
			}},
			SubscriptionData: &api.CheckoutSessionCreateSubscriptionDataParams{Metadata: meta},
		}
	})
}

// offer lists the names of the plans.
func (d *Billing) offer() string {
	if len(d.options.Plans) == 0 {
		return "no plan is on offer"
	}
	names := make([]string, len(d.options.Plans))
	for i, p := range d.options.Plans {
		names[i] = p.Name
	}
	return "the plans on offer are " + strings.Join(names, ", ")
}

// Portal returns the address of the customer's own page at Stripe. Errors are those of
// Credit.
func (d *Billing) Portal(ctx context.Context, identityID string) (address string, err error) {
	if err := d.closed(); err != nil {
		return "", err
	}
	b, err := d.buyer(ctx, identityID)
	if err != nil {
		return "", err
	}
	return d.as(ctx, b, func(customer string) (string, error) {
		s, err := d.client.V1BillingPortalSessions.Create(ctx, &api.BillingPortalSessionCreateParams{
			Customer:  api.String(customer),
			ReturnURL: api.String(d.options.WebsiteURL + pageAccount),
		})
		if err != nil {
			return "", err
		}
		return s.URL, nil
	})
}

// checkout makes a session of what the buyer wants. The idempotency key is the
// session's own, so that a call that the library repeats makes one session.
func (d *Billing) checkout(ctx context.Context, b *buyer, wanted func() *api.CheckoutSessionCreateParams) (string, error) {
	return d.as(ctx, b, func(customer string) (string, error) {
		p := wanted()
		p.Customer, p.ClientReferenceID = api.String(customer), api.String(b.id)
		p.SuccessURL, p.CancelURL = api.String(d.options.WebsiteURL+pagePaid), api.String(d.options.WebsiteURL+pageCancelled)
		p.SetIdempotencyKey(api.NewIdempotencyKey())
		s, err := d.client.V1CheckoutSessions.Create(ctx, p)
		if err != nil {
			return "", err
		}
		return s.URL, nil
	})
}

// buyer is an identity that buys.
type buyer struct {
	id, email    string
	customer     string // in Stripe; "" before the first visit
	subscription string // the active one; "" where there is none
	plan         string
}

func (d *Billing) buyer(ctx context.Context, identityID string) (*buyer, error) {
	b := &buyer{id: identityID}
	err := d.options.DB.QueryRow(ctx, `SELECT email, plan, COALESCE(stripe_customer_id, ''), COALESCE(stripe_subscription_id, '')
		FROM identities WHERE id = $1`, identityID).Scan(&b.email, &b.plan, &b.customer, &b.subscription)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fault.New(fault.NotFound, "no such identity")
	}
	return b, store.Unavailable(err)
}

// as calls make with the buyer's customer in Stripe, and returns the address.
func (d *Billing) as(ctx context.Context, b *buyer, make func(customer string) (string, error)) (string, error) {
	if b.customer == "" {
		if err := d.enrol(ctx, b); err != nil {
			return "", err
		}
	}
	address, err := make(b.customer)
	if gone(err) {
		d.options.Log.WarnContext(ctx, "Stripe does not know the customer of an identity; making a new one", "identity", b.id, "customer", b.customer)
		if err := d.enrol(ctx, b); err != nil {
			return "", err
		}
		address, err = make(b.customer)
	}
	if err != nil {
		return "", refused(err)
	}
	if address == "" {
		return "", fault.New(fault.Upstream, "the payment processor gave no address of a page")
	}
	return address, nil
}

// enrol makes a customer in place of the one that the buyer has, and stores it.
func (d *Billing) enrol(ctx context.Context, b *buyer) error {
	p := &api.CustomerCreateParams{Email: api.String(b.email), Metadata: map[string]string{metaIdentity: b.id}}
	// Two calls that enrol the same buyer at once get the same customer.
	p.SetIdempotencyKey("customer-" + b.id + "-" + b.customer)
	c, err := d.client.V1Customers.Create(ctx, p)
	if err != nil {
		return refused(err)
	}
	n, err := d.options.DB.Exec(ctx, "UPDATE identities SET stripe_customer_id = $2 WHERE id = $1 AND COALESCE(stripe_customer_id, '') = $3", b.id, c.ID, b.customer)
	if err != nil {
		return store.Unavailable(err)
	}
	if n == 0 { // another call was first: use its customer
		kept, err := d.buyer(ctx, b.id)
		if err != nil {
			return err
		}
		*b = *kept
		return nil
	}
	b.customer = c.ID
	d.changed(b.id)
	return nil
}
