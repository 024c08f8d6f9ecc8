package geocode_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
)

// FuzzCoordinates checks that every text read as coordinates gives a point on the globe.
func FuzzCoordinates(f *testing.F) {
	for _, text := range []string{"51.58,-2.99", `51°34'48"N 2°59'24"W`, "geo:1,2", "N1 W2", "180.0 90.0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := geocode.Coordinates(text, ""); ok && !p.Valid() {
			t.Errorf("%q is %v", text, p)
		}
	})
}

// FuzzPhoton checks that every answer of a proxy becomes places on the globe or a failure of
// the proxy.
func FuzzPhoton(f *testing.F) {
	f.Add([]byte(`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-3,51.5]},"properties":{"osm_key":"place","osm_value":"city","type":"city","name":"Newport","extent":[-3.1,51.6,-2.9,51.5]}}]}`))
	f.Add([]byte(`{"type":"FeatureCollection","features":[{"geometry":{"coordinates":[]}}]}`))
	f.Add([]byte(`[]`))
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	f.Cleanup(server.Close)
	g := (&geocode.Service{Proxy: geocode.NewPhoton(server.URL, nil)}).With(nil)
	f.Fuzz(func(t *testing.T, answer []byte) {
		body = answer
		a, err := g.Search(t.Context(), &geocode.Forward{Text: "x", Limit: 5})
		var failed *fault.Error
		if err != nil && (!errors.As(err, &failed) || failed.Slug != fault.Upstream) {
			t.Errorf("%v", err)
		}
		if err != nil {
			return
		}
		for _, r := range a.Results {
			if !r.At.Valid() {
				t.Errorf("%v", r.At)
			}
		}
	})
}
