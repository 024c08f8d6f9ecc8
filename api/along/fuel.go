package along

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/along/fuel"
	prices "github.com/waygate/waygate/feed/fuel"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
)

var fuelDoc = edge.Doc{
	Summary: "Fuel on the way, the cheapest first", Tags: []string{"analysis"},
	Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"fuel":"e10","litres":40}`,
	Description: "Filling stations within buffer_m of a route that sell a grade, the cheapest first: by the price of a litre, or with litres or a tank by what the fuel and the detour cost together. The detours to the 60 cheapest are measured on the network with a matrix. " +
		"A price that is more than 24 hours old is marked as stale; prices that cannot be right were left out when they were read. coverage has the age of each source. 501 where no prices are set up, and where the routing engine has no matrix.",
}

// FuelAnswer is the stations.
type FuelAnswer struct {
	fuel.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (d Deps) fuel(ctx context.Context, in *asked[ahead.FuelRequest]) (*FuelAnswer, error) {
	b := &in.Body
	if err := d.Live.Fuel.Enabled(); err != nil {
		return nil, err
	}
	way, err := d.ahead(&b.Ahead)
	if err != nil {
		return nil, err
	}
	grade, _ := prices.Named(b.Fuel)
	r := &fuel.Request{Grade: grade, Buffer: b.BufferM, Litres: b.Litres, Limit: b.Limit, Language: string(b.Language)}
	if b.Usage != nil {
		r.Usage = *b.Usage
	}
	if b.Tank != nil {
		r.Capacity, r.Level = b.Tank.Capacity, b.Tank.Capacity*b.Tank.Level
	}
	a, err := d.Live.Fuel.Along(ctx, &along.Service{Engine: in.Region.Engine}, way, r)
	if err != nil {
		return nil, err
	}
	return &FuelAnswer{*a, native.AnswerWarnings(in.Warnings...)}, nil
}
