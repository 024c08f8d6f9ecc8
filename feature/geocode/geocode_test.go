package geocode_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/geocode/geocodetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// source returns the index of the tests as that of a region.
func source(t testing.TB) geocode.Source {
	return geocode.Source{ID: "newport", Bounds: geocodetest.Bounds, Attribution: []string{"somebody"}, Index: geocodetest.Index(t)}
}

func names(a *geocode.Answer) string {
	var all []string
	for _, r := range a.Results {
		all = append(all, r.Name)
	}
	return strings.Join(all, ", ")
}

var newport = geo.Point{Lon: -3, Lat: 51.58}

// The same questions have the same answers, whichever backend answers.
func TestBackends(t *testing.T) {
	here := source(t)
	proxy := geocode.NewPhoton(geocodetest.Photon(t, here.Index, nil), nil)
	for name, g := range map[string]*geocode.Geocoder{
		"first-party": (&geocode.Service{Own: []geocode.Source{here}}).With(nil),
		"proxy":       (&geocode.Service{Proxy: proxy}).With(nil),
		"both":        (&geocode.Service{Own: []geocode.Source{here}, Proxy: proxy, ForwardProxy: true}).With(nil),
	} {
		t.Run(name, func(t *testing.T) {
			across := geo.Bounds{Min: geo.Point{Lon: 179, Lat: -18}, Max: geo.Point{Lon: -179, Lat: -16}}
			north := geo.Bounds{Min: geo.Point{Lon: -4, Lat: 51.6}, Max: geo.Point{Lon: -2, Lat: 52}}
			for what, c := range map[string]struct {
				q     geocode.Forward
				first string
				most  int
			}{
				"an address":            {geocode.Forward{Text: "3 High Street, NP20 1AA"}, "3 High Street", 5},
				"a limit":               {geocode.Forward{Text: "high street", Limit: 1}, "High Street", 1},
				"a bias":                {geocode.Forward{Text: "high street", Bias: &geo.Point{Lon: -2.95, Lat: 51.61}}, "High Street", 5},
				"a box":                 {geocode.Forward{Text: "3 high street", Box: &north}, "3 High Street", 5},
				"a box elsewhere":       {geocode.Forward{Text: "newport", Box: &across}, "", 0},
				"east of the date line": {geocode.Forward{Text: "eastport", Box: &across}, "Eastport", 5},
				"west of the date line": {geocode.Forward{Text: "westport", Box: &across}, "Westport", 5},
				"nothing":               {geocode.Forward{Text: "zzqxzzqx"}, "", 0},
				"coordinates":           {geocode.Forward{Text: "51.5801, -3.0"}, "51.5801, -3", 5},
				"a short plus code":     {geocode.Forward{Text: "H2J2+25 Newport"}, "51.58", 5},
				"one by the bias":       {geocode.Forward{Text: "3VH2J2+25", Bias: &geo.Point{Lon: -3.0004, Lat: 51.5801}}, "51.58", 5},
				"one of another place":  {geocode.Forward{Text: "H2J2+25 zzqxzzqx"}, "", 0},
				"pasted from a table":   {geocode.Forward{Text: "3 High Street\tNewport\n"}, "3 High Street", 5},
				"a language":            {geocode.Forward{Text: "Newport", Lang: "en-GB"}, "Newport", 5},
			} {
				if c.q.Limit == 0 {
					c.q.Limit = 5
				}
				a, err := g.Search(t.Context(), &c.q)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				first, _, _ := strings.Cut(names(a), ", ")
				if c.first != "" && !strings.HasPrefix(names(a), c.first) || c.first == "" && first != "" || len(a.Results) > c.most || len(a.Attribution) == 0 {
					t.Errorf("%s: %s", what, names(a))
				}
				for _, r := range a.Results {
					if c.q.Box == &north && r.At.Lat < 51.6 {
						t.Errorf("%s: %s is outside", what, r.Name)
					}
				}
				if c.q.Bias != nil && geo.Distance(a.Results[0].At, *c.q.Bias) > 1000 {
					t.Errorf("%s: %v is first", what, a.Results[0].At)
				}
			}
			a, err := g.Reverse(t.Context(), &geocode.Reverse{At: geo.Point{Lon: -2.9996, Lat: 51.5801}, Limit: 1})
			if err != nil || names(a) != "3 High Street" || a.Results[0].Kind != place.Address || a.Results[0].House != "3" || a.Results[0].Street != "High Street" || a.Results[0].Locality != "Newport" || a.Results[0].CountryCode != "GB" || *a.Results[0].Metres > 5 {
				t.Errorf("in reverse: %+v, %v", a, err)
			}
			for text, says := range map[string]string{"": "empty", "  ": "empty", "a\x07b": "control", strings.Repeat("ü", 501): "501 characters and may have 500", "\xff": "UTF-8"} {
				if _, err := g.Search(t.Context(), &geocode.Forward{Text: text, Limit: 5}); !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), says) {
					t.Errorf("%.20q: %v", text, err)
				}
			}
			for _, text := range []string{"مرحبا", "שלום", "🍕", "🏳️‍🌈 Newport", strings.Repeat("x", 500), "%00", "-", ","} {
				if _, err := g.Search(t.Context(), &geocode.Forward{Text: text, Limit: 5}); err != nil {
					t.Errorf("%.20q: %v", text, err)
				}
			}
		})
	}
}

