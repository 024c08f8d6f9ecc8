package places_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
)

// large returns the index of all extracts together with the postcodes of Great
// Britain.
func large(b *testing.B) *find.Index {
	b.Helper()
	opt := places.Options{
		Sources: []string{realdata.File(b, "osm/all-35-places.osm.pbf")}, Tables: []string{realdata.File(b, "geocoder/codepoint-open-201408.csv.gz")},
		Out: filepath.Join(b.TempDir(), "places"),
	}
	opt.Areas = areasOf(b, opt.Sources)
	began := time.Now()
	if _, err := places.Build(context.Background(), opt); err != nil {
		b.Fatal(err)
	}
	b.Logf("built in %v", time.Since(began).Round(100*time.Millisecond))
	data, err := os.ReadFile(opt.Out)
	if err != nil {
		b.Fatal(err)
	}
	s, err := region.ReadSection(place.SectionName, data)
	if err != nil {
		b.Fatal(err)
	}
	began = time.Now()
	x, err := find.Read(s)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d MB, opened in %v: %v", len(data)>>20, time.Since(began).Round(time.Millisecond), x.Counts())
	return x
}

// typed returns the beginnings of addresses and names as people type them.
func typed(b *testing.B) []string {
	b.Helper()
	var list []string
	for _, s := range []string{
		"Newport", "12 High Street, Newport", "14 Church Road NP20 1AA", "SW1A 2AA", "Vaduz", "Landstrasse 15 Vaduz", "Valletta", "Triq ir-Repubblika", "Tesco", "Newport station",
		"London Bridge", "Oakham Castle", "Andorra la Vella", "Bahnhofstraße 3", "Düsseldorf Flughafen", "Caerleon Road", "Saint Julian's", "pub in Newport", "CF10 3AT", "EH1 1YZ",
		"Westminster Abbey", "Hgih Street", "Nwport", "Strand", "Dreieich Hauptstraße", "M1 1AE", "Rutland Water", "Buckingham Palace Road 5", "Kensington", "Avinguda Meritxell",
	} {
		for n := 1; n <= len(s); n++ {
			if s[n-1] < 0x80 {
				list = append(list, s[:n])
			}
		}
	}
	return list
}

func BenchmarkLarge(b *testing.B) {
	x := large(b)
	list := typed(b)
	bias := geo.Point{Lon: -3, Lat: 51.58}
	ask := func(q string, typing bool) {
		if _, err := x.Search(context.Background(), &place.Query{Text: q, Limit: 5, Typing: typing, Bias: &bias}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("suggest", func(b *testing.B) {
		var took []time.Duration
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			began := time.Now()
			ask(list[n%len(list)], true)
			took = append(took, time.Since(began))
			n++
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		b.ReportMetric(float64(took[len(took)-1].Microseconds()), "worst-µs")
	})
	b.Run("search", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			ask([]string{"12 High Street, NP20 1AA", "Landstrasse 15 Vaduz", "Newport station", "Hgih Street Newport", "SW1A 2AA"}[n%5], false)
			n++
		}
	})
	b.Run("reverse", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			p := geo.Point{Lon: -3.02 + float64(n%100)*4e-4, Lat: 51.56 + float64(n/100%100)*4e-4}
			if _, err := x.Reverse(context.Background(), p, 0, 5, 1000, ""); err != nil {
				b.Fatal(err)
			}
			n++
		}
	})
	b.Run("parallel suggest", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			n := 0
			for pb.Next() {
				ask(list[n%len(list)], true)
				n++
			}
		})
	})
	runtime.KeepAlive(x)
}
