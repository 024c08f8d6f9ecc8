package bench

import (
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Variant has the options that requests set beyond the usual.
type Variant struct {
	Alternates int     // routes besides the best
	Departure  string  // local time, 2026-03-04T08:00; "" is none
	Polygon    float64 // side in metres of a square that is excluded half-way, of an isochrone beside its place; 0 for none
	NewOptions bool    // options of the costing that are new each time a request is sent
	NewVehicle bool    // dimensions that are
}

// Apply changes the requests of a set.
func (v Variant) Apply(set []Request) {
	for i := range set {
		q := &set[i]
		body := map[string]any{}
		if v.Alternates > 0 {
			body["alternates"] = v.Alternates
		}
		if v.Departure != "" {
			body["date_time"] = map[string]any{"type": 1, "value": v.Departure}
		}
		if v.Polygon > 0 {
			from, to := q.Points[0].Point(), q.Points[len(q.Points)-1].Point()
			if len(q.Points) == 1 {
				to = geo.Destination(from, float64(i*137%360), 4*v.Polygon)
			}
			body["exclude_polygons"] = [][]Position{square(from, to, v.Polygon)}
		}
		if len(body) > 0 {
			q.Body = body
		}
		q.New, q.Vehicle = v.NewOptions, v.NewVehicle
	}
}

// anew returns requests in the form of their times-th round: those that are new each
// time with options of their own. first is the number of the first in its set of so
// many.
func anew(block []Request, first, set, times int) []Request {
	block = slices.Clone(block)
	for i := range block {
		q, number := &block[i], times*set+first+i
		switch {
		case q.New:
			q.Options = fresh(q.Costing, number)
		case q.Vehicle:
			q.Options = vehicle(q.Costing, number)
		}
	}
	return block
}

// fresh are options of a costing that differ for each i.
func fresh(costing string, i int) map[string]any {
	switch costing {
	case "pedestrian":
		return map[string]any{"walking_speed": 4 + float64(i%400)/200, "step_penalty": i}
	case "bicycle":
		return map[string]any{"cycling_speed": 15 + float64(i%500)/50, "gate_penalty": i}
	}
	return map[string]any{"use_tolls": float64(i%101) / 100, "maneuver_penalty": 1 + i}
}

// vehicle are dimensions that differ for each i, up to some thousands.
func vehicle(costing string, i int) map[string]any {
	if costing == "auto" {
		return map[string]any{"height": 1.5 + float64(i%1000)/1000, "width": 1.6 + float64(i%7)/10}
	}
	return map[string]any{"height": 3 + float64(i%1000)/1000, "length": 8 + float64(i%11), "weight": 7.5 + float64(i%31)}
}

// square returns a ring around the middle between two points.
func square(a, b geo.Point, side float64) []Position {
	const degree = 111_195 // metres
	lon, lat := (a.Lon+b.Lon)/2, (a.Lat+b.Lat)/2
	north := side / 2 / degree
	east := north / math.Cos(lat*math.Pi/180)
	return []Position{{lon - east, lat - north}, {lon + east, lat - north}, {lon + east, lat + north}, {lon - east, lat + north}, {lon - east, lat - north}}
}

// Isochrones draws n places to start from.
func (m *Maker) Isochrones(n, minutes int) ([]Request, error) {
	set := make([]Request, n)
	for i := range set {
		e, err := m.usable()
		if err != nil {
			return nil, err
		}
		set[i] = Request{Kind: Isochrone, Costing: m.c.Options().Costing.String(), Points: []Position{At(m.middle(e))}, Minutes: minutes}
	}
	return set, nil
}
