package fuel

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

var now = time.Date(2026, 2, 3, 12, 0, 0, 0, time.UTC)

// polled returns the feed of a source after one poll.
func polled(t *testing.T, s feed.Source) (*feed.Feed[[]Station], error) {
	t.Helper()
	s.ID, s.Kind = "test", "fuel"
	f, err := feed.New(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, s, Kind())
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Poll(t.Context())
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// format writes what a feed has in force, one line a station, then what was rejected.
func format(f *feed.Feed[[]Station]) string {
	var lines []string
	if s := f.Latest(); s != nil {
		for _, x := range s.Value {
			slices.SortFunc(x.Prices, func(a, b Price) int { return strings.Compare(string(a.Grade), string(b.Grade)) })
			line := fmt.Sprintf("%s %s %s %.4f,%.4f", x.ID, x.Name, x.Currency(), x.At.Lat, x.At.Lon)
			for _, p := range x.Prices {
				line += fmt.Sprintf(" %s=%g", p.Grade, p.Amount)
			}
			lines = append(lines, line)
		}
		for _, r := range s.Rejected {
			lines = append(lines, fmt.Sprintf("- %s: %d", r.Reason, r.Count))
		}
	}
	return strings.Join(lines, "\n")
}

func TestPlain(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a column for each grade": {
			"id,name,lat,lon,E10,diesel,updated_at,note\n1,One,51.5,-3,139.9,145.9,2026-02-03T08:00:00Z,new\n2,Two,51.6,-3,,\"144,9\",,\n",
			"1 One GBP 51.5000,-3.0000 b7=145.9 e10=139.9\n2 Two GBP 51.6000,-3.0000 b7=144.9",
		},
		"a row for each grade": {
			"id;name;lat;lon;grade;price\n1;One;51.5;-3;e10;139.9\n1;One;51.5;-3;b7;145.9\n1;One;51.5;-3;b7;999\n",
			"1 One GBP 51.5000,-3.0000 b7=145.9 e10=139.9\n- id is there twice: 1",
		},
		"what is wrong": {
			"id,name,lat,lon,e10,b7\n1,Zero,51.5,-3,0,140\n2,Much,51.5,-3,9999,140\n3,Pounds,51.5,-3,1.399,140\n4,Tenths,51.5,-3,1399,140\n5,Swapped,-3,51.5,139,140\n6,Sea,52.9,4.2,139,140\n7,Nowhere,0,0,139,140\n8,Word,51.5,-3,free,140\n8,Twice,51.5,-3,139,\n,No id,51.5,-3,139,\n",
			"1 Zero GBP 51.5000,-3.0000 b7=140\n2 Much GBP 51.5000,-3.0000 b7=140\n3 Pounds GBP 51.5000,-3.0000 b7=140\n4 Tenths GBP 51.5000,-3.0000 b7=140\n8 Word GBP 51.5000,-3.0000 b7=140\n" +
				"- price is no number: 1\n- id is there twice: 1\n- no id: 1\n- price of 0: 1\n- price out of range: 1\n- price in the whole unit, not in hundredths: 1\n- price in thousandths: 1\n- coordinates swapped: 1\n- place outside of the country: 1\n- no place: 1",
		},
		"the retailers' lists": {
			`{"last_updated":"02/02/2026 09:30:00","stations":[{"site_id":"gcqd","brand":"MFG","address":"A","postcode":"NP4 6JU","location":{"latitude":"51.7","longitude":-3.04},"prices":{"E10":131.9,"B7":"138.9","SDV":null,"X9":1}}]}`,
			"gcqd MFG GBP 51.7000,-3.0400 b7=138.9 e10=131.9\n- grade not known: 1",
		},
		"the Fuel Finder's file": {
			`[{"node_id":"a","trading_name":"A","location":{"latitude":54.9,"longitude":-1.4},"fuel_prices":[{"fuel_type":"E10","price":"132.9","price_last_updated":"2026-02-17T16:03:04.938Z"},{"fuel_type":"B7_STANDARD","price":141.9}]},{"node_id":"b","permanent_closure":true}]`,
			"a A GBP 54.9000,-1.4000 b7=141.9 e10=132.9\n- closed for good: 1",
		},
		"GeoJSON": {
			`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-3,51.5]},"properties":{"id":7,"name":"Seven","prices":{"e10":139.9},"updated_at":"2026-02-03T08:00:00Z"}},{"type":"Feature","geometry":null,"properties":{"id":"8"}}]}`,
			"7 Seven GBP 51.5000,-3.0000 e10=139.9\n- no place: 1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := polled(t, feed.Source{URL: file(t, "x", c.text), Country: "GB"})
			if got := format(f); err != nil || got != c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestTankerkoenig(t *testing.T) {
	f, err := polled(t, feed.Source{URL: realdata.File(t, "feeds/fuel-de/tankerkoenig-list.json")})
	want := "4fd02fd5-0a4c-46b3-a9b9-a488a62454be AVIA Tankstelle EUR 53.2233,7.8126 b7=166.9 e10=168.9 e5=174.9"
	if got := format(f); err != nil || !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 2 {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestRealFiles checks that the files of countries are taken in, each wrong value
// rejected and counted, and no other.
func TestRealFiles(t *testing.T) {
	for name, c := range map[string]struct {
		source    feed.Source
		stations  int
		rejects   string
		low, high float64 // of e10
	}{
		"the Fuel Finder's first day": {
			feed.Source{URL: realdata.File(t, "feeds/fuel-uk/UpdatedFuelPrice-20260202.csv")},
			649,
			"place outside of the country=1 price far from the median=1 price in the whole unit, not in hundredths=23 price in thousandths=8 price out of range=1", 120.5, 157.9,
		},
		"France": {
			feed.Source{URL: realdata.File(t, "feeds/fuel-fr/prix-20221011.csv.gz"), Country: "FR"},
			13429,
			"no place=74 place outside of the country=6 price far from the median=122 price in thousandths=2", 133.7, 226.5,
		},
		"France, in one": {feed.Source{URL: realdata.File(t, "feeds/fuel-fr/latest.json"), Format: France}, 9928, "id is there twice=33 price far from the median=43", 141.4, 252.9},
		"Italy": {
			feed.Source{URL: realdata.File(t, "feeds/fuel-it/prezzo_alle_8.csv.gz"), Country: "IT"},
			22548,
			// Names that begin with a quotation mark swallow the stations up to the next
			// one, and would have the place of the last of these.
			"a quotation swallows the records after it=40 no place=110 price far from the median=23 price in thousandths=1 price of a station that is not listed=4424", 149.9, 268.9,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := polled(t, c.source)
			if err != nil {
				t.Fatal(err)
			}
			s := f.Latest()
			var rejects []string
			for _, r := range s.Rejected {
				rejects = append(rejects, fmt.Sprintf("%s=%d", r.Reason, r.Count))
			}
			slices.Sort(rejects)
			var e10 []float64
			for i := range s.Value {
				if p, ok := s.Value[i].Price(E10); ok {
					e10 = append(e10, p.Amount)
				}
			}
			if got := strings.Join(rejects, " "); s.Records != c.stations || got != c.rejects || slices.Min(e10) != c.low || slices.Max(e10) != c.high {
				t.Errorf("%d stations, %s, e10 from %g to %g; want %d, %s, %g to %g", s.Records, got, slices.Min(e10), slices.Max(e10), c.stations, c.rejects, c.low, c.high)
			}
		})
	}
}

// TestNoneRightIsRejected counts the prices of the Fuel Finder's first day that
// are pence, by hand.
func TestNoneRightIsRejected(t *testing.T) {
	path := realdata.File(t, "feeds/fuel-uk/UpdatedFuelPrice-20260202.csv")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := polled(t, feed.Source{URL: path})
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, s := range f.Latest().Value {
		kept += len(s.Prices)
	}
	pence := 0
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "4.2384400") {
			continue // the forecourt in the North Sea
		}
		for field := range strings.SplitSeq(line, ",") {
			var v float64
			if n, _ := fmt.Sscanf(field, "'%f", &v); n == 1 && v >= 100 && v <= 250 {
				pence++
			}
		}
	}
	if kept != pence {
		t.Errorf("%d prices are taken, %d are pence", kept, pence)
	}
}

// TestFinder reads the API: batches of forecourts, then batches of prices.
func TestFinder(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := map[string]string{
			"/api/v1/pfs?batch-number=":              `{"message":"batch-number is missing","data":[]}`,
			"/api/v1/pfs?batch-number=1":             `{"data":[{"node_id":"a","trading_name":"A","location":{"latitude":51.5,"longitude":-3}}]}`,
			"/api/v1/pfs?batch-number=2":             `[{"node_id":"b","trading_name":"B","location":{"latitude":51.6,"longitude":-3}}]`,
			"/api/v1/pfs/fuel-prices?batch-number=1": `[{"node_id":"b","fuel_prices":[{"fuel_type":"E10","price":"132.9","price_last_updated":"2026-02-03T10:00:00Z"}]},{"node_id":"z","fuel_prices":[]}]`,
			"/api/v1/pfs/fuel-prices?batch-number=2": `[{"node_id":"a","fuel_prices":[{"fuel_type":"B7_PREMIUM","price":152.9}]}]`,
		}[r.URL.Path+"?batch-number="+r.URL.Query().Get("batch-number")]
		if text == "" {
			w.WriteHeader(404)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	f, err := polled(t, feed.Source{URL: server.URL + "/api/v1/pfs", Format: FuelFinder})
	want := "a A GBP 51.5000,-3.0000 b7_premium=152.9\nb B GBP 51.6000,-3.0000 e10=132.9\n- prices of a forecourt that is not listed: 1"
	if got := format(f); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

func TestJoin(t *testing.T) {
	at := func(lat float64) geo.Point { return geo.Point{Lon: -3, Lat: lat} }
	hour := func(h int) time.Time { return now.Add(time.Duration(h) * time.Hour) }
	one := &feed.Snapshot[[]Station]{Source: &feed.Source{ID: "one"}, Value: []Station{
		{ID: "1", Brand: "Esso", At: at(51.5), Prices: []Price{{E10, 140, hour(-5)}, {B7, 150, hour(-5)}}}, {ID: "2", Brand: "BP", At: at(51.6)}, {ID: "3", Brand: "Shell", At: at(51.6)},
	}}
	two := &feed.Snapshot[[]Station]{Source: &feed.Source{ID: "two"}, Value: []Station{
		{ID: "x", Brand: "ESSO Tiger", At: at(51.5003), Prices: []Price{{E10, 139, hour(-1)}, {B7, 151, hour(-9)}, {E5, 155, hour(-9)}}}, {ID: "y", Brand: "Esso", At: at(51.52)},
	}}
	x := Join([]*feed.Snapshot[[]Station]{one, two})
	if len(x.Stations) != 4 || x.Near.Len() != 4 || fmt.Sprint(x.Stations[0].Prices) != fmt.Sprint([]Price{{E10, 139, hour(-1)}, {B7, 150, hour(-5)}, {E5, 155, hour(-9)}}) {
		t.Errorf("%+v", x.Stations)
	}
	if fmt.Sprint(one.Value[0].Prices[0].Amount) != "140" {
		t.Error("a snapshot was changed")
	}
}

// TestSame checks which records that lie together are of one station.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b Station
		want bool
	}{
		{Station{Brand: "Shell"}, Station{Brand: "SHELL Select"}, true},
		{Station{Brand: "Shell", Postcode: "NP20 1AA"}, Station{Brand: "Esso", Postcode: "NP20 1AA"}, false},
		{Station{Brand: "Shell", Postcode: "NP20 1AA"}, Station{Postcode: "np201aa"}, true},
		{Station{Brand: "Shell", Postcode: "NP20 1AA"}, Station{Postcode: "NP20 1AB"}, false},
		{Station{Brand: "Shell", Postcode: "NP20 1AA"}, Station{}, true},
	} {
		if same(&c.a, &c.b) != c.want || same(&c.b, &c.a) != c.want {
			t.Errorf("%s %s and %s %s are one: %v", c.a.Brand, c.a.Postcode, c.b.Brand, c.b.Postcode, !c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("id,lat,lon,e10\n1,51,-3,139.9\n")
	f.Add(`{"stations":[{"site_id":"a","location":{"latitude":"51"},"prices":{"E10":"1"}}]}`)
	f.Add("Estrazione del 2026-08-21\nidImpianto|descCarburante|prezzo|isSelf|dtComu\n1|Benzina|1.9|0|20/08/2026 20:30:14\n")
	f.Add(`{"keys":["latitude","E10"],"data":[[1,2]]}`)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "x")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"", France, Italy} {
			s, err := polled(t, feed.Source{URL: path, Format: format})
			if err != nil {
				continue
			}
			for _, x := range s.Latest().Value {
				if !x.At.Valid() || x.ID == "" {
					t.Errorf("%+v", x)
				}
				for _, p := range x.Prices {
					if !(p.Amount >= leastGas && p.Amount <= 10*mostPrice) {
						t.Errorf("%+v", x)
					}
				}
			}
		}
	})
}

