// Package along is the endpoints about what lies along a route.
package along

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/along/cameras"
	"github.com/waygate/waygate/feature/along/charging"
	"github.com/waygate/waygate/feature/along/fuel"
	"github.com/waygate/waygate/feature/along/weather"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/elevation"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/feature/watch"
	"github.com/waygate/waygate/voice"
)

// Deps are the services that the endpoints use.
type Deps struct {
	Places *places.Service // of callers
	Live   Live
	Now    func() time.Time
	Voice  *voice.Service // nil has none
	// Clearance has what was measured over roads; nil has nothing.
	Clearance *clearance.Service
	// Elevation has the heights of the ground; nil where there are none.
	Elevation *elevation.Service
	Log       *slog.Logger
}

// Live has the services that answer from feeds; nil are those without feeds.
type Live struct {
	Fuel     *fuel.Service
	Charging *charging.Service
	Cameras  *cameras.Service
	// Watches are the routes that keys watch.
	Watches *watch.Service
	Weather *weather.Service
}

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const post = http.MethodPost
	if d.Live.Charging == nil {
		d.Live.Charging = &charging.Service{Now: d.Now}
	}
	if d.Live.Cameras == nil {
		d.Live.Cameras = &cameras.Service{}
	}
	kept := func(method, path string, doc edge.Doc) edge.Row {
		return edge.Row{Method: method, Path: path, Auth: edge.Keyed, Class: edge.Free, Account: true, BeyondContract: true, Doc: doc}
	}
	matrix := func(name string) edge.Need { return edge.Need{Call: engine.CallMatrix, Name: name} }
	return []edge.Row{
		edge.On(edge.Row{Method: post, Path: "/v1/route/observations", Auth: edge.Keyed, Class: edge.FlatTen, Doc: observationsDoc}, d.observations),
		edge.On(edge.Row{Method: http.MethodPost, Path: "/route/along", Auth: edge.Keyed, Class: edge.StandardOrPremium, Needs: edge.Need{Call: engine.CallMatrix, Name: "along"}, Doc: doc}, service{d.Places}.answer),
		edge.On(edge.Row{Method: post, Path: "/v1/fuel/along", Auth: edge.Keyed, Class: edge.Standard, Needs: matrix("fuel"), Doc: fuelDoc}, d.fuel),
		edge.On(edge.Row{Method: post, Path: "/v1/incidents/along", Auth: edge.Keyed, Class: edge.Standard, Needs: matrix("incidents"), Doc: incidentsDoc}, d.incidents),
		edge.On(edge.Row{Method: post, Path: "/v1/charging/along", Auth: edge.Keyed, Class: edge.Standard, Needs: matrix("charging"), Doc: chargingDoc}, d.charging),
		edge.On(edge.Row{Method: post, Path: "/v1/route/heritage", Auth: edge.Keyed, Class: edge.Standard, Doc: heritageDoc}, d.heritage),
		edge.On(edge.Row{Method: post, Path: "/v1/cameras/along", Auth: edge.Keyed, Class: edge.Standard, Doc: camerasDoc}, d.cameras),
		edge.On(edge.Row{Method: post, Path: "/v1/clearance/along", Auth: edge.Keyed, Class: edge.Standard, Doc: clearanceDoc}, d.clearance),
		edge.On(edge.Row{Method: post, Path: "/v1/watches", Auth: edge.Keyed, Class: edge.Standard, BeyondContract: true, Cache: edge.NoStore, Needs: edge.Need{Call: engine.CallRoute, Name: "watches"}, Doc: watchDoc}, d.watch),
		edge.On(edge.Row{Method: http.MethodGet, Path: "/v1/traffic", Effort: engine.Estimate{Kind: "traffic", Work: 5 * time.Millisecond, Bytes: 8 << 20, Cores: 1, Cheaper: "a smaller bbox"}, Auth: edge.Keyed, Class: edge.Standard, BeyondContract: true, Needs: edge.Need{Call: engine.CallRoute, Name: "traffic"}, Doc: trafficDoc}, d.traffic),
		edge.On(kept(http.MethodGet, "/v1/watches", watchesDoc), d.watches),
		edge.On(kept(http.MethodGet, "/v1/watches/{id}", oneWatchDoc), d.oneWatch),
		edge.On(kept(http.MethodDelete, "/v1/watches/{id}", endWatchDoc), d.endWatch),
		edge.On(edge.Row{Method: post, Path: "/v1/ev/plan", Auth: edge.Keyed, Class: edge.Standard, Needs: matrix("ev-plan"), Doc: evPlanDoc}, d.evPlan),
		edge.On(edge.Row{Method: http.MethodGet, Path: "/v1/ev/vehicles", Effort: engine.Estimate{Kind: "vehicles", Work: time.Millisecond, Bytes: 1 << 20, Cores: 1, Cheaper: "a smaller limit"}, Auth: edge.Keyed, Class: edge.Standard, BeyondContract: true, Doc: evVehiclesDoc}, evVehicles),
		edge.On(edge.Row{Method: post, Path: "/v1/weather/along", Auth: edge.Keyed, Class: edge.Standard, Needs: matrix("weather"), Doc: weatherDoc}, d.weather),
	}
}
