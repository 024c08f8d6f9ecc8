package api

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// pagePolicy lets a page load only what this server has. The map draws in
// workers and on images it makes itself, hence blob: and data:. Pages that lie
// deeper than the root name it as their base.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"

func rootDoc() huma.Operation {
	return huma.Operation{
		Summary: "The map explorer, or what this is", Tags: []string{"service"},
		Description: "A browser gets the map explorer; others get a JSON object with addresses.",
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{
			"application/json": {Schema: &huma.Schema{Type: huma.TypeObject}},
			"text/html":        {Schema: &huma.Schema{Type: huma.TypeString}},
		}}},
	}
}

func (a *API) root(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Vary", "Accept")
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		base := a.options.BaseURL
		return writeJSON(w, http.StatusOK, "application/json", map[string]any{
			"name": "waygate", "version": a.options.Version,
			"links": map[string]string{
				"openapi": base + "/openapi.json", "agents": base + "/llms.txt", "terms": base + "/terms",
				"keys": a.options.WebsiteURL + "/keys", "console": a.options.WebsiteURL + "/console",
				"health": base + "/health", "platform": base + "/v1/platform", "website": a.options.WebsiteURL + "/",
			},
		})
	}
	return a.showPage(w, "index.html", 0)
}

// assets serves the website's files. Their names carry a hash of their
// content, so they may be kept for ever.
func (a *API) assets(w http.ResponseWriter, r *http.Request) error {
	name := "assets/" + r.PathValue("file")
	if a.options.Website == nil || !fs.ValidPath(name) {
		return fault.New(fault.NotFound, "there is no %s here", shownPath(r))
	}
	info, err := fs.Stat(a.options.Website, name)
	if err != nil || info.IsDir() {
		return fault.New(fault.NotFound, "there is no %s here", shownPath(r))
	}
	data, err := fs.ReadFile(a.options.Website, name)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	return nil
}

// Example is a journey that the explorer offers.
type Example struct {
	Title          string          `json:"title"`
	Costing        costing.Costing `json:"costing"`
	CostingOptions map[string]any  `json:"costing_options,omitempty"`
	ADR            *ADRProfile     `json:"adr,omitempty"`
	Points         [][2]float64    `json:"points"` // lon, lat
}

// explorerFacts is what the explorer needs to know of a deployment.
type explorerFacts struct {
	Territory   string            `json:"territory"`
	Name        string            `json:"name"`
	Bounds      *[4]float64       `json:"bounds"` // west, south, east, north; null without a region
	Center      [3]float64        `json:"center"` // lon, lat, zoom
	Attribution string            `json:"attribution"`
	Costings    []costing.Costing `json:"costings"`
	Version     string            `json:"version"`
	Examples    json.RawMessage   `json:"examples"`
}

func (a *API) explorer(w http.ResponseWriter, r *http.Request) error {
	current, err := worldOf(r.Context())
	if err != nil {
		return err
	}
	t := current.Regions()[0]
	facts := explorerFacts{
		Territory: t.ID, Name: t.Name, Center: [3]float64{0, 20, 1}, Attribution: strings.Join(t.Attribution, " · "),
		Costings: costing.All[:], Version: a.options.Version, Examples: t.Examples,
	}
	if facts.Examples == nil {
		facts.Examples = json.RawMessage("[]")
	}
	if t.ID != "" && !t.Bounds.Empty() {
		facts.Bounds = &[4]float64{t.Bounds.Min.Lon, t.Bounds.Min.Lat, t.Bounds.Max.Lon, t.Bounds.Max.Lat}
		middle := t.Bounds.Centre()
		facts.Center = [3]float64{middle.Lon, middle.Lat, fitting(t.Bounds)}
	}
	w.Header().Set("Cache-Control", "no-cache")
	return writeJSON(w, http.StatusOK, "application/json", facts)
}

// fitting is the zoom at which bounds fill a map of about 1024 by 768 points,
// in half steps between 1 and 15. At zoom 0 the world is 512 points wide.
func fitting(b geo.Bounds) float64 {
	mercator := func(lat float64) float64 {
		s := math.Sin(max(-85, min(85, lat)) * math.Pi / 180)
		return math.Log((1+s)/(1-s)) / (4 * math.Pi)
	}
	wide := max((b.Max.Lon-b.Min.Lon)/360, 1e-9)
	high := max(mercator(b.Max.Lat)-mercator(b.Min.Lat), 1e-9)
	zoom := math.Log2(min(1024/512/wide, 768.0/512/high))
	return max(1, min(15, math.Floor(zoom*2)/2))
}
