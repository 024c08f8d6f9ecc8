package county

import (
	"fmt"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample"
)

// inventedZones returns the rules of the zone on the county's map, dated from a day, so
// that they never grow old.
func inventedZones(s *sample.Sample, today time.Time) []zone.Zone {
	at := make(map[int64]geo.Point, len(s.Data.Nodes))
	for _, n := range s.Data.Nodes {
		at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
	}
	var list []zone.Zone
	for i := range s.Data.Ways {
		w := &s.Data.Ways[i]
		if w.Tags.Get("boundary") != "low_emission_zone" {
			continue
		}
		ring := make(geo.Ring, 0, len(w.Nodes))
		for _, n := range w.Nodes[1:] {
			ring = append(ring, at[n])
		}
		list = append(list, invented(w, ring, today))
	}
	return list
}

// invented makes up rules of the British kind.
func invented(w *osm.Way, ring geo.Ring, today time.Time) zone.Zone {
	day := func(amount float64) *float64 { return &amount }
	burning := []string{"petrol", "diesel", "gas"}
	dirty := map[string]int{"petrol": 4, "gas": 4, "diesel": 6}
	const daytime = "Mo-Fr 07:00-19:00; Sa 09:00-18:00; PH off"
	source := zone.Source{Publisher: "invented, as the county is", URL: w.Tags.Get("website"), Licence: "CC0-1.0", Checked: today.Format(time.DateOnly)}
	return zone.Zone{
		ID: "halvern-tarrowmouth", Name: w.Tags.Get("name"), Scheme: "CAZ", Website: w.Tags.Get("website"), Country: "GB", TimeZone: "Europe/London",
		Replaces: []string{fmt.Sprintf("osm:w%d", w.ID)},
		Rules: []zone.Rule{
			{Effect: "charge", Vehicles: []string{"hgv", "bus", "coach"}, Fuels: burning, MinimumEuro: map[string]int{"petrol": 6, "gas": 6, "diesel": 6}, Amount: day(50), Currency: "GBP", Per: "day"},
			{Effect: "charge", Vehicles: []string{"car", "van", "minibus", "taxi", "phv", "motorhome"}, Fuels: burning, MinimumEuro: dirty, Hours: daytime, Amount: day(8), Currency: "GBP", Per: "day"},
		},
		Charges: &source, Boundary: zone.Boundary{Source: source, Geometry: &zone.Geometry{Polygons: []geo.Polygon{{ring}}}},
	}
}
