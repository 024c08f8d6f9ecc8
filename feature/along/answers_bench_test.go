package along_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/along/charging"
	"github.com/waygate/waygate/feature/along/fuel"
	"github.com/waygate/waygate/feature/along/incidents"
	"github.com/waygate/waygate/feature/along/weather"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/road/link"
)

// untimed is an engine whose matrices cost nothing, so that only the rest is
// measured.
type untimed struct{ engine.Engine }

func (untimed) Matrix(_ context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	a := &engine.MatrixAnswer{Cells: make([][]engine.MatrixCell, len(r.Sources)), Sources: make([]engine.Snapped, len(r.Sources)), Targets: make([]engine.Snapped, len(r.Targets))}
	for i := range a.Cells {
		a.Cells[i] = make([]engine.MatrixCell, len(r.Targets))
		for j := range a.Cells[i] {
			d := 1.3 * geo.Distance(r.Sources[i].Point, r.Targets[j].Point)
			a.Cells[i][j] = engine.MatrixCell{Seconds: d / 25, Metres: d, Reached: true}
		}
	}
	for j := range r.Targets {
		a.Targets[j].Point = r.Targets[j].Point
	}
	return a, nil
}

// BenchmarkAnswers answers for a route of 200 km with a point every 25 m, among
// 10,000 records within 25 km of it, which is one for each square kilometre. The
// matrices cost nothing here.
func BenchmarkAnswers(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	line := []geo.Point{{Lon: -3, Lat: 51.5}}
	bearing := 60.0
	for range 8000 {
		bearing += r.NormFloat64() * 3
		bearing += (60 - bearing) * 0.01
		line = append(line, geo.Destination(line[len(line)-1], bearing, 25))
	}
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	beside := func() geo.Point {
		return geo.Destination(line[r.IntN(len(line))], r.Float64()*360, 25_000*math.Sqrt(r.Float64()))
	}
	var prices, chargers, hours strings.Builder
	prices.WriteString("id,name,lat,lon,e10,currency\n")
	chargers.WriteString("id,name,lat,lon,connectors\n")
	hours.WriteString("lat,lon,time,temperature_c,wind_ms,wind_from_deg,rain_mm_h\n")
	var list []incidents.Incident
	var boxes []geo.Bounds
	for i := range 10_000 {
		p := beside()
		fmt.Fprintf(&prices, "f%d,Station %d,%.6f,%.6f,%.1f,GBP\n", i, i, p.Lat, p.Lon, 130+r.Float64()*20)
		p = beside()
		fmt.Fprintf(&chargers, "c%d,Station %d,%.6f,%.6f,ccs2:%dx2\n", i, i, p.Lat, p.Lon, 50*(1+r.IntN(6)))
		at := r.IntN(len(line) - 20)
		stretch := line[at : at+20]
		if i%50 > 0 {
			p = beside()
			stretch = []geo.Point{p, geo.Destination(p, 80, 200)}
		}
		list = append(list, incidents.Incident{Record: &traffic.Record{ID: fmt.Sprint(i), Place: link.Place{}, Incident: &traffic.Incident{Kind: "roadworks"}}, Lines: [][]geo.Point{stretch}, Source: "own"})
		boxes = append(boxes, geo.NoBounds().Extend(stretch[0]).Extend(stretch[len(stretch)-1]))
	}
	for i := range 400 {
		p := line[i*20]
		for h := range 12 {
			fmt.Fprintf(&hours, "%.4f,%.4f,%s,9,5,200,0\n", p.Lat, p.Lon, now.Add(time.Duration(h)*time.Hour).Format(time.RFC3339))
		}
	}
	source := func(kind, text string) feed.Source {
		path := filepath.Join(b.TempDir(), kind)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		return feed.Source{ID: kind, Kind: kind, URL: path}
	}
	poll := func(m feed.Member, err error) {
		if err == nil {
			err = m.(interface{ Poll(context.Context) error }).Poll(b.Context())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	clock := func() time.Time { return now }
	options := feed.Options{Dir: b.TempDir(), Now: clock}
	pumps, points := &fuel.Service{Feeds: fuel.NewFeeds(), Now: clock}, &charging.Service{Feeds: charging.NewFeeds(), Now: clock}
	skies := &weather.Service{Feeds: weather.NewFeeds(), Now: clock}
	poll(pumps.Feeds.Add(options, source("fuel", prices.String())))
	poll(points.Feeds.Add(options, source("charging", chargers.String())))
	poll(skies.Feeds.Add(options, source("weather", hours.String())))
	reports := &incidents.Reports{Incidents: list, Index: corridor.NewIndex(boxes)}
	s, ahead := &along.Service{Engine: untimed{}}, along.Ahead{Line: line, Depart: now}
	litres := 40.0
	for _, c := range []struct {
		name string
		ask  func() (int, error)
	}{
		{"fuel", func() (int, error) {
			a, err := pumps.Along(b.Context(), s, ahead, &fuel.Request{Grade: "e10", Buffer: 1000, Litres: &litres, Limit: 20, Language: "en"})
			return len(a.Stations), err
		}},
		{"charging", func() (int, error) {
			a, err := points.Along(b.Context(), s, ahead, nil, &charging.Request{Buffer: 1000, LeastKW: 100, Limit: 20, Language: "en"})
			return len(a.Stations), err
		}},
		{"weather", func() (int, error) {
			a, err := skies.Along(b.Context(), s, ahead)
			return len(a.Samples), err
		}},
		{"incidents", func() (int, error) {
			way, err := s.Way(b.Context(), ahead, along.Search{Timed: true})
			if err != nil {
				return 0, err
			}
			a, err := reports.Along(b.Context(), way, &incidents.Request{Buffer: 50})
			return len(a.Incidents), err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			found := 0
			for b.Loop() {
				n, err := c.ask()
				if err != nil {
					b.Fatal(err)
				}
				found = n
			}
			b.ReportMetric(float64(found), "found")
		})
	}
}
