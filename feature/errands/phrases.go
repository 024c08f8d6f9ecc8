package errands

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// phrases are what people say for a kind of place, and the tokens of the index
// that it stands for. All other tokens of the index are understood as they are.
// Phrases are folded as fold does, in the singular.
var phrases = map[string]string{
	// English
	"petrol station": "fuel", "petrol": "fuel", "gas station": "fuel", "filling station": "fuel", "service station": "fuel", "fuel station": "fuel", "gas": "fuel", "diesel": "fuel",
	"charger": "charging_station", "ev charger": "charging_station", "charging point": "charging_station", "charge point": "charging_station", "electric charger": "charging_station",
	"chemist": "pharmacy chemist", "chemist shop": "pharmacy chemist", "drugstore": "pharmacy chemist", "drug store": "pharmacy chemist", "prescription": "pharmacy", "medicine": "pharmacy", "medication": "pharmacy",
	"cash machine": "atm", "cashpoint": "atm", "cash point": "atm", "hole in the wall": "atm", "cash": "atm bank",
	"somewhere to eat": "restaurant fast_food cafe pub", "something to eat": "restaurant fast_food cafe pub", "food": "restaurant fast_food cafe pub", "lunch": "restaurant fast_food cafe pub", "dinner": "restaurant pub", "breakfast": "cafe bakery", "meal": "restaurant pub", "takeaway": "fast_food", "take away": "fast_food", "takeout": "fast_food", "chippy": "fast_food", "chip shop": "fast_food", "fish and chips": "fast_food", "fast food": "fast_food", "burger": "fast_food", "pizza": "restaurant fast_food", "kebab": "fast_food", "diner": "restaurant",
	"coffee": "cafe", "coffee shop": "cafe", "tea room": "cafe", "tearoom": "cafe", "tea": "cafe", "drink": "pub bar", "beer": "pub bar biergarten", "boozer": "pub", "local": "pub", "tavern": "pub", "inn": "pub", "ice cream shop": "ice_cream", "gelato": "ice_cream",
	"grocery": "supermarket convenience grocery", "grocery shop": "supermarket convenience grocery", "grocery store": "supermarket convenience grocery", "food shopping": "supermarket", "weekly shop": "supermarket", "shopping": "supermarket", "corner shop": "convenience", "convenience store": "convenience", "milk": "convenience supermarket", "bread": "bakery supermarket", "baker": "bakery", "cake": "bakery pastry", "meat": "butcher", "fishmonger": "seafood", "greengrocer": "greengrocer", "fruit and veg": "greengrocer supermarket", "off licence": "alcohol", "off license": "alcohol", "liquor store": "alcohol", "bottle shop": "alcohol", "wine": "alcohol wine", "newsagent": "newsagent", "newspaper": "newsagent kiosk", "cigarette": "tobacco newsagent", "deli": "deli",
	"post": "post_office", "post office": "post_office", "parcel": "post_office parcel_locker", "parcel shop": "post_office parcel_locker", "letterbox": "post_box", "postbox": "post_box", "mailbox": "post_box", "stamp": "post_office",
	"doctor": "doctors", "gp": "doctors", "surgery": "doctors", "doctor surgery": "doctors", "a and e": "hospital", "emergency room": "hospital", "casualty": "hospital", "clinic": "clinic doctors", "vet": "veterinary", "optician": "optician", "glass": "optician",
	"loo": "toilets", "toilet": "toilets", "public toilet": "toilets", "bathroom": "toilets", "restroom": "toilets", "wc": "toilets", "water": "drinking_water",
	"barber": "hairdresser", "haircut": "hairdresser", "hair dresser": "hairdresser", "beautician": "beauty", "nail bar": "beauty", "dry cleaner": "dry_cleaning", "dry cleaning": "dry_cleaning laundry", "launderette": "laundry", "laundrette": "laundry", "laundromat": "laundry", "washing": "laundry",
	"diy": "doityourself hardware", "diy store": "doityourself hardware", "hardware store": "hardware doityourself", "ironmonger": "hardware", "garden centre": "garden_centre", "garden center": "garden_centre", "flower": "florist", "flower shop": "florist", "pet shop": "pet", "pet store": "pet", "pet food": "pet", "toy shop": "toys", "toy store": "toys", "bookshop": "books", "book shop": "books", "bookstore": "books", "shoe": "shoes", "shoe shop": "shoes", "clothing": "clothes", "clothes shop": "clothes", "charity shop": "charity second_hand", "thrift shop": "charity second_hand", "phone shop": "mobile_phone", "stationer": "stationery", "jeweller": "jewelry", "jewellery": "jewelry", "gift": "gift", "furniture": "furniture", "department store": "department_store", "mall": "mall", "shopping centre": "mall", "market": "marketplace",
	"bike shop": "bicycle", "cycle shop": "bicycle", "garage": "car_repair", "mechanic": "car_repair", "mot": "car_repair vehicle_inspection", "tyre": "tyres", "tire": "tyres", "car wash": "car_wash", "car rental": "car_rental", "car hire": "car_rental", "car park": "parking", "parking lot": "parking",
	"recycling": "recycling", "recycling centre": "recycling", "tip": "recycling waste_disposal", "dump": "recycling waste_disposal", "bottle bank": "recycling",
	"nursery": "kindergarten childcare", "creche": "childcare", "church": "place_of_worship", "mosque": "place_of_worship", "temple": "place_of_worship", "synagogue": "place_of_worship", "gym": "fitness_centre", "swimming pool": "swimming_pool", "playground": "playground", "park": "park", "cinema": "cinema", "movie": "cinema", "theatre": "theatre", "library": "library", "police": "police", "police station": "police", "train station": "station", "railway station": "station", "airport": "aerodrome", "hotel": "hotel", "bed and breakfast": "guest_house", "b and b": "guest_house", "hostel": "hostel",
	// German
	"tankstelle": "fuel", "ladesaule": "charging_station", "apotheke": "pharmacy", "drogerie": "chemist", "geldautomat": "atm", "bankomat": "atm", "essen": "restaurant fast_food cafe", "gasthaus": "restaurant pub", "wirtshaus": "restaurant pub", "kneipe": "pub", "imbiss": "fast_food", "kaffee": "cafe", "supermarkt": "supermarket", "lebensmittel": "supermarket convenience", "backerei": "bakery", "backer": "bakery", "metzger": "butcher", "metzgerei": "butcher", "fleischer": "butcher", "getrankemarkt": "beverages", "postamt": "post_office", "briefkasten": "post_box", "paket": "post_office parcel_locker", "packstation": "parcel_locker", "arzt": "doctors", "hausarzt": "doctors", "krankenhaus": "hospital", "tierarzt": "veterinary", "zahnarzt": "dentist", "optiker": "optician", "toilette": "toilets", "friseur": "hairdresser", "reinigung": "dry_cleaning", "baumarkt": "doityourself hardware", "gartencenter": "garden_centre", "blumen": "florist", "blumenladen": "florist", "buchhandlung": "books", "schuhe": "shoes", "werkstatt": "car_repair", "waschanlage": "car_wash", "parkplatz": "parking", "wertstoffhof": "recycling", "schwimmbad": "swimming_pool", "bucherei": "library", "bahnhof": "station", "flughafen": "aerodrome", "kino": "cinema",
	// French
	"station service": "fuel", "essence": "fuel", "borne de recharge": "charging_station", "pharmacie": "pharmacy", "distributeur": "atm", "distributeur de billets": "atm", "banque": "bank", "manger": "restaurant fast_food cafe", "supermarche": "supermarket", "epicerie": "convenience grocery", "courses": "supermarket", "boulangerie": "bakery", "boucherie": "butcher", "poissonnerie": "seafood", "fleuriste": "florist", "la poste": "post_office", "poste": "post_office", "bureau de poste": "post_office", "boite aux lettres": "post_box", "medecin": "doctors", "hopital": "hospital", "veterinaire": "veterinary", "dentiste": "dentist", "opticien": "optician", "coiffeur": "hairdresser", "pressing": "dry_cleaning", "bricolage": "doityourself hardware", "jardinerie": "garden_centre", "librairie": "books", "tabac": "tobacco", "dechetterie": "recycling", "bibliotheque": "library", "gare": "station", "aeroport": "aerodrome", "piscine": "swimming_pool",
	// Spanish
	"gasolinera": "fuel", "gasolina": "fuel", "punto de recarga": "charging_station", "farmacia": "pharmacy", "cajero": "atm", "cajero automatico": "atm", "banco": "bank", "comer": "restaurant fast_food cafe", "restaurante": "restaurant", "comida": "restaurant fast_food cafe", "cafeteria": "cafe", "supermercado": "supermarket", "tienda": "convenience", "panaderia": "bakery", "carniceria": "butcher", "pescaderia": "seafood", "floristeria": "florist", "correos": "post_office", "oficina de correos": "post_office", "buzon": "post_box", "medico": "doctors", "veterinario": "veterinary", "dentista": "dentist", "optica": "optician", "bano": "toilets", "aseo": "toilets", "peluqueria": "hairdresser", "tintoreria": "dry_cleaning", "lavanderia": "laundry", "ferreteria": "hardware", "libreria": "books", "zapateria": "shoes", "taller": "car_repair", "lavado de coches": "car_wash", "aparcamiento": "parking", "biblioteca": "library", "estacion de tren": "station", "aeropuerto": "aerodrome", "piscina": "swimming_pool",
}

