package osrm

import (
	"math"

	"github.com/waygate/waygate/engine"
)

// Where a speed is from: the index among the names of sources.
const (
	sourceProfile = iota
	sourceLive
)

// annotation describes each piece of a leg's line: lists with one element a
// piece, and for nodes one a point.
func (w *legWriter) annotation() {
	pieces := w.leg.Pieces
	list := func(of engine.Annotations, name string, element func(p *engine.Piece)) {
		if w.out.Annotations&of == 0 {
			return
		}
		w.Open('[', name)
		for i := range pieces {
			element(&pieces[i])
		}
		w.Close(']')
	}
	w.Open('{', "annotation")
	list(engine.AnnotateDistance, "distance", func(p *engine.Piece) { w.NumberElement(p.Metres, 3) })
	list(engine.AnnotateDuration, "duration", func(p *engine.Piece) { w.NumberElement(p.Seconds, 3) })
	list(engine.AnnotateSpeed, "speed", func(p *engine.Piece) { w.NumberElement(speed(p), 1) })
	list(engine.AnnotateWeight, "weight", func(p *engine.Piece) { w.NumberElement(p.Cost, 3) })
	list(engine.AnnotateLimit, "maxspeed", w.limit)
	list(engine.AnnotateSources, "datasources", func(p *engine.Piece) {
		source := int64(sourceProfile)
		if p.Live {
			source = sourceLive
		}
		w.IntElement(source)
	})
	if w.out.Annotations&engine.AnnotateSources != 0 {
		w.Raw("metadata", []byte(`{"datasource_names":["profile","live"]}`))
	}
	if w.out.Annotations&engine.AnnotateNodes != 0 {
		w.nodes()
	}
	w.Close('}')
}

// speed is metres a second.
func speed(p *engine.Piece) float64 {
	if p.Seconds > 0 {
		return p.Metres / p.Seconds
	}
	return 0
}

// limit writes the posted limit as Mapbox does, in the units of the request.
func (w *legWriter) limit(p *engine.Piece) {
	w.Open('{')
	switch {
	case p.Limit == 0:
		w.Bool("unknown", true)
	case w.out.Miles:
		w.Int("speed", int(math.Round(float64(p.Limit)/1.609344)))
		w.String("unit", "mph")
	default:
		w.Int("speed", int(p.Limit))
		w.String("unit", "km/h")
	}
	w.Close('}')
}

// nodes lists the OSM nodes of a line's points. Ends that lie within an edge
// are null.
func (w *legWriter) nodes() {
	w.Open('[', "nodes")
	for _, id := range w.leg.Nodes {
		if id == 0 {
			w.NullElement()
		} else {
			w.IntElement(id)
		}
	}
	w.Close(']')
}
