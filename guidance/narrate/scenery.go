package narrate

import (
	"math"
	"strconv"
	"strings"
)

// sceneryWording has the sentences of a language about scenic routes. Every field is set in every language;
// the tag `slots` lists the slots that a sentence must have.
type sceneryWording struct {
	Longer   string `slots:"minutes sights"`
	NoLonger string `slots:"sights"`
	None     string `slots:"minutes"`
	// Of the kinds of scenery, each with the length of the route beside it.
	Sea       string `slots:"length"`
	Protected string `slots:"length"`
	Water     string `slots:"length"`
	Woodland  string `slots:"length"`
	Named     string `slots:"length"`
}

// sceneryWordings are keyed by the primary subtag of a language: dialects share them.
var sceneryWordings = map[string]sceneryWording{
	"en": {
		Longer:   "The scenic route takes {minutes} min longer: {sights}.",
		NoLonger: "The scenic route takes no longer: {sights}.",
		None:     "No more scenic route was found within {minutes} min more.",
		Sea:      "{length} near the sea", Protected: "{length} in a protected landscape", Water: "{length} near open water",
		Woodland: "{length} by woodland", Named: "{length} near a river or canal",
	},
	"cy": {
		Longer:   "Mae'r llwybr golygfaol yn cymryd {minutes} munud yn hirach: {sights}.",
		NoLonger: "Nid yw'r llwybr golygfaol yn cymryd mwy o amser: {sights}.",
		None:     "Ni chafwyd llwybr mwy golygfaol o fewn {minutes} munud ychwanegol.",
		Sea:      "{length} ger y môr", Protected: "{length} mewn tirwedd warchodedig", Water: "{length} ger dŵr agored",
		Woodland: "{length} ger coetir", Named: "{length} ger afon neu gamlas",
	},
	"de": {
		Longer:   "Die landschaftlich schöne Strecke dauert {minutes} min länger: {sights}.",
		NoLonger: "Die landschaftlich schöne Strecke dauert nicht länger: {sights}.",
		None:     "Es wurde keine landschaftlich schönere Strecke mit höchstens {minutes} min mehr gefunden.",
		Sea:      "{length} nahe am Meer", Protected: "{length} in einem Schutzgebiet", Water: "{length} nahe an offenem Wasser",
		Woodland: "{length} am Wald", Named: "{length} nahe an einem Fluss oder Kanal",
	},
	"fr": {
		Longer:   "L'itinéraire panoramique dure {minutes} min de plus : {sights}.",
		NoLonger: "L'itinéraire panoramique ne dure pas plus longtemps : {sights}.",
		None:     "Aucun itinéraire plus panoramique n'a été trouvé avec {minutes} min de plus au maximum.",
		Sea:      "{length} près de la mer", Protected: "{length} dans un espace protégé", Water: "{length} près d'un plan d'eau",
		Woodland: "{length} près de bois", Named: "{length} près d'un cours d'eau ou d'un canal",
	},
	"es": {
		Longer:   "La ruta panorámica dura {minutes} min más: {sights}.",
		NoLonger: "La ruta panorámica no dura más: {sights}.",
		None:     "No se encontró ninguna ruta más panorámica con {minutes} min más como máximo.",
		Sea:      "{length} cerca del mar", Protected: "{length} en un espacio protegido", Water: "{length} cerca de aguas abiertas",
		Woodland: "{length} junto a bosques", Named: "{length} cerca de un río o canal",
	},
	"it": {
		Longer:   "Il percorso panoramico dura {minutes} min in più: {sights}.",
		NoLonger: "Il percorso panoramico non dura di più: {sights}.",
		None:     "Nessun percorso più panoramico è stato trovato entro {minutes} min in più.",
		Sea:      "{length} vicino al mare", Protected: "{length} in un'area protetta", Water: "{length} vicino a specchi d'acqua",
		Woodland: "{length} vicino a boschi", Named: "{length} vicino a un fiume o canale",
	},
	"nl": {
		Longer:   "De mooie route duurt {minutes} min langer: {sights}.",
		NoLonger: "De mooie route duurt niet langer: {sights}.",
		None:     "Er is geen mooiere route gevonden die hooguit {minutes} min langer duurt.",
		Sea:      "{length} dicht bij de zee", Protected: "{length} in een beschermd gebied", Water: "{length} dicht bij open water",
		Woodland: "{length} langs bos", Named: "{length} dicht bij een rivier of kanaal",
	},
	"pl": {
		Longer:   "Trasa widokowa trwa o {minutes} min dłużej: {sights}.",
		NoLonger: "Trasa widokowa nie trwa dłużej: {sights}.",
		None:     "Nie znaleziono trasy bardziej widokowej, dłuższej najwyżej o {minutes} min.",
		Sea:      "w pobliżu morza {length}", Protected: "na obszarze chronionym {length}", Water: "w pobliżu otwartej wody {length}",
		Woodland: "przy lesie {length}", Named: "w pobliżu rzeki lub kanału {length}",
	},
	"pt": {
		Longer:   "O percurso panorâmico demora mais {minutes} min: {sights}.",
		NoLonger: "O percurso panorâmico não demora mais: {sights}.",
		None:     "Não foi encontrado nenhum percurso mais panorâmico com mais {minutes} min no máximo.",
		Sea:      "{length} perto do mar", Protected: "{length} numa área protegida", Water: "{length} perto de águas abertas",
		Woodland: "{length} junto a bosques", Named: "{length} perto de um rio ou canal",
	},
	"sv": {
		Longer:   "Den natursköna rutten tar {minutes} min längre: {sights}.",
		NoLonger: "Den natursköna rutten tar inte längre tid: {sights}.",
		None:     "Ingen mer naturskön rutt hittades inom {minutes} min extra.",
		Sea:      "{length} nära havet", Protected: "{length} i ett skyddat område", Water: "{length} nära öppet vatten",
		Woodland: "{length} vid skog", Named: "{length} nära ett vattendrag eller en kanal",
	},
}

