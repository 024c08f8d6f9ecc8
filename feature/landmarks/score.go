package landmarks

import (
	"slices"
	"strings"
	"unicode"

	"github.com/waygate/waygate/index/landmark"
)

// Scores of how well a kind of place is recognised by who has never been
// there, 0 to 1. A place is named from enough on.
const (
	enough     = 0.6
	chainBonus = 0.35 // what a household name adds
)

// scores by category. What is not here never anchors an instruction.
var scores = map[string]float64{
	"amenity=fuel": 0.95, "shop=supermarket": 0.9, "shop=department_store": 0.9, "shop=mall": 0.85,
	"railway=station": 0.95, "railway=halt": 0.8, "public_transport=station": 0.9, "building=train_station": 0.9, "amenity=bus_station": 0.85,
	"amenity=place_of_worship": 0.9, "building=church": 0.9, "building=cathedral": 0.95, "building=chapel": 0.8, "building=mosque": 0.9,
	"building=synagogue": 0.85, "building=temple": 0.85,
	"amenity=pub": 0.9, "historic=castle": 0.9, "man_made=lighthouse": 0.9, "man_made=windmill": 0.85, "man_made=water_tower": 0.8, "leisure=stadium": 0.9,
	"amenity=cinema": 0.8, "amenity=theatre": 0.75, "amenity=townhall": 0.75, "amenity=fire_station": 0.75, "amenity=police": 0.7,
	"amenity=hospital": 0.8, "amenity=school": 0.65, "amenity=library": 0.65, "amenity=post_office": 0.7, "amenity=university": 0.6,
	"tourism=hotel": 0.7, "tourism=museum": 0.7, "historic=monument": 0.65,
	"shop=convenience": 0.45, "shop=doityourself": 0.6, "shop=furniture": 0.4, "shop=car": 0.4, "shop=clothes": 0.3, "shop=bakery": 0.35,
	"amenity=restaurant": 0.4, "amenity=fast_food": 0.4, "amenity=cafe": 0.35, "amenity=bank": 0.4, "amenity=pharmacy": 0.4, "amenity=bar": 0.4,
}

// Score returns how well a place is recognised. It is 0 where it never anchors.
func Score(p *landmark.Place) float64 {
	score := scores[p.Category]
	if score == 0 {
		return 0
	}
	if household(p.Name) || household(p.Brand) {
		score = min(1, score+chainBonus)
	}
	return score
}

// household reports whether the name of a chain that is famous in its country is in a name,
// as whole words: Shell is in "Shell Chepstow Road", not in "Shellfish".
func household(name string) bool {
	words := wordsOf(name)
	return slices.ContainsFunc(chains, func(chain []string) bool {
		for i := 0; i+len(chain) <= len(words); i++ {
			if slices.Equal(words[i:i+len(chain)], chain) {
				return true
			}
		}
		return false
	})
}

// wordsOf splits a name into small letters and digits; an apostrophe joins.
func wordsOf(name string) []string {
	name = strings.NewReplacer("'", "", "’", "").Replace(strings.ToLower(name))
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// chains are household names, in words.
var chains = func() [][]string {
	var list [][]string
	for name := range strings.Lines(householdNames) {
		if words := wordsOf(name); len(words) > 0 {
			list = append(list, words)
		}
	}
	return list
}()

// Groceries, fuel, food, chemists, banks and shops with branches all over a
// country: Great Britain and Ireland first, then the rest of Europe, then North
// America.
const householdNames = `Tesco
Sainsbury's
Asda
Morrisons
Waitrose
Aldi
Lidl
Iceland
Co-op
Marks & Spencer
M&S
Spar
Londis
SuperValu
Dunnes
Boots
Superdrug
Argos
B&Q
Screwfix
Halfords
Wickes
Greggs
Costa
Costa Coffee
Starbucks
Caffè Nero
Pret A Manger
McDonald's
Burger King
KFC
Subway
Domino's
Pizza Hut
Nando's
Wetherspoon
Barclays
Lloyds
HSBC
NatWest
Santander
Nationwide
Halifax
Royal Bank of Scotland
Bank of Ireland
BP
Shell
Esso
Texaco
Gulf
Total
TotalEnergies
Q8
Circle K
Repsol
Cepsa
Galp
Eni
Agip
OMV
Aral
Jet
Orlen
Migrol
Avia
Rewe
Edeka
Kaufland
Penny
Netto
dm
Rossmann
Müller
Bauhaus
Obi
Hornbach
Sparkasse
Volksbank
Raiffeisen
Deutsche Bank
Commerzbank
Postbank
Migros
Coop
Denner
Landi
UBS
Billa
Hofer
Carrefour
Leclerc
Intermarché
Auchan
Monoprix
Franprix
Casino
Super U
Picard
BNP Paribas
Crédit Agricole
Société Générale
Crédit Mutuel
La Poste
Mercadona
Eroski
Dia
Alcampo
El Corte Inglés
BBVA
CaixaBank
Esselunga
Conad
Intesa Sanpaolo
UniCredit
Poste Italiane
Continente
Pingo Doce
Millennium
Albert Heijn
Jumbo
Hema
Kruidvat
Rabobank
ING
ABN AMRO
Delhaize
Colruyt
Biedronka
Żabka
Lewiatan
PKO
ICA
Willys
Hemköp
Swedbank
Handelsbanken
IKEA
Decathlon
H&M
Zara
C&A
Walmart
Target
Costco
Kroger
Safeway
Walgreens
CVS
7-Eleven
Dunkin'
Wendy's
Taco Bell
Chase
Wells Fargo
Bank of America
Exxon
Chevron
Mobil
Canadian Tire
Tim Hortons
`
