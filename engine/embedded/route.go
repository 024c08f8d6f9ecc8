package embedded

import (
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/overlay"
)

// waypoint is a location of the request with its place on the road.
type waypoint struct {
	location engine.Location
	snapped  geo.Point
	index    int       // in the request's locations
	at       time.Time // local time, zero where the request told none
}

// leg is the way from one stop to the next.
type leg struct {
	from, to waypoint
	via      []waypoint // locations of type through and via, passed in mid-leg
	path     graph.Path
}

// route is a way through all locations of a request.
type route struct {
	legs  []leg
	modes graph.Modes      // ways of travel used
	live  *overlay.Overlay // speeds measured on the roads; nil where none are
}

// guided is a leg with all that a serialiser says of it.
type guided struct {
	leg      *leg
	line     guide.Line
	list     []guidance.Manoeuvre
	from, to guidance.Side
}

// guideLegs works out the lines and, where wanted, the manoeuvres of a route.
func guideLegs(g *graph.Graph, r *engine.RouteRequest, rt *route, manoeuvres bool) []guided {
	out := make([]guided, len(rt.legs))
	for i := range rt.legs {
		l := &rt.legs[i]
		d := guided{leg: l, line: guide.Shape(g, l.path)}
		d.from = sideOf(&l.from.location, d.line.Points, true)
		d.to = sideOf(&l.to.location, d.line.Points, false)
		if manoeuvres {
			d.list = guide.Manoeuvres(g, l.path, d.line, guide.Options{
				Modes: rt.modes, From: d.from, To: d.to, Language: primaryLanguage(r.Language),
			})
			if r.JoinRoundabouts {
				d.list = guidance.JoinRoundabouts(d.list)
			}
		}
		out[i] = d
	}
	return out
}

// sideOf applies a location's own bounds on what counts as a side.
func sideOf(l *engine.Location, line []geo.Point, atStart bool) guidance.Side {
	least, most := sideWindow(l)
	return guide.SideOf(line, atStart, l.Point, least, most)
}

// narrated is the language of a request's instructions.
func narrated(r *engine.RouteRequest) *narrate.Language {
	l, _ := narrate.Find(r.Language)
	return l
}

// primaryLanguage is the language of a BCP 47 tag without its region, as OSM
// writes it after "name:"; "" for no tag.
func primaryLanguage(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}

// totals is what a leg or a route adds up to.
type totals struct {
	metres, seconds, cost      float64
	toll, highway, ferry, time bool
	bounds                     geo.Bounds
}

func (t *totals) add(o totals) {
	t.metres += o.metres
	t.seconds += o.seconds
	t.cost += o.cost
	t.toll = t.toll || o.toll
	t.highway = t.highway || o.highway
	t.ferry = t.ferry || o.ferry
	t.time = t.time || o.time
	t.bounds = t.bounds.Union(o.bounds)
}

// total adds up a leg from its path, so that it holds without manoeuvres too.
func (d *guided) total(g *graph.Graph, modes graph.Modes) totals {
	t := totals{bounds: geo.NoBounds()}
	for _, p := range d.line.Points {
		t.bounds = t.bounds.Extend(p)
	}
	f := guidance.Sum(d.list)
	if d.list == nil {
		f = guide.Total(g, d.leg.path, modes)
	}
	t.metres, t.seconds, t.cost = f.Metres, f.Seconds, f.Cost
	t.toll, t.highway, t.ferry, t.time = f.Toll, f.Highway, f.Ferry, f.Timed
	return t
}
