// Package admin has the operator's endpoints.
package admin

import (
	"net/http"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/feed"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	Accounts *account.Accounts
	Notices  *notice.Notices
	Overview *overview.Overview
	Feedback *feedback.Service
	Styles   *styles.Service
	Feeds    *feed.Set // nil has none
	Clouds   *pointclouds.Service
	// Clearance has what was measured over roads; nil has nothing.
	Clearance *clearance.Service
}

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	const operators, free = edge.Operators, edge.Free
	k, i, f, r := keys{d.Accounts}, identities{d.Accounts, d.Notices}, figures{d.Overview}, reports{d.Feedback}
	return []edge.Row{
		edge.On(edge.Row{Method: post, Path: "/admin/keys", Auth: operators, Class: free, Status: http.StatusCreated, Doc: mintDoc}, k.mint),
		edge.On(edge.Row{Method: get, Path: "/admin/keys", Auth: operators, Class: free, Doc: keyListDoc}, k.list),
		edge.On(edge.Row{Method: del, Path: "/admin/keys/{id}", Auth: operators, Class: free, Doc: revokeDoc}, k.revoke),
		edge.On(edge.Row{Method: get, Path: "/admin/keys/{id}/usage", Auth: operators, Class: free, Doc: keyUsageDoc}, k.usage),
		edge.On(edge.Row{Method: post, Path: "/admin/keys/{id}/credit", Auth: operators, Class: free, Doc: creditKeyDoc}, k.credit),
		edge.On(edge.Row{Method: post, Path: "/admin/identities/credit", Auth: operators, Class: free, Doc: creditIdentityDoc}, i.credit),
		edge.On(edge.Row{Method: get, Path: "/admin/identities", Auth: operators, Class: free, Doc: identitiesDoc}, i.list),
		edge.On(edge.Row{Method: get, Path: "/admin/identities/{email}", Auth: operators, Class: free, Secret: true, Doc: identityDoc}, i.one),
		edge.On(edge.Row{Method: post, Path: "/admin/identities/{email}/quota", Auth: operators, Class: free, Secret: true, Doc: quotaDoc}, i.setQuota),
		edge.On(edge.Row{Method: post, Path: "/admin/identities/{email}/download-allowance", Auth: operators, Class: free, Secret: true, Doc: allowanceDoc}, i.setAllowance),
		edge.On(edge.Row{Method: post, Path: "/admin/identities/{email}/mau-included", Auth: operators, Class: free, Secret: true, Doc: mauDoc}, i.setMAU),
		edge.On(edge.Row{Method: get, Path: "/admin/identities/{email}/quota-outreach", Auth: operators, Class: free, Secret: true, Doc: outreachDoc}, i.outreach),
		edge.On(edge.Row{Method: get, Path: "/admin/overview", Auth: operators, Class: free, Doc: overviewDoc}, f.overview),
		edge.On(edge.Row{Method: get, Path: "/admin/commercial", Auth: operators, Class: free, Doc: commercialDoc}, f.commercial),
		edge.On(edge.Row{Method: get, Path: "/admin/pointclouds", Auth: operators, Class: free, Doc: cloudsDoc}, clouds{d.Clouds}.inventory),
		edge.On(edge.Row{Method: get, Path: "/admin/clearance", Auth: operators, Class: free, Doc: clearancesDoc}, surveys{d.Clearance}.inventory),
		edge.On(edge.Row{Method: get, Path: "/admin/retros", Auth: operators, Class: free, Doc: retrosDoc}, r.retros),
		edge.On(edge.Row{Method: get, Path: "/admin/mcp-map-issues", Auth: operators, Class: free, Doc: mapIssuesDoc}, r.mapIssues),
		edge.On(edge.Row{Method: get, Path: "/admin/feeds", Auth: operators, Class: free, BeyondContract: true, Doc: feedsDoc}, sources{d.Feeds}.list),
		edge.On(edge.Row{Method: post, Path: "/admin/styles/{id}/owner", Auth: operators, Class: free, Doc: adoptDoc}, adoption{d.Accounts, d.Styles}.adopt),
	}
}
