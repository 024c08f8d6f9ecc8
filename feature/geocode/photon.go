package geocode

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

const (
	photonTimeout = 10 * time.Second
	photonLongest = 1 << 20 // bytes of an answer
	photonReach   = 25      // kilometres around a point in reverse
)

// Photon is a geocoder elsewhere that speaks the API of komoot's Photon.
type Photon struct {
	base   string
	client *http.Client
	limit  int64
}

// NewPhoton returns a client of the Photon at an address without a slash at the end; client is
// nil for one of its own.
func NewPhoton(base string, client *http.Client) *Photon {
	if client == nil {
		client = &http.Client{
			Timeout:       photonTimeout,
			Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConns: 16, MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return &Photon{strings.TrimSuffix(base, "/"), client, photonLongest}
}

// search requests places by text. A box across the antimeridian is two questions,
// whose answers take turns.
func (p *Photon) search(ctx context.Context, q *Forward) (*Answer, error) {
	query := url.Values{"q": {q.Text}, "limit": {strconv.Itoa(q.Limit)}}
	if q.Bias != nil {
		query.Set("lon", decimalText(q.Bias.Lon))
		query.Set("lat", decimalText(q.Bias.Lat))
	}
	if q.Box == nil {
		return p.ask(ctx, "/api", query, q.Lang, nil)
	}
	var answers []*Answer
	for _, box := range q.Box.Split() {
		query.Set("bbox", strings.Join([]string{decimalText(box.Min.Lon), decimalText(box.Min.Lat), decimalText(box.Max.Lon), decimalText(box.Max.Lat)}, ","))
		a, err := p.ask(ctx, "/api", query, q.Lang, nil)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	all := &Answer{Attribution: answers[0].Attribution, Notes: answers[0].Notes}
	for i := 0; len(all.Results) < q.Limit; i++ {
		more := false
		for _, a := range answers {
			if i < len(a.Results) && len(all.Results) < q.Limit {
				all.Results, more = append(all.Results, a.Results[i]), true
			}
		}
		if !more {
			break
		}
	}
	return all, nil
}

// reverse requests places by where they are.
func (p *Photon) reverse(ctx context.Context, q *Reverse) (*Answer, error) {
	return p.ask(ctx, "/reverse", url.Values{"lon": {decimalText(q.At.Lon)}, "lat": {decimalText(q.At.Lat)}, "limit": {strconv.Itoa(q.Limit)}, "radius": {strconv.Itoa(photonReach)}}, q.Lang, &q.At)
}

func decimalText(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// errLanguage is the refusal of a language by a Photon, which has only those that it was
// built with.
var errLanguage = errors.New("the language is not one of the Photon's")

// ask sends a question; one whose language is refused is sent again without it.
func (p *Photon) ask(ctx context.Context, path string, query url.Values, lang string, from *geo.Point) (*Answer, error) {
	a := &Answer{Attribution: []string{OSM}}
	if lang != "" {
		query.Set("lang", strings.ToLower(strings.SplitN(lang, "-", 2)[0]))
	}
	found, err := p.get(ctx, path, query)
	if lang != "" && errors.Is(err, errLanguage) {
		query.Del("lang")
		a.Notes = []string{"lang " + fault.Clip(lang) + " is not one that the geocoder here knows, and had no effect"}
		found, err = p.get(ctx, path, query)
	}
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	for i := range found.Features {
		r, ok := found.Features[i].result()
		if !ok {
			continue
		}
		if from != nil {
			metres := geo.Distance(*from, r.At)
			r.Metres = &metres
		}
		a.Results = append(a.Results, r)
	}
	return a, nil
}

// failed turns a failure into the one that a caller sees, which never names the address of the Photon.
func (p *Photon) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	return fault.Wrap(err, fault.Upstream, "the geocoder that is asked here did not answer as it should; try again shortly")
}

// get sends one request and reads its answer.
func (p *Photon) get(ctx context.Context, path string, query url.Values) (*photonAnswer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	res, err := p.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, p.limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(body)) > p.limit:
		return nil, fmt.Errorf("an answer of more than %d bytes", p.limit)
	case res.StatusCode == http.StatusBadRequest && strings.Contains(strings.ToLower(string(body)), "language"):
		return nil, errLanguage
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the status %d", res.StatusCode)
	}
	var a photonAnswer
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, err
	}
	if a.Type != "FeatureCollection" {
		return nil, errors.New("no FeatureCollection")
	}
	return &a, nil
}

