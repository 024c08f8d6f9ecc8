package height

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/waittest"
)

// TestSharedAtOnce asks for heights of more tiles than are kept, from many sides, one
// of them damaged and one missing.
func TestSharedAtOnce(t *testing.T) {
	dir := t.TempDir()
	for i := range cacheSize + 3 {
		write(t, dir, fmt.Sprintf("N51E%03d.hgt", i), level(float64(10+i)))
	}
	bad := write(t, dir, "N51E005.hgt", level(1)[:1000])
	set, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := NewShared(set)
	var places []geo.Point
	for _, lat := range []float64{51.25, 51.75} {
		for i := range cacheSize + 4 {
			places = append(places, geo.Point{Lon: float64(i) + 0.5, Lat: lat})
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			metres, damaged, err := s.Heights(t.Context(), places)
			if err != nil || len(damaged) != 1 || !strings.Contains(damaged[0].Error(), bad) {
				t.Error(err, damaged)
				return
			}
			for i, p := range places {
				want := 10 + math.Floor(p.Lon)
				if col := int(p.Lon); col == 5 || col == cacheSize+3 {
					want = math.NaN()
				}
				if metres[i] != want && !(math.IsNaN(want) && math.IsNaN(metres[i])) {
					t.Errorf("%v: %v, want %v", p, metres[i], want)
				}
			}
		})
	}
	all.Wait()
	if n := len(s.tiles); n > cacheSize {
		t.Errorf("%d tiles are kept", n)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, _, err := s.Heights(gone, places); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A file that is mended is read again once its tile was let go of.
func TestSharedReadsAgain(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "N51E000.hgt", nil)
	for i := 1; i <= cacheSize; i++ {
		write(t, dir, fmt.Sprintf("N51E%03d.hgt", i), level(1))
	}
	set, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := NewShared(set)
	ask := func(lon float64) (float64, int) {
		h, damaged, err := s.Heights(t.Context(), []geo.Point{{Lon: lon, Lat: 51.5}})
		if err != nil {
			t.Fatal(err)
		}
		return h[0], len(damaged)
	}
	if h, damaged := ask(0.5); !math.IsNaN(h) || damaged != 1 {
		t.Error(h, damaged)
	}
	if err := os.WriteFile(file, level(7), 0o644); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= cacheSize; i++ {
		ask(float64(i) + 0.5)
	}
	if h, damaged := ask(0.5); h != 7 || damaged != 0 {
		t.Error(h, damaged)
	}
}

// A caller who leaves while all slots are taken is let go, and the tile is opened for others
// afterwards.
func TestSharedWaitsNoLongerThanItsCaller(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "N51E000.hgt", level(7))
	set, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := NewShared(set)
	for range cap(s.seats) {
		s.seats <- struct{}{}
	}
	places := []geo.Point{{Lon: 0.5, Lat: 51.5}}
	gone, leave := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, _, err := s.Heights(gone, places)
		ended <- err
	}()
	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for range cap(s.seats) {
		<-s.seats
	}
	if h, damaged, err := s.Heights(t.Context(), places); err != nil || damaged != nil || h[0] != 7 {
		t.Error(h, damaged, err)
	}
}

// A tile that is open is read while all slots are taken.
func TestSharedNeedsNoSeatForWhatIsOpen(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "N51E000.hgt", level(7))
	set, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := NewShared(set)
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	for range 2 {
		if h, damaged, err := s.Heights(ctx, []geo.Point{{Lon: 0.5, Lat: 51.5}}); err != nil || damaged != nil || h[0] != 7 {
			t.Error(h, damaged, err)
		}
		for range cap(s.seats) - len(s.seats) {
			s.seats <- struct{}{}
		}
	}
}

func TestSharedIsBounded(t *testing.T) {
	dir := t.TempDir()
	var places []geo.Point
	for i := range MostTiles + 1 {
		write(t, dir, fmt.Sprintf("N51E%03d.hgt", i), nil)
		places = append(places, geo.Point{Lon: float64(i) + 0.5, Lat: 51.5})
	}
	set, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	var wide *SpreadError
	if _, _, err := NewShared(set).Heights(t.Context(), places); !errors.As(err, &wide) || wide.Tiles != MostTiles+1 {
		t.Error(err)
	}
}

func BenchmarkShared(b *testing.B) {
	dir := b.TempDir()
	write(b, dir, "N51E000.hgt", Draw(Corner{51, 0}, ArcSecond, func(p geo.Point) (float64, bool) { return 100 * math.Sin(10*p.Lon), true }))
	set, err := Find(dir)
	if err != nil {
		b.Fatal(err)
	}
	s := NewShared(set)
	var places []geo.Point
	for i := range 500 {
		places = append(places, geo.Point{Lon: float64(i) / 501, Lat: 51 + float64(i*7%500)/501})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Heights(b.Context(), places); err != nil {
			b.Fatal(err)
		}
	}
}
