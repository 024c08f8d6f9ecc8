package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// routes is the table of endpoints: what exists is here and nowhere else.
func (a *API) routes(_ *binding) []row {
	return []row{
		{method: http.MethodGet, path: "/health", auth: public, class: free, serve: on(healthDoc, a.health)},
		{method: http.MethodGet, path: "/openapi.json", auth: public, class: free, serve: raw(openapiDoc, a.serveOpenAPI)},
		{method: http.MethodGet, path: "/metrics", auth: public, class: free, operational: true, serve: unlisted(a.serveMetrics())},
	}
}

var openapiDoc = huma.Operation{Summary: "This document", Tags: []string{"service"}}
