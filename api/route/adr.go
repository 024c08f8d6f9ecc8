package route

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/adr"
)

type adrCheckIn struct {
	Body struct {
		ADR            edge.ADRProfile `json:"adr"`
		TunnelCategory string          `json:"tunnel_category" enum:"A,B,C,D,E" doc:"category of the tunnel"`
	}
}

var adrCheckDoc = edge.Doc{
	Summary: "May a load pass a tunnel?", Tags: []string{"adr"},
	Description: "Decides by the table of ADR 8.6.4, without routing. Where a code depends on what was not given, the stricter reading holds.",
}

func answerADRCheck(_ context.Context, in *adrCheckIn) (*adr.Answer, error) {
	answer, err := adr.Check(in.Body.ADR.TunnelCode, in.Body.ADR.Hazmat, in.Body.TunnelCategory)
	if err != nil {
		return nil, err
	}
	return answer, nil
}
