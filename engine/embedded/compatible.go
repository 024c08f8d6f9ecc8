package embedded

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/road/graph"
)

// The compatible face: OSRM's route answer with the voice, banner and lane
// members that Mapbox added to it.

// compatibleWriter appends one answer.
type compatibleWriter struct {
	g     *graph.Graph
	r     *engine.RouteRequest
	modes graph.Modes // of the route being written
	rt    *route
	dst   []byte

	// Of the leg being written.
	texts     []narrate.Text
	countries []uint16

	arms    []arm
	prompts []prompt
	line    []byte
}

// writeCompatible writes routes, the best first, on the compatible face.
func writeCompatible(g *graph.Graph, r *engine.RouteRequest, routes []route) ([]byte, error) {
	if len(routes) == 0 {
		return nil, fmt.Errorf("no route to write")
	}
	w := &compatibleWriter{g: g, r: r, dst: make([]byte, 0, 16<<10)}
	w.put(`{"code":"Ok","routes":[`)
	for i := range routes {
		w.comma(i)
		w.route(&routes[i])
		w.put(`}`)
	}
	w.put(`],"waypoints":[`)
	w.waypoints(&routes[0])
	w.put(`]}`)
	return w.dst, nil
}

func (w *compatibleWriter) put(s string) { w.dst = append(w.dst, s...) }

// comma goes before every element of a list but the first.
func (w *compatibleWriter) comma(i int) {
	if i > 0 {
		w.dst = append(w.dst, ',')
	}
}

// number, text and whole write a member. The name comes with its quotes, its
// colon and what goes before.
func (w *compatibleWriter) number(name string, v float64, digits int) {
	w.dst = appendNumber(append(w.dst, name...), v, digits)
}

func (w *compatibleWriter) text(name, v string) { w.dst = appendText(append(w.dst, name...), v) }
func (w *compatibleWriter) whole(name string, v int) {
	w.dst = appendNumber(append(w.dst, name...), float64(v), 0)
}

func (w *compatibleWriter) position(name string, p geo.Point) {
	w.dst = appendPosition(append(w.dst, name...), p)
}

func (w *compatibleWriter) flag(v bool) {
	if v {
		w.put(`true`)
	} else {
		w.put(`false`)
	}
}

// waypoints lists every location of the request, also those that are only
// passed. Names are empty by contract.
func (w *compatibleWriter) waypoints(rt *route) {
	i := 0
	add := func(p *waypoint) {
		w.comma(i)
		i++
		w.position(`{"name":"","location":`, p.snapped)
		w.number(`,"distance":`, geo.Distance(p.location.Point, p.snapped), 3)
		w.put(`}`)
	}
	for i := range rt.legs {
		l := &rt.legs[i]
		if i == 0 {
			add(&l.from)
		}
		for j := range l.via {
			add(&l.via[j])
		}
		add(&l.to)
	}
}

// route opens an object and writes all of a route into it; the caller closes
// it.
func (w *compatibleWriter) route(rt *route) {
	w.rt, w.modes = rt, rt.modes
	legs := guideLegs(w.g, w.r, rt, w.r.Steps)
	all := totals{bounds: geo.NoBounds()}
	sums := make([]totals, len(legs))
	for i := range legs {
		sums[i] = legs[i].total(w.g, rt.modes)
		all.add(sums[i])
	}
	w.put(`{`)
	w.measures(&all)
	w.put(`,"weight_name":"routability"`)
	if w.r.Steps {
		w.text(`,"voiceLocale":`, narrated(w.r).Tag())
	}
	if w.r.Overview != "false" {
		line := joined(legs)
		if w.r.Overview != "full" {
			line = simplify(line, all.bounds)
		}
		w.geometry(`,"geometry":`, line)
	}
	w.put(`,"legs":[`)
	for i := range legs {
		w.comma(i)
		w.leg(&legs[i], &sums[i])
	}
	w.put(`]`)
}

func (w *compatibleWriter) measures(t *totals) {
	w.number(`"distance":`, t.metres, 1)
	w.number(`,"duration":`, t.seconds, 1)
	w.number(`,"weight":`, t.cost, 1)
}

func (w *compatibleWriter) leg(d *guided, sum *totals) {
	w.put(`{`)
	w.measures(sum)
	w.countries = appendCountries(w.countries[:0], w.g, d.leg.path)
	w.admins()
	if !w.r.Steps {
		w.put(`,"summary":"","steps":[]`)
	} else {
		w.text(`,"summary":`, summary(d.list))
		w.put(`,"steps":[`)
		w.texts = narrated(w.r).Leg(d.list, w.r.Miles)
		for i := range d.list {
			w.comma(i)
			w.step(d, i)
		}
		w.put(`]`)
	}
	if w.r.Annotations != 0 {
		w.annotation(d)
	}
	w.passed(d)
	w.put(`}`)
}

