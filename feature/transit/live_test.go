package transit_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/vehicle"
	"github.com/waygate/waygate/geo"
	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
)

// read imports a feed.
func read(t testing.TB, path string) *timetable.Index {
	t.Helper()
	out := filepath.Join(t.TempDir(), "section")
	if _, err := importer.Build(t.Context(), importer.Options{Feeds: []string{path}, Out: out}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := region.ReadSection(timetable.SectionName, data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := timetable.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// feeds polls a document of vehicles as of a time, each changed by hide.
func feeds(t testing.TB, path string, now time.Time, hide func(*vehicle.Vehicle)) *transit.Feeds {
	t.Helper()
	k := vehicle.Kind()
	plain := k.Read
	k.Read = func(ctx context.Context, in *feed.Input, last []vehicle.Vehicle) ([]vehicle.Vehicle, int, error) {
		list, n, err := plain(ctx, in, last)
		for i := range list {
			hide(&list[i])
		}
		return list, n, err
	}
	g := feed.NewGroup(k, transit.JoinFleet)
	m, err := g.Add(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "v", Kind: "vehicles", URL: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.(*feed.Feed[[]vehicle.Vehicle]).Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return g
}

// Vehicles whose feed names their trip are found on the board of the stops ahead of them
// without that name, and on no other trip's departure.
func TestHiddenTripsAreFound(t *testing.T) {
	x := read(t, realdata.File(t, "transit/newport-wales-bus_gtfs.zip"))
	path := realdata.File(t, "feeds/gtfs-rt/bods-gb-vehicles-20240228.bin")
	now := time.Date(2024, 2, 28, 17, 35, 30, 0, time.UTC)
	trips := map[string]string{} // by vehicle
	var places []geo.Point
	hidden := feeds(t, path, now, func(v *vehicle.Vehicle) {
		if v.Trip != "" && x.HasTrip(v.Trip) && now.Sub(v.Seen) < 5*time.Minute {
			line := x.LineByID(v.Route)[0]
			trips[x.Agency(x.Line(line).Agency).Code+":"+v.ID] = v.Trip
			places = append(places, v.At)
		}
		v.Trip, v.StartDate = "", ""
	})
	s := &transit.Service{Feeds: hidden, Now: func() time.Time { return now }}
	asked, found, wrong, known := 0, map[string]bool{}, 0, 0
	for _, p := range places {
		stops, err := s.Stops([]*timetable.Index{x}, transit.StopsRequest{At: p, Radius: 2500, Limit: 15, Modes: timetable.Road})
		if err != nil {
			t.Fatal(err)
		}
		for _, stop := range stops.Stops {
			asked++
			board, err := s.Departures([]*timetable.Index{x}, transit.DeparturesRequest{Stop: stop.ID, At: now.Add(-20 * time.Minute), Window: time.Hour, Limit: 30, Modes: timetable.Road})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range board.Departures {
				if d.Live == nil {
					continue
				}
				known++
				owner := trips[d.Live.Vehicle]
				if owner == d.Trip {
					found[d.Live.Vehicle] = true
				} else if owner != "" {
					wrong++
					t.Logf("%s at %s is of trip %s, not %s (due %s)", d.Live.Vehicle, stop.ID, owner, d.Trip, d.Scheduled)
				}
			}
		}
	}
	t.Logf("%d vehicles, %d of them on %d boards; %d live departures, %d of them of another trip", len(trips), len(found), asked, known, wrong)
	if len(trips) < 30 || len(found) < len(trips)/3 || wrong > 0 {
		t.Errorf("%d vehicles, %d found, %d wrong", len(trips), len(found), wrong)
	}
}
