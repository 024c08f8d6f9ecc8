// Package fuel ranks filling stations on the way by what filling up there costs.
package fuel

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/fuel"
	"github.com/waygate/waygate/geo/corridor"
)

// Feeds are those of prices.
type Feeds = feed.Group[[]fuel.Station, *fuel.Index]

// NewFeeds makes the group of them.
func NewFeeds() *Feeds { return feed.NewGroup(fuel.Kind(), fuel.Join) }

// Service answers from feeds; one without feeds is not enabled.
type Service struct {
	Feeds *Feeds
	Now   func() time.Time
}

// Enabled fails where there are no feeds.
func (s *Service) Enabled() error {
	if s == nil || len(s.Feeds.Feeds()) == 0 {
		return fault.NotEnabled("fuel", "prices of fuel are not enabled here: the deployment has no file or feed of prices (SVC_FUEL_PRICES)")
	}
	return nil
}

// Request is what is to be bought on which way.
type Request struct {
	Grade    fuel.Grade
	Buffer   float64  // metres from the route
	Litres   *float64 // to be bought
	Capacity float64  // of the tank, in litres; 0 where it is not said
	Level    float64  // in it at the start
	Usage    float64  // litres in 100 km; 0 is what is usual for the costing
	Limit    int
	Language string
}

// Answer is stations, the cheapest first.
type Answer struct {
	Route       along.Route      `json:"route"`
	Fuel        fuel.Grade       `json:"fuel" doc:"grade that the prices are of"`
	Stations    []Station        `json:"stations" nullable:"false" doc:"the cheapest first: by what the litres to be bought and the detour cost where it is known how many, else by the price and then the detour"`
	Excluded    Excluded         `json:"excluded"`
	Unreachable []Unreachable    `json:"unreachable" nullable:"false" doc:"stations that no way leads to and on"`
	Coverage    []along.Coverage `json:"coverage" nullable:"false" doc:"by source"`
	Attribution []string         `json:"attribution" nullable:"false" doc:"to be shown with the stations, word by word"`
	Caveat      string           `json:"caveat"`
	Say         string           `json:"say" doc:"the best of them, to be spoken"`
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
	Offers   []string `json:"amenities" nullable:"false" doc:"in the words of the source; empty where it tells of none"`
	Arc      float64  `json:"arc_m" decimals:"1" doc:"metres along the route to where it passes the station most closely"`
	OffLine  float64  `json:"route_distance_m" decimals:"1" doc:"metres between the station and the route, straight"`
	Side     string   `json:"side" enum:"left,right,on" doc:"of the route as one travels"`
	Detour   float64  `json:"detour_s" minimum:"0" doc:"seconds that calling there adds; the stop itself apart"`
	DetourM  float64  `json:"detour_m" decimals:"1"`
	Price    float64  `json:"price_per_litre" decimals:"3" doc:"in hundredths of the currency: pence, cents; per kilogram for cng"`
	Pence    *float64 `json:"pence_per_litre" decimals:"3" doc:"the same where the currency is GBP, else null"`
	Currency string   `json:"currency" doc:"ISO 4217"`

	PriceAt *time.Time `json:"price_at" doc:"since when the price is known to hold; null where the source does not say"`
	Stale   *bool      `json:"stale" doc:"whether the price is more than 24 hours old; null where its age is not known"`
	Litres  *float64   `json:"litres" decimals:"1" doc:"to be bought; null where it is not known how many"`
	Cost    *Cost      `json:"cost,omitempty" doc:"of these litres and the detour; absent where it is not known how many"`
	InRange *bool      `json:"in_range" doc:"whether what is in the tank at the start lasts to the station; null without a tank"`
	Source  string     `json:"source" doc:"id of the source"`
	Licence *string    `json:"licence"`
}

// Cost is what filling up at a station costs, in hundredths of the currency.
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

