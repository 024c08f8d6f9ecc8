// Package fuel ranks filling stations on the way by what filling up there costs.
package fuel

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/fuel"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/null"
)

// Feeds is the group of feeds of prices.
type Feeds = feed.Group[[]fuel.Station, *fuel.Index]

// NewFeeds returns a group without feeds.
func NewFeeds() *Feeds { return feed.NewGroup(fuel.Kind(), fuel.Join) }

// Service answers from feeds; one without feeds is not enabled.
type Service struct {
	Feeds *Feeds
	Now   func() time.Time
}

// Enabled returns an error where there are no feeds.
func (s *Service) Enabled() error {
	if s == nil || len(s.Feeds.Feeds()) == 0 {
		return fault.NotEnabled("fuel", "prices of fuel are not enabled here: the deployment has no file or feed of prices (SVC_FUEL_PRICES)")
	}
	return nil
}

// Request is the fuel that is to be bought.
type Request struct {
	Grade    fuel.Grade
	Buffer   float64  // metres from the route
	Litres   *float64 // to be bought
	Capacity float64  // of the tank, in litres; 0 where it is not known
	Level    float64  // litres in the tank at the start
	Usage    float64  // litres in 100 km; 0 is the usual figure for the costing
	Limit    int
	Language string
}

// Answer is stations, the cheapest first.
type Answer struct {
	Route       along.Route   `json:"route"`
	Fuel        fuel.Grade    `json:"fuel" doc:"grade that the prices are of"`
	Stations    []Station     `json:"stations" nullable:"false" doc:"the cheapest first: by what the litres to be bought and the detour cost where it is known how many, else by the price and then the detour"`
	Excluded    Excluded      `json:"excluded"`
	Unreachable []Unreachable `json:"unreachable" nullable:"false" doc:"stations that no way leads to and on"`
	along.Sources
	Say string `json:"say" doc:"the best of them, to be spoken"`
}

// Station is one that sells the grade.
type Station struct {
	ID       string   `json:"id" doc:"in its source"`
	Name     string   `json:"name"`
	Brand    *string  `json:"brand"`
	Address  *string  `json:"address"`
	Postcode *string  `json:"postcode"`
	Lat      float64  `json:"lat"`
	Lon      float64  `json:"lon"`
	Motorway bool     `json:"motorway" doc:"of a motorway service area"`
	Hours    *string  `json:"opening_hours" doc:"as OSM writes them; null where the source does not say those of every day"`
	Offers   []string `json:"amenities" nullable:"false" doc:"in the words of the source; empty where it lists none"`
	Arc      float64  `json:"arc_m" decimals:"1" doc:"metres along the route to where it passes the station most closely"`
	OffLine  float64  `json:"route_distance_m" decimals:"1" doc:"metres between the station and the route, straight"`
	Side     string   `json:"side" enum:"left,right,on" doc:"of the route as one travels"`
	Detour   float64  `json:"detour_s" minimum:"0" doc:"seconds that calling there adds; the stop itself apart"`
	DetourM  float64  `json:"detour_m" decimals:"1"`
	Price    float64  `json:"price_per_litre" decimals:"3" doc:"in hundredths of the currency: pence, cents; per kilogram for cng"`
	Pence    *float64 `json:"pence_per_litre" decimals:"3" doc:"the same where the currency is GBP, else null"`
	Currency string   `json:"currency" doc:"ISO 4217"`

	PriceAt *time.Time `json:"price_at" doc:"since when the price is known to be in force; null where the source does not say"`
	Stale   *bool      `json:"stale" doc:"whether the price is more than 24 hours old; null where its age is not known"`
	Litres  *float64   `json:"litres" decimals:"1" doc:"to be bought; null where it is not known how many"`
	Cost    *Cost      `json:"cost,omitempty" doc:"of these litres and the detour; absent where it is not known how many"`
	InRange *bool      `json:"in_range" doc:"whether what is in the tank at the start lasts to the station; null without a tank"`
	Source  string     `json:"source" doc:"id of the source"`
	Licence *string    `json:"licence"`
}

