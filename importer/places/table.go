package places

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/proj"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
)

// columns are the names that a header may give to what a table holds, in small
// letters.
var columns = map[string]string{
	"lat": "lat", "latitude": "lat", "y": "lat", "lon": "lon", "lng": "lon", "long": "lon", "longitude": "lon", "x": "lon",
	"eastings": "easting", "easting": "easting", "ea": "easting", "northings": "northing", "northing": "northing", "no": "northing",
	"name": "name", "housenumber": "house", "house_number": "house", "house": "house", "number": "house", "addr:housenumber": "house",
	"housename": "housename", "house_name": "housename", "addr:housename": "housename", "unit": "unit", "addr:unit": "unit",
	"street": "street", "road": "street", "addr:street": "street", "addr:place": "addrplace", "suburb": "suburb", "locality": "suburb", "addr:suburb": "suburb", "addr:locality": "suburb",
	"city": "city", "town": "city", "addr:city": "city", "post_town": "city", "postcode": "postcode", "postal_code": "postcode", "zip": "postcode", "pc": "postcode", "addr:postcode": "postcode",
	"state": "state", "county": "state", "addr:state": "state", "country": "country", "country_code": "country", "addr:country": "country",
	"population": "population", "place": "place", "highway": "highway", "category": "category", "type": "category",
	"osm_id": "osm_id", "osm_type": "osm_type", "id": "id",
	"opening_hours": "opening_hours", "phone": "phone", "contact:phone": "phone", "website": "website", "contact:website": "website", "url": "website", "email": "email", "contact:email": "email",
	"brand": "brand", "operator": "operator", "cuisine": "cuisine", "wheelchair": "wheelchair", "wikidata": "wikidata", "wikipedia": "wikipedia", "iata": "iata", "icao": "icao",
	"alt_name": "alt_name",
}

// tagColumns are those that are category keys of their own, as in tables of
// OpenStreetMap's tags.
var tagColumns = []string{"amenity", "shop", "tourism", "leisure", "historic", "office", "craft", "healthcare", "railway", "natural", "aeroway"}

// Bounds of a table.
const (
	longestLine = 1 << 20 // bytes, with the empty lines before it and the lines of a quotation
	mostColumns = 200
	mostBadRows = 1000 // after which a table is refused: it is not what its header says
)

// ReadTable adds the places of a CSV file, plain or packed with gzip, to a
// builder. A header names the columns; without one the file is Code-Point Open,
// postcodes with eastings and northings of the British grid.
func ReadTable(ctx context.Context, path string, b *build.Builder) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := readTable(ctx, f, b); err != nil {
		return fmt.Errorf("places of %s: %w", path, err)
	}
	return nil
}

func readTable(ctx context.Context, from io.Reader, b *build.Builder) error {
	r := bufio.NewReaderSize(from, 1<<16)
	if head, _ := r.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		r = bufio.NewReaderSize(z, 1<<16)
	}
	if mark, _ := r.Peek(3); string(mark) == "\ufeff" {
		_, _ = r.Discard(3)
	}
	lines := &lineReader{from: r}
	c := csv.NewReader(lines)
	c.FieldsPerRecord, c.ReuseRecord, c.LazyQuotes = -1, true, true
	c.Comma = delimiter(r)
	t := &table{builder: b, british: proj.NewBritish()}
	for line := 1; ; line++ {
		lines.left = longestLine
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if line%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if line == 1 {
			used, err := t.header(row)
			if err != nil {
				return err
			}
			if used {
				continue
			}
		}
		if !t.take(row) {
			if t.bad++; t.bad > mostBadRows && t.bad > t.good {
				return fmt.Errorf("line %d: %d rows without coordinates or anything to find: is the header right?", line, t.bad)
			}
			continue
		}
		t.good++
	}
	if t.good == 0 {
		return errors.New("no row has coordinates and a name, an address or a postcode")
	}
	return nil
}

