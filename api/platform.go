package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/world"
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

	Territories []PlatformTerritory `json:"territories,omitempty" doc:"where several regions are served: each of them; a member above that is not the same for all is null then"`
}

// PlatformTerritory is what the answers in one of several regions rest on.
type PlatformTerritory struct {
	ID               string     `json:"id"`
	Name             string     `json:"name"`
	EngineVersion    *string    `json:"routing_engine_version"`
	GraphSnapshot    *time.Time `json:"graph_snapshot"`
	GraphSwapped     *time.Time `json:"graph_swapped"`
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
	w, err := worldOf(ctx)
	if err != nil {
		return out, nil
	}
	out.Body.RoutingEngine = recorded(w.Engine().Can().Name)
	if w.Maps() != nil {
		out.Body.Basemaps = w.Maps().IDs()
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for i, r := range w.Regions() {
		t := provenance(ctx, r)
		if i == 0 {
			out.Body.EngineVersion, out.Body.GraphSnapshot, out.Body.GraphSwapped, out.Body.ElevationDataset = t.EngineVersion, t.GraphSnapshot, t.GraphSwapped, t.ElevationDataset
		}
		out.Body.EngineVersion = agreed(out.Body.EngineVersion, t.EngineVersion)
		out.Body.GraphSnapshot = agreed(out.Body.GraphSnapshot, t.GraphSnapshot)
		out.Body.GraphSwapped = agreed(out.Body.GraphSwapped, t.GraphSwapped)
		out.Body.ElevationDataset = agreed(out.Body.ElevationDataset, t.ElevationDataset)
		if len(w.Regions()) > 1 {
			out.Body.Territories = append(out.Body.Territories, t)
		}
	}
	return out, nil
}

// provenance is what the answers in a region rest on.
func provenance(ctx context.Context, r *world.Region) PlatformTerritory {
	t := PlatformTerritory{ID: r.ID, Name: r.Name, GraphSnapshot: r.OSMTimestamp, ElevationDataset: recorded(r.Elevation)}
	if !r.Since.IsZero() {
		t.GraphSwapped = &r.Since
	}
	if status, err := r.Engine.Status(ctx); err == nil {
		t.EngineVersion = recorded(status.Version)
		if status.GraphDate != nil {
			t.GraphSnapshot = status.GraphDate
		}
	}
	return t
}

// agreed is what two regions have in common; nil where they differ.
func agreed[T comparable](a, b *T) *T {
	if a == nil || b == nil || *a != *b {
		return nil
	}
	return a
}

func recorded(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
