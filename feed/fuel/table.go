package fuel

import (
	"bytes"
	"context"
	"errors"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
)

// table reads a table: the Fuel Finder's, France's, Italy's, or our own.
func (r *reader) table(ctx context.Context) error {
	if bytes.HasPrefix(r.in.Reads(10), []byte("Estrazione")) || r.in.Source.Format == Italy {
		return r.italy(ctx)
	}
	head, _, _ := bytes.Cut(bytes.ToLower(r.in.Reads(16<<10)), []byte("\n"))
	switch {
	case bytes.Contains(head, []byte("forecourts.node_id")):
		return feed.EachRow(r.in, r.finderRow)
	case bytes.Contains(head, []byte("valeur")):
		return r.france(ctx)
	}
	return feed.EachRow(r.in, r.plain)
}

// plain is a row of our own: id, name, brand, lat, lon, and a column for each
// grade by any of its names, or grade and price; with address, postcode, country,
// currency, updated_at, opening_hours, and amenities with semicolons between.
func (r *reader) plain(row feed.Row) error {
	s := Station{
		ID: row.Get("id", "site_id"), Name: row.Get("name"), Brand: row.Get("brand"), Address: row.Get("address"), Postcode: row.Get("postcode"),
		Country: strings.ToUpper(row.Get("country")), Currencies: currency(strings.ToUpper(row.Get("currency"))), Closed: row.Get("closed") == "true",
		At: r.readPoint(row.Get("lat", "latitude"), row.Get("lon", "lng", "longitude")), Hours: written(row.Get("opening_hours")), Amenities: ordered(separated(row.Get("amenities"))),
	}
	at := r.time(row.Get("updated_at", "updated", "last_updated"))
	if g, word := row.Get("grade", "fuel", "fuel_type"), row.Get("price"); g != "" {
		r.price(&s, g, lenient.ParseDecimal(word), at)
		if i, there := r.seen[s.ID]; there && s.ID != "" && len(s.Prices) > 0 {
			if _, repeated := r.all[i].Price(s.Prices[0].Grade); !repeated {
				r.all[i].Prices = append(r.all[i].Prices, s.Prices...) // a row for each grade
				return nil
			}
		}
	}
	for column := range row.Columns() {
		if g, ok := Named(column); ok {
			if n := lenient.ParseDecimal(row.Get(column)); n.Known {
				s.Prices = append(s.Prices, Price{g, n.Value, at})
			} else if text := row.Get(column); text != "" {
				r.in.Report.Reject("price is no number", "%s: %s is %q", s.ID, g, text)
			}
		}
	}
	r.add(s)
	return nil
}

// finderRow is a row of the Fuel Finder's CSV. Prices are written '0126.7000.
func (r *reader) finderRow(row feed.Row) error {
	const f, l = "forecourts.", "forecourts.location."
	if row.Get(f+"permanent_closure") == "true" {
		r.in.Report.Reject("closed for good", "%s", row.Get(f+"node_id"))
		return nil
	}
	s := Station{
		ID: row.Get(f + "node_id"), Name: row.Get(f + "trading_name"), Brand: row.Get(f + "brand_name"), Country: r.country("GB"),
		Address: joined(word(row.Get(l+"address_line_1")), word(row.Get(l+"city"))), Postcode: row.Get(l + "postcode"),
		Closed: row.Get(f+"temporary_closure") == "true", Motorway: row.Get(f+"is_motorway_service_station") == "true",
		At: r.readPoint(row.Get(l+"latitude"), row.Get(l+"longitude")), Hours: openingRow(row), Amenities: amenitiesRow(row),
	}
	at := r.time(row.Get("latest_update_timestamp"))
	for column := range row.Columns() {
		if name, ok := strings.CutPrefix(column, f+"fuel_price."); ok {
			r.price(&s, name, lenient.ParseDecimal(row.Get(column)), at)
		}
	}
	r.add(s)
	return nil
}

// france joins prices with stations: a table of each, of which the feed names
// that of prices; the stations lie beside it with stations in place of prix, or
// where the option stations=… says.
func (r *reader) france(ctx context.Context) error {
	r.of = "FR"
	err := r.beside(ctx, "stations", strings.Replace(r.in.URL, "prix", "stations", 1), func(row feed.Row) error {
		r.add(Station{
			ID: row.Get("id"), Country: r.country("FR"), Currencies: "EUR", Name: row.Get("ville"), Address: row.Get("adresse"), Postcode: row.Get("cp"),
			Motorway: row.Get("pop") == "A", At: r.readPoint(row.Get("latitude"), row.Get("longitude")),
		})
		return nil
	})
	if err != nil {
		return err
	}
	return feed.EachRow(r.in, func(row feed.Row) error {
		r.priced(row.Get("station_id"), row.Get("nom"), row.Get("valeur"), row.Get("maj"))
		return nil
	})
}

