package route

import (
	"context"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/valhalla"
)

// CentroidAnswer is one route for each location, all to the meeting point.
type CentroidAnswer struct {
	Trip       Trip                   `json:"trip" doc:"from the first location; its last location is the meeting point"`
	Alternates []CentroidOther        `json:"alternates,omitempty" doc:"from the other locations, in order"`
	ID         string                 `json:"id,omitempty"`
	Warnings   []native.AnswerWarning `json:"warnings,omitempty"`
	Receipt    *receipt.Receipt       `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

// CentroidOther is the route of another location.
type CentroidOther struct {
	Trip Trip `json:"trip"`
}

func centroidDoc() edge.Doc {
	return edge.Doc{
		Summary: "Find where travellers meet", Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"costing":"auto"}`,
		Description: "The point that costs all travellers together the least, and the route of each to it, in the form of Valhalla's centroid: trip for the first location, " +
			"alternates for the others. The point is a junction or one of the locations, found exactly; of equals the one whose dearest route is the cheapest. " +
			"A remote engine may choose by another rule, which a warning (906) reports. 501 where the routing engine cannot do it.",
		Tags:    []string{"routing"},
		Answers: []edge.Answer{{Type: reflect.TypeFor[CentroidAnswer](), Open: true}, refused()},
	}
}

func answerCentroid(ctx context.Context, in *edge.Question[native.CentroidRequest]) ([]byte, error) {
	q, warnings, err := in.Body.Centroid(in.Region.Engine.Can())
	if err != nil {
		return nil, err
	}
	a, err := in.Region.Engine.Centroid(ctx, q)
	if err != nil {
		return nil, err
	}
	return valhalla.WriteRoute(q, a, native.WarningBlock(slices.Concat(in.Warnings, warnings, a.Warnings))...)
}