// Cost is the cost of filling up at a station, in hundredths of the currency.
type Cost struct {
	Fuel   float64 `json:"fuel" decimals:"1"`
	Detour float64 `json:"detour" decimals:"1" doc:"fuel that the detour takes, at this price"`
	Total  float64 `json:"total" decimals:"1"`
}

// Excluded counts stations near the route that were left out.
type Excluded struct {
	WithoutFuel int `json:"without_fuel" doc:"that do not sell the grade, or have no price that can be right"`
	Closed      int `json:"closed" doc:"for the time being"`
	Dearer      int `json:"dearer" doc:"not among the 60 whose detour is measured"`
	Limit       int `json:"beyond_limit"`
	Currency    int `json:"other_currency" doc:"priced in another currency than most"`
}

// Unreachable is a station that cannot be called at.
type Unreachable struct {
	ID     string `json:"id"`
	Source string `json:"source"`
	Reason string `json:"reason"`
}

// candidate is a station near the route that sells the grade.
type candidate struct {
	*fuel.Listed
	price fuel.Price
	pass  corridor.Pass
}

// Along ranks the stations along a way.
func (s *Service) Along(ctx context.Context, engine *along.Service, ahead along.Ahead, r *Request) (*Answer, error) {
	if err := s.Enabled(); err != nil {
		return nil, err
	}
	way, err := engine.Way(ctx, ahead, s.search(r.Buffer))
	if err != nil {
		return nil, err
	}
	a := &Answer{Route: way.Route, Fuel: r.Grade, Unreachable: []Unreachable{}, Sources: along.SourcesOf(s.Feeds.Feeds())}
	candidates, err := s.near(ctx, way, r, &a.Excluded)
	if err != nil {
		return nil, err
	}
	now, perMetre := s.Now(), usage(way, r.Usage)
	ranked, err := along.RankStations(ctx, engine, way, candidates, &along.Ranking[candidate, Station]{
		Prefer: func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(a.price.Amount, b.price.Amount), cmp.Compare(a.pass.Metres, b.pass.Metres))
		},
		Place:  func(c *candidate) along.Place { return along.Place{ID: c.ID, Point: c.At} },
		Result: func(c *candidate, d *along.Ranked) Station { return r.station(c, d, now, perMetre) },
		Unreachable: func(c *candidate, reason string) {
			a.Unreachable = append(a.Unreachable, Unreachable{c.ID, c.Source.ID, reason})
		},
		Order: cheaper, Limit: r.Limit,
	})
	if err != nil {
		return nil, err
	}
	a.Stations, a.Excluded.Dearer, a.Excluded.Limit = ranked.List, ranked.Unmeasured, ranked.BeyondLimit
	for i := range a.Stations {
		along.AttributeFeeds(&a.Sources, s.Feeds.Feeds(), a.Stations[i].Source)
	}
	a.Warn("Prices are as the sources report them and may have changed; stations that are in none of them are not here. A detour costs fuel alone, not time.")
	a.Say = a.sentence(r.Language)
	return a, nil
}

// search returns the search that Along makes on the route.
func (s *Service) search(metres float64) along.Search {
	search := along.Search{Metres: metres, Detours: true}
	if index, ok := s.Feeds.View(); ok {
		search.Near = append(search.Near, index.Near)
	}
	return search
}

// near finds the stations in the corridor that sell the grade, priced in the currency that
// most of them have.
func (s *Service) near(ctx context.Context, way *along.Way, r *Request, out *Excluded) ([]candidate, error) {
	index, ok := s.Feeds.View()
	if !ok {
		return nil, nil
	}
	var list []candidate
	currencies := map[string]int{}
	at := func(i int) geo.Point { return index.Stations[i].At }
	err := way.NearPoints(ctx, index.Near, r.Buffer, at, func(i int, pass corridor.Pass) {
		station := &index.Stations[i]
		price, sells := station.Price(r.Grade)
		switch {
		case station.Closed:
			out.Closed++
		case !sells:
			out.WithoutFuel++
		default:
			list = append(list, candidate{station, price, pass})
			currencies[station.Currency()]++
		}
	})
	if err != nil || len(currencies) <= 1 {
		return list, err
	}
	usual := ""
	for c, n := range currencies {
		if n > currencies[usual] || n == currencies[usual] && c < usual {
			usual = c
		}
	}
	before := len(list)
	list = slices.DeleteFunc(list, func(c candidate) bool { return c.Currency() != usual })
	out.Currency = before - len(list)
	return list, nil
}

