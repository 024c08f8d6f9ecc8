package osrm

import (
	"fmt"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
)

// WriteTrip writes a route through places as OSRM's trip service does. order has
// the places of the request in the order in which the route visits them; what is
// after them comes back to the first. Waypoints stand in the order of the request
// with their place in the trip.
func WriteTrip(r *engine.RouteRequest, a *engine.RouteAnswer, order []int) ([]byte, error) {
	at := make([]int, len(order)) // place in the trip by place in the request
	for k, i := range order {
		at[i] = k
	}
	if a.Raw != nil {
		return spliceTrip(r, a.Raw, at)
	}
	if len(a.Routes) == 0 || len(a.Routes[0].Waypoints) < len(order) {
		return nil, fmt.Errorf("no trip to write")
	}
	w := newWriter(&r.Output, a.Routes)
	w.Open('{')
	w.String("code", "Ok")
	w.Open('[', "trips")
	w.Open('{')
	w.route(&a.Routes[0])
	w.Close('}')
	w.Close(']')
	if !r.SkipWaypoints {
		w.Open('[', "waypoints")
		for _, k := range at {
			p := &a.Routes[0].Waypoints[k]
			w.Open('{')
			w.Number("distance", geo.Distance(p.Point, p.On), 3)
			w.Key("location")
			w.Position(p.On)
			w.String("name", "")
			w.Int("trips_index", 0)
			w.Int("waypoint_index", k)
			w.Close('}')
		}
		w.Close(']')
	}
	w.Close('}')
	return w.Bytes()
}

// spliceTrip makes a trip of a route that came from elsewhere.
func spliceTrip(r *engine.RouteRequest, doc []byte, at []int) ([]byte, error) {
	var route []byte
	var places []json.Place
	json.Each(doc, []string{"routes.*", "waypoints.*"}, func(p json.Place) {
		switch {
		case p.Path == 1:
			places = append(places, p)
		case route == nil:
			route = doc[p.Begin:p.End]
		}
	})
	if route == nil || len(places) < len(at) {
		return nil, unlike(nil)
	}
	var w json.Writer
	w.Open('{')
	w.String("code", "Ok")
	w.Open('[', "trips")
	w.RawElement(route)
	w.Close(']')
	if !r.SkipWaypoints {
		w.Open('[', "waypoints")
		for _, k := range at {
			member := fmt.Appendf(nil, `"trips_index":0,"waypoint_index":%d`, k)
			edit := json.Added(doc, places[k], member)
			w.RawElement(append(append(append([]byte{}, doc[places[k].Begin:edit.From]...), edit.Text...), '}'))
		}
		w.Close(']')
	}
	w.Close('}')
	return w.Bytes()
}