// SceneryKind is a kind of scenery beside a route.
type SceneryKind uint8

// The kinds of scenery.
const (
	Sea SceneryKind = iota
	ProtectedLand
	OpenWater
	Woodland
	NamedWater
)

// Scenery is for how many metres of a route one kind of scenery is beside it.
type Scenery struct {
	Kind   SceneryKind
	Metres float64
}

// ScenicRoute returns the sentence about a scenic route: by how many minutes it is longer, and
// what is beside it.
func ScenicRoute(l *Language, minutes float64, sights []Scenery, miles bool) string {
	s := sceneryOf(l)
	parts := make([]string, len(sights))
	for i, one := range sights {
		length := string(l.w.appendLength(nil, &l.w.For, one.Metres, miles))
		phrase := [...]string{s.Sea, s.Protected, s.Water, s.Woodland, s.Named}[one.Kind]
		parts[i] = strings.ReplaceAll(phrase, "{length}", length)
	}
	sentence := s.Longer
	if math.Round(minutes) <= 0 {
		sentence = s.NoLonger
	}
	return strings.NewReplacer("{minutes}", whole(minutes), "{sights}", strings.Join(parts, ", ")).Replace(sentence)
}

// NoScenicRoute returns the sentence that no other route within some minutes more was found
// that is more scenic.
func NoScenicRoute(l *Language, minutes float64) string {
	return strings.ReplaceAll(sceneryOf(l).None, "{minutes}", whole(math.Floor(minutes)))
}

func whole(v float64) string { return strconv.Itoa(int(math.Round(v))) }

func sceneryOf(l *Language) sceneryWording {
	primary, _, _ := strings.Cut(l.Tag(), "-")
	return sceneryWordings[primary]
}
