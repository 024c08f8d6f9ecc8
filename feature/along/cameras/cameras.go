// Package cameras finds the cameras that a traveller comes to on the way, in countries whose
// law allows to name them.
package cameras

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/camera"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/wire/null"
)

// Feeds is the group of camera feeds.
type Feeds = feed.Group[[]camera.Camera, *camera.Index]

// NewFeeds returns a group without feeds.
func NewFeeds() *Feeds { return feed.NewGroup(camera.Kind(), camera.Join) }

// Service answers from feeds and from the map of a region.
type Service struct {
	Feeds  *Feeds
	Policy Policy // nil is the usual one
}

// Enabled returns an error where there are neither feeds nor a map with cameras.
func (s *Service) Enabled(mapped *camera.Index) error {
	if len(s.Feeds.Feeds()) == 0 && mapped == nil {
		return fault.NotEnabled("cameras", "cameras are not enabled here: the deployment has no data of them (import the region again, or list a feed of the kind cameras)")
	}
	return nil
}

// Answer is the cameras in the order in which the route comes to them.
type Answer struct {
	Cameras     []Camera         `json:"cameras" nullable:"false" doc:"by arc_m; always empty where the policy is omitted"`
	Attribution []string         `json:"attribution" nullable:"false" doc:"to be shown with the cameras, word for word"`
	Policy      Jurisdiction     `json:"policy"`
	Route       *along.Route     `json:"route,omitempty" doc:"that was worked out, where stops were given"`
	Coverage    []along.Coverage `json:"coverage" nullable:"false" doc:"by source; osm is the map of the region"`
	Caveat      string           `json:"caveat"`
}

// Jurisdiction is the country whose law was applied, and the mode that it allows.
type Jurisdiction struct {
	Country string `json:"country" doc:"ISO 3166-1 alpha-2; ZZ where no camera is known near the route"`
	Mode    string `json:"mode" enum:"exact,omitted"`
}

// Camera is a camera on the route, or a section whose average speed is measured.
type Camera struct {
	Arc        float64  `json:"arc_m" decimals:"1" doc:"metres from the start to the camera, or to where a section begins"`
	Lat        float64  `json:"lat"`
	Lon        float64  `json:"lon"`
	Kind       string   `json:"kind" enum:"fixed,average,redlight,mobile_site,unknown"`
	Confidence string   `json:"limit_confidence" enum:"official,osm,inferred_from_road,unknown"`
	Limit      *int     `json:"limit_kph"`
	Bearing    *int     `json:"bearing" minimum:"0" maximum:"359" doc:"that the camera looks in, in degrees clockwise from north: it faces who travels against it; null where it is not known"`
	From       *float64 `json:"from_arc_m,omitempty" decimals:"1" doc:"of a section: where it begins"`
	To         *float64 `json:"to_arc_m,omitempty" decimals:"1" doc:"of a section: where it ends"`
	Zone       *Zone    `json:"zone,omitempty" doc:"of a section: the route through it"`
	Licence    *string  `json:"licence" doc:"SPDX identifier"`
	Source     *string  `json:"source" doc:"id of the source"`
}

// Zone is a line of GeoJSON.
type Zone struct {
	Type        string       `json:"type" enum:"LineString"`
	Coordinates [][2]float64 `json:"coordinates" doc:"[lon, lat]"`
}

const (
	// mostOff is how many degrees a traveller's course may differ from the direction that
	// a camera watches.
	mostOff = 60
	// samePass is how near, in metres of the route, two passes of one camera count as one.
	samePass = 150
)

// Along finds the cameras within so many metres of a way that face the traveller.
func (s *Service) Along(ctx context.Context, engine *along.Service, ahead along.Ahead, mapped *camera.Index, metres float64) (*Answer, error) {
	sources := along.SourcesOf(s.Feeds.Feeds())
	indexes, search := []*camera.Index{}, along.Search{Metres: metres}
	if fed, ok := s.Feeds.View(); ok {
		indexes = append(indexes, fed)
	}
	if mapped != nil {
		indexes = append(indexes, mapped)
		sources.AddMap(len(mapped.Cameras), nil, time.Time{})
	}
	for _, x := range indexes {
		search.Near = append(search.Near, x.Near)
	}
	way, err := engine.Way(ctx, ahead, search)
	if err != nil {
		return nil, err
	}
	a := &Answer{Cameras: []Camera{}, Attribution: []string{}, Policy: Jurisdiction{Nowhere, Omitted}}
	if ahead.Line == nil {
		a.Route = &way.Route
	}
	f := finder{way: way, metres: metres, policy: s.Policy, countries: map[string]int{}}
	if f.policy == nil {
		f.policy = Usual()
	}
	for _, x := range indexes {
		if err := f.look(ctx, x); err != nil {
			return nil, err
		}
	}
	a.Policy.Country, a.Policy.Mode = f.jurisdiction()
	sources.Warn("Cameras that no source has are missing here, and mobile ones nearly always are. The posted limit holds, not the one shown here.")
	a.Coverage, a.Caveat = sources.Coverage, sources.Caveat
	if a.Policy.Mode == Omitted {
		switch {
		case f.countries[""] > 0 && a.Policy.Country == Nowhere:
			a.Caveat = "Cameras are not told here: the source of one near the route does not say which country it is in, so that its law is not known."
		case a.Policy.Country != Nowhere:
			a.Caveat = "Cameras are not told in " + a.Policy.Country + ": its law forbids it, or nobody has established that it does not."
		}
		return a, nil
	}
	slices.SortStableFunc(f.found, func(x, y found) int {
		return cmp.Or(cmp.Compare(x.Arc, y.Arc), cmp.Compare(x.order, y.order))
	})
	for _, c := range f.found {
		a.Cameras = append(a.Cameras, c.Camera)
	}
	slices.SortStableFunc(f.found, func(x, y found) int { return cmp.Compare(x.country, y.country) })
	for _, c := range f.found {
		sources.Attribute(c.attribution)
	}
	a.Attribution = sources.Attribution
	return a, nil
}

