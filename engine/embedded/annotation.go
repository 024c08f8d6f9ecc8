package embedded

import (
	"math"
	"slices"
	"strconv"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// piece is the line between two neighbouring points of a leg.
type piece struct {
	step   int // of the path; -1 for a leg that goes nowhere
	metres float64
	share  float64 // of the step's length
}

// Where a speed is from.
const (
	sourceProfile = iota
	sourceLive
)

// annotation tells of each piece of a leg's line, as OSRM does: lists with one
// element a piece, and for nodes one a point. Times are those of travelling,
// without what is lost at junctions.
func (w *compatibleWriter) annotation(d *guided) {
	pieces := w.pieces(d)
	path := d.leg.path
	n := 0
	list := func(of engine.Annotations, name string, add func(p *piece)) {
		if w.r.Annotations&of == 0 {
			return
		}
		w.comma(n)
		n++
		w.put(name)
		for i := range pieces {
			w.comma(i)
			add(&pieces[i])
		}
		w.put(`]`)
	}
	w.put(`,"annotation":{`)
	list(engine.AnnotateDistance, `"distance":[`, func(p *piece) { w.number(``, p.metres, 3) })
	list(engine.AnnotateDuration, `"duration":[`, func(p *piece) { w.number(``, w.seconds(path, p), 3) })
	list(engine.AnnotateSpeed, `"speed":[`, func(p *piece) { w.number(``, w.speed(path, p), 1) })
	list(engine.AnnotateWeight, `"weight":[`, func(p *piece) {
		if p.step >= 0 {
			w.number(``, path[p.step].Cost*p.share, 3)
		} else {
			w.put(`0`)
		}
	})
	list(engine.AnnotateLimit, `"maxspeed":[`, func(p *piece) { w.limit(path, p) })
	list(engine.AnnotateSources, `"datasources":[`, func(p *piece) {
		source := sourceProfile
		if p.step >= 0 {
			if _, live := w.rt.live.Speed(w.g.Original(path[p.step].Edge)); live {
				source = sourceLive
			}
		}
		w.whole(``, source)
	})
	if w.r.Annotations&engine.AnnotateSources != 0 {
		w.put(`,"metadata":{"datasource_names":["profile","live"]}`)
	}
	if w.r.Annotations&engine.AnnotateNodes != 0 {
		w.comma(n)
		w.put(`"nodes":[`)
		w.nodes(d, len(pieces)+1)
		w.put(`]`)
	}
	w.put(`}`)
}

// pieces cuts a leg's line at its points. A leg that goes nowhere has one piece
// of no length, as its line has two points.
func (w *compatibleWriter) pieces(d *guided) []piece {
	out := make([]piece, 0, len(d.line.Points))
	for i := range d.leg.path {
		from := len(out)
		total := 0.0
		for k := d.line.Step[i]; k < d.line.Step[i+1]; k++ {
			p := piece{step: i, metres: geo.Distance(d.line.Points[k], d.line.Points[k+1])}
			total += p.metres
			out = append(out, p)
		}
		for k := from; k < len(out); k++ {
			if total > 0 {
				out[k].share = out[k].metres / total
			} else {
				out[k].share = 1 / float64(len(out)-from)
			}
		}
	}
	if len(out) == 0 {
		out = append(out, piece{step: -1})
	}
	return out
}

func (w *compatibleWriter) seconds(path graph.Path, p *piece) float64 {
	if p.step < 0 {
		return 0
	}
	return path[p.step].Seconds * p.share
}

// speed is metres a second.
func (w *compatibleWriter) speed(path graph.Path, p *piece) float64 {
	if s := w.seconds(path, p); s > 0 {
		return p.metres / s
	}
	return 0
}

// limit writes the posted limit as Mapbox does, in the units of the request.
func (w *compatibleWriter) limit(path graph.Path, p *piece) {
	kmh := 0.0
	if p.step >= 0 {
		kmh = float64(w.g.Limited[w.g.Original(path[p.step].Edge)])
	}
	switch {
	case kmh == 0:
		w.put(`{"unknown":true}`)
	case w.r.Miles:
		w.number(`{"speed":`, math.Round(kmh/1.609344), 0)
		w.put(`,"unit":"mph"}`)
	default:
		w.number(`{"speed":`, kmh, 0)
		w.put(`,"unit":"km/h"}`)
	}
}

// nodes lists the OSM nodes of a line's points. Ends that lie within an edge
// are null.
func (w *compatibleWriter) nodes(d *guided, points int) {
	ids := make([]int64, points)
	var line []geo.Point
	var nodes []int64
	for i := range d.leg.path {
		e := d.leg.path[i].Edge
		line, nodes = w.g.AppendShape(line[:0], e), w.g.AppendNodes(nodes[:0], e)
		next := 0 // in the edge's line
		for k := d.line.Step[i]; k <= d.line.Step[i+1]; k++ {
			if at := slices.Index(line[next:], d.line.Points[k]); at >= 0 {
				ids[k] = nodes[next+at]
				next += at + 1
			}
		}
	}
	for i, id := range ids {
		w.comma(i)
		if id == 0 {
			w.put(`null`)
		} else {
			w.dst = strconv.AppendInt(w.dst, id, 10)
		}
	}
}
