package site

import (
	"context"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/record"
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

var platformDoc = edge.Doc{Summary: "What answers rest on", Tags: []string{"service"}, Description: "Every member may be null, which means unrecorded."}

func (d deployment) platform(ctx context.Context, _ *struct{}) (*Platform, error) {
	out := &Platform{GatewayVersion: record.Known(d.version)}
	if d.build != "unknown" {
		out.GatewayBuild = record.Known(d.build)
	}
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return out, nil
	}
	out.RoutingEngine = record.Known(w.Engine.Can().Name)
	out.GraphSnapshot = w.Territory.OSMTimestamp
	out.ElevationDataset = record.Known(w.Territory.Elevation)
	if !w.Since.IsZero() {
		out.GraphSwapped = &w.Since
	}
	if w.Maps != nil {
		out.Basemaps = w.Maps.IDs()
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if status, err := w.Engine.Status(ctx); err == nil {
		out.EngineVersion = record.Known(status.Version)
		if status.GraphDate != nil {
			out.GraphSnapshot = status.GraphDate
		}
	}
	return out, nil
}
