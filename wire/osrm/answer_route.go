// Package osrm reads and writes what OSRM's HTTP services do, with the voice,
// banner and lane members that Mapbox added to it. The parameters of all services
// stand in one table, from which their reading and their description in OpenAPI
// follow.
package osrm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/country"
	"github.com/waygate/waygate/wire/json"
)

// writer writes one answer.
type writer struct {
	json.Writer
	out   *engine.Output
	words *narrate.Language

	ways []part // of steps, in the overview; none where it does not have them
}

// legWriter writes the legs of a route, one after the other.
type legWriter struct {
	*writer
	leg     *engine.Leg // at hand
	texts   []narrate.Text
	prompts []prompt
}

func newWriter(o *engine.Output, routes []engine.Route) *writer {
	w := &writer{out: o}
	w.words, _ = narrate.Find(o.Language)
	w.Grow(size(o, routes))
	return w
}

// size is about how long the text of routes becomes.
func size(o *engine.Output, routes []engine.Route) int {
	n := 512
	for i := range routes {
		n += 256 + 128*len(routes[i].Waypoints)
		for j := range routes[i].Legs {
			l := &routes[i].Legs[j]
			n += 256 + 12*len(l.Line) + 24*len(l.Pieces) + 12*len(l.Nodes)
			for _, passed := range l.Intersections {
				n += 800 + 230*len(passed)
			}
			if o.Geometries == "geojson" {
				n += 40 * len(l.Line)
			}
			if o.Voice {
				n += 500 * len(l.Manoeuvres)
			}
			if o.Banners {
				n += 500 * len(l.Manoeuvres)
			}
		}
	}
	return n
}

// WriteRoute writes the routes of an answer, with blocks at the top.
func WriteRoute(r *engine.RouteRequest, a *engine.RouteAnswer, blocks ...json.Block) ([]byte, error) {
	if a.Raw != nil {
		return blend(a, r.SkipWaypoints, blocks)
	}
	if len(a.Routes) == 0 {
		return nil, fmt.Errorf("no route to write")
	}
	w := newWriter(&r.Output, a.Routes)
	w.Open('{')
	w.String("code", "Ok")
	w.Open('[', "routes")
	for i := range a.Routes {
		w.Open('{')
		w.route(&a.Routes[i])
		w.Close('}')
	}
	w.Close(']')
	if !r.SkipWaypoints {
		w.Open('[', "waypoints")
		for i := range a.Routes[0].Waypoints {
			p := &a.Routes[0].Waypoints[i]
			w.Open('{')
			w.waypoint(p.On, p.Point)
			w.Close('}')
		}
		w.Close(']')
	}
	w.Blocks(blocks)
	w.Close('}')
	return w.Bytes()
}

// waypoint writes where a location lies on the roads. Names are empty by
// contract.
func (w *writer) waypoint(on, asked geo.Point) {
	w.String("name", "")
	w.Key("location")
	w.Position(on)
	w.Number("distance", geo.Distance(asked, on), 3)
}

// route writes the members of a route.
func (w *writer) route(rt *engine.Route) {
	w.sums(&rt.Sums)
	w.String("weight_name", "routability")
	if rt.Via != nil {
		w.Key("via")
		w.Position(*rt.Via)
	}
	if w.out.Steps {
		w.String("voiceLocale", w.words.Tag())
	}
	if w.out.Overview != "false" {
		line := rt.Line()
		if w.out.Overview != "full" {
			line = simplify(line, rt.Bounds)
		}
		w.overview(rt, line)
	}
	w.Open('[', "legs")
	legs := legWriter{writer: w}
	for i := range rt.Legs {
		w.Open('{')
		legs.write(rt, i)
		w.Close('}')
	}
	w.Close(']')
}

func (w *writer) sums(s *engine.Sums) { w.amounts(s.Metres, s.Seconds, s.Cost) }

func (w *writer) amounts(metres, seconds, cost float64) {
	w.Number("distance", metres, 1)
	w.Number("duration", seconds, 1)
	w.Number("weight", cost, 1)
}

