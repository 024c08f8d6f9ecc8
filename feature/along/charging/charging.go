// Package charging finds where an electric vehicle can be charged on the way.
package charging

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo/corridor"
)

// Feeds are those of charging points.
type Feeds = feed.Group[*charging.Document, *charging.Directory]

// NewFeeds makes the group of them.
func NewFeeds() *Feeds { return feed.NewGroup(charging.Kind(), charging.Join) }

// Service answers from feeds, and from the map of the region it is asked in.
type Service struct {
	Feeds *Feeds
	Now   func() time.Time
}

// Enabled fails where there are neither feeds nor stations on the map.
func (s *Service) Enabled(mapped *charging.Mapped) error {
	if (s == nil || len(s.Feeds.Feeds()) == 0) && mapped == nil {
		return fault.NotEnabled("charging", "charging points are not enabled here: the deployment has no directory of them (SVC_CHARGING_DIR)")
	}
	return nil
}

// Directory gives the stations of all feeds; nil while there are none.
func (s *Service) Directory() *charging.Directory {
	d, _ := s.Feeds.View()
	return d
}

// Request is what a vehicle needs.
type Request struct {
	Buffer     float64             // metres from the route
	Connectors []charging.Standard // that fit; none is any
	LeastKW    float64
	Limit      int
	Language   string
}

// Answer is stations, the most powerful first.
type Answer struct {
	Route       along.Route      `json:"route"`
	Stations    []Station        `json:"stations" nullable:"false" doc:"the most powerful first, then the least detour"`
	Excluded    Excluded         `json:"excluded"`
	Unreachable []Unreachable    `json:"unreachable" nullable:"false" doc:"stations that no way leads to and on"`
	Coverage    []along.Coverage `json:"coverage" nullable:"false" doc:"by source; osm is the map of the region"`
	Attribution []string         `json:"attribution" nullable:"false" doc:"to be shown with the stations, word by word"`
	Caveat      string           `json:"caveat"`
	Say         string           `json:"say" doc:"the best of them, to be spoken"`
}

// Station is a place to charge at.
type Station struct {
	ID        string        `json:"id" doc:"in its source"`
	Name      string        `json:"name"`
	Operator  *string       `json:"operator"`
	Address   *string       `json:"address"`
	Postcode  *string       `json:"postcode"`
	Lat       float64       `json:"lat"`
	Lon       float64       `json:"lon"`
	Arc       float64       `json:"arc_m" decimals:"1" doc:"metres along the route to where it passes the station most closely"`
	OffLine   float64       `json:"route_distance_m" decimals:"1" doc:"metres between the station and the route, straight"`
	Side      string        `json:"side" enum:"left,right,on" doc:"of the route as one travels"`
	Detour    float64       `json:"detour_s" minimum:"0" doc:"seconds that calling there adds; charging apart"`
	DetourM   float64       `json:"detour_m" decimals:"1"`
	PowerKW   *float64      `json:"power_kw" decimals:"1" doc:"most power of a connector that fits; null where it is not known"`
	Estimated bool          `json:"power_estimated" doc:"worked out from volts and amperes"`
	Points    int           `json:"points" doc:"charging points"`
	Plugs     []Connector   `json:"connectors" nullable:"false" doc:"all kinds there are, the most powerful first"`
	State     *Availability `json:"availability,omitempty" doc:"of the points with a connector that fits; absent where no feed tells it"`
	Always    *bool         `json:"open_24h" doc:"null where it is not known"`
	Hours     *string       `json:"opening_hours" doc:"as OSM writes them"`
	Private   bool          `json:"restricted" doc:"not for everybody"`
	Source    string        `json:"source" doc:"id of the source that tells most of it"`
	Also      []string      `json:"also" nullable:"false" doc:"sources that have it too"`
	Licence   *string       `json:"licence"`
}

// Connector is one kind of connector at a station.
type Connector struct {
	Standard charging.Standard `json:"standard"`
	PowerKW  *float64          `json:"power_kw" decimals:"1"`
	Count    int               `json:"count" doc:"0 where it is not known"`
	Fits     bool              `json:"fits" doc:"what was asked for"`
}

// Availability counts points by what they are doing.
type Availability struct {
	Available  int       `json:"available"`
	Occupied   int       `json:"occupied"`
	OutOfOrder int       `json:"out_of_order"`
	Unknown    int       `json:"unknown"`
	At         time.Time `json:"at" doc:"the oldest of what is told"`
	Stale      bool      `json:"stale" doc:"more than 15 minutes old: it may be otherwise by now"`
}

// staleAfter is how old what points are doing may be.
const staleAfter = 15 * time.Minute