// lineReader reads no more than what is left of a line. The reader of tables keeps all
// of a line, which goes on to the end of the file where a quotation does not end.
type lineReader struct {
	from io.Reader
	left int
}

// Read reads.
func (l *lineReader) Read(p []byte) (int, error) {
	if l.left == 0 {
		return 0, fmt.Errorf("a line of more than %d bytes", longestLine)
	}
	n, err := l.from.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// delimiter returns that of the first line: the one of comma, semicolon and tab that
// it has most of.
func delimiter(r *bufio.Reader) rune {
	head, _ := r.Peek(4096)
	line, _, _ := bytes.Cut(head, []byte("\n"))
	best, most := ',', 0
	for _, d := range ",;\t" {
		if n := bytes.Count(line, []byte(string(d))); n > most {
			best, most = d, n
		}
	}
	return best
}

// table reads the rows of one file.
type table struct {
	builder   *build.Builder
	british   *proj.British
	at        map[string]int // column by what it holds
	names     map[int]string // columns of names by language
	country   string         // of rows that name none
	bad, good int
}

// header takes the first row as header; used is false where it is a row of
// Code-Point Open.
func (t *table) header(row []string) (used bool, err error) {
	if len(row) > mostColumns {
		return false, fmt.Errorf("%d columns, the limit is %d", len(row), mostColumns)
	}
	t.at, t.names = map[string]int{}, map[int]string{}
	for i, cell := range row {
		cell = strings.ToLower(strings.TrimSpace(cell))
		if what, ok := columns[cell]; ok {
			if _, there := t.at[what]; !there {
				t.at[what] = i
			}
		}
		for _, key := range tagColumns {
			if key == cell {
				t.at[key] = i
			}
		}
		if lang, ok := strings.CutPrefix(cell, "name:"); ok && isLanguage(lang) {
			t.names[i] = strings.Clone(lang)
		}
	}
	_, lat := t.at["lat"]
	_, lon := t.at["lon"]
	_, east := t.at["easting"]
	_, north := t.at["northing"]
	if lat && lon || east && north {
		return true, nil
	}
	if len(row) >= 4 {
		if _, _, ok := t.grid(row[2], row[3]); ok {
			t.at = map[string]int{"postcode": 0, "easting": 2, "northing": 3}
			t.names, t.country = nil, "GB"
			return false, nil
		}
	}
	return false, errors.New("the first row names no columns of coordinates: want lat and lon, or eastings and northings, or the rows of Code-Point Open")
}

func (t *table) grid(easting, northing string) (lon, lat float64, ok bool) {
	e, err := strconv.ParseFloat(strings.TrimSpace(easting), 64)
	n, err2 := strconv.ParseFloat(strings.TrimSpace(northing), 64)
	if err != nil || err2 != nil || e == 0 && n == 0 { // nought stands for unknown in Code-Point Open
		return 0, 0, false
	}
	return t.british.WGS84(e, n)
}

func (t *table) take(row []string) bool {
	get := func(what string) string {
		if i, ok := t.at[what]; ok && i < len(row) {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	at, ok := t.position(get)
	if !ok {
		return false
	}
	e := build.Entry{
		Source: place.Row, At: at, House: get("house"), HouseName: get("housename"), Street: get("street"), Place: get("addrplace"), Suburb: get("suburb"), City: get("city"), Postcode: get("postcode"),
		State: get("state"), Country: get("country"),
	}
	if unit := get("unit"); unit != "" && e.House == "" {
		e.House = unit
	}
	if len(e.Country) != 2 {
		e.Country = t.country
	}
	if name := get("name"); name != "" {
		e.Names = append(e.Names, place.Name{Text: name})
	}
	for i, lang := range t.names {
		if i < len(row) && row[i] != "" {
			e.Names = append(e.Names, place.Name{Lang: lang, Text: strings.TrimSpace(row[i])})
		}
	}
	if alt := get("alt_name"); alt != "" && len(e.Names) > 0 {
		e.Names = append(e.Names, place.Name{Text: alt})
	}
	t.rowID(&e, get, row)
	return t.add(&e, get)
}

func (t *table) position(get func(string) string) (geo.Fixed, bool) {
	if s := get("lat"); s != "" {
		lat, err := strconv.ParseFloat(s, 64)
		lon, err2 := strconv.ParseFloat(get("lon"), 64)
		p := geo.Point{Lon: lon, Lat: lat}
		if err != nil || err2 != nil || !p.Valid() {
			return geo.Fixed{}, false
		}
		return p.Fix(), true
	}
	lon, lat, ok := t.grid(get("easting"), get("northing"))
	p := geo.Point{Lon: lon, Lat: lat}
	if !ok || !p.Valid() {
		return geo.Fixed{}, false
	}
	return p.Fix(), true
}

// rowID gives a row the number that its id comes from: that of OpenStreetMap,
// else a hash of its id column or of all of it, the same in every import.
func (t *table) rowID(e *build.Entry, get func(string) string, row []string) {
	if n, err := strconv.ParseInt(get("osm_id"), 10, 64); err == nil && n > 0 && n < 1<<44 {
		switch get("osm_type") {
		case "node":
			e.Source, e.Number = place.Node, n
			return
		case "way":
			e.Source, e.Number = place.Way, n
			return
		case "relation":
			e.Source, e.Number = place.Relation, n
			return
		}
	}
	h := fnv.New64a()
	if id := get("id"); id != "" {
		_, _ = io.WriteString(h, id)
	} else {
		for _, cell := range row {
			_, _ = io.WriteString(h, cell)
			_, _ = h.Write([]byte{0})
		}
	}
	e.Number = int64(h.Sum64() >> 20)
}

// add makes of a row what its columns say it is. It reports whether that is
// anything.
func (t *table) add(e *build.Entry, get func(string) string) bool {
	added := false
	put := func(kind place.Kind, change func(e *build.Entry)) {
		c := *e
		c.Kind = kind
		if change != nil {
			change(&c)
		}
		t.builder.Add(&c)
		added = true
	}
	if e.House != "" || e.HouseName != "" {
		addAddress(t.builder, *e)
		added = true
	}
	named := len(e.Names) > 0
	switch kind := get("place"); {
	case named && place.IsArea(kind):
		put(place.Area, func(e *build.Entry) { e.Class, e.House = kind, "" })
	case named && place.IsLocality(kind):
		put(place.Locality, func(e *build.Entry) {
			e.Class, e.House = kind, ""
			e.Categories = []string{kind, "place"}
			e.Population, _ = strconv.ParseInt(get("population"), 10, 64)
		})
	}
	if highway := get("highway"); highway != "" && named && highway != "bus_stop" {
		put(place.Street, func(e *build.Entry) { e.Class = highway })
	}
	if list := t.categories(get); len(list) > 0 && (named || get("brand") != "") {
		put(place.POI, func(e *build.Entry) {
			e.Categories = list
			if !named {
				e.Names = []place.Name{{Text: get("brand")}}
			}
			for _, d := range detailKeys {
				if v := get(d.key); v != "" {
					e.Details = append(e.Details, place.Detail{Key: d.key, Value: v})
				}
			}
			if get("wikidata") != "" || get("wikipedia") != "" {
				e.Known = 0.5
			}
		})
	}
	if !added && named {
		put(place.POI, func(e *build.Entry) { e.Categories = []string{"place"} })
	}
	if e.Postcode != "" && !added {
		t.builder.AddPostcode(e.Postcode, e.At, e.Country)
		added = true
	}
	return added
}

func (t *table) categories(get func(string) string) []string {
	var all []string
	if c := get("category"); c != "" {
		for v := range strings.SplitSeq(c, ";") {
			if v = strings.TrimSpace(strings.ToLower(v)); v != "" && len(all) < 12 {
				all = append(all, strings.ReplaceAll(v, " ", "_"))
			}
		}
	}
	for _, key := range tagColumns {
		if v := get(key); v != "" && v != "no" {
			all = append(all, v, key)
		}
	}
	return all
}
