package narrate_test

import "github.com/waygate/waygate/guidance"

// leg is a hand-made list of manoeuvres. Together the legs have every type of
// manoeuvre and every choice that its words depend on.
type leg struct {
	what  string
	list  []guidance.Manoeuvre
	inner bool // its start and its end are those of all
}

func street(list ...string) []guidance.Name {
	var out []guidance.Name
	for _, n := range list {
		out = append(out, guidance.Name{Text: n})
	}
	return out
}

func roadNumbers(list ...string) []guidance.Name {
	out := street(list...)
	for i := range out {
		out[i].Ref = true
	}
	return out
}

// far returns a manoeuvre with the next one a kilometre and a half on.
func far(m guidance.Manoeuvre) guidance.Manoeuvre {
	m.Metres, m.Seconds = 1500, 90
	return m
}

// between puts a start and a destination around manoeuvres.
func between(middle ...guidance.Manoeuvre) []guidance.Manoeuvre {
	list := append([]guidance.Manoeuvre{far(guidance.Manoeuvre{Type: guidance.Start, After: 90, Names: street("Mill Lane")})}, middle...)
	return append(list, guidance.Manoeuvre{Type: guidance.Destination, Travel: list[len(list)-1].Travel})
}

var turns = []guidance.Type{guidance.SlightRight, guidance.Right, guidance.SharpRight, guidance.UturnRight, guidance.UturnLeft, guidance.SharpLeft, guidance.Left, guidance.SlightLeft}

