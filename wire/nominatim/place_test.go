package nominatim

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

var england = []Area{{2, "United Kingdom", "GB"}, {4, "England", "GB-ENG"}, {6, "West Midlands", ""}, {8, "Birmingham", ""}, {10, "Sutton Coldfield", ""}}

func pub() Place {
	return Place{
		Place: place.Place{
			ID: "poi.n5", Kind: place.POI, Name: "The Red & Lion", House: "3", Street: "High Street", Locality: "Birmingham", Postcode: "B72 1LH", State: "England", CountryCode: "GB",
			Categories: []string{"pub", "amenity"}, Object: place.Object{Source: place.Node, Number: 5}, Details: []place.Detail{{Key: "phone", Value: "1"}}, At: geo.Point{Lon: -1.8164308, Lat: 52.5487921}, Importance: 0.123456,
		},
		Areas: england, Town: "city", Names: []place.Name{{Text: "The Red & Lion"}, {Lang: "cy", Text: "Y Llew"}},
	}
}

// TestAddress parts the addresses of places of every kind.
func TestAddress(t *testing.T) {
	at := geo.Point{Lon: -1.8, Lat: 52.5}
	for _, c := range []struct {
		what string
		of   Place
		want string
		rank string
	}{
		{"a point of interest", pub(), "amenity=The Red & Lion house_number=3 road=High Street suburb=Sutton Coldfield city=Birmingham county=West Midlands state=England ISO3166-2-lvl4=GB-ENG postcode=B72 1LH country=United Kingdom country_code=gb", "30 30 house"},
		{"a house in a village", Place{Place: place.Place{Kind: place.Address, House: "1", Street: "Lane", Locality: "Wylde", CountryCode: "GB"}, Town: "village", Areas: england[:3]}, "house_number=1 road=Lane village=Wylde county=West Midlands state=England ISO3166-2-lvl4=GB-ENG country=United Kingdom country_code=gb", "30 30 house"},
		{"a house in a city whose area is mapped and whose place is not", Place{Place: place.Place{Kind: place.Address, House: "1", Street: "Lane", CountryCode: "GB"}, Areas: england}, "house_number=1 road=Lane suburb=Sutton Coldfield city=Birmingham county=West Midlands state=England ISO3166-2-lvl4=GB-ENG country=United Kingdom country_code=gb", "30 30 house"},
		{"a house with a name", Place{Place: place.Place{Kind: place.Address, Name: "Rose Cottage", Street: "Lane"}}, "house_name=Rose Cottage road=Lane", "30 30 house"},
		{"a street", Place{Place: place.Place{Kind: place.Street, Name: "High Street", Street: "High Street", Locality: "Newport", Class: "service", State: "Wales", CountryCode: "GB"}, Town: "town"}, "road=High Street town=Newport state=Wales country=United Kingdom country_code=gb", "27 27 street"},
		{"a suburb", Place{Place: place.Place{Kind: place.Locality, Name: "Pill", Locality: "Pill", Within: "Newport", Class: "suburb", CountryCode: "GB"}, Town: "city", Areas: england}, "suburb=Pill city=Newport county=West Midlands state=England ISO3166-2-lvl4=GB-ENG country=United Kingdom country_code=gb", "19 20 district"},
		{"a city beside areas of its name", Place{Place: place.Place{Kind: place.Locality, Name: "Birmingham", Class: "city", CountryCode: "GB"}, Areas: england}, "city=Birmingham county=West Midlands state=England ISO3166-2-lvl4=GB-ENG country=United Kingdom country_code=gb", "16 16 city"},
		{"a county", Place{Place: place.Place{Kind: place.Area, Name: "West Midlands", Class: "administrative6", State: "England", CountryCode: "GB"}, Areas: england}, "county=West Midlands state=England ISO3166-2-lvl4=GB-ENG country=United Kingdom country_code=gb", "12 12 county"},
		{"a state", AreaAt(at, england[:2]), "state=England country=United Kingdom country_code=gb", "8 8 state"},
		{"a country", AreaAt(at, england[:1]), "country=United Kingdom country_code=gb", "4 4 country"},
		{"an area of no known level", Place{Place: place.Place{Kind: place.Area, Name: "Somewhere"}}, "administrative=Somewhere", "25 0 other"},
		{"a postcode", Place{Place: place.Place{Kind: place.Postcode, Name: "B72 1LH", Postcode: "B72 1LH", Locality: "Birmingham", CountryCode: "GB"}}, "city=Birmingham postcode=B72 1LH country=United Kingdom country_code=gb", "21 11 other"},
		{"a crossing", Place{Place: place.Place{Kind: place.Crossing, Name: "A & B", Street: "A", Locality: "Newport"}}, "road=A & B city=Newport", "26 26 street"},
		{"a wood", Place{Place: place.Place{Kind: place.POI, Name: "Wood", Categories: []string{"wood", "natural"}}}, "natural=Wood", "22 0 other"},
		{"a class that is no word, as a proxy may tell", Place{Place: place.Place{Kind: place.Locality, Name: "X", Class: "<b> x"}}, "place=X", "25 0 other"},
		{"a state that is the county too", Place{Place: place.Place{Kind: place.Street, Name: "Lane", State: "Halvern", CountryCode: "GB"}, Areas: []Area{{6, "Halvern", ""}}}, "road=Lane county=Halvern country=United Kingdom country_code=gb", "26 26 street"},
	} {
		var lines []string
		for _, p := range c.of.Address() {
			lines = append(lines, p.Label+"="+p.Text)
		}
		sort := c.of.Sort()
		r := rankOf(&sort, sort.Tags()[0])
		if got := strings.Join(lines, " "); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.what, got, c.want)
		}
		if got := fmt.Sprintf("%d %d %s", r.search, r.address, KindOf(&sort)); got != c.rank {
			t.Errorf("%s: ranks %s, want %s", c.what, got, c.rank)
		}
	}
}

