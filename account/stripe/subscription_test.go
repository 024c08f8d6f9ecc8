package stripe_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	api "github.com/stripe/stripe-go/v86"

	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/stripe/stripetest"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

const (
	created = "customer.subscription.created"
	updated = "customer.subscription.updated"
	deleted = "customer.subscription.deleted"
)

// begin is when the subscriptions of the tests begin.
var begin = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// happened is something that happened to subscription sub_1 of identity i, so
// many seconds after begin.
type happened struct {
	kind    string
	seconds int
	status  string
	price   string
}

func (h happened) event(id string) stripetest.Event {
	return stripetest.Event{ID: id, Type: h.kind, Created: begin.Add(time.Duration(h.seconds) * time.Second), Object: stripetest.Subscription("sub_1", "i", h.status, h.price)}
}

var (
	free    = record{plan: "free"}
	starter = record{plan: "starter", quota: 200_000, rate: 300, subscription: "sub_1"}
	fleet   = record{plan: "fleet", quota: 2_000_000, rate: 1_200, subscription: "sub_1"}
)

func TestSubscription(t *testing.T) {
	cases := map[string]struct {
		events []happened
		want   record
	}{
		"active":                       {[]happened{{created, 0, "active", "price_starter"}}, starter},
		"trial":                        {[]happened{{created, 0, "trialing", "price_starter"}}, starter},
		"not paid yet":                 {[]happened{{created, 0, "incomplete", "price_starter"}}, free},
		"paid then":                    {[]happened{{created, 0, "incomplete", "price_starter"}, {updated, 0, "active", "price_starter"}}, starter},
		"paid then, out of order":      {[]happened{{updated, 0, "active", "price_starter"}, {created, 0, "incomplete", "price_starter"}}, starter},
		"another plan":                 {[]happened{{created, 0, "active", "price_starter"}, {updated, 9, "active", "price_fleet"}}, fleet},
		"another, out of order":        {[]happened{{updated, 9, "active", "price_fleet"}, {updated, 5, "active", "price_starter"}}, fleet},
		"payment late":                 {[]happened{{created, 0, "active", "price_starter"}, {updated, 9, "past_due", "price_starter"}}, starter},
		"payment given up":             {[]happened{{created, 0, "active", "price_starter"}, {updated, 9, "unpaid", "price_starter"}}, free},
		"paid after all":               {[]happened{{updated, 9, "unpaid", "price_starter"}, {updated, 10, "active", "price_starter"}}, starter},
		"paused":                       {[]happened{{created, 0, "active", "price_starter"}, {"customer.subscription.paused", 9, "paused", "price_starter"}}, free},
		"resumed":                      {[]happened{{updated, 9, "paused", "price_starter"}, {"customer.subscription.resumed", 10, "active", "price_starter"}}, starter},
		"canceled":                     {[]happened{{created, 0, "active", "price_starter"}, {updated, 9, "canceled", "price_starter"}}, free},
		"deleted":                      {[]happened{{created, 0, "active", "price_starter"}, {deleted, 9, "canceled", "price_starter"}}, free},
		"deleted, says active":         {[]happened{{created, 0, "active", "price_starter"}, {deleted, 9, "active", "price_starter"}}, free},
		"updated before, reported now": {[]happened{{created, 0, "active", "price_starter"}, {deleted, 9, "canceled", "price_starter"}, {updated, 8, "active", "price_starter"}}, free},
		"in the same second":           {[]happened{{deleted, 9, "canceled", "price_starter"}, {updated, 9, "active", "price_starter"}}, free},
		"by a clock that is ahead":     {[]happened{{deleted, 9, "canceled", "price_starter"}, {updated, 99, "active", "price_starter"}}, free},
		"deleted twice":                {[]happened{{created, 0, "active", "price_starter"}, {deleted, 9, "canceled", "price_starter"}, {deleted, 9, "canceled", "price_starter"}}, free},
		"a price of no plan":           {[]happened{{created, 0, "active", "price_of_coffee"}}, free},
		"to a price of no plan":        {[]happened{{created, 0, "active", "price_starter"}, {updated, 1, "active", "price_of_coffee"}}, starter},
	}
	storetest.Each(t, func(t *testing.T, address string) {
		d := set(t, address, "http://127.0.0.1:1")
		n := 0
		for name, c := range cases {
			d.exec(t, "UPDATE identities SET plan = 'free', plan_quota = NULL, plan_rate = NULL, stripe_subscription_id = NULL")
			d.exec(t, "DELETE FROM processor_events")
			d.drain()
			for _, h := range c.events {
				n++
				if err := d.send(t, h.event(fmt.Sprintf("evt_%d", n))); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if got := d.record(t, "i"); got != c.want {
				t.Errorf("%s: %+v, want %+v", name, got, c.want)
			}
			if reported := d.drain(); c.want != free && !slices.Equal(reported, []string{"i"}) {
				t.Errorf("%s: reported %v", name, reported)
			}
			if got := d.record(t, "j"); got != free {
				t.Errorf("%s: another has %+v", name, got)
			}
		}
	})
}

// The end of one subscription leaves another alone; the owner may be found by
// the customer; a stranger's changes nothing.
func TestSubscriptionOf(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := set(t, address, "")
		d.exec(t, "UPDATE identities SET stripe_customer_id = 'cus_i' WHERE id = 'i'")
		of := func(id, status, price string) map[string]any {
			return with(stripetest.Subscription(id, "", status, price), map[string]any{"metadata": map[string]any{}, "customer": "cus_i"})
		}
		d.take(t, stripetest.Event{ID: "evt_1", Type: created, Created: begin, Object: of("sub_1", "active", "price_starter")})
		d.take(t, stripetest.Event{ID: "evt_2", Type: created, Created: begin, Object: of("sub_2", "active", "price_fleet")})
		d.take(t, stripetest.Event{ID: "evt_3", Type: deleted, Created: begin, Object: of("sub_1", "canceled", "price_starter")})
		d.take(t, stripetest.Event{ID: "evt_4", Type: created, Created: begin, Object: stripetest.Subscription("sub_3", "nobody", "active", "price_fleet")})
		want := fleet
		want.customer, want.subscription = "cus_i", "sub_2"
		if got := d.record(t, "i"); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		if at, err := d.Subscribe(t.Context(), "i", "starter"); at != "" || !fault.Is(err, fault.BadRequest) {
			t.Errorf("a second subscription: %q %v", at, err)
		}
		d.take(t, stripetest.Event{ID: "evt_5", Type: deleted, Created: begin, Object: of("sub_2", "canceled", "price_fleet")})
		if got := d.record(t, "i"); got != (record{plan: "free", customer: "cus_i"}) {
			t.Errorf("%+v", got)
		}
	})
}

