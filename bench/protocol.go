package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
)

// valhallaBody returns a request as Valhalla takes it.
func valhallaBody(q *Request) (path string, body map[string]any) {
	type location struct {
		Lon float64 `json:"lon"`
		Lat float64 `json:"lat"`
	}
	spots := make([]location, len(q.Points))
	for i, p := range q.Points {
		spots[i] = location{p[0], p[1]}
	}
	body = map[string]any{"costing": q.Costing, "units": "kilometers"}
	maps.Copy(body, q.Body)
	if len(q.Options) > 0 {
		body["costing_options"] = map[string]any{q.Costing: q.Options}
	}
	switch q.Kind {
	case Matrix:
		body["sources"], body["targets"] = spots, spots
		if q.Sources > 0 {
			body["sources"], body["targets"] = spots[:q.Sources], spots[q.Sources:]
		}
		return "/sources_to_targets", body
	case Trace:
		body["shape"], body["shape_match"] = spots, "map_snap"
		if !q.Steps {
			body["directions_type"] = "none"
		}
		return "/trace_route", body
	case Attributes:
		body["shape"], body["shape_match"] = spots, "map_snap"
		return "/trace_attributes", body
	}
	body["locations"] = spots
	if q.Kind == Isochrone {
		body["contours"], body["polygons"] = []map[string]any{{"time": q.Minutes}}, true
		delete(body, "units")
		return "/isochrone", body
	}
	if !q.Steps {
		body["directions_type"] = "none"
	}
	return "/route", body
}

var osrmProfiles = map[string]string{"auto": "driving", "bicycle": "cycling", "pedestrian": "walking"}

// osrmPath returns a request as OSRM takes it.
func osrmPath(q *Request) string {
	profile, ok := osrmProfiles[q.Costing]
	if !ok {
		profile = "driving"
	}
	points := make([]string, len(q.Points))
	for i, p := range q.Points {
		points[i] = fmt.Sprintf("%.6f,%.6f", p[0], p[1])
	}
	list := profile + "/" + strings.Join(points, ";")
	switch q.Kind {
	case Matrix:
		path := "/table/v1/" + list + "?annotations=duration,distance"
		if q.Sources > 0 {
			path += "&sources=" + numbers(0, q.Sources) + "&destinations=" + numbers(q.Sources, len(q.Points))
		}
		return path
	case Trace:
		return "/match/v1/" + list + "?overview=full&geometries=polyline6"
	}
	return fmt.Sprintf("/route/v1/%s?overview=full&geometries=polyline6&steps=%t", list, q.Steps)
}

// numbers lists those from one up to another, for OSRM.
func numbers(from, to int) string {
	var all []string
	for i := from; i < to; i++ {
		all = append(all, strconv.Itoa(i))
	}
	return strings.Join(all, ";")
}

// understand reads an answer.
func (s *Server) understand(q *Request, body []byte) (Answer, error) {
	if !q.comparable() {
		return Answer{}, nil
	}
	if q.Kind == Matrix {
		return readMatrix(s.Protocol, body)
	}
	if s.Protocol == OSRM {
		return readOSRM(body)
	}
	var v struct {
		Trip struct {
			Summary struct{ Time, Length float64 }
			Legs    []struct{ Shape string }
		}
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return Answer{}, err
	}
	a := Answer{Seconds: v.Trip.Summary.Time, Metres: 1000 * v.Trip.Summary.Length}
	for _, leg := range v.Trip.Legs {
		line, err := geo.DecodePolyline(leg.Shape, 6)
		if err != nil {
			return Answer{}, err
		}
		a.Line = append(a.Line, line...)
	}
	if len(a.Line) == 0 {
		return Answer{}, errors.New("an answer without a shape")
	}
	return a, nil
}

func readOSRM(body []byte) (Answer, error) {
	type route struct {
		Duration, Distance float64
		Geometry           string
	}
	var v struct{ Routes, Matchings []route }
	if err := json.Unmarshal(body, &v); err != nil {
		return Answer{}, err
	}
	all := slices.Concat(v.Routes[:min(1, len(v.Routes))], v.Matchings)
	if len(all) == 0 {
		return Answer{}, errors.New("an answer without a route")
	}
	var a Answer
	for _, r := range all {
		line, err := geo.DecodePolyline(r.Geometry, 6)
		if err != nil {
			return Answer{}, err
		}
		a.Seconds, a.Metres, a.Line = a.Seconds+r.Duration, a.Metres+r.Distance, append(a.Line, line...)
	}
	return a, nil
}

// readMatrix sums the cells that have an answer.
func readMatrix(s Protocol, body []byte) (a Answer, err error) {
	if s == Valhalla {
		var v struct {
			Cells [][]struct{ Time, Distance *float64 } `json:"sources_to_targets"`
		}
		if err := json.Unmarshal(body, &v); err != nil {
			return a, err
		}
		for _, row := range v.Cells {
			for _, c := range row {
				if c.Time != nil && c.Distance != nil {
					a.Seconds, a.Metres = a.Seconds+*c.Time, a.Metres+1000**c.Distance
				}
			}
		}
		return a, nil
	}
	var v struct{ Durations, Distances [][]*float64 }
	if err := json.Unmarshal(body, &v); err != nil {
		return a, err
	}
	sum := func(rows [][]*float64) (total float64) {
		for _, row := range rows {
			for _, c := range row {
				if c != nil {
					total += *c
				}
			}
		}
		return total
	}
	a.Seconds, a.Metres = sum(v.Durations), sum(v.Distances)
	return a, nil
}