// TestWhere checks that no part stands twice: clients print them one after the other.
func TestWhere(t *testing.T) {
	p := pub()
	if got := fmt.Sprintf("%+v", p.Where()); got != "{Street:High Street Locality: District:Sutton Coldfield City:Birmingham County:West Midlands State:England Country:United Kingdom}" {
		t.Error(got)
	}
	street := Place{Place: place.Place{Kind: place.Street, Name: "High Street", Street: "High Street", Locality: "Wylde"}, Town: "hamlet", Areas: []Area{{10, "Wylde", ""}}}
	if got := fmt.Sprintf("%+v", street.Where()); got != "{Street: Locality: District:Wylde City: County: State: Country:}" {
		t.Error(got)
	}
}

// TestWhereOfASettlement checks that an area around a town is not the city that it lies in.
func TestWhereOfASettlement(t *testing.T) {
	town := Place{Place: place.Place{Kind: place.Locality, Name: "Stannerford", Class: "town"}, Areas: []Area{{6, "Halvern", ""}, {8, "West Halvern", ""}}}
	if got := fmt.Sprintf("%+v", town.Where()); got != "{Street: Locality: District: City: County:Halvern State: Country:}" {
		t.Error(got)
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		of   Place
		want string
	}{
		{Place{Place: place.Place{Kind: place.Locality, Class: "city", At: geo.Point{Lon: 179.95, Lat: 10}}}, "{179.790000,9.840000 180.000000,10.160000}"},
		{Place{Place: place.Place{Kind: place.Locality, Extent: &geo.Bounds{Min: geo.Point{Lon: 179, Lat: -18}, Max: geo.Point{Lon: -179, Lat: -16}}}}, "{-180.000000,-18.000000 180.000000,-16.000000}"},
		{Place{Place: place.Place{Kind: place.Area, Class: "administrative4", At: geo.Point{Lon: 10, Lat: 50}}}, "{7.400000,47.400000 12.600000,52.600000}"},
	} {
		b := c.of.bounds()
		for _, v := range []*float64{&b.Min.Lon, &b.Min.Lat, &b.Max.Lon, &b.Max.Lat} {
			*v = fine(*v)
		}
		if got := fmt.Sprint(b); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestFormats writes one place in every format and for every request. The members are those of public
// answers of Nominatim 5, in their order.
func TestFormats(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	p := pub()
	metres := 12.7
	p.Metres = &metres
	answer := func(kind, format string, places ...Place) string {
		a := &Answer{Kind: kind, Output: Output{format, true, true, true, true}, Places: places, Attribution: []string{"© OpenStreetMap contributors", "Somebody"}, Query: `"red" & lion`, Now: now}
		body, media, err := a.Write()
		if err != nil {
			t.Fatal(err)
		}
		if xml := format == XML; xml != strings.HasPrefix(media, "text/xml") {
			t.Errorf("%s of %s is %s", format, kind, media)
		}
		return strings.TrimSuffix(string(body), "\n")
	}
	const (
		address = `{"amenity":"The Red \u0026 Lion","house_number":"3","road":"High Street","suburb":"Sutton Coldfield","city":"Birmingham","county":"West Midlands","state":"England","ISO3166-2-lvl4":"GB-ENG","postcode":"B72 1LH","country":"United Kingdom","country_code":"gb"}`
		display = `The Red \u0026 Lion, 3, High Street, Sutton Coldfield, Birmingham, West Midlands, England, B72 1LH, United Kingdom`
		licence = `Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright; Somebody`
		id      = `322253285911101`
	)
	result := `{"place_id":` + id + `,"licence":"` + licence + `","osm_type":"node","osm_id":5,"lat":"52.5487921","lon":"-1.8164308","category":"amenity","type":"pub","place_rank":30,"importance":0.12346,"addresstype":"amenity","name":"The Red \u0026 Lion","display_name":"` + display + `","address":` + address + `,"extratags":{"phone":"1"},"namedetails":{"name":"The Red \u0026 Lion","name:cy":"Y Llew"},"boundingbox":["52.5487421","52.5488421","-1.8164808","-1.8163808"],"geojson":{"type":"Point","coordinates":[-1.8164308,52.5487921]}}`
	for _, c := range []struct{ kind, format, want string }{
		{"search", JSONv2, "[" + result + "]"},
		{"search", JSON, "[" + strings.Replace(result, `"category"`, `"class"`, 1) + "]"},
		{"lookup", JSONv2, "[" + result + "]"},
		{"reverse", JSONv2, result},
		{"search", GeoJSON, `{"type":"FeatureCollection","licence":"` + licence + `","features":[{"type":"Feature","properties":{"place_id":` + id + `,"osm_type":"node","osm_id":5,"place_rank":30,"category":"amenity","type":"pub","importance":0.12346,"addresstype":"amenity","name":"The Red \u0026 Lion","display_name":"` + display + `","address":` + address + `,"extratags":{"phone":"1"},"namedetails":{"name":"The Red \u0026 Lion","name:cy":"Y Llew"}},"bbox":[-1.8164808,52.5487421,-1.8163808,52.5488421],"geometry":{"type":"Point","coordinates":[-1.8164308,52.5487921]}}]}`},
		{"reverse", GeocodeJSON, `{"type":"FeatureCollection","geocoding":{"version":"0.1.0","attribution":"` + licence + `","licence":"ODbL","query":"\"red\" \u0026 lion"},"features":[{"type":"Feature","properties":{"geocoding":{"place_id":` + id + `,"osm_type":"node","osm_id":5,"osm_key":"amenity","osm_value":"pub","type":"house","accuracy":12,"label":"` + display + `","name":"The Red \u0026 Lion","housenumber":"3","street":"High Street","district":"Sutton Coldfield","postcode":"B72 1LH","city":"Birmingham","county":"West Midlands","state":"England","country":"United Kingdom","country_code":"gb","admin":{"level10":"Sutton Coldfield","level2":"United Kingdom","level4":"England","level6":"West Midlands","level8":"Birmingham"},"extra":{"phone":"1"}}},"geometry":{"type":"Point","coordinates":[-1.8164308,52.5487921]}}]}`},
	} {
		if got := answer(c.kind, c.format, p); got != c.want {
			t.Errorf("%s of %s:\n%s, want\n%s", c.format, c.kind, got, c.want)
		}
	}
	for kind, want := range map[string]string{"search": "[]", "lookup": "[]", "reverse": `{"error":"Unable to geocode"}`} {
		if got := answer(kind, JSONv2); got != want {
			t.Errorf("%s finds nothing and says %s", kind, got)
		}
	}
	for kind, want := range map[string]string{
		"search": `<searchresults timestamp="Fri, 02 Jan 2026 03:04:05 +0000" attribution="` + licence + `" querystring="&#34;red&#34; &amp; lion" exclude_place_ids="N5">` +
			`<place place_id="` + id + `" osm_type="node" osm_id="5" ref="The Red &amp; Lion" lat="52.5487921" lon="-1.8164308" boundingbox="52.5487421,52.5488421,-1.8164808,-1.8163808" place_rank="30" address_rank="30" display_name="The Red &amp; Lion, 3,`,
		"reverse": `place_rank="30" address_rank="30">The Red &amp; Lion, 3, High Street, Sutton Coldfield, Birmingham, West Midlands, England, B72 1LH, United Kingdom</result><addressparts><amenity>The Red &amp; Lion</amenity>`,
		"lookup":  `<extratags><tag key="phone" value="1"/></extratags><namedetails><name desc="name">The Red &amp; Lion</name><name desc="name:cy">Y Llew</name></namedetails></place></lookupresults>`,
	} {
		got := answer(kind, XML, p)
		if !strings.Contains(got, want) {
			t.Errorf("%s:\n%s, want\n%s", kind, got, want)
		}
		wellFormed(t, got)
	}
	if got := answer("reverse", XML); !strings.Contains(got, "<error>Unable to geocode</error></reversegeocode>") {
		t.Error(got)
	}
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
}

// FuzzXML writes texts of any kind as XML that can be read again.
func FuzzXML(f *testing.F) {
	f.Add("Rose & <Crown>\x00\xff", "phone\"", "]]>")
	f.Fuzz(func(t *testing.T, name, key, value string) {
		p := pub()
		p.Name, p.Class, p.Details = name, key, []place.Detail{{Key: key, Value: value}}
		p.Kind = place.Kind(len(key)) % (place.Crossing + 1)
		a := &Answer{Kind: "search", Output: Output{XML, true, true, true, false}, Places: []Place{p}, Query: value}
		body, _, err := a.Write()
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, string(body))
		a.Output.Format = JSON
		if body, _, err = a.Write(); err != nil || !json.Valid(body) {
			t.Fatalf("%v %s", err, body)
		}
	})
}
