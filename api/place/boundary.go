package place

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// boundaries answers with administrative areas.
type boundaries struct{ service *boundary.Service }

type boundaryIn struct {
	Warnings schema.Warnings
	Lat      float64 `query:"lat" required:"true" minimum:"-90" maximum:"90"`
	Lon      float64 `query:"lon" required:"true" minimum:"-180" maximum:"180"`
	Lang     string  `query:"lang" maxLength:"35" doc:"language of names (BCP 47), local names without it; beyond the contract"`
}

var boundaryDoc = edge.Doc{
	Summary: "The countries, counties and communes a place lies in", Tags: []string{"ground"}, Fails: []int{http.StatusNotImplemented},
	Description: "From the country down to the smallest area. An empty list is a normal answer: nothing is mapped there. 501 where the region was built without boundaries.",
}

// Boundaries are the administrative areas of a place.
type Boundaries struct {
	Point    boundary.Place         `json:"point"`
	Admins   []boundary.Admin       `json:"admins" nullable:"false"`
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (b boundaries) at(ctx context.Context, in *boundaryIn) (*Boundaries, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	indexes, err := w.Boundaries()
	if err != nil {
		return nil, err
	}
	admins, err := b.service.At(indexes, geo.Point{Lon: in.Lon, Lat: in.Lat}, in.Lang)
	if err != nil {
		return nil, err
	}
	return &Boundaries{boundary.Place{Lat: in.Lat, Lon: in.Lon}, admins, native.AnswerWarnings(in.Warnings...)}, nil
}
