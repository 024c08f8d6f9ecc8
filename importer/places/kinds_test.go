package places_test

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/towntest"
)

// TestKindsOfPlaces asks for kinds of places as people say them, most of which have no name.
func TestKindsOfPlaces(t *testing.T) {
	origin := geo.Point{Lon: 1.2, Lat: 52.6}
	town := towntest.Draw(t, `
		a--1--2--3--4--5--6--7--8--9--b
		|                             |
		c--p--q--r--s--t--u--v--w--x--d
		      z
	`, towntest.At(origin), towntest.Ways{
		{"a123456789b", `highway=residential name="High Street"`},
		{"cpqrstuvwxd", `highway=residential name="Mill Lane"`},
		{"ac", `highway=residential name="Back Lane"`},
		{"bd", `highway=residential name="Fore Lane"`},
	}, towntest.Nodes{
		{"1", `amenity=police`},
		{"2", `highway=bus_stop name="Police Station"`},
		{"3", `amenity=place_of_worship religion=christian`},
		{"4", `amenity=place_of_worship religion=muslim`},
		{"5", `leisure=pitch sport=tennis`},
		{"6", `leisure=pitch sport=soccer`},
		{"7", `leisure=swimming_pool`},
		{"8", `amenity=fuel`},
		{"9", `railway=station name="Kingsham"`},
		{"p", `amenity=parking access=private`},
		{"q", `amenity=parking`},
		{"r", `amenity=bus_station public_transport=station name="Kingsham Bus Station"`},
		{"s", `amenity=library name="Mill Lane Library"`},
		{"t", `leisure=playground`},
		{"u", `amenity=toilets`},
		{"v", `shop=toys name="Toilet Toys"`},
		{"w", `amenity=townhall`},
		{"x", `amenity=fuel`},
		{"z", `place=town name=Kingsham population=9000`},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}, Country: "GB"})
	at := town.Point("a")
	for q, want := range map[string]string{
		"police station Kingsham": "1", "Kingsham police": "1", "commissariat de police à Kingsham": "1", "nearest police station": "1", "policja w pobliżu Kingsham": "1",
		"church Kingsham": "3", "Kirche in Kingsham": "3", "mosque near me": "4", "mosques in Kingsham": "4", "Moschee": "4",
		"tennis court Kingsham": "5", "football pitch": "6", "terrain de foot près de Kingsham": "6", "Fußballplätze in Kingsham": "6",
		"car park Kingsham": "q", "parking": "q", "aparcamientos en Kingsham": "q",
		"train station Kingsham": "9", "bus station Kingsham": "r", "gare": "9", "gare routière": "r",
		"library Kingsham": "s", "llyfrgell Kingsham": "s", "playgrounds": "t", "plac zabaw": "t", "lekplats i Kingsham": "t",
		"toilets": "u", "toilets Mill Lane": "u", "toilet toys": "v", "the nearest loo": "u", "où sont les toilettes": "u",
		"town hall Kingsham": "w", "câmara municipal": "w", "petrol station near Fore Lane": "x", "petrol station near Kingsham station": "x", "petrol stations open now": "8",
		"swimming pool": "",
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 1, Bias: &at})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case want == "":
			if len(hits) > 0 && slices.Contains(hits[0].Categories, "leisure") {
				t.Errorf("%q finds %v", q, hits[0].Categories)
			}
		case len(hits) == 0:
			t.Errorf("%q finds nothing", q)
		case geo.Distance(hits[0].At, town.Point(want)) > 1:
			t.Errorf("%q finds %q %v", q, hits[0].Name, hits[0].Categories)
		}
	}
}

