package narrate

func italian() wording {
	length := measures{
		Metre: oneOther("un metro", "metri"), Kilometre: oneOther("un chilometro", "chilometri"),
		Yard: oneOther("una iarda", "iarde"), Foot: oneOther("un piede", "piedi"), Mile: oneOther("un miglio", "miglia"),
		Quarter: "un quarto di miglio", Half: "mezzo miglio", ThreeQuarters: "tre quarti di miglio",
	}
	with := func(on, onto, to string, first ...string) link {
		return link{
			First: first, On: say(on + "{names}"), Onto: say(onto + "{names}"), To: say(to + "{names}"),
			Merge: say(on + "{names}"), Stay: say(" per rimanere" + on + "{names}"),
		}
	}
	la := func(first ...string) link { return with(" sulla ", " sulla ", " per la ", first...) }
	elided := func(first ...string) link { return with(" sull'", " sull'", " per l'", first...) }

	near := func(of, article string, first ...string) landmarkPhrases {
		return landmarkPhrases{
			First: first, At: say("All'altezza " + of + "{place}, "), Before: say("Prima " + of + "{place}, "), After: say("Dopo " + article + "{place}, "),
		}
	}

	return wording{
		Tag: "it", Decimal: ',', Length: length, For: length, In: length, Plural: alwaysPlural,

		Go: [3]string{"Procedi", "Procedi", "Cammina"},
		Compass: [8]string{
			"verso nord", "verso nord-est", "verso est", "verso sud-est",
			"verso sud", "verso sud-ovest", "verso ovest", "verso nord-ovest",
		},

		// Streets go without an article, roads and works do not.
		Names: []link{
			la("strada", "tangenziale", "superstrada", "circonvallazione", "panoramica", "pedemontana", "variante", "statale", "provinciale"), elided("autostrada", "autovia", "alzaia"),
			with(" sul ", " sul ", " per il ", "raccordo", "grande raccordo", "ponte", "viadotto", "lungomare", "lungolago", "cavalcavia"),
			with(" su ", " in ", " per "),
		},
		Numbers: []link{elided("a", "e", "i"), la()}, // l'A1, l'E45; la SS12, la SP5
		Traffic: " nel traffico",
		Unnamed: ways{
			Walkway:       way{" sul percorso pedonale", " sul percorso pedonale"},
			CycleTrack:    way{" sulla pista ciclabile", " sulla pista ciclabile"},
			MountainTrail: way{" sul sentiero per mountain bike", " sul sentiero per mountain bike"},
			FieldTrack:    way{" sulla strada sterrata", " sulla strada sterrata"},
			Crossing:      way{" sull'attraversamento pedonale", " sull'attraversamento pedonale"},
			Stairs:        way{" sulle scale", " sulle scale"},
			Ferry:         way{" sul traghetto", " sul traghetto"},
		},

		Start:     say("Procedi {compass}{on}"),
		Becomes:   say("Prosegui ora{on}"),
		CarryOn:   say("Prosegui"),
		Continue:  say("Prosegui{on}"),
		GoOnAhead: say("Prosegui dritto"),

		SlightRight: say("Svolta leggermente a destra{road}"),
		Right:       say("Svolta a destra{road}"),
		SharpRight:  say("Svolta decisamente a destra{road}"),
		SharpLeft:   say("Svolta decisamente a sinistra{road}"),
		Left:        say("Svolta a sinistra{road}"),
		SlightLeft:  say("Svolta leggermente a sinistra{road}"),
		Uturn:       say("Fai inversione a U{back}"),

		RampStraight:    say("Prosegui dritto sulla rampa{signed}"),
		RampRight:       say("Prendi la rampa a destra{signed}"),
		RampLeft:        say("Prendi la rampa a sinistra{signed}"),
		ExitRight:       say("Prendi l'uscita a destra{signed}"),
		ExitLeft:        say("Prendi l'uscita a sinistra{signed}"),
		ExitWord:        "Uscita",
		ExitNumber:      say("Prendi l'uscita {number}{signed}"),
		ExitNumberRight: say("Prendi l'uscita {number} a destra{signed}"),
		ExitNumberLeft:  say("Prendi l'uscita {number} a sinistra{signed}"),
		KeepStraight:    say("Vai dritto{fork}"),
		KeepRight:       say("Mantieni la destra{fork}"),
		KeepLeft:        say("Mantieni la sinistra{fork}"),
		AtExit:          say(" all'uscita {number}"),
		Merge:           say("Immettiti{merge}{toward}"),
		MergeRight:      say("Immettiti a destra{merge}{toward}"),
		MergeLeft:       say("Immettiti a sinistra{merge}{toward}"),
		Toward:          say(" in direzione {names}"),

		Roundabout:      say("Alla rotonda prendi {exit}{out}"),
		RoundaboutNamed: say("Alla rotonda {names} prendi {exit}{out}"),
		EnterRoundabout: say("Entra nella rotonda"),
		LeaveRoundabout: say("Esci dalla rotonda{onto}{toward}"),
		Exits: []string{
			"la prima uscita", "la seconda uscita", "la terza uscita", "la quarta uscita", "la quinta uscita",
			"la sesta uscita", "la settima uscita", "l'ottava uscita", "la nona uscita", "la decima uscita",
		},
		ExitN: say("la {n}ª uscita"),

		Ferry:       say("Prendi il traghetto"),
		FerryNamed:  say("Prendi il traghetto {names}"),
		FerryItself: say("Prendi il {names}"),
		FerryWords:  []string{"traghetto"},
		LeaveFerry:  say("Scendi dal traghetto{onto}"),
		Lift:        say("Prendi l'ascensore"),
		Steps:       say("Prendi le scale"),
		Escalator:   say("Prendi la scala mobile"),

		Arrived:       say("Hai raggiunto la destinazione"),
		ArrivedRight:  say("La destinazione è sulla destra"),
		ArrivedLeft:   say("La destinazione è sulla sinistra"),
		Arriving:      say("Stai per raggiungere la destinazione"),
		ArrivingRight: say("La destinazione sarà sulla destra"),
		ArrivingLeft:  say("La destinazione sarà sulla sinistra"),
		Reach:         say("raggiungerai la destinazione"),
		ReachRight:    say("la destinazione sarà sulla destra"),
		ReachLeft:     say("la destinazione sarà sulla sinistra"),

		EndOfRoad: say("Alla fine della strada, "),
		Ahead:     say("Tra {in}, "),
		ThenAhead: say("Poi, tra {in}, "),
		Then:      say("Poi "),

		Place: landmarkPhrases{At: say("All'altezza di {place}, "), Before: say("Prima di {place}, "), After: say("Dopo {place}, ")},
		Places: []landmarkPhrases{
			near(
				"della ", "la ", "chiesa", "stazione", "farmacia", "scuola", "cattedrale", "basilica", "biblioteca", "banca", "caserma", "pizzeria",
				"trattoria", "cappella", "moschea", "clinica",
			),
			near(
				"del ", "il ", "bar", "museo", "teatro", "cinema", "ristorante", "castello", "supermercato", "municipio", "santuario", "duomo", "centro",
				"caffè", "liceo", "palazzo", "convento",
			),
			near("dell'", "l'", "hotel", "ospedale", "albergo", "osteria", "istituto", "università", "ufficio", "abbazia", "oratorio"),
		},

		Carry:  say("Prosegui per {for}"),
		Aboard: say("Resta a bordo per {for}"),
		Push:   say("Porta la bicicletta a mano"),

		ToLevel:       say(" fino al livello {place}"),
		ToPlace:       say(" fino a {place}"),
		EnterBuilding: say("Entra nell'edificio"),
		LeaveBuilding: say("Esci dall'edificio"),
		AndOn:         say(" e prosegui{on}"),
	}
}
