package fuel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
)

// word and number are values of JSON as sources write them.
type (
	word       = lenient.Word
	jsonNumber = lenient.Number
)

// station is a record in any of the forms of JSON: members of one do not stand
// in another with another meaning.
type station struct {
	// Fuel Finder.
	NodeID   word `json:"node_id"`
	Trading  word `json:"trading_name"`
	BrandFF  word `json:"brand_name"`
	Tempor   bool `json:"temporary_closure"`
	Perman   bool `json:"permanent_closure"`
	Motorway bool `json:"is_motorway_service_station"`
	Location *struct {
		Line1    word       `json:"address_line_1"`
		City     word       `json:"city"`
		Postcode word       `json:"postcode"`
		Lat      jsonNumber `json:"latitude"`
		Lon      jsonNumber `json:"longitude"`
	} `json:"location"`
	FuelPrices []fuelPrice     `json:"fuel_prices"`
	Opening    json.RawMessage `json:"opening_times"`
	Amenities  json.RawMessage `json:"amenities"`
	// Retailers, and our own.
	SiteID   word            `json:"site_id"`
	ID       word            `json:"id"`
	Name     word            `json:"name"`
	Brand    word            `json:"brand"`
	Address  word            `json:"address"`
	Postcode word            `json:"postcode"`
	Prices   json.RawMessage `json:"prices"` // grade to number
	Lat      jsonNumber      `json:"lat"`
	Lon      jsonNumber      `json:"lon"`
	Country  word            `json:"country"`
	Currency word            `json:"currency"`
	Updated  word            `json:"updated_at"`
	Closed   bool            `json:"closed"`
	Hours    word            `json:"opening_hours"`
	// Tankerkönig: euros a litre.
	Lng    jsonNumber `json:"lng"`
	Place  word       `json:"place"`
	Street word       `json:"street"`
	House  word       `json:"houseNumber"`
	PLZ    word       `json:"postCode"`
	Diesel jsonNumber `json:"diesel"`
	E5     jsonNumber `json:"e5"`
	E10    jsonNumber `json:"e10"`
	Open   *bool      `json:"isOpen"`
	// GeoJSON: the same as properties.
	Geometry *struct {
		Coordinates []jsonNumber `json:"coordinates"`
	} `json:"geometry"`
	Properties json.RawMessage `json:"properties"`
}

type fuelPrice struct {
	Type    word       `json:"fuel_type"`
	Price   jsonNumber `json:"price"`
	Updated word       `json:"price_last_updated"`
	Since   word       `json:"price_change_effective_timestamp"`
}

func (r *reader) json(ctx context.Context) error {
	if r.in.Source.Format == France {
		return r.franceJSON()
	}
	if err := r.stations(r.in, nil); err != nil {
		return err
	}
	if r.in.Source.Format == FuelFinder && r.in.Header != nil {
		return r.finder(ctx)
	}
	return nil
}

// stations reads a list of records. join, where it is not nil, receives each in
// place of adding it.
func (r *reader) stations(in *feed.Input, join func(*station)) error {
	var updated time.Time // of the whole list
	euros := r.in.Source.Format == Tankerkoenig
	return feed.EachJSON(in, feed.Walk{
		Lists: []string{"data", "stations", "features"},
		Each: func(raw json.RawMessage) error {
			var s station
			if err := json.Unmarshal(raw, &s); err != nil {
				r.in.Report.Reject("no record as expected", "%v", err)
				return nil
			}
			if s.Properties != nil {
				at := s.Geometry
				s = station{}
				if err := json.Unmarshal(propertiesOf(raw), &s); err != nil {
					r.in.Report.Reject("no record as expected", "%v", err)
					return nil
				}
				if at != nil && len(at.Coordinates) >= 2 {
					s.Lon, s.Lat = at.Coordinates[0], at.Coordinates[1]
				}
			}
			if join != nil {
				join(&s)
				return nil
			}
			r.take(&s, updated, euros)
			return nil
		},
		Other: func(name string, raw json.RawMessage) error {
			var text string
			switch name {
			case "last_updated":
				if json.Unmarshal(raw, &text) == nil {
					updated = r.time(text)
					r.in.Report.Published(updated)
				}
			case "license":
				if json.Unmarshal(raw, &text) == nil && strings.Contains(text, "tankerkoenig") {
					euros = true
				}
			}
			return nil
		},
	})
}