// TestWhatIsOpen asks for what is open, by words and by the query: what is shut is left out, and
// what is not known to be open comes after what is.
func TestWhatIsOpen(t *testing.T) {
	town := towntest.Draw(t, `
		a--1--2--3--b
		|           |
		c-----------d
	`, towntest.At(geo.Point{Lon: 1.2, Lat: 52.6}), towntest.Ways{
		{"a123b", `highway=residential name="High Street"`}, {"ac", `highway=residential name="Back Lane"`}, {"bd", `highway=residential`}, {"cd", `highway=residential`},
	}, towntest.Nodes{
		{"1", `amenity=pub name="The Shut" opening_hours="Mo 08:00-09:00"`}, {"2", `amenity=pub name="The Unknown"`}, {"3", `amenity=pub name="The Open" opening_hours="24/7"`},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}, Country: "GB"})
	at := town.Point("a")
	opens := func(tag string, _ geo.Point, country, _ string) place.Opening {
		if country != "GB" {
			t.Errorf("judged in %q", country)
		}
		return map[string]place.Opening{"24/7": place.IsOpen, "Mo 08:00-09:00": place.IsShut}[tag]
	}
	for q, want := range map[*place.Query][]string{
		{Text: "pub"}: {"The Shut", "The Unknown", "The Open"}, {Text: "pub", Open: true}: {"The Open", "The Unknown"}, {Text: "pubs open now"}: {"The Open", "The Unknown"},
		{Text: "Kneipe jetzt geöffnet"}: {"The Open", "The Unknown"}, {Text: "the shut", Open: true}: nil, {Text: "the shut"}: {"The Shut"},
	} {
		asked := *q
		asked.Bias, asked.Limit, asked.Opens = &at, 5, opens
		hits, err := x.Search(t.Context(), &asked)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range hits {
			if got = append(got, hits[i].Name); (hits[i].Opening == place.IsOpen) != (hits[i].Name == "The Open" && want[0] == "The Open") {
				t.Errorf("%q open %v: %s is %v", q.Text, q.Open, hits[i].Name, hits[i].Opening)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q open %v: %v, want %v", q.Text, q.Open, got, want)
		}
	}
}

func TestWhatIsForItsOwnersAlone(t *testing.T) {
	for _, c := range []struct {
		tags  osm.Tags
		found bool
	}{
		{osm.Tags{{Key: "leisure", Value: "swimming_pool"}}, false},
		{osm.Tags{{Key: "leisure", Value: "swimming_pool"}, {Key: "access", Value: "yes"}}, true},
		{osm.Tags{{Key: "leisure", Value: "swimming_pool"}, {Key: "name", Value: "Lido"}}, true},
		{osm.Tags{{Key: "amenity", Value: "parking"}, {Key: "access", Value: "private"}}, false},
		{osm.Tags{{Key: "amenity", Value: "parking"}, {Key: "access", Value: "customers"}}, true},
	} {
		n := 0
		d := osm.Data{Nodes: []osm.Node{{ID: 1, Lon: 12_000_000, Lat: 526_000_000, Tags: c.tags}, {ID: 2, Lon: 12_001_000, Lat: 526_000_000, Tags: osm.Tags{{Key: "amenity", Value: "pub"}, {Key: "name", Value: "Anchor"}}}}}
		x := built(t, places.Options{Sources: []string{towntest.Of(&d).PBF(t)}})
		_ = x.Around(t.Context(), geo.Point{Lon: 1.2, Lat: 52.6}, 1, nil, "", func(place.Near) bool { n++; return true })
		if (n == 1) != c.found {
			t.Errorf("%v: %d places", c.tags, n)
		}
	}
}

// TestAsPeopleType types the first letters of words in any order, house numbers before and
// after, and kinds that are begun.
func TestAsPeopleType(t *testing.T) {
	town := towntest.Draw(t, `
		a--1--2--3--b     e--f
		|           |
		c--4--5--6--d
		      z
	`, towntest.At(geo.Point{Lon: -3, Lat: 51.6}), towntest.Ways{
		{"a123b", `highway=residential name="High Street"`},
		{"c456d", `highway=residential name="Church Lane"`},
		{"ac", `highway=residential name="Hill View"`},
		{"bd", `highway=residential name="Highfield Road"`},
		{"ef", `highway=residential name="High Street"`},
		{"be", `highway=residential`},
	}, towntest.Nodes{
		{"1", `addr:housenumber=12 addr:street="High Street" addr:city=Newport`},
		{"4", `amenity=fuel name="Orange Garage"`},
		{"5", `amenity=pharmacy name="Well"`},
		{"z", `place=town name=Newport population=150000`},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}, Country: "GB"})
	at := town.Point("a")
	for q, want := range map[string]string{
		"hi st newp": "High Street", "newp hi st": "High Street", "12 high s": "12 High Street", "12 hi st newp": "12 High Street", "high st 12": "12 High Street", "chur l": "Church Lane",
		"petr": "Orange Garage", "petrol st": "Orange Garage", "pharm newp": "Well", "apothe": "Well",
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 5, Typing: true, Bias: &at})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 || hits[0].Name != want {
			t.Errorf("%q suggests %v, want %s", q, hits, want)
		}
	}
	hits, err := x.Search(t.Context(), &place.Query{Text: "high st", Limit: 5, Typing: true})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range hits {
		if hits[i].Name == "High Street" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("a street in two pieces is suggested %d times: %v", n, hits)
	}
}
