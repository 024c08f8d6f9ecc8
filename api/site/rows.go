// Package site has the endpoints about the service itself: its state, its documents,
// and the website's pages.
package site

import (
	"context"
	"io/fs"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/world"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	Version, Build      string // of the gateway, and its source revision
	BaseURL, WebsiteURL string
	Website             fs.FS // as it was built; nil has a plain page instead

	TerritoryKey func(context.Context) string // that signs offline territories; "" is none
	AnswerKey    string                       // that signs answers; "" is none

	UnitPrice   int64 // millipence for a unit beyond the quota; 0 sells none
	Heights     bool  // POST /elevation/along answers
	Images      bool  // maps are drawn as images
	Voices      []Voice
	DemoRPM     int  // keyless calls a minute for one client network; 0 closes the lane
	PayWithCall bool // a call may pay for itself

	Rows     func() []edge.Row         // all that are mounted
	Document func() []byte             // their description in OpenAPI 3.1
	Older    func() []byte             // the same in 3.0
	Geocoder func(*world.World) string // what finds places; "" is nothing
	Stopping func() bool               // whether the server is shutting down; nil never is
	Stuck    func() bool               // whether calls that should have ended keep every processor; nil never is
	Redis    func() bool               // whether the Redis that rates are counted in answers; nil counts in this process
	Feeds    *feed.Set                 // nil has none
	Solver   optimise.Solver           // nil makes no plans
	Metrics  http.Handler              // nil where it has a listener of its own
}

// How long answers that seldom change may be cached.
const (
	fiveMinutes = "public, max-age=300"
	aDay        = "public, max-age=86400"
	forEver     = "public, max-age=31536000, immutable"
)

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const get, public, free = http.MethodGet, edge.Public, edge.Free
	const html, plain, noCache = "text/html", "text/plain", edge.NoCache
	about, pages := deployment{d.Version, d.Build, d.Stopping, d.Geocoder, d.Feeds, d.TerritoryKey, d.AnswerKey, d.Solver, d.Stuck, d.Redis}, website{d.Website, d.Version, d.Heights, d.Voices}
	says := texts{version: d.Version, baseURL: d.BaseURL, unitPrice: d.UnitPrice, demoRPM: d.DemoRPM, payWithCall: d.PayWithCall, rows: d.Rows, site: pages}
	rows := []edge.Row{
		edge.Write(edge.Row{Method: get, Path: "/v1/keys/verify", Auth: public, Class: free, Media: html, Cache: noCache, Doc: verifyPageDoc}, page[linkIn](pages, "verify.html")),
		edge.Write(edge.Row{Method: get, Path: "/", Auth: public, Class: free, Doc: rootDoc}, root{pages, d.BaseURL, d.WebsiteURL, d.Images}.open),
		edge.On(edge.Row{Method: get, Path: "/health", Auth: public, Class: free, Cache: edge.NoStore, Doc: healthDoc}, about.health),
		edge.On(edge.Row{Method: get, Path: "/ready", Auth: public, Class: free, BeyondContract: true, Cache: edge.NoStore, Doc: readyDoc}, about.ready),
		edge.On(edge.Row{Method: get, Path: "/v1/platform", Auth: public, Tagged: true, Class: free, Cache: fiveMinutes, Doc: platformDoc}, about.platform),
		edge.Write(edge.Row{Method: get, Path: "/openapi.json", Auth: public, Tagged: true, Class: free, Cache: fiveMinutes, Doc: documentDoc}, document{d.Document, d.Older}.send),
		edge.Write(edge.Row{Method: get, Path: "/llms.txt", Auth: public, Tagged: true, Class: free, Media: plain, Cache: fiveMinutes, Doc: textDoc("Orientation for agents", "What the service is, how one calls it and what it costs, for a language model to read first.")}, says.llms),
		edge.Write(edge.Row{Method: get, Path: "/terms", Auth: public, Tagged: true, Class: free, Media: plain, Cache: fiveMinutes, Doc: textDoc("Terms of use", "The terms that hold for callers of this deployment.")}, says.terms),

		edge.Write(edge.Row{Method: get, Path: "/keys", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "keys.html")),
		edge.Write(edge.Row{Method: get, Path: "/console", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "console.html")),
		edge.Write(edge.Row{Method: get, Path: "/console/claim", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "claim.html")),
		edge.Write(edge.Row{Method: get, Path: "/admin", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "admin.html")),
		edge.Write(edge.Row{Method: get, Path: "/reference", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "reference.html")),
		edge.Write(edge.Row{Method: get, Path: "/welcome", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "welcome.html")),
		edge.Write(edge.Row{Method: get, Path: "/themes", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "themes.html")),
		edge.Write(edge.Row{Method: get, Path: "/static-maps", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "static-maps.html")),
		edge.Write(edge.Row{Method: get, Path: "/downloads", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "downloads.html")),
		edge.Write(edge.Row{Method: get, Path: "/planner", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "planner.html")),
		edge.Write(edge.Row{Method: get, Path: "/driver", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "driver.html")),
		edge.Write(edge.Row{Method: get, Path: "/driver-worker.js", Auth: public, Class: free, Cache: noCache, Operational: true}, pages.driverWorker),
		edge.Write(edge.Row{Method: get, Path: "/arrival", Auth: public, Class: free, Cache: noCache, Operational: true}, page[struct{}](pages, "arrival.html")),
		edge.Write(edge.Row{Method: get, Path: "/explorer.json", Auth: public, Class: free, Cache: noCache, Operational: true}, pages.explorer),
		edge.Write(edge.Row{Method: get, Path: "/favicon.ico", Auth: public, Class: free, Cache: aDay, Operational: true}, pages.favicon),
		edge.Write(edge.Row{Method: get, Path: "/assets/{file...}", Auth: public, Class: free, Cache: forEver, Operational: true}, pages.assets),
	}
	if d.Metrics != nil {
		rows = append(rows, edge.Write(edge.Row{Method: get, Path: "/metrics", Auth: edge.Scrapers, Class: free, Operational: true}, metrics(d.Metrics)))
	}
	return rows
}

// document serves the description of the endpoints.
type document struct{ latest, older func() []byte }

var documentDoc = edge.Doc{
	Summary: "This document", Tags: []string{"service"}, Answers: []edge.Answer{{}},
	Description: "The description of every endpoint in OpenAPI 3.1, or in 3.0 for programs that read no other.",
}

// documentIn chooses between the versions of OpenAPI.
type documentIn struct {
	Version string `query:"version" enum:"3.1,3.0" default:"3.1" doc:"of OpenAPI"`
}

func (d document) send(w http.ResponseWriter, _ *http.Request, in *documentIn) error {
	text := d.latest()
	if in.Version == "3.0" {
		text = d.older()
	}
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(text)
	return err
}

func textDoc(summary, description string) edge.Doc {
	return edge.Doc{Summary: summary, Description: description, Tags: []string{"service"}, Answers: []edge.Answer{{}}}
}

func metrics(h http.Handler) func(http.ResponseWriter, *http.Request, *struct{}) error {
	return func(w http.ResponseWriter, r *http.Request, _ *struct{}) error {
		h.ServeHTTP(w, r)
		return nil
	}
}
