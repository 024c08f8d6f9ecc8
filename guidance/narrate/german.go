package narrate

func german() wording {
	length := measures{
		Metre: oneOther("1 Meter", "Meter"), Kilometre: oneOther("1 Kilometer", "Kilometer"),
		Yard: oneOther("1 Yard", "Yards"), Foot: oneOther("1 Fuß", "Fuß"), Mile: oneOther("1 Meile", "Meilen"),
		Quarter: "eine Viertelmeile", Half: "eine halbe Meile", ThreeQuarters: "eine Dreiviertelmeile",
	}
	accusative, dative := length, length
	accusative.Kilometre.One, accusative.Mile.One = "einen Kilometer", "eine Meile"
	dative.Metre, dative.Kilometre = oneOther("einem Meter", "Metern"), oneOther("einem Kilometer", "Kilometern")
	dative.Mile.One = "einer Meile"
	dative.Quarter, dative.Half, dative.ThreeQuarters = "einer Viertelmeile", "einer halben Meile", "einer Dreiviertelmeile"

	with := func(where, whither, to string) link {
		return link{
			On: say(" auf " + where + "{names}"), Onto: say(" auf " + whither + "{names}"), To: say(to + "{names}"),
			Merge: say(" auf " + whither + "{names}"), Stay: say(" und bleiben Sie auf " + where + "{names}"),
		}
	}
	die, den, das := with("der ", "die ", " zur "), with("dem ", "den ", " zum "), with("dem ", "das ", " zum ")
	exitNumber, bare := die, with("", "", " auf ")
	// "Lange Straße" would need its adjective bent where one is on it, but not
	// where one comes to it; "Berliner Straße" never, "Alter Weg" always.
	feminine := link{On: bare.On, Onto: die.Onto, To: die.Onto, Merge: die.Merge, Stay: bare.Stay}
	feminine.Ending = []string{"straße", "strasse", "str.", "gasse", "allee", "chaussee", "brücke", "promenade"}
	bent := bare
	bent.First = []string{
		"alter", "neuer", "großer", "grosser", "kleiner", "langer", "kurzer", "breiter", "hoher", "tiefer", "oberer", "unterer", "mittlerer", "vorderer",
		"hinterer", "innerer", "äußerer", "äusserer", "grüner", "roter", "schwarzer", "weißer", "krummer", "schmaler", "steiler",
	}
	// "Am Markt" is a place that a street is called by.
	called := with("der Straße ", "die Straße ", " zur Straße ")
	called.First = []string{
		"am", "an", "auf", "beim", "bei", "bim", "hinter", "hinterm", "im", "in", "neben", "ob", "unter", "unterm", "vor", "vorm", "zum", "zur", "zwischen",
	}
	dieEver, denEver, dasEver := die, den, das // "Dr. Josef Hoop-Straße"
	dieEver.Ending, denEver.Ending, dasEver.Ending = []string{"-straße", "-strasse", "-str.", "-allee"}, []string{"-weg", "-platz", "-ring"}, []string{"-ufer"}

	die.First, den.First = []string{"straße", "strasse", "allee"}, []string{"platz", "weg"} // "Straße des 17. Juni"
	die.Single, den.Single, das.Single = true, true, true
	die.Ending = []string{
		"er straße", "er strasse", "er allee", "er chaussee", "er gasse", "er brücke", "er landstraße",
		"straße", "strasse", "str.", "gasse", "gass", "allee", "chaussee", "brücke", "promenade", "zeile", "twiete", "stiege",
		"tangente", "autobahn", "umfahrung", "anlage",
	}
	den.Ending = []string{
		"er weg", "er platz", "er ring", "er damm", "er pfad", "er steig", "er markt",
		"weg", "platz", "ring", "damm", "steig", "pfad", "graben", "wall", "stieg", "gürtel", "kai", "markt", "hof",
		"kamp", "tunnel", "zubringer", "kreisel", "gang",
	}
	das.Ending = []string{"ufer", "gässchen", "gäßchen", "gässle", "gässli", "strässle", "sträßle", "wegle", "wegli"}

	near := func(at, article string, first []string, ending ...string) landmarkPhrases {
		return landmarkPhrases{
			First: first, Ending: ending, Single: true,
			At: say(at + "{place} "), Before: say("Vor " + article + " {place} "), After: say("Hinter " + article + " {place} "),
		}
	}

	return wording{
		Tag: "de", Decimal: ',', Length: length, For: accusative, In: dative, Plural: alwaysPlural,

		Go: [3]string{"Fahren Sie", "Fahren Sie", "Gehen Sie"},
		Compass: [8]string{
			"nach Norden", "nach Nordosten", "nach Osten", "nach Südosten",
			"nach Süden", "nach Südwesten", "nach Westen", "nach Nordwesten",
		},

		Names:   []link{called, bent, die, den, das, dieEver, denEver, dasEver, feminine, bare},
		Numbers: []link{exitNumber},
		Traffic: " in den Verkehr",
		Unnamed: ways{
			Walkway:       way{" auf dem Fußweg", " auf den Fußweg"},
			CycleTrack:    way{" auf dem Radweg", " auf den Radweg"},
			MountainTrail: way{" auf der Mountainbike-Strecke", " auf die Mountainbike-Strecke"},
			FieldTrack:    way{" auf dem Feldweg", " auf den Feldweg"},
			Crossing:      way{" über den Fußgängerüberweg", " auf den Fußgängerüberweg"},
			Stairs:        way{" über die Treppe", " auf die Treppe"},
			Ferry:         way{" auf der Fähre", " auf die Fähre"},
		},

		Start:     say("{go}{on} {compass}"),
		Becomes:   say("{go} nun{on} weiter"),
		CarryOn:   say("{go} weiter"),
		Continue:  say("{go}{on} weiter"),
		GoOnAhead: say("{go} geradeaus weiter"),

		SlightRight: say("Biegen Sie leicht rechts{into} ab{stay}"),
		Right:       say("Biegen Sie rechts{into} ab{stay}"),
		SharpRight:  say("Biegen Sie scharf rechts{into} ab{stay}"),
		SharpLeft:   say("Biegen Sie scharf links{into} ab{stay}"),
		Left:        say("Biegen Sie links{into} ab{stay}"),
		SlightLeft:  say("Biegen Sie leicht links{into} ab{stay}"),
		Uturn:       say("Wenden Sie{back}"),

		RampStraight:    say("{go} geradeaus auf die Auffahrt{signed}"),
		RampRight:       say("Nehmen Sie rechts die Auffahrt{signed}"),
		RampLeft:        say("Nehmen Sie links die Auffahrt{signed}"),
		ExitRight:       say("Nehmen Sie rechts die Ausfahrt{signed}"),
		ExitLeft:        say("Nehmen Sie links die Ausfahrt{signed}"),
		ExitWord:        "Ausfahrt",
		ExitNumber:      say("Nehmen Sie die Ausfahrt {number}{signed}"),
		ExitNumberRight: say("Nehmen Sie rechts die Ausfahrt {number}{signed}"),
		ExitNumberLeft:  say("Nehmen Sie links die Ausfahrt {number}{signed}"),
		KeepStraight:    say("{go} geradeaus{fork}"),
		KeepRight:       say("Halten Sie sich rechts{fork}"),
		KeepLeft:        say("Halten Sie sich links{fork}"),
		AtExit:          say(" an der Ausfahrt {number}"),
		Merge:           say("Fädeln Sie sich{merge}{toward} ein"),
		MergeRight:      say("Fädeln Sie sich nach rechts{merge}{toward} ein"),
		MergeLeft:       say("Fädeln Sie sich nach links{merge}{toward} ein"),
		Toward:          say(" Richtung {names}"),

		Roundabout:      say("Nehmen Sie im Kreisverkehr {exit}{out}"),
		RoundaboutNamed: say("Nehmen Sie im Kreisverkehr {names} {exit}{out}"),
		EnterRoundabout: say("{go} in den Kreisverkehr"),
		LeaveRoundabout: say("Verlassen Sie den Kreisverkehr{onto}{toward}"),
		Exits: []string{
			"die erste Ausfahrt", "die zweite Ausfahrt", "die dritte Ausfahrt", "die vierte Ausfahrt",
			"die fünfte Ausfahrt", "die sechste Ausfahrt", "die siebte Ausfahrt", "die achte Ausfahrt",
			"die neunte Ausfahrt", "die zehnte Ausfahrt", "die elfte Ausfahrt", "die zwölfte Ausfahrt",
		},
		ExitN: say("die {n}. Ausfahrt"),

		Ferry:       say("Nehmen Sie die Fähre"),
		FerryNamed:  say("Nehmen Sie die Fähre {names}"),
		FerryItself: say("Nehmen Sie die {names}"),
		FerryWords:  []string{"fähre"},
		LeaveFerry:  say("Verlassen Sie die Fähre{onto}"),
		Lift:        say("Nehmen Sie den Aufzug"),
		Steps:       say("Nehmen Sie die Treppe"),
		Escalator:   say("Nehmen Sie die Rolltreppe"),

		Arrived:       say("Sie haben Ihr Ziel erreicht"),
		ArrivedRight:  say("Ihr Ziel liegt auf der rechten Seite"),
		ArrivedLeft:   say("Ihr Ziel liegt auf der linken Seite"),
		Arriving:      say("Sie erreichen gleich Ihr Ziel"),
		ArrivingRight: say("Gleich liegt Ihr Ziel auf der rechten Seite"),
		ArrivingLeft:  say("Gleich liegt Ihr Ziel auf der linken Seite"),
		Reach:         say("erreichen Sie Ihr Ziel"),
		ReachRight:    say("liegt Ihr Ziel auf der rechten Seite"),
		ReachLeft:     say("liegt Ihr Ziel auf der linken Seite"),
		Inverted:      true,

		// The polite imperative begins with its verb, so no comma is wanted.
		EndOfRoad: say("Am Ende der Straße "),
		Ahead:     say("In {in} "),
		ThenAhead: say("Nach weiteren {in} "),
		Then:      say("Dann "),

		Place: landmarkPhrases{At: say("Bei {place} "), Before: say("Vor {place} "), After: say("Hinter {place} ")},
		Places: []landmarkPhrases{
			near(
				"Bei der ", "der", []string{"kirche", "kapelle", "pension", "gaststätte", "grundschule", "universität", "polizei", "feuerwehr", "post"},
				"kirche", "kapelle", "schule", "apotheke", "tankstelle", "bäckerei", "sparkasse", "volksbank", "moschee", "synagoge", "burg", "mühle", "klinik",
			),
			near(
				"Beim ", "dem", []string{"hotel", "gasthaus", "gasthof", "café", "restaurant", "bahnhof", "museum", "schloss", "kloster", "krankenhaus"},
				"bahnhof", "museum", "krankenhaus", "rathaus", "schloss", "theater", "gymnasium", "turm", "stadion", "supermarkt",
			),
		},

		Carry:  say("{go} {for} weiter"),
		Aboard: say("Bleiben Sie {for} an Bord"),
		Push:   say("Schieben Sie Ihr Fahrrad"),

		ToLevel:       say(" zur Ebene {place}"),
		ToPlace:       say(" bis {place}"),
		EnterBuilding: say("Betreten Sie das Gebäude"),
		LeaveBuilding: say("Verlassen Sie das Gebäude"),
		AndOn:         say(" und gehen Sie weiter{on}"),
	}
}
