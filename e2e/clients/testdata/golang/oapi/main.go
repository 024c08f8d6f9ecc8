// Command oapi calls the gateway by the client that oapi-codegen makes.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"example.com/clients/oapi/api"
)

func main() {
	ctx := context.Background()
	c, err := api.NewClientWithResponses(os.Getenv("WAYGATE_URL"))
	check(err == nil, "client", err)
	from, to := api.RouteLocation{Lat: 49.326622, Lon: -7.267471}, api.RouteLocation{Lat: 49.321496, Lon: -7.235719}

	routed, err := c.PostRouteWithResponse(ctx, nil, api.RouteRequest{Locations: []api.RouteLocation{from, to}})
	check(err == nil && routed.JSON200 != nil, "route", err)
	route, err := routed.JSON200.AsRouteAnswer()
	check(err == nil && route.Trip.Summary.Length > 1 && len(*route.Trip.Legs[0].Maneuvers) > 1, "trip", route, err)

	source := api.MatrixLocation{Lat: from.Lat, Lon: from.Lon}
	table, err := c.PostMatrixWithResponse(ctx, nil, api.MatrixRequest{Sources: &[]api.MatrixLocation{source}, Targets: &[]api.MatrixLocation{source, {Lat: to.Lat, Lon: to.Lon}}})
	check(err == nil && table.JSON200 != nil, "matrix", err)
	check(*table.JSON200.Durations[0][0] == 0 && *table.JSON200.Durations[0][1] > 0, "durations", table.JSON200)

	minutes, polygons := 2.0, true
	reach, err := c.PostIsochroneWithResponse(ctx, nil, api.IsochroneRequest{
		Locations: []api.RouteLocation{from}, Contours: []api.IsochroneContour{{Time: &minutes}}, Polygons: &polygons,
	})
	check(err == nil && reach.JSON200 != nil && *reach.JSON200.Features[0].Properties.Contour == minutes, "isochrone", reach, err)

	minted, err := c.PostAdminKeysWithResponse(ctx, api.MintInBody{Name: "oapi-codegen", MonthlyQuota: 100, RatePerMin: 100}, bearer(os.Getenv("WAYGATE_ADMIN")))
	check(err == nil && minted.JSON201 != nil, "key", err)
	self, err := c.GetV1KeysSelfWithResponse(ctx, bearer(minted.JSON201.Key))
	check(err == nil && self.JSON200 != nil && self.JSON200.KeyId == minted.JSON201.Id, "own key", self, err)

	to.Lat = 91
	refused, err := c.PostRouteWithResponse(ctx, nil, api.RouteRequest{Locations: []api.RouteLocation{from, to}})
	check(err == nil && refused.ApplicationproblemJSON400 != nil, "refusal", err)
	problem := refused.ApplicationproblemJSON400
	check(problem.Type == "urn:svc-gateway:problem:bad-request" && (*problem.Errors)[0].Location == "locations[1].lat", "problem", problem)
}

func bearer(token string) api.RequestEditorFn {
	return func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
}

func check(ok bool, what ...any) {
	if !ok {
		log.Fatal(what...)
	}
}