func propertiesOf(raw json.RawMessage) json.RawMessage {
	var f struct {
		Properties json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(raw, &f) // it was read before
	return f.Properties
}

// take adds a record.
func (r *reader) take(s *station, updated time.Time, euros bool) {
	out := Station{
		ID: first(s.NodeID, s.SiteID, s.ID), Name: first(s.Trading, s.Name), Brand: first(s.BrandFF, s.Brand), Motorway: s.Motorway,
		Address: string(s.Address), Postcode: first(s.Postcode, s.PLZ), Country: first(s.Country, word(r.in.Source.Country)),
		Closed: s.Tempor || s.Closed || s.Open != nil && !*s.Open, Currencies: currency(s.Currency),
	}
	out.Hours, out.Amenities = first(word(opening(s.Opening)), word(written(string(s.Hours)))), amenities(s.Amenities)
	if s.Perman {
		r.in.Report.Reject("closed for good", "%s", out.ID)
		return
	}
	lat, lon := s.Lat, s.Lon
	if s.Lng.Known {
		lon = s.Lng
	}
	if s.Location != nil {
		lat, lon = s.Location.Lat, s.Location.Lon
		if s.Location.Line1 != "" {
			out.Address = joined(s.Location.Line1, s.Location.City)
		}
		if s.Location.Postcode != "" {
			out.Postcode = string(s.Location.Postcode)
		}
	}
	if lat.Known && lon.Known {
		out.At = geo.Point{Lon: lon.Value, Lat: lat.Value}
	}
	if euros {
		out.Country, out.Currencies = r.country("DE"), "EUR"
		out.Address = joined(word(strings.TrimSpace(string(s.Street+" "+s.House))), s.Place)
		for _, p := range []struct {
			g Grade
			n jsonNumber
		}{{E5, s.E5}, {E10, s.E10}, {B7, s.Diesel}} {
			if p.n.Known {
				out.Prices = append(out.Prices, Price{p.g, cents(p.n.Value), time.Time{}})
			}
		}
		r.add(out)
		return
	}
	if len(s.NodeID) > 0 || len(s.SiteID) > 0 {
		out.Country = r.country("GB")
	}
	if at := r.time(string(s.Updated)); !at.IsZero() {
		updated = at
	}
	for _, p := range s.FuelPrices {
		r.price(&out, string(p.Type), p.Price, r.since(p))
	}
	var prices map[string]jsonNumber
	if len(s.Prices) > 0 && json.Unmarshal(s.Prices, &prices) == nil {
		for name, n := range prices {
			r.price(&out, name, n, updated)
		}
	}
	r.add(out)
}

func (r *reader) since(p fuelPrice) time.Time {
	if t := r.time(string(p.Updated)); !t.IsZero() {
		return t
	}
	return r.time(string(p.Since))
}

// price adds one of a grade by its name in the source.
func (r *reader) price(s *Station, name string, n jsonNumber, at time.Time) {
	g, ok := Named(name)
	switch {
	case !n.Known:
	case !ok:
		r.in.Report.Reject("grade not known", "%s: %s", s.ID, name)
	default:
		if _, repeated := s.Price(g); !repeated {
			s.Prices = append(s.Prices, Price{g, n.Value, at})
		}
	}
}

// cents of an amount in euros, without what binary fractions add.
func cents(euros float64) float64 { return math.Round(euros*1e5) / 1e3 }

func first(words ...word) string {
	for _, w := range words {
		if w != "" {
			return string(w)
		}
	}
	return ""
}

func joined(parts ...word) string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, string(p))
		}
	}
	return strings.Join(all, ", ")
}

