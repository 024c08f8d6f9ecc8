package transit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/transit/journey"
)

// BenchmarkJourneys asks for journeys between doors of Newport, and from stop to stop of the
// timetable alone: the difference is the work on the streets. Then it asks for the reach.
func BenchmarkJourneys(b *testing.B) {
	extract, feed := realdata.File(b, "osm/newport-wales-20230613.osm.pbf"), realdata.File(b, "transit/newport-20230613_gtfs.zip")
	place, walks := imported(b, importer.Options{Sources: []string{extract}, ID: "newport", NoMap: true, Timetables: []string{feed}})
	x := place.Timetable
	var stops []uint32 // of the streets
	for s := range uint32(x.Stops()) {
		if len(walks.From(s)) > 0 {
			stops = append(stops, s)
		}
	}
	first, _, _ := x.Span()
	morning := (first + 8).Begin(x.Zone(0)).Add(7 * time.Hour)
	service := &transit.Service{Now: func() time.Time { return morning }}
	rnd := rand.New(rand.NewPCG(1, 2))
	walking, _, _ := costing.Parse(costing.Pedestrian, nil, "")
	type question struct {
		door  transit.JourneysRequest
		index journey.Query
	}
	questions := make([]question, 200)
	for i := range questions {
		from, to := stops[rnd.IntN(len(stops))], stops[rnd.IntN(len(stops))]
		away := func(s uint32) geo.Point { return geo.Destination(x.Stop(s).At, rnd.Float64()*360, rnd.Float64()*300) }
		at := morning.Add(time.Duration(rnd.IntN(12*60)) * time.Minute)
		near := func(s uint32) []journey.Access {
			list := []journey.Access{{Stop: s}}
			for _, w := range walks.From(s) {
				list = append(list, journey.Access{Stop: w.To, Seconds: w.Seconds})
			}
			return list
		}
		questions[i] = question{
			transit.JourneysRequest{From: away(from), To: away(to), At: at, Limit: 5, MaxChanges: 4, MaxWalk: 1500, Walking: walking, Speed: 5.1, MinChange: 60, Modes: timetable.All},
			journey.Query{From: near(from), To: near(to), Direct: -1, At: at, MaxRides: 5, Modes: timetable.All, MinChange: 60},
		}
	}
	for _, window := range []time.Duration{0, 2 * time.Hour} {
		b.Run(fmt.Sprintf("%.0f hours/door", window.Hours()), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				q := questions[i%len(questions)].door
				q.Window = window
				if _, err := service.Journeys(b.Context(), []*timetable.Index{x}, place, q); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%.0f hours/index", window.Hours()), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				q := questions[i%len(questions)].index
				q.Window = window
				if _, err := place.Network.Find(b.Context(), &q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	local := morning.Add(time.Hour)
	ride := &transit.Ride{
		When:  &engine.When{Type: engine.Depart, Local: time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), 0, 0, 0, time.UTC)},
		Share: 50, MaxChanges: 4, MaxWalk: 1500, MinChange: 60, Modes: timetable.All,
	}
	var doors []geo.Point
	for _, q := range questions {
		doors = append(doors, q.door.From)
	}
	b.Run("reach/50 x 200", func(b *testing.B) {
		for b.Loop() {
			if _, err := service.ReachMatrix(b.Context(), []*timetable.Index{x}, place, doors[:50], doors, ride); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("reach/60 minutes", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			q := &engine.IsochroneRequest{Location: engine.Location{Point: doors[i%len(doors)]}, Contours: []engine.Contour{{Minutes: 60}}, Polygons: true}
			if _, _, err := service.ReachOutline(b.Context(), []*timetable.Index{x}, place, q, ride); err != nil {
				b.Fatal(err)
			}
		}
	})
}
