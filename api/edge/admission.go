package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// visit is one call of an endpoint for keys, from admission to settlement.
type visit struct {
	api      *API
	row      row
	request  *http.Request
	known    meter.Visit
	pass     *meter.Pass
	lane     string // key, demo or payment, for the metrics
	reserved bool
	class    meter.Class

	payment *x402.Payment // of a call that pays for itself; nil where it only asks for the price
	owed    error         // the 402 of its key, where it has one
	quoted  int64         // units that are paid for

	verified bool // the payment is held for this call, and not taken yet
}

type visitKey struct{}

// visitOf gives the visit of a request to an endpoint for keys.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// admitted lets a call in or refuses it, has what its endpoint always costs
// reserved, and settles when it is answered. A call is charged when its answer
// was made with a status below 400, even where the client does not wait for
// the end of it.
func (a *API) admitted(r row, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		v, err := a.enter(r, req)
		if err != nil {
			a.metrics.refused("none", err)
			refuse(w, req, err, r.fail())
			return
		}
		t := newToll(w, v)
		defer t.settle()
		req = req.WithContext(context.WithValue(req.Context(), visitKey{}, v))
		if r.class == standard {
			if err := v.reserve(req.Context(), meter.Standard); err != nil {
				refuse(t, req, err, r.fail())
				t.done = true
				return
			}
		}
		next.ServeHTTP(t, req)
		t.finish()
	})
}

// enter admits a call by its key, through the demo lane, or as one that pays.
func (a *API) enter(r row, req *http.Request) (*visit, error) {
	secret, err := sentKey(req)
	if err != nil {
		return nil, err
	}
	v := &visit{api: a, row: r, request: req, lane: "key", known: meter.Visit{
		Secret: secret, Endpoint: r.label(), Maps: r.maps, Free: !r.metered(),
		Origin: req.Header.Get("Origin"), Referer: req.Header.Get("Referer"), Client: a.client(req),
	}}
	if secret == "" && r.metered() && a.office.Till.Open() {
		header := req.Header.Get(paymentHeader)
		if header != "" || a.options.DemoRPM == 0 {
			return v, v.payInstead(header)
		}
	}
	if v.pass, err = a.office.Gate.Admit(req.Context(), v.known); err != nil {
		return nil, err
	}
	if v.pass.Demo() {
		v.lane = "demo"
	}
	return v, nil
}

// payInstead makes v a call that pays for itself. header is its X-PAYMENT; ""
// asks for the price.
func (v *visit) payInstead(header string) error {
	if err := v.api.payers.allow(v.request.Context(), v.known.Client); err != nil {
		return err
	}
	if header != "" {
		p, err := v.api.office.Till.Read(header)
		if err != nil {
			return err
		}
		v.payment = p
	}
	v.pass, v.lane = v.api.office.Gate.Paid(v.known), lanePayment
	return nil
}

const lanePayment = "payment"

// reserve takes what a call of the class costs before it runs. A handler of a
// row whose price depends on the request calls it once it knows; features name
// what made the call Premium.
func (a *API) reserve(ctx context.Context, class meter.Class, features ...string) error {
	return visitOf(ctx).reserve(ctx, class, features...)
}

// reserveTravel takes what a call costs whose costing alone decides its price.
func (a *API) reserveTravel(ctx context.Context, c engine.Costing) error {
	if c == engine.Truck {
		return a.reserve(ctx, meter.Premium, "truck")
	}
	return a.reserve(ctx, meter.Standard)
}

func (v *visit) reserve(ctx context.Context, class meter.Class, features ...string) error {
	return v.reserveTimes(ctx, 1, class, features...)
}

// units is what one computation of the class costs.
func (v *visit) units(class meter.Class) int64 {
	if class == meter.Premium {
		return v.row.weight() * meter.PremiumUnits
	}
	return v.row.weight() * meter.StandardUnits
}

// reserveTimes takes the most that a call may cost: so many computations.
func (v *visit) reserveTimes(ctx context.Context, most int, class meter.Class, features ...string) error {
	err := v.take(ctx, class, int64(most)*v.units(class), features)
	if err != nil {
		v.api.metrics.refused(v.lane, err)
		return err
	}
	v.reserved, v.class = true, class
	v.api.metrics.admitted(v.lane)
	return nil
}

func (v *visit) take(ctx context.Context, class meter.Class, units int64, features []string) error {
	if v.lane == lanePayment {
		return v.pay(ctx, class, units, features)
	}
	err := v.pass.Reserve(ctx, class, units, features...)
	till := v.api.office.Till
	if !fault.Is(err, fault.PaymentRequired) || !till.Open() {
		return err
	}
	// Quota and credit are used up: the call may still pay for itself.
	header := v.request.Header.Get(paymentHeader)
	if header == "" {
		return v.demand(err, units, "the quota and the credit of this key are used up")
	}
	v.pass.Settle(http.StatusPaymentRequired)
	v.owed = err
	if err := v.payInstead(header); err != nil {
		return err
	}
	return v.pay(ctx, class, units, features)
}

// quotaHeader tells what an answer cost.
const quotaHeader = "X-Svc-Quota-Units"

// priced sets the header of an answer that will be charged. An answer of a
// metered row that nobody reserved for would be free by mistake: it is a
// defect, and becomes a 500.
func (v *visit) priced(h http.Header) {
	if !v.row.metered() {
		return
	}
	if !v.reserved {
		panic("api: " + v.row.label() + " answers without having reserved what it costs")
	}
	h.Set(quotaHeader, strconv.FormatInt(v.charged(), 10))
}

// used lowers what is charged to so many computations; a call that pays for
// itself pays the most.
func (v *visit) used(computations int) {
	if v.lane != lanePayment {
		v.pass.Use(int64(computations) * v.units(v.class))
	}
}

// charged is what the call will be charged in units.
func (v *visit) charged() int64 {
	if v.lane == lanePayment {
		return v.quoted
	}
	return v.pass.Charged()
}
