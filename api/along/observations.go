package along

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/observations"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/native"
)

var observationsDoc = edge.Doc{
	Summary: "What a journey passes, to be spoken", Tags: []string{"analysis"}, Fails: []int{http.StatusNotImplemented},
	Example: "{\"geometry_polyline6\":\"{`ta}A|gqzLj_Io_}@\"}",
	Description: "Watercourses that the line crosses or follows, parks, settlements, long stretches of one road and climbs, each proved by the lines and areas of the map at zoom 14, the labels at zoom 12 or the heights of the ground, in the order of the line. " +
		"Watercourses in tunnels are never named, nor are hills and junctions. An empty list is a statement about the map: coverage says how much of it was read. A member that is not listed is refused. The routing engine is not called. A call costs 10 Standard calls. 501 where the region has no map.",
}

// observationsIn is the question for what a journey passes. It has no field for warnings, so
// that unknown members are refused.
type observationsIn struct {
	edge.Regional
	Lang string `query:"lang" maxLength:"35" doc:"BCP 47 tag of the language of say, en-GB by default; the nearest of those of the narration is taken; beyond the contract"`
	Body native.ObservationsRequest
}

// Points returns those of the line.
func (in *observationsIn) Points() []geo.Point { return in.Body.Points() }

var errNoGround = fault.NotEnabled("observations", "observations are not enabled here: the region was imported without a map")

func (d Deps) observations(ctx context.Context, in *observationsIn) (*observations.Answer, error) {
	if in.Lang != "" && !narrate.IsTag(in.Lang) {
		return nil, fault.Invalid(fault.Violation{Location: "lang", Value: fault.Clip(in.Lang), Message: "must be a BCP 47 language tag such as en-GB"})
	}
	if in.Region.Surroundings == nil {
		return nil, errNoGround
	}
	s := observations.Service{Ground: in.Region.Surroundings, Attribution: in.Region.Attribution}
	if d.Elevation != nil {
		s.Heights, s.Dataset = d.Elevation.Heights, d.Elevation.Dataset
	}
	q := &observations.Request{Line: in.Body.Geometry, Miles: in.Body.Units == "miles", Gap: in.Body.Gap, Most: in.Body.Most}
	q.Language, _ = narrate.Find(in.Lang)
	var answer *observations.Answer
	var damaged []error
	err := engine.Work(ctx, q.Effort(), func(ctx context.Context) (err error) {
		answer, damaged, err = s.Observe(ctx, q)
		return err
	})
	for _, err := range damaged {
		d.Log.Error("a file of heights or a tile of the map cannot be read", "error", err)
	}
	return answer, err
}
