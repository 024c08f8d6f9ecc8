package api

import (
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
)

// routing is what the endpoints of routing need.
type routing struct {
	edge  *edge.Edge
	cells int // most of one matrix; 0 is matrix.DefaultCells
}

func (a *routing) rows() []edge.Row {
	const get, post, keyed, priced, standard = http.MethodGet, http.MethodPost, edge.Keyed, edge.StandardOrPremium, edge.Standard
	return []edge.Row{
		edge.Reserving(edge.Row{Method: post, Path: "/route", Auth: keyed, Class: priced, Doc: routeDoc()}, a.route),
		edge.Reserving(edge.Row{Method: get, Path: "/route/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Failure: osrmFailures, Doc: compatibleDoc()}, a.compatibleRoute),
		edge.Reserving(edge.Row{Method: get, Path: "/table/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "table"}, Extra: true, Failure: osrmFailures, Doc: tableDoc()}, a.compatibleTable),
		edge.Reserving(edge.Row{Method: get, Path: "/nearest/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallNearest, Name: "nearest"}, Extra: true, Failure: osrmFailures, Doc: nearestDoc()}, a.compatibleNearest),
		edge.Reserving(edge.Row{Method: get, Path: "/match/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceRoute, Name: "match"}, Extra: true, Failure: osrmFailures, Doc: matchDoc()}, a.compatibleMatch),
		edge.Reserving(edge.Row{Method: get, Path: "/trip/v1/{profile}/{coordinates}", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "trip"}, Extra: true, Failure: osrmFailures, Doc: tripDoc()}, a.compatibleTrip),
		edge.Reserving(edge.Row{Method: post, Path: "/locate", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallLocate, Name: "locate"}, Doc: locateDoc()}, a.locate),
		edge.On(edge.Row{Method: post, Path: "/route/progress", Auth: keyed, Class: priced, Doc: progressDoc}, a.progress),
		edge.On(edge.Row{Method: post, Path: "/route/along", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "along"}, Doc: alongDoc}, a.along),
		edge.On(edge.Row{Method: post, Path: "/route/report", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceAttributes, Name: "report"}, Doc: reportDoc}, a.report),
		edge.Reserving(edge.Row{Method: post, Path: "/centroid", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallCentroid, Name: "centroid"}, Doc: centroidDoc()}, a.centroid),
		edge.Reserving(edge.Row{Method: post, Path: "/matrix", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallMatrix, Name: "matrix"}, Doc: matrixDoc()}, a.matrix),
		edge.Reserving(edge.Row{Method: post, Path: "/isochrone", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallIsochrone, Name: "isochrone"}, Doc: isochroneDoc()}, a.isochrone),
		edge.Reserving(edge.Row{Method: post, Path: "/trace_route", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceRoute, Name: "trace_route"}, Doc: traceRouteDoc()}, a.traceRoute),
		edge.Reserving(edge.Row{Method: post, Path: "/trace_attributes", Auth: keyed, Class: priced, Needs: edge.Need{Call: engine.CallTraceAttributes, Name: "trace_attributes"}, Doc: traceAttributesDoc()}, a.traceAttributes),
		edge.On(edge.Row{Method: post, Path: "/adr/check", Auth: keyed, Class: standard, Doc: adrCheckDoc}, a.adrCheck),
	}
}