// passed lists the locations within a leg, if any, as clients that follow Mapbox
// read them. They lie where the path of one hop meets the next.
func (w *compatibleWriter) passed(d *guided) {
	w.put(`,"via_waypoints":[`)
	from := 0
	for i := range d.leg.via {
		v := &d.leg.via[i]
		best, nearest := from, math.Inf(1)
		for j := from; j < len(d.line.Points); j++ {
			if m := geo.Distance(d.line.Points[j], v.snapped); m < nearest-0.01 {
				best, nearest = j, m
			}
		}
		from = best
		w.comma(i)
		w.number(`{"distance_from_start":`, geo.Length(d.line.Points[:best+1]), 1)
		w.whole(`,"geometry_index":`, best)
		w.whole(`,"waypoint_index":`, v.index)
		w.put(`}`)
	}
	w.put(`]`)
}

// joined is the line of all legs, without the points where they meet twice.
func joined(legs []guided) []geo.Point {
	if len(legs) == 1 {
		return legs[0].line.Points
	}
	var line []geo.Point
	for i := range legs {
		for _, p := range legs[i].line.Points {
			if len(line) == 0 || line[len(line)-1] != p {
				line = append(line, p)
			}
		}
	}
	return line
}

// geometry writes a line with two points at the least, even where they are the
// same, as clients expect of a line.
func (w *compatibleWriter) geometry(name string, line []geo.Point) {
	w.put(name)
	if len(line) == 1 {
		line = []geo.Point{line[0], line[0]}
	}
	digits := 5
	switch w.r.Geometries {
	case "geojson":
		w.put(`{"type":"LineString","coordinates":[`)
		for i, p := range line {
			w.comma(i)
			w.dst = appendPosition(w.dst, p)
		}
		w.put(`]}`)
		return
	case "polyline6":
		digits = 6
	}
	w.line = geo.AppendPolyline(w.line[:0], line, digits)
	w.dst = append(w.dst, '"')
	// Of the characters that JSON escapes a polyline has one.
	for rest := w.line; ; {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 {
			w.dst = append(w.dst, rest...)
			break
		}
		w.dst = append(append(w.dst, rest[:at]...), '\\', '\\')
		rest = rest[at+1:]
	}
	w.dst = append(w.dst, '"')
}

// summary names the two longest roads of a leg in the order travelled.
func summary(list []guidance.Manoeuvre) string {
	type road struct {
		name   string
		metres float64
	}
	var roads []road
	add := func(names []guidance.Name, metres float64) {
		name, ref := named(names)
		if name == "" {
			name = ref
		}
		if name == "" {
			return
		}
		at := slices.IndexFunc(roads, func(r road) bool { return r.name == name })
		if at < 0 {
			at = len(roads)
			roads = append(roads, road{name: name})
		}
		roads[at].metres += metres
	}
	for i := range list {
		m := &list[i]
		if m.Out == nil {
			add(m.Names, m.Metres)
			continue
		}
		add(m.Names, m.Metres-m.Out.Metres)
		add(m.Out.Names, m.Out.Metres)
	}
	if len(roads) > 2 {
		lengths := make([]float64, len(roads))
		for i, r := range roads {
			lengths[i] = r.metres
		}
		slices.Sort(lengths)
		least := lengths[len(lengths)-2]
		roads = slices.DeleteFunc(roads, func(r road) bool { return r.metres < least })[:2]
	}
	names := make([]string, len(roads))
	for i, r := range roads {
		names[i] = r.name
	}
	return strings.Join(names, ", ")
}

// simplify drops points that cannot be seen where the whole line fits a
// screen: Douglas and Peucker's reduction by four pixels at the closest zoom
// that shows the bounds within 1024 pixels.
func simplify(line []geo.Point, bounds geo.Bounds) []geo.Point {
	if len(line) < 3 {
		return line
	}
	const metresPerPixel = 156543.0339 // at zoom 0 on the equator, 256-pixel tiles
	cos := math.Cos(bounds.Centre().Lat * math.Pi / 180)
	width := geo.Distance(geo.Point{Lon: bounds.Min.Lon, Lat: bounds.Centre().Lat}, geo.Point{Lon: bounds.Max.Lon, Lat: bounds.Centre().Lat})
	height := geo.Distance(bounds.Min, geo.Point{Lon: bounds.Min.Lon, Lat: bounds.Max.Lat})
	zoom := math.Floor(math.Log2(metresPerPixel * cos * 1024 / math.Max(1, math.Max(width, height))))
	tolerance := 4 * metresPerPixel * cos / math.Exp2(math.Max(0, math.Min(18, zoom)))
	return geo.Simplify(line, tolerance)
}
