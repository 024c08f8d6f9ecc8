package places_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }

func noon() *clock { return &clock{at: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)} }

func open(t *testing.T, address string, c *clock) (*places.Service, *store.DB) {
	t.Helper()
	db := storetest.Open(t, address)
	s, err := places.New(t.Context(), db, c.now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s, db
}

func weight(w float64) *float64 { return &w }

// county returns a few places of a caller.
func county() []places.Place {
	return []places.Place{
		{ID: "1", Name: "Harbour Café", Lat: 51.580, Lon: -2.990, Categories: []string{"Coffee"}, Street: "Dock Road", Postcode: "NP20 1AA", Properties: json.RawMessage(`{ "a" : 1.50,"b":"\u00e9\/"}`)},
		{ID: "2", Name: "Harbour Depot", AltNames: []string{"Alter Hafen Süd"}, Lat: 51.581, Lon: -2.991, Categories: []string{"depot"}},
		{ID: "3", Name: "Depot", Lat: 51.700, Lon: -3.100, Categories: []string{"depot"}, Importance: weight(9)},
		{ID: "4", Name: "Depot", Lat: 51.582, Lon: -2.992, Categories: []string{"depot"}},
		{ID: "5", Name: "Łódź Straße <Æ>", Lat: 51.583, Lon: 179.9},
	}
}

func ids(hits []places.Hit) string {
	var all []string
	for _, h := range hits {
		all = append(all, h.Place.ID)
	}
	return strings.Join(all, " ")
}

// What is uploaded comes back as it was, with properties byte for byte, on every
// kind of database; an upload replaces the one before, and deleting is final.
func TestKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		c := noon()
		s, _ := open(t, address, c)
		if _, _, err := s.Get(t.Context(), "k"); !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "PUT /places") {
			t.Errorf("before an upload: %v", err)
		}
		m, err := s.Put(t.Context(), "k", county())
		if err != nil || m.Count != 5 || !m.UpdatedAt.Equal(c.now()) {
			t.Fatalf("%+v, %v", m, err)
		}
		again, text, err := s.Get(t.Context(), "k")
		if err != nil || *again != *m || !strings.Contains(string(text), `"properties":{ "a" : 1.50,"b":"\u00e9\/"}}`) || !strings.Contains(string(text), "Łódź Straße <Æ>") {
			t.Fatalf("%+v, %v: %s", again, err, text)
		}
		if _, _, err := s.Get(t.Context(), "other"); !fault.Is(err, fault.NotFound) {
			t.Errorf("another key: %v", err)
		}
		if _, err := s.Put(t.Context(), "k", nil); err != nil {
			t.Fatal(err)
		}
		if m, text, err := s.Get(t.Context(), "k"); err != nil || m.Count != 0 || string(text) != "[]" {
			t.Errorf("an empty set: %+v %s %v", m, text, err)
		}
		for range 2 {
			if err := s.Delete(t.Context(), "k"); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := s.Search(t.Context(), "k", &places.Query{Text: "depot"}); !fault.Is(err, fault.NotFound) {
			t.Errorf("after deleting: %v", err)
		}
	})
}