// finder reads the rest of the Fuel Finder's answers: forecourts come in batches
// that end with a 404, and their prices in batches of their own.
func (r *reader) finder(ctx context.Context) error {
	here, err := url.Parse(r.in.URL)
	if err != nil {
		return errors.New("its address cannot be read")
	}
	batch := func(u url.URL, n int) string {
		q := u.Query()
		q.Set("batch-number", strconv.Itoa(n))
		u.RawQuery = q.Encode()
		return u.String()
	}
	begin := 2
	if here.Query().Get("batch-number") == "" {
		begin = 1 // the first answer was of no batch and is fetched again
		r.all, r.seen = nil, map[string]int{}
	}
	each := func(u url.URL, from int, join func(*station)) error {
		for n := from; n <= mostBatches; n++ {
			page, err := r.in.Open(ctx, batch(u, n))
			if feed.Refusal(err) == http.StatusNotFound && n > 1 {
				return nil
			}
			if err != nil {
				return fmt.Errorf("batch %d: %w", n, err)
			}
			err = errors.Join(r.stations(page, join), page.Close())
			if err != nil {
				return fmt.Errorf("batch %d: %w", n, err)
			}
		}
		return fmt.Errorf("it has more than %d batches", mostBatches)
	}
	if err := each(*here, begin, nil); err != nil {
		return err
	}
	prices := *here
	prices.Path = strings.TrimSuffix(prices.Path, "/") + "/fuel-prices"
	return each(prices, 1, func(s *station) {
		i, known := r.seen[string(s.NodeID)]
		if !known {
			r.in.Report.Reject("prices of a forecourt that is not listed", "%s", s.NodeID)
			return
		}
		for _, p := range s.FuelPrices {
			r.price(&r.all[i], string(p.Type), p.Price, r.since(p))
		}
	})
}

const mostBatches = 1000

// franceJSON reads rows of columns: {"keys": […], "data": [[…]]}. Coordinates are
// degrees times 100,000.
func (r *reader) franceJSON() error {
	var keys []string
	n := 0
	err := feed.EachJSON(r.in, feed.Walk{
		Lists: []string{"data"},
		Other: func(name string, raw json.RawMessage) error {
			if name == "keys" {
				return json.Unmarshal(raw, &keys)
			}
			return nil
		},
		Each: func(raw json.RawMessage) error {
			var row []json.RawMessage
			if n++; json.Unmarshal(raw, &row) != nil || len(row) != len(keys) {
				r.in.Report.Reject("no record as expected", "row %d", n)
				return nil //nolint:nilerr // the record is rejected and counted, and the next is read
			}
			s := Station{Country: r.country("FR"), Currencies: "EUR"}
			var lat, lon jsonNumber
			for i, key := range keys {
				var w word
				var v jsonNumber
				_, _ = w.UnmarshalJSON(row[i]), v.UnmarshalJSON(row[i])
				switch key {
				case "latitude":
					lat = v
				case "longitude":
					lon = v
				case "address":
					s.Address = string(w)
				case "postcode":
					s.Postcode = string(w)
				case "city":
					s.Name = string(w)
				default:
					if v.Known && v.Value >= 0 { // -1 where there is none
						r.price(&s, key, jsonNumber{Value: cents(v.Value), Known: true}, time.Time{})
					}
				}
			}
			s.At = geo.Point{Lon: degrees(lon.Value), Lat: degrees(lat.Value)}
			s.ID = fmt.Sprintf("%s-%.0f-%.0f", s.Postcode, lat.Value, lon.Value)
			r.add(s)
			return nil
		},
	})
	return err
}

// degrees of a coordinate that is in them, or in hundred-thousandths.
func degrees(v float64) float64 {
	if math.Abs(v) > 180 {
		return v / 1e5
	}
	return v
}
