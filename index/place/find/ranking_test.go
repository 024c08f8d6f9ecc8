package find_test

import (
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// answer is a question about the county, what must come first of what it finds, and what
// must not be among it.
type answer struct{ text, first, never string }

// asking is questions with the same options.
type asking struct {
	how     string
	options place.Query
	answers []answer
}

// label distinguishes places of the county: what is beyond its border has its country behind it.
func label(p *place.Place) string {
	s := p.Name + ", " + p.Locality
	if p.State == "Leinster" {
		s += ", " + p.State
	}
	return s
}

// askings returns all questions about the county. What they find there is the same wherever on
// the globe it is drawn.
func askings(g ground) []asking {
	caerleon, village, between := g.at(6000, 100), g.at(60_000, 100), g.at(35_000, 0)
	west, east := g.at(-5000, -5000), g.at(5000, 5000)
	return []asking{
		{"exact names", place.Query{}, []answer{
			{"Mill Hill", "Mill Hill, Newport", ""},
			{"Hill Mill", "Hill Mill, Newport", ""},
			{"Newport", "Newport, Newport", ""},
			{"Caerleon", "Caerleon, Caerleon", "Newport, Newport"},
			{"Gwent", "Gwent, ", ""},
			{"Stow Hill", "Stow Hill, Stow Hill", ""},
			{"Pye Corner", "Pye Corner, Pye Corner", ""},
			{"Long Sands", "Long Sands, Long Sands", ""},
			{"Wharf Walk", "Wharf Walk, Newport", ""},
			{"High Street", "High Street, Newport", ""},
			{"Newport Road", "Newport Road, Caerleon", ""},
			{"Newport Central", "Newport Central, Newport", "Newport Road, Caerleon"},
			{"Church Road", "Church Road, Newport", ""},
			{"Church Lane", "Church Lane, Newport", "High Street, Newport"},
			{"Dock Street", "Dock Street, Newport", "High Street, Newport"},
			{"Upper Dock Street", "Upper Dock Street, Newport", ""},
			{"Dock Museum", "Dock Museum, Newport", "High Street, Newport"},
		}},
		{"names in two languages", place.Query{}, []answer{
			{"Casnewydd", "Newport, Newport", "Newport, Newport, Leinster"},
			{"Stryd Fawr Caerllion", "High Street, Caerleon", ""},
			{"Old Mill Caerllion", "Old Mill, Caerleon", ""},
			{"Waterside", "Waterside, Maindee", ""},
		}},
		{"answers in Welsh", place.Query{Lang: "cy-GB"}, []answer{
			{"Newport", "Casnewydd, Casnewydd", "Newport, Newport"},
			{"3 High Street Caerleon", "3 Stryd Fawr, Caerleon", ""},
			{"Church Road", "Church Road, Newport", ""},
		}},
		{"letter case, accents and scripts", place.Query{}, []answer{
			{"nEWPORT", "Newport, Newport", ""},
			{"cafe zoe", "Café Zoë, Newport", "Priory Café, Caerleon"},
			{"CAFÉ ZOË", "Café Zoë, Newport", ""},
			{"rue de l eglise", "Rue de l'Église, Newport", ""},
			{"RUE DE L’EGLISE", "Rue de l'Église, Newport", ""},
			{"Konigstrasse", "Königstraße, Newport", ""},
			{"KOENIGSTRASSE", "Königstraße, Newport", ""},
			{"УЛИЦА ЛЕНИНА", "улица Ленина, Newport", ""},
			{"東京通り", "東京通り, Newport", ""},
			{"東京", "東京通り, Newport", ""},
			{"ΛΕΩΦΟΡΟΣ ΑΘΗΝΩΝ", "Λεωφόρος Αθηνών, Newport", ""},
			{"King’s Head", "King's Head, Newport", ""},
			{"Kings Head", "King's Head, Newport", ""},
		}},
		{"abbreviations", place.Query{}, []answer{
			{"Church Rd", "Church Road, Newport", ""},
			{"Church Ln.", "Church Lane, Newport", ""},
			{"St Johns Rd", "Saint John's Road, Newport", "Church Road, Newport"},
			{"St. John's Road", "Saint John's Road, Newport", ""},
			{"queen elizabeth ave", "Queen Elizabeth Avenue, Newport", ""},
			{"Wyndham Cres", "Wyndham Crescent, Newport", ""},
			{"Königstr.", "Königstraße, Newport", ""},
			{"ул. Ленина", "улица Ленина, Newport", ""},
			{"Upr Dock St", "Upper Dock Street, Newport", ""},
			{"7 Alder Aly", "7 Alder Alley, Newport", "7 Alder Street, Newport"},
			{"7 Alder Xing, Newport", "7 Alder Crossing, Newport", ""},
			{"Alder Prm", "Alder Promenade, Newport", "Alder Street, Newport"}, // no table has it
			{"Hl Gwyn", "Heol Gwyn, Newport", ""},                              // hl stands for hill too
			{"Est. Verde 7", "7 Estrada Verde, Newport", ""},
			{"R. Verde 7", "7 Rua Verde, Newport", ""},
			{"Koivuk. 7", "7 Koivukatu, Newport", ""},
			{"Nw Alder", "Northwest Alder, Newport", ""},
			{"Q. Elizabeth Ave", "Queen Elizabeth Avenue, Newport", ""},
		}},
		{"misspellings", place.Query{}, []answer{
			{"Newprot", "Newport, Newport", ""},
			{"Newpor", "Newport, Newport", ""},
			{"Caerlon", "Caerleon, Caerleon", ""},
			{"Caerleonn", "Caerleon, Caerleon", ""},
			{"Hgih Street", "High Street, Newport", ""},
			{"Hihg Street Caerleon", "High Street, Caerleon", ""},
			{"High Sreet Newport", "High Street, Newport", ""},
			{"Quen Elisabeth Avenue", "Queen Elizabeth Avenue, Newport", ""},
			{"wyndam crecsent", "Wyndham Crescent, Newport", ""},
			{"3 Hgih Street, Carleon", "3 High Street, Caerleon", ""},
			{"musuem", "Dock Museum, Newport", ""},
			{"Casnewidt", "Newport, Newport", ""},
			{"Caer leon", "Caerleon, Caerleon", ""},
			{"Dockstreet", "Dock Street, Newport", ""},
		}},
		{"house numbers", place.Query{}, []answer{
			{"3 High Street", "3 High Street, Newport", ""},
			{"3 High Street Newport", "3 High Street, Newport", ""},
			{"3 Coast Road", "3 Coast Road, Newport", ""},
			{"3 Wharf Walk", "3 Wharf Walk, Newport", ""},
			{"7 High Street", "7 High Street, Caerleon", ""},
			{"14 High Street", "12-16 High Street, Newport", ""},
			{"13 High Street, Newport", "12-16 High Street, Newport", ""},
			{"12-16 High Street", "12-16 High Street, Newport", ""},
			{"12 High Street", "12 High Street, Newport", ""},
			{"46 High Street", "30-48 High Street, Newport", ""},
			{"99 Street", "High Street, Newport", ""},
			{"12 – 16 High Street", "12-16 High Street, Newport", ""},
			{"8a High Street", "8a High Street, Newport", ""},
			{"8 A High Street Newport", "8a High Street, Newport", ""},
			{"8 High Street Newport", "8a High Street, Newport", ""},
			{"22B High St", "22b High Street, Newport", ""},
			{"12 Church Road", "12 Church Road, Newport", "12-16 High Street, Newport"},
			{"12 Church Lane", "Church Lane, Newport", ""},
			{"13 Church Road", "11 Church Road, Newport", ""}, // stands on the same side
			{"101 Queen Elizabeth Avenue", "100 Queen Elizabeth Avenue, Newport", ""},
			{"99 High Street Newport", "High Street, Newport", "22b High Street, Newport"},
			{"Unit 3 St Johns Road", "Unit 3 Saint John's Road, Newport", ""},
			{"Königstraße 38", "38 Königstraße, Newport", ""},
			{"Königstraße 38 e", "38 e Königstraße, Newport", ""},
			{"40/2 Königstr", "40/2 Königstraße, Newport", ""},
			{"ул Ленина 9 корпус 1", "9 к1 улица Ленина, Newport", ""},
			{"улица Ленина, д. 9", "9 улица Ленина, Newport", ""},
		}},
		{"numbers that are not one number", place.Query{}, []answer{
			{"Kaprova 82, Newport", "2544/82 Kaprova, Newport", "80/2 Kaprova, Newport"},
			{"Kaprova 2544", "2544/82 Kaprova, Newport", ""},
			{"Kaprova 2531/80", "2531/80 Kaprova, Newport", ""},
			{"Kaprova č.p. 2544", "2544/82 Kaprova, Newport", ""},
			{"Kaprova č. p. 2544", "2544/82 Kaprova, Newport", ""},
			{"Kaprova cp 2544, Newport", "2544/82 Kaprova, Newport", ""},
			{"A-10 Kaprova", "A-10 Kaprova, Newport", "C4 Kaprova, Newport"},
			{"Kaprova A10", "A-10 Kaprova, Newport", ""},
			{"C-4 Kaprova, Newport", "C4 Kaprova, Newport", ""},
			{"N6W23001 Kaprova", "N6W23001 Kaprova, Newport", ""},
			{"Kaprova 28 лит. Б", "28 литера Б Kaprova, Newport", ""},
			{"Kaprova 28 корпус 3 строение 1", "28 к3 с1 Kaprova, Newport", ""},
			{"Kaprova 28", "28 Kaprova, Newport", ""},
			{"High Street ٣, Newport", "3 High Street, Newport", ""},
			{"High Street no. 3, Newport", "3 High Street, Newport", ""},
			{"High Street Nr 3 Caerleon", "3 High Street, Caerleon", ""},
		}},
		{"parts of buildings", place.Query{}, []answer{
			{"Flat 3, 18 High Street, Newport", "18 High Street, Newport", "3 High Street, Newport"},
			{"Flat 3 18 High Street", "18 High Street, Newport", "3 High Street, Newport"},
			{"Apartment 2, 18 High Street, Newport NP20 1AA", "18 High Street, Newport", "2 High Street, Newport"},
			{"Apt. 4B, 18 High Street", "18 High Street, Newport", "4 High Street, Newport"},
			{"18 High Street, Apt 4", "18 High Street, Newport", "4 High Street, Newport"},
			{"18 Flat 3 High Street", "18 High Street, Newport", "3 High Street, Newport"},
			{"Room 12, 18 High Street", "18 High Street, Newport", "12 High Street, Newport"},
			{"Unit 5/18 High Street", "18 High Street, Newport", "5 High Street, Newport"},
			{"5/18 High Street", "18 High Street, Newport", "5 High Street, Newport"},
			{"3/7 High Street, Caerleon", "7 High Street, Caerleon", "3 High Street, Caerleon"},
			{"first floor, 18 High Street", "18 High Street, Newport", "1 High Street, Newport"},
			{"3rd floor 18 High Street", "18 High Street, Newport", "3 High Street, Newport"},
			{"Ground Floor Flat, 18 High Street", "18 High Street, Newport", ""},
			{"Flat B, 22b High Street", "22b High Street, Newport", ""},
			{"Wohnung 2, Königstraße 38", "38 Königstraße, Newport", ""},
			{"Königstraße 38/3", "38 Königstraße, Newport", ""},
			{"улица Ленина 9, кв. 12", "9 улица Ленина, Newport", ""},
			{"Flat 3, 13 Church Road", "11 Church Road, Newport", ""},
			{"Flat 3 High Street Caerleon", "3 High Street, Caerleon", ""},
		}},
		{"numbers and letters that are no postcode", place.Query{}, []answer{
			{"350 E 12th Street", "East 12th Street, Newport", ""},
			{"W 12th St, Newport", "West 12th Street, Newport", ""},
			{"west 12th street", "West 12th Street, Newport", ""},
			{"NP 20 1AA", "NP20 1AA, Newport", ""},
		}},
		{"postcodes", place.Query{}, []answer{
			{"NP20 1AA", "NP20 1AA, Newport", "NP20 2CD, Newport"},
			{"np201aa", "NP20 1AA, Newport", ""},
			{"NP20", "NP20, Newport", "NP18, Caerleon"},
			{"np18", "NP18, Caerleon", "NP10, Newport"},
			{"NP2", "NP2, Newport", "NP20, Newport"},
			{"Mill Street NP20 6ZZ", "Mill Street, Maindee", ""},
			{"60 Church Road NP19 2XX", "60 Church Road, Maindee", ""},
			{"60 Church Road NP20 2CD", "60 Church Road, Newport", ""},
			{"NP10 8XG", "NP10 8XG, Newport", ""},
			{"3 High Street NP18 3BB", "3 High Street, Caerleon", ""},
			{"3 NP18 3BB", "3 High Street, Caerleon", ""},
			{"High Street NP18", "High Street, Caerleon", ""},
			{"3 High Street TF10 7AB", "3 High Street, Newport, Leinster", ""},
		}},
		{"categories", place.Query{}, []answer{
			{"pub Caerleon", "The Red Lion, Caerleon", ""},
			{"pubs Newport", "The Red Lion, Newport", "Café Zoë, Newport"},
			{"cafe Caerleon", "Old Bank, Caerleon", ""}, // the nearest to the middle of the town
			{"petrol station Newport", "Shell, Newport", ""},
			{"gas stations near Newport", "Shell, Newport", ""},
			{"Tankstelle in Newport", "Shell, Newport", ""},
			{"bomba de gasolina", "Shell, Newport", ""},
			{"comida rápida Caerleon", "Burger House, Caerleon", ""},
			{"coffee shop near Pye Corner", "Old Bank, Caerleon", "Shell, Newport"},
			{"cafe Newport", "Café Zoë, Newport", ""},
			{"fast food", "Burger House, Caerleon", ""},
			{"fuel Newport", "Shell, Newport", ""},
			{"Newport station", "Newport Central, Newport", ""},
		}},
		{"settlements with things of one name", place.Query{}, []answer{
			{"3 High Street Caerleon", "3 High Street, Caerleon", ""},
			{"Newport, Wales", "Newport, Newport", ""},
			{"Newport, Leinster", "Newport, Newport, Leinster", ""},
			{"Newport, Ireland", "Newport, Newport, Leinster", ""},
			{"Newport, IE", "Newport, Newport, Leinster", ""},
			{"High Street, Leinster", "High Street, Newport, Leinster", ""},
			{"The Red Lion Caerleon", "The Red Lion, Caerleon", ""},
			{"Red Lion Newport", "The Red Lion, Newport", ""},
			{"1 Newport Road Caerleon", "1 Newport Road, Caerleon", ""},
		}},
		{"the order of words", place.Query{}, []answer{
			{"High Street 3 Caerleon", "3 High Street, Caerleon", ""},
			{"Caerleon High Street 3", "3 High Street, Caerleon", ""},
			{"Caerleon, 3 High Street", "3 High Street, Caerleon", ""},
			{"Newport High Street", "High Street, Newport", ""},
			{"Street High", "High Street, Newport", ""},
			{"lion red Caerleon", "The Red Lion, Caerleon", ""},
			{"NP18 3BB High Street 7", "7 High Street, Caerleon", ""},
		}},
		{"addresses in full", place.Query{}, []answer{
			{"3 High Street, Newport, NP20 1AA, Wales, United Kingdom", "3 High Street, Newport", ""},
			{"3, High Street, Caerleon, NP18 3BB, Great Britain", "3 High Street, Caerleon", ""},
			{"3 High Street, Newport, Leinster, IE", "3 High Street, Newport, Leinster", ""},
			{"3 High Street, Newport, Ireland", "3 High Street, Newport, Leinster", ""},
			{"Red Lion, 7 High Street", "The Red Lion, Caerleon", ""},
			{"Old Bank, Church Lane", "Old Bank, Newport", ""},
			{"The Red Lion, 7 High Street, Caerleon", "The Red Lion, Caerleon", ""},
		}},
		{"beginnings of words", place.Query{Typing: true}, []answer{
			{"newp", "Newport, Newport", "Caerleon, Caerleon"},
			{"caer", "Caerleon, Caerleon", ""},
			{"stow", "Stow Hill, Stow Hill", ""},
			{"high str", "High Street, Newport", ""},
			{"church la", "Church Lane, Newport", ""},
			{"church l", "Church Lane, Newport", ""},
			{"church r", "Church Road, Newport", ""},
			{"upper d", "Upper Dock Street, Newport", "Dock Street, Newport"},
			{"queen el", "Queen Elizabeth Avenue, Newport", ""},
			{"koni", "Königstraße, Newport", ""},
			{"ул ле", "улица Ленина, Newport", ""},
			{"3 high street cae", "3 High Street, Caerleon", ""},
			{"red l", "The Red Lion, Newport", ""},
			{"NP1", "NP10, Newport", "NP20, Newport"},
			{"NP2", "NP2, Newport", "NP10, Newport"},
			{"NP18 3", "NP18 3BB, Caerleon", "NP18 1NR, Caerleon"},
			{"mus", "Dock Museum, Newport", ""},
			{"wyndhm", "Wyndham Crescent, Newport", ""},
		}},
		{"near Caerleon", place.Query{Bias: &caerleon}, []answer{
			{"High Street", "High Street, Caerleon", ""},
			{"3 High Street", "3 High Street, Caerleon", ""},
			{"red lion", "The Red Lion, Caerleon", ""},
			{"cafe", "Old Bank, Caerleon", ""},
			{"coffee", "Old Bank, Caerleon", "Burger House, Caerleon"},
			{"pub", "The Red Lion, Caerleon", ""},
			{"Newport", "Newport, Newport", ""},
			{"3 High Street Newport", "3 High Street, Newport", ""},
		}},
		{"near the village", place.Query{Bias: &village}, []answer{
			{"Newport", "Newport, Newport, Leinster", ""},
			{"3 High Street", "3 High Street, Newport, Leinster", ""},
			{"High Street Caerleon", "High Street, Caerleon", ""},
			{"Casnewydd", "Newport, Newport", ""},
		}},
		{"somewhat nearer to the village", place.Query{Bias: &between}, []answer{{"Newport", "Newport, Newport", ""}}},
		{"within the city", place.Query{Box: &geo.Bounds{Min: west, Max: east}}, []answer{
			{"High Street", "High Street, Newport", "High Street, Caerleon"},
			{"3 High Street", "3 High Street, Newport", "3 High Street, Newport, Leinster"},
			{"red lion", "The Red Lion, Newport", "The Red Lion, Caerleon"},
			{"NP20", "NP20, Newport", ""},
		}},
		{"streets alone", place.Query{Kinds: place.Of(place.Street)}, []answer{
			{"Newport", "Newport Road, Caerleon", "Newport, Newport"},
			{"3 High Street Newport", "High Street, Newport", "3 High Street, Newport"},
			{"NP20 1AA", "High Street, Newport", "NP20 1AA, Newport"},
		}},
		{"points of interest alone", place.Query{Kinds: place.Of(place.POI)}, []answer{{"Newport", "Newport Central, Newport", "Newport, Newport"}}},
		{"postcodes alone", place.Query{Kinds: place.Of(place.Postcode)}, []answer{{"NP20 1AA", "NP20 1AA, Newport", "High Street, Newport"}}},
		{"localities and areas", place.Query{Kinds: place.Of(place.Locality, place.Area)}, []answer{
			{"Newport", "Newport, Newport", "Newport Central, Newport"},
			{"Gwent", "Gwent, ", ""},
		}},
	}
}

func TestRanking(t *testing.T) {
	x, g := county(t, geo.Point{Lon: -3, Lat: 51.58})
	for _, a := range askings(g) {
		for _, want := range a.answers {
			q := a.options
			q.Text, q.Limit = want.text, 10
			hits, err := x.Search(t.Context(), &q)
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) == 0 {
				t.Errorf("%s: %q finds nothing, want %q", a.how, want.text, want.first)
				continue
			}
			if got := label(&hits[0].Place); got != want.first {
				t.Errorf("%s: %q finds %q first, want %q", a.how, want.text, got, want.first)
			}
			for i := range hits {
				if got := label(&hits[i].Place); got == want.never {
					t.Errorf("%s: %q finds %q as number %d, which it must not find", a.how, want.text, got, i+1)
				}
			}
		}
	}
}
