// Package route is the endpoints of routing in Valhalla's and in OSRM's form:
// routes, matrices, isochrones, traces and places on the network.
package route

import (
	"net/http"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/osrm"
)

// Deps is what the endpoints need.
type Deps struct {
	MatrixCells int              // most of one matrix; 0 is DefaultCells
	Now         func() time.Time // nil is time.Now
}

// Rows are the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post, keyed, priced, standard = http.MethodGet, http.MethodPost, edge.Keyed, edge.StandardOrPremium, edge.Standard
	z := newZoning(d.Now)
	m := matrices{cells: d.MatrixCells, zoning: z}
	return slices.Concat(
		twice(edge.Row{Path: "/route", Auth: keyed, Class: priced, Doc: routeDoc()}, z.answerRoute),
		[]edge.Row{
			osrmRow(edge.Row{Method: get, Path: "/route/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Failure: osrmFailures, Doc: osrmRouteDoc()}, (*osrm.URL).Route, answerOSRMRoute),
			osrmRow(edge.Row{Method: get, Path: "/table/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "table"}, Extra: true, Failure: osrmFailures, Doc: tableDoc()}, m.readTable, answerTable),
			osrmRow(edge.Row{Method: get, Path: "/nearest/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallNearest, Name: "nearest"}, Extra: true, Failure: osrmFailures, Doc: nearestDoc()}, (*osrm.URL).Nearest, answerNearest),
			osrmRow(edge.Row{Method: get, Path: "/match/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceRoute, Name: "match"}, Extra: true, Failure: osrmFailures, Doc: matchDoc()}, (*osrm.URL).Match, answerMatch),
			osrmRow(edge.Row{Method: get, Path: "/trip/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "trip"}, Extra: true, Failure: osrmFailures, Doc: tripDoc()}, (*osrm.URL).Trip, answerTrip),
		},
		twice(edge.Row{Path: "/locate", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallLocate, Name: "locate"}, Doc: locateDoc()}, written(answerLocate)),
		[]edge.Row{
			edge.On(edge.Row{Method: post, Path: "/route/progress", Auth: keyed, Class: priced, Doc: progressDoc}, follower{d.Now}.answer),
			edge.On(edge.Row{Method: post, Path: "/route/report", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceAttributes, Name: "report"}, Doc: reportDoc}, answerReport),
		},
		twice(edge.Row{Path: "/centroid", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallCentroid, Name: "centroid"}, Doc: centroidDoc()}, written(answerCentroid)),
		twice(edge.Row{Path: "/matrix", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "matrix"}, Doc: matrixDoc()}, written(m.matrix)),
		twice(edge.Row{Path: "/sources_to_targets", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "matrix"}, Extra: true, Doc: sourcesToTargetsDoc()}, written(m.sourcesToTargets)),
		twice(edge.Row{Path: "/isochrone", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallIsochrone, Name: "isochrone"}, Doc: isochroneDoc()}, written(answerIsochrone)),
		twice(edge.Row{Path: "/trace_route", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceRoute, Name: "trace_route"}, Doc: traceRouteDoc()}, written(answerTraceRoute)),
		twice(edge.Row{Path: "/trace_attributes", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceAttributes, Name: "trace_attributes"}, Doc: traceAttributesDoc()}, written(answerTraceAttributes)),
		[]edge.Row{
			edge.On(edge.Row{Method: post, Path: "/adr/check", Auth: keyed, Class: standard, Doc: adrCheckDoc}, answerADRCheck),
		},
	)
}

// twice binds an endpoint in Valhalla's form: as POST, and as GET with the body
// in the parameter json, which Valhalla's clients send too.
func twice[In any](row edge.Row, h func(http.ResponseWriter, *http.Request, *In) error) []edge.Row {
	post, get := row, row
	post.Method, get.Method, get.Extra = http.MethodPost, http.MethodGet, true
	get.Doc.Summary += " (GET)"
	get.Doc.Description = "POST " + row.Path + " with its body in the parameter json, for Valhalla's clients."
	return []edge.Row{edge.Write(post, h), edge.Write(get, h)}
}
