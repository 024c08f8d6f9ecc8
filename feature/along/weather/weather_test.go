package weather

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/weather"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// forecast returns a service with one file, polled.
func forecast(t *testing.T, text string) *Service {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weather.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Service{Feeds: NewFeeds(), Now: func() time.Time { return noon }}
	if _, err := s.Feeds.Add(feed.Options{Dir: t.TempDir()}, feed.Source{ID: "own", Kind: "weather", URL: path, Attribution: "Told by us."}); err != nil {
		t.Fatal(err)
	}
	if err := s.Feeds.Feeds()[0].Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAgainstTheObvious walks some kilometres to the east in an hour or two, and
// holds each sample against the two hours that it lies between.
func TestAgainstTheObvious(t *testing.T) {
	town := towntest.Draw(t, `a-----b-----c`, towntest.Ways{{"abc", "residential"}}, towntest.Cell(700))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	options, _, _ := costing.Parse(costing.Pedestrian, nil, "")
	r := rand.New(rand.NewPCG(16, 3))
	for round := range 20 {
		p := town.Point("b")
		// Hours from 11 on; the last of them is before the journey's end in some rounds.
		hours := 2 + r.IntN(4)
		var temperature, wind []float64
		var text strings.Builder
		text.WriteString("lat,lon,time,temperature_c,wind_ms,wind_from_deg,rain_mm_h\n")
		for h := range hours {
			temperature, wind = append(temperature, math.Round(r.Float64()*300-100)/10), append(wind, math.Round(r.Float64()*200)/10)
			fmt.Fprintf(&text, "%.4f,%.4f,%s,%g,%g,90,0\n", p.Lat, p.Lon, noon.Add(time.Duration(h-1)*time.Hour).Format(time.RFC3339), temperature[h], wind[h])
		}
		ahead := along.Ahead{Stops: []geo.Point{town.Point("a"), town.Point("c")}, Costing: costing.Pedestrian, Options: options, Depart: noon.Add(time.Duration(r.IntN(50)) * time.Minute)}
		if round%2 == 1 {
			ahead.Line, ahead.Stops = []geo.Point{town.Point("a"), town.Point("b"), town.Point("c")}, nil
		}
		a, err := forecast(t, text.String()).Along(t.Context(), &along.Service{Engine: e}, ahead)
		if err != nil {
			t.Fatal(err)
		}
		last := a.Samples[len(a.Samples)-1]
		if !a.Samples[0].At.Equal(ahead.Depart) || math.Abs(last.Arc-a.Route.Distance) > 5 || math.Abs(last.At.Sub(ahead.Depart).Seconds()-*a.Route.Duration) > 2 {
			t.Errorf("round %d: samples from %v to %+v of %+v", round, a.Samples[0].At, last, a.Route)
		}
		covered := 0
		for i := range a.Samples {
			x := &a.Samples[i]
			if i > 0 && (x.Arc <= a.Samples[i-1].Arc || x.At.Before(*a.Samples[i-1].At) || x.At.Sub(*a.Samples[i-1].At) > 16*time.Minute) {
				t.Errorf("round %d: sample %d at %.0f m and %v follows %.0f and %v", round, i, x.Arc, x.At, a.Samples[i-1].Arc, a.Samples[i-1].At)
			}
			since := x.At.Sub(noon.Add(-time.Hour)).Hours()
			h := int(since)
			if h+1 >= hours && since > float64(hours-1) {
				if x.Temperature != nil || x.Source != nil || x.Ice != nil || !strings.Contains(x.Reason, "beyond the forecast") {
					t.Errorf("round %d: beyond the forecast %+v", round, x)
				}
				continue
			}
			covered++
			share := since - float64(h)
			next := min(h+1, hours-1)
			degrees, breeze := temperature[h]+(temperature[next]-temperature[h])*share, wind[h]+(wind[next]-wind[h])*share
			if math.Abs(*x.Temperature-degrees) > 0.05 || math.Abs(*x.Wind-breeze) > 0.05 || x.Snow != nil || x.Gust != nil || *x.Source != "own" {
				t.Errorf("round %d: %+v, want %.2f degrees and %.2f m/s", round, x, degrees, breeze)
			}
			// The wind comes from where one goes.
			if math.Abs(*x.Head-breeze) > 0.05+0.01*breeze || math.Abs(*x.Cross) > 0.05+0.02*breeze {
				t.Errorf("round %d: ahead %.2f, across %.2f, of %.2f", round, *x.Head, *x.Cross, breeze)
			}
		}
		if len(a.Attribution) != min(1, covered) || len(a.Coverage) != 1 || a.Coverage[0].Records != 1 {
			t.Errorf("round %d: %v, %+v", round, a.Attribution, a.Coverage)
		}
	}
}

func TestIce(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		step weather.Step
		want string
	}{
		{weather.Step{Temperature: 10, Rain: 3}, "none"},
		{weather.Step{Temperature: 2, Rain: 0.1}, "possible"},
		{weather.Step{Temperature: 2}, "none"},
		{weather.Step{Temperature: 0}, "possible"},
		{weather.Step{Temperature: 1, Snow: 0.2}, "likely"},
		{weather.Step{Temperature: nan, Freezing: true}, "likely"},
		{weather.Step{Temperature: nan, Rain: 2}, ""},
		{weather.Step{Temperature: -3, Rain: nan, Snow: nan}, "possible"},
	} {
		got := ""
		if risk := ice(&c.step); risk != nil {
			got = *risk
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.step, got, c.want)
		}
	}
}

// TestWithout checks the reasons of samples without a forecast.
func TestWithout(t *testing.T) {
	if err := (*Service)(nil).Enabled(); !fault.IsNotEnabled(err) {
		t.Error(err)
	}
	s := forecast(t, "lat,lon,time,temperature_c\n10,10,"+noon.Format(time.RFC3339)+",9\n")
	at := noon.Add(time.Minute)
	samples := []Sample{{Lat: 51, Lon: -1, At: &at}, {Lat: 51, Lon: -1}, {Lat: 10, Lon: 10, At: &at}}
	if used := s.forecast(t.Context(), samples); len(used) != 0 {
		t.Errorf("used are %v", used)
	}
	var reasons []string
	for _, x := range samples {
		if x.Temperature != nil || x.Source != nil {
			t.Errorf("%+v", x)
		}
		reasons = append(reasons, strings.Fields(x.Reason)[0])
	}
	if !slices.Equal(reasons, []string{"no", "the", "beyond"}) {
		t.Errorf("reasons %v", reasons)
	}
}
