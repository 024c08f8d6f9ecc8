package charging

import (
	"encoding/json"
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

var now = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// polled returns the feed of a source after one poll.
func polled(t *testing.T, s feed.Source) (*feed.Feed[*Document], error) {
	t.Helper()
	if s.ID == "" {
		s.ID = "test"
	}
	s.Kind = "charging"
	f, err := feed.New(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, s, Kind())
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Poll(t.Context())
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// format writes a document, one line a station.
func format(d *Document) string {
	var lines []string
	for _, s := range d.Stations {
		line := fmt.Sprintf("%s|%s|%s|%s|%.4f,%.4f", s.ID, s.Name, s.Operator, s.Country, s.At.Lat, s.At.Lon)
		for _, p := range s.Points {
			line += "|" + p.ID + string(p.Status)
			for _, c := range p.Connectors {
				line += fmt.Sprintf(" %s:%.4g", c.Standard, c.KW)
				if c.Estimated {
					line += "~"
				}
			}
		}
		lines = append(lines, line)
	}
	var ids []string
	for id := range d.States {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		lines = append(lines, id+"="+string(d.States[id].Status))
	}
	return strings.Join(lines, "\n")
}

func rejects(f *feed.Feed[*Document]) string {
	var all []string
	if s := f.Latest(); s != nil {
		for _, r := range s.Rejected {
			all = append(all, fmt.Sprintf("%s=%d", r.Reason, r.Count))
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

const afirXML = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "boo">]>
<d2:payload xmlns:d2="d" xmlns:egi="e" xmlns:xsi="x" xsi:type="egi:EnergyInfrastructureTablePublication"><com:publicationTime xmlns:com="c">2026-07-01T00:00:00Z</com:publicationTime>
<egi:energyInfrastructureTable id="t"><egi:energyInfrastructureSite id="site"><egi:name><values><value lang="en">Harbour</value></values></egi:name>
<loc:locationReference xmlns:loc="l"><loc:pointByCoordinates><loc:pointCoordinates><loc:latitude>60.1</loc:latitude><loc:longitude>24.9</loc:longitude></loc:pointCoordinates></loc:pointByCoordinates></loc:locationReference>
<egi:energyInfrastructureStation id="st"><egi:refillPoint xsi:type="egi:ElectricChargingPoint" id="FI*1*2"><egi:connector><egi:connectorType>iec62196T2COMBO</egi:connectorType><egi:maxPowerAtSocket>150000</egi:maxPowerAtSocket></egi:connector><egi:new>1</egi:new></egi:refillPoint>
<egi:refillPoint id="FI*1*3"><egi:connector><egi:connectorType>chademo</egi:connectorType><egi:maxPowerAtSocket>50000</egi:maxPowerAtSocket></egi:connector></egi:refillPoint></egi:energyInfrastructureStation></egi:energyInfrastructureSite></egi:energyInfrastructureTable></d2:payload>`

const bomb = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<x><energyInfrastructureSite id="&c;"><name>&c;</name></energyInfrastructureSite></x>`

func TestFormats(t *testing.T) {
	for name, c := range map[string]struct{ text, want, rejects string }{
		"OCPI 2.1.1": {
			`{"data":[{"id":"L","type":"ON_STREET","country":"NLD","coordinates":{"latitude":"52.1","longitude":"5.1"},"evses":[{"uid":"u","status":"AVAILABLE","connectors":[{"standard":"IEC_62196_T2","power_type":"AC_3_PHASE","voltage":230,"amperage":16}]},{"uid":"v","status":"REMOVED","connectors":[]}]},{"id":"M","publish":false},{"id":"N","coordinates":{"latitude":"52","longitude":"5"},"evses":[{"uid":"w","status":"PLANNED"}]}],"status_code":1000}`,
			"L|||NL|52.1000,5.1000|uavailable type2:11.04~", "",
		},
		"AFIR as XML": {afirXML, "st|Harbour|||60.1000,24.9000|FI*1*2 ccs2:150|FI*1*3 chademo:50", ""},
		"our own table": {
			"id,name,operator,lat,lon,connectors\n1,One,Op,51.5,-3,ccs2:150x2;type2:22\n2,Two,,0,0,\n3,Three,,51.5,-3,warp:9;;!\n",
			"1|One|Op||51.5000,-3.0000| ccs2:150| ccs2:150| type2:22\n3|Three|||51.5000,-3.0000| other:9", "connector that cannot be read=1 kind of connector not known, taken as other=1 no place=1",
		},
		"our own JSON": {
			`{"stations":[{"id":1,"name":"One","lat":51.5,"lon":-3,"available":1,"connectors":[{"standard":"ccs2","power_kw":150,"count":2},{"standard":"type2","power_kw":99999},{"standard":"type2","count":-1}]}]}`,
			"1|One|||51.5000,-3.0000|available ccs2:150|occupied ccs2:150|occupied type2:0", "count of connectors out of range=1 power out of range=1",
		},
		"GeoJSON":              {`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-3,51.5]},"properties":{"id":"a","connectors":[]}}]}`, "a||||51.5000,-3.0000", ""},
		"the British register": {"chargeDeviceID,name,latitude,longitude,chargeDeviceStatus,connector1Type,connector1RatedOutputKW,connector1Status\nx,X,51.5,-3,In service,Type 2 Combined (IEC62196) DC,50,Out of service\ny,Y,51.5,-3,Planned,,,\nz,Z,-3,51.5,In service,,,\n", "x|X||GB|51.5000,-3.0000|out_of_order ccs2:50", "coordinates swapped=1"},
		"doubled ids":          {"id,lat,lon,connectors\n1,51,-3,\n1,51,-3,\n,51,-3,\n", "1||||51.0000,-3.0000", "id is there twice=1 no id=1"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := polled(t, feed.Source{URL: file(t, c.text)})
			if err != nil {
				t.Fatal(err)
			}
			if got := format(f.Latest().Value); got != c.want || rejects(f) != c.rejects {
				t.Errorf("%s\n%s\nwant\n%s\n%s", got, rejects(f), c.want, c.rejects)
			}
		})
	}
	for name, text := range map[string]string{"an entity bomb": bomb, "half of XML": afirXML[:len(afirXML)-200], "other XML": "<x/>", "a page": "<html>", "JSON of something else": `{"a":1}`} {
		if f, err := polled(t, feed.Source{URL: file(t, text)}); err == nil {
			t.Errorf("%s is taken: %s", name, format(f.Latest().Value))
		}
	}
}

// TestRealFiles checks that the files of publishers are taken in.
func TestRealFiles(t *testing.T) {
	for name, c := range map[string]struct {
		path, format            string
		stations, points, wired int // with a power above 0
		states                  int
		first, rejects          string
	}{
		"OCPI of Ludwigsburg":     {"feeds/ocpi/chargecloud-ludwigsburg.json", "", 100, 273, 273, 0, "1588625|LB Brenzstraße 2|SWLB Mobilität GmbH|DE|48.8923,9.1833|DE*SLB*E001L10000*001occupied type2:22", ""},
		"OCPI of the Netherlands": {"feeds/ocpi/ndw-locations.v2_2_1.json", "", 1, 2, 2, 0, "af101dc8-3629-40d6-9093-d5e83d9bfc47|Wibauthof|Vattenfall InCharge|NL|51.7279,5.2983|NL*NUO*EALF*0065319*2available type2:11.04", ""},
		"AFIR of EnBW":            {"feeds/ev-datex2-afir/enbw-static.v3_5.json", "", 27, 57, 57, 0, "13538|EDEKA Wangen, Siemensstraße 10|ENBW|DE|48.7185,9.6118|DE*EBW*E914082*2 ccs2:150", ""},
		"its states":              {"feeds/ev-datex2-afir/enbw-realtime.v3_5.json", "", 0, 0, 0, 11, "", ""},
		"AFIR of Giro-e":          {"feeds/ev-datex2-afir/giroe-static.json", "", 43, 72, 72, 0, "10338|Christstr., Bochum|GLS Mobility GmbH|DE|51.4709,7.2195|10338 type2:22", ""},
		"AFIR of Finland":         {"feeds/datex2-eu/finland-afir-messagecontainer.v3_6.json", "", 2, 2, 2, 0, "FI*911*E*PDC*FI1000061*0000001|Porsche Destination Charging Kalastajantorpan Tennisklubi - AC 2|Porsche Sales & Marketplace|FI|60.1911,24.8750|", ""},
		"OICP of Switzerland":     {"feeds/ev-oicp-ch/opendata-swiss-static.json", "", 201, 550, 550, 0, "46.45931,9.79555 CH*REP|Albana Hotel & Suites Silvaplana SA|CH*REP|CH|46.4593,9.7955|CH*REPE020*01*1 type2:22", "place outside of the country=1"},
		"its states too":          {"feeds/ev-oicp-ch/opendata-swiss-realtime.json", "", 0, 0, 0, 551, "", ""},
		"Germany's register":      {"feeds/ev-bnetza/bnetza.json", "", 918, 1822, 2013, 0, "1000001|Frachtstraße 1, Düsseldorf|SWD AG|DE|51.2808,6.7699| type2:22 schuko:22", ""},
		"Britain's register":      {"uk/national-charge-point-registry-2020.csv", "", 12085, 162, 0, 0, "cfeedcdd5e287bef4b583158a12363f1|2 Riddons Road||GB|51.4315,0.0312", "coordinates swapped=175 no id=1 no place=3 place outside of the country=13"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := polled(t, feed.Source{URL: realdata.File(t, c.path), Format: c.format})
			if err != nil {
				t.Fatal(err)
			}
			d := f.Latest().Value
			points, wired, first := 0, 0, ""
			for _, s := range d.Stations {
				points += len(s.Points)
				for _, p := range s.Points {
					for _, c := range p.Connectors {
						if c.KW > 0 {
							wired++
						}
					}
				}
			}
			if len(d.Stations) > 0 {
				first, _, _ = strings.Cut(format(&Document{Stations: d.Stations[:1]}), "\n")
			}
			if len(d.Stations) != c.stations || points != c.points || wired != c.wired || len(d.States) != c.states || !strings.HasPrefix(first, c.first) || c.first == "" && first != "" || rejects(f) != c.rejects {
				t.Errorf("%q: %d, %d, %d, %d, %q, %q", c.path, len(d.Stations), points, wired, len(d.States), first, rejects(f))
			}
		})
	}
}

// TestPages reads OCPI page after page.
func TestPages(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := r.URL.Query().Get("offset")
		if n != "2" {
			w.Header().Set("Link", fmt.Sprintf(`<%s/?offset=%d>; rel="next"`, server.URL, len(n)+1))
		}
		if n == "1" {
			w.Header().Set("Link", fmt.Sprintf(`<%s/?limit=1&offset=2>; rel="next"`, server.URL))
		}
		_, _ = fmt.Fprintf(w, `{"data":[{"id":"p%s","coordinates":{"latitude":"52","longitude":"5"},"evses":[]}]}`, n)
	}))
	defer server.Close()
	f, err := polled(t, feed.Source{URL: server.URL + "/", Format: OCPI})
	if err != nil || len(f.Latest().Value.Stations) != 3 {
		t.Fatal(err, f.Latest())
	}
	loop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", `<`+r.URL.String()+`>; rel="next"`)
		_, _ = w.Write([]byte(`{"data":[]}`))
	}))
	defer loop.Close()
	if _, err := polled(t, feed.Source{URL: loop.URL + "/", Format: OCPI}); err == nil || !strings.Contains(err.Error(), "links back") {
		t.Error(err)
	}
}

