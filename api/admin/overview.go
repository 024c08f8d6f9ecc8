package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/account/overview"
)

type overviewOut struct{ Body overview.Blocks }

type commercialOut struct{ Body overview.Commercial }

var (
	overviewDoc   = huma.Operation{Summary: "Abuse, activation, credit, downloads and identities at a glance", Tags: []string{"admin"}}
	commercialDoc = huma.Operation{Summary: "Revenue, funnel, usage and the demo lane", Tags: []string{"admin"}}
)

func (a *API) overview(ctx context.Context, _ *struct{}) (*overviewOut, error) {
	o, err := a.office.Overview.Overview(ctx)
	if err != nil {
		return nil, err
	}
	return &overviewOut{*o}, nil
}

func (a *API) commercial(ctx context.Context, _ *struct{}) (*commercialOut, error) {
	c, err := a.office.Overview.Commercial(ctx)
	if err != nil {
		return nil, err
	}
	return &commercialOut{*c}, nil
}

// CloudInventory is what point clouds are hosted here, and what that costs
// their owners.
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

type cloudsOut struct{ Body CloudInventory }

var cloudsDoc = huma.Operation{Summary: "Hosted point clouds", Tags: []string{"admin"}, Description: "This build hosts none."}

func (a *API) clouds(context.Context, *struct{}) (*cloudsOut, error) {
	return &cloudsOut{CloudInventory{[]CloudDataset{}, []HostingFee{}}}, nil
}

// ClearanceInventory is what measured clearances are served here.
type ClearanceInventory struct {
	Enabled   bool  `json:"enabled" doc:"false makes the clearance endpoint answer 501"`
	Artefacts []any `json:"artefacts" nullable:"false"`
}

type clearancesOut struct{ Body ClearanceInventory }

var clearancesDoc = huma.Operation{Summary: "Clearance artefacts", Tags: []string{"admin"}, Description: "This build serves none."}

func (a *API) clearances(context.Context, *struct{}) (*clearancesOut, error) {
	return &clearancesOut{ClearanceInventory{false, []any{}}}, nil
}
