package narrate

func dutch() wording {
	length := measures{
		Metre: oneOther("één meter", "meter"), Kilometre: oneOther("één kilometer", "kilometer"),
		Yard: oneOther("één yard", "yards"), Foot: oneOther("één voet", "voet"), Mile: oneOther("één mijl", "mijl"),
		Quarter: "een kwart mijl", Half: "een halve mijl", ThreeQuarters: "driekwart mijl",
	}
	with := func(article string, ending ...string) link {
		return link{
			Ending: ending, On: say(" op " + article + "{names}"), Onto: say(" naar " + article + "{names}"), To: say(" naar " + article + "{names}"),
			Merge: say(" op " + article + "{names}"), Stay: say(" en blijf op " + article + "{names}"),
		}
	}

	near := func(article string, first []string, ending ...string) landmarkPhrases {
		return landmarkPhrases{
			First: first, Ending: ending,
			At: say("Bij " + article + " {place}, "), Before: say("Vóór " + article + " {place}, "), After: say("Na " + article + " {place}, "),
		}
	}

	return wording{
		Tag: "nl", Decimal: ',', Length: length, For: length, In: length, Plural: alwaysPlural,

		Go: [3]string{"Rijd", "Fiets", "Loop"},
		Compass: [8]string{
			"in noordelijke richting", "in noordoostelijke richting", "in oostelijke richting", "in zuidoostelijke richting",
			"in zuidelijke richting", "in zuidwestelijke richting", "in westelijke richting", "in noordwestelijke richting",
		},

		Names: []link{
			with(
				"de ", "straat", "weg", "laan", "kade", "gracht", "dijk", "singel", "dreef", "steeg", "baan", "allee", "brug", "markt", "haven",
				"wal", "tunnel", "ring", "boulevard", "promenade", "vaart", "werf", "poort",
			),
			with("het ", "plein", "pad", "plantsoen", "viaduct", "park"), with(""),
		},
		Numbers: []link{with("de ")},
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
		Becomes:   say("Ga nu verder{on}"),
		CarryOn:   say("Ga verder"),
		Continue:  say("Ga verder{on}"),
		GoOnAhead: say("Ga rechtdoor"),

		SlightRight: say("Sla flauw rechtsaf{road}"),
		Right:       say("Sla rechtsaf{road}"),
		SharpRight:  say("Sla scherp rechtsaf{road}"),
		SharpLeft:   say("Sla scherp linksaf{road}"),
		Left:        say("Sla linksaf{road}"),
		SlightLeft:  say("Sla flauw linksaf{road}"),
		Uturn:       say("Keer om{back}"),

		RampStraight:    say("Ga rechtdoor de oprit op{signed}"),
		RampRight:       say("Neem rechts de oprit{signed}"),
		RampLeft:        say("Neem links de oprit{signed}"),
		ExitRight:       say("Neem rechts de afrit{signed}"),
		ExitLeft:        say("Neem links de afrit{signed}"),
		ExitWord:        "Afrit",
		ExitNumber:      say("Neem afrit {number}{signed}"),
		ExitNumberRight: say("Neem rechts afrit {number}{signed}"),
		ExitNumberLeft:  say("Neem links afrit {number}{signed}"),
		KeepStraight:    say("Ga rechtdoor{fork}"),
		KeepRight:       say("Houd rechts aan{fork}"),
		KeepLeft:        say("Houd links aan{fork}"),
		AtExit:          say(" bij afrit {number}"),
		Merge:           say("Voeg in{merge}{toward}"),
		MergeRight:      say("Voeg rechts in{merge}{toward}"),
		MergeLeft:       say("Voeg links in{merge}{toward}"),
		Toward:          say(" richting {names}"),

		Roundabout:      say("Neem op de rotonde {exit}{out}"),
		RoundaboutNamed: say("Neem op de rotonde {names} {exit}{out}"),
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
		Arriving:      say("U bereikt zo meteen uw bestemming"),
		ArrivingRight: say("Uw bestemming ligt zo meteen aan de rechterkant"),
		ArrivingLeft:  say("Uw bestemming ligt zo meteen aan de linkerkant"),
		Reach:         say("bereikt u uw bestemming"),
		ReachRight:    say("ligt uw bestemming aan de rechterkant"),
		ReachLeft:     say("ligt uw bestemming aan de linkerkant"),
		Inverted:      true,

		EndOfRoad: say("Aan het einde van de weg, "),
		Ahead:     say("Over {in}, "),
		ThenAhead: say("Na {in}, "),
		Then:      say("Daarna: "),

		Place: landmarkPhrases{At: say("Bij {place}, "), Before: say("Vóór {place}, "), After: say("Na {place}, ")},
		Places: []landmarkPhrases{
			near("de", []string{"kerk", "kapel", "moskee", "bibliotheek", "apotheek"}, "kerk", "school", "molen", "kapel", "moskee"),
			near("het", []string{"museum", "hotel", "café", "restaurant"}, "station", "museum", "ziekenhuis", "kasteel", "gemeentehuis"),
		},

		Carry:  say("{go} {for} door"),
		Aboard: say("Blijf {for} aan boord"),
		Push:   say("Loop met de fiets aan de hand"),

		ToLevel:       say(" naar niveau {place}"),
		ToPlace:       say(" naar {place}"),
		EnterBuilding: say("Ga het gebouw binnen"),
		LeaveBuilding: say("Verlaat het gebouw"),
		AndOn:         say(" en ga verder{on}"),
	}
}