// TestAnyOrder checks that the newest event decides in whatever order events come, and
// however often.
func TestAnyOrder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := set(t, address, "http://127.0.0.1:1")
		rapid.Check(t, func(rt *rapid.T) {
			d.exec(t, "UPDATE identities SET plan = 'free', plan_quota = NULL, plan_rate = NULL, stripe_subscription_id = NULL")
			d.exec(t, "DELETE FROM processor_events")
			state := func(label string) (status, price string) {
				return rapid.SampledFrom([]string{"incomplete", "active", "past_due", "unpaid"}).Draw(rt, label),
					rapid.SampledFrom([]string{"price_starter", "price_fleet"}).Draw(rt, label)
			}
			status, price := state("created")
			story := []happened{{created, 0, status, price}}
			for n := range rapid.IntRange(0, 4).Draw(rt, "updates") {
				status, price = state("updated")
				story = append(story, happened{updated, n, status, price}) // the first in the second of the creation
			}
			if rapid.Bool().Draw(rt, "deleted") {
				status = "canceled"
				story = append(story, happened{deleted, story[len(story)-1].seconds, status, price})
			}
			reported := rapid.Permutation(append(slices.Clone(indices(story)), indices(story)...)).Draw(rt, "reported")
			for _, n := range reported {
				if err := d.send(t, story[n].event(fmt.Sprintf("evt_%d", n))); err != nil {
					rt.Fatal(err)
				}
			}
			want := free
			if status == "active" || status == "past_due" {
				want = map[string]record{"price_starter": starter, "price_fleet": fleet}[price]
			}
			if got := d.record(t, "i"); got != want {
				rt.Fatalf("%+v, want %+v", got, want)
			}
		})
	})
}

func indices(story []happened) (all []int) {
	for n := range story {
		all = append(all, n)
	}
	return all
}

// After two updates in one second, the subscription as Stripe has it counts.
func TestTie(t *testing.T) {
	mock := stripetest.Start(t)
	// stripe-mock has one subscription, of this price and customer.
	known, err := api.NewClient(stripetest.Key, api.WithBackends(api.NewBackendsWithConfig(&api.BackendConfig{URL: api.String(mock)}))).
		V1Subscriptions.Retrieve(t.Context(), "sub_1", nil)
	if err != nil || known.Status != api.SubscriptionStatusActive {
		t.Fatalf("%+v %v", known, err)
	}
	storetest.Each(t, func(t *testing.T, address string) {
		w := tap(t, mock)
		d := set(t, address, w.URL, func(o *stripe.Options) {
			o.Plans = append(slices.Clone(plans), stripe.Plan{Name: "known", Price: known.Items.Data[0].Price.ID, MonthlyQuota: 7, RatePerMin: 8})
		})
		d.exec(t, "UPDATE identities SET stripe_customer_id = $1 WHERE id = 'i'", known.Customer.ID)
		d.take(t, happened{created, 3, "active", "price_fleet"}.event("evt_1"))
		d.take(t, happened{updated, 3, "active", "price_fleet"}.event("evt_2"))
		if calls := w.taken(); len(calls) != 0 {
			t.Fatalf("asked without need: %v", calls)
		}
		tie := happened{updated, 3, "incomplete", "price_fleet"}.event("evt_3")
		w.answers(func(rw http.ResponseWriter, _ call) bool {
			rw.WriteHeader(http.StatusServiceUnavailable)
			return true
		})
		if err := d.send(t, tie); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Errorf("undecided while Stripe is away: %v", err)
		}
		w.answers(nil)
		w.taken()
		d.take(t, tie)
		if calls := w.taken(); len(calls) != 1 || calls[0].path != "/v1/subscriptions/sub_1" {
			t.Errorf("asked %v", calls)
		}
		if got := d.record(t, "i"); got != (record{"known", 7, 8, known.Customer.ID, "sub_1"}) {
			t.Errorf("%+v", got)
		}
		d.take(t, tie) // reported again
		if calls := w.taken(); len(calls) != 0 {
			t.Errorf("asked again: %v", calls)
		}
		d.take(t, happened{deleted, 3, "canceled", "price_fleet"}.event("evt_4"))
		if got := d.record(t, "i"); got.plan != "free" {
			t.Errorf("%+v", got)
		}
	})
}
