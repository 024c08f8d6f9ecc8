package find_test

import (
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// ground writes places by metres east and north of a point.
type ground struct{ middle geo.Point }

func (g ground) at(east, north float64) geo.Point {
	const degree = geo.EarthRadius * math.Pi / 180
	lon := g.middle.Lon + east/degree/math.Cos(g.middle.Lat*math.Pi/180)
	return geo.Point{Lon: math.Remainder(lon, 360), Lat: g.middle.Lat + north/degree}
}

// county draws a city of Newport around a point, the town of Caerleon 6 km to the east of it
// and a second Newport, a village 60 km away in another country. The streets of the city run west to east through
// its middle, in two pieces that nearly meet there.
func county(tb testing.TB, middle geo.Point) (*find.Index, ground) {
	tb.Helper()
	g := ground{middle}
	fixed := func(east, north float64) geo.Fixed { return g.at(east, north).Fix() }
	gwent := func(p geo.Point) bool { return geo.Distance(p, middle) < 30_000 }
	b := &build.Builder{
		Country: func(p geo.Point) string {
			if !gwent(p) {
				return "IE"
			}
			return "GB"
		},
		CountryNames: func(code string) []string {
			return map[string][]string{"GB": {"United Kingdom", "Great Britain"}, "IE": {"Ireland", "Éire"}}[code]
		},
		Areas: func(p geo.Point) []build.Within {
			if !gwent(p) {
				return []build.Within{{Names: []string{"Leinster"}, Level: 4}}
			}
			return []build.Within{{Names: []string{"Wales", "Cymru"}, Level: 4}}
		},
	}
	number := int64(0)
	add := func(e build.Entry, names ...string) {
		number++
		e.Number = number
		for i, name := range names {
			e.Names = append(e.Names, place.Name{Lang: []string{"", "cy"}[i], Text: name})
		}
		b.Add(&e)
	}
	locality := func(east, north float64, class string, people int64, names ...string) {
		add(build.Entry{Kind: place.Locality, At: fixed(east, north), Class: class, Population: people}, names...)
	}
	locality(0, 0, "city", 150_000, "Newport", "Casnewydd")
	locality(6000, 0, "town", 9000, "Caerleon", "Caerllion")
	locality(60_000, 0, "village", 800, "Newport")
	locality(-2000, 2000, "suburb", 0, "Stow Hill")
	locality(7000, 4000, "hamlet", 0, "Pye Corner")
	add(build.Entry{Kind: place.Area, At: fixed(3000, 3000), Class: "county", Population: 400_000}, "Gwent")

	// An outline and its label, which lie far apart.
	add(build.Entry{Kind: place.Locality, At: fixed(-1800, -3000), Class: "hamlet"}, "Long Sands")
	add(build.Entry{Kind: place.Locality, Source: place.Relation, At: fixed(600, -3000), Extent: [2]geo.Fixed{fixed(-2000, -3100), fixed(2400, -2900)}, Class: "hamlet"}, "Long Sands")

	piece := func(west, east, north float64, class, city string, names ...string) {
		add(build.Entry{Kind: place.Street, Source: place.Way, At: fixed(west, north), Line: []geo.Fixed{fixed(west, north), fixed(east, north)}, Class: class, City: city}, names...)
	}
	// street draws a street of 800 m around a point.
	street := func(east, north float64, class, city string, names ...string) {
		piece(east-400, east-20, north, class, city, names...)
		piece(east+20, east+400, north, class, city, names...)
	}
	// houses stand along a street, from its western end to its eastern one.
	houses := func(east, north float64, street, city, postcode string, numbers ...string) {
		for i, n := range numbers {
			add(build.Entry{Kind: place.Address, At: fixed(east-380+760*float64(i)/float64(max(1, len(numbers)-1)), north+10), House: n, Street: street, City: city, Postcode: postcode})
		}
	}
	street(0, 0, "primary", "Newport", "High Street", "Stryd Fawr")
	houses(0, 0, "High Street", "Newport", "NP20 1AA", "1", "2", "3", "4", "5", "8a", "12", "12-16", "18", "20", "22b", "30-48", "50")
	street(6000, 0, "residential", "Caerleon", "High Street", "Stryd Fawr")
	houses(6000, 0, "High St", "Caerleon", "NP18 3BB", "1", "2", "3", "4", "7")
	street(60_000, 0, "residential", "Newport", "High Street")
	houses(60_000, 0, "High Street", "Newport", "TF10 7AB", "1", "2", "3")
	street(0, 300, "residential", "Newport", "Church Road")
	houses(0, 300, "Church Rd.", "Newport", "NP20 2CD", "10", "11", "12", "14", "60")
	houses(0, 300, "Church Rd.", "Maindee", "NP19 2XX", "60")
	street(0, 600, "residential", "Newport", "Church Lane")
	street(0, 900, "residential", "Newport", "Saint John's Road")
	houses(0, 900, "St Johns Road", "Newport", "NP20 2JR", "6", "Unit 3")
	street(0, 1200, "residential", "Newport", "Upper Dock Street")
	street(0, 1500, "residential", "Newport", "Dock Street")
	street(0, 1800, "residential", "Newport", "Queen Elizabeth Avenue")
	houses(0, 1800, "Queen Elizabeth Avenue", "Newport", "NP20 5QE", "100", "102", "104")
	street(0, 2100, "residential", "Newport", "Rue de l'Église")
	street(0, 2400, "residential", "Newport", "Königstraße")
	houses(0, 2400, "Königstraße", "Newport", "", "38", "38 e", "40/2")
	street(0, 2700, "residential", "Newport", "улица Ленина")
	houses(0, 2700, "улица Ленина", "Newport", "", "9", "9 к1")
	street(0, 3000, "residential", "Newport", "東京通り")
	street(0, 3300, "residential", "Newport", "Λεωφόρος Αθηνών")
	street(0, 3600, "residential", "Newport", "Wyndham Crescent")
	street(0, 3900, "residential", "Newport", "Mill Hill")
	street(0, 4200, "residential", "Newport", "Hill Mill")
	street(0, 4500, "residential", "Newport", "West 12th Street")
	street(0, 4800, "residential", "Newport", "East 12th Street")
	for i, name := range []string{"Alder Alley", "Alder Crossing", "Alder Promenade", "Heol Gwyn", "Alder Hill", "Northwest Alder", "Estrada Verde", "Rua Verde", "Koivukatu"} {
		street(-3000, 6000+100*float64(i), "residential", "Newport", name)
		houses(-3000, 6000+100*float64(i), name, "Newport", "", "7")
	}
	street(0, 5100, "residential", "Newport", "Kaprova")
	houses(0, 5100, "Kaprova", "Newport", "", "2531/80", "80/2", "2544/82", "A-10", "C4", "N6W23001", "28 литера Б", "28 к3 с1", "28")
	add(build.Entry{Kind: place.Street, Source: place.Way, At: fixed(100, 1500), Line: []geo.Fixed{fixed(100, 1350), fixed(100, 1500), fixed(100, 1650)}, Class: "residential", City: "Newport"}, "Long Lane")
	street(-3000, -600, "residential", "Newport", "Mill Street")
	houses(-3000, -600, "Mill Street", "Newport", "NP20 6AA", "1")
	street(3000, -600, "residential", "Maindee", "Mill Street")
	houses(3000, -600, "Mill Street", "Maindee", "NP20 6ZZ", "1")
	for i, tree := range strings.Fields("Alder Ash Aspen Beech Birch Cedar Chestnut Elder Elm Hazel Holly Juniper Larch Laurel Lime Maple Oak Poplar Rowan Spruce Sycamore Willow") {
		street(-3000, 3000+100*float64(i), "residential", "Newport", tree+" Street")
	}
	piece(-2400, -200, -1500, "residential", "Newport", "Coast Road")
	piece(200, 2400, -1500, "residential", "Newport", "Coast Road")
	piece(-180, 180, -1500, "residential", "Newport", "Coast Road")
	houses(0, -1500, "Coast Road", "Newport", "", "1", "2", "3", "4", "5")
	houses(0, -1800, "Wharf Walk", "Newport", "", "1", "5", "4", "3", "2") // is known by its houses alone
	street(6000, 600, "residential", "Caerleon", "Newport Road")
	houses(6000, 600, "Newport Road", "Caerleon", "NP18 1NR", "1", "3", "5")

	poi := func(east, north float64, known float64, street, house, city string, categories []string, names ...string) {
		add(build.Entry{Kind: place.POI, At: fixed(east, north), Street: street, House: house, City: city, Categories: categories, Known: known, Details: []place.Detail{{Key: "opening_hours", Value: "24/7"}}}, names...)
	}
	pub, cafe, fuel, station := []string{"pub", "amenity"}, []string{"cafe", "amenity"}, []string{"fuel", "amenity"}, []string{"station", "railway"}
	poi(50, 20, 0, "High Street", "5", "Newport", pub, "The Red Lion")
	poi(6100, 20, 0, "High Street", "7", "Caerleon", pub, "The Red Lion")
	poi(-500, 800, 0, "", "", "Newport", pub, "King's Head")
	poi(300, -300, 0, "", "", "Newport", cafe, "Café Zoë")
	poi(6200, -300, 0, "", "", "Caerleon", cafe, "Priory Café")
	poi(1000, -200, 0, "", "", "Newport", fuel, "Shell")
	poi(-300, 100, 1, "", "", "Newport", station, "Newport Central")
	poi(900, -900, 0.2, "", "", "Newport", []string{"museum", "tourism"}, "Dock Museum")
	poi(5900, 300, 0.5, "", "", "Caerleon", []string{"fast_food", "amenity"}, "Burger House")
	poi(6300, 100, 0, "", "", "Caerleon", cafe, "Old Bank")
	poi(300, 620, 0, "Church Lane", "", "Newport", cafe, "Old Bank")
	poi(500, -500, 0, "", "", "Newport", cafe, "Old Mill")
	poi(6300, -100, 0, "", "", "", cafe, "Old Mill")
	poi(-600, -600, 0, "", "", "Newport", cafe, "Rivermead", "Waterside")
	poi(-700, -700, 0, "", "", "Maindee", cafe, "Waterside")
	b.AddPostcode("NP2 1AA", fixed(2000, -2000), "GB")
	b.AddPostcode("NP10 8XG", fixed(-4000, -1000), "GB")
	return index(tb, b), g
}
