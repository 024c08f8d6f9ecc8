package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Platform is the answer of GET /v1/platform: what this deployment's answers
// rest on. Null means unrecorded.
type Platform struct {
	GatewayVersion   *string    `json:"gateway_version"`
	GatewayBuild     *string    `json:"gateway_build" doc:"source revision"`
	RoutingEngine    *string    `json:"routing_engine"`
	EngineVersion    *string    `json:"routing_engine_version"`
	GraphSnapshot    *time.Time `json:"graph_snapshot" doc:"date of the map data behind the graph"`
	GraphSwapped     *time.Time `json:"graph_swapped" doc:"when the graph was taken into service"`
	Basemaps         []string   `json:"basemaps" doc:"archives of map tiles"`
	Geocoder         *string    `json:"geocoder"`
	ElevationDataset *string    `json:"elevation_dataset"`
}

type platformOut struct {
	CacheControl string `header:"Cache-Control"`
	Body         Platform
}

var platformDoc = huma.Operation{Summary: "What answers rest on", Tags: []string{"service"}, Description: "Every member may be null, which means unrecorded."}

func (a *API) platform(ctx context.Context, _ *struct{}) (*platformOut, error) {
	out := &platformOut{CacheControl: "public, max-age=300"}
	out.Body.GatewayVersion = recorded(a.options.Version)
	if a.options.Build != "unknown" {
		out.Body.GatewayBuild = recorded(a.options.Build)
	}
	w, err := world(ctx)
	if err != nil {
		return out, nil
	}
	out.Body.RoutingEngine = recorded(w.Engine.Can().Name)
	out.Body.GraphSnapshot = w.Territory.OSMTimestamp
	out.Body.ElevationDataset = recorded(w.Territory.Elevation)
	if !w.Since.IsZero() {
		out.Body.GraphSwapped = &w.Since
	}
	if w.Maps != nil {
		out.Body.Basemaps = w.Maps.IDs()
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if status, err := w.Engine.Status(ctx); err == nil {
		out.Body.EngineVersion = recorded(status.Version)
		if status.GraphDate != nil {
			out.Body.GraphSnapshot = status.GraphDate
		}
	}
	return out, nil
}

func recorded(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
