package narrate

// welsh puts names only after words that leave their first letters as they
// are: "ar hyd", "dilyn", "i gyfeiriad".
func welsh() wording {
	length := measures{
		Metre:     oneOther("un metr", "metr"),
		Kilometre: unit{"un cilometr", [3]string{"gilometr", "chilometr", "cilometr"}},
		Yard:      oneOther("un llath", "llath"), Foot: oneOther("un droedfedd", "troedfedd"),
		Mile:    unit{"un filltir", [3]string{"filltir", "milltir", "milltir"}},
		Quarter: "chwarter milltir", Half: "hanner milltir", ThreeQuarters: "tri chwarter milltir",
	}
	after := length // "am" softens
	after.ThreeQuarters = "dri chwarter milltir"

	article := func(y string, first ...string) link {
		return link{
			First: first, On: say(" ar hyd " + y + " {names}"), Onto: say(" i'r {names}"), To: say(" i'r {names}"),
			Merge: say(" ar " + y + " {names}"), Stay: say(" i ddal i ddilyn " + y + " {names}"),
		}
	}

	return wording{
		Tag: "cy", Decimal: '.', Length: length, For: after, In: length, Plural: welshCount,

		Go: [3]string{"Gyrrwch", "Beiciwch", "Cerddwch"},
		// Not "i'r de", south, which in a car sounds like "i'r dde", right.
		Compass: [8]string{
			"tua'r gogledd", "tua'r gogledd-ddwyrain", "tua'r dwyrain", "tua'r de-ddwyrain",
			"tua'r de", "tua'r de-orllewin", "tua'r gorllewin", "tua'r gogledd-orllewin",
		},

		Names: []link{{
			On: say(" ar hyd {names}"), Onto: say(" ar hyd {names}"), To: say(" i gyfeiriad {names}"), Merge: say(" ar hyd {names}"),
			Stay: say(" i ddal i ddilyn {names}"),
		}},
		// Whose name begins with a vowel: yr A48, yr M4; y B4245.
		Numbers: []link{article("yr", "a", "e", "f", "h", "i", "l", "m", "n", "o", "r", "s", "x"), article("y")},
		Unnamed: ways{
			Walkway:       way{" ar hyd y llwybr troed", " i'r llwybr troed"},
			CycleTrack:    way{" ar hyd y llwybr beicio", " i'r llwybr beicio"},
			MountainTrail: way{" ar hyd y llwybr beicio mynydd", " i'r llwybr beicio mynydd"},
			FieldTrack:    way{" ar hyd y trac", " i'r trac"},
			Crossing:      way{" dros y groesfan", " dros y groesfan"},
			Stairs:        way{" ar hyd y grisiau", " i'r grisiau"},
			Ferry:         way{" ar y fferi", " i'r fferi"},
		},

		Start:     say("Ewch {compass}{on}"),
		Becomes:   say("Ewch ymlaen nawr{on}"),
		CarryOn:   say("Ewch yn eich blaen"),
		Continue:  say("Ewch ymlaen{on}"),
		GoOnAhead: say("Ewch yn syth ymlaen"),

		SlightRight: say("Trowch ychydig i'r dde{road}"),
		Right:       say("Trowch i'r dde{road}"),
		SharpRight:  say("Trowch yn siarp i'r dde{road}"),
		SharpLeft:   say("Trowch yn siarp i'r chwith{road}"),
		Left:        say("Trowch i'r chwith{road}"),
		SlightLeft:  say("Trowch ychydig i'r chwith{road}"),
		Uturn:       say("Gwnewch dro pedol{back}"),

		RampStraight:    say("Ewch yn syth ymlaen ar y slipffordd{signed}"),
		RampRight:       say("Cymerwch y slipffordd ar y dde{signed}"),
		RampLeft:        say("Cymerwch y slipffordd ar y chwith{signed}"),
		ExitRight:       say("Cymerwch yr allanfa ar y dde{signed}"),
		ExitLeft:        say("Cymerwch yr allanfa ar y chwith{signed}"),
		ExitWord:        "Allanfa",
		ExitNumber:      say("Cymerwch allanfa {number}{signed}"),
		ExitNumberRight: say("Cymerwch allanfa {number} ar y dde{signed}"),
		ExitNumberLeft:  say("Cymerwch allanfa {number} ar y chwith{signed}"),
		KeepStraight:    say("Daliwch i fynd yn syth ymlaen{fork}"),
		KeepRight:       say("Cadwch i'r dde{fork}"),
		KeepLeft:        say("Cadwch i'r chwith{fork}"),
		AtExit:          say(" wrth allanfa {number}"),
		Merge:           say("Ymunwch â'r traffig{merge}{toward}"),
		MergeRight:      say("Ymunwch â'r traffig ar y dde{merge}{toward}"),
		MergeLeft:       say("Ymunwch â'r traffig ar y chwith{merge}{toward}"),
		Toward:          say(" i gyfeiriad {names}"),

		Roundabout:      say("Wrth y gylchfan, cymerwch {exit}{out}"),
		RoundaboutNamed: say("Wrth gylchfan {names}, cymerwch {exit}{out}"),
		EnterRoundabout: say("Ewch i mewn i'r gylchfan"),
		LeaveRoundabout: say("Gadewch y gylchfan{onto}{toward}"),
		Exits: []string{
			"yr allanfa gyntaf", "yr ail allanfa", "y drydedd allanfa", "y bedwaredd allanfa", "y bumed allanfa",
			"y chweched allanfa", "y seithfed allanfa", "yr wythfed allanfa", "y nawfed allanfa", "y ddegfed allanfa",
			"yr unfed allanfa ar ddeg", "y ddeuddegfed allanfa",
		},
		ExitN: say("allanfa rhif {n}"),

		Ferry:       say("Ewch ar y fferi"),
		FerryNamed:  say("Ewch ar y fferi: {names}"),
		FerryItself: say("Ewch ar y fferi: {names}"),
		FerryWords:  []string{"fferi"},
		LeaveFerry:  say("Gadewch y fferi{onto}"),
		Lift:        say("Cymerwch y lifft"),
		Steps:       say("Cymerwch y grisiau"),
		Escalator:   say("Cymerwch y grisiau symudol"),

		Arrived:       say("Rydych wedi cyrraedd pen eich taith"),
		ArrivedRight:  say("Mae pen eich taith ar y dde"),
		ArrivedLeft:   say("Mae pen eich taith ar y chwith"),
		Arriving:      say("Byddwch yn cyrraedd pen eich taith"),
		ArrivingRight: say("Bydd pen eich taith ar y dde"),
		ArrivingLeft:  say("Bydd pen eich taith ar y chwith"),
		Reach:         say("byddwch yn cyrraedd pen eich taith"),
		ReachRight:    say("bydd pen eich taith ar y dde"),
		ReachLeft:     say("bydd pen eich taith ar y chwith"),

		EndOfRoad: say("Ym mhen draw'r ffordd, "),
		Ahead:     say("Ymhen {in}, "),
		ThenAhead: say("Yna, ymhen {in}, "),
		Then:      say("Yna "),

		Place: landmarkPhrases{At: say("Ger {place}, "), Before: say("Cyn cyrraedd {place}, "), After: say("Ar ôl pasio {place}, ")},

		Carry:  say("Ewch ymlaen am {for}"),
		Aboard: say("Arhoswch ar y fferi am {for}"),
		Push:   say("Gwthiwch eich beic"),

		ToLevel:       say(" i lefel {place}"),
		ToPlace:       say(" i {place}"),
		EnterBuilding: say("Ewch i mewn i'r adeilad"),
		LeaveBuilding: say("Ewch allan o'r adeilad"),
		AndOn:         say(" ac ewch ymlaen{on}"),
	}
}

// welshCount chooses the mutation that a number brings: 2 gilometr, 3 or 6
// chilometr, 5 cilometr.
func welshCount(halves int) int {
	switch halves {
	case 4:
		return 0
	case 6, 12:
		return 1
	}
	return 2
}
