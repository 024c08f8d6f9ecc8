package osrm

import (
	"fmt"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/json"
)

// WriteMatch writes what a trace was matched to as OSRM's match service does,
// with blocks at the top.
func WriteMatch(r *engine.MatchRequest, a *engine.TraceAnswer, blocks ...json.Block) ([]byte, error) {
	if a.Raw != nil {
		doc := a.Raw
		if r.SkipWaypoints {
			doc = json.Without(doc, "tracepoints")
		}
		return json.Blend(doc, blocks, nil)
	}
	if len(a.Routes) == 0 {
		return nil, fmt.Errorf("no match to write")
	}
	o := r.Output
	if o.Overview == "" {
		o.Steps, o.Overview, o.Geometries = true, "full", geometriesOf(o.ShapeFormat)
	}
	w := newWriter(&o, a.Routes)
	w.Open('{')
	w.String("code", "Ok")
	w.Open('[', "matchings")
	for i := range a.Routes {
		w.Open('{')
		w.route(&a.Routes[i])
		w.Number("confidence", a.Confidence[i], 6)
		w.Close('}')
	}
	w.Close(']')
	if !r.SkipWaypoints {
		w.tracepoints(r, a)
	}
	w.Blocks(blocks)
	w.Close('}')
	return w.Bytes()
}

// geometriesOf returns the word for a native shape format; there Valhalla writes six
// digits unless asked otherwise.
func geometriesOf(shapeFormat string) string {
	switch shapeFormat {
	case "polyline5":
		return "polyline"
	case "geojson":
		return "geojson"
	}
	return "polyline6"
}

func (w *writer) tracepoints(r *engine.MatchRequest, a *engine.TraceAnswer) {
	w.Open('[', "tracepoints")
	for i := range a.Points {
		p := &a.Points[i]
		if p.Route < 0 {
			w.NullElement()
			continue
		}
		w.Open('{')
		w.Int("matchings_index", p.Route)
		if p.Stop >= 0 {
			w.Int("waypoint_index", p.Stop)
		} else {
			w.Null("waypoint_index")
		}
		w.Int("alternatives_count", 0)
		w.waypoint(p.On, r.Trace[i].Point)
		w.Close('}')
	}
	w.Close(']')
}
