package narrate

// polish names streets after a colon, where they need not be declined; it
// calls what has a number a road and declines that.
func polish() wording {
	length := measures{
		Metre: unit{"jeden metr", [3]string{"metry", "metrów", "metra"}}, Kilometre: unit{"jeden kilometr", [3]string{"kilometry", "kilometrów", "kilometra"}},
		Yard: unit{"jeden jard", [3]string{"jardy", "jardów", "jarda"}}, Foot: unit{"jedna stopa", [3]string{"stopy", "stóp", "stopy"}},
		Mile: unit{"jedna mila", [3]string{"mile", "mil", "mili"}}, Quarter: "ćwierć mili", Half: "pół mili", ThreeQuarters: "trzy czwarte mili",
	}
	accusative := length
	accusative.Foot.One, accusative.Mile.One = "jedną stopę", "jedną milę"

	with := func(exitNumber string, first ...string) link {
		return link{
			First: first, On: say(" drogą " + exitNumber + "{names}"), Onto: say(" na drogę " + exitNumber + "{names}"), To: say(" na drogę " + exitNumber + "{names}"),
			Merge: say(" na drodze " + exitNumber + "{names}"), Stay: say(", pozostając na drodze " + exitNumber + "{names}"),
		}
	}

	return wording{
		Tag: "pl", Decimal: ',', Length: length, For: accusative, In: accusative, Plural: polishPlural,

		Go: [3]string{"Jedź", "Jedź", "Idź"},
		Compass: [8]string{
			"na północ", "na północny wschód", "na wschód", "na południowy wschód",
			"na południe", "na południowy zachód", "na zachód", "na północny zachód",
		},

		Names:   []link{{On: say(": {names}"), Onto: say(": {names}"), To: say(": {names}"), Merge: say(": {names}"), Stay: say(", pozostając na drodze: {names}")}},
		Numbers: []link{with("numer ", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), with("")}, // droga numer 7, but A4
		Unnamed: ways{
			Walkway:       way{" drogą dla pieszych", " na drogę dla pieszych"},
			CycleTrack:    way{" drogą rowerową", " na drogę rowerową"},
			MountainTrail: way{" trasą dla rowerów górskich", " na trasę dla rowerów górskich"},
			FieldTrack:    way{" drogą gruntową", " na drogę gruntową"},
			Crossing:      way{" przez przejście dla pieszych", " na przejście dla pieszych"},
			Stairs:        way{" schodami", " na schody"},
			Ferry:         way{" promem", " na prom"},
		},

		Start:     say("{go} {compass}{on}"),
		Becomes:   say("{go} teraz{on}"),
		CarryOn:   say("{go} dalej"),
		Continue:  say("{go} dalej{on}"),
		GoOnAhead: say("{go} dalej prosto"),

		SlightRight: say("Skręć lekko w prawo{road}"),
		Right:       say("Skręć w prawo{road}"),
		SharpRight:  say("Skręć ostro w prawo{road}"),
		SharpLeft:   say("Skręć ostro w lewo{road}"),
		Left:        say("Skręć w lewo{road}"),
		SlightLeft:  say("Skręć lekko w lewo{road}"),
		Uturn:       say("Zawróć{back}"),

		RampStraight:    say("{go} prosto łącznicą{signed}"),
		RampRight:       say("Wybierz łącznicę po prawej stronie{signed}"),
		RampLeft:        say("Wybierz łącznicę po lewej stronie{signed}"),
		ExitRight:       say("Wybierz zjazd po prawej stronie{signed}"),
		ExitLeft:        say("Wybierz zjazd po lewej stronie{signed}"),
		ExitWord:        "Zjazd",
		ExitNumber:      say("Wybierz zjazd {number}{signed}"),
		ExitNumberRight: say("Wybierz zjazd {number} po prawej stronie{signed}"),
		ExitNumberLeft:  say("Wybierz zjazd {number} po lewej stronie{signed}"),
		KeepStraight:    say("Na rozwidleniu kieruj się prosto{fork}"),
		KeepRight:       say("Na rozwidleniu kieruj się w prawo{fork}"),
		KeepLeft:        say("Na rozwidleniu kieruj się w lewo{fork}"),
		AtExit:          say(" przy zjeździe {number}"),
		Merge:           say("Włącz się do ruchu{merge}{toward}"),
		MergeRight:      say("Włącz się do ruchu po prawej stronie{merge}{toward}"),
		MergeLeft:       say("Włącz się do ruchu po lewej stronie{merge}{toward}"),
		Toward:          say(", kierunek {names}"),

		Roundabout:      say("Na rondzie wybierz {exit}{out}"),
		RoundaboutNamed: say("Na rondzie {names} wybierz {exit}{out}"),
		EnterRoundabout: say("Wjedź na rondo"),
		LeaveRoundabout: say("Zjedź z ronda{onto}{toward}"),
		Exits: []string{
			"pierwszy zjazd", "drugi zjazd", "trzeci zjazd", "czwarty zjazd", "piąty zjazd",
			"szósty zjazd", "siódmy zjazd", "ósmy zjazd", "dziewiąty zjazd", "dziesiąty zjazd",
		},
		ExitN: say("zjazd numer {n}"),

		Ferry:       say("Przepraw się promem"),
		FerryNamed:  say("Przepraw się promem: {names}"),
		FerryItself: say("Przepraw się promem: {names}"),
		FerryWords:  []string{"prom"},
		LeaveFerry:  say("Opuść prom{onto}"),
		Lift:        say("Skorzystaj z windy"),
		Steps:       say("Skorzystaj ze schodów"),
		Escalator:   say("Skorzystaj ze schodów ruchomych"),

		Arrived:       say("Jesteś u celu"),
		ArrivedRight:  say("Cel znajduje się po prawej stronie"),
		ArrivedLeft:   say("Cel znajduje się po lewej stronie"),
		Arriving:      say("Zbliżasz się do celu"),
		ArrivingRight: say("Cel będzie po prawej stronie"),
		ArrivingLeft:  say("Cel będzie po lewej stronie"),
		Reach:         say("dotrzesz do celu"),
		ReachRight:    say("cel będzie po prawej stronie"),
		ReachLeft:     say("cel będzie po lewej stronie"),

		EndOfRoad: say("Na końcu drogi "),
		Ahead:     say("Za {in} "),
		ThenAhead: say("Potem za {in} "),
		Then:      say("Potem "),

		Place: landmarkPhrases{At: say("Przy obiekcie „{place}” "), Before: say("Przed obiektem „{place}” "), After: say("Za obiektem „{place}” ")},

		Carry:  say("{go} dalej przez {for}"),
		Aboard: say("Pozostań na promie przez {for}"),
		Push:   say("Prowadź rower"),

		ToLevel:       say(" na poziom {place}"),
		ToPlace:       say(" na poziom {place}"),
		EnterBuilding: say("Wejdź do budynku"),
		LeaveBuilding: say("Wyjdź z budynku"),
		AndOn:         say(" i idź dalej{on}"),
	}
}

// polishPlural is 2 kilometry, 5 kilometrów, 1,5 kilometra.
func polishPlural(halves int) int {
	n := halves / 2
	switch {
	case halves%2 != 0:
		return 2
	case n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14):
		return 0
	}
	return 1
}
