package along

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
	"github.com/waygate/waygate/wire/schema"
)

var clearanceDoc = edge.Doc{
	Summary: "Measured clearance along a route", Tags: []string{"analysis"}, Fails: []int{http.StatusNotImplemented},
	Example: `{"geometry_polyline6":"{` + "`" + `ta}A|gqzLj_Io_}@","vehicle_height_m":4.2,"vehicle_width_m":2.55}`,
	Description: "Whether a vehicle clears what surveys have measured over and beside the road: a verdict on the height, and on the width where it is given. A section that was not surveyed, or not well enough, never passes. " +
		"A vehicle passes where headroom_m less two sigma_m and sampling_gap_m is more than it needs, at every station, wherever it drives in the surveyed width of the road. " +
		"Of surveys over one place the newest decides; one whose sources are not confirmed is stale, and nothing passes on it. Any report is about what was measured at survey_dates: it certifies no route. 501 where no surveys are configured.",
}

// clearanceIn is the question for measured clearances.
type clearanceIn struct {
	Warnings schema.Warnings
	Body     ahead.ClearanceRequest
}

// ClearanceAnswer is the report.
type ClearanceAnswer struct {
	clearance.Report
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// viewer returns the caller, for grants of datasets.
func viewer(ctx context.Context) (who pointclouds.Viewer) {
	if key := edge.CallOf(ctx).Key(); key != nil {
		who = pointclouds.Viewer{Key: key.ID, Identity: key.IdentityID}
	}
	return who
}

func (d Deps) clearance(ctx context.Context, in *clearanceIn) (*ClearanceAnswer, error) {
	b := &in.Body
	report, err := d.Clearance.Along(ctx, viewer(ctx), &clearance.Request{
		Line: b.Geometry, Height: b.Height, Width: b.Width, Margin: b.Margin, Datasets: b.Datasets, Wheelbase: b.Wheelbase,
	})
	if err != nil {
		return nil, err
	}
	return &ClearanceAnswer{*report, native.AnswerWarnings(in.Warnings...)}, nil
}
