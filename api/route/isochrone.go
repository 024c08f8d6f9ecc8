package route

import (
	"context"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/reach"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/wire/valhalla"
)

// IsochroneAnswer is a GeoJSON FeatureCollection.
type IsochroneAnswer struct {
	Type     string                      `json:"type" enum:"FeatureCollection"`
	Features []valhalla.IsochroneFeature `json:"features" doc:"outlines, the larger first, then the locations where they were asked for"`
	ID       string                      `json:"id,omitempty"`
	Within   []reach.Within              `json:"within,omitempty" doc:"with count: what lies within each outline, the larger first"`
	Transit  *transit.Reach              `json:"transit,omitempty" doc:"with the costing transit alone"`
	Warnings []native.AnswerWarning      `json:"warnings,omitempty"`
	Receipt  *receipt.Receipt            `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

func isochroneDoc() edge.Doc {
	return edge.Doc{
		Summary: "What is within reach of a place", Example: `{"locations":[{"lat":49.326622,"lon":-7.267471}],"contours":[{"time":5}],"costing":"auto","polygons":true}`,
		Description: "Outlines what can be reached within times (up to 120 minutes) or distances (up to 200 km), up to four contours a call, as GeoJSON. " +
			"The outline encloses the roads on which the cheapest way is within the limit, and the land beside them. " +
			"A date_time is that of setting out or, with reverse, of arrival (a remote engine may know the first only); waiting for what opens counts as time, and is not done for a distance. " +
			"With count, an extension, within has the number of addresses and places in each outline. " +
			"The costing transit, an extension, is on foot and by public transport: times up to 60 minutes from date_time, the wait for the first vehicle included, by the timetable and by fresh trip updates; transit says how they came about.",
		Tags:    []string{"analysis"},
		Answers: []edge.Answer{{Type: reflect.TypeFor[IsochroneAnswer](), Open: true}, refused()},
	}
}

func (p publicTransport) answerIsochrone(ctx context.Context, in *edge.Question[native.IsochroneRequest]) ([]byte, error) {
	if in.Body.IsTransit() {
		return p.isochrone(ctx, in)
	}
	q, warnings, err := in.Body.Isochrone(in.Region.Engine.Can())
	if err != nil {
		return nil, err
	}
	a, err := in.Region.Engine.Isochrone(ctx, q)
	if err != nil {
		return nil, engine.WithHint(err, in.Region.Bounds, in.Body.Points(), nil)
	}
	return writeIsochrone(ctx, in, q, a, warnings)
}

// writeIsochrone writes outlines, with what lies within them where that was asked for, and
// with warnings before those of a remote engine.
func writeIsochrone(ctx context.Context, in *edge.Question[native.IsochroneRequest], q *engine.IsochroneRequest, a *engine.IsochroneAnswer, warnings []engine.Warning, more ...json.Block) ([]byte, error) {
	if in.Body.Count {
		switch {
		case a.Raw != nil:
			warnings = append(warnings, engine.Warning{Code: schema.WithoutEffect, Of: "count", Text: "count had no effect: the outlines are those of another server, which counts nothing"})
		case in.Region.Places == nil:
			warnings = append(warnings, engine.Warning{Code: schema.WithoutEffect, Of: "count", Text: "count had no effect: this region was built without places"})
		default:
			within, err := reach.Count(ctx, in.Region.Places, a.Outlines)
			if err != nil {
				return nil, err
			}
			more = append(more, json.Block{Name: "within", Value: within})
		}
	}
	blocks := native.WarningBlock(slices.Concat(in.Warnings, warnings, a.Warnings))
	for i := range blocks {
		blocks[i].First = true
	}
	return valhalla.WriteIsochrone(q, a, append(blocks, more...)...)
}
