package stripe_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/stripe/stripetest"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

// send has Billing take a signed event.
func (c *counter) send(t testing.TB, e stripetest.Event) error {
	t.Helper()
	body := e.Body(t)
	return c.Event(t.Context(), body, stripetest.Sign(body, secret, time.Now()))
}

// take is send for an event that must succeed.
func (c *counter) take(t testing.TB, e stripetest.Event) {
	t.Helper()
	if err := c.send(t, e); err != nil {
		t.Fatalf("%s %s: %v", e.Type, e.ID, err)
	}
}

func (c *counter) balance(t testing.TB, id string) int64 {
	t.Helper()
	b, err := c.ledger.Balance(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return b.Millipence
}

// payments returns the rows of payments as id identity kind pence, sorted.
func (c *counter) payments(t testing.TB) (all []string) {
	t.Helper()
	rows, err := c.db.Query(t.Context(), "SELECT id, identity_id, kind, pence FROM payments")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}()
	for rows.Next() {
		var id, identity, kind string
		var pence int64
		if err := rows.Scan(&id, &identity, &kind, &pence); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(id, " ", identity, " ", kind, " ", pence))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// with returns an object with other values.
func with(object map[string]any, change map[string]any) map[string]any {
	object = maps.Clone(object)
	maps.Copy(object, change)
	return object
}

const completed = "checkout.session.completed"

func TestCreditPaid(t *testing.T) {
	paid := stripetest.Session("cs_1", "i", 2_500)
	type object = map[string]any
	cases := map[string]struct {
		change map[string]any
		pence  int64
	}{
		"paid":                     {nil, 2_500},
		"the amount that was paid": {object{"amount_total": 2_400}, 2_400},
		"the customer whole":       {object{"customer": object{"id": "cus_9", "object": "customer"}}, 2_500},
		"no reference":             {object{"client_reference_id": nil}, 2_500},
		"by its customer":          {object{"client_reference_id": nil, "customer": "cus_i", "metadata": object{"pence": "2500"}}, 2_500},
		"new fields":               {object{"livemode": []int{1}, "presentment_details": object{"presentment_currency": "eur"}}, 2_500},
		"not paid yet":             {object{"payment_status": "unpaid"}, 0},
		"nothing to pay":           {object{"payment_status": "no_payment_required", "amount_total": 0}, 0},
		"another currency":         {object{"currency": "jpy"}, 0},
		"a plan":                   {object{"mode": "subscription"}, 0},
		"not made here":            {object{"metadata": object{}}, 0},
		"without metadata":         {object{"metadata": nil}, 0},
		"nobody":                   {object{"client_reference_id": "nobody", "metadata": object{"identity_id": "nobody", "pence": "2500"}}, 0},
		"two identities":           {object{"client_reference_id": "j"}, 0},
		"below nothing":            {object{"amount_total": -2_500}, 0},
		"more than a credit":       {object{"amount_total": ledger.MaxCredit}, 0},
		"more than any":            {object{"amount_total": json.Number("99999999999999999999")}, 0},
		"more than all":            {object{"amount_total": json.Number("1e999")}, 0},
		"less than any":            {object{"amount_total": json.Number("-1e30")}, 0},
		"a whole number as 2500.0": {object{"amount_total": json.Number("2500.0")}, 2_500},
	}
	storetest.Each(t, func(t *testing.T, address string) {
		d := set(t, address, "http://127.0.0.1:1")
		d.exec(t, "UPDATE identities SET stripe_customer_id = 'cus_i' WHERE id = 'i'")
		n := 0
		for name, c := range cases {
			n++
			before, id := d.balance(t, "i"), fmt.Sprintf("cs_%d", n)
			e := stripetest.Event{ID: fmt.Sprintf("evt_%d", n), Type: completed, Object: with(with(paid, c.change), object{"id": id})}
			if err := d.send(t, e); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if got := d.balance(t, "i") - before; got != c.pence*1000 {
				t.Errorf("%s: credited %d millipence", name, got)
			}
			if reported := d.drain(); slices.Contains(reported, "i") != (c.pence > 0) {
				t.Errorf("%s: reported %v", name, reported)
			}
			booked := slices.Contains(d.payments(t), fmt.Sprintf("%s i credit %d", id, c.pence))
			if booked != (c.pence > 0) {
				t.Errorf("%s: payments %v", name, d.payments(t))
			}
		}
		if b := d.balance(t, "j"); b != 0 {
			t.Errorf("another was credited %d", b)
		}
		history, err := d.ledger.History(t.Context(), "i")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range history {
			if e.Source != "stripe" || !strings.HasPrefix(e.Reason, "stripe:cs_") {
				t.Errorf("%+v", e)
			}
		}
	})
}

// A payment is booked once, however often and by whichever events report it.
func TestOnePaymentAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		replicas := []*counter{set(t, address, ""), set(t, address, "")}
		session := stripetest.Session("cs_1", "i", 700)
		var all sync.WaitGroup
		for n := range 12 {
			all.Go(func() {
				e := stripetest.Event{ID: fmt.Sprintf("evt_%d", n%3), Type: completed, Object: session}
				if n%3 == 2 {
					e.Type = "checkout.session.async_payment_succeeded"
				}
				if err := replicas[n%2].send(t, e); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if b, err := replicas[0].ledger.Balance(t.Context(), "i"); err != nil || b != (ledger.Balance{Millipence: 700_000, Credited: 700_000}) {
			t.Errorf("%+v %v", b, err)
		}
		if p := replicas[0].payments(t); !slices.Equal(p, []string{"cs_1 i credit 700"}) {
			t.Error(p)
		}
	})
}

// A slow payment is credited when it arrives.
func TestSlowPayment(t *testing.T) {
	d := set(t, storetest.SQLite(t), "")
	session := stripetest.Session("cs_1", "i", 700)
	d.take(t, stripetest.Event{ID: "evt_1", Type: completed, Object: with(session, map[string]any{"payment_status": "unpaid"})})
	if b := d.balance(t, "i"); b != 0 {
		t.Fatalf("credited %d before it is paid", b)
	}
	d.take(t, stripetest.Event{ID: "evt_2", Type: "checkout.session.async_payment_failed", Object: with(session, map[string]any{"payment_status": "unpaid"})})
	d.take(t, stripetest.Event{ID: "evt_3", Type: "checkout.session.async_payment_succeeded", Object: session})
	if b := d.balance(t, "i"); b != 700_000 {
		t.Errorf("credited %d", b)
	}
}

func TestSignature(t *testing.T) {
	d := set(t, storetest.SQLite(t), "")
	body := stripetest.Event{ID: "evt_1", Type: completed, Object: stripetest.Session("cs_1", "i", 700)}.Body(t)
	good := stripetest.Sign(body, secret, time.Now())
	other := stripetest.Sign(body, "whsec_other", time.Now())
	_, mark, _ := strings.Cut(good, ",")
	_, otherMark, _ := strings.Cut(other, ",")
	cases := map[string]struct {
		body      []byte
		signature string
		slug      fault.Slug
	}{
		"no signature":     {body, "", fault.BadRequest},
		"rubbish":          {body, "t=x,v1=y", fault.BadRequest},
		"no time":          {body, mark, fault.BadRequest},
		"another scheme":   {body, strings.Replace(good, "v1=", "v0=", 1), fault.BadRequest},
		"another secret":   {body, other, fault.BadRequest},
		"another body":     {bytes.Replace(body, []byte("700"), []byte("900"), 1), good, fault.BadRequest},
		"too old":          {body, stripetest.Sign(body, secret, time.Now().Add(-6*time.Minute)), fault.BadRequest},
		"too large":        {make([]byte, stripe.MostEvent+1), good, fault.TooLarge},
		"signed rubbish":   {[]byte("{"), stripetest.Sign([]byte("{"), secret, time.Now()), fault.BadRequest},
		"signed nothing":   {nil, stripetest.Sign(nil, secret, time.Now()), fault.BadRequest},
		"an event of none": {[]byte("{}"), stripetest.Sign([]byte("{}"), secret, time.Now()), fault.BadRequest},
	}
	for name, c := range cases {
		err := d.Event(t.Context(), c.body, c.signature)
		if !fault.Is(err, c.slug) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b := d.balance(t, "i"); b != 0 {
		t.Fatalf("%d were credited", b)
	}
	rolled := good + "," + otherMark
	if err := d.Event(t.Context(), body, rolled); err != nil {
		t.Errorf("signed with an old and a new secret: %v", err)
	}
	if b := d.balance(t, "i"); b != 700_000 {
		t.Errorf("%d were credited", b)
	}
}

// A signed event whose object is not what its type says is refused, so that
// the operator sees it in Stripe's dashboard.
func TestShapes(t *testing.T) {
	d := set(t, storetest.SQLite(t), "")
	for _, kind := range []string{completed, "invoice.paid", "customer.subscription.updated", "customer.subscription.deleted", "charge.refunded"} {
		for _, object := range []map[string]any{nil, {}, {"id": 5}, {"id": "x", "customer": []int{1}}} {
			if err := d.send(t, stripetest.Event{ID: "evt_1", Type: kind, Object: object}); !fault.Is(err, fault.BadRequest) {
				t.Errorf("%s of %v: %v", kind, object, err)
			}
		}
	}
	for _, version := range []string{"2014-01-31", "2026-06-24.dahlia", "2031-01-01.zinnia"} {
		d.take(t, stripetest.Event{ID: "evt_" + version, Version: version, Type: completed, Object: stripetest.Session("cs_"+version, "i", 500)})
	}
	if b := d.balance(t, "i"); b != 3*500_000 {
		t.Errorf("%d were credited", b)
	}
}

func TestInvoices(t *testing.T) {
	type object = map[string]any
	storetest.Each(t, func(t *testing.T, address string) {
		d := set(t, address, "")
		d.exec(t, "UPDATE identities SET stripe_customer_id = 'cus_i' WHERE id = 'i'")
		invoices := []map[string]any{
			stripetest.Invoice("in_cycle", "cus_i", 1_900),
			with(stripetest.Invoice("in_old", "cus_i", 1_901), object{"billing_reason": nil, "subscription": "sub_1"}),
			with(stripetest.Invoice("in_new", "cus_unknown", 1_902), object{"billing_reason": nil, "parent": object{
				"type": "subscription_details", "subscription_details": object{"subscription": "sub_1", "metadata": object{"identity_id": "i"}},
			}}),
			with(stripetest.Invoice("in_manual", "cus_i", 5_000), object{"billing_reason": "manual", "parent": nil}),
			stripetest.Invoice("in_trial", "cus_i", 0),
			stripetest.Invoice("in_nobody", "cus_nobody", 1_900),
			with(stripetest.Invoice("in_yen", "cus_i", 1_900), object{"currency": "jpy"}),
		}
		for n, i := range invoices {
			for m := range 2 { // reported twice
				d.take(t, stripetest.Event{ID: fmt.Sprintf("evt_%d_%d", n, m), Type: "invoice.paid", Object: i})
			}
		}
		want := []string{"in_cycle i subscription 1900", "in_new i subscription 1902", "in_old i subscription 1901"}
		if got := d.payments(t); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// Refunds and disputes are logged for the operator and take nothing; what is of no
// use here succeeds.
func TestLeftAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := set(t, address, "")
		d.exec(t, "UPDATE identities SET stripe_customer_id = 'cus_i' WHERE id = 'i'")
		d.take(t, stripetest.Event{ID: "evt_1", Type: completed, Object: stripetest.Session("cs_1", "i", 700)})
		d.take(t, stripetest.Event{ID: "evt_2", Type: "charge.refunded", Object: map[string]any{
			"id": "ch_1", "object": "charge", "amount": 700, "amount_refunded": 700, "customer": "cus_i", "payment_intent": "pi_1",
		}})
		d.take(t, stripetest.Event{ID: "evt_3", Type: "charge.dispute.created", Object: map[string]any{"id": "dp_1", "object": "dispute", "amount": 700, "charge": "ch_1"}})
		d.take(t, stripetest.Event{ID: "evt_4", Type: "customer.updated", Object: map[string]any{"id": "cus_i"}})
		d.take(t, stripetest.Event{ID: "evt_5", Type: "of.the.future"})
		if b := d.balance(t, "i"); b != 700_000 {
			t.Errorf("the balance is %d", b)
		}
		for _, reported := range []string{"ch_1", "identity=i", "dp_1"} {
			if !strings.Contains(d.log.String(), reported) {
				t.Errorf("the log lacks %s:\n%s", reported, d.log)
			}
		}
		var kept int
		if err := d.db.QueryRow(t.Context(), "SELECT COUNT(*) FROM processor_events WHERE id IN ('evt_2', 'evt_3')").Scan(&kept); err != nil || kept != 2 {
			t.Errorf("%d events are kept: %v", kept, err)
		}
	})
}

// Where the database fails, nothing is half booked and Stripe may try again.
func TestDatabaseAway(t *testing.T) {
	d := set(t, storetest.SQLite(t), "")
	d.exec(t, "ALTER TABLE payments RENAME TO elsewhere")
	e := stripetest.Event{ID: "evt_1", Type: completed, Object: stripetest.Session("cs_1", "i", 700)}
	if err := d.send(t, e); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("%v", err)
	}
	if b := d.balance(t, "i"); b != 0 || len(d.drain()) != 0 {
		t.Errorf("half booked: %d", b)
	}
	d.exec(t, "ALTER TABLE elsewhere RENAME TO payments")
	d.take(t, e)
	if b := d.balance(t, "i"); b != 700_000 {
		t.Errorf("the balance is %d", b)
	}
}
