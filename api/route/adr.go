package route

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/adr"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

var adrCheckDoc = edge.Doc{
	Summary: "May a load pass a tunnel?", Tags: []string{"adr"},
	Description: "Decides by the table of ADR 8.6.4, without routing. Where a code depends on what was not given, the stricter reading holds.",
}

// ADRAnswer says whether a load may pass a tunnel.
type ADRAnswer struct {
	adr.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

type adrCheck struct {
	Warnings schema.Warnings
	Body     native.ADRCheckRequest
}

func answerADRCheck(_ context.Context, in *adrCheck) (*ADRAnswer, error) {
	answer, err := adr.Check(in.Body.ADR.Code(), in.Body.ADR.Hazmat, in.Body.TunnelCategory)
	if err != nil {
		return nil, err
	}
	return &ADRAnswer{*answer, native.Told(in.Warnings...)}, nil
}
