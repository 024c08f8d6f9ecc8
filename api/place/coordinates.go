package place

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

type crsIn struct {
	Warnings schema.Warnings
	Q        string `query:"q" maxLength:"100" doc:"part of a code or a name"`
}

// CRSList is the answer of GET /coordinates/crs.
type CRSList struct {
	Count    int                    `json:"count"`
	Results  []coordinates.CRS      `json:"results" nullable:"false"`
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

var crsDoc = edge.Doc{Summary: "Coordinate systems that can be transformed", Description: "Those whose code or name has the text that is looked for; all without one.", Tags: []string{"coordinates"}}

func crs(_ context.Context, in *crsIn) (*CRSList, error) {
	found := coordinates.List(in.Q)
	return &CRSList{len(found), found, native.AnswerWarnings(in.Warnings...)}, nil
}

type transformIn struct {
	Warnings    schema.Warnings
	From        string `query:"from" required:"true" doc:"EPSG code, with or without EPSG:"`
	To          string `query:"to" required:"true" doc:"EPSG code, with or without EPSG:"`
	Coordinates string `query:"coordinates" required:"true" doc:"x,y;x,y… (1 to 50); x is the longitude or easting"`
}

var transformDoc = edge.Doc{Summary: "Transform coordinates", Description: "Takes up to fifty coordinates, x,y;x,y…, from one system to another, and says how exact that is.", Tags: []string{"coordinates"}}

// TransformedCoordinates are coordinates in another system.
type TransformedCoordinates struct {
	coordinates.Transformed
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func transform(_ context.Context, in *transformIn) (*TransformedCoordinates, error) {
	points, err := coordinates.ParseCoordinates(in.Coordinates)
	if err != nil {
		return nil, err
	}
	answer, err := coordinates.Transform(in.From, in.To, points)
	if err != nil {
		return nil, err
	}
	return &TransformedCoordinates{answer, native.AnswerWarnings(in.Warnings...)}, nil
}

type validateIn struct {
	Warnings schema.Warnings
	Body     struct {
		DeclaredCRS string           `json:"declared_crs" doc:"the code the coordinates are said to be in, such as EPSG:4326"`
		Coordinates []coordinates.XY `json:"coordinates" nullable:"false" minItems:"1" maxItems:"10000" doc:"a few dozen suffice"`
	}
}

var validateDoc = edge.Doc{
	Summary: "Can coordinates be what they are declared to be?", Example: `{"declared_crs":"EPSG:27700","coordinates":[{"x":530000,"y":180000}]}`, Tags: []string{"coordinates"},
	Description: "Judges ranges, spans and signs. It never transforms.",
}

// CoordinatesVerdict is whether coordinates can be what they are said to be.
type CoordinatesVerdict struct {
	coordinates.Verdict
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func validate(_ context.Context, in *validateIn) (*CoordinatesVerdict, error) {
	verdict, err := coordinates.Validate(in.Body.DeclaredCRS, in.Body.Coordinates)
	if err != nil {
		return nil, err
	}
	return &CoordinatesVerdict{verdict, native.AnswerWarnings(in.Warnings...)}, nil
}