// tokens are those that phrases stand for: known, even where a region has no such
// place.
var tokens = func() map[string]bool {
	all := map[string]bool{"restaurant": true, "bank": true, "dentist": true, "school": true, "museum": true, "attraction": true, "kiosk": true, "cosmetics": true, "electronics": true}
	for _, list := range phrases {
		for token := range strings.FieldsSeq(list) {
			all[token] = true
		}
	}
	return all
}()

// mostSuggested is how many near phrases a refusal names.
const mostSuggested = 5

// Resolve gives the tokens that a word or a phrase stands for, of which index has
// those of one region, sorted. Where it is not understood it gives near ones
// that are.
func Resolve(phrase string, index []string) (categories, near []string) {
	said := fold(phrase)
	if list, ok := phrases[said]; ok {
		return strings.Fields(list), nil
	}
	token := strings.ReplaceAll(strings.TrimSpace(phrase), " ", "_")
	if has(index, token) || tokens[token] {
		return []string{token}, nil
	}
	for _, form := range forms(said) {
		if list, ok := phrases[form]; ok {
			return strings.Fields(list), nil
		}
		if token := strings.ReplaceAll(form, " ", "_"); has(index, token) || tokens[token] {
			return []string{token}, nil
		}
	}
	return nil, suggest(said, index)
}