// write writes the members of a leg of a route.
func (w *legWriter) write(rt *engine.Route, i int) {
	l := &rt.Legs[i]
	w.leg = l
	w.sums(&l.Sums)
	w.Open('[', "admins")
	for k := range l.Admins {
		code := l.Admins[k].CountryCode
		w.Open('{')
		w.String("iso_3166_1", code)
		w.StringIf("iso_3166_1_alpha3", country.Of(code).Alpha3)
		w.Close('}')
	}
	w.Close(']')
	if w.out.Steps {
		w.String("summary", summary(l.Manoeuvres))
		if w.out.Voice {
			w.texts = w.words.Leg(l.Manoeuvres, w.out.Miles)
		} else {
			w.texts = w.words.Written(l.Manoeuvres, w.out.Miles)
		}
	} else {
		w.String("summary", "")
	}
	w.Open('[', "steps")
	if w.out.Steps {
		for k := range l.Manoeuvres {
			w.Open('{')
			w.step(k)
			w.Close('}')
		}
	}
	w.Close(']')
	if w.out.Annotations != 0 {
		w.annotation()
	}
	w.passed(rt.Waypoints[l.From+1 : max(l.From+1, l.To)])
}

// passed lists the locations within a leg, if any, as clients that follow Mapbox
// read them. They lie where the line comes nearest to them, one after another.
func (w *legWriter) passed(vias []engine.Waypoint) {
	line := w.leg.Line
	w.Open('[', "via_waypoints")
	from := 0
	for i := range vias {
		v := &vias[i]
		best, nearest := from, math.Inf(1)
		for j := from; j < len(line); j++ {
			if m := geo.Distance(line[j], v.On); m < nearest-0.01 {
				best, nearest = j, m
			}
		}
		from = best
		w.Open('{')
		w.Number("distance_from_start", geo.Length(line[:best+1]), 1)
		w.Int("geometry_index", best)
		w.Int("waypoint_index", v.Index)
		w.Close('}')
	}
	w.Close(']')
}

// geometry writes a line with two points at the least, even where they are the
// same, as clients expect of a line.
func (w *writer) geometry(line []geo.Point) {
	if len(line) == 1 {
		line = []geo.Point{line[0], line[0]}
	}
	w.Key("geometry")
	if w.out.Geometries == "geojson" {
		w.LineString(line)
		return
	}
	w.Polyline(line, w.digits())
}

// part is a stretch of what is written.
type part struct{ from, to int }

// overview writes the line of a route. That of one leg has in it those of its steps,
// after their first points.
func (w *writer) overview(rt *engine.Route, line []geo.Point) {
	w.ways = w.ways[:0]
	if len(rt.Legs) > 1 || !w.out.Steps || w.out.Overview != "full" || w.out.Geometries == "geojson" || len(line) < 2 {
		w.geometry(line)
		return
	}
	w.ways = slices.Grow(w.ways, len(rt.Legs[0].Manoeuvres))
	w.Text(`,"geometry":"`)
	w.Append(func(dst []byte) []byte {
		encoder := geo.NewQuotedPolyline(w.digits())
		dst = encoder.Append(dst, line[:1])
		done := 1
		for i := range rt.Legs[0].Manoeuvres {
			m := &rt.Legs[0].Manoeuvres[i]
			if m.BeginShape+1 != done {
				break
			}
			done = m.EndShape + 1
			from := len(dst)
			dst = encoder.Append(dst, line[m.BeginShape+1:done])
			w.ways = append(w.ways, part{from, len(dst)})
		}
		return append(encoder.Append(dst, line[done:]), '"')
	})
}

// stepGeometry writes the line of a step.
func (w *legWriter) stepGeometry(i int) {
	m := &w.leg.Manoeuvres[i]
	if i >= len(w.ways) || m.BeginShape == m.EndShape {
		w.geometry(w.leg.Line[m.BeginShape : m.EndShape+1])
		return
	}
	w.Text(`"geometry":"`)
	w.Append(func(dst []byte) []byte {
		dst = geo.AppendQuotedPolyline(dst, w.leg.Line[m.BeginShape:m.BeginShape+1], w.digits())
		return append(append(dst, dst[w.ways[i].from:w.ways[i].to]...), '"')
	})
}

// digits returns those of polylines.
func (w *writer) digits() int {
	if w.out.Geometries == "polyline6" {
		return 6
	}
	return 5
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
