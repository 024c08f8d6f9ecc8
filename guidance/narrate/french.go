package narrate

func french() wording {
	length := measures{
		Metre: belowTwo("un", "mètre", "mètres"), Kilometre: belowTwo("un", "kilomètre", "kilomètres"),
		Yard: belowTwo("un", "yard", "yards"), Foot: belowTwo("un", "pied", "pieds"), Mile: belowTwo("un", "mile", "miles"),
		Quarter: "un quart de mile", Half: "un demi-mile", ThreeQuarters: "trois quarts de mile",
	}
	// One is in a street, but on an avenue or a road.
	with := func(on, article string, first ...string) link {
		return link{
			First: first, On: say(on + article + "{names}"), Onto: say(on + article + "{names}"), To: say(" vers " + article + "{names}"),
			Merge: say(" sur " + article + "{names}"), Stay: say(" pour rester" + on + article + "{names}"),
		}
	}

	near := func(article string, first ...string) landmarkPhrases {
		return landmarkPhrases{
			First: first, At: say("Devant " + article + "{place}, "), Before: say("Avant " + article + "{place}, "), After: say("Après " + article + "{place}, "),
		}
	}

	return wording{
		// Below two, a French unit is singular: 1,5 kilomètre.
		Tag: "fr", Decimal: ',', Length: length, For: length, In: length, Plural: pluralFromTwo,

		Go: [3]string{"Roulez", "Roulez", "Marchez"},
		Compass: [8]string{
			"vers le nord", "vers le nord-est", "vers l'est", "vers le sud-est",
			"vers le sud", "vers le sud-ouest", "vers l'ouest", "vers le nord-ouest",
		},

		Names: []link{
			with(" dans ", "la ", "rue", "ruelle", "petite rue", "grande rue", "grand rue", "grand'rue", "grand’rue", "grand-rue", "venelle", "cité", "résidence", "traverse", "cour", "sente"),
			with(" dans ", "le ", "passage", "lotissement", "hameau", "clos", "faubourg", "tunnel"),
			with(" dans ", "l'", "impasse", "allée", "escalier"),
			with(
				" sur ", "la ", "route", "place", "placette", "chaussée", "promenade", "voie", "montée", "côte", "rocade", "corniche", "basse corniche", "moyenne corniche", "grande corniche", "levée", "descente",
				"petite route", "vieille route", "nouvelle route", "bretelle", "piste", "rampe", "digue",
			),
			with(
				" sur ", "le ", "boulevard", "chemin", "quai", "cours", "pont", "square", "sentier", "rond-point", "mail", "parvis", "viaduc", "périphérique",
				"petit chemin", "vieux chemin", "grand chemin",
			),
			with(" sur ", "l'", "avenue", "esplanade", "autoroute", "ancienne route", "ancien chemin"),
			with(" sur ", "les ", "allées", "quais"),
			with(" sur ", ""),
		},
		Numbers: []link{with(" sur ", "l'", "a", "e", "i", "o", "u"), with(" sur ", "la ")}, // l'A6, l'E15; la D12, la N7
		Traffic: " dans la circulation",
		Unnamed: ways{
			Walkway:       way{" sur le chemin piéton", " sur le chemin piéton"},
			CycleTrack:    way{" sur la piste cyclable", " sur la piste cyclable"},
			MountainTrail: way{" sur la piste de VTT", " sur la piste de VTT"},
			FieldTrack:    way{" sur le chemin de terre", " sur le chemin de terre"},
			Crossing:      way{" sur le passage piéton", " sur le passage piéton"},
			Stairs:        way{" par l'escalier", " vers l'escalier"},
			Ferry:         way{" sur le ferry", " sur le ferry"},
		},

		Start:     say("Dirigez-vous {compass}{on}"),
		Becomes:   say("Continuez maintenant{on}"),
		CarryOn:   say("Continuez"),
		Continue:  say("Continuez{on}"),
		GoOnAhead: say("Continuez tout droit"),

		SlightRight: say("Tournez légèrement à droite{road}"),
		Right:       say("Tournez à droite{road}"),
		SharpRight:  say("Tournez franchement à droite{road}"),
		SharpLeft:   say("Tournez franchement à gauche{road}"),
		Left:        say("Tournez à gauche{road}"),
		SlightLeft:  say("Tournez légèrement à gauche{road}"),
		Uturn:       say("Faites demi-tour{back}"),

		RampStraight:    say("Continuez tout droit sur la bretelle{signed}"),
		RampRight:       say("Prenez la bretelle à droite{signed}"),
		RampLeft:        say("Prenez la bretelle à gauche{signed}"),
		ExitRight:       say("Prenez la sortie à droite{signed}"),
		ExitLeft:        say("Prenez la sortie à gauche{signed}"),
		ExitWord:        "Sortie",
		ExitNumber:      say("Prenez la sortie {number}{signed}"),
		ExitNumberRight: say("Prenez la sortie {number} à droite{signed}"),
		ExitNumberLeft:  say("Prenez la sortie {number} à gauche{signed}"),
		KeepStraight:    say("Continuez tout droit{fork}"),
		KeepRight:       say("Serrez à droite{fork}"),
		KeepLeft:        say("Serrez à gauche{fork}"),
		AtExit:          say(" à la sortie {number}"),
		Merge:           say("Insérez-vous{merge}{toward}"),
		MergeRight:      say("Insérez-vous à droite{merge}{toward}"),
		MergeLeft:       say("Insérez-vous à gauche{merge}{toward}"),
		Toward:          say(", direction {names}"),

		Roundabout:      say("Au rond-point, prenez {exit}{out}"),
		RoundaboutNamed: say("Au rond-point {names}, prenez {exit}{out}"),
		EnterRoundabout: say("Engagez-vous dans le rond-point"),
		LeaveRoundabout: say("Sortez du rond-point{onto}{toward}"),
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
		LeaveFerry:  say("Sortez du ferry{onto}"),
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

		Place: landmarkPhrases{At: say("Devant {place}, "), Before: say("Avant {place}, "), After: say("Après {place}, ")},
		Places: []landmarkPhrases{
			near(
				"la ", "gare", "mairie", "boulangerie", "pharmacie", "poste", "chapelle", "cathédrale", "basilique", "station", "bibliothèque", "médiathèque",
				"mosquée", "synagogue", "caserne", "brasserie", "banque", "gendarmerie", "clinique",
			),
			near(
				"le ", "café", "restaurant", "château", "musée", "théâtre", "cinéma", "temple", "collège", "lycée", "supermarché", "stade", "bar", "centre",
				"garage", "moulin", "phare", "groupe", "commissariat", "sanctuaire",
			),
			near("l'", "église", "école", "hôtel", "hôpital", "auberge", "abbaye", "université", "agence", "institut"),
		},

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
