package narrate

import (
	"fmt"
	"math"
	"strings"
)

// stationWording has the sentences of a language about stations on the way. Every field is set in
// every language; the tag `slots` lists the slots that a sentence must have.
type stationWording struct {
	Cheapest   string `slots:"name fuel price distance detour"`
	NoFuel     string `slots:"fuel"`
	Strongest  string `slots:"name power distance detour"` // the charger with the most power
	AnyCharger string `slots:"name distance detour"`       // a charger whose power is not known
	FreePoints string `slots:"free points"`                // follows the sentence about a charger
	NoCharger  string
}

// stationWordings are keyed by the primary subtag of a language: dialects share them.
var stationWordings = map[string]stationWording{
	"en": {
		Cheapest:   "The cheapest {fuel} is at {name} for {price} a litre, in {distance}, a detour of {detour}.",
		NoFuel:     "No station with a price for {fuel} is known near the route.",
		Strongest:  "The most powerful charger is at {name} with {power}, in {distance}, a detour of {detour}.",
		AnyCharger: "A charger is at {name}, in {distance}, a detour of {detour}; its power is not known.",
		FreePoints: " {free} of {points} points are free.",
		NoCharger:  "No suitable charger is known near the route.",
	},
	"cy": {
		Cheapest:   "Mae'r {fuel} rhataf yn {name} am {price} y litr, ymhen {distance}, gyda dargyfeiriad o {detour}.",
		NoFuel:     "Ni wyddys am orsaf gyda phris {fuel} ger y llwybr.",
		Strongest:  "Mae'r gwefrydd mwyaf pwerus yn {name} gyda {power}, ymhen {distance}, gyda dargyfeiriad o {detour}.",
		AnyCharger: "Mae gwefrydd yn {name}, ymhen {distance}, gyda dargyfeiriad o {detour}; ni wyddys ei bŵer.",
		FreePoints: " Mae {free} o {points} o bwyntiau ar gael.",
		NoCharger:  "Ni wyddys am wefrydd addas ger y llwybr.",
	},
	"de": {
		Cheapest:   "Am günstigsten ist {fuel} bei {name} für {price} je Liter, in {distance}, mit einem Umweg von {detour}.",
		NoFuel:     "Nahe der Strecke ist keine Tankstelle mit einem Preis für {fuel} bekannt.",
		Strongest:  "Am stärksten lädt {name} mit {power}, in {distance}, mit einem Umweg von {detour}.",
		AnyCharger: "Eine Ladestation ist {name}, in {distance}, mit einem Umweg von {detour}; ihre Leistung ist nicht bekannt.",
		FreePoints: " {free} von {points} Ladepunkten sind frei.",
		NoCharger:  "Nahe der Strecke ist keine passende Ladestation bekannt.",
	},
	"fr": {
		Cheapest:   "Le {fuel} le moins cher est chez {name} à {price} le litre, dans {distance}, avec un détour de {detour}.",
		NoFuel:     "Aucune station affichant un prix pour {fuel} n'est connue près de l'itinéraire.",
		Strongest:  "La borne la plus puissante est {name} avec {power}, dans {distance}, avec un détour de {detour}.",
		AnyCharger: "Une borne se trouve à {name}, dans {distance}, avec un détour de {detour} ; sa puissance n'est pas connue.",
		FreePoints: " {free} points sur {points} sont libres.",
		NoCharger:  "Aucune borne adaptée n'est connue près de l'itinéraire.",
	},
	"es": {
		Cheapest:   "El {fuel} más barato está en {name} a {price} el litro, dentro de {distance}, con un desvío de {detour}.",
		NoFuel:     "No se conoce ninguna gasolinera con precio de {fuel} cerca de la ruta.",
		Strongest:  "El cargador más potente está en {name} con {power}, dentro de {distance}, con un desvío de {detour}.",
		AnyCharger: "Hay un cargador en {name}, dentro de {distance}, con un desvío de {detour}; no se conoce su potencia.",
		FreePoints: " {free} de {points} puntos están libres.",
		NoCharger:  "No se conoce ningún cargador adecuado cerca de la ruta.",
	},
	"it": {
		Cheapest:   "Il {fuel} più economico è da {name} a {price} al litro, tra {distance}, con una deviazione di {detour}.",
		NoFuel:     "Nessun distributore con un prezzo per {fuel} è noto vicino al percorso.",
		Strongest:  "La colonnina più potente è {name} con {power}, tra {distance}, con una deviazione di {detour}.",
		AnyCharger: "Una colonnina è a {name}, tra {distance}, con una deviazione di {detour}; la potenza non è nota.",
		FreePoints: " {free} punti su {points} sono liberi.",
		NoCharger:  "Nessuna colonnina adatta è nota vicino al percorso.",
	},
	"nl": {
		Cheapest:   "De goedkoopste {fuel} is bij {name} voor {price} per liter, over {distance}, met een omweg van {detour}.",
		NoFuel:     "Er is geen tankstation met een prijs voor {fuel} bekend bij de route.",
		Strongest:  "De krachtigste lader is bij {name} met {power}, over {distance}, met een omweg van {detour}.",
		AnyCharger: "Er is een lader bij {name}, over {distance}, met een omweg van {detour}; het vermogen is niet bekend.",
		FreePoints: " {free} van {points} laadpunten zijn vrij.",
		NoCharger:  "Er is geen geschikte lader bekend bij de route.",
	},
	"pl": {
		Cheapest:   "Najtańsze {fuel} jest na stacji {name} za {price} za litr, za {distance}, objazd {detour}.",
		NoFuel:     "W pobliżu trasy nie jest znana stacja z ceną {fuel}.",
		Strongest:  "Najmocniejsza ładowarka to {name}, {power}, za {distance}, objazd {detour}.",
		AnyCharger: "Ładowarka: {name}, za {distance}, objazd {detour}; moc nie jest znana.",
		FreePoints: " Wolne punkty: {free} z {points}.",
		NoCharger:  "W pobliżu trasy nie jest znana odpowiednia ładowarka.",
	},
	"pt": {
		Cheapest:   "O {fuel} mais barato está em {name} a {price} por litro, daqui a {distance}, com um desvio de {detour}.",
		NoFuel:     "Não se conhece nenhum posto com preço de {fuel} perto do percurso.",
		Strongest:  "O carregador mais potente está em {name} com {power}, daqui a {distance}, com um desvio de {detour}.",
		AnyCharger: "Há um carregador em {name}, daqui a {distance}, com um desvio de {detour}; a potência não é conhecida.",
		FreePoints: " {free} de {points} pontos estão livres.",
		NoCharger:  "Não se conhece nenhum carregador adequado perto do percurso.",
	},
	"sv": {
		Cheapest:   "Billigast {fuel} finns hos {name} för {price} per liter, om {distance}, med en omväg på {detour}.",
		NoFuel:     "Ingen station med pris för {fuel} är känd nära rutten.",
		Strongest:  "Kraftigast laddar {name} med {power}, om {distance}, med en omväg på {detour}.",
		AnyCharger: "En laddare finns vid {name}, om {distance}, med en omväg på {detour}; effekten är inte känd.",
		FreePoints: " {free} av {points} laddpunkter är lediga.",
		NoCharger:  "Ingen lämplig laddare är känd nära rutten.",
	},
}

