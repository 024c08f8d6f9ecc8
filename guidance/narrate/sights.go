package narrate

import (
	"math"
	"strings"
)

// sightWording has the sentences of a language about sights along the way. Every field is set in
// every language; the tag `slots` lists the slots that a sentence must have. Names stand
// where they need no article and no case; {on} is the road with its preposition.
type sightWording struct {
	CrossRiver  string `slots:"name"`
	CrossCanal  string `slots:"name"`
	CrossStream string `slots:"name"`
	AlongRiver  string `slots:"name"`
	AlongCanal  string `slots:"name"`
	AlongStream string `slots:"name"`
	Landscape   string `slots:"name"`
	Settlement  string `slots:"name"`
	Road        string `slots:"length on"`
	Summit      string `slots:"rise height"`
}

// sightWordings are keyed by the primary subtag of a language: dialects share them.
var sightWordings = map[string]sightWording{
	"en": {
		CrossRiver:  "The route crosses a river: {name}.",
		CrossCanal:  "The route crosses a canal: {name}.",
		CrossStream: "The route crosses a stream: {name}.",
		AlongRiver:  "The route runs beside a river: {name}.",
		AlongCanal:  "The route runs beside a canal: {name}.",
		AlongStream: "The route runs beside a stream: {name}.",
		Landscape:   "The route runs through {name}.",
		Settlement:  "The route passes {name}.",
		Road:        "The route stays{on} for {length}.",
		Summit:      "The road climbs {rise} and tops out at {height}.",
	},
	"cy": {
		CrossRiver:  "Mae'r llwybr yn croesi afon: {name}.",
		CrossCanal:  "Mae'r llwybr yn croesi camlas: {name}.",
		CrossStream: "Mae'r llwybr yn croesi nant: {name}.",
		AlongRiver:  "Mae'r llwybr yn dilyn afon: {name}.",
		AlongCanal:  "Mae'r llwybr yn dilyn camlas: {name}.",
		AlongStream: "Mae'r llwybr yn dilyn nant: {name}.",
		Landscape:   "Mae'r llwybr yn mynd drwy ardal: {name}.",
		Settlement:  "Mae'r llwybr yn mynd heibio i le: {name}.",
		Road:        "Mae'r llwybr yn parhau{on} am {length}.",
		Summit:      "Mae'r ffordd yn dringo {rise} ac yn cyrraedd ei man uchaf: {height}.",
	},
	"de": {
		CrossRiver:  "Die Strecke quert einen Fluss: {name}.",
		CrossCanal:  "Die Strecke quert einen Kanal: {name}.",
		CrossStream: "Die Strecke quert einen Bach: {name}.",
		AlongRiver:  "Die Strecke verläuft an einem Fluss: {name}.",
		AlongCanal:  "Die Strecke verläuft an einem Kanal: {name}.",
		AlongStream: "Die Strecke verläuft an einem Bach: {name}.",
		Landscape:   "Die Strecke führt durch ein Gebiet: {name}.",
		Settlement:  "Die Strecke führt an einem Ort vorbei: {name}.",
		Road:        "Die Strecke bleibt {length}{on}.",
		Summit:      "Die Straße steigt um {rise} und erreicht ihren höchsten Punkt: {height}.",
	},
	"fr": {
		CrossRiver:  "L'itinéraire traverse un cours d'eau : {name}.",
		CrossCanal:  "L'itinéraire traverse un canal : {name}.",
		CrossStream: "L'itinéraire traverse un ruisseau : {name}.",
		AlongRiver:  "L'itinéraire longe un cours d'eau : {name}.",
		AlongCanal:  "L'itinéraire longe un canal : {name}.",
		AlongStream: "L'itinéraire longe un ruisseau : {name}.",
		Landscape:   "L'itinéraire traverse un espace naturel : {name}.",
		Settlement:  "L'itinéraire passe près d'une localité : {name}.",
		Road:        "L'itinéraire continue{on} sur {length}.",
		Summit:      "La route monte de {rise} et atteint son point le plus haut : {height}.",
	},
	"es": {
		CrossRiver:  "La ruta cruza un río: {name}.",
		CrossCanal:  "La ruta cruza un canal: {name}.",
		CrossStream: "La ruta cruza un arroyo: {name}.",
		AlongRiver:  "La ruta discurre junto a un río: {name}.",
		AlongCanal:  "La ruta discurre junto a un canal: {name}.",
		AlongStream: "La ruta discurre junto a un arroyo: {name}.",
		Landscape:   "La ruta atraviesa un espacio natural: {name}.",
		Settlement:  "La ruta pasa junto a una población: {name}.",
		Road:        "La ruta continúa{on} durante {length}.",
		Summit:      "La carretera sube {rise} y alcanza su punto más alto: {height}.",
	},
	"it": {
		CrossRiver:  "Il percorso attraversa un fiume: {name}.",
		CrossCanal:  "Il percorso attraversa un canale: {name}.",
		CrossStream: "Il percorso attraversa un torrente: {name}.",
		AlongRiver:  "Il percorso costeggia un fiume: {name}.",
		AlongCanal:  "Il percorso costeggia un canale: {name}.",
		AlongStream: "Il percorso costeggia un torrente: {name}.",
		Landscape:   "Il percorso attraversa un'area naturale: {name}.",
		Settlement:  "Il percorso passa vicino a una località: {name}.",
		Road:        "Il percorso continua{on} per {length}.",
		Summit:      "La strada sale di {rise} e raggiunge il punto più alto: {height}.",
	},
	"nl": {
		CrossRiver:  "De route kruist een rivier: {name}.",
		CrossCanal:  "De route kruist een kanaal: {name}.",
		CrossStream: "De route kruist een beek: {name}.",
		AlongRiver:  "De route loopt langs een rivier: {name}.",
		AlongCanal:  "De route loopt langs een kanaal: {name}.",
		AlongStream: "De route loopt langs een beek: {name}.",
		Landscape:   "De route loopt door een natuurgebied: {name}.",
		Settlement:  "De route komt langs een plaats: {name}.",
		Road:        "De route blijft {length}{on}.",
		Summit:      "De weg stijgt {rise} en bereikt zijn hoogste punt: {height}.",
	},
	"pl": {
		CrossRiver:  "Trasa przecina rzekę: {name}.",
		CrossCanal:  "Trasa przecina kanał: {name}.",
		CrossStream: "Trasa przecina strumień: {name}.",
		AlongRiver:  "Trasa biegnie wzdłuż rzeki: {name}.",
		AlongCanal:  "Trasa biegnie wzdłuż kanału: {name}.",
		AlongStream: "Trasa biegnie wzdłuż strumienia: {name}.",
		Landscape:   "Trasa prowadzi przez obszar: {name}.",
		Settlement:  "Trasa mija miejscowość: {name}.",
		Road:        "Trasa prowadzi{on} przez {length}.",
		Summit:      "Droga wznosi się o {rise} i osiąga najwyższy punkt: {height}.",
	},
	"pt": {
		CrossRiver:  "O percurso atravessa um rio: {name}.",
		CrossCanal:  "O percurso atravessa um canal: {name}.",
		CrossStream: "O percurso atravessa um ribeiro: {name}.",
		AlongRiver:  "O percurso segue junto a um rio: {name}.",
		AlongCanal:  "O percurso segue junto a um canal: {name}.",
		AlongStream: "O percurso segue junto a um ribeiro: {name}.",
		Landscape:   "O percurso atravessa uma área natural: {name}.",
		Settlement:  "O percurso passa perto de uma localidade: {name}.",
		Road:        "O percurso continua{on} durante {length}.",
		Summit:      "A estrada sobe {rise} e atinge o ponto mais alto: {height}.",
	},
	"sv": {
		CrossRiver:  "Rutten korsar ett vattendrag: {name}.",
		CrossCanal:  "Rutten korsar en kanal: {name}.",
		CrossStream: "Rutten korsar en bäck: {name}.",
		AlongRiver:  "Rutten går längs ett vattendrag: {name}.",
		AlongCanal:  "Rutten går längs en kanal: {name}.",
		AlongStream: "Rutten går längs en bäck: {name}.",
		Landscape:   "Rutten går genom ett område: {name}.",
		Settlement:  "Rutten passerar en ort: {name}.",
		Road:        "Rutten stannar{on} i {length}.",
		Summit:      "Vägen stiger {rise} och når sin högsta punkt: {height}.",
	},
}

