// Package admin is the operator's endpoints.
package admin

import (
	"net/http"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/feedback"
)

// Deps is what the endpoints need.
type Deps struct {
	Accounts *account.Accounts
	Notices  *notice.Notices
	Overview *overview.Overview
	Feedback *feedback.Service
}

// Rows are the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	k, i, f, r := keys{d.Accounts}, identities{d.Accounts, d.Notices}, figures{d.Overview}, reports{d.Feedback}
	rows := []edge.Row{
		edge.On(edge.Row{Method: post, Path: "/admin/keys", Status: http.StatusCreated, Doc: mintDoc}, k.mint),
		edge.On(edge.Row{Method: get, Path: "/admin/keys", Doc: keyListDoc}, k.list),
		edge.On(edge.Row{Method: del, Path: "/admin/keys/{id}", Doc: revokeDoc}, k.revoke),
		edge.On(edge.Row{Method: get, Path: "/admin/keys/{id}/usage", Doc: keyUsageDoc}, k.usage),
		edge.On(edge.Row{Method: post, Path: "/admin/keys/{id}/credit", Doc: creditKeyDoc}, k.credit),
		edge.On(edge.Row{Method: post, Path: "/admin/identities/credit", Doc: creditIdentityDoc}, i.credit),
		edge.On(edge.Row{Method: get, Path: "/admin/identities", Doc: identitiesDoc}, i.list),
		edge.On(edge.Row{Method: get, Path: "/admin/identities/{email}", Secret: true, Doc: identityDoc}, i.one),
		edge.On(edge.Row{Method: post, Path: "/admin/identities/{email}/quota", Secret: true, Doc: quotaDoc}, i.setQuota),
		edge.On(edge.Row{Method: post, Path: "/admin/identities/{email}/download-allowance", Secret: true, Doc: allowanceDoc}, i.setAllowance),
		edge.On(edge.Row{Method: post, Path: "/admin/identities/{email}/mau-included", Secret: true, Doc: mauDoc}, i.setMAU),
		edge.On(edge.Row{Method: get, Path: "/admin/identities/{email}/quota-outreach", Secret: true, Doc: outreachDoc}, i.outreach),
		edge.On(edge.Row{Method: get, Path: "/admin/overview", Doc: overviewDoc}, f.overview),
		edge.On(edge.Row{Method: get, Path: "/admin/commercial", Doc: commercialDoc}, f.commercial),
		edge.On(edge.Row{Method: get, Path: "/admin/pointclouds", Doc: cloudsDoc}, clouds),
		edge.On(edge.Row{Method: get, Path: "/admin/clearance", Doc: clearancesDoc}, clearances),
		edge.On(edge.Row{Method: get, Path: "/admin/retros", Doc: retrosDoc}, r.retros),
		edge.On(edge.Row{Method: get, Path: "/admin/mcp-map-issues", Doc: mapIssuesDoc}, r.mapIssues),
	}
	for n := range rows {
		rows[n].Auth, rows[n].Class = edge.Operators, edge.Free
	}
	return rows
}
