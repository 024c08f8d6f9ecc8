// Package weather holds forecasts for places: those of Open-Meteo and of MET
// Norway, asked by cells of a grid as routes need them, and files in either form,
// in that of MOSMIX, or in one of our own.
package weather

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Step is the weather at one time. A value that the source does not have is NaN.
type Step struct {
	At          time.Time
	Temperature float64 // degrees Celsius
	Wind        float64 // metres a second
	From        float64 // direction that the wind comes from, in degrees
	Gusts       float64 // metres a second
	Rain        float64 // millimetres an hour
	Snow        float64 // fresh snow, centimetres an hour
	Visibility  float64 // metres
	Freezing    bool    // freezing rain or drizzle is forecast
}

// unknown returns a step without a value.
func unknown(at time.Time) Step {
	nan := math.NaN()
	return Step{At: at, Temperature: nan, Wind: nan, From: nan, Gusts: nan, Rain: nan, Snow: nan, Visibility: nan}
}

// Series is the forecast for a place, in the order of time.
type Series struct {
	Place    geo.Point
	IssuedAt time.Time // when it was made, or fetched where it does not say
	Steps    []Step
}

// longestStep is how far apart two steps may be to interpolate between them.
const longestStep = 6*time.Hour + time.Minute

// At returns the weather at a time between two steps; ok is false before the first,
// beyond the last, and in a gap.
func (s *Series) At(t time.Time) (Step, bool) {
	i := sort.Search(len(s.Steps), func(i int) bool { return s.Steps[i].At.After(t) })
	if i == 0 {
		return Step{}, false
	}
	a := s.Steps[i-1]
	if a.At.Equal(t) {
		return a, true
	}
	if i == len(s.Steps) || s.Steps[i].At.Sub(a.At) > longestStep {
		return Step{}, false
	}
	b := s.Steps[i]
	share := t.Sub(a.At).Seconds() / b.At.Sub(a.At).Seconds()
	mix := func(x, y float64) float64 { return x + (y-x)*share }
	out := Step{
		At: t, Temperature: mix(a.Temperature, b.Temperature), Gusts: mix(a.Gusts, b.Gusts), Visibility: mix(a.Visibility, b.Visibility),
		// Precipitation is given for the time after a step.
		Rain: a.Rain, Snow: a.Snow, Freezing: a.Freezing,
	}
	east := mix(a.Wind*sin(a.From), b.Wind*sin(b.From))
	north := mix(a.Wind*cos(a.From), b.Wind*cos(b.From))
	out.Wind, out.From = mix(a.Wind, b.Wind), math.Mod(math.Atan2(east, north)*180/math.Pi+360, 360)
	return out, true
}

func sin(degrees float64) float64 { return math.Sin(degrees * math.Pi / 180) }
func cos(degrees float64) float64 { return math.Cos(degrees * math.Pi / 180) }

// Horizon returns how far the forecast goes.
func (s *Series) Horizon() time.Time {
	if len(s.Steps) == 0 {
		return time.Time{}
	}
	return s.Steps[len(s.Steps)-1].At
}

// Listed is a series with its source.
type Listed struct {
	*Series
	Source *feed.Source
}

// Index is the series of files, to be found by place. It is immutable.
type Index struct {
	list []Listed
	near *corridor.Index
}

// farthest is how far in metres a forecast for another place may be from one.
const farthest = 30_000

// Near returns the forecast for the nearest place within 30 km. A nil index has
// none.
func (x *Index) Near(p geo.Point) (best Listed, ok bool) {
	if x == nil {
		return best, false
	}
	least := math.Inf(1)
	x.near.Search(geo.Around(p, farthest), func(i int) bool {
		if d := geo.Distance(p, x.list[i].Place); d <= farthest && d < least {
			best, least, ok = x.list[i], d, true
		}
		return true
	})
	return best, ok
}

// Join makes the index of what all files have in force.
func Join(all []*feed.Snapshot[[]Series]) *Index {
	x := &Index{}
	var points []geo.Point
	for _, s := range all {
		for i := range s.Value {
			x.list = append(x.list, Listed{&s.Value[i], s.Source})
			points = append(points, s.Value[i].Place)
		}
	}
	x.near = corridor.PointIndex(points)
	return x
}

// Formats are the formats that a source may have.
const (
	OpenMeteo = "open-meteo"
	METNorway = "met-norway"
	MOSMIX    = "mosmix" // of the German weather service
	CSV       = "csv"
)

// Kind describes files of forecasts.
func Kind() feed.Kind[[]Series] {
	return feed.Kind[[]Series]{
		Read: read, Every: 10 * time.Minute, StaleAfter: 12 * time.Hour,
		Check: func(s *feed.Source) error {
			if all := []string{"", OpenMeteo, METNorway, MOSMIX, CSV}; !slices.Contains(all, s.Format) {
				return fmt.Errorf("format %q is none of %s", s.Format, strings.Join(all[1:], ", "))
			}
			return nil
		},
	}
}

func read(_ context.Context, in *feed.Input, _ []Series) ([]Series, int, error) {
	var list []Series
	var err error
	switch in.Sniff() {
	case feed.JSON:
		list, err = readJSON(in)
	case feed.XML:
		list, err = readMOSMIX(in)
	default:
		list, err = readTable(in)
	}
	return list, len(list), err
}
