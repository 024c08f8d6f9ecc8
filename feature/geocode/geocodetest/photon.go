package geocodetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
)

// Photon starts a server that speaks the API of komoot's Photon over an index of
// ours, and gives its address: its paths, its parameters and what it refuses of
// them, and the form of its answers, as its README and answers of it in public
// show them. It is no Photon: it finds what our index finds. heard, where it is not nil, receives
// every request.
func Photon(t testing.TB, index *find.Index, heard func(*http.Request)) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api", func(w http.ResponseWriter, r *http.Request) { answer(w, r, index, forward) })
	mux.HandleFunc("GET /reverse", func(w http.ResponseWriter, r *http.Request) { answer(w, r, index, reverse) })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if heard != nil {
			heard(r)
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// languages are those that a Photon is built with where nothing else is said.
var languages = []string{"default", "en", "de", "fr", "it"}

func answer(w http.ResponseWriter, r *http.Request, index *find.Index, find func(*http.Request, *find.Index, url.Values) ([]place.Place, error)) {
	found, err := find(r, index, r.URL.Query())
	status, body := http.StatusOK, any(collection(found))
	if err != nil {
		status, body = http.StatusBadRequest, map[string]string{"message": err.Error()}
	}
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func known(q url.Values, names ...string) error {
	for name := range q {
		if !slices.Contains(names, name) {
			return fmt.Errorf("unknown query parameter '%s'.  Allowed parameters are: [%s]", name, strings.Join(names, ", "))
		}
	}
	if lang := q.Get("lang"); lang != "" && !slices.Contains(languages, lang) {
		return fmt.Errorf("language %s is not supported, supported languages are: %s", lang, strings.Join(languages, ", "))
	}
	return nil
}

func forward(r *http.Request, index *find.Index, q url.Values) ([]place.Place, error) {
	if err := known(q, "q", "lang", "limit", "lon", "lat", "zoom", "location_bias_scale", "bbox", "osm_tag", "layer", "debug"); err != nil {
		return nil, err
	}
	asked := place.Query{Text: q.Get("q"), Limit: 15, Lang: q.Get("lang")}
	if asked.Text == "" {
		return nil, fmt.Errorf("missing search term 'q': /?q=berlin")
	}
	if limit, err := strconv.Atoi(q.Get("limit")); err == nil {
		asked.Limit = min(limit, 50)
	}
	if q.Has("lon") || q.Has("lat") {
		at, err := point(q)
		if err != nil {
			return nil, err
		}
		asked.Bias = &at
	}
	if text := q.Get("bbox"); text != "" {
		var b geo.Bounds
		if n, err := fmt.Sscanf(text, "%g,%g,%g,%g", &b.Min.Lon, &b.Min.Lat, &b.Max.Lon, &b.Max.Lat); n != 4 || err != nil || !b.Min.Valid() || !b.Max.Valid() || b.Empty() {
			return nil, fmt.Errorf("invalid number of supplied coordinates for parameter 'bbox', expected format is: minLon,minLat,maxLon,maxLat")
		}
		asked.Box = &b
	}
	hits, err := index.Search(r.Context(), &asked)
	found := make([]place.Place, len(hits))
	for i := range hits {
		found[i] = hits[i].Place
	}
	return found, err
}

func reverse(r *http.Request, index *find.Index, q url.Values) ([]place.Place, error) {
	if err := known(q, "lang", "limit", "lon", "lat", "radius", "query_string_filter", "distance_sort", "osm_tag", "layer", "debug"); err != nil {
		return nil, err
	}
	at, err := point(q)
	if err != nil {
		return nil, err
	}
	limit, kilometres := 1, 1.0
	if n, err := strconv.Atoi(q.Get("limit")); err == nil {
		limit = min(n, 50)
	}
	if text := q.Get("radius"); text != "" {
		if kilometres, err = strconv.ParseFloat(text, 64); err != nil || kilometres <= 0 {
			return nil, fmt.Errorf("invalid search term 'radius', expected a strictly positive number")
		}
	}
	near, err := index.Reverse(r.Context(), at, 0, limit, kilometres*1000, q.Get("lang"))
	found := make([]place.Place, len(near))
	for i := range near {
		found[i] = near[i].Place
	}
	return found, err
}

func point(q url.Values) (geo.Point, error) {
	lon, err1 := strconv.ParseFloat(q.Get("lon"), 64)
	lat, err2 := strconv.ParseFloat(q.Get("lat"), 64)
	p := geo.Point{Lon: lon, Lat: lat}
	if err1 != nil || err2 != nil || !p.Valid() {
		return p, fmt.Errorf("invalid search term 'lat' and/or 'lon', expected number")
	}
	return p, nil
}

type object = map[string]any

func collection(found []place.Place) object {
	features := make([]object, len(found))
	for i := range found {
		p := &found[i]
		features[i] = object{
			"type": "Feature", "geometry": object{"type": "Point", "coordinates": []float64{p.At.Lon, p.At.Lat}}, "properties": properties(p),
		}
	}
	return object{"type": "FeatureCollection", "features": features}
}

// types are Photon's words for kinds of places, but for that of areas, which is
// by their size.
var types = map[place.Kind]string{place.Address: "house", place.POI: "house", place.Street: "street", place.Locality: "city", place.Postcode: "other", place.Area: "county"}

func properties(p *place.Place) object {
	o := object{"osm_type": "N", "osm_id": 1, "osm_key": "place", "osm_value": "house", "type": types[p.Kind]}
	set := func(name, value string) {
		if value != "" {
			o[name] = value
		}
	}
	if p.Kind != place.Address { // which have no name there
		set("name", p.Name)
	}
	if p.Kind == place.Postcode {
		o["osm_value"] = "postcode"
	}
	if len(p.Categories) > 1 {
		o["osm_value"], o["osm_key"] = p.Categories[0], p.Categories[1]
	}
	set("housenumber", p.House)
	if p.Kind != place.Street {
		set("street", p.Street)
	}
	set("postcode", p.Postcode)
	set("city", p.Locality)
	set("state", p.State)
	set("countrycode", p.CountryCode)
	if e := p.Extent; e != nil {
		o["extent"] = []float64{e.Min.Lon, e.Max.Lat, e.Max.Lon, e.Min.Lat}
	}
	return o
}