// italy joins prezzo_alle_8 with the register of stations, which lies beside it
// or where the option stations=… says. Each fuel may be there twice, served and
// not: what one fills in oneself counts where there is one.
func (r *reader) italy(ctx context.Context) error {
	r.of = "IT"
	skipExtraction(r.in)
	err := r.beside(ctx, "stations", path.Join(path.Dir(r.in.URL), "anagrafica_impianti_attivi.csv"), func(row feed.Row) error {
		r.add(Station{
			ID: row.Get("idimpianto"), Country: r.country("IT"), Currencies: "EUR", Name: row.Get("nome impianto"), Brand: row.Get("bandiera"),
			Address: joined(word(row.Get("indirizzo")), word(row.Get("comune"))), Motorway: row.Get("tipo impianto") == "Autostradale",
			At: r.readPoint(row.Get("latitudine"), row.Get("longitudine")),
		})
		return nil
	})
	if err != nil {
		return err
	}
	served := map[string]bool{}
	return feed.EachRow(r.in, func(row feed.Row) error {
		id, name, self := row.Get("idimpianto"), row.Get("desccarburante"), row.Get("isself") == "1"
		if _, known := Named(name); !known {
			return nil // brands' own fuels, of which there are a hundred names
		}
		key := id + "|" + strings.ToLower(name)
		if i, there := r.seen[id]; there && self && served[key] {
			g, _ := Named(name)
			prices := r.all[i].Prices[:0]
			for _, p := range r.all[i].Prices {
				if p.Grade != g {
					prices = append(prices, p)
				}
			}
			r.all[i].Prices = prices
		}
		r.priced(id, name, row.Get("prezzo"), row.Get("dtcomu"))
		served[key] = !self
		return nil
	})
}

// skipExtraction passes over the line that says when the table was made.
func skipExtraction(in *feed.Input) {
	if line, _, ok := bytes.Cut(in.Reads(200), []byte("\n")); ok && bytes.HasPrefix(line, []byte("Estrazione")) {
		_, _ = in.Discard(len(line) + 1) // it was peeked at
	}
}

// priced adds a price in euros to a station that was read before.
func (r *reader) priced(id, name, value, at string) {
	i, known := r.seen[id]
	n := lenient.ParseDecimal(value)
	switch {
	case !known:
		r.in.Report.Reject("price of a station that is not listed", "%s", id)
	case !n.Known:
		r.in.Report.Reject("price is no number", "%s: %s is %q", id, name, value)
	default:
		n.Value = cents(n.Value)
		r.price(&r.all[i], name, n, r.time(at))
	}
}

// beside reads the table of stations that belongs to one of prices.
func (r *reader) beside(ctx context.Context, option, ref string, each func(feed.Row) error) error {
	for _, o := range r.in.Source.Options {
		if value, ok := strings.CutPrefix(o, option+"="); ok {
			ref = value
		}
	}
	other, err := r.in.Open(ctx, ref)
	if err != nil && !strings.HasSuffix(ref, ".gz") && strings.HasSuffix(r.in.URL, ".gz") {
		other, err = r.in.Open(ctx, ref+".gz")
	}
	if err != nil {
		return errors.Join(errors.New("the table of stations that belongs to it cannot be read"), err)
	}
	defer func() { _ = other.Close() }()
	skipExtraction(other)
	return feed.EachRow(other, each)
}

// readPoint reads coordinates; the zero point where they are none.
func (r *reader) readPoint(lat, lon string) geo.Point {
	a, o := lenient.ParseDecimal(lat), lenient.ParseDecimal(lon)
	if !a.Known || !o.Known {
		return geo.Point{}
	}
	return geo.Point{Lon: o.Value, Lat: a.Value}
}

// layouts are how sources write times beside RFC 3339.
var layouts = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "02/01/2006 15:04:05", "02/01/2006 15:04", "2006-01-02", "02/01/2006"}

// time reads one; the zero time where it is none. Those without a zone are local
// where the source is.
func (r *reader) time(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	if strings.Contains(text, "GMT") { // as JavaScript writes it
		before, _, _ := strings.Cut(text, " (")
		t, err := time.Parse("Mon Jan 02 2006 15:04:05 GMT-0700", before)
		if err == nil {
			return t.UTC()
		}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 1e9 {
		if n > 1e11 {
			n /= 1000
		}
		return time.Unix(n, 0).UTC()
	}
	if r.zone == nil {
		r.zone = zone(r.country(r.of))
	}
	return lenient.TimeIn(r.zone, text, layouts...).UTC()
}

// zone returns the time of a country; British where none is known.
func zone(country string) *time.Location {
	name := "Europe/London"
	switch country {
	case "DE", "FR", "IT", "AT", "CH", "LI", "NL", "BE", "LU", "ES", "DK", "SE", "NO", "PL":
		name = "Europe/Berlin"
	}
	if z, err := time.LoadLocation(name); err == nil {
		return z
	}
	return time.UTC
}
