package embedded_test

import (
	"encoding/csv"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// points returns the hundred of Liechtenstein that matrices are measured with.
func points(t testing.TB) []engine.Location {
	t.Helper()
	f, err := os.Open(realdata.Beside(t, "peers/points100.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(f).ReadAll()
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	var list []engine.Location
	for _, row := range rows[1:] {
		lon, err1 := strconv.ParseFloat(row[0], 64)
		lat, err2 := strconv.ParseFloat(row[1], 64)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		list = append(list, engine.Location{Point: geo.Point{Lon: lon, Lat: lat}})
	}
	return list
}

// BenchmarkManyBesideValhalla works out matrices and isochrones with the kernel
// in this process and with a real Valhalla in turn, and reports the medians and how
// many times longer Valhalla takes. Valhalla answers through its HTTP front.
func BenchmarkManyBesideValhalla(b *testing.B) {
	extract := realdata.File(b, "osm/liechtenstein-bench.osm.pbf")
	e := open(b, extract)
	peer := valhalla.New(enginetest.StartValhalla(b, extract).URL, &http.Client{})
	all := points(b)
	beside := func(b *testing.B, ask func(i int, e engine.Engine) error) {
		var ours, theirs []time.Duration
		if err := errors.Join(ask(0, e), ask(0, peer)); err != nil { // what is worked out once
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			start := time.Now()
			err1 := ask(i, e)
			middle := time.Now()
			err2 := ask(i, peer)
			if err := errors.Join(err1, err2); err != nil {
				b.Fatal(err)
			}
			ours, theirs = append(ours, middle.Sub(start)), append(theirs, time.Since(middle))
		}
		slices.Sort(ours)
		slices.Sort(theirs)
		x, y := ours[len(ours)/2], theirs[len(theirs)/2]
		b.ReportMetric(y.Seconds()/x.Seconds(), "times")
		b.ReportMetric(float64(x.Microseconds()), "us/ours")
		b.ReportMetric(float64(y.Microseconds()), "us/valhalla")
	}
	for _, n := range []int{10, 100} {
		b.Run("matrix "+strconv.Itoa(n), func(b *testing.B) {
			beside(b, func(_ int, m engine.Engine) error {
				_, err := m.Matrix(b.Context(), &engine.MatrixRequest{Sources: all[:n], Targets: all[:n], Costing: costing.Auto, Options: chosen(b, costing.Auto, "")})
				return err
			})
		})
	}
	for _, c := range []costing.Costing{costing.Auto, costing.Bicycle, costing.Pedestrian} {
		for _, contours := range [][]engine.Contour{{{Minutes: 15}}, {{Minutes: 5}, {Minutes: 10}, {Minutes: 15}}} {
			b.Run("isochrone "+c.String()+" "+strconv.Itoa(len(contours)), func(b *testing.B) {
				beside(b, func(i int, o engine.Engine) error {
					_, err := o.Isochrone(b.Context(), &engine.IsochroneRequest{
						Location: all[i%len(all)], Costing: c, Options: chosen(b, c, ""), Contours: contours, Polygons: true,
					})
					return err
				})
			})
		}
	}
}

// BenchmarkMany measures the kernel alone.
func BenchmarkMany(b *testing.B) {
	e := open(b, realdata.File(b, "osm/liechtenstein-bench.osm.pbf"))
	all := points(b)
	b.Run("matrix", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := e.Matrix(b.Context(), &engine.MatrixRequest{Sources: all, Targets: all, Costing: costing.Auto, Options: chosen(b, costing.Auto, "")}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("isochrone", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, err := e.Isochrone(b.Context(), &engine.IsochroneRequest{
				Location: all[i%len(all)], Costing: costing.Auto, Options: chosen(b, costing.Auto, ""), Contours: []engine.Contour{{Minutes: 15}}, Polygons: true,
			}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
