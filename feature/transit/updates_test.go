package transit_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/tripupdate"
	"github.com/waygate/waygate/feed/vehicle"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/sample"
	samplefeeds "github.com/waygate/waygate/sample/feeds"
	"github.com/waygate/waygate/transit/overlay"
)

// updates polls a document of trip updates as of a time.
func updates(t testing.TB, path string, now time.Time) *transit.UpdateFeeds {
	t.Helper()
	g := transit.NewUpdateFeeds(nil)
	m, err := g.Add(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "u", Kind: "trip-updates", URL: path, Attribution: "Updates by Town"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.(*feed.Feed[[]tripupdate.Update]).Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return g
}

// Updates of a real operator are joined to its own timetable, and by their route and start
// where their trip ids are hidden.
func TestRealUpdates(t *testing.T) {
	x := read(t, realdata.File(t, "feeds/gtfs-rt/raba.zip"))
	path := realdata.File(t, "feeds/gtfs-rt/raba-trip-updates.pb")
	now := time.Unix(1749416885, 0).Add(30 * time.Second)
	g := updates(t, path, now)
	service := &transit.Service{Updates: g, Now: func() time.Time { return now }}
	o := service.Overlay(x)
	named := o.Count()
	list := g.Feeds()[0].Latest().Value
	for i := range list {
		list[i].Trip = ""
	}
	hidden := overlay.Build(x, []overlay.Source{{Updates: list, At: now}})
	t.Logf("%+v, %+v without trip ids", named, hidden.Count())
	if named.Joined != len(list) || hidden.Count().Joined != named.Joined {
		t.Errorf("%+v of %d, %+v without trip ids", named, len(list), hidden.Count())
	}
	late := false
	for i := range list {
		for _, trip := range x.TripsByID("28c61524-6da8-4506-9a92-22f2f6e91872") {
			day, _ := gtfs.ReadDate([]byte(list[i].StartDate))
			r, _ := x.RunOf(trip)
			calls := o.Calls(trip, day)
			late = late || calls != nil && !slices.Equal(calls, r.Calls)
			for p := range calls {
				if h := hidden.Calls(trip, day); len(h) != len(calls) || h[p] != calls[p] {
					t.Fatalf("%s: %v, %v without its id", x.TripID(trip), calls, h)
				}
			}
		}
	}
	if !late {
		t.Error("the trip whose update has a time is as the timetable has it")
	}
	now = now.Add(200 * time.Second)
	if service.Overlay(x) != nil {
		t.Error("updates that are stale are said")
	}
}

// The sample county's invented updates are all of trips of its timetable, some of them late
// and some cancelled, and its buses stand for departures of their own trips.
func TestSampleCounty(t *testing.T) {
	county, dir := sample.Generate(), t.TempDir()
	for name, text := range samplefeeds.Timetable(county) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := read(t, dir)
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	live, late, cancelled, buses := samplefeeds.NewLive(county), 0, 0, 0
	for hour := range 6 {
		now := time.Date(2026, 6, 1, 9+2*hour, 10, 0, 0, zone)
		var text [2]bytes.Buffer
		if err := errors.Join(live.Buses(&text[0], now), live.BusUpdates(&text[1], now)); err != nil {
			t.Fatal(err)
		}
		at := t.TempDir()
		for i, name := range []string{"buses", "updates"} {
			if err := os.WriteFile(filepath.Join(at, name), text[i].Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := &transit.Service{Feeds: feeds(t, filepath.Join(at, "buses"), now, func(*vehicle.Vehicle) {}), Updates: updates(t, filepath.Join(at, "updates"), now), Now: func() time.Time { return now }}
		if n := s.Overlay(x).Count(); n.Joined < 20 || len(n.Unmatched) > 0 || n.Surplus > 0 {
			t.Errorf("at %s: %+v", now, n)
		}
		for stop := range uint32(x.Stops()) {
			board, err := s.Departures([]*timetable.Index{x}, transit.DeparturesRequest{Stop: x.Stop(stop).ID, At: now, Window: time.Hour, Limit: 30, Modes: timetable.Road})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range board.Departures {
				if d.Expected != nil && *d.Expected != d.Scheduled {
					late++
				}
				if d.Cancelled {
					cancelled++
				}
				if d.Live != nil {
					buses++
				}
			}
		}
	}
	t.Log(late, cancelled, buses)
	if late < 100 || cancelled < 5 || buses < 50 {
		t.Errorf("%d departures are late, %d cancelled, %d have a bus", late, cancelled, buses)
	}
}

// Several ask at once for what updates change, while feeds are polled.
func TestOverlayAtOnce(t *testing.T) {
	x := read(t, realdata.File(t, "feeds/gtfs-rt/raba.zip"))
	text, err := os.ReadFile(realdata.File(t, "feeds/gtfs-rt/raba-trip-updates.pb"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "updates")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1749416885, 0).Add(30 * time.Second)
	g := updates(t, path, now)
	service := &transit.Service{Updates: g, Now: func() time.Time { return now }}
	done := make(chan int)
	for range 4 {
		go func() {
			n := 0
			for range 50 {
				n += service.Overlay(x).Count().Joined
			}
			done <- n
		}()
	}
	for range 10 {
		if err := os.Chtimes(path, now, now.Add(time.Minute)); err != nil {
			t.Error(err)
		}
		if err := g.Feeds()[0].Poll(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for range 4 {
		if n := <-done; n != 50*9 {
			t.Errorf("%d joined", n)
		}
	}
}

// BenchmarkOverlay joins an update of every call of every trip of a day in Newport.
func BenchmarkOverlay(b *testing.B) {
	x := read(b, realdata.File(b, "transit/newport-wales-bus_gtfs.zip"))
	day := gtfs.DateOf(time.Date(2024, 2, 28, 0, 0, 0, 0, time.UTC))
	var list []tripupdate.Update
	for stop := range uint32(x.Stops()) {
		for _, d := range x.Departures(timetable.DepartureQuery{Stops: []uint32{stop}, Modes: timetable.All, From: day.Begin(time.UTC), Window: 24 * time.Hour, Limit: 10_000}) {
			if d.Position != 0 {
				continue
			}
			u := tripupdate.Update{Trip: x.TripID(d.Trip), StartDate: day.Digits(), StartTime: tripupdate.Unknown, Direction: -1, Delay: tripupdate.Unknown}
			r, _ := x.RunOf(d.Trip)
			for _, s := range r.Stops {
				u.Calls = append(u.Calls, tripupdate.Call{Stop: x.Stop(s).ID, Sequence: tripupdate.Unknown, Depart: tripupdate.Event{Delay: 60, Known: true}})
			}
			list = append(list, u)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if o := overlay.Build(x, []overlay.Source{{Updates: list, At: day.Begin(time.UTC).Add(12 * time.Hour)}}); o.Count().Joined != len(list) {
			b.Fatal(o.Count())
		}
	}
	b.ReportMetric(float64(len(list)), "trips")
}