func TestPower(t *testing.T) {
	for _, c := range []struct {
		watts, volts, amperes float64
		phases                int
		kw                    float64
		estimated             bool
	}{
		{150000, 1000, 400, 1, 150, false}, {0, 400, 32, 3, 22.17, true}, {0, 230, 16, 3, 11.04, true}, {0, 230, 32, 1, 7.36, true}, {0, 0, 32, 1, 0, false},
	} {
		if kw, estimated := power(c.watts, c.volts, c.amperes, c.phases); fmt.Sprintf("%.2f", kw) != fmt.Sprintf("%.2f", c.kw) || estimated != c.estimated {
			t.Errorf("%+v: %.2f, %v", c, kw, estimated)
		}
	}
}

// TestFits checks what a station has for a vehicle: nothing asked for fits even one of which
// nothing is known.
func TestFits(t *testing.T) {
	s := &Station{Points: []Point{{Connectors: []Connector{{Standard: Type2, KW: 22}}}, {Connectors: []Connector{{Standard: CCS2, KW: 150}, {Standard: CHAdeMO}}}}}
	for _, c := range []struct {
		of        *Station
		least     float64
		standards []Standard
		fits      bool
		most      float64
	}{
		{s, 0, nil, true, 150},
		{s, 150, nil, true, 150},
		{s, 151, nil, false, 150},
		{s, 22, []Standard{Type2}, true, 22},
		{s, 23, []Standard{Type2}, false, 22},
		{s, 50, []Standard{Type2, CCS2}, true, 150},
		{s, 0, []Standard{CHAdeMO}, true, 0},
		{s, 1, []Standard{CHAdeMO}, false, 0},
		{s, 0, []Standard{NACS}, false, 0},
		{&Station{}, 0, nil, true, 0},
		{&Station{}, 1, nil, false, 0},
		{&Station{}, 0, []Standard{Type2}, false, 0},
	} {
		if got := c.of.Fits(c.least, c.standards...); got != c.fits {
			t.Errorf("%g kW by %v of %+v fits: %v", c.least, c.standards, c.of, got)
		}
		if got := c.of.MostKW(c.standards...); got != c.most {
			t.Errorf("the most by %v of %+v is %g kW, want %g", c.standards, c.of, got, c.most)
		}
	}
}

