package charging

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// plug and drawn are a station as a file has it.
type plug struct {
	Standard charging.Standard `json:"standard"`
	KW       float64           `json:"power_kw"`
	Count    int               `json:"count"`
}

type drawn struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Lat        float64 `json:"lat"`
	Lon        float64 `json:"lon"`
	Connectors []plug  `json:"connectors"`
	Available  *int    `json:"available,omitempty"`
}

// listed returns a service with one file of stations, polled.
func listed(t *testing.T, list []drawn) *Service {
	t.Helper()
	text, err := json.Marshal(map[string]any{"stations": list})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "stations.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Service{Feeds: NewFeeds(), Now: func() time.Time { return noon }}
	if _, err := s.Feeds.Add(feed.Options{Dir: t.TempDir(), Now: func() time.Time { return noon }}, feed.Source{ID: "own", Kind: "charging", URL: path, Attribution: "Told by us."}); err != nil {
		t.Fatal(err)
	}
	if err := s.Feeds.Feeds()[0].Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// walkers give a street and a way along it on foot.
func walkers(t *testing.T) (*towntest.Town, *along.Service, along.Ahead) {
	t.Helper()
	town := towntest.Draw(t, `
		a---b---c---d---k
		    |       |
		    e-------i`,
		towntest.Ways{{"abcdk", "residential"}, {"beid", "residential"}}, towntest.Cell(300))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	options, _, _ := costing.Parse(costing.Pedestrian, nil, "")
	return town, &along.Service{Engine: e}, along.Ahead{Stops: []geo.Point{town.Point("a"), town.Point("k")}, Costing: costing.Pedestrian, Options: options, Depart: noon}
}

// TestAgainstTheObvious compares the stations of answers and their order with a loop over
// all of them.
func TestAgainstTheObvious(t *testing.T) {
	town, s, ahead := walkers(t)
	r := rand.New(rand.NewPCG(16, 2))
	kinds := []charging.Standard{"ccs2", "chademo", "type2"}
	const buffer = 250
	for round := range 25 {
		var list []drawn
		for i := range 12 {
			// Beside the street, far enough from the next that they are not one.
			p := geo.Destination(town.Between("a", "k", float64(i+1)/14), 180, float64(r.IntN(2))*200+float64(r.IntN(2))*200)
			d := drawn{ID: string(rune('A' + i)), Name: "Station", Lat: p.Lat, Lon: p.Lon}
			for range 1 + r.IntN(2) {
				d.Connectors = append(d.Connectors, plug{kinds[r.IntN(3)], []float64{7, 22, 50, 150}[r.IntN(4)], 1 + r.IntN(3)})
			}
			list = append(list, d)
		}
		q := &Request{Buffer: buffer, Limit: 100, Language: "en"}
		if round%2 == 0 {
			q.Connectors, q.LeastKW = kinds[:1+r.IntN(2)], []float64{0, 22, 50}[r.IntN(3)]
		}
		service := listed(t, list)
		a, err := service.Along(t.Context(), s, ahead, nil, q)
		if err != nil {
			t.Fatal(err)
		}
		power, unfit := map[string]float64{}, 0
		for _, d := range list {
			if beside := (town.Point("a").Lat - d.Lat) * 111_195; beside > buffer {
				continue
			}
			most, ok := 0.0, false
			for _, c := range d.Connectors {
				if q.Connectors == nil || slices.Contains(q.Connectors, c.Standard) {
					most = max(most, c.KW)
					ok = ok || c.KW >= q.LeastKW
				}
			}
			if !ok {
				unfit++
				continue
			}
			power[d.ID] = most
		}
		if len(a.Stations) != len(power) || a.Excluded.Connectors != unfit {
			t.Errorf("round %d: %d stations, want %d; %+v, want %d unfit", round, len(a.Stations), len(power), a.Excluded, unfit)
		}
		for i, x := range a.Stations {
			want, ok := power[x.ID]
			if !ok || x.PowerKW == nil || *x.PowerKW != want {
				t.Errorf("round %d: %s has %v kW, want %g", round, x.ID, x.PowerKW, want)
				continue
			}
			if i > 0 {
				if before := a.Stations[i-1]; power[before.ID] < want || power[before.ID] == want && before.Detour > x.Detour {
					t.Errorf("round %d: %s with %g kW and %.0f s after %s with %g and %.0f", round, x.ID, want, x.Detour, before.ID, power[before.ID], before.Detour)
				}
			}
			for _, c := range x.Plugs {
				if c.Fits != ((q.Connectors == nil || slices.Contains(q.Connectors, c.Standard)) && *c.PowerKW >= q.LeastKW) {
					t.Errorf("round %d: %s: %+v", round, x.ID, c)
				}
			}
			if x.State != nil || x.Source != "own" || len(x.Also) != 0 {
				t.Errorf("round %d: %+v", round, x)
			}
		}
		if c := a.Coverage; len(c) != 1 || c[0].Records != len(list) || c[0].State != feed.OK {
			t.Errorf("round %d: coverage %+v", round, c)
		}
	}
}

// TestAvailability checks that the state of points is reported only where a feed has it, and
// when that has become old.
func TestAvailability(t *testing.T) {
	town, s, ahead := walkers(t)
	one, none := 1, 0
	station := func(id string, share float64, free *int) drawn {
		p := town.Between("a", "k", share)
		return drawn{ID: id, Name: id, Lat: p.Lat, Lon: p.Lon, Connectors: []plug{{"ccs2", 50, 2}}, Available: free}
	}
	service := listed(t, []drawn{station("one", 0.2, &one), station("none", 0.5, &none), station("silent", 0.8, nil)})
	ask := func(limit int) *Answer {
		a, err := service.Along(t.Context(), s, ahead, nil, &Request{Buffer: 100, Limit: limit, Language: "en"})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(2); len(a.Stations) != 2 || a.Excluded.Limit != 1 || a.Say == "" || len(a.Attribution) != 1 {
		t.Errorf("%+v", a)
	}
	for _, stale := range []bool{false, true} {
		for _, x := range ask(9).Stations {
			want := map[string]*Availability{"one": {Available: 1, Occupied: 1, At: noon, Stale: stale}, "none": {Occupied: 2, At: noon, Stale: stale}}[x.ID]
			if (x.State == nil) != (want == nil) || want != nil && *x.State != *want {
				t.Errorf("%s: %+v, want %+v", x.ID, x.State, want)
			}
		}
		service.Now = func() time.Time { return noon.Add(16 * time.Minute) }
	}
}

// TestOfTheMap gives way to feeds, and says so.
func TestOfTheMap(t *testing.T) {
	town, s, ahead := walkers(t)
	on := func(share float64, id, operator string) charging.Station {
		return charging.Station{ID: id, Name: id, Operator: operator, At: town.Between("a", "k", share), Points: []charging.Point{{Connectors: []charging.Connector{{Standard: "type2", KW: 22, Count: 1}}}}}
	}
	made := noon.Add(-24 * time.Hour)
	mapped := charging.MapOf([]charging.Station{on(0.3, "n1", "Own Power"), on(0.7, "n2", "Own Power")}, "© the map", &made)
	p := town.Between("a", "k", 0.3)
	service := listed(t, []drawn{{ID: "own", Name: "Own Power", Lat: p.Lat, Lon: p.Lon, Connectors: []plug{{"type2", 22, 1}}}})
	a, err := service.Along(t.Context(), s, ahead, mapped, &Request{Buffer: 100, Limit: 9, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, x := range a.Stations {
		ids = append(ids, x.Source+" "+x.ID)
	}
	slices.Sort(ids)
	if len(a.Coverage) != 2 || a.Coverage[1].Source != along.MapID || math.Abs(*a.Coverage[1].AgeS-86400) > 1 || len(ids)+a.Excluded.Doubled != 3 || !slices.Contains(ids, "osm n2") || !slices.Contains(ids, "own own") {
		t.Errorf("%v, %+v, %+v", ids, a.Excluded, a.Coverage)
	}
	if err := service.Enabled(nil); err != nil {
		t.Error(err)
	}
	if err := (*Service)(nil).Enabled(nil); !fault.IsNotEnabled(err) {
		t.Error(err)
	}
}