func legs() []leg {
	var list []leg
	add := func(what string, middle ...guidance.Manoeuvre) {
		list = append(list, leg{what, between(middle...), true})
	}

	for i := range 8 {
		start := far(guidance.Manoeuvre{Type: guidance.Start + guidance.Type(i%3), After: 45 * i})
		list = append(list, leg{"start", []guidance.Manoeuvre{start, {Type: guidance.Destination + guidance.Type(i%3)}}, false})
	}
	for i, travel := range []guidance.Travel{guidance.Driving, guidance.Cycling, guidance.Walking} {
		start := far(guidance.Manoeuvre{Type: guidance.Start, Names: [][]guidance.Name{roadNumbers("A48"), street("High Street"), nil}[i], Travel: travel})
		if i == 2 {
			start.Way = guidance.Walkway
		}
		list = append(list, leg{"start by ways of moving", []guidance.Manoeuvre{start, {Type: guidance.Destination, Travel: travel}}, false})
	}
	for _, t := range turns {
		add("turn", far(guidance.Manoeuvre{Type: t, Names: street("High Street")}))
	}
	add("turn without a name", far(guidance.Manoeuvre{Type: guidance.Left}))
	add("turn with road number", far(guidance.Manoeuvre{Type: guidance.Right, Names: roadNumbers("A48", "B4245")}))
	add("turn with many names", far(guidance.Manoeuvre{Type: guidance.Right, Names: append(street("High Street", "Long Street"), roadNumbers("B4245", "E30", "C9")...)}))
	add("turn with the road", far(guidance.Manoeuvre{Type: guidance.Right, Names: street("High Street"), ToStayOn: true}))
	add("turn with the numbered road", far(guidance.Manoeuvre{Type: guidance.Left, Names: roadNumbers("A48"), ToStayOn: true}))
	add("turn at the end of the road", far(guidance.Manoeuvre{Type: guidance.Right, Names: street("High Street"), EndOfRoad: true}))
	add("names at the begin", far(guidance.Manoeuvre{Type: guidance.Left, Names: roadNumbers("A48"), BeginNames: append(street("Long Street"), roadNumbers("A48")...)}))
	for w := guidance.Walkway; w <= guidance.FerryLine; w++ {
		add("unnamed way", far(guidance.Manoeuvre{Type: guidance.Right, Way: w, Travel: guidance.Walking}), far(guidance.Manoeuvre{Type: guidance.Continue, Way: w, Travel: guidance.Walking}))
	}
	add("becomes", far(guidance.Manoeuvre{Type: guidance.Becomes, Names: append(street("Newport Road"), roadNumbers("A48")...)}), far(guidance.Manoeuvre{Type: guidance.Becomes}))
	add("continue", far(guidance.Manoeuvre{Type: guidance.Continue, Names: street("Cardiff Road")}), far(guidance.Manoeuvre{Type: guidance.Continue}))
	add("no type", far(guidance.Manoeuvre{}))

	branch := guidance.Sign{Branch: []string{"A48"}, Toward: []string{"Newport", "Monmouth", "Caldicot"}}
	for _, t := range []guidance.Type{guidance.RampStraight, guidance.RampRight, guidance.RampLeft, guidance.StayStraight, guidance.StayRight, guidance.StayLeft} {
		add("sign", far(guidance.Manoeuvre{Type: t, Sign: branch}), far(guidance.Manoeuvre{Type: t}))
	}
	add("signed to a street", far(guidance.Manoeuvre{Type: guidance.RampRight, Sign: guidance.Sign{Branch: []string{"Station Road"}}}))
	for _, left := range []bool{false, true} {
		for _, t := range []guidance.Type{guidance.ExitRight, guidance.ExitLeft} {
			sign := branch
			sign.Number = []string{"24", "24A", "24B"}
			add("exit", far(guidance.Manoeuvre{Type: t, Sign: sign, DriveOnLeft: left}), far(guidance.Manoeuvre{Type: t, Sign: guidance.Sign{Name: []string{"Coldra"}}, DriveOnLeft: left}))
		}
	}
	add("fork with the road", far(guidance.Manoeuvre{Type: guidance.StayLeft, Names: roadNumbers("M4"), ToStayOn: true, Sign: guidance.Sign{Toward: []string{"London"}}}))
	add("fork by name", far(guidance.Manoeuvre{Type: guidance.StayRight, Names: street("Upper Lane")}))
	for _, t := range []guidance.Type{guidance.Merge, guidance.MergeRight, guidance.MergeLeft} {
		add("merge", far(guidance.Manoeuvre{Type: t, Names: roadNumbers("M4"), Sign: guidance.Sign{Toward: []string{"London"}}}), far(guidance.Manoeuvre{Type: t, Names: street("Ring Road")}), far(guidance.Manoeuvre{Type: t}))
	}

	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13} {
		add("roundabout",
			guidance.Manoeuvre{Type: guidance.RoundaboutEnter, Exits: n, Metres: 60, Seconds: 9},
			far(guidance.Manoeuvre{Type: guidance.RoundaboutExit, Exits: n, Names: roadNumbers("A48"), Sign: guidance.Sign{Toward: []string{"Chepstow"}}}))
	}
	add("roundabout, little known",
		guidance.Manoeuvre{Type: guidance.RoundaboutEnter, Metres: 60, Seconds: 9}, far(guidance.Manoeuvre{Type: guidance.RoundaboutExit}),
		guidance.Manoeuvre{Type: guidance.RoundaboutEnter, Exits: 2, Metres: 60, Seconds: 9}, far(guidance.Manoeuvre{Type: guidance.Left}))

	aboard := guidance.Manoeuvre{Type: guidance.FerryEnter, Way: guidance.FerryLine, Ferry: true}
	for _, name := range []string{"", "Portsmouth – Ryde", "Gosport Ferry", "Autofähre Konstanz", "Traghetto Messina", "Veerpont Schoonhoven", "Balsa Ilhabela", "Färja Visby"} {
		m := far(aboard)
		if name != "" {
			m.Names = street(name)
		}
		add("ferry", m, far(guidance.Manoeuvre{Type: guidance.FerryExit, Names: street("Quay Street")}))
	}
	walk := guidance.Manoeuvre{Travel: guidance.Walking, Metres: 20, Seconds: 15}
	up, steps, moving := walk, walk, walk
	up.Type, steps.Type, moving.Type = guidance.Elevator, guidance.Steps, guidance.Escalator
	add("up and down", up, steps, moving)
	for _, level := range []guidance.Level{{Text: "-1"}, {Text: "Lobby", Named: true}} {
		up.Level, steps.Level, moving.Level = level, level, level
		change := far(guidance.Manoeuvre{Type: guidance.LevelChange, Travel: guidance.Walking, Level: level})
		add("to a floor", up, steps, moving, change)
	}
	for _, t := range []guidance.Type{guidance.EnterBuilding, guidance.LeaveBuilding} {
		add("a building", far(guidance.Manoeuvre{Type: t, Travel: guidance.Walking, Way: guidance.Walkway}), far(guidance.Manoeuvre{Type: t, Travel: guidance.Walking, Names: street("Market Place")}))
	}
	add("bicycle pushed",
		far(guidance.Manoeuvre{Type: guidance.Continue, Travel: guidance.Pushing, Names: street("Market Place")}), far(guidance.Manoeuvre{Type: guidance.Left, Travel: guidance.Pushing}),
		far(guidance.Manoeuvre{Type: guidance.Left, Travel: guidance.Cycling, Way: guidance.CycleTrack}))

	for _, metres := range []float64{20, 80} {
		for i := range 3 {
			list = append(list, leg{"one after the other", []guidance.Manoeuvre{
				{Type: guidance.Start, Names: street("Mill Lane"), Metres: metres, Seconds: 6},
				{Type: guidance.Right, Names: street("High Street"), Metres: metres, Seconds: 6},
				{Type: guidance.Left, EndOfRoad: true, Names: street("Long Street"), Metres: metres, Seconds: 6},
				{Type: guidance.Destination + guidance.Type(i)},
			}, false})
		}
	}
	list = append(list, leg{"nowhere to go", []guidance.Manoeuvre{{Type: guidance.Start}, {Type: guidance.Destination}}, false})
	return list
}