// TestOneLongName has one station with a name that would make every answer long.
func TestOneLongName(t *testing.T) {
	record := func(id, name string) string {
		return `{"node_id":"` + id + `","trading_name":"` + name + `","location":{"latitude":51.5,"longitude":-3},"fuel_prices":[{"fuel_type":"E10","price":132.9}]}`
	}
	f, err := polled(t, feed.Source{URL: file(t, "x", "["+record("a", "A")+","+record("b", strings.Repeat("x", 1001))+","+record("c", strings.Repeat("x", 1000))+"]")})
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Latest(); s.Records != 2 || s.Value[1].ID != "c" || len(s.Rejected) != 1 || s.Rejected[0].Example != "a text has 1001 bytes, the limit is 1000" {
		t.Errorf("%d stations, %+v", s.Records, s.Rejected)
	}
	f, err = polled(t, feed.Source{Country: "GB", URL: file(t, "z.csv", "id,name,lat,lon,e10,outline\n1,One,51.5,-3,139.9,"+strings.Repeat("x", 2000)+"\n2,"+strings.Repeat("x", 1001)+",51.5,-3,139.9,\n")})
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Latest(); s.Records != 1 || s.Value[0].ID != "1" || s.Rejected[0].Reason != feed.LongText {
		t.Errorf("a table: %d stations, %+v", s.Records, s.Rejected)
	}
	if _, err := polled(t, feed.Source{URL: file(t, "y", "["+record("a", "A")+","+record("b", strings.Repeat("x", 10<<20))+"]")}); err == nil || !strings.Contains(err.Error(), "a record has more than 4194304 bytes") {
		t.Errorf("a name of 10 MB: %v", err)
	}
}
