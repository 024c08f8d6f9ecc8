package admin

import (
	"context"

	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/api/edge"
)

// figures serves the operator's figures.
type figures struct{ overviews *overview.Overview }

var (
	overviewDoc   = edge.Doc{Summary: "Abuse, activation, credit, downloads and identities at a glance", Description: "Figures of this moment, worked out from the database when asked.", Tags: []string{"admin"}}
	commercialDoc = edge.Doc{Summary: "Revenue, funnel, usage and the demo lane", Description: "Figures of the business over the last thirty days and of all time.", Tags: []string{"admin"}}
)

func (h figures) overview(ctx context.Context, _ *struct{}) (*overview.Blocks, error) {
	o, err := h.overviews.Overview(ctx)
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (h figures) commercial(ctx context.Context, _ *struct{}) (*overview.Commercial, error) {
	c, err := h.overviews.Commercial(ctx)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// CloudInventory lists the point clouds hosted here, and what they cost their owners.
type CloudInventory struct {
	Datasets []CloudDataset `json:"datasets" nullable:"false"`
	Fees     []HostingFee   `json:"fees" nullable:"false"`
}

// CloudDataset is one hosted dataset.
type CloudDataset struct {
	Dataset    string   `json:"dataset"`
	Public     bool     `json:"public"`
	Bytes      int64    `json:"bytes"`
	Files      int64    `json:"files"`
	IdentityID *string  `json:"identity_id"`
	KeyIDs     []string `json:"key_ids" nullable:"false"`
}

// HostingFee is what one owner is billed.
type HostingFee struct {
	Owner        string `json:"owner" doc:"an identity's id, operator:<key_id> or public"`
	Bytes        int64  `json:"bytes"`
	MonthlyPence int64  `json:"monthly_fee_pence"`
}

var cloudsDoc = edge.Doc{Summary: "Hosted point clouds", Tags: []string{"admin"}, Description: "This build hosts none."}

func clouds(context.Context, *struct{}) (*CloudInventory, error) {
	return &CloudInventory{[]CloudDataset{}, []HostingFee{}}, nil
}

// ClearanceInventory lists the measured clearances that are served here.
type ClearanceInventory struct {
	Enabled   bool  `json:"enabled" doc:"false makes the clearance endpoint answer 501"`
	Artefacts []any `json:"artefacts" nullable:"false"`
}

var clearancesDoc = edge.Doc{Summary: "Clearance artefacts", Tags: []string{"admin"}, Description: "This build serves none."}

func clearances(context.Context, *struct{}) (*ClearanceInventory, error) {
	return &ClearanceInventory{false, []any{}}, nil
}
