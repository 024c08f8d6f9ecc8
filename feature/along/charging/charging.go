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
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/null"
)

// Feeds is the group of feeds of charging points.
type Feeds = feed.Group[*charging.Document, *charging.Directory]

// NewFeeds returns a group without feeds.
func NewFeeds() *Feeds { return feed.NewGroup(charging.Kind(), charging.Join) }

// Service answers from feeds and from the map of a region.
type Service struct {
	Feeds *Feeds
	Now   func() time.Time
}

// Enabled returns an error where there are neither feeds nor stations on the map.
func (s *Service) Enabled(mapped *charging.Mapped) error {
	if (s == nil || len(s.Feeds.Feeds()) == 0) && mapped == nil {
		return fault.NotEnabled("charging", "charging points are not enabled here: the deployment has no directory of them (SVC_CHARGING_DIR)")
	}
	return nil
}

// Directory returns the stations of all feeds; nil while there are none.
func (s *Service) Directory() *charging.Directory {
	d, _ := s.Feeds.View()
	return d
}

// Request is the stations that are looked for.
type Request struct {
	Buffer     float64             // metres from the route
	Connectors []charging.Standard // that fit the vehicle; all do where there are none
	LeastKW    float64             // least power of a connector
	Limit      int
	Language   string
}

// Answer is stations, the most powerful first.
type Answer struct {
	Route       along.Route   `json:"route"`
	Stations    []Station     `json:"stations" nullable:"false" doc:"the most powerful first, then the least detour"`
	Excluded    Excluded      `json:"excluded"`
	Unreachable []Unreachable `json:"unreachable" nullable:"false" doc:"stations that no way leads to and on"`
	along.Sources
	Say string `json:"say" doc:"the best of them, to be spoken"`
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
	State     *Availability `json:"availability,omitempty" doc:"of the points with a connector that fits; absent where no feed reports it"`
	Always    *bool         `json:"open_24h" doc:"null where it is not known"`
	Hours     *string       `json:"opening_hours" doc:"as OSM writes them"`
	Private   bool          `json:"restricted" doc:"not for everybody"`
	Source    string        `json:"source" doc:"id of the source with most of its facts"`
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
	At         time.Time `json:"at" doc:"the oldest of what is known"`
	Stale      bool      `json:"stale" doc:"more than 15 minutes old: it may be otherwise by now"`
}

// staleAfter is the age from which the state of points is stale.
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

// candidate is a station near the route that fits the request.
type candidate struct {
	*charging.Station
	listed *charging.Listed // nil for one of the map
	kw     float64
	pass   corridor.Pass
}

func (c *candidate) source() string {
	if c.listed == nil {
		return along.MapID
	}
	return c.listed.Source.ID
}

// Along finds the stations along a way.
func (s *Service) Along(ctx context.Context, engine *along.Service, ahead along.Ahead, mapped *charging.Mapped, r *Request) (*Answer, error) {
	way, err := engine.Way(ctx, ahead, s.search(mapped, r.Buffer))
	if err != nil {
		return nil, err
	}
	a := &Answer{Route: way.Route, Unreachable: []Unreachable{}, Sources: along.SourcesOf(s.Feeds.Feeds())}
	if mapped != nil {
		a.AddMap(len(mapped.Stations), mapped.Updated, s.Now())
	}
	candidates, err := s.near(ctx, way, mapped, r, &a.Excluded)
	if err != nil {
		return nil, err
	}
	ranked, err := along.RankStations(ctx, engine, way, candidates, &along.Ranking[candidate, Station]{
		Prefer: func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(b.kw, a.kw), cmp.Compare(a.pass.Metres, b.pass.Metres))
		},
		Place:  func(c *candidate) along.Place { return along.Place{ID: c.ID, Point: c.At} },
		Result: func(c *candidate, d *along.Ranked) Station { return s.station(c, d, r) },
		Unreachable: func(c *candidate, reason string) {
			a.Unreachable = append(a.Unreachable, Unreachable{c.ID, c.source(), reason})
		},
		Order: stronger, Limit: r.Limit,
	})
	if err != nil {
		return nil, err
	}
	a.Stations, a.Excluded.Weaker, a.Excluded.Limit = ranked.List, ranked.Unmeasured, ranked.BeyondLimit
	for i := range a.Stations {
		station := &a.Stations[i]
		if station.Source == along.MapID {
			a.Attribute(mapped.Attribution)
		}
		along.AttributeFeeds(&a.Sources, s.Feeds.Feeds(), append(station.Also, station.Source)...)
	}
	a.Warn("Stations that are in none of the sources are not here. Whether a point is free is reported only where a feed says so, and may be otherwise on arrival.")
	a.Say = a.sentence(r.Language)
	return a, nil
}

