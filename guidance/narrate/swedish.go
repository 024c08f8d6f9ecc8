package narrate

func swedish() wording {
	length := measures{
		Metre: oneOther("en meter", "meter"), Kilometre: oneOther("en kilometer", "kilometer"),
		Yard: oneOther("en yard", "yard"), Foot: oneOther("en fot", "fot"),
		Mile:    oneOther("en engelsk mil", "engelska mil"), // a mil is ten kilometres
		Quarter: "en kvarts engelsk mil", Half: "en halv engelsk mil", ThreeQuarters: "tre kvarts engelsk mil",
	}
	with := func(road string, first ...string) link {
		return link{
			First: first, On: say(" på " + road + "{names}"), Onto: say(" in på " + road + "{names}"), To: say(" in på " + road + "{names}"),
			Merge: say(" på " + road + "{names}"), Stay: say(" för att fortsätta på " + road + "{names}"),
		}
	}

	return wording{
		Tag: "sv", Decimal: ',', Length: length, For: length, In: length, Plural: alwaysPlural,

		Go: [3]string{"Kör", "Cykla", "Gå"},
		Compass: [8]string{
			"norrut", "åt nordost", "österut", "åt sydost",
			"söderut", "åt sydväst", "västerut", "åt nordväst",
		},

		Names:   []link{with("")},
		Numbers: []link{with("väg ", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), with("")}, // väg 40, but E4
		Unnamed: ways{
			Walkway:       way{" på gångvägen", " in på gångvägen"},
			CycleTrack:    way{" på cykelvägen", " in på cykelvägen"},
			MountainTrail: way{" på mountainbikeleden", " in på mountainbikeleden"},
			FieldTrack:    way{" på traktorvägen", " in på traktorvägen"},
			Crossing:      way{" över övergångsstället", " över övergångsstället"},
			Stairs:        way{" i trappan", " till trappan"},
			Ferry:         way{" på färjan", " mot färjan"},
		},

		Start:     say("{go} {compass}{on}"),
		Becomes:   say("Fortsätt nu{on}"),
		CarryOn:   say("Fortsätt"),
		Continue:  say("Fortsätt{on}"),
		GoOnAhead: say("Fortsätt rakt fram"),

		SlightRight: say("Sväng svagt åt höger{road}"),
		Right:       say("Sväng höger{road}"),
		SharpRight:  say("Sväng skarpt åt höger{road}"),
		SharpLeft:   say("Sväng skarpt åt vänster{road}"),
		Left:        say("Sväng vänster{road}"),
		SlightLeft:  say("Sväng svagt åt vänster{road}"),
		Uturn:       say("Gör en U-sväng{back}"),

		RampStraight:    say("Fortsätt rakt fram på rampen{signed}"),
		RampRight:       say("Ta rampen till höger{signed}"),
		RampLeft:        say("Ta rampen till vänster{signed}"),
		ExitRight:       say("Ta avfarten till höger{signed}"),
		ExitLeft:        say("Ta avfarten till vänster{signed}"),
		ExitWord:        "Avfart",
		ExitNumber:      say("Ta avfart {number}{signed}"),
		ExitNumberRight: say("Ta avfart {number} till höger{signed}"),
		ExitNumberLeft:  say("Ta avfart {number} till vänster{signed}"),
		KeepStraight:    say("Fortsätt rakt fram{fork}"),
		KeepRight:       say("Håll till höger{fork}"),
		KeepLeft:        say("Håll till vänster{fork}"),
		AtExit:          say(" vid avfart {number}"),
		Merge:           say("Anslut till trafiken{merge}{toward}"),
		MergeRight:      say("Anslut åt höger till trafiken{merge}{toward}"),
		MergeLeft:       say("Anslut åt vänster till trafiken{merge}{toward}"),
		Toward:          say(" mot {names}"),

		Roundabout:      say("I rondellen, ta {exit}{out}"),
		RoundaboutNamed: say("I rondellen {names}, ta {exit}{out}"),
		EnterRoundabout: say("{go} in i rondellen"),
		LeaveRoundabout: say("{go} ut ur rondellen{merge}{toward}"),
		Exits: []string{
			"första avfarten", "andra avfarten", "tredje avfarten", "fjärde avfarten", "femte avfarten",
			"sjätte avfarten", "sjunde avfarten", "åttonde avfarten", "nionde avfarten", "tionde avfarten",
		},
		ExitN: say("avfart nummer {n}"),

		Ferry:       say("Ta färjan"),
		FerryNamed:  say("Ta färjan {names}"),
		FerryItself: say("Ta {names}"),
		FerryWords:  []string{"färja"},
		LeaveFerry:  say("{go} av färjan{onto}"),
		Lift:        say("Ta hissen"),
		Steps:       say("Ta trappan"),
		Escalator:   say("Ta rulltrappan"),

		Arrived:       say("Du är framme vid din destination"),
		ArrivedRight:  say("Din destination ligger på höger sida"),
		ArrivedLeft:   say("Din destination ligger på vänster sida"),
		Arriving:      say("Du är snart framme vid din destination"),
		ArrivingRight: say("Din destination ligger snart på höger sida"),
		ArrivingLeft:  say("Din destination ligger snart på vänster sida"),
		Reach:         say("är du framme vid din destination"),
		ReachRight:    say("ligger din destination på höger sida"),
		ReachLeft:     say("ligger din destination på vänster sida"),
		Inverted:      true,

		EndOfRoad: say("I slutet av vägen, "),
		Ahead:     say("Om {in}, "),
		ThenAhead: say("Efter {in}, "),
		Then:      say("Sedan: "),

		Place: landmarkPhrases{At: say("Vid {place}, "), Before: say("Före {place}, "), After: say("Efter {place}, ")},

		Carry:  say("Fortsätt i {for}"),
		Aboard: say("Stanna kvar ombord i {for}"),
		Push:   say("Led cykeln"),

		ToLevel:       say(" till plan {place}"),
		ToPlace:       say(" till {place}"),
		EnterBuilding: say("Gå in i byggnaden"),
		LeaveBuilding: say("Lämna byggnaden"),
		AndOn:         say(" och fortsätt{on}"),
	}
}
