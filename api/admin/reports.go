package admin

import (
	"context"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/record"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/wire/null"
)

// reports serves what callers reported.
type reports struct{ feedback *feedback.Service }

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

var retrosDoc = edge.Doc{Summary: "Submitted retros", Description: "What callers reported about their integrations, the newest first, a page at a time.", Tags: []string{"admin"}}

func (r reports) retros(ctx context.Context, in *Page) (*RetroList, error) {
	found, total, err := r.feedback.Retros(ctx, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &RetroList{total, in.Limit, in.Offset, record.Map(found, func(one feedback.Retro) Retro {
		problems := record.Map(one.Problems, func(p feedback.Problem) feedback.Problem { return p })
		return Retro{one.ID, one.KeyID, one.At.UTC(), one.WhatBuilt, problems, record.List(one.Gotchas), record.List(one.Wins), record.List(one.DocsGaps), one.AgentName, one.SDKVersion}
	})}, nil
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

var mapIssuesDoc = edge.Doc{Summary: "The queue of map issues", Description: "Errors of the map that callers reported, the newest first, a page at a time.", Tags: []string{"admin"}}

func (r reports) mapIssues(ctx context.Context, in *Page) (*MapIssueList, error) {
	found, total, err := r.feedback.MapIssues(ctx, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &MapIssueList{total, in.Limit, in.Offset, record.Map(found, func(i feedback.MapIssue) MapIssue {
		return MapIssue{i.ID, null.IfZero(i.KeyID), i.At.UTC(), i.Lat, i.Lon, i.Category, i.Note, i.Contact}
	})}, nil
}
