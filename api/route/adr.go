package route

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/adr"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

var adrCheckDoc = edge.Doc{
	Summary: "May a load pass a tunnel?", Example: `{"adr":{"dimensions":{"height_m":4.1,"width_m":2.55,"length_m":16.5,"gross_weight_t":38},"hazmat":true,"tunnel_code":"B/D"},"tunnel_category":"C"}`, Tags: []string{"adr"},
	Description: "Decides by the table of ADR 8.6.4, without routing. Where a code depends on what was not given, the stricter reading holds.",
}

// ADRAnswer is whether a load may pass a tunnel.
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
	return &ADRAnswer{*answer, native.AnswerWarnings(in.Warnings...)}, nil
}
