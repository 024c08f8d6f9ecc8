package valhalla

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// nearRadius is within how many metres Valhalla lists roads other than the
// nearest.
const nearRadius = 200

// leaveOut puts what options exclude into a filter, as Valhalla's locate heeds
// no other exclusion. Of highways the filter leaves out the ramps too.
func leaveOut(f *engine.SearchFilter, s *costing.Settings) {
	f.ExcludeBridge = f.ExcludeBridge || s.On(costing.ExcludeBridges)
	f.ExcludeTunnel = f.ExcludeTunnel || s.On(costing.ExcludeTunnels)
	f.ExcludeToll = f.ExcludeToll || s.On(costing.ExcludeTolls)
	f.ExcludeFerry = f.ExcludeFerry || s.On(costing.ExcludeFerries)
	if s.On(costing.ExcludeHighways) && f.MaxClass == "" {
		f.MaxClass = "trunk"
	}
}

// Nearest reads Valhalla's locate, which tells of ways and not of their nodes.
func (e *Engine) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	l := r.Location
	leaveOut(&l.Filter, &r.Options)
	if r.Number > 1 && l.Radius == 0 {
		l.Radius = nearRadius
		if l.SearchCutoff > 0 {
			l.Radius = min(l.Radius, l.SearchCutoff)
		}
	}
	found, err := e.Locate(ctx, &engine.LocateRequest{Locations: []engine.Location{l}, Costing: r.Costing, Options: r.Options})
	if err != nil {
		return nil, err
	}
	var places []struct {
		Edges []struct {
			Way int64   `json:"way_id"`
			Lat float64 `json:"correlated_lat"`
			Lon float64 `json:"correlated_lon"`
		}
	}
	if err := json.Unmarshal(found.Raw, &places); err != nil || len(places) != 1 {
		return nil, fault.New(fault.Upstream, "the routing engine's answer to locate is not readable").With("upstream_status", 200)
	}
	a := &engine.NearestAnswer{}
	for _, edge := range places[0].Edges {
		p := geo.Point{Lon: edge.Lon, Lat: edge.Lat}
		road := engine.NearRoad{Point: p, Metres: geo.Distance(r.Location.Point, p), WayID: edge.Way}
		// Both directions of a road are one.
		if !slices.Contains(a.Roads, road) {
			a.Roads = append(a.Roads, road)
		}
	}
	if len(a.Roads) == 0 {
		return nil, engine.Refused(engine.CodeNoSegment, "locations[0] (%s) has no road usable by %s near it", r.Location.Point, r.Costing)
	}
	slices.SortStableFunc(a.Roads, func(x, y engine.NearRoad) int { return cmp.Compare(x.Metres, y.Metres) })
	a.Roads = a.Roads[:min(len(a.Roads), r.Number)]
	return a, nil
}
