package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// TestFeedOfAnInventedCountry serves prices, chargers and cameras of a feed that is of
// a country, on a town that lies elsewhere: they count where the town was imported as of
// that country, and nowhere else.
func TestFeedOfAnInventedCountry(t *testing.T) {
	town := towntest.Draw(t, "a---b", towntest.Ways{{"ab", "primary"}})
	at := town.Between("a", "b", 0.5)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	row := fmt.Sprintf("%.6f,%.6f", at.Lat, at.Lon)
	write("fuel.csv", "id,name,lat,lon,e10\n1,One,"+row+",1.699\n")
	write("cameras.csv", "id,lat,lon,kind\n1,"+row+",fixed\n")
	write("chargers.csv", "id,name,lat,lon,connectors\n1,One,"+row+",type2:22\n")
	write("feeds.json", `{"feeds": [{"id": "fuel", "kind": "fuel", "url": "fuel.csv", "country": "IT"},
		{"id": "cameras", "kind": "cameras", "url": "cameras.csv", "country": "IT"},
		{"id": "charging", "kind": "charging", "url": "chargers.csv", "country": "IT"}]}`)
	for country, want := range map[string]int{"IT": 1, "IE": 0, "": 0} {
		region := t.TempDir()
		if _, err := importer.Run(t.Context(), importer.Options{Dir: region, Sources: []string{town.PBF(t)}, ID: "town", Country: country, NoMap: true, Builder: "test"}); err != nil {
			t.Fatal(err)
		}
		s := quick()
		s.Feeds, s.AdminToken = filepath.Join(dir, "feeds.json"), strings.Repeat("t", 16)
		address, stop := serving(t, s, region)
		for _, name := range []string{"fuel", "cameras", "charging"} {
			var f feed.Status
			waittest.Until(t, name+" is read", func() bool {
				f = status(t, address, s.AdminToken, name)
				return f.State != feed.Waiting
			})
			if f.Records != want {
				t.Errorf("imported as of %q: %d records of %s, want %d", country, f.Records, name, want)
			}
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

// status returns how a feed of a server is.
func status(t *testing.T, address, token, id string) feed.Status {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/admin/feeds", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct{ Feeds []feed.Status }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	for _, f := range answer.Feeds {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("there is no feed %s", id)
	return feed.Status{}
}
