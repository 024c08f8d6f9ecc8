package world

import (
	"fmt"
	"log/slog"
	"strconv"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/realdata"
)

// BenchmarkOpen takes a region into service and lets go of it again.
func BenchmarkOpen(b *testing.B) {
	extract, dir := realdata.File(b, "osm/liechtenstein-bench.osm.pbf"), b.TempDir()
	if _, err := importer.Run(b.Context(), importer.Options{Dir: dir, Sources: []string{extract}, ID: "li"}); err != nil {
		b.Fatal(err)
	}
	o := Options{Dirs: []string{dir}, Log: slog.New(slog.DiscardHandler)}
	for b.Loop() {
		s, err := Open(o)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkAt finds the region of a route's two ends, and of a matrix's
// thousand places.
func BenchmarkAt(b *testing.B) {
	for _, regions := range []int{1, 2, 100} {
		list := make([]*Region, regions)
		for i := range list {
			list[i] = box(strconv.Itoa(i), float64(i), 50, float64(i)+1, 51)
		}
		w, err := New(nil, list...)
		if err != nil {
			b.Fatal(err)
		}
		for _, places := range []int{2, 1000} {
			points := make([]geo.Point, places)
			for i := range points {
				points[i] = at(50.5, float64(regions)-0.5)
			}
			b.Run(fmt.Sprintf("%d regions, %d places", regions, places), func(b *testing.B) {
				for b.Loop() {
					if _, err := w.At(points...); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