// TestJoin checks that a station of several sources is listed once, with the states of those
// that report them.
func TestJoin(t *testing.T) {
	at := func(lat float64) geo.Point { return geo.Point{Lon: -3, Lat: lat} }
	ccs := []Connector{{Standard: CCS2, KW: 150, Count: 1}}
	snapshot := func(id string, d *Document) *feed.Snapshot[*Document] {
		return &feed.Snapshot[*Document]{Source: &feed.Source{ID: id}, Value: d, Fetched: now}
	}
	one := snapshot("one", &Document{Stations: []Station{
		{ID: "1", Operator: "Gridserve Ltd", At: at(51.5), Points: []Point{{ID: "GB*GRI*E1", Connectors: ccs}, {ID: "GB*GRI*E2", Connectors: ccs}}},
		{ID: "2", Operator: "Osprey", At: at(51.6), Points: []Point{{Connectors: ccs}}},
		{ID: "3", Operator: "InstaVolt", At: at(51.6), Points: []Point{{Connectors: ccs}}},
	}})
	two := snapshot("two", &Document{Stations: []Station{
		{ID: "a", Name: "Services", Operator: "GRIDSERVE", At: at(51.5003)},
		{ID: "b", At: at(51.7)},
		{ID: "c", Operator: "Tesla", At: at(51.5001)},
		{ID: "d", Operator: "Other name", At: at(51.9), Points: []Point{{ID: "gb-gri-e3"}}},
	}})
	three := snapshot("three", &Document{Stations: []Station{{ID: "x", At: at(51.91), Points: []Point{{ID: "GB*GRI*E3", Connectors: ccs}}}}, States: map[string]State{"GBGRIE1": {Available, now}, "GB*GRI*E2": {Occupied, time.Time{}}, "GB*NO*1": {Available, now}}})
	d := Join([]*feed.Snapshot[*Document]{one, two, three})
	var got []string
	for _, s := range d.Stations {
		line := s.Source.ID + ":" + s.ID + " " + s.Name
		for _, p := range s.Points {
			line += " " + string(p.Status)
		}
		if s.Live {
			line += " live"
		}
		got = append(got, line)
	}
	slices.Sort(got)
	want := "one:1 Services available occupied live\none:2  \none:3  \nthree:x  \ntwo:b \ntwo:c "
	if s := strings.Join(got, "\n"); s != want || d.Near.Len() != 6 {
		t.Errorf("\n%q, want\n%q", s, want)
	}
	if one.Value.Stations[0].Points[0].Status != "" {
		t.Error("a snapshot was changed")
	}
}

