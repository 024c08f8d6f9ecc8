package narrate

func german() wording {
	length := measures{
		Metre: oneOther("Meter", "Meter"), Kilometre: oneOther("Kilometer", "Kilometer"),
		Yard: oneOther("Yard", "Yards"), Foot: oneOther("Fuß", "Fuß"), Mile: oneOther("Meile", "Meilen"),
		Quarter: "eine Viertelmeile", Half: "eine halbe Meile", ThreeQuarters: "eine Dreiviertelmeile",
	}
	dative := length
	dative.Metre, dative.Kilometre = oneOther("Meter", "Metern"), oneOther("Kilometer", "Kilometern")
	dative.Quarter, dative.Half, dative.ThreeQuarters = "einer Viertelmeile", "einer halben Meile", "einer Dreiviertelmeile"

	die := link{On: say(" auf der {names}"), Onto: say(" auf die {names}"), Merge: say(" auf die {names}"), Stay: say(", um auf der {names} zu bleiben")}
	den := link{On: say(" auf dem {names}"), Onto: say(" auf den {names}"), Merge: say(" auf den {names}"), Stay: say(", um auf dem {names} zu bleiben")}
	bare := link{On: say(" auf {names}"), Onto: say(" auf {names}"), Merge: say(" auf {names}"), Stay: say(", um auf {names} zu bleiben")}
	number := die
	// "Lange Straße" would need its adjective bent, "Berliner Straße" not.
	die.Single, den.Single = true, true
	die.Ending = []string{
		"er straße", "er strasse", "er allee", "er chaussee", "er gasse", "er brücke",
		"straße", "strasse", "gasse", "allee", "chaussee", "brücke", "promenade", "zeile", "twiete",
	}
	den.Ending = []string{"weg", "platz", "ring", "damm", "steig", "pfad"}

	return wording{
		Tag: "de", Decimal: ',', Length: length, For: length, In: dative, Plural: singularOne,

		Go: [3]string{"Fahren Sie", "Fahren Sie", "Gehen Sie"},
		Compass: [8]string{
			"nach Norden", "nach Nordosten", "nach Osten", "nach Südosten",
			"nach Süden", "nach Südwesten", "nach Westen", "nach Nordwesten",
		},

		Names:   []link{die, den, bare},
		Numbers: []link{number},
		Unnamed: ways{
			Walkway:       way{" auf dem Fußweg", " auf den Fußweg"},
			CycleTrack:    way{" auf dem Radweg", " auf den Radweg"},
			MountainTrail: way{" auf der Mountainbike-Strecke", " auf die Mountainbike-Strecke"},
			FieldTrack:    way{" auf dem Feldweg", " auf den Feldweg"},
			Crossing:      way{" über den Fußgängerüberweg", " über den Fußgängerüberweg"},
			Stairs:        way{" über die Treppe", " auf die Treppe"},
			Ferry:         way{" auf der Fähre", " auf die Fähre"},
		},

		Start:     say("{go} {compass}{on}"),
		Becomes:   say("Folgen Sie dem Straßenverlauf{onto}"),
		CarryOn:   say("{go} weiter"),
		Continue:  say("{go} weiter{on}"),
		GoOnAhead: say("{go} geradeaus weiter"),

		SlightRight: say("Biegen Sie leicht rechts ab{road}"),
		Right:       say("Biegen Sie rechts ab{road}"),
		SharpRight:  say("Biegen Sie scharf rechts ab{road}"),
		SharpLeft:   say("Biegen Sie scharf links ab{road}"),
		Left:        say("Biegen Sie links ab{road}"),
		SlightLeft:  say("Biegen Sie leicht links ab{road}"),
		Uturn:       say("Wenden Sie{road}"),

		RampStraight:    say("{go} geradeaus auf die Auffahrt{signed}"),
		RampRight:       say("Nehmen Sie rechts die Auffahrt{signed}"),
		RampLeft:        say("Nehmen Sie links die Auffahrt{signed}"),
		ExitRight:       say("Nehmen Sie rechts die Ausfahrt{signed}"),
		ExitLeft:        say("Nehmen Sie links die Ausfahrt{signed}"),
		ExitWord:        "Ausfahrt",
		ExitNumber:      say("Nehmen Sie die Ausfahrt {number}{signed}"),
		ExitNumberRight: say("Nehmen Sie rechts die Ausfahrt {number}{signed}"),
		ExitNumberLeft:  say("Nehmen Sie links die Ausfahrt {number}{signed}"),
		KeepStraight:    say("Halten Sie sich geradeaus{fork}"),
		KeepRight:       say("Halten Sie sich rechts{fork}"),
		KeepLeft:        say("Halten Sie sich links{fork}"),
		Merge:           say("Fädeln Sie sich ein{merge}{toward}"),
		MergeRight:      say("Fädeln Sie sich rechts ein{merge}{toward}"),
		MergeLeft:       say("Fädeln Sie sich links ein{merge}{toward}"),
		Toward:          say(" Richtung {names}"),

		Roundabout:      say("Nehmen Sie im Kreisverkehr {exit}{out}"),
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
		ArrivingRight: say("Ihr Ziel liegt gleich auf der rechten Seite"),
		ArrivingLeft:  say("Ihr Ziel liegt gleich auf der linken Seite"),
		Reach:         say("erreichen Sie Ihr Ziel"),
		ReachRight:    say("liegt Ihr Ziel auf der rechten Seite"),
		ReachLeft:     say("liegt Ihr Ziel auf der linken Seite"),
		Inverted:      true,

		// The polite imperative begins with its verb, so no comma is wanted.
		EndOfRoad: say("Am Ende der Straße "),
		Ahead:     say("In {in} "),
		ThenAhead: say("Dann in {in} "),
		Then:      say("Dann "),
		Before:    say("Vor {place} "),
		At:        say("Bei {place} "),
		After:     say("Nach {place} "),

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
