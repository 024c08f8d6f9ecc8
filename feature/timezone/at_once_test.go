package timezone

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
)

// TestZonesAtOnce has four callers be the first to ask for the zones of the same places:
// each gets what it gets alone.
func TestZonesAtOnce(t *testing.T) {
	places := []geo.Point{{Lon: 2.35, Lat: 48.86}, {Lon: 13.4, Lat: 52.5}, {Lon: 139.7, Lat: 35.7}, {Lon: 151.2, Lat: -33.9}, {Lon: -58.4, Lat: -34.6}, {Lon: 31.2, Lat: 30}, {Lon: -118.2, Lat: 34}}
	at := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var got [4][]*Zone
	var all sync.WaitGroup
	for k := range got {
		all.Go(func() {
			for _, p := range places {
				z, err := At(p, at)
				if err != nil {
					t.Error(err)
				}
				got[k] = append(got[k], z)
			}
		})
	}
	all.Wait()
	for i, p := range places {
		want, err := At(p, at)
		if err != nil {
			t.Fatal(err)
		}
		for k := range got {
			if !reflect.DeepEqual(got[k][i], want) {
				t.Errorf("%v: %+v, alone it is %+v", p, got[k][i], want)
			}
		}
	}
}