// TestWhoIsAsked checks that a proxy is called beside the gateway's own indexes for questions
// by text only, and only where the operator wants it.
func TestWhoIsAsked(t *testing.T) {
	here := source(t)
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write([]byte(`{"type":"FeatureCollection","features":[]}`))
	}))
	t.Cleanup(server.Close)
	proxy := geocode.NewPhoton(server.URL, nil)
	for _, c := range []struct {
		what             string
		own              []geocode.Source
		proxy            *geocode.Photon
		preferred        bool
		forward, reverse bool // whether the proxy is called
	}{
		{"beside an index", []geocode.Source{here}, proxy, false, false, false},
		{"before an index", []geocode.Source{here}, proxy, true, true, false},
		{"without an index", nil, proxy, false, true, true},
		{"without a proxy", []geocode.Source{here}, nil, true, false, false},
	} {
		s := &geocode.Service{Own: c.own, ForwardProxy: c.preferred, Proxy: c.proxy}
		g := s.With(nil)
		before := asked
		if _, err := g.Search(t.Context(), &geocode.Forward{Text: "high street", Limit: 1}); err != nil || (asked > before) != c.forward {
			t.Errorf("%s: by text the proxy is asked %d times (%v)", c.what, asked-before, err)
		}
		before = asked
		if _, err := g.Reverse(t.Context(), &geocode.Reverse{At: geo.Point{Lon: -3, Lat: 51.58}, Limit: 1}); err != nil || (asked > before) != c.reverse {
			t.Errorf("%s: in reverse the proxy is asked %d times (%v)", c.what, asked-before, err)
		}
	}
}

