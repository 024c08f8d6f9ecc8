package charging

import (
	"runtime"
	"strings"
	"testing"

	"github.com/waygate/waygate/feed"
)

// TestBounds has stations with more points, connectors and letters than any has: they
// are left out and counted, and the station beside is taken. A record of more elements
// than any has ends the poll.
func TestBounds(t *testing.T) {
	const good = `{"id":"good","lat":51.5,"lon":-3,"connectors":[{"standard":"ccs2","count":2}]}`
	long := strings.Repeat("x", 2000)
	site := func(inner string) string {
		return `{"payload":{"aegiEnergyInfrastructureTablePublication":{"energyInfrastructureTable":[{"energyInfrastructureSite":[{"locationReference":{"latitude":1,"longitude":2},"energyInfrastructureStation":[{"idG":"good","refillPoint":[{}]},` + inner + `]}]}]}}}`
	}
	oicp := func(id string) string {
		return `{"EvseID":"` + id + `","OperatorName":"o","GeoCoordinates":{"Google":"46 9"},"Plugs":["Type 2 Outlet"]}`
	}
	for name, c := range map[string]struct{ text, rejects, fails string }{
		"many times the most points":   {`{"stations":[` + good + `,{"id":"b","lat":51.5,"lon":-3,"connectors":[` + strings.Repeat(`{"count":500},`, 100_000) + `{}]}]}`, "count of connectors out of range=100000", ""},
		"many times the most, a table": {"id,lat,lon,connectors\ngood,51.5,-3,ccs2:1x2\nb,51.5,-3," + strings.Repeat("x2:1x500;", 100) + "\n", "", ""},
		"a name of 10 MB":              {`{"stations":[` + good + `,{"id":"b","name":"` + strings.Repeat("x", 10<<20) + `"}]}`, "", "a record has more than 4194304 bytes"},
		"a long name":                  {`{"stations":[` + good + `,{"id":"b","lat":51.5,"lon":-3,"name":"` + long + `"}]}`, "no record as expected=1", ""},
		"a long name in DATEX II":      {site(`{"idG":"b","name":"` + long + `"}`), "a text is too long=1", ""},
		"a long id of a point in it":   {site(`{"idG":"b","refillPoint":[{"idG":"` + long + `"}]}`), "a text is too long=1", ""},
		"many points in it":            {site(`{"idG":"b","refillPoint":[` + strings.Repeat("{},", mostPoints) + `{}]}`), "more charging points than a station has=1", ""},
		"many connectors in it":        {site(`{"idG":"b","refillPoint":[{"connector":[` + strings.Repeat("{},", 4*mostPoints) + `{}]}]}`), "more charging points than a station has=1", ""},
		"many elements in it":          {site(`{"idG":"b","x":[` + strings.Repeat("0,", maxNodes) + `0]}`), "", "elements deep, or has more than"},
		"many points of OICP":          {`{"EVSEData":[{"EVSEDataRecord":[` + strings.Repeat(oicp("CH*REP*E1")+",", mostPoints+2) + oicp(long) + `]}]}`, "more charging points than a station has=2 no record as expected=1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.text)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, err := polled(t, feed.Source{URL: path})
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 120<<20 {
				t.Errorf("%d MiB are taken", used>>20)
			}
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("%v, want %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range f.Latest().Value.Stations {
				if len(s.Points) > mostPoints {
					t.Errorf("%s has %d points", s.ID, len(s.Points))
				}
			}
			if got := rejects(f); c.rejects != "" && !strings.Contains(got, c.rejects) {
				t.Errorf("%s, want %s", got, c.rejects)
			}
			if s := f.Latest().Value.Stations[0]; s.ID != "good" && s.ID != "46.00000,9.00000 o" {
				t.Errorf("%+v", s)
			}
		})
	}
}
