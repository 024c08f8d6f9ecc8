package account

import (
	"context"
	"net/http"
	"reflect"

	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
)

// checkout opens pages of the payment processor, and receives its webhooks.
type checkout struct{ billing *stripe.Billing }

type checkoutIn struct {
	Body struct {
		Pence *int64  `json:"pence,omitempty" minimum:"500" maximum:"1000000" doc:"credit to buy"`
		Plan  *string `json:"plan,omitempty" doc:"name of a plan to subscribe to"`
	}
}

// Address is a page to send the browser to.
type Address struct {
	URL string `json:"url"`
}

func addressOf(url string, err error) (*Address, error) { return &Address{url}, err }

var (
	checkoutDoc = edge.Doc{Summary: "A page on which to buy credit or a plan", Example: `{"pence":1000}`, Tags: []string{"console"}, Description: "Takes pence or plan, one of the two. 501 where the deployment sells nothing.", Fails: []int{http.StatusNotImplemented, http.StatusBadGateway}}
	portalDoc   = edge.Doc{Summary: "The page of one's subscription and invoices", Tags: []string{"console"}, Description: "501 where the deployment sells nothing.", Fails: []int{http.StatusNotImplemented, http.StatusBadGateway}}
)

func (c checkout) open(ctx context.Context, in *checkoutIn) (*Address, error) {
	id, b := edge.SessionOf(ctx).Identity.ID, in.Body
	if (b.Pence == nil) == (b.Plan == nil) {
		return nil, fault.New(fault.BadRequest, "send pence or plan, one of the two")
	}
	if b.Plan != nil {
		return addressOf(c.billing.Subscribe(ctx, id, *b.Plan))
	}
	return addressOf(c.billing.Credit(ctx, id, *b.Pence))
}

func (c checkout) portal(ctx context.Context, _ *struct{}) (*Address, error) {
	return addressOf(c.billing.Portal(ctx, edge.SessionOf(ctx).Identity.ID))
}

// Received confirms that an event was taken.
type Received struct {
	Received bool `json:"received"`
}

type eventIn struct {
	Signature string `header:"Stripe-Signature" required:"later" doc:"of the body; without one that holds it is refused"`
}

var eventDoc = edge.Doc{
	Summary: "Events of the payment processor", Example: `{"id":"evt_1","type":"checkout.session.completed"}`, Tags: []string{"console"},
	Description: "Signed by Stripe (Stripe-Signature). An event is booked once, however often it comes.",
	Body:        reflect.TypeFor[map[string]any](), Answers: []edge.Answer{{Type: reflect.TypeFor[Received]()}},
	Fails: []int{http.StatusNotImplemented, http.StatusServiceUnavailable, http.StatusGatewayTimeout},
}

func (c checkout) event(w http.ResponseWriter, r *http.Request, in *eventIn) error {
	body, err := edge.Body(r)
	if err != nil {
		return err
	}
	if err := c.billing.Event(r.Context(), body, in.Signature); err != nil {
		return err
	}
	return edge.WriteJSON(w, http.StatusOK, Received{true})
}