// What a proxy cannot do is a 501 that says so; nothing at all is another.
func TestFirstPartyOnly(t *testing.T) {
	here := source(t)
	proxy := geocode.NewPhoton(geocodetest.Photon(t, here.Index, nil), nil)
	for _, c := range []struct {
		service geocode.Service
		name    string
		says    string
	}{
		{geocode.Service{Proxy: proxy}, "proxy", "the proxy here cannot do it"},
		{geocode.Service{}, "", "SVC_GEOCODER_PROXY_URL"},
	} {
		g := c.service.With(nil)
		_, suggest := g.Search(t.Context(), &geocode.Forward{Text: "x", Limit: 1, Typing: true})
		_, retrieve := g.Retrieve("x", "")
		_, kinds := g.Reverse(t.Context(), &geocode.Reverse{Kinds: place.Of(place.Street), Limit: 1})
		for _, err := range []error{suggest, retrieve, kinds} {
			if !fault.Is(err, "geocoding-not-enabled") || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if g.Name() != c.name {
			t.Errorf("%q answers", g.Name())
		}
	}
	_, err := new(geocode.Service).With(nil).Search(t.Context(), &geocode.Forward{Text: "x", Limit: 1})
	if !fault.Is(err, "geocoding-not-enabled") {
		t.Errorf("%v", err)
	}
	if g := (&geocode.Service{Own: []geocode.Source{here}, Proxy: proxy, ForwardProxy: true}).With(nil); g.Name() != "proxy, first-party in reverse" {
		t.Errorf("%q", g.Name())
	}
}

// The hubs of a city stand straight after it.
func TestHubs(t *testing.T) {
	g := (&geocode.Service{}).With([]geocode.Source{source(t)})
	search := func(q geocode.Forward) *geocode.Answer {
		t.Helper()
		a, err := g.Search(t.Context(), &q)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	hubs := func(a *geocode.Answer) string {
		var all []string
		for i, r := range a.Results {
			if r.HubOf != "" {
				all = append(all, fmt.Sprint(i, " ", r.Name))
			}
		}
		return strings.Join(all, ", ")
	}
	a := search(geocode.Forward{Text: "Newport", Limit: 10})
	if a.Results[0].Name != "Newport" || a.Results[0].Kind != place.Locality {
		t.Fatalf("the first is %s", names(a))
	}
	seen := map[string]int{}
	for _, r := range a.Results {
		seen[r.ID]++
	}
	for id, n := range seen {
		if n > 1 {
			t.Errorf("%s is there %d times", id, n)
		}
	}
	for _, never := range []string{"Flying Club", "Caerleon Airport", "Pye Corner"} {
		if strings.Contains(hubs(a), never) {
			t.Errorf("%s is a hub: %s", never, hubs(a))
		}
	}
	if got := hubs(a); got != "1 Newport International Airport, 2 Newport Central, 3 Newport West" {
		t.Errorf("%s", got)
	}
	for q, want := range map[string]string{
		"Newport":        "1 Newport International Airport, 2 Newport Central",
		"newport":        "1 Newport International Airport, 2 Newport Central",
		"Newport, Wales": "", "High Street": "", "Newpor": "",
	} {
		a := search(geocode.Forward{Text: q, Limit: 3})
		if got := hubs(a); got != want {
			t.Errorf("%s: %s of %s, want %s", q, got, names(a), want)
		}
	}
	if a := search(geocode.Forward{Text: "Newport", Limit: 1}); len(a.Results) != 1 || a.Results[0].Kind != place.Locality {
		t.Errorf("with a limit of 1: %s", names(a))
	}
}

// Several regions answer together: the hits of all in one order, a place that two
// have once.
func TestRegions(t *testing.T) {
	one, two := source(t), source(t)
	two.ID, two.Attribution = "other", []string{"somebody", "somebody else"}
	g := (&geocode.Service{}).With([]geocode.Source{one, two})
	a, err := g.Search(t.Context(), &geocode.Forward{Text: "caerleon", Limit: 5})
	if err != nil || len(a.Attribution) != 2 {
		t.Fatalf("%v, %v", a, err)
	}
	seen := map[string]bool{}
	for i, r := range a.Results {
		if seen[r.ID] || i > 0 && r.Score != nil && a.Results[i-1].Score != nil && *r.Score > *a.Results[i-1].Score {
			t.Errorf("%s", names(a))
		}
		seen[r.ID] = true
	}
	id := a.Results[0].ID
	if a, err := g.Retrieve(id, ""); err != nil || names(a) != "Caerleon" {
		t.Errorf("%v, %v", a, err)
	}
	if _, err := g.Retrieve("locality.n424242", ""); !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "newport, other") {
		t.Errorf("%v", err)
	}
	if a, err := g.Reverse(t.Context(), &geocode.Reverse{At: newport, Limit: 3, Kinds: place.Of(place.Street)}); err != nil || names(a) != "High Street" {
		t.Errorf("%v, %v", a, err)
	}
	if a, err := g.Reverse(t.Context(), &geocode.Reverse{At: geo.Point{Lon: 60, Lat: 0}, Limit: 3}); err != nil || len(a.Results) != 0 {
		t.Errorf("in the ocean: %v, %v", a, err)
	}
}

// A batch keeps its order, and who fails does so alone.
func TestBatch(t *testing.T) {
	g := (&geocode.Service{}).With([]geocode.Source{source(t)})
	var queries []geocode.Query
	for i := range 300 {
		switch i % 3 {
		case 0:
			queries = append(queries, geocode.Query{Forward: &geocode.Forward{Text: fmt.Sprintf("%d High Street, NP20 1AA", i%10+1), Limit: 1}})
		case 1:
			queries = append(queries, geocode.Query{Forward: &geocode.Forward{Text: " ", Limit: 1}})
		default:
			queries = append(queries, geocode.Query{Reverse: &geocode.Reverse{At: newport, Limit: 1, Kinds: place.Of(place.Street)}})
		}
	}
	out, err := g.Batch(t.Context(), queries)
	if err != nil || len(out) != len(queries) {
		t.Fatal(len(out), err)
	}
	for i, o := range out {
		switch i % 3 {
		case 0:
			if o.Err != nil || names(o.Answer) != fmt.Sprintf("%d High Street", i%10+1) {
				t.Errorf("%d: %v %v", i, o.Answer, o.Err)
			}
		case 1:
			if !fault.Is(o.Err, fault.BadRequest) {
				t.Errorf("%d: %v", i, o.Err)
			}
		default:
			if o.Err != nil || names(o.Answer) != "High Street" {
				t.Errorf("%d: %v %v", i, o.Answer, o.Err)
			}
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Batch(gone, queries); err == nil {
		t.Error("who has gone is answered")
	}
}

// A Photon that fails, however it does, is an upstream failure that never says
// where it is.
func TestPhotonFails(t *testing.T) {
	for name, fail := range map[string]http.HandlerFunc{
		"500": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "java.lang.NullPointerException", 500) },
		"404": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Not found", 404) },
		"400": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"message":"unknown query parameter 'bbox'"}`, 400)
		},
		"garbage":      func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"another form": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"features":[]}`)) },
		"nothing":      func(http.ResponseWriter, *http.Request) {},
		"other features": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"type":"FeatureCollection","features":7}`))
		},
		"a huge answer": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat(" ", 2<<20))) },
		"a redirection": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"a cut answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("{"))
		},
	} {
		server := httptest.NewServer(fail)
		t.Cleanup(server.Close)
		fails(t, name, geocode.NewPhoton(server.URL, nil), server.URL)
	}
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(slow.Close)
	fails(t, "slow", geocode.NewPhoton(slow.URL, &http.Client{Timeout: 30 * time.Millisecond}), slow.URL)
	closed := httptest.NewServer(nil)
	closed.Close()
	fails(t, "closed", geocode.NewPhoton(closed.URL, nil), closed.URL)
}

func fails(t *testing.T, name string, p *geocode.Photon, address string) {
	t.Helper()
	g := (&geocode.Service{Proxy: p}).With(nil)
	_, err := g.Search(t.Context(), &geocode.Forward{Text: "x", Limit: 1})
	_, err2 := g.Reverse(t.Context(), &geocode.Reverse{Limit: 1})
	for _, err := range []error{err, err2} {
		var f *fault.Error
		if !errors.As(err, &f) || f.Slug != fault.Upstream || strings.Contains(f.Detail, strings.TrimPrefix(address, "http://")) || len(f.Fields) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A language that the Photon lacks is given up with a note; a box across the
// antimeridian is two questions.
func TestPhotonAsked(t *testing.T) {
	var asked []string
	here := source(t)
	p := geocode.NewPhoton(geocodetest.Photon(t, here.Index, func(r *http.Request) { asked = append(asked, r.URL.RawQuery) }), nil)
	g := (&geocode.Service{Proxy: p}).With(nil)
	a, err := g.Search(t.Context(), &geocode.Forward{Text: "newport", Limit: 2, Lang: "cy"})
	if err != nil || len(a.Notes) != 1 || len(asked) != 2 || len(a.Results) == 0 {
		t.Errorf("%+v, %v: %v", a, err, asked)
	}
	asked = nil
	box := geo.Bounds{Min: geo.Point{Lon: 170, Lat: -20}, Max: geo.Point{Lon: -170, Lat: 20}}
	if _, err := g.Search(t.Context(), &geocode.Forward{Text: "port", Limit: 2, Box: &box}); err != nil || len(asked) != 2 || !strings.Contains(asked[0], "bbox=170%2C-20%2C180%2C20") || !strings.Contains(asked[1], "bbox=-180%2C-20%2C-170%2C20") {
		t.Errorf("%v: %v", err, asked)
	}
}

// Selections are counted by day, place and position, and no more different ones
// than there is room for.
func TestSelections(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		s, err := geocode.NewSelections(t.Context(), db, func() time.Time { return now }, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		rows := func() (n, picks, characters int) {
			t.Helper()
			if err := db.QueryRow(t.Context(), "SELECT COUNT(*), COALESCE(SUM(n), 0), COALESCE(SUM(characters), 0) FROM geocode_selections").Scan(&n, &picks, &characters); err != nil {
				t.Fatal(err)
			}
			return n, picks, characters
		}
		for range 3 {
			s.Add("a", 1, 4)
			s.Add("a", 2, 5)
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if n, picks, characters := rows(); n != 2 || picks != 6 || characters != 27 {
			t.Errorf("%d rows, %d picks, %d characters", n, picks, characters)
		}
		now = now.AddDate(0, 0, 31)
		for i := range 10_100 {
			s.Add(fmt.Sprint(i), 0, 1)
		}
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, picks, _ := rows(); n != 10_001 || picks != 10_100 {
			t.Errorf("%d rows, %d picks", n, picks)
		}
	})
}

// TestRecent has keys pick places: those that ask have theirs remembered, in their order and
// bounded, on every replica; of others nothing is written.
func TestRecent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		replica := func() *geocode.Selections {
			t.Helper()
			s, err := geocode.NewSelections(t.Context(), db, func() time.Time { now = now.Add(time.Second); return now }, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := replica()
		has := func(s *geocode.Selections, key string, on bool, want ...string) {
			t.Helper()
			if got, is, err := s.Recent(t.Context(), key); err != nil || is != on || !slices.Equal(got, want) {
				t.Errorf("%s remembers %v (%v): %v, want %v", key, got, is, err, want)
			}
		}
		flush := func(s *geocode.Selections) {
			t.Helper()
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		s.Picked("quiet", "a")
		has(s, "quiet", false)
		if err := s.Remember(t.Context(), "key"); err != nil {
			t.Fatal(err)
		}
		has(s, "key", true)
		for _, id := range []string{"a", "b", "a", "c"} {
			s.Picked("key", id)
		}
		has(s, "key", true, "c", "a", "b")
		flush(s)
		other := replica()
		has(other, "key", true, "c", "a", "b")
		other.Picked("key", "d")
		s.Picked("key", "e")
		flush(other)
		flush(s)
		flush(other)
		has(other, "key", true, "e", "d", "c", "a", "b")
		for i := range 60 {
			s.Picked("key", fmt.Sprint(i))
		}
		flush(s)
		if got, _, _ := replica().Recent(t.Context(), "key"); len(got) != geocode.MostRecent || got[0] != "59" {
			t.Errorf("%d are kept, the newest is %v", len(got), got)
		}
		if err := s.Remember(t.Context(), "ended"); err != nil {
			t.Fatal(err)
		}
		if err := s.Tidy(t.Context(), func(_ context.Context, keys []string) ([]string, error) { return []string{"ended"}, nil }); err != nil {
			t.Fatal(err)
		}
		has(s, "ended", false)
		if err := s.Forget(t.Context(), "key"); err != nil {
			t.Fatal(err)
		}
		s.Picked("key", "z")
		flush(s)
		has(s, "key", false)
		other.Picked("key", "y")
		flush(other)
		has(other, "key", false)
		var n int
		if err := db.QueryRow(t.Context(), "SELECT COUNT(*) FROM geocode_recent").Scan(&n); err != nil || n != 0 {
			t.Errorf("%d rows are left: %v", n, err)
		}
	})
}
