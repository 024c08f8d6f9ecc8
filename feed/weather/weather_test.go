package weather

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

var now = time.Date(2026, 7, 26, 21, 0, 0, 0, time.UTC)

func TestRealAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		at   time.Time
		want string
	}{
		"feeds/weather/open-meteo-forecast-copenhagen-20260726.json":        {time.Date(2026, 7, 25, 22, 30, 0, 0, time.UTC), "55.75,12.50 18.2 3.6 rain NaN"},
		"feeds/weather/met-locationforecast-2.0-compact-oslo-20231117.json": {time.Date(2023, 11, 17, 19, 0, 0, 0, time.UTC), "59.92,10.73 -2.7 1.5 rain 0.0"},
	} {
		text, err := os.ReadFile(realdata.File(t, name))
		if err != nil {
			t.Fatal(err)
		}
		list, err := decode(text, now)
		if err != nil || len(list) != 1 {
			t.Fatal(err)
		}
		p, ok := list[0].At(c.at)
		if got := fmt.Sprintf("%.2f,%.2f %.1f %.1f rain %.1f", list[0].Place.Lat, list[0].Place.Lon, p.Temperature, p.Wind, p.Rain); !ok || got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if _, ok := list[0].At(list[0].Horizon().Add(time.Second)); ok {
			t.Error("there is a forecast beyond the horizon")
		}
		if _, ok := list[0].At(list[0].Steps[0].At.Add(-time.Second)); ok {
			t.Error("there is a forecast before the beginning")
		}
	}
}

func TestBetweenSteps(t *testing.T) {
	s := &Series{Steps: []Step{
		{At: now, Temperature: 0, Wind: 10, From: 350, Rain: 1, Visibility: math.NaN()},
		{At: now.Add(time.Hour), Temperature: 4, Wind: 10, From: 10, Rain: 0},
		{At: now.Add(9 * time.Hour), Temperature: 4},
	}}
	p, ok := s.At(now.Add(30 * time.Minute))
	if from := math.Mod(p.From+180, 360) - 180; !ok || p.Temperature != 2 || math.Abs(from) > 1e-6 || p.Wind != 10 || p.Rain != 1 || !math.IsNaN(p.Visibility) {
		t.Errorf("%+v", p)
	}
	if _, ok := s.At(now.Add(4 * time.Hour)); ok {
		t.Error("there is a forecast in a gap of eight hours")
	}
}

