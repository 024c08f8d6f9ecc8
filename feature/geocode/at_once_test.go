package geocode_test

import (
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/geocode/geocodetest"
	"github.com/waygate/waygate/store/storetest"
)

// TestSelectionsAtOnce has four callers count picks and write them out at the same time:
// each pick is counted once.
func TestSelectionsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		s, err := geocode.NewSelections(t.Context(), db, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		const callers, picks = 4, 200
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				for i := range picks {
					s.Add(fmt.Sprint(i%7), i%3, 2)
					if i%50 == 49 {
						if err := s.Flush(t.Context()); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		all.Wait()
		var n, characters int
		if err := db.QueryRow(t.Context(), "SELECT SUM(n), SUM(characters) FROM geocode_selections").Scan(&n, &characters); err != nil || n != callers*picks || characters != 2*n {
			t.Errorf("%d picks and %d characters are counted of %d picks: %v", n, characters, callers*picks, err)
		}
	})
}

// TestBatchAtOnce has a Photon answer a batch, with several questions sent at a time: the
// answers are those of the questions sent one by one, and in their order.
func TestBatchAtOnce(t *testing.T) {
	g := (&geocode.Service{Proxy: geocode.NewPhoton(geocodetest.Photon(t, source(t).Index, nil), nil)}).With(nil)
	var queries []geocode.Query
	for i := range 40 {
		queries = append(queries, geocode.Query{Forward: &geocode.Forward{Text: fmt.Sprintf("%d High Street, NP20 1AA", i%10+1), Limit: 1}})
	}
	out, err := g.Batch(t.Context(), queries)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range out {
		alone, err := g.Search(t.Context(), queries[i].Forward)
		if err != nil || o.Err != nil {
			t.Fatalf("%d: %v, %v", i, err, o.Err)
		}
		if got, want := names(o.Answer), names(alone); got != want || want == "" {
			t.Errorf("%d: %q, alone it is %q", i, got, want)
		}
	}
}
