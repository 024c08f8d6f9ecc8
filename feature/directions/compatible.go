package directions

import "github.com/waygate/waygate/engine/compatible"

// Compatible checks a request of the compatible endpoint: the profile and the
// coordinates of its path, unescaped, and its query as it was sent.
func (s *Service) Compatible(profile, coordinates, rawQuery string) (*Request, error) {
	r := &Request{}
	limits := compatible.Limits{Least: 2, Most: MaxLocations, Bounds: s.Bounds}
	q, err := compatible.Read(profile, coordinates, rawQuery, limits, r.parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle)
	if err != nil {
		return nil, err
	}
	if err := q.NeedSteps("landmarks"); err != nil {
		return nil, err
	}
	r.Route = q.Route
	r.Route.SkipWaypoints = q.SkipWaypoints
	r.stop()
	if can := s.Engine.Can(); !can.AlternatesVia && len(r.Route.Locations) > 2 {
		r.Route.Alternates = 0
	}
	return r, nil
}
