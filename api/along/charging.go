package along

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/along/charging"
	points "github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
)

var chargingDoc = edge.Doc{
	Summary: "Charging points on the way, the most powerful first", Tags: []string{"analysis"},
	Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"connectors":["ccs2"],"min_kw":50}`,
	Description: "Charging stations within buffer_m of a route with a connector that fits and is known to have min_kw, the most powerful first, with the detour to the 60 most powerful as a matrix measures it. A station that several sources have is reported once. " +
		"Whether points are free is known only from feeds, and stands with its age. Stations of the map count too, where the region was imported with them. 501 without a directory and without a map that has some, and where the routing engine has no matrix.",
}

// ChargingAnswer is the stations.
type ChargingAnswer struct {
	charging.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (d Deps) charging(ctx context.Context, in *asked[ahead.ChargingRequest]) (*ChargingAnswer, error) {
	b := &in.Body
	mapped := in.Region.Chargers
	if err := d.Live.Charging.Enabled(mapped); err != nil {
		return nil, err
	}
	way, err := d.ahead(&b.Ahead)
	if err != nil {
		return nil, err
	}
	r := &charging.Request{Buffer: b.BufferM, LeastKW: b.MinKW, Limit: b.Limit, Language: string(b.Language)}
	for _, c := range b.Connectors {
		r.Connectors = append(r.Connectors, points.Standard(c))
	}
	a, err := d.Live.Charging.Along(ctx, &along.Service{Engine: in.Region.Engine}, way, mapped, r)
	if err != nil {
		return nil, err
	}
	return &ChargingAnswer{*a, native.AnswerWarnings(in.Warnings...)}, nil
}
