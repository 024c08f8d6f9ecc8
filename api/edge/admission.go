package edge

import (
	"context"
	"net/http"
	"net/netip"
	"strconv"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
)

// Call is one call of an endpoint for keys, from admission to settlement.
type Call struct {
	edge      *Edge
	row       *Row
	request   *http.Request
	known     meter.Call
	admission *meter.Admission
	lane      string // laneKey, laneDemo or lanePayment
	reserved  bool
	class     meter.Class
	work      *scheduled.Request // its calls of the routing engine

	payment  *x402.Payment // of a call that pays for itself; nil where it only wants the price
	owed     error         // the 402 of its key, where it has one
	quoted   int64         // units that are paid for
	verified bool          // the payment is held for this call, and not taken yet
}

// How a call is let in, for the metrics.
const (
	laneKey     = "key"
	laneDemo    = "demo"
	lanePayment = "payment"
	laneNone    = "none" // refused before a lane is known
)

// CallOf returns the call of a request to a row for keys.
func CallOf(ctx context.Context) *Call { return traceOf(ctx).call }

// Admission returns how the call was let in.
func (c *Call) Admission() *meter.Admission { return c.admission }

// Key returns that of the call; nil where it has none.
func (c *Call) Key() *account.Key { return c.admission.Key() }

// Client returns the address the call comes from.
func (c *Call) Client() netip.Addr { return c.known.Client }

// PaysCeiling reports whether the call pays the most that it may cost, whatever
// it uses: one that pays for itself does.
func (c *Call) PaysCeiling() bool { return c.lane == lanePayment }

// Units returns the price of one computation.
func (c *Call) Units() int64 { return c.row.units(c.class) }

// Use lowers what is charged to so many computations, unless the call pays its
// ceiling.
func (c *Call) Use(computations int) {
	if !c.PaysCeiling() {
		c.admission.Use(int64(computations) * c.Units())
	}
}

// admitted lets a call in or refuses it, has what its endpoint always costs
// reserved, and settles when it is answered. A call is charged when its answer
// was made with a status below 400, even where the client does not wait for
// the end of it.
func (g *guard) admitted(row *Row, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := g.enter(row, r)
		if err != nil {
			g.edge.metrics.Refused(laneNone, err)
			refuse(w, r, err, row.envelope())
			return
		}
		defer c.work.End()
		m := newMeteringWriter(w, c)
		defer m.settle()
		t := traceOf(r.Context())
		t.call, t.Context = c, scheduled.WithRequest(t.Context, c.work)
		if s := g.edge.options.Scheduler; s != nil {
			t.Context = engine.WithAdmission(t.Context, s)
		}
		if row.Class.fixed() {
			if err := c.reserveUsual(r.Context()); err != nil {
				refuse(m, r, err, row.envelope())
				m.done = true
				return
			}
		}
		leave, err := g.edge.bodies.large(row, r)
		if err != nil {
			refuse(m, r, err, row.envelope())
			m.done = true
			return
		}
		defer leave()
		next.ServeHTTP(m, r)
		m.finish()
	})
}

// enter admits a call by its key, through the demo lane, or as one that pays.
func (g *guard) enter(row *Row, r *http.Request) (*Call, error) {
	secret, err := sentKey(r)
	if err != nil {
		return nil, err
	}
	if row.Auth == Public {
		if secret = ""; g.edge.options.DemoRPM == 0 {
			return nil, fault.New(fault.UpstreamUnavailable, "the demo lane of this deployment is closed")
		}
	}
	r.URL.RawQuery = withoutToken(r.URL.RawQuery)
	estimate, err := row.estimateOf(r)
	if err != nil {
		return nil, err
	}
	anonymous := secret == "" && traceOf(r.Context()).signed == nil
	c := &Call{edge: g.edge, row: row, request: r, lane: laneKey, known: meter.Call{
		Secret: secret, Address: traceOf(r.Context()).signed, Endpoint: row.Label(), Maps: row.Maps,
		Origin: r.Header.Get("Origin"), Referer: r.Header.Get("Referer"), Client: g.edge.Client(r),
	}}
	c.known.Free = !row.Metered() && !row.Keyless && (row.Auth != Verified || anonymous) || row.Class == PerChunk && anonymous
	c.work = &scheduled.Request{Who: account.Network(c.known.Client).String(), Limit: g.edge.options.RequestTimeout, EstimateOnly: estimate}
	if anonymous && row.paysWithCall() && g.edge.options.Payments.Open() {
		header := r.Header.Get(paymentHeader)
		if header != "" || g.edge.options.DemoRPM == 0 {
			return c, c.payInstead(header)
		}
	}
	if c.admission, err = g.edge.options.Gate.Admit(r.Context(), c.known); err != nil {
		return nil, err
	}
	if c.admission.Demo() {
		c.lane = laneDemo
	}
	if key := c.Key(); key != nil {
		c.work.Who = key.ID
		if row.Auth == Verified && (key.State != account.Verified || key.IdentityID == "") {
			return nil, fault.New(fault.Forbidden, "%s needs a key of a verified account; this one is %s", row.Label(), key.State)
		}
	}
	return c, nil
}

