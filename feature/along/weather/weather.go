// Package weather forecasts the weather at places of a route for the time of arrival there.
package weather

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/weather"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/null"
)

// Feeds is the group of files of forecasts.
type Feeds = feed.Group[[]weather.Series, *weather.Index]

// NewFeeds returns a group without feeds.
func NewFeeds() *Feeds { return feed.NewGroup(weather.Kind(), weather.Join) }

// Service answers from files, and from servers where the files have no forecast.
type Service struct {
	Feeds *Feeds
	Cells []*weather.Cells // servers, the first to ask first
	Now   func() time.Time
}

// Enabled returns an error where there is no source.
func (s *Service) Enabled() error {
	if s == nil || len(s.Feeds.Feeds()) == 0 && len(s.Cells) == 0 {
		return fault.NotEnabled("weather", "weather is not enabled here: the deployment has no forecast (SVC_WEATHER)")
	}
	return nil
}

// Answer is the weather at samples of the route.
type Answer struct {
	Route    along.Route `json:"route"`
	DepartAt time.Time   `json:"depart_at"`
	Samples  []Sample    `json:"samples" nullable:"false" doc:"from the start to the end"`
	along.Sources
}

// Sample is the weather at one place of the route, at the time one comes there.
// What the source does not have, and all beyond what it forecasts, is null.
type Sample struct {
	Arc         float64    `json:"arc_m" decimals:"1" doc:"metres from the start"`
	Lat         float64    `json:"lat" decimals:"6"`
	Lon         float64    `json:"lon" decimals:"6"`
	At          *time.Time `json:"at" doc:"when one comes there; null where that is not known, and then all is"`
	Bearing     float64    `json:"course" decimals:"0" doc:"of the route there, in degrees clockwise from north"`
	Temperature *float64   `json:"temperature_c" decimals:"1"`
	Wind        *float64   `json:"wind_ms" decimals:"1" doc:"metres a second, ten metres above the ground"`
	From        *float64   `json:"wind_from_deg" decimals:"0" doc:"direction it comes from"`
	Head        *float64   `json:"headwind_ms" decimals:"1" doc:"against the course; below zero it is with it"`
	Cross       *float64   `json:"crosswind_ms" decimals:"1" doc:"across the course; above zero it comes from the right"`
	Gust        *float64   `json:"gust_ms" decimals:"1"`
	HeadGust    *float64   `json:"headgust_ms" decimals:"1" doc:"of gusts, as headwind_ms"`
	CrossGust   *float64   `json:"crossgust_ms" decimals:"1" doc:"of gusts, as crosswind_ms"`
	Rain        *float64   `json:"rain_mm_h" decimals:"1"`
	Snow        *float64   `json:"snow_cm_h" decimals:"1" doc:"fresh snow"`
	Visibility  *float64   `json:"visibility_m" decimals:"0"`
	Ice         *string    `json:"ice_risk" enum:"none,possible,likely" doc:"likely: freezing rain, or wet at 1 degree or less; possible: below 3 degrees and wet, or at 0 or less; null where the temperature is not known"`
	Source      *string    `json:"source" doc:"id of the source; null where none has a forecast"`
	Away        *float64   `json:"forecast_distance_m" decimals:"0" doc:"metres to the place that the forecast is for, a station or a point of a grid; null where there is no forecast"`
	IssuedAt    *time.Time `json:"made_at" doc:"when the forecast was made, or fetched where its source does not say"`
	Reason      string     `json:"reason,omitempty" doc:"why there is no forecast"`
}

// Samples lie so far apart, in metres or seconds, whichever is less, and there are
// so many at the most.
const (
	everyMetres  = 15_000
	everySeconds = 15 * 60
	mostSamples  = 60
)

// Along forecasts the weather along a way.
func (s *Service) Along(ctx context.Context, engine *along.Service, ahead along.Ahead) (*Answer, error) {
	if err := s.Enabled(); err != nil {
		return nil, err
	}
	way, err := engine.Way(ctx, ahead, along.Search{Timed: true})
	if err != nil {
		return nil, err
	}
	a := &Answer{Route: way.Route, DepartAt: ahead.Depart.UTC().Truncate(time.Second), Samples: s.samples(way), Sources: along.SourcesOf(s.Feeds.Feeds())}
	for _, source := range s.forecast(ctx, a.Samples) {
		a.Attribute(source.Attribution)
	}
	a.Coverage = append(a.Coverage, along.SourcesOf(s.Cells).Coverage...)
	a.Warn("A forecast is for a cell of some kilometres and between its hours; bridges, passes and valleys are colder, windier or foggier than it says. Ice is judged from temperature and rain alone, not from the road.")
	return a, nil
}

