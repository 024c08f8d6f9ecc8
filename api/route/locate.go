package route

import (
	"context"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/wire/native"
)

// LocatedPlace is where one location lies.
type LocatedPlace struct {
	InputLat float64                `json:"input_lat"`
	InputLon float64                `json:"input_lon"`
	Edges    []LocatedEdge          `json:"edges" nullable:"true" doc:"one for each direction that may be travelled; null where no usable road is near"`
	Nodes    []LocatedNode          `json:"nodes" nullable:"true" doc:"where the place lies at the end of an edge"`
	Reason   string                 `json:"reason,omitempty" doc:"verbose: why edges is null"`
	Warnings []native.AnswerWarning `json:"warnings,omitempty" doc:"of the whole request, on the first element"`
}

// LocatedEdge is a place on an edge.
type LocatedEdge struct {
	WayID              int64   `json:"way_id,omitempty" doc:"OpenStreetMap way; in a verbose answer edge_info.way_id"`
	Lat                float64 `json:"correlated_lat"`
	Lon                float64 `json:"correlated_lon"`
	SideOfStreet       string  `json:"side_of_street" enum:"left,right,neither" doc:"of the edge, in its direction of travel"`
	PercentAlong       float64 `json:"percent_along" minimum:"0" maximum:"1" doc:"share of the edge's length before the place"`
	Distance           float64 `json:"distance,omitempty" doc:"verbose: metres from the location"`
	Heading            float64 `json:"heading,omitempty" doc:"verbose: degrees, of the edge at the place"`
	OutboundReach      int     `json:"outbound_reach,omitempty" doc:"verbose: edges that can be reached from here, counted to 50"`
	InboundReach       int     `json:"inbound_reach,omitempty" doc:"verbose: edges from which this one can be reached, counted to 50"`
	EdgeID             any     `json:"edge_id,omitempty" doc:"verbose: number in this build of the graph"`
	EdgeInfo           any     `json:"edge_info,omitempty" doc:"verbose: way_id, names, shape (polyline6), speed_limit"`
	Edge               any     `json:"edge,omitempty" doc:"verbose: access, classification, speeds and what stands along the edge"`
	AccessRestrictions []any   `json:"access_restrictions,omitempty"`
	LiveSpeed          any     `json:"live_speed,omitempty"`
	PredictedSpeeds    []int   `json:"predicted_speeds,omitempty"`
}

// LocatedNode is a node at which a place lies.
type LocatedNode struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

func locateDoc() edge.Doc {
	return edge.Doc{
		Summary: "Snap places to the road network",
		Description: "For each location the edges of the nearest place that the traveller may use and that is connected to the network, and the nodes it lies at, " +
			"in Valhalla's form. A place with no usable road near it has edges and nodes null. 501 where the routing engine cannot locate.",
		Tags:    []string{"routing"},
		Answers: []edge.Answer{{Type: reflect.TypeFor[[]LocatedPlace](), Open: true}},
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
	return native.WriteLocate(q, a, slices.Concat(in.Warnings, warnings))
}
