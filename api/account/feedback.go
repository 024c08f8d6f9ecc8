package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/feature/feedback"
)

type mapIssueIn struct {
	Body struct {
		Lat      float64 `json:"lat" minimum:"-90" maximum:"90"`
		Lon      float64 `json:"lon" minimum:"-180" maximum:"180"`
		Category string  `json:"category" enum:"road-missing,road-wrong,restriction-wrong,name-wrong,place-closed,place-missing,other"`
		Note     string  `json:"note,omitempty" doc:"at most 1000 bytes"`
		Contact  string  `json:"contact,omitempty" doc:"at most 200 bytes"`
	}
}

// ReportID names a report.
type ReportID struct {
	ID string `json:"id" format:"uuid"`
}

type reportOut struct{ Body ReportID }

var mapIssueDoc = huma.Operation{
	Summary: "Report an error of the map", Tags: []string{"reports"}, DefaultStatus: http.StatusCreated,
	Description: "Costs a standard call. 50 a day for one key, or in the demo lane for one client network.",
}

func (a *API) reportMapIssue(ctx context.Context, in *mapIssueIn) (*reportOut, error) {
	v, b := visitOf(ctx), in.Body
	issue := feedback.MapIssue{Lat: b.Lat, Lon: b.Lon, Category: b.Category, Note: b.Note, Contact: b.Contact}
	who := account.Network(v.known.Client).String()
	if k := v.pass.Key(); k != nil {
		who, issue.KeyID = k.ID, k.ID
	}
	id, err := a.office.Feedback.Report(ctx, who, issue)
	if err != nil {
		return nil, err
	}
	return &reportOut{ReportID{id}}, nil
}

// RetroProblem is one problem of a retro.
type RetroProblem struct {
	_ struct{} `additionalProperties:"true"`

	Area            string `json:"area" enum:"sdk,api,mcp,docs,billing,self-host,other"`
	Description     string `json:"description" doc:"at most 1000 bytes"`
	WorkaroundFound bool   `json:"workaround_found,omitempty"`
}

type retroIn struct {
	Body struct {
		_ struct{} `additionalProperties:"true"`

		WhatBuilt  string         `json:"what_built" doc:"at most 500 bytes"`
		Problems   []RetroProblem `json:"problems,omitempty" doc:"at most 20"`
		Gotchas    []string       `json:"gotchas,omitempty" doc:"at most 20 of 500 bytes"`
		Wins       []string       `json:"wins,omitempty" doc:"at most 20 of 500 bytes"`
		DocsGaps   []string       `json:"docs_gaps,omitempty" doc:"at most 20 of 500 bytes"`
		AgentName  string         `json:"agent_name,omitempty" doc:"at most 100 bytes"`
		SDKVersion string         `json:"sdk_version,omitempty" doc:"at most 50 bytes"`
	}
}

// RetroReceived says that a retro was taken.
type RetroReceived struct {
	ID     string `json:"id" format:"uuid"`
	Status string `json:"status" enum:"received"`
}

type retroOut struct{ Body RetroReceived }

var retroDoc = huma.Operation{
	Summary: "Tell what an integration was like", Tags: []string{"reports"}, DefaultStatus: http.StatusAccepted,
	Description: "Costs nothing; five for one key in 24 hours. Members that are not known are dropped.",
}

func (a *API) submitRetro(ctx context.Context, in *retroIn) (*retroOut, error) {
	b := in.Body
	id, err := a.office.Feedback.Submit(ctx, feedback.Retro{
		KeyID: keyOf(ctx).ID, WhatBuilt: b.WhatBuilt, Gotchas: b.Gotchas, Wins: b.Wins, DocsGaps: b.DocsGaps, AgentName: b.AgentName, SDKVersion: b.SDKVersion,
		Problems: mapped(b.Problems, func(p RetroProblem) feedback.Problem {
			return feedback.Problem{Area: p.Area, Description: p.Description, WorkaroundFound: p.WorkaroundFound}
		}),
	})
	if err != nil {
		return nil, err
	}
	return &retroOut{RetroReceived{id, "received"}}, nil
}

// Retro is a retro as operators read it.
type Retro struct {
	ID         string             `json:"id" format:"uuid"`
	KeyID      string             `json:"key_id" format:"uuid"`
	CreatedAt  time.Time          `json:"created_at"`
	WhatBuilt  string             `json:"what_built"`
	Problems   []feedback.Problem `json:"problems" nullable:"false"`
	Gotchas    []string           `json:"gotchas" nullable:"false"`
	Wins       []string           `json:"wins" nullable:"false"`
	DocsGaps   []string           `json:"docs_gaps" nullable:"false"`
	AgentName  string             `json:"agent_name"`
	SDKVersion string             `json:"sdk_version"`
}

// RetroList is a part of the retros.
type RetroList struct {
	Total  int64   `json:"total"`
	Limit  int     `json:"limit"`
	Offset int     `json:"offset"`
	Retros []Retro `json:"retros" nullable:"false" doc:"newest first"`
}

type retrosOut struct{ Body RetroList }

var retrosDoc = huma.Operation{Summary: "Submitted retros", Tags: []string{"admin"}}

func (a *API) retros(ctx context.Context, in *Page) (*retrosOut, error) {
	found, total, err := a.office.Feedback.Retros(ctx, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &retrosOut{RetroList{total, in.Limit, in.Offset, mapped(found, func(r feedback.Retro) Retro {
		problems := mapped(r.Problems, func(p feedback.Problem) feedback.Problem { return p })
		return Retro{r.ID, r.KeyID, r.At.UTC(), r.WhatBuilt, problems, listed(r.Gotchas), listed(r.Wins), listed(r.DocsGaps), r.AgentName, r.SDKVersion}
	})}}, nil
}

// MapIssue is a report as operators read it.
type MapIssue struct {
	ID        string    `json:"id" format:"uuid"`
	KeyID     *string   `json:"key_id" doc:"null from the demo lane"`
	CreatedAt time.Time `json:"created_at"`
	Lat       float64   `json:"lat"`
	Lon       float64   `json:"lon"`
	Category  string    `json:"category"`
	Note      string    `json:"note"`
	Contact   string    `json:"contact"`
}

// MapIssueList is a part of the queue of map issues.
type MapIssueList struct {
	Total  int64      `json:"total"`
	Limit  int        `json:"limit"`
	Offset int        `json:"offset"`
	Issues []MapIssue `json:"issues" nullable:"false" doc:"newest first"`
}

type mapIssuesOut struct{ Body MapIssueList }

var mapIssuesDoc = huma.Operation{Summary: "The queue of map issues", Tags: []string{"admin"}}

func (a *API) mapIssues(ctx context.Context, in *Page) (*mapIssuesOut, error) {
	found, total, err := a.office.Feedback.MapIssues(ctx, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &mapIssuesOut{MapIssueList{total, in.Limit, in.Offset, mapped(found, func(i feedback.MapIssue) MapIssue {
		return MapIssue{i.ID, recorded(i.KeyID), i.At.UTC(), i.Lat, i.Lon, i.Category, i.Note, i.Contact}
	})}}, nil
}