// Excluded counts stations near the route that were left out.
type Excluded struct {
	Connectors int `json:"connectors" doc:"without a connector that fits and is known to have so much power"`
	Private    int `json:"restricted" doc:"not for everybody"`
	Weaker     int `json:"weaker" doc:"not among the 60 whose detour is measured"`
	Limit      int `json:"beyond_limit"`
	Doubled    int `json:"doubled" doc:"stations of the map that a feed has too"`
}

// Unreachable is a station that cannot be called at.
type Unreachable struct {
	ID     string `json:"id"`
	Source string `json:"source"`
	Reason string `json:"reason"`
}

// mostMeasured is how many stations detours are measured to.
const mostMeasured = 60

// osm is the source of stations on the map.
const osm = "osm"

// candidate is a station near the route that fits.
type candidate struct {
	*charging.Station
	listed *charging.Listed // nil for one of the map
	kw     float64
	pass   corridor.Pass
}

func (c *candidate) source() string {
	if c.listed == nil {
		return osm
	}
	return c.listed.Source.ID
}

// Along finds the stations along a way.
func (s *Service) Along(ctx context.Context, engine *along.Service, ahead along.Ahead, mapped *charging.Mapped, r *Request) (*Answer, error) {
	way, err := engine.Way(ctx, ahead, false)
	if err != nil {
		return nil, err
	}
	a := &Answer{Route: way.Route, Stations: []Station{}, Unreachable: []Unreachable{}, Coverage: along.Covered(s.Feeds.Feeds()), Attribution: []string{}}
	if mapped != nil {
		a.Coverage = append(a.Coverage, mappedCoverage(mapped, s.Now()))
	}
	near, err := s.near(ctx, way, mapped, r, &a.Excluded)
	if err != nil {
		return nil, err
	}
	if len(near) > 0 {
		places := make([]along.Place, len(near))
		for i, c := range near {
			places[i] = along.Place{ID: c.ID, Point: c.At}
		}
		measured, err := engine.Detours(ctx, way, places)
		if err != nil {
			return nil, err
		}
		for _, d := range measured.Places {
			a.Stations = append(a.Stations, s.station(&near[d.Index], d, r))
		}
		for _, u := range measured.Unreachable {
			a.Unreachable = append(a.Unreachable, Unreachable{u.ID, near[u.Index].source(), u.Reason})
		}
	}
	power := func(s *Station) float64 {
		if s.PowerKW == nil {
			return 0
		}
		return *s.PowerKW
	}
	slices.SortStableFunc(a.Stations, func(x, y Station) int {
		return cmp.Or(cmp.Compare(power(&y), power(&x)), cmp.Compare(x.Detour, y.Detour), cmp.Compare(x.Arc, y.Arc))
	})
	if len(a.Stations) > r.Limit {
		a.Excluded.Limit = len(a.Stations) - r.Limit
		a.Stations = a.Stations[:r.Limit]
	}
	a.Attribution = s.attributed(a.Stations, mapped)
	a.Caveat = along.Relied(a.Coverage) + "Stations that are in none of the sources are not here. Whether a point is free is told only where a feed says so, and may be otherwise on arrival."
	a.Say = say(r, a)
	return a, nil
}

func mappedCoverage(m *charging.Mapped, now time.Time) along.Coverage {
	area, licence := "the region of the map", "ODbL-1.0"
	c := along.Coverage{Source: osm, Name: "OpenStreetMap", Area: &area, Licence: &licence, State: feed.OK, UpdatedAt: m.Updated, Records: len(m.Stations)}
	if m.Updated != nil {
		age := max(0, now.Sub(*m.Updated).Seconds())
		c.AgeS = &age
	}
	return c
}

func (s *Service) attributed(stations []Station, mapped *charging.Mapped) []string {
	list := along.Attributed{}
	for _, station := range stations {
		if station.Source == osm {
			list.Add(mapped.Attribution)
		}
		for _, f := range s.Feeds.Feeds() {
			if source := f.Source(); source.ID == station.Source || slices.Contains(station.Also, source.ID) {
				list.Add(source.Attribution)
			}
		}
	}
	return list
}