func TestOpenChargeMap(t *testing.T) {
	text, err := os.ReadFile(realdata.File(t, "feeds/openchargemap/OCM-461257.json"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := polled(t, feed.Source{URL: file(t, "["+string(text)+"]"), Format: OpenChargeMap, Options: []string{"reference=" + realdata.File(t, "feeds/openchargemap/reference.json")}})
	if want := "461257|Gemeinde Planken|(Unknown Operator)||47.1849,9.5448| type2:2"; err != nil || format(f.Latest().Value) != want {
		t.Errorf("%v %s", err, format(f.Latest().Value))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(afirXML)
	f.Add(bomb)
	f.Add("id,lat,lon,connectors\n1,51,-3,ccs2:150x2\n")
	f.Add(`{"EVSEData":[{"EVSEDataRecord":[{"EvseID":"a","GeoCoordinates":{"Google":"46 9"},"Plugs":["Type 2 Outlet"]}]}]}`)
	f.Add(`{"data":[{"id":"L","coordinates":{"latitude":"52.1","longitude":"5.1"},"evses":[{}]}]}`)
	f.Add(`{"payload":{"aegiEnergyInfrastructureTablePublication":{"energyInfrastructureTable":[{"energyInfrastructureSite":[{"locationReference":{"latitude":1,"longitude":2},"energyInfrastructureStation":[{"idG":"a","refillPoint":[{}]}]}]}]}}}`)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "x")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"", OCPI, OpenChargeMap, DATEX, OICP, BNetzA} {
			s, err := polled(t, feed.Source{URL: path, Format: format})
			if err != nil {
				continue
			}
			for _, x := range Join([]*feed.Snapshot[*Document]{s.Latest()}).Stations {
				if most := x.MostKW(); !x.At.Valid() || x.ID == "" || !(most >= 0 && most <= mostKW) {
					t.Errorf("%+v", x)
				}
			}
			if _, err := json.Marshal(s.Latest().Rejected); err != nil {
				t.Error(err)
			}
		}
	})
}