// payInstead makes c a call that pays for itself. header is its X-PAYMENT; ""
// wants the price.
func (c *Call) payInstead(header string) error {
	if err := c.edge.guard.payers.allow(c.request.Context(), c.known.Client); err != nil {
		return err
	}
	if header != "" {
		p, err := c.edge.options.Payments.Read(header)
		if err != nil {
			return err
		}
		c.payment = p
	}
	c.admission, c.lane = c.edge.options.Gate.Paid(c.known), lanePayment
	return nil
}

// reserveUsual takes what every call of the row costs.
func (c *Call) reserveUsual(ctx context.Context) error {
	if c.row.Class == FreeThenStandard && c.lane == laneKey {
		c.class = meter.Standard
		free, err := c.admission.ReserveWithin(ctx, c.row.Allowance.Name, c.row.Allowance.PerDay)
		if free {
			c.reserved = true
			c.edge.metrics.Admitted(c.lane)
			return nil
		}
		if err != nil && !fault.Is(err, fault.PaymentRequired) {
			c.edge.metrics.Refused(c.lane, err)
			return err
		}
	}
	return c.Reserve(ctx, Price{})
}

// Reserve takes the most that a call may cost before it runs.
func (c *Call) Reserve(ctx context.Context, p Price) error {
	c.class = p.class()
	if c.work.EstimateOnly {
		c.quoted = max(c.quoted, int64(max(1, p.Times))*c.Units())
		return nil
	}
	err := c.take(ctx, int64(max(1, p.Times))*c.Units(), p.Features)
	if err != nil {
		c.edge.metrics.Refused(c.lane, err)
		return err
	}
	c.reserved = true
	c.edge.metrics.Admitted(c.lane)
	return nil
}

// reserveNothing has a call run that costs nothing.
func (c *Call) reserveNothing(ctx context.Context) error {
	c.class = meter.Standard
	if c.work.EstimateOnly {
		return nil
	}
	if err := c.admission.Reserve(ctx, c.class, 0); err != nil {
		return err
	}
	c.reserved = true
	c.edge.metrics.Admitted(c.lane)
	return nil
}

// ChargeAnswer takes what an answer costs, in units, of a row whose class is PerChunk, before it is
// sent.
func (c *Call) ChargeAnswer(ctx context.Context, units int64) error {
	err := c.take(ctx, units, nil)
	if err != nil {
		c.edge.metrics.Refused(c.lane, err)
	}
	return err
}

func (c *Call) take(ctx context.Context, units int64, features []string) error {
	if c.lane == lanePayment {
		return c.pay(ctx, units, features)
	}
	err := c.admission.Reserve(ctx, c.class, units, features...)
	if !fault.Is(err, fault.PaymentRequired) || !c.row.paysWithCall() || !c.edge.options.Payments.Open() {
		return err
	}
	// Quota and credit are used up: the call may still pay for itself.
	header := c.request.Header.Get(paymentHeader)
	if header == "" {
		return c.demand(err, units, "the quota and the credit of this key are used up")
	}
	c.admission.Settle(http.StatusPaymentRequired)
	c.owed = err
	if err := c.payInstead(header); err != nil {
		return err
	}
	return c.pay(ctx, units, features)
}

// quotaHeader has the units that an answer cost.
const quotaHeader = "X-Svc-Quota-Units"

// costHeader sets the header of an answer that will be charged. An answer of a
// metered row that nobody reserved for would be free by mistake: it is a
// defect, and becomes a 500.
func (c *Call) costHeader(h http.Header) {
	if !c.row.Metered() || c.work.EstimateOnly {
		return
	}
	if !c.reserved {
		panic("edge: " + c.row.Label() + " answers without having reserved what it costs")
	}
	h.Set(quotaHeader, strconv.FormatInt(c.charged(), 10))
}

// owes reports whether a call that failed is charged: its time was up, and the
// routing engine here had worked for it. One that pays for itself pays for
// answers only.
func (c *Call) owes(status int) bool {
	return status == http.StatusGatewayTimeout && c.reserved && c.lane != lanePayment && c.work.Worked() > 0
}

// charged returns the units that the call will be charged.
func (c *Call) charged() int64 {
	if c.lane == lanePayment {
		return c.quoted
	}
	return c.admission.Charged()
}