// local are names as the language's own country has them, for the words that
// join them to a sentence.
var local = map[string][]guidance.Name{
	"en-GB": append(street("High Street"), roadNumbers("A48", "M4", "US 1")...),
	"en-US": append(street("Main Street"), roadNumbers("I 95", "US 1")...),
	"de":    append(street("Hauptstraße", "Berliner Straße", "Lange Straße", "Straße des 17. Juni", "Kirchweg", "Tiergartenufer", "Unter den Linden", "Am Markt", "Alter Weg", "Hainer Weg", "Dr. Josef Hoop-Straße", "Krüzgass", "Kirchgässle", "MARKTPLATZ"), roadNumbers("A 8", "B 10")...),
	"fr":    append(street("Rue de Rivoli", "Boulevard Voltaire", "Avenue Foch", "Allée des Tilleuls", "Le Bourg", "Grande Rue", "Ruelle", "Place Bellecour", "Ancienne Route de Paris", "Allées de Tourny"), roadNumbers("A 6", "E 15", "D 12", "N 7")...),
	"es":    append(street("Calle Mayor", "Paseo del Prado", "Gran Vía", "Carrer de Mallorca", "Avinguda Diagonal", "Callejón Sur", "Zumalakarregi Etorbidea"), roadNumbers("A-7", "M-30")...),
	"it":    append(street("Via Roma", "Piazza Navona", "Strada del Sole", "Lungomare Trieste", "Autostrada del Sole"), roadNumbers("A1", "SS12", "E45", "Ex SP 3")...),
	"pt-PT": append(street("Rua Augusta", "Largo do Carmo", "Avenida da Liberdade", "Escadas do Codeçal", "Rossio"), roadNumbers("A1", "IC19", "IP3", "N125")...),
	"pt-BR": append(street("Rua Augusta", "Largo da Carioca"), roadNumbers("BR-101")...),
	"nl":    append(street("Hoofdstraat", "Museumplein", "Lange Voorhout", "Prins Hendrikkade"), roadNumbers("A2", "N201")...),
	"pl":    append(street("Marszałkowska", "Plac Zbawiciela"), roadNumbers("A4", "7")...),
	"sv":    append(street("Storgatan"), roadNumbers("E4", "40")...),
	"cy":    append(street("Heol y Bont", "Rhodfa'r Gogledd"), roadNumbers("A48", "B4245", "M4")...),
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
	var list []guidance.Manoeuvre
	for _, n := range local[tag] {
		one := []guidance.Name{n}
		list = append(list,
			far(guidance.Manoeuvre{Type: guidance.Continue, Names: one}), far(guidance.Manoeuvre{Type: guidance.Right, Names: one}),
			far(guidance.Manoeuvre{Type: guidance.Left, Names: one, ToStayOn: true}), far(guidance.Manoeuvre{Type: guidance.Merge, Names: one}),
			far(guidance.Manoeuvre{Type: guidance.Becomes, Names: one}), far(guidance.Manoeuvre{Type: guidance.StayLeft, Names: one}),
			far(guidance.Manoeuvre{Type: guidance.UturnLeft, Names: one}), far(guidance.Manoeuvre{Type: guidance.UturnRight, Names: one, ToStayOn: true}),
			far(guidance.Manoeuvre{Type: guidance.ExitRight, Sign: guidance.Sign{Number: []string{"12B"}, Branch: []string{n.Text}, Toward: []string{"Bristol"}}}))
	}
	return leg{"names as they are there", between(list...), true}
}
