package stripe_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/stripe/stripetest"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

// page tests that something is the address of a page.
func page(t *testing.T, address string, err error) {
	t.Helper()
	if u, bad := url.Parse(address); err != nil || bad != nil || u.Scheme != "https" || u.Host == "" {
		t.Fatalf("%q %v", address, err)
	}
}

// has tests that a form has these values.
func has(t *testing.T, c call, path string, want map[string]string) {
	t.Helper()
	if c.path != path {
		t.Errorf("a call of %s, want %s", c.path, path)
	}
	for name, value := range want {
		if got := c.form.Get(name); got != value {
			t.Errorf("%s has %s=%q, want %q", path, name, got, value)
		}
	}
}

func TestCheckout(t *testing.T) {
	mock := stripetest.Start(t)
	storetest.Each(t, func(t *testing.T, address string) {
		w := tap(t, mock)
		d := set(t, address, w.URL+"/")

		at, err := d.Credit(t.Context(), "i", 2_500)
		page(t, at, err)
		calls := w.taken()
		if len(calls) != 2 {
			t.Fatalf("%d calls: %v", len(calls), calls)
		}
		has(t, calls[0], "/v1/customers", map[string]string{"email": "i@example.org", "metadata[identity_id]": "i"})
		customer := d.record(t, "i").customer
		if !strings.HasPrefix(customer, "cus_") || !slices.Equal(d.drain(), []string{"i"}) {
			t.Errorf("the customer is %q", customer)
		}
		has(t, calls[1], "/v1/checkout/sessions", map[string]string{
			"mode": "payment", "customer": customer, "client_reference_id": "i", "metadata[identity_id]": "i", "metadata[pence]": "2500",
			"line_items[0][quantity]": "1", "line_items[0][price_data][currency]": "gbp", "line_items[0][price_data][unit_amount]": "2500",
			"payment_intent_data[metadata][identity_id]": "i",
		})
		for _, field := range []string{"success_url", "cancel_url"} {
			if back := calls[1].form.Get(field); !strings.HasPrefix(back, "https://maps.example.org/console") {
				t.Errorf("%s is %q", field, back)
			}
		}
		first := calls[1].key

		at, err = d.Subscribe(t.Context(), "i", "fleet")
		page(t, at, err)
		calls = w.taken()
		if len(calls) != 1 || calls[0].key == "" || calls[0].key == first {
			t.Fatalf("the customer is made once, a session each time: %v", calls)
		}
		has(t, calls[0], "/v1/checkout/sessions", map[string]string{
			"mode": "subscription", "customer": customer, "client_reference_id": "i", "line_items[0][price]": "price_fleet",
			"line_items[0][quantity]": "1", "subscription_data[metadata][identity_id]": "i",
		})

		at, err = d.Portal(t.Context(), "i")
		page(t, at, err)
		calls = w.taken()
		if len(calls) != 1 {
			t.Fatal(calls)
		}
		has(t, calls[0], "/v1/billing_portal/sessions", map[string]string{"customer": customer, "return_url": "https://maps.example.org/console"})
	})
}

// Checkouts of one identity at once agree on its customer.
func TestOneCustomerAtOnce(t *testing.T) {
	mock := stripetest.Start(t)
	storetest.Each(t, func(t *testing.T, address string) {
		w := tap(t, mock)
		replicas := []*counter{set(t, address, w.URL), set(t, address, w.URL)}
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				if _, err := replicas[n%2].Credit(t.Context(), "i", 500); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		customer, sessions, keys := replicas[0].record(t, "i").customer, 0, map[string]bool{}
		for _, c := range w.taken() {
			if c.path == "/v1/customers" {
				keys[c.key] = true
				continue
			}
			sessions++
			if got := c.form.Get("customer"); got != customer {
				t.Errorf("a session of customer %q, kept is %q", got, customer)
			}
		}
		if sessions != 8 || len(keys) != 1 {
			t.Errorf("%d sessions, customers by keys %v", sessions, keys)
		}
	})
}

// A customer that is gone at Stripe is made anew.
func TestCustomerGone(t *testing.T) {
	mock := stripetest.Start(t)
	storetest.Each(t, func(t *testing.T, address string) {
		w := tap(t, mock)
		d := set(t, address, w.URL)
		d.exec(t, "UPDATE identities SET stripe_customer_id = 'cus_gone' WHERE id = 'i'")
		w.answers(func(rw http.ResponseWriter, c call) bool {
			if c.form.Get("customer") != "cus_gone" {
				return false
			}
			rw.WriteHeader(http.StatusBadRequest)
			_, err := fmt.Fprint(rw, `{"error": {"type": "invalid_request_error", "code": "resource_missing", "param": "customer", "message": "No such customer: 'cus_gone'"}}`)
			return err == nil
		})
		at, err := d.Portal(t.Context(), "i")
		page(t, at, err)
		if now := d.record(t, "i").customer; now == "cus_gone" || !strings.HasPrefix(now, "cus_") {
			t.Errorf("the customer is %q", now)
		}
	})
}

