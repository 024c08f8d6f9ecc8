package main

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/importer/importertest"
)

// TestGeocoder opens an index of its own, and refuses a folder that has none.
func TestGeocoder(t *testing.T) {
	dir := importertest.County(t)
	s := settings{GeocodeDir: dir, GeocoderProxyURL: "http://photon.example"}
	g, done, err := s.geocoder()
	if err != nil {
		t.Fatal(err)
	}
	a, err := g.With(nil).Search(t.Context(), &geocode.Forward{Text: "Stannerford", Limit: 1})
	if err != nil || len(a.Results) != 1 || a.Results[0].Name != "Stannerford" || g.Proxy == nil {
		t.Errorf("%+v, %v", a, err)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
	s.GeocodeDir = t.TempDir()
	if _, _, err := s.geocoder(); err == nil || !strings.Contains(err.Error(), "SVC_GEOCODE_DIR") {
		t.Errorf("%v", err)
	}
}
