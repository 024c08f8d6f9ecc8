package narrate

func french() wording {
	length := measures{
		Metre: oneOther("mètre", "mètres"), Kilometre: oneOther("kilomètre", "kilomètres"),
		Yard: oneOther("yard", "yards"), Foot: oneOther("pied", "pieds"), Mile: oneOther("mile", "miles"),
		Quarter: "un quart de mile", Half: "un demi-mile", ThreeQuarters: "trois quarts de mile",
	}
	la := link{On: say(" sur la {names}"), Onto: say(" sur la {names}"), Merge: say(" sur la {names}"), Stay: say(" pour rester sur la {names}")}
	le := link{On: say(" sur le {names}"), Onto: say(" sur le {names}"), Merge: say(" sur le {names}"), Stay: say(" pour rester sur le {names}")}
	elided := link{On: say(" sur l'{names}"), Onto: say(" sur l'{names}"), Merge: say(" sur l'{names}"), Stay: say(" pour rester sur l'{names}")}
	bare := link{On: say(" sur {names}"), Onto: say(" sur {names}"), Merge: say(" sur {names}"), Stay: say(" pour rester sur {names}")}
	number, elidedNumber := la, elided
	elidedNumber.First = []string{"a", "e"} // l'A6, l'E15; la D12, la N7
	la.First = []string{"rue", "route", "place", "chaussée", "promenade", "ruelle", "voie", "grande rue", "venelle", "montée", "côte"}
	le.First = []string{"boulevard", "chemin", "quai", "cours", "pont", "passage", "square", "sentier", "rond-point", "mail"}
	elided.First = []string{"avenue", "allée", "impasse", "esplanade", "autoroute"}

	return wording{
		// Below two, a French unit is singular: 1,5 kilomètre.
		Tag: "fr", Decimal: ',', Length: length, For: length, In: length, Plural: singularBelowTwo,

		Go: [3]string{"Roulez", "Roulez", "Marchez"},
		Compass: [8]string{
			"vers le nord", "vers le nord-est", "vers l'est", "vers le sud-est",
			"vers le sud", "vers le sud-ouest", "vers l'ouest", "vers le nord-ouest",
		},

		Names:   []link{la, le, elided, bare},
		Numbers: []link{elidedNumber, number},
		Unnamed: ways{
			Walkway:       way{" sur le chemin piéton", " sur le chemin piéton"},
			CycleTrack:    way{" sur la piste cyclable", " sur la piste cyclable"},
			MountainTrail: way{" sur la piste de VTT", " sur la piste de VTT"},
			FieldTrack:    way{" sur le chemin de terre", " sur le chemin de terre"},
			Crossing:      way{" sur le passage piéton", " sur le passage piéton"},
			Stairs:        way{" par l'escalier", " par l'escalier"},
			Ferry:         way{" sur le ferry", " sur le ferry"},
		},

		Start:     say("Dirigez-vous {compass}{on}"),
		Becomes:   say("La route devient {names}"),
		CarryOn:   say("Continuez"),
		Continue:  say("Continuez{on}"),
		GoOnAhead: say("Continuez tout droit"),

		SlightRight: say("Tournez légèrement à droite{road}"),
		Right:       say("Tournez à droite{road}"),
		SharpRight:  say("Tournez franchement à droite{road}"),
		SharpLeft:   say("Tournez franchement à gauche{road}"),
		Left:        say("Tournez à gauche{road}"),
		SlightLeft:  say("Tournez légèrement à gauche{road}"),
		Uturn:       say("Faites demi-tour{road}"),

		RampStraight:    say("Continuez tout droit sur la bretelle{signed}"),
		RampRight:       say("Prenez la bretelle à droite{signed}"),
		RampLeft:        say("Prenez la bretelle à gauche{signed}"),
		ExitRight:       say("Prenez la sortie à droite{signed}"),
		ExitLeft:        say("Prenez la sortie à gauche{signed}"),
		ExitWord:        "Sortie",
		ExitNumber:      say("Prenez la sortie {number}{signed}"),
		ExitNumberRight: say("Prenez la sortie {number} à droite{signed}"),
		ExitNumberLeft:  say("Prenez la sortie {number} à gauche{signed}"),
		KeepStraight:    say("Restez tout droit{fork}"),
		KeepRight:       say("Serrez à droite{fork}"),
		KeepLeft:        say("Serrez à gauche{fork}"),
		Merge:           say("Insérez-vous dans la circulation{merge}{toward}"),
		MergeRight:      say("Insérez-vous à droite{merge}{toward}"),
		MergeLeft:       say("Insérez-vous à gauche{merge}{toward}"),
		Toward:          say(" direction {names}"),

		Roundabout:      say("Au rond-point, prenez {exit}{out}"),
		EnterRoundabout: say("Engagez-vous dans le rond-point"),
		LeaveRoundabout: say("Quittez le rond-point{onto}{toward}"),
		Exits: []string{
			"la première sortie", "la deuxième sortie", "la troisième sortie", "la quatrième sortie",
			"la cinquième sortie", "la sixième sortie", "la septième sortie", "la huitième sortie",
			"la neuvième sortie", "la dixième sortie", "la onzième sortie", "la douzième sortie",
		},
		ExitN: say("la {n}e sortie"),

		Ferry:       say("Prenez le ferry"),
		FerryNamed:  say("Prenez le ferry {names}"),
		FerryItself: say("Prenez le {names}"),
		FerryWords:  []string{"ferry"},
		LeaveFerry:  say("Quittez le ferry{onto}"),
		Lift:        say("Prenez l'ascenseur"),
		Steps:       say("Prenez l'escalier"),
		Escalator:   say("Prenez l'escalier mécanique"),

		Arrived:       say("Vous avez atteint votre destination"),
		ArrivedRight:  say("Votre destination est sur la droite"),
		ArrivedLeft:   say("Votre destination est sur la gauche"),
		Arriving:      say("Vous allez atteindre votre destination"),
		ArrivingRight: say("Votre destination sera sur la droite"),
		ArrivingLeft:  say("Votre destination sera sur la gauche"),
		Reach:         say("vous atteindrez votre destination"),
		ReachRight:    say("votre destination sera sur la droite"),
		ReachLeft:     say("votre destination sera sur la gauche"),

		EndOfRoad: say("Au bout de la route, "),
		Ahead:     say("Dans {in}, "),
		ThenAhead: say("Puis, dans {in}, "),
		Then:      say("Puis "),
		Before:    say("Avant {place}, "),
		At:        say("Devant {place}, "),
		After:     say("Après {place}, "),

		Carry:  say("Continuez sur {for}"),
		Aboard: say("Restez à bord pendant {for}"),
		Push:   say("Poussez votre vélo"),

		ToLevel:       say(" jusqu'au niveau {place}"),
		ToPlace:       say(" jusqu'à {place}"),
		EnterBuilding: say("Entrez dans le bâtiment"),
		LeaveBuilding: say("Sortez du bâtiment"),
		AndOn:         say(" et continuez{on}"),
	}
}

// singularBelowTwo is the plural rule of French and of Brazil.
func singularBelowTwo(halves int) int {
	if halves < 4 {
		return 0
	}
	return 1
}