// Water is a class of watercourses.
type Water uint8

// The classes of watercourses.
const (
	River Water = iota
	Canal
	Stream
)

// CrossesWater returns the sentence about a watercourse that the route crosses.
func (l *Language) CrossesWater(w Water, name string) string {
	s := l.sights()
	return named([...]string{s.CrossRiver, s.CrossCanal, s.CrossStream}[w], name)
}

// AlongWater returns the sentence about a watercourse that the route runs beside.
func (l *Language) AlongWater(w Water, name string) string {
	s := l.sights()
	return named([...]string{s.AlongRiver, s.AlongCanal, s.AlongStream}[w], name)
}

// ThroughLandscape returns the sentence about a park that the route runs through.
func (l *Language) ThroughLandscape(name string) string { return named(l.sights().Landscape, name) }

// PastSettlement returns the sentence about a town or village that the route passes.
func (l *Language) PastSettlement(name string) string { return named(l.sights().Settlement, name) }

// StaysOnRoad returns the sentence about a numbered road that the route stays on for a
// length in metres.
func (l *Language) StaysOnRoad(exitNumber string, metres float64, miles bool) string {
	on := make([]byte, 0, 32)
	for _, p := range l.w.link(exitNumber, true).On {
		on = append(on, p.text...)
		if p.slot == names {
			on = append(on, exitNumber...)
		}
	}
	length := l.w.appendLength(nil, &l.w.For, metres, miles)
	return strings.NewReplacer("{on}", string(on), "{length}", string(length)).Replace(l.sights().Road)
}

// RoadClimb returns the sentence about a climb of a road and the height at its top, both in
// metres; with miles they are said in feet, rounded to tens.
func (l *Language) RoadClimb(rise, height float64, miles bool) string {
	say := func(metres float64) string {
		u := &l.w.Length.Metre
		if miles {
			u, metres = &l.w.Length.Foot, metres/foot
		}
		return string(l.w.count(nil, u, 20*int(math.Round(metres/10))))
	}
	return strings.NewReplacer("{rise}", say(rise), "{height}", say(height)).Replace(l.sights().Summit)
}

func (l *Language) sights() sightWording {
	primary, _, _ := strings.Cut(l.Tag(), "-")
	return sightWordings[primary]
}

func named(sentence, name string) string {
	return strings.NewReplacer("{name}", name).Replace(sentence)
}
