package narrate_test

import (
	"github.com/waygate/waygate/road/guide"
)

// leg is a hand-made list of manoeuvres. Together the legs have every type of
// manoeuvre and every choice that its words depend on.
type leg struct {
	what  string
	list  []guide.Manoeuvre
	inner bool // its start and its end are those of all
}

func street(list ...string) []guide.Name {
	var out []guide.Name
	for _, n := range list {
		out = append(out, guide.Name{Text: n})
	}
	return out
}

func number(list ...string) []guide.Name {
	out := street(list...)
	for i := range out {
		out[i].Ref = true
	}
	return out
}

// far is a manoeuvre with the next one a kilometre and a half on.
func far(m guide.Manoeuvre) guide.Manoeuvre {
	m.Metres, m.Seconds = 1500, 90
	return m
}

// between puts a start and a destination around manoeuvres.
func between(middle ...guide.Manoeuvre) []guide.Manoeuvre {
	list := append([]guide.Manoeuvre{far(guide.Manoeuvre{Type: guide.Start, After: 90, Names: street("Mill Lane")})}, middle...)
	return append(list, guide.Manoeuvre{Type: guide.Destination, Travel: list[len(list)-1].Travel})
}

var turns = []guide.Type{guide.SlightRight, guide.Right, guide.SharpRight, guide.UturnRight, guide.UturnLeft, guide.SharpLeft, guide.Left, guide.SlightLeft}