func TestSearch(t *testing.T) {
	s, _ := open(t, storetest.SQLite(t), noon())
	if _, err := s.Put(t.Context(), "k", county()); err != nil {
		t.Fatal(err)
	}
	near := &geo.Point{Lon: -2.99, Lat: 51.58}
	for name, c := range map[string]struct {
		q    places.Query
		want string
	}{
		"a word":                 {places.Query{Text: "harbour"}, "1 2"},
		"a beginning":            {places.Query{Text: "harb"}, "1 2"},
		"a beginning comes last": {places.Query{Text: "harb depot"}, ""},
		"accents":                {places.Query{Text: "CAFE"}, "1"},
		"letters beyond accents": {places.Query{Text: "lodz strasse ae"}, "5"},
		"a typo":                 {places.Query{Text: "harbuor depot"}, "2"},
		"a typo as one types":    {places.Query{Text: "hrabo"}, "1 2"},
		"another name":           {places.Query{Text: "alter hafen sud"}, "2"},
		"a postcode":             {places.Query{Text: "np20 1aa"}, "1"},
		"a postcode in one":      {places.Query{Text: "NP201AA"}, "1"},
		"the heavier first":      {places.Query{Text: "depot"}, "3 4 2"},
		"the nearer first":       {places.Query{Text: "harbour", Near: &geo.Point{Lon: -2.991, Lat: 51.581}}, "2 1"},
		"a category":             {places.Query{Text: "harbour", Category: "DEPOT"}, "2"},
		"a limit":                {places.Query{Text: "depot", Limit: 1}, "3"},
		"every word":             {places.Query{Text: "harbour nowhere"}, ""},
	} {
		hits, _, err := s.Search(t.Context(), "k", &c.q)
		if err != nil || ids(hits) != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, ids(hits), c.want, err)
		}
		for _, h := range hits {
			if h.Score <= 0 || h.Score > 1 {
				t.Errorf("%s: a score of %g", name, h.Score)
			}
		}
	}
	for text, says := range map[string]string{
		"": "empty", " \t ": "empty", "?!": "no letters", "a\x00b": "control", strings.Repeat("x", 201): "may have 200", strings.Repeat("x ", 13): "12 words",
	} {
		if _, _, err := s.Search(t.Context(), "k", &places.Query{Text: text}); !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
	hits, _, err := s.Nearest(t.Context(), "k", *near, 3)
	if err != nil || ids(hits) != "1 2 4" || hits[1].Metres < 100 || hits[1].Metres > 150 {
		t.Errorf("nearest: %q, %v", ids(hits), err)
	}
	of, err := s.Of(t.Context(), "k", "coffee", "nothing")
	if err != nil || len(of) != 1 || of[0].ID != "1" {
		t.Errorf("of a category: %v, %v", of, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Search(gone, "k", &places.Query{Text: "depot"}); err == nil {
		t.Error("who has gone is searched for")
	}
}

// A replica sees what another has changed once its copy is not fresh any more,
// and its own changes at once.
func TestReplicas(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		c := noon()
		a, _ := open(t, address, c)
		b, db := open(t, address, c)
		names := func(s *places.Service) string {
			hits, _, err := s.Nearest(t.Context(), "k", geo.Point{}, 0)
			if err != nil {
				return err.Error()[:9]
			}
			return ids(hits)
		}
		put := func(s *places.Service, id string) {
			t.Helper()
			if _, err := s.Put(t.Context(), "k", []places.Place{{ID: id, Name: id}}); err != nil {
				t.Fatal(err)
			}
		}
		all := func(s *places.Service) string {
			meta, list, err := s.Get(t.Context(), "k")
			if err != nil {
				return err.Error()[:9]
			}
			return fmt.Sprintf("%d %s", meta.Count, list)
		}
		put(a, "one")
		for range 2 { // as the database has it, then as it is held
			if got := all(b); !strings.HasPrefix(got, `1 [{"id":"one"`) {
				t.Errorf("the whole set: %s", got)
			}
		}
		if names(a) != "one" || names(b) != "one" {
			t.Fatalf("%s, %s", names(a), names(b))
		}
		put(a, "two")
		if names(a) != "two" || names(b) != "one" {
			t.Errorf("at once: %s, %s", names(a), names(b))
		}
		if got := all(b); !strings.HasPrefix(got, `1 [{"id":"two"`) {
			t.Errorf("the whole set, which is the newest at once: %s", got)
		}
		c.pass(places.Fresh)
		if names(b) != "two" {
			t.Errorf("once it is not fresh: %s", names(b))
		}
		c.pass(places.Fresh)
		if names(b) != "two" {
			t.Errorf("the same again: %s", names(b))
		}
		if err := a.Delete(t.Context(), "k"); err != nil {
			t.Fatal(err)
		}
		c.pass(places.Fresh)
		if names(a) != "not-found" || names(b) != "not-found" {
			t.Errorf("deleted: %s, %s", names(a), names(b))
		}
		if got := all(b); got != "not-found" {
			t.Errorf("the whole set, deleted: %s", got)
		}
		put(a, "three")
		if names(b) != "three" {
			t.Errorf("%s", names(b))
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		c.pass(time.Hour)
		if names(b) != "three" {
			t.Errorf("without the database: %s", names(b))
		}
	})
}

// Many who search while the set changes see one of its versions each.
func TestSearchAndChangeAtOnce(t *testing.T) {
	c := noon()
	s, _ := open(t, storetest.SQLite(t), c)
	version := func(n int) []places.Place {
		list := make([]places.Place, 200)
		for i := range list {
			list[i] = places.Place{ID: fmt.Sprint(i), Name: fmt.Sprintf("version%d", n)}
		}
		return list
	}
	if _, err := s.Put(t.Context(), "k", version(0)); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for range 50 {
				all, err := s.Of(t.Context(), "k")
				if err != nil || len(all) != 200 || slices.ContainsFunc(all, func(p *places.Place) bool { return p.Name != all[0].Name }) {
					t.Errorf("%d places, %v", len(all), err)
				}
				c.pass(places.Fresh)
			}
		})
	}
	for n := range 20 {
		if _, err := s.Put(t.Context(), "k", version(n)); err != nil {
			t.Error(err)
		}
		if all, err := s.Of(t.Context(), "k"); err != nil || all[0].Name != fmt.Sprintf("version%d", n) {
			t.Errorf("who has changed it sees another version: %v", err)
		}
	}
	work.Wait()
}

// Sets of keys that are at an end go.
func TestTidy(t *testing.T) {
	s, _ := open(t, storetest.SQLite(t), noon())
	for _, key := range []string{"a", "b"} {
		if _, err := s.Put(t.Context(), key, county()); err != nil {
			t.Fatal(err)
		}
	}
	err := s.Tidy(t.Context(), func(_ context.Context, keys []string) ([]string, error) {
		if slices.Sort(keys); strings.Join(keys, " ") != "a b" {
			t.Errorf("asked of %v", keys)
		}
		return []string{"b"}, nil
	})
	_, _, a := s.Get(t.Context(), "a")
	_, _, b := s.Get(t.Context(), "b")
	if err != nil || a != nil || !fault.Is(b, fault.NotFound) {
		t.Errorf("%v, %v, %v", err, a, b)
	}
}

func BenchmarkSearch(b *testing.B) {
	db := storetest.Open(b, storetest.SQLite(b))
	s, err := places.New(b.Context(), db, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	list := make([]places.Place, places.MostPlaces)
	for i := range list {
		list[i] = places.Place{ID: fmt.Sprint(i), Name: fmt.Sprintf("Place %d of the northern district", i), Street: fmt.Sprintf("Street %d", i%300), Locality: "Newport", Lat: 50 + float64(i%100)/100, Lon: float64(i/100) / 100}
	}
	if _, err := s.Put(b.Context(), "k", list); err != nil {
		b.Fatal(err)
	}
	for _, text := range []string{"place 77", "nothern distrct 512"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.Search(b.Context(), "k", &places.Query{Text: text, Near: &geo.Point{Lat: 50}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("nearest", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := s.Nearest(b.Context(), "k", geo.Point{Lat: 50}, 10); err != nil {
				b.Fatal(err)
			}
		}
	})
}
