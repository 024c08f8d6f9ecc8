package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// routes is the table of endpoints: what exists is here and nowhere else.
func (a *API) routes(b *binding) []row {
	const get, post = http.MethodGet, http.MethodPost
	return []row{
		{method: post, path: "/route", auth: keyed, class: standardOrPremium, serve: raw(routeDoc(b), a.route)},
		{method: get, path: "/route/v1/{profile}/{coordinates}", auth: keyed, class: standardOrPremium, failure: writeCompatible, serve: raw(compatibleDoc(b), a.compatibleRoute)},
		{method: post, path: "/adr/check", auth: keyed, class: standard, serve: on(adrCheckDoc, a.adrCheck)},

		{method: post, path: "/geodata/validate", auth: keyed, class: standard, serve: on(validateDoc, a.validate)},
		{method: get, path: "/coordinates/transform", auth: keyed, class: standard, serve: on(transformDoc, a.transform)},
		{method: get, path: "/coordinates/crs", auth: keyed, class: standard, serve: on(crsDoc, a.crs)},

		{method: get, path: "/tiles/{territory}/{z}/{x}/{y}.mvt", auth: keyed, maps: true, class: standard, serve: raw(tileDoc(""), a.tile)},
		{method: get, path: "/tiles/{territory}/{z}/{x}/{y}.pbf", auth: keyed, maps: true, class: standard, serve: raw(tileDoc(" (other name)"), a.tile)},
		{method: get, path: "/tiles/{territory}/style.json", auth: keyed, maps: true, class: standard, serve: raw(styleDoc(), a.style)},
		{method: get, path: "/tiles/{territory}/tiles.json", auth: keyed, maps: true, class: standard, serve: raw(tileJSONDoc(b), a.tileJSON)},
		{method: get, path: "/fonts/{fontstack}/{range}", auth: public, maps: true, class: free, serve: raw(glyphsDoc(), a.glyphs)},

		{method: get, path: "/", auth: public, class: free, serve: raw(rootDoc(), a.root)},
		{method: get, path: "/health", auth: public, class: free, serve: on(healthDoc, a.health)},
		{method: get, path: "/v1/platform", auth: public, class: free, serve: on(platformDoc, a.platform)},
		{method: get, path: "/openapi.json", auth: public, class: free, serve: raw(openapiDoc(), a.serveOpenAPI)},
		{method: get, path: "/llms.txt", auth: public, class: free, serve: raw(textDoc("Orientation for agents"), a.llms)},
		{method: get, path: "/terms", auth: public, class: free, serve: raw(textDoc("Terms of use"), a.terms)},

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