func legs() []leg {
	var list []leg
	add := func(what string, middle ...guide.Manoeuvre) { list = append(list, leg{what, between(middle...), true}) }

	for i := range 8 {
		start := far(guide.Manoeuvre{Type: guide.Start + guide.Type(i%3), After: 45 * i})
		list = append(list, leg{"start", []guide.Manoeuvre{start, {Type: guide.Destination + guide.Type(i%3)}}, false})
	}
	for i, travel := range []guide.Travel{guide.Driving, guide.Cycling, guide.Walking} {
		start := far(guide.Manoeuvre{Type: guide.Start, Names: [][]guide.Name{number("A48"), street("High Street"), nil}[i], Travel: travel})
		if i == 2 {
			start.Way = guide.Walkway
		}
		list = append(list, leg{"start by ways of moving", []guide.Manoeuvre{start, {Type: guide.Destination, Travel: travel}}, false})
	}
	for _, t := range turns {
		add("turn", far(guide.Manoeuvre{Type: t, Names: street("High Street")}))
	}
	add("turn without a name", far(guide.Manoeuvre{Type: guide.Left}))
	add("turn with road number", far(guide.Manoeuvre{Type: guide.Right, Names: number("A48", "B4245")}))
	add("turn with many names", far(guide.Manoeuvre{Type: guide.Right, Names: append(street("High Street", "Long Street"), number("B4245", "E30", "C9")...)}))
	add("turn with the road", far(guide.Manoeuvre{Type: guide.Right, Names: street("High Street"), Stays: true}))
	add("turn with the numbered road", far(guide.Manoeuvre{Type: guide.Left, Names: number("A48"), Stays: true}))
	add("turn at the end of the road", far(guide.Manoeuvre{Type: guide.Right, Names: street("High Street"), EndOfRoad: true}))
	add("names at the begin", far(guide.Manoeuvre{Type: guide.Left, Names: number("A48"), BeginNames: append(street("Long Street"), number("A48")...)}))
	for w := guide.Walkway; w <= guide.FerryLine; w++ {
		add("unnamed way", far(guide.Manoeuvre{Type: guide.Right, Way: w, Travel: guide.Walking}), far(guide.Manoeuvre{Type: guide.Continue, Way: w, Travel: guide.Walking}))
	}
	add("becomes", far(guide.Manoeuvre{Type: guide.Becomes, Names: append(street("Newport Road"), number("A48")...)}), far(guide.Manoeuvre{Type: guide.Becomes}))
	add("continue", far(guide.Manoeuvre{Type: guide.Continue, Names: street("Cardiff Road")}), far(guide.Manoeuvre{Type: guide.Continue}))
	add("no type", far(guide.Manoeuvre{}))

	branch := guide.Sign{Branch: []string{"A48"}, Toward: []string{"Newport", "Monmouth", "Caldicot"}}
	for _, t := range []guide.Type{guide.RampStraight, guide.RampRight, guide.RampLeft, guide.StayStraight, guide.StayRight, guide.StayLeft} {
		add("sign", far(guide.Manoeuvre{Type: t, Sign: branch}), far(guide.Manoeuvre{Type: t}))
	}
	add("signed to a street", far(guide.Manoeuvre{Type: guide.RampRight, Sign: guide.Sign{Branch: []string{"Station Road"}}}))
	for _, left := range []bool{false, true} {
		for _, t := range []guide.Type{guide.ExitRight, guide.ExitLeft} {
			sign := branch
			sign.Number = []string{"24", "24A", "24B"}
			add("exit", far(guide.Manoeuvre{Type: t, Sign: sign, DriveOnLeft: left}), far(guide.Manoeuvre{Type: t, Sign: guide.Sign{Name: []string{"Coldra"}}, DriveOnLeft: left}))
		}
	}
	add("fork with the road", far(guide.Manoeuvre{Type: guide.StayLeft, Names: number("M4"), Stays: true, Sign: guide.Sign{Toward: []string{"London"}}}))
	add("fork by name", far(guide.Manoeuvre{Type: guide.StayRight, Names: street("Upper Lane")}))
	for _, t := range []guide.Type{guide.Merge, guide.MergeRight, guide.MergeLeft} {
		add("merge", far(guide.Manoeuvre{Type: t, Names: number("M4"), Sign: guide.Sign{Toward: []string{"London"}}}), far(guide.Manoeuvre{Type: t, Names: street("Ring Road")}), far(guide.Manoeuvre{Type: t}))
	}

	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13} {
		add("roundabout",
			guide.Manoeuvre{Type: guide.RoundaboutEnter, Exits: n, Metres: 60, Seconds: 9},
			far(guide.Manoeuvre{Type: guide.RoundaboutExit, Exits: n, Names: number("A48"), Sign: guide.Sign{Toward: []string{"Chepstow"}}}))
	}
	add("roundabout, little known",
		guide.Manoeuvre{Type: guide.RoundaboutEnter, Metres: 60, Seconds: 9}, far(guide.Manoeuvre{Type: guide.RoundaboutExit}),
		guide.Manoeuvre{Type: guide.RoundaboutEnter, Exits: 2, Metres: 60, Seconds: 9}, far(guide.Manoeuvre{Type: guide.Left}))

	aboard := guide.Manoeuvre{Type: guide.FerryEnter, Way: guide.FerryLine, Ferry: true}
	for _, name := range []string{"", "Portsmouth – Ryde", "Gosport Ferry", "Autofähre Konstanz", "Traghetto Messina", "Veerpont Schoonhoven", "Balsa Ilhabela", "Färja Visby"} {
		m := far(aboard)
		if name != "" {
			m.Names = street(name)
		}
		add("ferry", m, far(guide.Manoeuvre{Type: guide.FerryExit, Names: street("Quay Street")}))
	}
	walk := guide.Manoeuvre{Travel: guide.Walking, Metres: 20, Seconds: 15}
	up, steps, moving := walk, walk, walk
	up.Type, steps.Type, moving.Type = guide.Elevator, guide.Steps, guide.Escalator
	add("up and down", up, steps, moving)
	for _, level := range []guide.Level{{Text: "-1"}, {Text: "Lobby", Named: true}} {
		up.Level, steps.Level, moving.Level = level, level, level
		change := far(guide.Manoeuvre{Type: guide.LevelChange, Travel: guide.Walking, Level: level})
		add("to a floor", up, steps, moving, change)
	}
	for _, t := range []guide.Type{guide.EnterBuilding, guide.LeaveBuilding} {
		add("a building", far(guide.Manoeuvre{Type: t, Travel: guide.Walking, Way: guide.Walkway}), far(guide.Manoeuvre{Type: t, Travel: guide.Walking, Names: street("Market Place")}))
	}
	add("bicycle pushed",
		far(guide.Manoeuvre{Type: guide.Continue, Travel: guide.Pushing, Names: street("Market Place")}), far(guide.Manoeuvre{Type: guide.Left, Travel: guide.Pushing}),
		far(guide.Manoeuvre{Type: guide.Left, Travel: guide.Cycling, Way: guide.CycleTrack}))

	for _, metres := range []float64{20, 80} {
		for i := range 3 {
			list = append(list, leg{"one after the other", []guide.Manoeuvre{
				{Type: guide.Start, Names: street("Mill Lane"), Metres: metres, Seconds: 6},
				{Type: guide.Right, Names: street("High Street"), Metres: metres, Seconds: 6},
				{Type: guide.Left, EndOfRoad: true, Names: street("Long Street"), Metres: metres, Seconds: 6},
				{Type: guide.Destination + guide.Type(i)},
			}, false})
		}
	}
	list = append(list, leg{"nowhere to go", []guide.Manoeuvre{{Type: guide.Start}, {Type: guide.Destination}}, false})
	return list
}

