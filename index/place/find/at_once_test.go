package find_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// TestSearchAtOnce has four callers search one index, whose scratch is pooled: each gets
// what it gets alone.
func TestSearchAtOnce(t *testing.T) {
	x := index(t, town(t))
	texts := []string{"Newport", "casnewydd", "3 High Street, NP20 1AA", "caerleon hgih street 3", "NP20", "red lion", "pub newport", "qqqqqqqq"}
	ask := func(text string) (hits []place.Hit, near []place.Near) {
		hits, err := x.Search(t.Context(), &place.Query{Text: text, Limit: 5})
		if err != nil {
			t.Error(err)
		}
		if near, err = x.Reverse(t.Context(), geo.Point{Lon: 1e-4 * float64(len(text)), Lat: 51.0001}, 0, 3, 1000, ""); err != nil {
			t.Error(err)
		}
		return hits, near
	}
	found := make([][]place.Hit, len(texts))
	around := make([][]place.Near, len(texts))
	for i, text := range texts {
		found[i], around[i] = ask(text)
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for n := range 20 * len(texts) {
				i := (n*(2*k+1) + k) % len(texts)
				if hits, near := ask(texts[i]); !reflect.DeepEqual(hits, found[i]) || !reflect.DeepEqual(near, around[i]) {
					t.Errorf("%q finds %v and %v, alone it is %v and %v", texts[i], hits, near, found[i], around[i])
				}
			}
		})
	}
	all.Wait()
}
