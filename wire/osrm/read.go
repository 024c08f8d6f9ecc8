package osrm

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	wirejson "github.com/waygate/waygate/wire/json"
)

// ReadRoutes reads the routes of an answer in OSRM's format that was asked for
// in an output: their sums, lines and steps, and whether they take motorways. The line of a route without steps is
// that of its first leg.
func ReadRoutes(doc []byte, o *engine.Output) (routes []engine.Route, language string, err error) {
	var answer struct {
		Routes []path
	}
	if err := json.Unmarshal(doc, &answer); err != nil || len(answer.Routes) == 0 {
		return nil, "", unlike(err)
	}
	for i := range answer.Routes {
		language = cmp.Or(language, answer.Routes[i].VoiceLocale)
		r, err := answer.Routes[i].read(o)
		if err != nil {
			return nil, "", unlike(err)
		}
		routes = append(routes, *r)
	}
	return routes, cmp.Or(language, o.Language), nil
}

// path is a route of an answer, as far as it is read.
type path struct {
	Distance, Duration, Weight float64
	Geometry                   json.RawMessage
	VoiceLocale                string
	Confidence                 float64
	Legs                       []struct {
		Distance, Duration, Weight float64
		Steps                      []step
		Annotation                 *annotation
	}
}

func (r *path) read(o *engine.Output) (*engine.Route, error) {
	out := &engine.Route{Sums: engine.Sums{Metres: r.Distance, Seconds: r.Duration, Cost: r.Weight, Bounds: geo.NoBounds()}, Legs: make([]engine.Leg, max(1, len(r.Legs)))}
	for i, l := range r.Legs {
		leg := &out.Legs[i]
		leg.Metres, leg.Seconds, leg.Cost = l.Distance, l.Duration, l.Weight
		for k := range l.Steps {
			if err := l.Steps[k].add(leg, o.Geometries); err != nil {
				return nil, err
			}
		}
		l.Annotation.add(leg)
		leg.Bounds = geo.NoBounds()
		for _, p := range leg.Line {
			leg.Bounds = leg.Bounds.Extend(p)
		}
		out.Toll, out.Highway, out.Ferry = out.Toll || leg.Toll, out.Highway || leg.Highway, out.Ferry || leg.Ferry
	}
	var err error
	if len(out.Line()) == 0 && len(r.Geometry) > 0 {
		if out.Legs[0].Line, err = readGeometry(r.Geometry, o.Geometries); err != nil {
			return nil, err
		}
	}
	for _, p := range out.Line() {
		out.Bounds = out.Bounds.Extend(p)
	}
	return out, nil
}

// annotation has the lists about the pieces of a leg's line.
type annotation struct {
	Distance, Duration, Weight []float64
	Nodes                      []int64
}

// add gives a leg its pieces and nodes, where there is one for each piece of its line.
func (a *annotation) add(l *engine.Leg) {
	if a == nil || len(l.Line) < 2 {
		return
	}
	n := len(l.Line) - 1
	if len(a.Distance) == n && len(a.Duration) == n {
		l.Pieces = make([]engine.Piece, n)
		for i := range l.Pieces {
			l.Pieces[i] = engine.Piece{Metres: a.Distance[i], Seconds: a.Duration[i]}
			if len(a.Weight) == n {
				l.Pieces[i].Cost = a.Weight[i]
			}
		}
	}
	if len(a.Nodes) == n+1 {
		l.Nodes = a.Nodes
	}
}

// readGeometry reads a line in the form asked for.
func readGeometry(raw json.RawMessage, geometries string) ([]geo.Point, error) {
	digits := 5
	if geometries == "polyline6" {
		digits = 6
	}
	return wirejson.ReadLine(raw, digits)
}

func unlike(err error) error {
	return fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a route").With("upstream_status", http.StatusOK)
}
