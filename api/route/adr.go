package route

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/adr"
)

// ADRProfile is a lorry and its dangerous goods.
type ADRProfile struct {
	Dimensions TruckDimensions `json:"dimensions"`
	TunnelCode *string         `json:"tunnel_code" required:"true" nullable:"true" doc:"ADR tunnel restriction code such as B/D, C5000D or (—); null where the load has none"`
	Hazmat     bool            `json:"hazmat" doc:"whether the load is dangerous goods"`
}

// TruckDimensions are those of the loaded vehicle.
type TruckDimensions struct {
	Height    float64  `json:"height_m" minimum:"0" maximum:"10"`
	Width     float64  `json:"width_m" minimum:"0" maximum:"10"`
	Length    float64  `json:"length_m" minimum:"0" maximum:"50"`
	Weight    float64  `json:"gross_weight_t" minimum:"0" maximum:"100"`
	AxleLoad  *float64 `json:"axle_load_t,omitempty" nullable:"true" minimum:"0" maximum:"40"`
	AxleCount *int     `json:"axle_count,omitempty" nullable:"true" minimum:"2" maximum:"20"`
}

type adrCheckIn struct {
	Body struct {
		ADR            ADRProfile `json:"adr"`
		TunnelCategory string     `json:"tunnel_category" enum:"A,B,C,D,E" doc:"category of the tunnel"`
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