// near finds the stations in the corridor that fit, the most powerful of them. A
// station of the map that a feed has too is left to the feed.
func (s *Service) near(ctx context.Context, way *along.Way, mapped *charging.Mapped, r *Request, out *Excluded) ([]candidate, error) {
	var list []candidate
	take := func(station *charging.Station, listed *charging.Listed, parts []corridor.Part) {
		pass, ok := way.Nearest(station.At, r.Buffer, parts)
		switch {
		case !ok:
		case station.Private:
			out.Private++
		case !station.Fits(r.LeastKW, r.Connectors...):
			out.Connectors++
		default:
			list = append(list, candidate{station, listed, station.MostKW(r.Connectors...), pass})
		}
	}
	directory := s.Directory()
	if directory != nil {
		err := way.Near(ctx, directory.Near, r.Buffer, func(i int, parts []corridor.Part) bool {
			take(&directory.Stations[i].Station, &directory.Stations[i], parts)
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	if mapped != nil {
		err := way.Near(ctx, mapped.Near, r.Buffer, func(i int, parts []corridor.Part) bool {
			if directory.Has(&mapped.Stations[i]) {
				out.Doubled++
			} else {
				take(&mapped.Stations[i], nil, parts)
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.kw, a.kw), cmp.Compare(a.pass.Metres, b.pass.Metres))
	})
	if len(list) > mostMeasured {
		out.Weaker = len(list) - mostMeasured
		list = list[:mostMeasured]
	}
	return list, nil
}

// station is one as it is told.
func (s *Service) station(c *candidate, d along.Ranked, r *Request) Station {
	out := Station{
		ID: c.ID, Name: c.Name, Operator: word(c.Operator), Address: word(c.Address), Postcode: word(c.Postcode), Lat: c.At.Lat, Lon: c.At.Lon,
		Arc: c.pass.Arc, OffLine: c.pass.Metres, Side: c.pass.Side.String(), Detour: d.Detour, DetourM: d.DetourM,
		Points: len(c.Points), Plugs: plugs(c.Station, r), State: s.availability(c, r), Hours: word(c.Hours), Private: c.Private, Source: c.source(), Also: []string{},
	}
	if c.kw > 0 {
		kw := c.kw
		out.PowerKW = &kw
		out.Estimated = !slices.ContainsFunc(c.Points, func(p charging.Point) bool {
			return slices.ContainsFunc(p.Connectors, func(k charging.Connector) bool { return k.KW == kw && !k.Estimated && fits(k.Standard, r) })
		})
	}
	if c.Always {
		always := true
		out.Always = &always
	}
	if c.listed != nil {
		out.Licence = word(c.listed.Source.Licence)
		for _, also := range c.listed.Also {
			if !slices.Contains(out.Also, also.ID) {
				out.Also = append(out.Also, also.ID)
			}
		}
	} else {
		out.Licence = word("ODbL-1.0")
	}
	return out
}

func fits(standard charging.Standard, r *Request) bool {
	return len(r.Connectors) == 0 || slices.Contains(r.Connectors, standard)
}

// plugs counts the kinds of connectors of a station.
func plugs(s *charging.Station, r *Request) []Connector {
	type kind struct {
		standard charging.Standard
		kw       float64
	}
	counts := map[kind]int{}
	for i := range s.Points {
		for _, c := range s.Points[i].Connectors {
			counts[kind{c.Standard, math.Round(c.KW*10) / 10}] += c.Count
		}
	}
	list := []Connector{}
	for k, n := range counts {
		c := Connector{Standard: k.standard, Count: n, Fits: fits(k.standard, r) && k.kw >= r.LeastKW}
		if k.kw > 0 {
			kw := k.kw
			c.PowerKW = &kw
		}
		list = append(list, c)
	}
	power := func(c *Connector) float64 {
		if c.PowerKW == nil {
			return 0
		}
		return *c.PowerKW
	}
	slices.SortFunc(list, func(a, b Connector) int {
		return cmp.Or(cmp.Compare(power(&b), power(&a)), cmp.Compare(a.Standard, b.Standard))
	})
	return list
}

// availability counts what the points that fit are doing; nil where no feed tells
// it of any.
func (s *Service) availability(c *candidate, r *Request) *Availability {
	if c.listed == nil || !c.listed.Live {
		return nil
	}
	out := &Availability{}
	for i := range c.Points {
		p := &c.Points[i]
		if len(p.Connectors) > 0 && !slices.ContainsFunc(p.Connectors, func(k charging.Connector) bool { return fits(k.Standard, r) && k.KW >= r.LeastKW }) {
			continue
		}
		if p.Status == "" || p.StatusAt.IsZero() {
			out.Unknown++
			continue
		}
		switch p.Status {
		case charging.Available:
			out.Available++
		case charging.Occupied:
			out.Occupied++
		case charging.OutOfOrder:
			out.OutOfOrder++
		}
		if out.At.IsZero() || p.StatusAt.Before(out.At) {
			out.At = p.StatusAt
		}
	}
	if out.At.IsZero() {
		return nil
	}
	out.Stale = s.Now().Sub(out.At) > staleAfter
	return out
}

func word(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
