package site

import (
	"context"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/null"
	"github.com/waygate/waygate/world"
)

// Platform is the answer of GET /v1/platform: the data and software behind this
// deployment's answers. Null means unrecorded.
type Platform struct {
	GatewayVersion   *string    `json:"gateway_version"`
	GatewayBuild     *string    `json:"gateway_build" doc:"source revision"`
	RoutingEngine    *string    `json:"routing_engine"`
	EngineVersion    *string    `json:"routing_engine_version"`
	GraphSnapshot    *time.Time `json:"graph_snapshot" doc:"date of the map data behind the graph"`
	GraphSwapped     *time.Time `json:"graph_swapped" doc:"when the graph was taken into service"`
	Basemaps         []string   `json:"basemaps" nullable:"true" doc:"archives of map tiles"`
	Geocoder         *string    `json:"geocoder" doc:"what answers /geocode: first-party, proxy, or both by turns"`
	ElevationDataset *string    `json:"elevation_dataset"`
	TerritoryKey     *string    `json:"territory_key" doc:"Ed25519 public key, 32 bytes in base64, that the index and the manifests of offline territories are signed with; null where none is published"`
	AnswerKey        *string    `json:"answer_key" doc:"Ed25519 public key, 32 bytes in base64, that answers are signed with on request; null where none are"`

	Upstreams   []PlatformUpstream  `json:"upstreams,omitempty" doc:"servers of remote routing engines"`
	Territories []PlatformTerritory `json:"territories,omitempty" doc:"where several regions are served: each of them; a member above that is not the same for all is null then"`
}

// PlatformUpstream describes one server of a remote routing engine.
type PlatformUpstream struct {
	Engine        string     `json:"engine" enum:"valhalla,osrm"`
	Costing       *string    `json:"costing" doc:"whose profile it has; null where it has all"`
	Number        int        `json:"number" doc:"as in GET /health"`
	EngineVersion *string    `json:"routing_engine_version"`
	GraphSnapshot *time.Time `json:"graph_snapshot"`
	Swapped       *time.Time `json:"swapped" doc:"when its version or graph last changed; null where it has not since this gateway started"`
}

// PlatformTerritory is the same for one of several regions.
type PlatformTerritory struct {
	ID               string     `json:"id"`
	Name             string     `json:"name"`
	EngineVersion    *string    `json:"routing_engine_version"`
	GraphSnapshot    *time.Time `json:"graph_snapshot"`
	GraphSwapped     *time.Time `json:"graph_swapped"`
	ElevationDataset *string    `json:"elevation_dataset"`
}

var platformDoc = edge.Doc{Summary: "What answers rest on", Tags: []string{"service"}, Description: "Every member may be null, which means unrecorded."}

func (d deployment) platform(ctx context.Context, _ *struct{}) (*Platform, error) {
	out := &Platform{GatewayVersion: null.IfZero(d.version)}
	if d.build != "unknown" {
		out.GatewayBuild = null.IfZero(d.build)
	}
	out.AnswerKey = null.IfZero(d.answerKey)
	out.TerritoryKey = null.IfZero(d.territoryKey(ctx))
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return out, nil
	}
	out.RoutingEngine = null.IfZero(w.Engine().Can().Name)
	out.Geocoder = null.IfZero(d.geocoder(w))
	if w.Maps() != nil {
		out.Basemaps = w.Maps().IDs()
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for i, r := range w.Regions() {
		t, servers := provenance(ctx, r)
		if i == 0 {
			out.Upstreams = upstreams(servers)
		}
		if i == 0 {
			out.EngineVersion, out.GraphSnapshot, out.GraphSwapped, out.ElevationDataset = t.EngineVersion, t.GraphSnapshot, t.GraphSwapped, t.ElevationDataset
		}
		out.EngineVersion = agreed(out.EngineVersion, t.EngineVersion)
		out.GraphSnapshot = agreed(out.GraphSnapshot, t.GraphSnapshot)
		out.GraphSwapped = agreed(out.GraphSwapped, t.GraphSwapped)
		out.ElevationDataset = agreed(out.ElevationDataset, t.ElevationDataset)
		if len(w.Regions()) > 1 {
			out.Territories = append(out.Territories, t)
		}
	}
	return out, nil
}

// provenance returns the data behind the answers in a region.
func provenance(ctx context.Context, r *world.Region) (t PlatformTerritory, servers []engine.Server) {
	t = PlatformTerritory{ID: r.ID, Name: r.Name, GraphSnapshot: r.OSMTimestamp, ElevationDataset: null.IfZero(r.Elevation)}
	if !r.Since.IsZero() {
		t.GraphSwapped = &r.Since
	}
	status, err := r.Engine.Status(ctx)
	if err == nil {
		t.EngineVersion = null.IfZero(status.Version)
		if status.GraphDate != nil {
			t.GraphSnapshot = status.GraphDate
		}
	}
	return t, status.Servers
}

func upstreams(servers []engine.Server) (list []PlatformUpstream) {
	for i := range servers {
		x := &servers[i]
		list = append(list, PlatformUpstream{x.Engine, null.IfZero(x.Costing), x.Number, null.IfZero(x.Version), x.GraphDate, x.Renewed})
	}
	return list
}

// agreed returns what two regions have in common; nil if they differ.
func agreed[T comparable](a, b *T) *T {
	if a == nil || b == nil || *a != *b {
		return nil
	}
	return a
}