// cheaper orders stations: those within range first, then by what they cost, then by
// their detours.
func cheaper(a, b *Station) int {
	beyond := func(s *Station) int {
		if s.InRange != nil && !*s.InRange {
			return 1
		}
		return 0
	}
	cost := func(s *Station) float64 {
		if s.Cost != nil {
			return s.Cost.Total
		}
		return s.Price
	}
	return cmp.Or(cmp.Compare(beyond(a), beyond(b)), cmp.Compare(cost(a), cost(b)), cmp.Compare(a.Detour, b.Detour), cmp.Compare(a.Arc, b.Arc))
}

// usage returns the litres that a vehicle uses for a metre, the usual ones where the
// request does not say.
func usage(way *along.Way, asked float64) float64 {
	if asked == 0 {
		asked = 7
		if way.Costing == costing.Truck || way.Costing == costing.Bus {
			asked = 30
		}
	}
	return asked / 100_000
}

// station returns a candidate as the answer has it.
func (r *Request) station(c *candidate, d *along.Ranked, now time.Time, perMetre float64) Station {
	out := Station{
		ID: c.ID, Name: c.Name, Brand: null.IfZero(c.Brand), Address: null.IfZero(c.Address), Postcode: null.IfZero(c.Postcode), Lat: c.At.Lat, Lon: c.At.Lon, Motorway: c.Motorway, Hours: null.IfZero(c.Hours), Offers: append([]string{}, c.Amenities...),
		Arc: c.pass.Arc, OffLine: c.pass.Metres, Side: c.pass.Side.String(), Detour: d.Detour, DetourM: d.DetourM,
		Price: c.price.Amount, Currency: c.Currency(), Source: c.Source.ID, Licence: null.IfZero(c.Source.Licence),
	}
	if out.Currency == "GBP" {
		pence := c.price.Amount
		out.Pence = &pence
	}
	if at := c.price.At; !at.IsZero() {
		stale := now.Sub(at) > fuel.StaleAfter
		out.PriceAt, out.Stale = &at, &stale
	}
	litres := r.Litres
	if r.Capacity > 0 {
		left := r.Level - perMetre*(c.pass.Arc+max(0, d.DetourM)/2)
		within := left >= 0
		fits := r.Capacity - max(0, left)
		if out.InRange = &within; litres == nil {
			litres = &fits
		}
	}
	if litres != nil {
		bought, detour := *litres*c.price.Amount, max(0, d.DetourM)*perMetre*c.price.Amount
		amount := math.Round(*litres*10) / 10
		out.Litres, out.Cost = &amount, &Cost{bought, detour, bought + detour}
	}
	return out
}

// sentence returns what is spoken of the best station: the first within range whose price
// is not stale, else the first within range.
func (a *Answer) sentence(language string) string {
	l, _ := narrate.Find(language)
	grade := strings.ToUpper(strings.ReplaceAll(string(a.Fuel), "_", " "))
	var best *Station
	for i := range a.Stations {
		s := &a.Stations[i]
		if s.InRange != nil && !*s.InRange {
			continue
		}
		fresh := s.Stale == nil || !*s.Stale
		if best == nil || fresh {
			best = s
		}
		if fresh {
			break
		}
	}
	if best == nil {
		return l.NoFuel(grade)
	}
	at := narrate.Station{Name: along.StationName(best.ID, best.Name, best.Brand), Metres: best.Arc, Detour: best.Detour}
	return l.CheapestFuel(grade, &at, best.Price, best.Currency)
}