// samples returns places of a way with the times of arrival there.
func (s *Service) samples(way *along.Way) []Sample {
	n := way.Length() / everyMetres
	if last, ok := way.Seconds(way.Length()); ok {
		n = max(n, last/everySeconds)
	}
	count := min(mostSamples, int(n)+2)
	list := make([]Sample, count)
	for i := range list {
		arc := way.Length() * float64(i) / float64(count-1)
		p, bearing := way.At(arc)
		list[i] = Sample{Arc: arc, Lat: p.Lat, Lon: p.Lon, Bearing: math.Mod(math.Round(bearing), 360)}
		if seconds, ok := way.Seconds(arc); ok {
			at := way.Depart.Add(time.Duration(seconds * float64(time.Second))).UTC().Truncate(time.Second)
			list[i].At = &at
		}
	}
	return list
}

// forecast fills samples, and returns the sources that it used.
func (s *Service) forecast(ctx context.Context, samples []Sample) (used []*feed.Source) {
	files, _ := s.Feeds.View()
	var missing []int
	fill := func(i int, series *weather.Series, source *feed.Source) bool {
		x := &samples[i]
		step, ok := series.At(*x.At)
		if !ok {
			if x.Reason = "before the forecast begins"; x.At.After(series.Horizon()) {
				x.Reason = "beyond the forecast, which goes to " + series.Horizon().Format(time.RFC3339)
			}
			return false
		}
		x.Reason = ""
		x.fill(&step, series, source)
		if !slices.Contains(used, source) {
			used = append(used, source)
		}
		return true
	}
	for i := range samples {
		if samples[i].At == nil {
			samples[i].Reason = "the time of arrival is not known: no way leads along the line for this costing"
			continue
		}
		if listed, ok := files.Near(geo.Point{Lon: samples[i].Lon, Lat: samples[i].Lat}); !ok || !fill(i, listed.Series, listed.Source) {
			missing = append(missing, i)
		}
	}
	for _, c := range s.Cells {
		if len(missing) == 0 {
			break
		}
		places := make([]geo.Point, len(missing))
		for k, i := range missing {
			places[k] = geo.Point{Lon: samples[i].Lon, Lat: samples[i].Lat}
		}
		var left []int
		for k, series := range c.Near(ctx, places) {
			if i := missing[k]; series == nil || !fill(i, series, c.Source()) {
				left = append(left, i)
			}
		}
		missing = left
	}
	for _, i := range missing {
		if samples[i].Reason == "" {
			samples[i].Reason = "no source has a forecast for the place at the moment"
		}
	}
	return used
}

// fill sets the values of a step of a series.
func (x *Sample) fill(p *weather.Step, series *weather.Series, source *feed.Source) {
	x.Temperature, x.Wind, x.From, x.Gust = null.IfNaN(p.Temperature), null.IfNaN(p.Wind), null.IfNaN(p.From), null.IfNaN(p.Gusts)
	x.Rain, x.Snow, x.Visibility = null.IfNaN(p.Rain), null.IfNaN(p.Snow), null.IfNaN(p.Visibility)
	angle := (p.From - x.Bearing) * math.Pi / 180
	x.Head, x.Cross = null.IfNaN(p.Wind*math.Cos(angle)), null.IfNaN(p.Wind*math.Sin(angle))
	x.HeadGust, x.CrossGust = null.IfNaN(p.Gusts*math.Cos(angle)), null.IfNaN(p.Gusts*math.Sin(angle))
	x.Ice = ice(p)
	made := series.IssuedAt.UTC().Truncate(time.Second)
	away := geo.Distance(geo.Point{Lon: x.Lon, Lat: x.Lat}, series.Place)
	x.Source, x.IssuedAt, x.Away = &source.ID, &made, &away
}

// ice judges the risk of ice on the road; nil where the temperature is not known.
func ice(p *weather.Step) *string {
	risk := "none"
	wet := p.Rain > 0 || p.Snow > 0
	switch {
	case p.Freezing, p.Temperature <= 1 && wet:
		risk = "likely"
	case math.IsNaN(p.Temperature):
		return nil
	case p.Temperature <= 0, p.Temperature < 3 && wet:
		risk = "possible"
	}
	return &risk
}
