package fuel

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
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/fuel"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// priced returns a service with one file of prices, polled.
func priced(t *testing.T, text string) *Service {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prices.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Service{Feeds: NewFeeds(), Now: func() time.Time { return noon }}
	if _, err := s.Feeds.Add(feed.Options{Dir: t.TempDir()}, feed.Source{ID: "own", Kind: "fuel", URL: path, Attribution: "Told by us."}); err != nil {
		t.Fatal(err)
	}
	if err := s.Feeds.Feeds()[0].Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// walkers give a town and who goes on foot there, who may turn anywhere.
func walkers(t *testing.T) (*towntest.Town, *along.Service, costing.Settings) {
	t.Helper()
	town := towntest.Draw(t, `
		a---b---c---d---k
		    |   |   |   |
		    e---f---i---j
		    |
		    g`,
		towntest.Ways{{"abcdk", "residential"}, {"befijk", "residential"}, {"cf", "residential"}, {"di", "residential"}, {"eg", "residential"}}, towntest.Cell(300))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	options, _, _ := costing.Parse(costing.Pedestrian, nil, "")
	return town, &along.Service{Engine: e}, options
}

// seconds returns those of the best way through places.
func seconds(t *testing.T, s *along.Service, options costing.Settings, places ...geo.Point) (took, metres float64) {
	t.Helper()
	r, err := engine.Best(t.Context(), s.Engine, &engine.RouteRequest{Costing: costing.Pedestrian, Options: options, Locations: engine.Stops(places)})
	if err != nil {
		t.Fatal(err)
	}
	return r.Seconds, r.Metres
}

// apart returns how far a place is from a line, found by walking it metre by metre.
func apart(p geo.Point, line []geo.Point) float64 {
	least := math.Inf(1)
	for i := 1; i < len(line); i++ {
		n := int(geo.Distance(line[i-1], line[i])) + 1
		for k := range n + 1 {
			share := float64(k) / float64(n)
			least = min(least, geo.Distance(p, geo.Point{Lon: line[i-1].Lon + (line[i].Lon-line[i-1].Lon)*share, Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*share}))
		}
	}
	return least
}

// TestAgainstTheObvious compares answers on drawn stations with routes through each
// of them, one by one.
func TestAgainstTheObvious(t *testing.T) {
	town, s, options := walkers(t)
	from, to := town.Point("a"), town.Point("k")
	ahead := along.Ahead{Stops: []geo.Point{from, to}, Costing: costing.Pedestrian, Options: options, Depart: noon}
	line := []geo.Point{from, town.Point("b"), town.Point("c"), town.Point("d"), to}
	direct, directM := seconds(t, s, options, from, to)
	const buffer, usage = 350, 700.0 / 100_000
	r := rand.New(rand.NewPCG(16, 1))
	for round := range 25 {
		var text strings.Builder
		text.WriteString("id,lat,lon,e10,closed,currency\n")
		type drawn struct {
			at     geo.Point
			price  float64 // 0 for none
			closed bool
		}
		all := map[string]drawn{}
		for i := range 10 {
			d := drawn{at: town.Between(string("abcdefijg"[r.IntN(9)]), string("abcdefijk"[r.IntN(9)]), r.Float64()), closed: r.IntN(8) == 0}
			price := ""
			if r.IntN(6) > 0 {
				d.price = 130 + float64(r.IntN(200))/10
				price = fmt.Sprint(d.price)
			}
			if near := apart(d.at, line); math.Abs(near-buffer) < 5 {
				continue // either answer is right
			}
			id := fmt.Sprintf("s%d", i)
			all[id] = d
			fmt.Fprintf(&text, "%s,%.7f,%.7f,%s,%t,GBP\n", id, d.at.Lat, d.at.Lon, price, d.closed)
		}
		q := &Request{Grade: fuel.E10, Buffer: buffer, Limit: 100, Usage: 700, Language: "en"}
		if round%2 == 0 {
			litres := 5 + 40*r.Float64()
			q.Litres = &litres
		}
		a, err := priced(t, text.String()).Along(t.Context(), s, ahead, q)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		var out Excluded
		cost := map[string]float64{}
		for id, d := range all {
			switch {
			case apart(d.at, line) > buffer:
			case d.closed:
				out.Closed++
			case d.price == 0:
				out.WithoutFuel++
			default:
				want = append(want, id)
				_, m := seconds(t, s, options, from, d.at, to)
				if cost[id] = d.price; q.Litres != nil {
					cost[id] = (*q.Litres + max(0, m-directM)*usage) * d.price
				}
			}
		}
		if a.Excluded != out {
			t.Errorf("round %d: left out are %+v, want %+v", round, a.Excluded, out)
		}
		var got []string
		for i, x := range a.Stations {
			got = append(got, x.ID)
			if i > 0 && cost[x.ID] < cost[a.Stations[i-1].ID]-0.5 {
				t.Errorf("round %d: %s for %.2f comes after %s for %.2f", round, x.ID, cost[x.ID], a.Stations[i-1].ID, cost[a.Stations[i-1].ID])
			}
			took, _ := seconds(t, s, options, from, all[x.ID].at, to)
			if math.Abs(x.Detour-(took-direct)) > 2 || math.Abs(x.OffLine-apart(all[x.ID].at, line)) > 1.5 {
				t.Errorf("round %d: %s is a detour of %.1f s, want %.1f; %.1f m beside, want %.1f", round, x.ID, x.Detour, took-direct, x.OffLine, apart(all[x.ID].at, line))
			}
			if x.Price != all[x.ID].price || *x.Pence != x.Price || x.Stale != nil {
				t.Errorf("round %d: %+v", round, x)
			}
			if (x.Cost == nil) != (q.Litres == nil) || x.Cost != nil && math.Abs(x.Cost.Total-cost[x.ID]) > 0.5 {
				t.Errorf("round %d: %s costs %+v, want %.1f", round, x.ID, x.Cost, cost[x.ID])
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("round %d: stations %v, want %v", round, got, want)
		}
		if len(a.Coverage) != 1 || a.Coverage[0].State != feed.OK || a.Coverage[0].Records != len(all) {
			t.Errorf("round %d: coverage %+v", round, a.Coverage)
		}
		if whole := len(a.Attribution) == 1; whole != (len(got) > 0) || a.Say == "" {
			t.Errorf("round %d: attribution %v, said %q", round, a.Attribution, a.Say)
		}
	}
}

// TestTanksAndAges walks past three stations with what is in a tank, and looks at
// how old prices are.
func TestTanksAndAges(t *testing.T) {
	town, s, options := walkers(t)
	text := "id,lat,lon,e10,currency,updated_at\n"
	for i, of := range []struct {
		at    geo.Point
		price float64
		since time.Time
	}{
		{town.Between("a", "b", 0.5), 150, noon.Add(-time.Hour)},
		{town.Between("b", "c", 0.5), 140, noon.Add(-25 * time.Hour)},
		{town.Between("d", "k", 0.9), 130, noon.Add(-time.Minute)},
	} {
		text += fmt.Sprintf("%d,%.7f,%.7f,%g,GBP,%s\n", i, of.at.Lat, of.at.Lon, of.price, of.since.Format(time.RFC3339))
	}
	ahead := along.Ahead{Stops: []geo.Point{town.Point("a"), town.Point("k")}, Costing: costing.Pedestrian, Options: options, Depart: noon}
	// Two litres in the tank last for 2 km at 100 l in 100 km: the cheapest is beyond.
	a, err := priced(t, text).Along(t.Context(), s, ahead, &Request{Grade: fuel.E10, Buffer: 100, Limit: 2, Capacity: 50, Level: 2, Usage: 100, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Stations) != 2 || a.Excluded.Limit != 1 || a.Stations[0].ID != "1" || a.Stations[1].ID != "0" || !*a.Stations[0].InRange {
		t.Fatalf("%+v, %+v", a.Stations, a.Excluded)
	}
	if old, fresh := a.Stations[0], a.Stations[1]; !*old.Stale || *fresh.Stale || math.Abs(*fresh.Litres-48.6) > 0.3 {
		t.Errorf("%+v %+v", old, fresh)
	}
	if !strings.Contains(a.Say, "150") {
		t.Errorf("said is the stale one, or none: %q", a.Say)
	}
	if err := (*Service)(nil).Enabled(); !fault.IsNotEnabled(err) {
		t.Error(err)
	}
}

// TestHoursAndAmenities checks what an answer has of a station beside its prices.
func TestHoursAndAmenities(t *testing.T) {
	answered := func(s fuel.Station) Station {
		return (&Request{}).station(&candidate{Listed: &fuel.Listed{Station: s, Source: &feed.Source{}}}, &along.Ranked{}, noon, 0)
	}
	if s := answered(fuel.Station{Hours: "24/7", Amenities: []string{"water_filling"}}); *s.Hours != "24/7" || len(s.Offers) != 1 || s.Offers[0] != "water_filling" {
		t.Errorf("%+v", s)
	}
	if s := answered(fuel.Station{}); s.Hours != nil || s.Offers == nil || len(s.Offers) != 0 {
		t.Errorf("where nothing is known: %+v", s)
	}
}
