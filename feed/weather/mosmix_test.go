package weather

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

// kml writes a document in the form of MOSMIX with hours from now on.
func kml(hours int, stations ...string) string {
	steps := ""
	for i := range hours {
		steps += "<dwd:TimeStep>" + now.Add(time.Duration(i)*time.Hour).Format(time.RFC3339) + "</dwd:TimeStep>"
	}
	return `<?xml version="1.0" encoding="ISO-8859-1"?><kml:kml xmlns:kml="http://www.opengis.net/kml/2.2" xmlns:dwd="https://opendata.dwd.de/weather/lib/pointforecast_dwd_extension_V1_0.xsd"><kml:Document><kml:ExtendedData><dwd:ProductDefinition>
	<dwd:Issuer>DWD</dwd:Issuer><dwd:ProductID>MOSMIX</dwd:ProductID><dwd:IssueTime>` + now.Add(-time.Hour).Format(time.RFC3339) + `</dwd:IssueTime><dwd:ForecastTimeSteps>` + steps + `</dwd:ForecastTimeSteps>
	<dwd:FormatCfg><dwd:DefaultUndefSign>-</dwd:DefaultUndefSign></dwd:FormatCfg></dwd:ProductDefinition></kml:ExtendedData>` + strings.Join(stations, "") + `</kml:Document></kml:kml>`
}

// stationOf writes one with values by element.
func stationOf(name, coordinates string, values map[string]string) string {
	s := `<kml:Placemark><kml:name>` + name + "</kml:name><kml:description>D\xdcRRES FELD</kml:description><kml:ExtendedData>"
	for element, list := range values {
		s += `<dwd:Forecast dwd:elementName="` + element + `"><dwd:value>   ` + list + `</dwd:value></dwd:Forecast>`
	}
	return s + `</kml:ExtendedData><kml:Point><kml:coordinates>` + coordinates + `</kml:coordinates></kml:Point></kml:Placemark>`
}

func TestMOSMIX(t *testing.T) {
	text := kml(3,
		stationOf("10384", "13.40,52.47,50.0", map[string]string{
			"TTT": "273.15 275.15 -", "FF": "5.00 6.00 7.00", "DD": "270.00 280.00 290.00", "FX1": "- 12.00 12.00", "RR1c": "0.00 1.50 2.00", "RRS1c": "0.00 0.50 2.00",
			"VV": "200.00 9000.00 -", "ww": "49.00 61.00 71.00", "PPPP": "100990.00 100990.00 100990.00", "NEW": "x",
		}),
		stationOf("few", "13.5,52.5,0", map[string]string{"TTT": "273.15"}),
		stationOf("nowhere", "13.5", map[string]string{"TTT": "273.15 273.15 273.15"}),
		stationOf("swapped", "52.47,113.40,0", map[string]string{"TTT": "273.15 273.15 273.15"}),
		stationOf("silent", "13.5,52.5,0", nil))
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("MOSMIX_L_10384.kml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, document := range map[string][]byte{"a.kml": []byte(text), "a.kmz": packed.Bytes()} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, document, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := feed.New(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "dwd", Kind: "weather", URL: path}, Kind())
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := f.Latest()
		if len(s.Value) != 1 || len(s.Rejected) != 3 || !s.Value[0].IssuedAt.Equal(now.Add(-time.Hour)) || s.Value[0].Place != (geo.Point{Lon: 13.40, Lat: 52.47}) {
			t.Fatalf("%s: %+v, left out %+v", name, s.Value, s.Rejected)
		}
		var got []string
		for _, p := range s.Value[0].Steps {
			got = append(got, fmt.Sprintf("%.1f° %.0f m/s from %.0f, gusts %.0f, rain %.1f, snow %.1f, sees %.0f, freezing %v", p.Temperature, p.Wind, p.From, p.Gusts, p.Rain, p.Snow, p.Visibility, p.Freezing))
		}
		want := []string{
			"0.0° 5 m/s from 270, gusts NaN, rain 1.0, snow 0.5, sees 200, freezing true",
			"2.0° 6 m/s from 280, gusts 12, rain 0.0, snow 2.0, sees 9000, freezing false",
			"NaN° 7 m/s from 290, gusts 12, rain NaN, snow NaN, sees NaN, freezing false",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s", name, strings.Join(got, "\n"))
		}
	}
}

// FuzzMOSMIX reads damaged documents: an error, or stations with plausible values.
func FuzzMOSMIX(f *testing.F) {
	f.Add(kml(2, stationOf("a", "13.4,52.47,50", map[string]string{"TTT": "273.15 275.15", "RR1c": "0.00 1.00"})))
	f.Fuzz(func(t *testing.T, text string) {
		list, err := readMOSMIX(&feed.Input{Reader: bufio.NewReader(strings.NewReader(text)), Source: &feed.Source{}, Now: now, Report: &feed.Report{}})
		if err != nil {
			return
		}
		for _, s := range list {
			if !s.Place.Valid() || len(s.Steps) > mostSteps {
				t.Errorf("%+v", s)
			}
			for _, p := range s.Steps {
				if p.Temperature > 60 || p.Rain < 0 || p.Wind > 120 {
					t.Errorf("%+v", p)
				}
			}
		}
	})
}

// TestBombs has forecasts go on without end.
func TestBombs(t *testing.T) {
	large := strings.Repeat(" ", 6<<20)
	times := strings.Repeat("0,", mostSteps)
	place := `{"latitude":1,"longitude":2,"hourly":{"time":[` + times[:len(times)-1] + `]}}`
	for name, c := range map[string]struct{ text, says string }{
		"a station of blanks":      {kml(3, large), "a record has more than"},
		"a name":                   {kml(3, "<kml:Placemark><kml:name>"+strings.ReplaceAll(large, " ", "x")), "a record has more than"},
		"a description":            {kml(3, "<kml:Placemark><kml:description>"+strings.ReplaceAll(large, " ", "x")), "a record has more than"},
		"elements in elements":     {kml(3, strings.Repeat("<a>", 1000)), "256 deep"},
		"places with many times":   {"[" + strings.Repeat(place+",", mostInAll/mostSteps) + place + "]", "places or"},
		"a document of many bytes": {"[" + strings.Repeat(large, 3) + "]", "more than 16777216 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := feed.New(feed.Options{Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "x", Kind: "weather", URL: path}, Kind())
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Poll(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}
