package api

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/fault"
)

type checkoutIn struct {
	Body struct {
		Pence *int64  `json:"pence,omitempty" doc:"credit to buy, 500 to 1000000"`
		Plan  *string `json:"plan,omitempty" doc:"name of a plan to subscribe to"`
	}
}

// Address is a page to send the browser to.
type Address struct {
	URL string `json:"url"`
}

type addressOut struct{ Body Address }

func addressAnswer(url string, err error) (*addressOut, error) {
	if err != nil {
		return nil, err
	}
	return &addressOut{Address{url}}, nil
}

var (
	checkoutDoc = huma.Operation{Summary: "A page on which to buy credit or a plan", Tags: []string{"console"}, Description: "Takes pence or plan, one of the two. 501 where the deployment sells nothing."}
	portalDoc   = huma.Operation{Summary: "The page of one's subscription and invoices", Tags: []string{"console"}, Description: "501 where the deployment sells nothing."}
)

func (a *API) checkout(ctx context.Context, in *checkoutIn) (*addressOut, error) {
	id, b := whose(ctx).identity.ID, in.Body
	if (b.Pence == nil) == (b.Plan == nil) {
		return nil, fault.New(fault.BadRequest, "send pence or plan, one of the two")
	}
	if b.Plan != nil {
		return addressAnswer(a.office.Desk.Subscribe(ctx, id, *b.Plan))
	}
	return addressAnswer(a.office.Desk.Credit(ctx, id, *b.Pence))
}

func (a *API) portal(ctx context.Context, _ *struct{}) (*addressOut, error) {
	return addressAnswer(a.office.Desk.Portal(ctx, whose(ctx).identity.ID))
}

// Received says that an event was taken.
type Received struct {
	Received bool `json:"received"`
}

func stripeDoc(b *binding) huma.Operation {
	return huma.Operation{
		Summary: "Events of the payment processor", Tags: []string{"console"},
		Description: "Signed by Stripe (Stripe-Signature). An event is booked once, however often it comes.",
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: huma.TypeObject}}}},
		Responses:   answers("application/json", schema[Received](b)),
	}
}

func (a *API) stripeEvent(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return unread(err)
	}
	if err := a.office.Desk.Event(r.Context(), body, r.Header.Get("Stripe-Signature")); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, "application/json", Received{true})
}
