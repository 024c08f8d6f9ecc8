package route

import (
	"context"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/valhalla"
)

func locateDoc() edge.Doc {
	return edge.Doc{
		Summary: "Snap places to the road network", Example: `{"locations":[{"lat":49.326622,"lon":-7.267471}],"costing":"auto"}`,
		Description: "For each location the edges of the nearest place that the traveller may use and that is connected to the network, and the nodes it lies at, " +
			"in Valhalla's form. A place with no usable road near it has edges and nodes null. 501 where the routing engine cannot locate.",
		Tags:    []string{"routing"},
		Answers: []edge.Answer{{Type: reflect.TypeFor[[]valhalla.LocatedPlace](), Open: true}, refused()},
	}
}

func answerLocate(ctx context.Context, in *edge.Question[native.LocateRequest]) ([]byte, error) {
	q, warnings, err := in.Body.Locate(in.Region.Engine.Can())
	if err != nil {
		return nil, err
	}
	a, err := in.Region.Engine.Locate(ctx, q)
	if err != nil {
		return nil, err
	}
	return valhalla.WriteLocate(q, a, slices.Concat(in.Warnings, warnings, a.Warnings))
}