// found is a camera of the answer with the values that it is ordered and compared by.
type found struct {
	Camera
	country, attribution string
	order                int
	at                   geo.Point
}

// finder gathers the cameras of one route.
type finder struct {
	way       *along.Way
	metres    float64
	policy    Policy
	found     []found
	countries map[string]int // of cameras near the route
}

// jurisdiction returns the country whose law is applied, and its mode. Where cameras of several
// countries are near, the strictest law is applied, of several as strict that of the country
// with the most cameras. A country that is not known counts as one that forbids.
func (f *finder) jurisdiction() (country, mode string) {
	if len(f.countries) == 0 {
		return Nowhere, Omitted
	}
	strictest := func(a, b string) int {
		order := func(c string) int {
			switch {
			case f.policy.Of(c) == Exact:
				return 2
			case c == "":
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(f.countries[b], f.countries[a]), cmp.Compare(a, b))
	}
	country = slices.MinFunc(slices.Collect(maps.Keys(f.countries)), strictest)
	mode = f.policy.Of(country)
	if country == "" {
		country = Nowhere
	}
	return country, mode
}

func (f *finder) look(ctx context.Context, x *camera.Index) error {
	return f.way.Near(ctx, x.Near, f.metres, func(i int, parts []corridor.Part) bool {
		c := &x.Cameras[i]
		passes := f.way.Passes(c.At, f.metres, parts, nil)
		if len(passes) == 0 {
			return true
		}
		f.countries[c.Country]++
		if c.To != nil {
			f.section(c, passes)
			return true
		}
		var takes corridor.Takes
		if c.Travel != nil {
			takes = corridor.Facing(float64(*c.Travel), mostOff)
			passes = f.way.Passes(c.At, f.metres, parts, takes)
		}
		for _, p := range distinct(passes) {
			f.add(c, f.camera(c, p.Arc))
		}
		return true
	})
}

// distinct joins passes that follow each other closely, so that a camera beside a bend is met
// once. The nearest of them stays.
func distinct(passes []corridor.Pass) (out []corridor.Pass) {
	for _, p := range passes {
		if n := len(out); n > 0 && p.From-out[n-1].To < samePass {
			last := out[n-1]
			if p.Metres < last.Metres {
				out[n-1] = p
			}
			out[n-1].To = p.To
			continue
		}
		out = append(out, p)
	}
	return out
}

// section adds a camera for every time that the route goes through a section from its
// beginning to its end.
func (f *finder) section(c *camera.Listed, begins []corridor.Pass) {
	ends := distinct(f.way.Passes(*c.To, f.metres, nil, nil))
	straight := geo.Distance(c.At, *c.To)
	for _, from := range distinct(begins) {
		for _, to := range ends {
			// A route that comes to the end much later has left the road in between.
			if to.Arc <= from.Arc || to.Arc-from.Arc > 2*straight+1000 {
				continue
			}
			one := f.camera(c, from.Arc)
			begin, end := from.Arc, to.Arc
			one.From, one.To, one.Zone = &begin, &end, f.zone(begin, end)
			f.add(c, one)
			break
		}
	}
}

// zone returns the line of the route between two places on it.
func (f *finder) zone(from, to float64) *Zone {
	z := &Zone{Type: "LineString"}
	put := func(p geo.Point) { z.Coordinates = append(z.Coordinates, [2]float64{p.Lon, p.Lat}) }
	p, _ := f.way.At(from)
	put(p)
	for i, p := range f.way.Line() {
		if arc := f.way.Arc(i); arc > from && arc < to {
			put(p)
		}
	}
	p, _ = f.way.At(to)
	put(p)
	return z
}

// camera returns a camera as the answer has it.
func (f *finder) camera(c *camera.Listed, arc float64) Camera {
	out := Camera{Arc: arc, Lat: c.At.Lat, Lon: c.At.Lon, Kind: c.Kind, Confidence: "unknown", Licence: null.IfZero(c.Licence), Source: null.IfZero(c.Source)}
	if c.Limit > 0 {
		limit := c.Limit
		out.Limit, out.Confidence = &limit, cmp.Or(c.Confidence, "unknown")
	}
	if c.Travel != nil {
		looks := (*c.Travel + 180) % 360
		out.Bearing = &looks
	}
	return out
}

// sameWithin is how near two sources put one camera, in metres.
const sameWithin = 40

// add adds a camera, unless another source has one there already. Feeds are added before the
// map.
func (f *finder) add(c *camera.Listed, one Camera) {
	for i := range f.found {
		o := &f.found[i]
		if *o.Source != c.Source && geo.Distance(o.at, c.At) < sameWithin && (o.Kind == one.Kind || o.Kind == camera.Unknown || one.Kind == camera.Unknown) && abs(o.Arc-one.Arc) < samePass {
			return
		}
	}
	f.found = append(f.found, found{one, c.Country, c.Attribution, len(f.found), c.At})
}

func abs(v float64) float64 { return max(v, -v) }