// TestTable checks what is read of a table of our own, and that a place has no more times
// than a forecast has.
func TestTable(t *testing.T) {
	row := func(i int) string {
		return fmt.Sprintf("52.5,13.4,%s,%d,3.5,270,7,0.5,0,9000,true,2026-11-20T00:00:00Z\n", now.Add(time.Duration(i)*time.Hour).Format(time.RFC3339), i%30)
	}
	text := "lat,lon,time,temperature_c,wind_ms,wind_from_deg,gust_ms,rain_mm_h,snow_cm_h,visibility_m,freezing,made_at\n" + row(1) + row(0)
	for i := range mostSteps {
		text += row(i + 2)
	}
	text += "152.5,13.4," + now.Format(time.RFC3339) + ",1,1,1,1,1,1,1,false,\n"
	path := filepath.Join(t.TempDir(), "weather.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := feed.New(feed.Options{Now: func() time.Time { return now }}, feed.Source{ID: "own", Kind: "weather", URL: path}, Kind())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, rejected := f.Latest(), 0
	for _, r := range s.Rejected {
		rejected += r.Count
	}
	if len(s.Value) != 1 || len(s.Value[0].Steps) != mostSteps || rejected != 3 || !s.Value[0].IssuedAt.Equal(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)) {
		t.Fatalf("%d places, left out %+v", len(s.Value), s.Rejected)
	}
	if got, want := s.Value[0].Steps[1], (Step{At: now.Add(time.Hour).UTC(), Temperature: 1, Wind: 3.5, From: 270, Gusts: 7, Rain: 0.5, Visibility: 9000, Freezing: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// answering returns a server in Open-Meteo's form; it counts calls.
func answering(t *testing.T, calls *atomic.Int64, down *atomic.Bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if down.Load() {
			w.WriteHeader(503)
			return
		}
		var list []string
		lons := strings.Split(r.URL.Query().Get("longitude"), ",")
		for i, lat := range strings.Split(r.URL.Query().Get("latitude"), ",") {
			list = append(list, fmt.Sprintf(`{"latitude":%s,"longitude":%s,"hourly_units":{"wind_speed_10m":"m/s"},"hourly":{"time":[%d,%d],"temperature_2m":[%s,null],"wind_speed_10m":[5,9999]}}`, lat, lons[i], now.Unix(), now.Unix()+3600, lat))
		}
		text := "[" + strings.Join(list, ",") + "]"
		if len(list) == 1 {
			text = list[0] // as Open-Meteo does
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	return server
}

func TestCells(t *testing.T) {
	var calls atomic.Int64
	var down atomic.Bool
	server := answering(t, &calls, &down)
	clock := now
	c, err := NewCells(feed.Options{Now: func() time.Time { return clock }}, feed.Source{ID: "om", Kind: "weather", Format: OpenMeteo, URL: server.URL + "/v1/forecast?apikey=secret"})
	if err != nil {
		t.Fatal(err)
	}
	places := []geo.Point{{Lon: 0.05, Lat: 51.05}, {Lon: 0.01, Lat: 51.09}, {Lon: 0.05, Lat: 52.05}}
	for range 2 {
		list := c.Near(t.Context(), places)
		if calls.Load() != 1 || list[0] != list[1] || list[2] == nil || list[2].Steps[0].Temperature != 52.05 || list[2].Place.Lon != places[2].Lon || !math.IsNaN(list[0].Steps[1].Temperature) || !math.IsNaN(list[0].Steps[1].Wind) {
			t.Fatalf("%d calls, %+v", calls.Load(), list)
		}
	}
	if s := c.Status(); s.State != feed.OK || s.Records != 2 || strings.Contains(s.Source, "secret") {
		t.Errorf("%+v", s)
	}
	// A server that fails is left alone for a while.
	down.Store(true)
	far := []geo.Point{{Lon: 3, Lat: 40}}
	for range 3 {
		if list := c.Near(t.Context(), far); list[0] != nil {
			t.Error("a forecast out of nothing")
		}
	}
	if s := c.Status(); calls.Load() != 2 || s.State != feed.Failing || s.Failures != 1 {
		t.Errorf("%d calls, %+v", calls.Load(), s)
	}
	down.Store(false)
	clock = clock.Add(2 * time.Hour)
	if list := c.Near(t.Context(), append(far, places...)); list[0] == nil || list[1] == nil || calls.Load() != 3 || c.Status().State != feed.OK {
		t.Errorf("%d calls, %+v", calls.Load(), c.Status())
	}
	if _, err := NewCells(feed.Options{}, feed.Source{ID: "x", URL: "file.json", Format: OpenMeteo}); err == nil {
		t.Error("a file is asked by place")
	}
}

// TestCellsOfTooMuch asks a server that answers with more than was asked for.
func TestCellsOfTooMuch(t *testing.T) {
	times := strings.Repeat("0,", mostHours) + "0"
	for says, answer := range map[string]string{
		"401 times for one place, the limit is 400": `{"latitude":1,"longitude":2,"hourly":{"time":[` + times + `]}}`,
		"no JSON of a forecast":                     `<html>`,
		"more than 4194304 bytes":                   strings.Repeat(" ", mostAnswer+1),
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) }))
		defer server.Close()
		c, err := NewCells(feed.Options{}, feed.Source{ID: "om", Kind: "weather", Format: OpenMeteo, URL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		if list := c.Near(t.Context(), []geo.Point{{Lon: 2, Lat: 1}}); list[0] != nil {
			t.Error("a forecast is taken")
		}
		if s := c.Status(); !strings.Contains(s.Error, says) || s.State != feed.Down {
			t.Errorf("%+v, want %q", s, says)
		}
	}
}

// TestCellsAreKept starts again in the same folder.
func TestCellsAreKept(t *testing.T) {
	var calls atomic.Int64
	var down atomic.Bool
	server := answering(t, &calls, &down)
	dir, clock := t.TempDir(), now
	start := func(path string) *Cells {
		c, err := NewCells(feed.Options{Dir: dir, Now: func() time.Time { return clock }}, feed.Source{ID: "om", Kind: "weather", Format: OpenMeteo, URL: server.URL + path})
		if err != nil {
			t.Fatal(err)
		}
		c.Restore(t.Context())
		return c
	}
	places := []geo.Point{{Lon: 0.05, Lat: 51.05}, {Lon: 0.05, Lat: -52.05}}
	start("/v1/forecast").Near(t.Context(), places)
	down.Store(true)
	for name, x := range map[string]struct {
		after   time.Duration
		path    string
		records int
	}{
		"a while later":   {50 * time.Minute, "/v1/forecast", 2},
		"another address": {time.Minute, "/other/v1/forecast", 0},
	} {
		clock = now.Add(x.after)
		c := start(x.path)
		if s := c.Status(); s.Records != x.records {
			t.Errorf("%s: %+v", name, s)
		}
	}
	clock = now.Add(50 * time.Minute)
	c := start("/v1/forecast")
	if s := c.Status(); s.State != feed.OK || *s.AgeS != 3000 {
		t.Errorf("%+v", s)
	}
	if list := c.Near(t.Context(), places); calls.Load() != 1 || list[1] == nil || list[1].Steps[0].Temperature != -52.05 || !list[1].IssuedAt.Equal(now) {
		t.Errorf("%d calls, %+v", calls.Load(), list)
	}
	// A damaged file is fetched again, and one that is too old is removed.
	files, err := os.ReadDir(filepath.Join(dir, "om"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	path := filepath.Join(dir, "om", files[0].Name())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if s := start("/v1/forecast").Status(); s.Records != 0 || s.State != feed.Waiting {
		t.Errorf("of half a file: %+v", s)
	}
	clock = now.Add(time.Hour)
	start("/v1/forecast")
	if files, err := os.ReadDir(filepath.Join(dir, "om")); err != nil || len(files) != 0 {
		t.Errorf("after an hour there are %v, %v", files, err)
	}
}

// TestManyCells asks a server of one document for each cell, whose number is
// bounded; one failure is enough.
func TestManyCells(t *testing.T) {
	var calls atomic.Int64
	var down atomic.Bool
	down.Store(true)
	server := answering(t, &calls, &down)
	c, err := NewCells(feed.Options{Now: func() time.Time { return now }}, feed.Source{ID: "met", Kind: "weather", Format: METNorway, URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	var places []geo.Point
	for i := range 100 {
		places = append(places, geo.Point{Lon: float64(i), Lat: 50})
	}
	if list := c.Near(t.Context(), places); list[0] != nil || calls.Load() > atOnce+1 {
		t.Errorf("%d calls", calls.Load())
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"latitude":1,"longitude":2,"hourly":{"time":[1,2],"temperature_2m":[1,null]}}`)
	f.Add(`[{"type":"Feature","geometry":{"coordinates":[1,2]},"properties":{"timeseries":[{"time":"2026-01-01T00:00:00Z","data":{"instant":{"details":{"air_temperature":1}}}}]}}]`)
	f.Add("lat,lon,time,temperature_c\n1,2,2026-01-01T00:00:00Z,5\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := decode([]byte(text), now)
		if err != nil {
			return
		}
		for _, s := range list {
			if !s.Place.Valid() || len(s.Steps) == 0 || len(s.Steps) > mostSteps {
				t.Errorf("%+v", s)
			}
			if p, ok := s.At(s.Steps[0].At.Add(time.Minute)); ok && (p.Temperature > 60 || p.Wind < -1e-9) {
				t.Errorf("%+v", p)
			}
		}
	})
}
