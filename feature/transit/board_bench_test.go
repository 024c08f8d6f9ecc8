package transit_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/realdata"
)

// BenchmarkBoards asks for stops near places of Newport and for the departures there.
func BenchmarkBoards(b *testing.B) {
	x := read(b, realdata.File(b, "transit/newport-wales-bus_gtfs.zip"))
	first, _, _ := x.Span()
	morning := (first + 8).Begin(x.Zone(0)).Add(8 * time.Hour)
	service, list, r := &transit.Service{Now: func() time.Time { return morning }}, []*timetable.Index{x}, rand.New(rand.NewPCG(1, 2))
	stops := make([]uint32, 1000)
	for i := range stops {
		for stops[i] = uint32(r.IntN(x.Stops())); len(x.CallsAt(stops[i])) == 0; {
			stops[i] = uint32(r.IntN(x.Stops()))
		}
	}
	n := 0
	b.Run("stops", func(b *testing.B) {
		for b.Loop() {
			n++
			at := geo.Destination(x.Stop(stops[n%len(stops)]).At, 90, 100)
			if a, err := service.Stops(list, transit.StopsRequest{At: at, Radius: 500, Limit: 10, Modes: timetable.Road}); err != nil || len(a.Stops) == 0 {
				b.Fatal(a, err)
			}
		}
	})
	b.Run("departures", func(b *testing.B) {
		for b.Loop() {
			n++
			if _, err := service.Departures(list, transit.DeparturesRequest{Stop: x.Stop(stops[n%len(stops)]).ID, Window: time.Hour, Limit: 8, Modes: timetable.Road}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
