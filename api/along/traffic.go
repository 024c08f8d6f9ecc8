package along

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/null"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
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
	Type     string          `json:"type" enum:"FeatureCollection"`
	Features []TrafficRoad   `json:"features" nullable:"false"`
	More     bool            `json:"more" doc:"there are roads that the answer has no room for"`
	Sources  []TrafficSource `json:"sources" nullable:"false"`
	Caveat   string          `json:"caveat"`

	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// TrafficRoad is one direction of a road.
type TrafficRoad struct {
	Type       string            `json:"type" enum:"Feature"`
	Geometry   TrafficLine       `json:"geometry"`
	Properties TrafficProperties `json:"properties"`
}

// TrafficLine is a line of GeoJSON.
type TrafficLine struct {
	Type        string          `json:"type" enum:"LineString"`
	Coordinates json.RawMessage `json:"coordinates" doc:"[lon, lat] of each position"`
}

// TrafficProperties is the traffic on one direction of a road.
type TrafficProperties struct {
	SpeedKph *int     `json:"speed_kph" doc:"null where the road is closed"`
	FreeKph  int      `json:"free_kph" doc:"of free traffic, by the map"`
	Ratio    *float64 `json:"ratio" minimum:"0" maximum:"1" decimals:"2" doc:"of the two; null where the road is closed"`
	Closed   bool     `json:"closed"`
	Class    string   `json:"class"`
}

// TrafficSource is a feed and its age.
type TrafficSource struct {
	Source      string     `json:"source"`
	Name        string     `json:"name"`
	Kind        string     `json:"kind" enum:"traffic,incidents"`
	UpdatedAt   *time.Time `json:"updated_at"`
	AgeS        *float64   `json:"age_s" decimals:"0"`
	Stale       bool       `json:"stale"`
	OnRoads     int        `json:"on_roads" doc:"places it reports that are on roads of the region"`
	NotOnRoads  int        `json:"not_on_roads" doc:"places it reports that are on none: elsewhere, on roads that the map lacks, or wrong"`
	Licence     *string    `json:"licence"`
	Attribution *string    `json:"attribution"`
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
	out := &TrafficMap{Type: "FeatureCollection", Features: make([]TrafficRoad, 0, len(roads)), More: more, Sources: []TrafficSource{}, Caveat: "A road that is not in the answer is not a clear one: nothing is known of it.", Warnings: native.AnswerWarnings(in.Warnings...)}
	for i := range roads {
		r := &roads[i]
		f := TrafficRoad{Type: "Feature", Geometry: TrafficLine{"LineString", positions(r.Line)}, Properties: TrafficProperties{FreeKph: int(r.Free), Closed: r.Closed, Class: r.Class}}
		if !r.Closed {
			kmh, ratio := int(r.Kmh), min(1, float64(r.Kmh)/math.Max(1, float64(r.Free)))
			f.Properties.SpeedKph, f.Properties.Ratio = &kmh, &ratio
		}
		out.Features = append(out.Features, f)
	}
	now := d.Now()
	for i := range s.Sources {
		out.Sources = append(out.Sources, sourceOf(&s.Sources[i], now))
	}
	return out, nil
}

func sourceOf(x *world.RoadSource, now time.Time) TrafficSource {
	out := TrafficSource{Source: x.Source.ID, Name: x.Source.Title(), Kind: x.Kind, Stale: x.Stale, OnRoads: x.OnRoads, NotOnRoads: x.Missed, Licence: null.IfZero(x.Source.Licence), Attribution: null.IfZero(x.Source.Attribution)}
	if x.At != nil {
		at, age := x.At.UTC(), math.Max(0, now.Sub(*x.At).Seconds())
		out.UpdatedAt, out.AgeS = &at, &age
	}
	return out
}

// positions writes a line with six digits.
func positions(line []geo.Point) json.RawMessage {
	text := []byte{'['}
	for i, p := range line {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendFloat(append(text, '['), math.Round(p.Lon*1e6)/1e6, 'f', -1, 64)
		text = append(strconv.AppendFloat(append(text, ','), math.Round(p.Lat*1e6)/1e6, 'f', -1, 64), ']')
	}
	return append(text, ']')
}