// photonAnswer has the members of a Photon's answer that are read.
type photonAnswer struct {
	Type     string          `json:"type"`
	Features []photonFeature `json:"features"`
}

type photonFeature struct {
	Geometry struct {
		Coordinates []float64 `json:"coordinates"`
	} `json:"geometry"`
	Properties struct {
		Type, Name, Housenumber, Street, District, City, County, State, Postcode, Countrycode string

		OSM    string    `json:"osm_type"` // N, W or R
		ID     int64     `json:"osm_id"`
		Key    string    `json:"osm_key"`
		Value  string    `json:"osm_value"`
		Extent []float64 `json:"extent"` // west, north, east, south
	} `json:"properties"`
}

// result returns a feature as a place; ok is false where it is nowhere.
func (f *photonFeature) result() (r Result, ok bool) {
	c, p := f.Geometry.Coordinates, &f.Properties
	if len(c) < 2 {
		return r, false
	}
	r.Place = place.Place{
		At: geo.Point{Lon: c[0], Lat: c[1]}, Name: p.Name, House: p.Housenumber, Street: p.Street, Postcode: p.Postcode, State: p.State,
		Locality: cmp.Or(p.City, p.District, p.County), CountryCode: strings.ToUpper(p.Countrycode), Kind: f.kind(),
	}
	if at := strings.Index("NWR", p.OSM); p.OSM != "" && at >= 0 && p.ID > 0 {
		r.Object = place.Object{Source: place.Source(at), Number: p.ID}
	}
	if p.Key == "place" || p.Key == "highway" {
		r.Class = p.Value
	}
	for _, word := range []string{p.Value, p.Key} {
		if word != "" {
			r.Categories = append(r.Categories, word)
		}
	}
	if e := p.Extent; len(e) == 4 {
		r.Extent = &geo.Bounds{Min: geo.Point{Lon: e[0], Lat: min(e[1], e[3])}, Max: geo.Point{Lon: e[2], Lat: max(e[1], e[3])}}
	}
	if r.Name == "" {
		r.Name = f.addressed()
	}
	if r.Kind == place.Street && r.Street == "" {
		r.Street = r.Name
	}
	return r, r.At.Valid()
}

// numberAfter are countries whose addresses have the number after the street.
const numberAfter = " AT BE BG CH CZ DE DK EE ES FI GR HR HU IS IT LI LT LV NL NO PL PT RO RS SE SI SK UA "

// addressed returns the name of what has none: its address.
func (f *photonFeature) addressed() string {
	p := &f.Properties
	street := cmp.Or(p.Street, p.District, p.City)
	switch {
	case p.Housenumber == "":
		return cmp.Or(street, p.Postcode)
	case strings.Contains(numberAfter, " "+strings.ToUpper(p.Countrycode)+" "):
		return strings.TrimSpace(street + " " + p.Housenumber)
	}
	return strings.TrimSpace(p.Housenumber + " " + street)
}

func (f *photonFeature) kind() place.Kind {
	p := &f.Properties
	switch {
	case p.Value == "postcode", p.Value == "postal_code":
		return place.Postcode
	case p.Type == "house" && p.Name == "" && p.Housenumber != "":
		return place.Address
	case p.Type == "street":
		return place.Street
	case p.Type == "locality", p.Type == "district", p.Type == "city":
		return place.Locality
	case p.Type == "county", p.Type == "state", p.Type == "country":
		return place.Area
	}
	return place.POI
}