func TestCheckoutRefusals(t *testing.T) {
	mock := stripetest.Start(t)
	d := set(t, storetest.SQLite(t), mock)
	d.exec(t, "UPDATE identities SET plan = 'starter', stripe_subscription_id = 'sub_1' WHERE id = 'j'")
	credit := func(id string, pence int64) func(*stripe.Billing) (string, error) {
		return func(d *stripe.Billing) (string, error) { return d.Credit(t.Context(), id, pence) }
	}
	subscribe := func(id, plan string) func(*stripe.Billing) (string, error) {
		return func(d *stripe.Billing) (string, error) { return d.Subscribe(t.Context(), id, plan) }
	}
	portal := func(d *stripe.Billing) (string, error) { return d.Portal(t.Context(), "i") }
	cases := map[string]struct {
		do   func(*stripe.Billing) (string, error)
		slug fault.Slug
		says string
	}{
		"too little":           {credit("i", stripe.LeastPence-1), fault.BadRequest, "from 500 to 1000000 pence"},
		"too much":             {credit("i", stripe.MostPence+1), fault.BadRequest, "from 500 to 1000000 pence"},
		"negative":             {credit("i", -500), fault.BadRequest, "pence"},
		"overflow":             {credit("i", 1<<63-1), fault.BadRequest, "pence"},
		"nobody":               {credit("nobody", 500), fault.NotFound, "identity"},
		"no such plan":         {subscribe("i", "free"), fault.BadRequest, "starter, fleet"},
		"no plan":              {subscribe("i", ""), fault.BadRequest, "plan"},
		"nobody's plan":        {subscribe("nobody", "fleet"), fault.NotFound, "identity"},
		"subscribed before":    {subscribe("j", "fleet"), fault.BadRequest, "starter"},
		"nobody at the portal": {func(d *stripe.Billing) (string, error) { return d.Portal(t.Context(), "") }, fault.NotFound, "identity"},
	}
	for name, c := range cases {
		if at, err := c.do(d.Billing); at != "" || !fault.Is(err, c.slug) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q %v", name, at, err)
		}
	}
	for _, pence := range []int64{stripe.LeastPence, stripe.MostPence} {
		at, err := d.Credit(t.Context(), "i", pence)
		page(t, at, err)
	}

	closed := set(t, storetest.SQLite(t), mock, func(o *stripe.Options) { o.Key = "" })
	for _, do := range []func(*stripe.Billing) (string, error){credit("i", 500), subscribe("i", "fleet"), portal} {
		if at, err := do(closed.Billing); at != "" || !fault.IsNotEnabled(err) || closed.Open() {
			t.Errorf("closed: %q %v", at, err)
		}
	}
	if err := closed.Event(t.Context(), nil, ""); !fault.IsNotEnabled(err) {
		t.Errorf("closed: %v", err)
	}
	deaf := set(t, storetest.SQLite(t), mock, func(o *stripe.Options) { o.WebhookSecret = "" })
	body := stripetest.Event{ID: "evt_1", Type: "ping"}.Body(t)
	if err := deaf.Event(t.Context(), body, stripetest.Sign(body, "", time.Now())); !fault.IsNotEnabled(err) {
		t.Errorf("without a secret: %v", err)
	}
}

// Stripe away, broken or refusing is reported distinctly, and never with the key.
func TestStripeAway(t *testing.T) {
	mock := stripetest.Start(t)
	says := func(status int, body string) func(http.ResponseWriter, call) bool {
		return func(rw http.ResponseWriter, _ call) bool {
			rw.WriteHeader(status)
			_, err := fmt.Fprint(rw, body)
			return err == nil
		}
	}
	cases := map[string]struct {
		key    string
		answer func(http.ResponseWriter, call) bool
		slug   fault.Slug
	}{
		"hangs up": {stripetest.Key, func(rw http.ResponseWriter, _ call) bool { panic(http.ErrAbortHandler) }, fault.UpstreamUnavailable},
		"a proxy":  {stripetest.Key, says(502, "<html>bad gateway</html>"), fault.UpstreamUnavailable},
		"broken":   {stripetest.Key, says(500, `{"error": {"type": "api_error", "message": "sorry"}}`), fault.UpstreamUnavailable},
		"busy":     {stripetest.Key, says(429, `{"error": {"type": "invalid_request_error", "code": "rate_limit", "message": "slow down"}}`), fault.UpstreamUnavailable},
		"refuses":  {stripetest.Key, says(400, `{"error": {"type": "invalid_request_error", "message": "no"}}`), fault.Upstream},
		"bad key":  {"strange_key_4711", nil, fault.Upstream},
		"shown":    {"sk_test_4711", says(401, `{"error": {"type": "invalid_request_error", "message": "Invalid API Key provided: sk_****4711"}}`), fault.Upstream},
		"no page":  {stripetest.Key, says(200, `{"id": "cus_1"}`), fault.Upstream},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the library waits before it tries again
			w := tap(t, mock)
			w.answers(c.answer)
			d := set(t, storetest.SQLite(t), w.URL, func(o *stripe.Options) { o.Key = c.key })
			at, err := d.Credit(t.Context(), "i", 500)
			if at != "" || !fault.Is(err, c.slug) || strings.Contains(err.Error(), c.key) || strings.Contains(err.Error(), "4711") {
				t.Errorf("%q %v", at, err)
			}
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		t.Parallel()
		w := tap(t, mock)
		w.Close()
		d := set(t, storetest.SQLite(t), w.URL)
		if at, err := d.Credit(t.Context(), "i", 500); at != "" || !fault.Is(err, fault.UpstreamUnavailable) {
			t.Errorf("%q %v", at, err)
		}
	})
}
