package place

import (
	"context"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/feedback"
)

// issues takes reports of errors of the map.
type issues struct{ feedback *feedback.Service }

type mapIssueIn struct {
	Body struct {
		Lat      float64 `json:"lat" minimum:"-90" maximum:"90"`
		Lon      float64 `json:"lon" minimum:"-180" maximum:"180"`
		Category string  `json:"category" enum:"road-missing,road-wrong,restriction-wrong,name-wrong,place-closed,place-missing,other"`
		Note     string  `json:"note,omitempty" trim:"true" maxLength:"1000" doc:"at most 1000 bytes, without white space around it"`
		Contact  string  `json:"contact,omitempty" trim:"true" maxLength:"200" doc:"at most 200 bytes, without white space around it"`
	}
}

// ReportID names a report.
type ReportID struct {
	ID string `json:"id" format:"uuid"`
}

var mapIssueDoc = edge.Doc{
	Summary: "Report an error of the map", Example: `{"lat":49.326622,"lon":-7.267471,"category":"road-missing","note":"a new bridge"}`, Tags: []string{"reports"},
	Description: "Costs a standard call. 50 a day for one key, or in the demo lane for one client network.",
}

func (i issues) report(ctx context.Context, in *mapIssueIn) (*ReportID, error) {
	call, b := edge.CallOf(ctx), in.Body
	issue := feedback.MapIssue{Lat: b.Lat, Lon: b.Lon, Category: b.Category, Note: b.Note, Contact: b.Contact}
	who := account.Network(call.Client()).String()
	if k := call.Key(); k != nil {
		who, issue.KeyID = k.ID, k.ID
	}
	id, err := i.feedback.Report(ctx, who, issue)
	if err != nil {
		return nil, err
	}
	return &ReportID{id}, nil
}
