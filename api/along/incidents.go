package along

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/along/incidents"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
	"github.com/waygate/waygate/world"
)

var incidentsDoc = edge.Doc{
	Summary: "Incidents and closures on the way", Tags: []string{"analysis"},
	Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}]}`,
	Description: "What feeds report along the route, in the order in which it comes to them: kind, severity, lanes, times, road, and where on the route each begins and ends. It lists incidents that concern the route's direction of travel and are in force when the journey comes there; closes_route marks what nobody may pass. " +
		"A route that is worked out here avoids what is closed now. coverage has the age of each source; an empty list says that none is known, not that there is none. 501 without a feed of incidents.",
}

// IncidentsAnswer is the incidents on the way.
type IncidentsAnswer struct {
	incidents.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// reports returns the incidents of a region; nil where it has no feed of them.
func reports(r *world.Region) *incidents.Reports {
	if s := r.Roads(); s != nil {
		return s.Reports
	}
	return nil
}

func (d Deps) incidents(ctx context.Context, in *asked[ahead.IncidentsRequest]) (*IncidentsAnswer, error) {
	b := &in.Body
	known := reports(in.Region)
	if err := known.Enabled(); err != nil {
		return nil, err
	}
	ahead, err := d.ahead(&b.Ahead)
	if err != nil {
		return nil, err
	}
	way, err := (&along.Service{Engine: in.Region.Engine}).Way(ctx, ahead, known.Search(b.BufferM))
	if err != nil {
		return nil, err
	}
	a, err := known.Along(ctx, way, &incidents.Request{Buffer: b.BufferM, Kinds: b.Kinds, Limit: b.Limit, Exact: ahead.Line == nil})
	if err != nil {
		return nil, err
	}
	return &IncidentsAnswer{*a, native.AnswerWarnings(in.Warnings...)}, nil
}
