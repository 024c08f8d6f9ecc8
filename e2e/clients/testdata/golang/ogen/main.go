// Command ogen calls the gateway by the client that ogen makes.
package main

import (
	"context"
	"log"
	"os"

	"github.com/ogen-go/ogen/ogenerrors"

	"example.com/clients/ogen/api"
)

// tokens are the ways in: a key where there is one, and the operator's.
type tokens struct{ key, admin string }

func (t *tokens) Admin(context.Context, api.OperationName) (api.Admin, error) {
	return api.Admin{Token: t.admin}, nil
}

func (t *tokens) Bearer(context.Context, api.OperationName) (b api.Bearer, err error) {
	if t.key == "" {
		return b, ogenerrors.ErrSkipClientSecurity
	}
	return api.Bearer{Token: t.key}, nil
}

func (*tokens) APIKey(context.Context, api.OperationName) (k api.APIKey, err error) {
	return k, ogenerrors.ErrSkipClientSecurity
}

func (*tokens) ConsoleSession(context.Context, api.OperationName) (s api.ConsoleSession, err error) {
	return s, ogenerrors.ErrSkipClientSecurity
}

func (*tokens) Link(context.Context, api.OperationName) (l api.Link, err error) {
	return l, ogenerrors.ErrSkipClientSecurity
}

func (*tokens) Payment(context.Context, api.OperationName) (p api.Payment, err error) {
	return p, ogenerrors.ErrSkipClientSecurity
}

func main() {
	ctx, by := context.Background(), &tokens{admin: os.Getenv("WAYGATE_ADMIN")}
	c, err := api.NewClient(os.Getenv("WAYGATE_URL"), by)
	check(err == nil, "client", err)
	from, to := api.RouteLocation{Lat: 49.326622, Lon: -7.267471}, api.RouteLocation{Lat: 49.321496, Lon: -7.235719}

	answer, err := c.PostRoute(ctx, &api.RouteRequest{Locations: []api.RouteLocation{from, to}}, api.PostRouteParams{})
	routed, ok := answer.(*api.PostRouteOKApplicationJSONHeaders)
	check(ok && err == nil, "route", answer, err)
	trip := routed.Response.RouteAnswer.Trip
	check(trip.Summary.Length > 1 && len(trip.Legs[0].Maneuvers) > 1 && routed.XSvcQuotaUnits.Value == 1, "trip", trip)

	source := api.MatrixLocation{Lat: from.Lat, Lon: from.Lon}
	answered, err := c.PostMatrix(ctx, &api.MatrixRequest{
		Sources: api.NewOptNilMatrixLocationArray([]api.MatrixLocation{source}), Targets: api.NewOptNilMatrixLocationArray([]api.MatrixLocation{source, {Lat: to.Lat, Lon: to.Lon}}),
	}, api.PostMatrixParams{})
	table, ok := answered.(*api.MatrixAnswerHeaders)
	check(ok && err == nil && table.Response.Durations[0][1].Value > 0, "matrix", answered, err)

	reached, err := c.PostIsochrone(ctx, &api.IsochroneRequest{
		Locations: []api.RouteLocation{from}, Contours: []api.IsochroneContour{{Time: api.NewOptNilFloat64(2)}}, Polygons: api.NewOptNilBool(true),
	}, api.PostIsochroneParams{})
	reach, ok := reached.(*api.IsochroneAnswerHeaders)
	check(ok && err == nil && reach.Response.Features[0].Properties.Contour.Value == 2, "isochrone", reached, err)

	made, err := c.PostAdminKeys(ctx, &api.MintInBody{Name: "ogen", MonthlyQuota: 100, RatePerMin: 100})
	minted, ok := made.(*api.MintedKeyHeaders)
	check(ok && err == nil, "key", made, err)
	by.key = minted.Response.Key
	own, err := c.GetV1KeysSelf(ctx)
	self, ok := own.(*api.KeySelfHeaders)
	check(ok && err == nil && self.Response.KeyID == minted.Response.ID, "own key", own, err)

	to.Lat = -90
	to.Lon = 180 // within the bounds of the schema, which the client holds itself, and without a road
	refused, err := c.PostRoute(ctx, &api.RouteRequest{Locations: []api.RouteLocation{from, to}}, api.PostRouteParams{})
	problem, ok := refused.(*api.RouteProblemHeaders)
	check(ok && err == nil && problem.Response.Type == "urn:svc-gateway:problem:upstream-error", "problem", refused, err)
	check(problem.Response.LocationIndex.Value == 1, "location", problem.Response)
}

func check(ok bool, what ...any) {
	if !ok {
		log.Fatalf("%+v", what)
	}
}