// local are names as the language's own country has them, for the words that
// join them to a sentence.
var local = map[string][]guide.Name{
	"en-GB": append(street("High Street"), number("A48", "M4", "US 1")...),
	"en-US": append(street("Main Street"), number("I 95", "US 1")...),
	"de":    append(street("Hauptstraße", "Berliner Straße", "Lange Straße", "Straße des 17. Juni", "Kirchweg", "Tiergartenufer", "Unter den Linden", "Am Markt", "Alter Weg", "Hainer Weg", "Dr. Josef Hoop-Straße", "Krüzgass", "Kirchgässle", "MARKTPLATZ"), number("A 8", "B 10")...),
	"fr":    append(street("Rue de Rivoli", "Boulevard Voltaire", "Avenue Foch", "Allée des Tilleuls", "Le Bourg", "Grande Rue", "Ruelle", "Place Bellecour", "Ancienne Route de Paris", "Allées de Tourny"), number("A 6", "E 15", "D 12", "N 7")...),
	"es":    append(street("Calle Mayor", "Paseo del Prado", "Gran Vía", "Carrer de Mallorca", "Avinguda Diagonal", "Callejón Sur", "Zumalakarregi Etorbidea"), number("A-7", "M-30")...),
	"it":    append(street("Via Roma", "Piazza Navona", "Strada del Sole", "Lungomare Trieste", "Autostrada del Sole"), number("A1", "SS12", "E45", "Ex SP 3")...),
	"pt-PT": append(street("Rua Augusta", "Largo do Carmo", "Avenida da Liberdade", "Escadas do Codeçal", "Rossio"), number("A1", "IC19", "IP3", "N125")...),
	"pt-BR": append(street("Rua Augusta", "Largo da Carioca"), number("BR-101")...),
	"nl":    append(street("Hoofdstraat", "Museumplein", "Lange Voorhout", "Prins Hendrikkade"), number("A2", "N201")...),
	"pl":    append(street("Marszałkowska", "Plac Zbawiciela"), number("A4", "7")...),
	"sv":    append(street("Storgatan"), number("E4", "40")...),
	"cy":    append(street("Heol y Bont", "Rhodfa'r Gogledd"), number("A48", "B4245", "M4")...),
}

// landmarks are places as the language's own country names them.
var landmarks = map[string][]string{
	"de":    {"Johanniskirche", "Kirche St. Martin", "Hauptbahnhof", "Gasthaus Zum Löwen", "Aldi"},
	"fr":    {"Église Saint-Pierre", "Mairie", "Café de la Gare", "Hôtel du Nord", "Lycée Voltaire", "Carrefour"},
	"es":    {"Iglesia de San Juan", "Hotel Real", "El Corte Inglés"},
	"it":    {"Chiesa di San Marco", "Bar Sport", "Hotel Europa", "Ospedale Maggiore", "Conad"},
	"pt-PT": {"Igreja Matriz", "Café Central", "Pingo Doce"},
	"pt-BR": {"Igreja Matriz", "Posto Shell"},
	"nl":    {"Grote Kerk", "Station Delft", "Stadsmuseum", "Hema"},
	"pl":    {"Biedronka", "Kościół św. Anny"},
	"sv":    {"Storkyrkan", "ICA"},
	"cy":    {"Eglwys Dewi Sant", "Pobl y Cwm"},
}

func localLeg(tag string) leg {
	var list []guide.Manoeuvre
	for _, n := range local[tag] {
		one := []guide.Name{n}
		list = append(list,
			far(guide.Manoeuvre{Type: guide.Continue, Names: one}), far(guide.Manoeuvre{Type: guide.Right, Names: one}),
			far(guide.Manoeuvre{Type: guide.Left, Names: one, Stays: true}), far(guide.Manoeuvre{Type: guide.Merge, Names: one}),
			far(guide.Manoeuvre{Type: guide.Becomes, Names: one}), far(guide.Manoeuvre{Type: guide.StayLeft, Names: one}),
			far(guide.Manoeuvre{Type: guide.UturnLeft, Names: one}), far(guide.Manoeuvre{Type: guide.UturnRight, Names: one, Stays: true}),
			far(guide.Manoeuvre{Type: guide.ExitRight, Sign: guide.Sign{Number: []string{"12B"}, Branch: []string{n.Text}, Toward: []string{"Bristol"}}}))
	}
	return leg{"names as they are there", between(list...), true}
}