// Station is a filling or charging station that a sentence is about.
type Station struct {
	Name   string
	Metres float64 // along the route to the station
	Detour float64 // seconds that calling there adds
}

// CheapestFuel returns the sentence about the station that sells a fuel at the lowest
// price, in hundredths of a currency (ISO 4217) for a litre.
func (l *Language) CheapestFuel(fuel string, s *Station, hundredths float64, currency string) string {
	return l.fillStation(l.stations().Cheapest, s, "{fuel}", fuel, "{price}", l.price(hundredths, currency))
}

// NoFuel returns the sentence for a route without a station that sells a fuel.
func (l *Language) NoFuel(fuel string) string {
	return strings.NewReplacer("{fuel}", fuel).Replace(l.stations().NoFuel)
}

// StrongestCharger returns the sentence about the charger with the most power; a power
// of 0 kilowatts is not known.
func (l *Language) StrongestCharger(s *Station, kilowatts float64) string {
	if kilowatts == 0 {
		return l.fillStation(l.stations().AnyCharger, s)
	}
	return l.fillStation(l.stations().Strongest, s, "{power}", fmt.Sprintf("%.0f kW", kilowatts))
}

// FreePoints returns how many of a station's charging points are free, to follow the
// sentence of StrongestCharger.
func (l *Language) FreePoints(free, points int) string {
	return strings.NewReplacer("{free}", fmt.Sprint(free), "{points}", fmt.Sprint(points)).Replace(l.stations().FreePoints)
}

// NoCharger returns the sentence for a route without a suitable charger.
func (l *Language) NoCharger() string { return l.stations().NoCharger }

func (l *Language) stations() stationWording {
	primary, _, _ := strings.Cut(l.Tag(), "-")
	return stationWordings[primary]
}

func (l *Language) fillStation(sentence string, s *Station, more ...string) string {
	slots := append([]string{"{name}", s.Name, "{distance}", l.distance(s.Metres), "{detour}", fmt.Sprintf("%.0f min", math.Ceil(s.Detour/60))}, more...)
	return strings.NewReplacer(slots...).Replace(sentence)
}

// distance writes a length with its unit's symbol: metres in steps of 50, at least 50, then
// kilometres.
func (l *Language) distance(metres float64) string {
	if metres < 950 {
		return fmt.Sprintf("%d m", max(50, int(metres/50+0.5)*50))
	}
	if metres < 9950 {
		return l.decimal(fmt.Sprintf("%.1f km", metres/1000))
	}
	return fmt.Sprintf("%.0f km", metres/1000)
}

// price writes an amount in the form that prices of fuel have on signs.
func (l *Language) price(hundredths float64, currency string) string {
	switch currency {
	case "GBP":
		return l.decimal(fmt.Sprintf("%.1fp", hundredths))
	case "EUR":
		return l.decimal(fmt.Sprintf("%.3f €", hundredths/100))
	}
	return l.decimal(fmt.Sprintf("%.2f %s", hundredths/100, currency))
}

// decimal writes a number's point as the language does.
func (l *Language) decimal(exitNumber string) string {
	return strings.Replace(exitNumber, ".", string(l.w.Decimal), 1)
}