// mostMeasured is how many stations detours are measured to.
const mostMeasured = 60

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
	way, err := engine.Way(ctx, ahead, false)
	if err != nil {
		return nil, err
	}
	a := &Answer{Route: way.Route, Fuel: r.Grade, Stations: []Station{}, Unreachable: []Unreachable{}, Coverage: along.Covered(s.Feeds.Feeds()), Attribution: []string{}}
	near, err := s.near(ctx, way, r, &a.Excluded)
	if err != nil {
		return nil, err
	}
	if len(near) > 0 {
		if err := s.rank(ctx, engine, way, near, ranking{r, a}); err != nil {
			return nil, err
		}
	}
	var whose along.Attributed
	for _, station := range a.Stations {
		for _, f := range s.Feeds.Feeds() {
			if source := f.Source(); source.ID == station.Source {
				whose.Add(source.Attribution)
			}
		}
	}
	a.Attribution = append(a.Attribution, whose...)
	a.Caveat = along.Relied(a.Coverage) + "Prices are as the sources tell them and may have changed; stations that are in none of them are not here. A detour costs fuel alone, not time."
	a.Say = say(r, a)
	return a, nil
}

// near finds the stations in the corridor, the cheapest of them.
func (s *Service) near(ctx context.Context, way *along.Way, r *Request, out *Excluded) ([]candidate, error) {
	index, ok := s.Feeds.View()
	if !ok {
		return nil, nil
	}
	var list []candidate
	currencies := map[string]int{}
	err := way.Near(ctx, index.Near, r.Buffer, func(i int, parts []corridor.Part) bool {
		station := &index.Stations[i]
		pass, ok := way.Nearest(station.At, r.Buffer, parts)
		if !ok {
			return true
		}
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
		return true
	})
	if err != nil {
		return nil, err
	}
	if len(currencies) > 1 {
		usual := ""
		for c, n := range currencies {
			if n > currencies[usual] || n == currencies[usual] && c < usual {
				usual = c
			}
		}
		before := len(list)
		list = slices.DeleteFunc(list, func(c candidate) bool { return c.Currency() != usual })
		out.Currency = before - len(list)
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.price.Amount, b.price.Amount), cmp.Compare(a.pass.Metres, b.pass.Metres))
	})
	if len(list) > mostMeasured {
		out.Dearer = len(list) - mostMeasured
		list = list[:mostMeasured]
	}
	return list, nil
}

// ranking is a question and its answer in the making.
type ranking struct {
	*Request
	*Answer
}

// rank measures the detours and puts the stations in order.
func (s *Service) rank(ctx context.Context, engine *along.Service, way *along.Way, near []candidate, r ranking) error {
	places := make([]along.Place, len(near))
	for i, c := range near {
		places[i] = along.Place{ID: c.ID, Point: c.At}
	}
	measured, err := engine.Detours(ctx, way, places)
	if err != nil {
		return err
	}
	now := s.Now()
	for _, d := range measured.Places {
		r.Stations = append(r.Stations, r.station(&near[d.Index], d, now, usage(way, r.Usage)))
	}
	for _, u := range measured.Unreachable {
		r.Unreachable = append(r.Unreachable, Unreachable{u.ID, near[u.Index].Source.ID, u.Reason})
	}
	cost := func(x *Station) float64 {
		if x.Cost != nil {
			return x.Cost.Total
		}
		return x.Price
	}
	beyond := func(x *Station) int {
		if x.InRange != nil && !*x.InRange {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(r.Stations, func(a, b Station) int {
		return cmp.Or(cmp.Compare(beyond(&a), beyond(&b)), cmp.Compare(cost(&a), cost(&b)), cmp.Compare(a.Detour, b.Detour), cmp.Compare(a.Arc, b.Arc))
	})
	if len(r.Stations) > r.Limit {
		r.Excluded.Limit = len(r.Stations) - r.Limit
		r.Stations = r.Stations[:r.Limit]
	}
	return nil
}

// usage is what a vehicle takes in litres for a metre.
func usage(way *along.Way, asked float64) float64 {
	if asked == 0 {
		asked = 7
		if way.Costing == costing.Truck || way.Costing == costing.Bus {
			asked = 30
		}
	}
	return asked / 100_000
}

// station is one as it is told.
func (r ranking) station(c *candidate, d along.Ranked, now time.Time, perMetre float64) Station {
	out := Station{
		ID: c.ID, Name: c.Name, Brand: word(c.Brand), Address: word(c.Address), Postcode: word(c.Postcode), Lat: c.At.Lat, Lon: c.At.Lon, Motorway: c.Motorway, Hours: word(c.Hours), Offers: append([]string{}, c.Amenities...),
		Arc: c.pass.Arc, OffLine: c.pass.Metres, Side: c.pass.Side.String(), Detour: d.Detour, DetourM: d.DetourM,
		Price: c.price.Amount, Currency: c.Currency(), Source: c.Source.ID, Licence: word(c.Source.Licence),
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

func word(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
