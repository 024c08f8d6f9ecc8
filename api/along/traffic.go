package along

import (
	"context"
	"errors"
	"fmt"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

var trafficDoc = edge.Doc{
	Summary: "Live traffic on a map", Tags: []string{"analysis"},
	Description: "The roads in a box whose traffic is known at the moment, as GeoJSON: one line for each direction, the most important roads first, at most 4,000. A road that is not there is not a clear one: nothing is known of it. sources has the age of the data. 501 without a feed of traffic or incidents.",
}

// mostRoads is the limit of roads in an answer, and mostDegrees that of a box's width and height.
const (
	mostRoads   = 4000
	mostDegrees = 2
)

type trafficIn struct {
	edge.Regional
	Warnings schema.Warnings
	BBox     box `query:"bbox" required:"true" doc:"minLon,minLat,maxLon,maxLat, at most 2 degrees wide and high; across the antimeridian minLon is the larger"`
}

// Points choose the region.
func (in *trafficIn) Points() []geo.Point { return []geo.Point{geo.Bounds(in.BBox).Centre()} }

// box is the query parameter bbox.
type box geo.Bounds

// UnmarshalText reads it.
func (b *box) UnmarshalText(text []byte) error {
	of, ok := edge.ReadBox(string(text))
	if !ok {
		return errBox
	}
	if high := of.Max.Lat - of.Min.Lat; of.Width() > mostDegrees || high > mostDegrees {
		return fmt.Errorf("is %.3g degrees wide and %.3g high, the limit is %d", of.Width(), high, mostDegrees)
	}
	*b = box(of)
	return nil
}

var errBox = errors.New("must be minLon,minLat,maxLon,maxLat")

// TrafficMap is the live traffic in a box.
type TrafficMap struct {
	traffic.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (d Deps) traffic(ctx context.Context, in *trafficIn) (*TrafficMap, error) {
	s := in.Region.Roads()
	if s == nil || len(s.Sources) == 0 {
		return nil, fault.NotEnabled("traffic", "traffic is not enabled here: the deployment has no feed of traffic or incidents for its own routing engine (SVC_TRAFFIC, SVC_INCIDENTS)")
	}
	roads, more, err := in.Region.Kernel().LiveIn(ctx, geo.Bounds(in.BBox), mostRoads)
	if err != nil {
		return nil, err
	}
	out := traffic.New(more)
	for i := range roads {
		r := &roads[i]
		out.AddRoad(traffic.LiveRoad{Line: r.Line, Speed: int(r.Kmh), Free: int(r.Free), Closed: r.Closed, Class: r.Class})
	}
	now := d.Now()
	for i := range s.Sources {
		x := &s.Sources[i]
		out.AddSource(traffic.LiveSource{Feed: x.Source, Kind: x.Kind, At: x.At, Stale: x.Stale, OnRoads: x.OnRoads, Missed: x.Missed}, now)
	}
	return &TrafficMap{*out, native.AnswerWarnings(in.Warnings...)}, nil
}
