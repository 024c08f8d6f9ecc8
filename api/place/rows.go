// Package place is the endpoints about places as callers give them: coordinates,
// the ground and the clocks there, and what is wrong with the map.
package place

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/elevation"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/feature/places"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	Feedback   *feedback.Service
	Heights    *elevation.Service // nil has none
	Places     *places.Service    // of callers
	MaxOwn     int64              // bytes of an upload of places; 0 is DefaultMaxOwn
	Boundaries *boundary.Service  // nil is for those of the regions alone
	Log        *slog.Logger
	Now        func() time.Time
}

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post, put = http.MethodGet, http.MethodPost, http.MethodPut
	const keyed, standard = edge.Keyed, edge.Standard
	h := heights{d.Heights, d.Log}
	o := own{d.Places}
	if d.Boundaries == nil {
		d.Boundaries = &boundary.Service{}
	}
	return []edge.Row{
		edge.On(edge.Row{Method: post, Path: "/geodata/validate", Effort: engine.Estimate{Kind: "validate", Work: 2 * time.Millisecond, Bytes: 2 << 20, Cores: 1, Cheaper: "fewer coordinates"}, Auth: keyed, Class: standard, Doc: validateDoc}, validate),
		edge.On(edge.Row{Method: get, Path: "/coordinates/transform", Auth: keyed, Class: standard, Doc: transformDoc}, transform),
		edge.On(edge.Row{Method: get, Path: "/coordinates/crs", Auth: keyed, Class: standard, Doc: crsDoc}, crs),

		edge.On(edge.Row{Method: post, Path: "/elevation", Auth: keyed, Class: standard, Doc: elevationDoc}, h.points),
		edge.On(edge.Row{Method: post, Path: "/elevation/along", Auth: keyed, Class: standard, Doc: profileDoc}, h.along),
		edge.On(edge.Row{Method: get, Path: "/timezone", Auth: keyed, Class: standard, Doc: timezoneDoc}, zone(d.Now)),
		edge.On(edge.Row{Method: get, Path: "/boundary", Auth: keyed, Class: standard, Doc: boundaryDoc}, boundaries{d.Boundaries}.at),
		edge.On(edge.Row{Method: get, Path: "/v1/zones", Auth: keyed, Class: standard, Doc: zonesDoc}, zoneList{d.Now}.answer),

		edge.On(edge.Row{Method: put, Path: "/places", Auth: keyed, Class: standard, Cache: edge.NoStore, MaxBody: cmp.Or(d.MaxOwn, DefaultMaxOwn), Doc: ownPutDoc}, o.put),
		edge.Write(edge.Row{Method: get, Path: "/places", Auth: keyed, Class: standard, Cache: edge.NoStore, Doc: ownGetDoc}, o.get),
		edge.On(edge.Row{Method: http.MethodDelete, Path: "/places", Auth: keyed, Class: standard, Cache: edge.NoStore, Status: http.StatusNoContent, Doc: ownDeleteDoc}, o.remove),
		edge.Write(edge.Row{Method: get, Path: "/places/search", Auth: keyed, Maps: true, Class: standard, Cache: edge.NoStore, Doc: ownSearchDoc}, o.search),
		edge.Write(edge.Row{Method: get, Path: "/places/nearest", Auth: keyed, Maps: true, Class: standard, Cache: edge.NoStore, Doc: ownNearestDoc}, o.nearest),

		edge.On(edge.Row{Method: get, Path: "/v1/places/in-view", Auth: keyed, Class: edge.FlatFive, Doc: inViewDoc}, h.inView),

		edge.On(edge.Row{Method: post, Path: "/map-issues", Auth: keyed, Class: standard, Status: http.StatusCreated, Doc: mapIssueDoc}, issues{d.Feedback}.report),
	}
}
