package along

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/along/cameras"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
)

var camerasDoc = edge.Doc{
	Summary: "Cameras on the way", Tags: []string{"analysis"},
	Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"buffer_m":40}`,
	Description: "Speed and red-light cameras within buffer_m of a route that face the traveller, by arc_m, and sections whose average speed is measured from where they begin to where they end. A camera whose direction is not known is reported to both. " +
		"Whether cameras are shown at all depends on the country: it is off unless the policy's table has a law that allows it. Where cameras of several countries are near, the strictest counts. 501 without camera data.",
}

// CamerasAnswer is the cameras.
type CamerasAnswer struct {
	cameras.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (d Deps) cameras(ctx context.Context, in *asked[ahead.CamerasRequest]) (*CamerasAnswer, error) {
	mapped := in.Region.Cameras
	if err := d.Live.Cameras.Enabled(mapped); err != nil {
		return nil, err
	}
	way, err := d.ahead(&in.Body.Ahead)
	if err != nil {
		return nil, err
	}
	a, err := d.Live.Cameras.Along(ctx, &along.Service{Engine: in.Region.Engine}, way, mapped, in.Body.Buffer())
	if err != nil {
		return nil, err
	}
	return &CamerasAnswer{*a, native.AnswerWarnings(in.Warnings...)}, nil
}
