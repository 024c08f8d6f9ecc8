package account

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/record"
	"github.com/waygate/waygate/feature/feedback"
)

// retros accepts reports of integrators.
type retros struct{ feedback *feedback.Service }

// RetroProblem is one problem of a retro.
type RetroProblem struct {
	Area            string `json:"area" enum:"sdk,api,mcp,docs,billing,self-host,other"`
	Description     string `json:"description" maxLength:"1000" doc:"at most 1000 bytes"`
	WorkaroundFound bool   `json:"workaround_found,omitempty"`
}

type retroIn struct {
	Body struct {
		WhatBuilt  string         `json:"what_built" maxLength:"500" doc:"at most 500 bytes"`
		Problems   []RetroProblem `json:"problems,omitempty" maxItems:"20" of:"problems"`
		Gotchas    []string       `json:"gotchas,omitempty" maxItems:"20" maxLength:"500" doc:"each at most 500 bytes"`
		Wins       []string       `json:"wins,omitempty" maxItems:"20" maxLength:"500" doc:"each at most 500 bytes"`
		DocsGaps   []string       `json:"docs_gaps,omitempty" maxItems:"20" maxLength:"500" doc:"each at most 500 bytes"`
		AgentName  string         `json:"agent_name,omitempty" maxLength:"100" doc:"at most 100 bytes"`
		SDKVersion string         `json:"sdk_version,omitempty" maxLength:"50" doc:"at most 50 bytes"`
	}
}

// RetroReceived confirms a retro.
type RetroReceived struct {
	ID     string `json:"id" format:"uuid"`
	Status string `json:"status" enum:"received"`
}

var retroDoc = edge.Doc{
	Summary: "Report what an integration was like", Example: `{"what_built":"a map of deliveries","problems":[{"area":"docs","description":"few examples"}]}`, Tags: []string{"reports"},
	Description: "Costs nothing; five for one key in 24 hours. Members that are not known are dropped.",
}

func (r retros) submit(ctx context.Context, in *retroIn) (*RetroReceived, error) {
	b := in.Body
	id, err := r.feedback.Submit(ctx, feedback.Retro{
		KeyID: edge.CallOf(ctx).Key().ID, WhatBuilt: b.WhatBuilt, Gotchas: b.Gotchas, Wins: b.Wins, DocsGaps: b.DocsGaps, AgentName: b.AgentName, SDKVersion: b.SDKVersion,
		Problems: record.Map(b.Problems, func(p RetroProblem) feedback.Problem {
			return feedback.Problem{Area: p.Area, Description: p.Description, WorkaroundFound: p.WorkaroundFound}
		}),
	})
	if err != nil {
		return nil, err
	}
	return &RetroReceived{id, "received"}, nil
}
