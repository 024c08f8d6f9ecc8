package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// probeTimeout bounds how long /health waits for the engine.
const probeTimeout = 2 * time.Second

// Health is the answer of GET /health.
type Health struct {
	Status  string `json:"status" enum:"ok,degraded" doc:"ok when the routing engine answers its probe"`
	Backend string `json:"backend" doc:"the routing engine's name; none before a region is served"`
	Version string `json:"version" doc:"gateway version"`
	Build   string `json:"build" doc:"source revision, or unknown"`
}

type healthOut struct {
	CacheControl string `header:"Cache-Control"`
	Body         Health
}

var healthDoc = huma.Operation{
	Summary: "Liveness", Tags: []string{"service"},
	Description: "Always 200 while the gateway runs; status says whether it can route.",
}

func (a *API) health(ctx context.Context, _ *struct{}) (*healthOut, error) {
	out := &healthOut{CacheControl: "no-store", Body: Health{Status: "degraded", Backend: "none", Version: a.options.Version, Build: a.options.Build}}
	if out.Body.Build == "" {
		out.Body.Build = "unknown"
	}
	w, err := worldOf(ctx)
	if err != nil {
		return out, nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	out.Body.Backend = w.Engine().Can().Name
	for _, r := range w.Regions() {
		if _, err := r.Engine.Status(ctx); err != nil {
			return out, nil
		}
	}
	out.Body.Status = "ok"
	return out, nil
}
