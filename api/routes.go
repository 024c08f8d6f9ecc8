package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/fault"
)

// routes is the table of endpoints: what exists is here and nowhere else.
func (a *API) routes(b *binding) []row {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	return []row{
		{method: post, path: "/route", auth: keyed, class: standardOrPremium, serve: raw(routeDoc(b), a.route)},
		{method: get, path: "/route/v1/{profile}/{coordinates}", auth: keyed, class: standardOrPremium, failure: writeCompatible, serve: raw(compatibleDoc(b), a.compatibleRoute)},
		{method: get, path: "/table/v1/{profile}/{coordinates}", auth: keyed, class: standardOrPremium, absent: fault.NotEnabled, extra: true, failure: writeCompatible, serve: raw(tableDoc(b), a.compatibleTable)},
		{method: get, path: "/nearest/v1/{profile}/{coordinates}", auth: keyed, class: standardOrPremium, absent: fault.NotEnabled, extra: true, failure: writeCompatible, serve: raw(nearestDoc(b), a.compatibleNearest)},
		{method: get, path: "/match/v1/{profile}/{coordinates}", auth: keyed, class: standardOrPremium, absent: fault.NotEnabled, extra: true, failure: writeCompatible, serve: raw(matchDoc(b), a.compatibleMatch)},
		{method: get, path: "/trip/v1/{profile}/{coordinates}", auth: keyed, class: standardOrPremium, absent: fault.NotEnabled, extra: true, failure: writeCompatible, serve: raw(tripDoc(b), a.compatibleTrip)},
		{method: post, path: "/locate", auth: keyed, class: standardOrPremium, absent: fault.NotEnabled, serve: raw(locateDoc(b), a.locate)},
		{method: post, path: "/route/progress", auth: keyed, class: standardOrPremium, serve: on(progressDoc, a.progress)},
		{method: post, path: "/route/along", auth: keyed, class: standardOrPremium, absent: fault.NotEnabled, serve: on(alongDoc, a.along)},
		{method: post, path: "/route/report", auth: keyed, class: standardOrPremium, absent: fault.NotEnabled, serve: on(reportDoc, a.report)},
		{method: post, path: "/centroid", auth: keyed, class: standardOrPremium, absent: fault.NotEnabled, serve: raw(centroidDoc(b), a.centroid)},
		{method: post, path: "/matrix", auth: keyed, class: standardOrPremium, serve: raw(matrixDoc(b), a.matrix)},
		{method: post, path: "/isochrone", auth: keyed, class: standardOrPremium, serve: raw(isochroneDoc(b), a.isochrone)},
		{method: post, path: "/trace_route", auth: keyed, class: standardOrPremium, serve: raw(traceRouteDoc(b), a.traceRoute)},
		{method: post, path: "/trace_attributes", auth: keyed, class: standardOrPremium, serve: raw(traceAttributesDoc(b), a.traceAttributes)},
		{method: post, path: "/adr/check", auth: keyed, class: standard, serve: on(adrCheckDoc, a.adrCheck)},

		{method: post, path: "/geodata/validate", auth: keyed, class: standard, serve: on(validateDoc, a.validate)},
		{method: get, path: "/coordinates/transform", auth: keyed, class: standard, serve: on(transformDoc, a.transform)},
		{method: get, path: "/coordinates/crs", auth: keyed, class: standard, serve: on(crsDoc, a.crs)},

		{method: get, path: "/tiles/{territory}/{z}/{x}/{y}.mvt", auth: keyed, maps: true, class: standard, serve: raw(tileDoc(""), a.tile)},
		{method: get, path: "/tiles/{territory}/{z}/{x}/{y}.pbf", auth: keyed, maps: true, class: standard, serve: raw(tileDoc(" (other name)"), a.tile)},
		{method: get, path: "/tiles/{territory}/style.json", auth: keyed, maps: true, class: standard, serve: raw(styleDoc(), a.style)},
		{method: get, path: "/tiles/{territory}/tiles.json", auth: keyed, maps: true, class: standard, serve: raw(tileJSONDoc(b), a.tileJSON)},
		{method: get, path: "/fonts/{fontstack}/{range}", auth: public, maps: true, class: free, serve: raw(glyphsDoc(), a.glyphs)},

		{method: post, path: "/v1/keys", auth: public, class: free, account: true, serve: on(issueDoc, a.issue)},
		{method: get, path: "/v1/keys/self", auth: keyed, maps: true, class: free, account: true, serve: on(selfDoc, a.self)},
		{method: post, path: "/v1/keys/self/webhook-secret", auth: keyed, class: free, account: true, serve: on(webhookDoc, a.webhookSecret)},
		{method: get, path: "/v1/usage", auth: keyed, maps: true, class: free, account: true, serve: on(usageDoc, a.usage)},
		{method: get, path: "/v1/keys/verify", auth: public, class: free, serve: raw(verifyPageDoc(), a.page("verify.html"))},
		{method: post, path: "/v1/keys/verify", auth: public, class: free, account: true, serve: on(verifyDoc, a.verify)},
		{method: post, path: "/v1/keys/verify/details", auth: public, class: free, account: true, serve: on(verificationDoc, a.verification)},
		{method: post, path: "/v1/keys/verify/deny", auth: public, class: free, account: true, serve: on(denyDoc, a.deny)},
		{method: post, path: "/v1/keys/claim", auth: keyed, class: free, account: true, serve: on(claimDoc, a.claim)},

		{method: post, path: "/v1/console/signin", auth: public, class: free, account: true, serve: on(signInDoc, a.signIn)},
		{method: get, path: "/v1/console/claims/{token}", auth: public, class: free, account: true, serve: on(resolveDoc, a.resolve)},
		{method: post, path: "/v1/console/claims/{token}/signin", auth: public, class: free, account: true, serve: on(claimSignInDoc, a.claimSignIn)},
		{method: post, path: "/v1/console/session", auth: public, class: free, account: true, serve: on(sessionDoc, a.openSession)},
		{method: del, path: "/v1/console/session", auth: signedIn, class: free, serve: on(signOutDoc, a.signOut)},
		{method: get, path: "/v1/console/self", auth: signedIn, class: free, serve: on(consoleDoc, a.console)},
		{method: get, path: "/v1/console/usage", auth: signedIn, class: free, extra: true, serve: on(consoleUsageDoc, a.consoleUsage)},
		{method: post, path: "/v1/console/checkout", auth: signedIn, class: free, extra: true, serve: on(checkoutDoc, a.checkout)},
		{method: post, path: "/v1/console/portal", auth: signedIn, class: free, extra: true, serve: on(portalDoc, a.portal)},
		{method: post, path: "/v1/stripe/webhook", auth: public, class: free, extra: true, serve: raw(stripeDoc(b), a.stripeEvent)},

		{method: post, path: "/map-issues", auth: keyed, class: standard, serve: on(mapIssueDoc, a.reportMapIssue)},
		{method: post, path: "/v1/feedback", auth: keyed, class: free, account: true, serve: on(retroDoc, a.submitRetro)},

		{method: post, path: "/admin/keys", auth: operators, class: free, serve: on(mintDoc, a.mint)},
		{method: get, path: "/admin/keys", auth: operators, class: free, serve: on(keyListDoc, a.keys)},
		{method: del, path: "/admin/keys/{id}", auth: operators, class: free, serve: on(revokeDoc, a.revoke)},
		{method: get, path: "/admin/keys/{id}/usage", auth: operators, class: free, serve: on(keyUsageDoc, a.keyUsage)},
		{method: post, path: "/admin/keys/{id}/credit", auth: operators, class: free, serve: on(creditKeyDoc, a.creditKey)},
		{method: post, path: "/admin/identities/credit", auth: operators, class: free, serve: on(creditIdentityDoc, a.creditIdentity)},
		{method: get, path: "/admin/identities", auth: operators, class: free, serve: on(identitiesDoc, a.identities)},
		{method: get, path: "/admin/identities/{email}", auth: operators, class: free, serve: on(identityDoc, a.identity)},
		{method: post, path: "/admin/identities/{email}/quota", auth: operators, class: free, serve: on(quotaDoc, a.setQuota)},
		{method: post, path: "/admin/identities/{email}/download-allowance", auth: operators, class: free, serve: on(allowanceDoc, a.setAllowance)},
		{method: post, path: "/admin/identities/{email}/mau-included", auth: operators, class: free, serve: on(mauDoc, a.setMAU)},
		{method: get, path: "/admin/identities/{email}/quota-outreach", auth: operators, class: free, serve: on(outreachDoc, a.outreach)},
		{method: get, path: "/admin/overview", auth: operators, class: free, serve: on(overviewDoc, a.overview)},
		{method: get, path: "/admin/commercial", auth: operators, class: free, serve: on(commercialDoc, a.commercial)},
		{method: get, path: "/admin/pointclouds", auth: operators, class: free, serve: on(cloudsDoc, a.clouds)},
		{method: get, path: "/admin/clearance", auth: operators, class: free, serve: on(clearancesDoc, a.clearances)},
		{method: get, path: "/admin/retros", auth: operators, class: free, serve: on(retrosDoc, a.retros)},
		{method: get, path: "/admin/mcp-map-issues", auth: operators, class: free, serve: on(mapIssuesDoc, a.mapIssues)},

		{method: get, path: "/", auth: public, class: free, serve: raw(rootDoc(), a.root)},
		{method: get, path: "/health", auth: public, class: free, serve: on(healthDoc, a.health)},
		{method: get, path: "/v1/platform", auth: public, class: free, serve: on(platformDoc, a.platform)},
		{method: get, path: "/openapi.json", auth: public, class: free, serve: raw(openapiDoc(), a.serveOpenAPI)},
		{method: get, path: "/llms.txt", auth: public, class: free, serve: raw(textDoc("Orientation for agents"), a.llms)},
		{method: get, path: "/terms", auth: public, class: free, serve: raw(textDoc("Terms of use"), a.terms)},

		{method: get, path: "/keys", auth: public, class: free, operational: true, serve: unlisted(a.page("keys.html"))},
		{method: get, path: "/console", auth: public, class: free, operational: true, serve: unlisted(a.page("console.html"))},
		{method: get, path: "/console/claim", auth: public, class: free, operational: true, serve: unlisted(a.page("claim.html"))},
		{method: get, path: "/admin", auth: public, class: free, operational: true, serve: unlisted(a.page("admin.html"))},
		{method: get, path: "/explorer.json", auth: public, class: free, operational: true, serve: unlisted(a.explorer)},
		{method: get, path: "/assets/{file...}", auth: public, class: free, operational: true, serve: unlisted(a.assets)},
		{method: get, path: "/metrics", auth: public, class: free, operational: true, serve: unlisted(a.serveMetrics())},
	}
}

func openapiDoc() huma.Operation {
	return huma.Operation{Summary: "This document", Tags: []string{"service"}, Responses: answers("application/json", &huma.Schema{Type: huma.TypeObject})}
}

func textDoc(summary string) huma.Operation {
	return huma.Operation{Summary: summary, Tags: []string{"service"}, Responses: answers("text/plain", &huma.Schema{Type: huma.TypeString})}
}

func answers(media string, s *huma.Schema) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{media: {Schema: s}}}}
}
