package place

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/elevation"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// heights answers with heights of the ground; service is nil where the deployment has none.
type heights struct {
	service *elevation.Service
	log     *slog.Logger
}

type elevationIn struct {
	Warnings schema.Warnings
	Body     native.ElevationRequest
}

type profileIn struct {
	Warnings schema.Warnings
	Body     native.ProfileRequest
}

// Elevations are the heights of places, in the order of the question.
type Elevations struct {
	Elevations []elevation.Point      `json:"elevations" nullable:"false"`
	Dataset    string                 `json:"dataset" doc:"what the heights are"`
	Warnings   []native.AnswerWarning `json:"warnings,omitempty"`
}

// Profile is the ups and downs of a line.
type Profile struct {
	elevation.Profile
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

var (
	elevationDoc = edge.Doc{
		Summary: "The height of places", Example: `{"locations":[{"lat":49.326622,"lon":-7.267471}]}`, Tags: []string{"ground"}, Fails: []int{http.StatusNotImplemented},
		Description: "Of the ground, by bilinear interpolation. null where the data has none. The places may lie on 64 squares of a degree. 501 on a deployment without heights.",
	}
	profileDoc = edge.Doc{
		Summary: "The ups and downs of a line", Example: `{"shape":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}]}`, Tags: []string{"ground"}, Fails: []int{http.StatusNotImplemented},
		Description: "The line is sampled at even distances. Ascents, descents and grades are of a smoothed line, since heights err by some metres from one cell to the next: heights are averaged over 150 m of line, as far before a sample as after it, and an ascent ends only where the averaged line turns back by 5 m (smoothing has both values). 501 on a deployment without heights.",
	}
)

var errNoHeights = fault.NotEnabled("elevation", "elevation is not enabled here: the deployment has no heights (SVC_ELEVATION_DIR)")

func (h heights) points(ctx context.Context, in *elevationIn) (*Elevations, error) {
	if h.service == nil {
		return nil, errNoHeights
	}
	var all []elevation.Point
	var damaged []error
	at := in.Body.Points()
	err := engine.Work(ctx, elevation.Effort(len(at)), func(ctx context.Context) (err error) {
		all, damaged, err = h.service.Points(ctx, at)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Elevations{all, h.service.Dataset, h.warnings(in.Warnings, damaged)}, nil
}

func (h heights) along(ctx context.Context, in *profileIn) (*Profile, error) {
	if h.service == nil {
		return nil, errNoHeights
	}
	line := in.Body.Line.Points()
	interval, least := elevation.Interval(in.Body.Length(), in.Body.Interval)
	if interval < least {
		return nil, fault.Invalid(fault.Violation{Location: "interval_m", Value: in.Body.Interval, Message: fmt.Sprintf("makes more than %d samples of this line: at least %.0f", elevation.MostPlaces, math.Ceil(least))})
	}
	var p *elevation.Profile
	var damaged []error
	err := engine.Work(ctx, elevation.Effort(len(line)), func(ctx context.Context) (err error) {
		p, damaged, err = h.service.Along(ctx, line, interval)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Profile{*p, h.warnings(in.Warnings, damaged)}, nil
}

// warnings returns those of a request, and that some heights could not be read. The log
// has what was wrong with the files.
func (h heights) warnings(list []engine.Warning, damaged []error) []native.AnswerWarning {
	for _, err := range damaged {
		h.log.Error("a file of heights cannot be read", "error", err)
	}
	if len(damaged) > 0 {
		list = append(slices.Clone(list), engine.Warning{Code: engine.WarnHeights, Text: "some heights could not be read and are null"})
	}
	return native.AnswerWarnings(list...)
}
