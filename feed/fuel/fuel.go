// Package fuel reads the prices of filling stations: the UK's Fuel Finder, the
// retailers' lists before it, Tankerkönig, France's and Italy's registers, and
// tables of our own. Prices that cannot be right are rejected and counted.
package fuel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

// Grade is a kind of fuel, by the names of EN 16942 where that has one.
type Grade string

// The grades.
const (
	E5        Grade = "e5"  // petrol with up to 5 % ethanol
	E10       Grade = "e10" // petrol with up to 10 %
	E85       Grade = "e85"
	B7        Grade = "b7" // diesel with up to 7 % biodiesel
	B7Premium Grade = "b7_premium"
	B10       Grade = "b10"
	HVO       Grade = "hvo"
	LPG       Grade = "lpg"
	CNG       Grade = "cng" // priced by the kilogram
)

// Grades lists all of them.
func Grades() []Grade { return []Grade{E5, E10, E85, B7, B7Premium, B10, HVO, LPG, CNG} }

// named are the words that sources have for grades, folded.
var named = map[string]Grade{
	"e5": E5, "super unleaded": E5, "super": E5, "sp98": E5, "sp95": E5,
	"e10": E10, "unleaded": E10, "petrol": E10, "benzina": E10, "sp95-e10": E10,
	"e85": E85,
	"b7":  B7, "b7_standard": B7, "b7s": B7, "diesel": B7, "gazole": B7, "gasolio": B7,
	"b7_premium": B7Premium, "b7p": B7Premium, "sdv": B7Premium, "super diesel": B7Premium, "premium diesel": B7Premium, "b7 premium": B7Premium,
	"b10": B10, "hvo": HVO, "hvolution": HVO, "diesel hvo": HVO,
	"lpg": LPG, "gplc": LPG, "gpl": LPG, "autogas": LPG,
	"cng": CNG, "metano": CNG,
}

// Named returns the grade that a word stands for.
func Named(word string) (Grade, bool) {
	g, ok := named[strings.ToLower(strings.TrimSpace(word))]
	return g, ok
}

// Price is the price of a litre.
type Price struct {
	Grade Grade
	// Amount is in hundredths of the station's currency: pence, cents.
	Amount float64
	At     time.Time // since when it holds; zero where the source does not say
}

// Station is a filling station.
type Station struct {
	ID         string // in its source
	Name       string
	Brand      string
	Address    string
	Postcode   string
	At         geo.Point
	Country    string // ISO 3166-1 alpha-2
	Closed     bool   // for the time being
	Motorway   bool
	Hours      string   // as OSM writes opening hours; "" where it is not known
	Amenities  []string // in the words of the source, sorted; nil where it lists none
	Prices     []Price
	Currencies currency
}

// currency is an ISO 4217 code.
type currency string

// Currency of the prices: "GBP", "EUR".
func (s *Station) Currency() string { return string(s.Currencies) }

// Price returns that of a grade.
func (s *Station) Price(g Grade) (Price, bool) {
	for _, p := range s.Prices {
		if p.Grade == g {
			return p, true
		}
	}
	return Price{}, false
}

// Formats are the formats that a source may have.
const (
	FuelFinder   = "fuel-finder"  // the API or the CSV of the UK's Fuel Finder
	Interim      = "uk-interim"   // JSON of the UK's retailers
	Tankerkoenig = "tankerkoenig" // list.php
	France       = "france"       // prices and stations, or all in one
	Italy        = "italy"        // prezzo_alle_8, with the register as option
	CSV          = "csv"
	JSON         = "json"
)

// Kind describes feeds of prices.
func Kind() feed.Kind[[]Station] {
	return feed.Kind[[]Station]{
		Read: read, Every: 15 * time.Minute, StaleAfter: 24 * time.Hour,
		Check: func(s *feed.Source) error {
			if all := []string{"", FuelFinder, Interim, Tankerkoenig, France, Italy, CSV, JSON}; !slices.Contains(all, s.Format) {
				return fmt.Errorf("format %q is none of %s", s.Format, strings.Join(all[1:], ", "))
			}
			return nil
		},
	}
}

// read reads a document in any of the formats.
func read(ctx context.Context, in *feed.Input, _ []Station) ([]Station, int, error) {
	r := &reader{in: in, seen: map[string]int{}}
	var err error
	switch in.Sniff() {
	case feed.HTML:
		err = feed.ErrPage
	case feed.JSON:
		err = r.json(ctx)
	case feed.XML:
		err = errors.New("prices are read as JSON or as a table")
	default:
		err = r.table(ctx)
	}
	if err != nil {
		return nil, 0, err
	}
	list := r.usable()
	return list, len(list), nil
}

// reader gathers the stations of one document, or several.
type reader struct {
	in   *feed.Input
	all  []Station
	seen map[string]int // index in all, by id
	of   string         // country of the format; "" of many
	zone *time.Location // of times without one; nil until the first
}

// add takes a station; one without a place is no use, and one that was there
// before is the same again.
func (r *reader) add(s Station) {
	if feed.TooLong(s.ID, s.Name, s.Brand, s.Address, s.Postcode, s.Country, s.Currency()) {
		r.in.Report.Reject(feed.LongText, "%s", s.ID)
		return
	}
	if s.ID == "" {
		r.in.Report.Reject("no id", "%s", s.Name)
		return
	}
	if _, repeated := r.seen[s.ID]; repeated {
		r.in.Report.Reject("id is there twice", "%s", s.ID)
		return
	}
	if s.Country == "" {
		s.Country = r.in.Source.Country
	}
	if s.Currencies == "" {
		s.Currencies = currencyOf(s.Country)
	}
	if s.Name == "" {
		s.Name = s.Brand
	}
	r.seen[s.ID] = len(r.all)
	r.all = append(r.all, s)
}

// country returns that of the source, or what its format is of.
func (r *reader) country(of string) string {
	if c := r.in.Source.Country; c != "" {
		return c
	}
	return of
}

func currencyOf(country string) currency {
	switch country {
	case "", "GB", "IM", "JE", "GG":
		return "GBP"
	case "CH", "LI":
		return "CHF"
	case "DK":
		return "DKK"
	case "SE":
		return "SEK"
	case "NO":
		return "NOK"
	case "PL":
		return "PLN"
	}
	return "EUR"
}