func has(sorted []string, token string) bool {
	_, ok := slices.BinarySearch(sorted, token)
	return ok
}

// fold takes case, accents, signs and articles from what was said.
func fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(strings.ReplaceAll(s, "&", " and "))) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		default:
			b.WriteByte(' ')
		}
	}
	words := strings.Fields(b.String())
	for len(words) > 1 && slices.Contains(articles, words[0]) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

var articles = []string{"a", "an", "the", "some", "any", "nearest", "find", "get", "buy", "to", "der", "die", "das", "ein", "eine", "einen", "zum", "zur", "le", "la", "les", "un", "une", "des", "el", "los", "las", "una"}

// forms are the ways in which a phrase may stand in the table: as it is, and in
// the singular.
func forms(said string) []string {
	list := []string{said}
	for _, ending := range [][2]string{{"ies", "y"}, {"s", ""}, {"es", ""}, {" shop", ""}, {" store", ""}} {
		if short, ok := strings.CutSuffix(said, ending[0]); ok && short != "" {
			list = append(list, short+ending[1])
		}
	}
	return append(list, said+"s")
}

// suggest gives the phrases and tokens nearest to what was said.
func suggest(said string, index []string) []string {
	type near struct {
		text string
		far  int
	}
	var all []near
	most := max(2, len([]rune(said))/3)
	seen := map[string]bool{}
	add := func(text string) {
		plain := strings.ReplaceAll(text, "_", " ")
		if seen[plain] {
			return
		}
		seen[plain] = true
		switch d := distance(said, plain); {
		case d <= most:
			all = append(all, near{text, d})
		case len(said) >= 3 && strings.Contains(plain, said), strings.Contains(" "+said+" ", " "+plain+" "):
			all = append(all, near{text, most + 1})
		}
	}
	for p := range phrases {
		add(p)
	}
	for t := range tokens {
		add(t)
	}
	for _, t := range index {
		add(t)
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.text, b.text)) })
	var list []string
	for _, n := range all[:min(len(all), mostSuggested)] {
		list = append(list, n.text)
	}
	return list
}

// distance is Levenshtein's, over the first letters.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), 40)], y[:min(len(y), 40)]
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(y)]
}
