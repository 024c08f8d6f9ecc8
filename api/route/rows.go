// Package route is the endpoints of routing in Valhalla's and in OSRM's form:
// routes, matrices, isochrones, traces and places on the network.
package route

import (
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/evidence"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/wire/osrm"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	MatrixCells int                  // most of one matrix; 0 is DefaultCells
	Now         func() time.Time     // nil is time.Now
	Updates     *transit.UpdateFeeds // of public transport; nil has none
	Signer      *evidence.Signer     // of answers; nil signs none
	Clearance   *clearance.Service   // what was measured over roads; nil has nothing
	Log         *slog.Logger         // required
}

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post, keyed, priced, standard = http.MethodGet, http.MethodPost, edge.Keyed, edge.StandardOrPremium, edge.Standard
	z := newZoneService(d.Now)
	p := newPublicTransport(d)
	m := matrices{cells: d.MatrixCells, zoneService: z, transit: p}
	return slices.Concat(
		postAndGet(edge.Row{Path: "/route", Auth: keyed, Class: priced, Doc: routeDoc()}, router{z, d.Signer, d.Log, d.Clearance}.answer),
		[]edge.Row{
			osrmRow(edge.Row{Method: get, Path: "/route/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Failure: osrmFailures, Doc: osrmRouteDoc()}, (*osrm.URL).Route, answerOSRMRoute),
			osrmRow(edge.Row{Method: get, Path: "/table/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "table"}, BeyondContract: true, Failure: osrmFailures, Doc: tableDoc()}, m.readTable, answerTable),
			osrmRow(edge.Row{Method: get, Path: "/nearest/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallNearest, Name: "nearest"}, BeyondContract: true, Failure: osrmFailures, Doc: nearestDoc()}, (*osrm.URL).Nearest, answerNearest),
			osrmRow(edge.Row{Method: get, Path: "/match/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceRoute, Name: "match"}, BeyondContract: true, Failure: osrmFailures, Doc: matchDoc()}, (*osrm.URL).Match, answerMatch),
			osrmRow(edge.Row{Method: get, Path: "/trip/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "trip"}, BeyondContract: true, Failure: osrmFailures, Doc: tripDoc()}, (*osrm.URL).Trip, answerTrip),
		},
		postAndGet(edge.Row{Path: "/locate", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallLocate, Name: "locate"}, Doc: locateDoc()}, written(answerLocate)),
		[]edge.Row{
			edge.On(edge.Row{Method: post, Path: "/route/progress", Auth: keyed, Class: priced, Doc: progressDoc}, progressTracker{d.Now}.answer),
			edge.On(edge.Row{Method: post, Path: "/route/report", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceAttributes, Name: "report"}, Doc: reportDoc}, answerReport),
		},
		postAndGet(edge.Row{Path: "/centroid", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallCentroid, Name: "centroid"}, Doc: centroidDoc()}, written(answerCentroid)),
		postAndGet(edge.Row{Path: "/matrix", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "matrix"}, Doc: matrixDoc()}, written(m.matrix)),
		postAndGet(edge.Row{Path: "/sources_to_targets", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "matrix"}, BeyondContract: true, Doc: sourcesToTargetsDoc()}, written(m.sourcesToTargets)),
		postAndGet(edge.Row{Path: "/isochrone", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallIsochrone, Name: "isochrone"}, Doc: isochroneDoc()}, written(p.answerIsochrone)),
		postAndGet(edge.Row{Path: "/trace_route", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceRoute, Name: "trace_route"}, Doc: traceRouteDoc()}, written(answerTraceRoute)),
		postAndGet(edge.Row{Path: "/trace_attributes", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceAttributes, Name: "trace_attributes"}, Doc: traceAttributesDoc()}, written(answerTraceAttributes)),
		[]edge.Row{
			edge.On(edge.Row{Method: post, Path: "/adr/check", Auth: keyed, Class: standard, Doc: adrCheckDoc}, answerADRCheck),
		},
	)
}

// postAndGet binds an endpoint in Valhalla's form: as POST, and as GET with the body
// in the parameter json, which Valhalla's clients send too.
func postAndGet[In any](row edge.Row, h func(http.ResponseWriter, *http.Request, *In) error) []edge.Row {
	post, get := row, row
	post.Method, get.Method, get.BeyondContract = http.MethodPost, http.MethodGet, true
	get.Doc.Summary += " (GET)"
	get.Doc.Description = "POST " + row.Path + " with its body in the parameter json, for Valhalla's clients."
	return []edge.Row{edge.Write(post, h), edge.Write(get, h)}
}