// stronger orders stations by their power, then by their detours.
func stronger(a, b *Station) int {
	return cmp.Or(cmp.Compare(powerOrZero(b.PowerKW), powerOrZero(a.PowerKW)), cmp.Compare(a.Detour, b.Detour), cmp.Compare(a.Arc, b.Arc))
}

// powerOrZero returns a power, and 0 for one that is not known.
func powerOrZero(kw *float64) float64 {
	if kw == nil {
		return 0
	}
	return *kw
}

// search returns the search that Along makes on the route.
func (s *Service) search(mapped *charging.Mapped, metres float64) along.Search {
	search := along.Search{Metres: metres, Detours: true}
	if directory := s.Directory(); directory != nil {
		search.Near = append(search.Near, directory.Near)
	}
	if mapped != nil {
		search.Near = append(search.Near, mapped.Near)
	}
	return search
}

// near finds the stations in the corridor that fit. A station of the map that a feed has
// too is counted as the feed's.
func (s *Service) near(ctx context.Context, way *along.Way, mapped *charging.Mapped, r *Request, out *Excluded) ([]candidate, error) {
	var list []candidate
	add := func(station *charging.Station, listed *charging.Listed, pass corridor.Pass) {
		switch {
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
		at := func(i int) geo.Point { return directory.Stations[i].At }
		err := way.NearPoints(ctx, directory.Near, r.Buffer, at, func(i int, pass corridor.Pass) {
			add(&directory.Stations[i].Station, &directory.Stations[i], pass)
		})
		if err != nil {
			return nil, err
		}
	}
	if mapped == nil {
		return list, nil
	}
	err := way.Near(ctx, mapped.Near, r.Buffer, func(i int, parts []corridor.Part) bool {
		station := &mapped.Stations[i]
		if directory.Has(station) {
			out.Doubled++
		} else if pass, ok := way.Nearest(station.At, r.Buffer, parts); ok {
			add(station, nil, pass)
		}
		return true
	})
	return list, err
}

// station returns a candidate as the answer has it.
func (s *Service) station(c *candidate, d *along.Ranked, r *Request) Station {
	out := Station{
		ID: c.ID, Name: c.Name, Operator: null.IfZero(c.Operator), Address: null.IfZero(c.Address), Postcode: null.IfZero(c.Postcode), Lat: c.At.Lat, Lon: c.At.Lon,
		Arc: c.pass.Arc, OffLine: c.pass.Metres, Side: c.pass.Side.String(), Detour: d.Detour, DetourM: d.DetourM,
		Points: len(c.Points), Plugs: plugs(c.Station, r), State: s.availability(c, r), Hours: null.IfZero(c.Hours), Private: c.Private, Source: c.source(), Also: []string{},
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
		out.Licence = null.IfZero(c.listed.Source.Licence)
		for _, also := range c.listed.Also {
			if !slices.Contains(out.Also, also.ID) {
				out.Also = append(out.Also, also.ID)
			}
		}
	} else {
		out.Licence = null.IfZero(along.MapLicence)
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
	slices.SortFunc(list, func(a, b Connector) int {
		return cmp.Or(cmp.Compare(powerOrZero(b.PowerKW), powerOrZero(a.PowerKW)), cmp.Compare(a.Standard, b.Standard))
	})
	return list
}

// availability counts the points that fit by their states; nil where no feed has the state of
// any.
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

// sentence returns what is spoken of the first station.
func (a *Answer) sentence(language string) string {
	l, _ := narrate.Find(language)
	if len(a.Stations) == 0 {
		return l.NoCharger()
	}
	s := &a.Stations[0]
	at := narrate.Station{Name: along.StationName(s.ID, s.Name, s.Operator), Metres: s.Arc, Detour: s.Detour}
	text := l.StrongestCharger(&at, powerOrZero(s.PowerKW))
	if v := s.State; v != nil && !v.Stale {
		text += l.FreePoints(v.Available, v.Available+v.Occupied+v.OutOfOrder+v.Unknown)
	}
	return text
}
