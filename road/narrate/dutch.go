package narrate

func dutch() wording {
	length := measures{
		Metre: oneOther("meter", "meter"), Kilometre: oneOther("kilometer", "kilometer"),
		Yard: oneOther("yard", "yards"), Foot: oneOther("voet", "voet"), Mile: oneOther("mijl", "mijl"),
		Quarter: "een kwart mijl", Half: "een halve mijl", ThreeQuarters: "driekwart mijl",
	}
	de := link{On: say(" op de {names}"), Onto: say(" naar de {names}"), Merge: say(" op de {names}"), Stay: say(" om op de {names} te blijven")}
	het := link{On: say(" op het {names}"), Onto: say(" naar het {names}"), Merge: say(" op het {names}"), Stay: say(" om op het {names} te blijven")}
	bare := link{On: say(" op {names}"), Onto: say(" naar {names}"), Merge: say(" op {names}"), Stay: say(" om op {names} te blijven")}
	number := de
	de.Ending = []string{"straat", "weg", "laan", "kade", "gracht", "dijk", "singel", "dreef", "steeg", "baan", "allee", "brug", "markt", "haven"}
	het.Ending = []string{"plein", "pad", "plantsoen"}

	return wording{
		Tag: "nl", Decimal: ',', Length: length, For: length, In: length, Plural: singularOne,

		Go: [3]string{"Rijd", "Fiets", "Loop"},
		Compass: [8]string{
			"naar het noorden", "naar het noordoosten", "naar het oosten", "naar het zuidoosten",
			"naar het zuiden", "naar het zuidwesten", "naar het westen", "naar het noordwesten",
		},

		Names:   []link{de, het, bare},
		Numbers: []link{number},
		Unnamed: ways{
			Walkway:       way{" op het voetpad", " naar het voetpad"},
			CycleTrack:    way{" op het fietspad", " naar het fietspad"},
			MountainTrail: way{" op het mountainbikepad", " naar het mountainbikepad"},
			FieldTrack:    way{" op de landweg", " naar de landweg"},
			Crossing:      way{" op de oversteekplaats", " naar de oversteekplaats"},
			Stairs:        way{" op de trap", " naar de trap"},
			Ferry:         way{" op de veerboot", " naar de veerboot"},
		},

		Start:     say("{go} {compass}{on}"),
		Becomes:   say("Volg de weg, die verdergaat als {names}"),
		CarryOn:   say("Ga verder"),
		Continue:  say("Ga verder{on}"),
		GoOnAhead: say("Ga rechtdoor"),

		SlightRight: say("Sla flauw rechtsaf{road}"),
		Right:       say("Sla rechtsaf{road}"),
		SharpRight:  say("Sla scherp rechtsaf{road}"),
		SharpLeft:   say("Sla scherp linksaf{road}"),
		Left:        say("Sla linksaf{road}"),
		SlightLeft:  say("Sla flauw linksaf{road}"),
		Uturn:       say("Maak een U-bocht{road}"),

		RampStraight:    say("Ga rechtdoor de oprit op{signed}"),
		RampRight:       say("Neem de oprit rechts{signed}"),
		RampLeft:        say("Neem de oprit links{signed}"),
		ExitRight:       say("Neem de afrit rechts{signed}"),
		ExitLeft:        say("Neem de afrit links{signed}"),
		ExitWord:        "Afrit",
		ExitNumber:      say("Neem afrit {number}{signed}"),
		ExitNumberRight: say("Neem afrit {number} rechts{signed}"),
		ExitNumberLeft:  say("Neem afrit {number} links{signed}"),
		KeepStraight:    say("Houd rechtdoor aan{fork}"),
		KeepRight:       say("Houd rechts aan{fork}"),
		KeepLeft:        say("Houd links aan{fork}"),
		Merge:           say("Voeg in{merge}{toward}"),
		MergeRight:      say("Voeg rechts in{merge}{toward}"),
		MergeLeft:       say("Voeg links in{merge}{toward}"),
		Toward:          say(" richting {names}"),

		Roundabout:      say("Neem op de rotonde {exit}{out}"),
		EnterRoundabout: say("{go} de rotonde op"),
		LeaveRoundabout: say("Verlaat de rotonde{onto}{toward}"),
		Exits: []string{
			"de eerste afslag", "de tweede afslag", "de derde afslag", "de vierde afslag", "de vijfde afslag",
			"de zesde afslag", "de zevende afslag", "de achtste afslag", "de negende afslag", "de tiende afslag",
		},
		ExitN: say("de {n}e afslag"),

		Ferry:       say("Neem de veerboot"),
		FerryNamed:  say("Neem de veerboot {names}"),
		FerryItself: say("Neem de {names}"),
		FerryWords:  []string{"veerboot", "veerpont", "veerdienst", "ferry"},
		LeaveFerry:  say("Verlaat de veerboot{onto}"),
		Lift:        say("Neem de lift"),
		Steps:       say("Neem de trap"),
		Escalator:   say("Neem de roltrap"),

		Arrived:       say("U hebt uw bestemming bereikt"),
		ArrivedRight:  say("Uw bestemming ligt aan de rechterkant"),
		ArrivedLeft:   say("Uw bestemming ligt aan de linkerkant"),
		Arriving:      say("U bereikt zo uw bestemming"),
		ArrivingRight: say("Uw bestemming ligt zo aan de rechterkant"),
		ArrivingLeft:  say("Uw bestemming ligt zo aan de linkerkant"),
		Reach:         say("bereikt u uw bestemming"),
		ReachRight:    say("ligt uw bestemming aan de rechterkant"),
		ReachLeft:     say("ligt uw bestemming aan de linkerkant"),
		Inverted:      true,

		EndOfRoad: say("Aan het einde van de weg, "),
		Ahead:     say("Over {in}, "),
		ThenAhead: say("Daarna, over {in}, "),
		Then:      say("Daarna: "),
		Before:    say("Voor {place}, "),
		At:        say("Bij {place}, "),
		After:     say("Na {place}, "),

		Carry:  say("Ga {for} verder"),
		Aboard: say("Blijf {for} aan boord"),
		Push:   say("Loop met de fiets aan de hand"),

		ToLevel:       say(" naar niveau {place}"),
		ToPlace:       say(" naar {place}"),
		EnterBuilding: say("Ga het gebouw binnen"),
		LeaveBuilding: say("Verlaat het gebouw"),
		AndOn:         say(" en ga verder{on}"),
	}
}
