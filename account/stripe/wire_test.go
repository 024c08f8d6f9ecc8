package stripe

import (
	"testing"

	"github.com/waygate/waygate/account/stripe/stripetest"
)

// An event is read or refused, whatever it is; what is booked has an id.
func FuzzOpen(f *testing.F) {
	for _, e := range []stripetest.Event{
		{ID: "evt_1", Type: "checkout.session.completed", Object: stripetest.Session("cs_1", "i", 500)},
		{ID: "evt_2", Type: "customer.subscription.updated", Object: stripetest.Subscription("sub_1", "i", "active", "price_1")},
		{ID: "evt_3", Type: "customer.subscription.deleted", Object: stripetest.Subscription("sub_1", "i", "canceled", "price_1")},
		{ID: "evt_4", Type: "invoice.paid", Object: stripetest.Invoice("in_1", "cus_1", 500)},
		{ID: "evt_5", Type: "charge.refunded", Object: map[string]any{"id": "ch_1", "object": "charge", "customer": map[string]any{"id": "cus_1"}}},
		{ID: "evt_6", Type: "ping"},
	} {
		f.Add(e.Body(f))
	}
	f.Add([]byte(`{"id":"e","type":"invoice.paid","data":{"object":null}}`))
	d := New(Options{})
	f.Fuzz(func(t *testing.T, body []byte) {
		e, book, err := d.open(body)
		if err != nil {
			return
		}
		if e.ID == "" {
			t.Error("an event without an id is taken")
		}
		if book != nil && len(e.Data.Object) == 0 {
			t.Error("nothing is to be booked")
		}
	})
}

// A reference is an id, an object with an id, or none.
func TestRef(t *testing.T) {
	for text, want := range map[string]ref{`"cus_1"`: "cus_1", `{"id":"cus_1","object":"customer"}`: "cus_1", `null`: "", `{}`: ""} {
		var got struct{ Customer ref }
		e := event{}
		e.Data.Object = []byte(`{"id":"x","customer":` + text + `}`)
		if err := e.read(&got); err != nil || got.Customer != want {
			t.Errorf("%s: %q %v", text, got.Customer, err)
		}
	}
	for _, text := range []string{`5`, `[]`, `{"id":5}`, `true`} {
		var got struct{ Customer ref }
		e := event{}
		e.Data.Object = []byte(`{"id":"x","customer":` + text + `}`)
		if err := e.read(&got); err == nil {
			t.Errorf("%s: %q", text, got.Customer)
		}
	}
}
