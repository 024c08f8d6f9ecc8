package narrate

func spanish() wording {
	length := measures{
		Metre: oneOther("un metro", "metros"), Kilometre: oneOther("un kilómetro", "kilómetros"),
		Yard: oneOther("una yarda", "yardas"), Foot: oneOther("un pie", "pies"), Mile: oneOther("una milla", "millas"),
		Quarter: "un cuarto de milla", Half: "media milla", ThreeQuarters: "tres cuartos de milla",
	}
	with := func(article, to string, first ...string) link {
		return link{
			First: first, On: say(" por " + article + "{names}"), Onto: say(" por " + article + "{names}"), To: say(" hacia " + article + "{names}"),
			Merge: say(to + "{names}"), Stay: say(" para seguir por " + article + "{names}"),
		}
	}

	near := func(of string, first ...string) landmarkPhrases {
		return landmarkPhrases{
			First: first, At: say("A la altura " + of + " {place}, "), Before: say("Antes " + of + " {place}, "), After: say("Después " + of + " {place}, "),
		}
	}

	return wording{
		Tag: "es", Decimal: ',', Length: length, For: length, In: length, Plural: alwaysPlural,

		Go: [3]string{"Circule", "Circule", "Camine"},
		Compass: [8]string{
			"hacia el norte", "hacia el noreste", "hacia el este", "hacia el sureste",
			"hacia el sur", "hacia el suroeste", "hacia el oeste", "hacia el noroeste",
		},

		Names: []link{
			with(
				"la ", " a la ", "calle", "avenida", "carretera", "plaza", "plazuela", "plazoleta", "ronda", "travesía", "glorieta", "autovía", "autopista",
				"cuesta", "gran vía", "vía", "rambla", "alameda", "senda", "vereda", "costanilla", "calleja", "callejuela", "calzada", "circunvalación",
				"corredera", "carrera", "bajada", "subida", "cañada", "ribera", "urbanización", "colonia", "barriada", "rotonda", "diagonal", "rúa",
				"avinguda", "plaça", "baixada", "pujada", "riera", "travessera", "travessia", "praza",
			),
			with(
				"el ", " al ", "paseo", "camino", "pasaje", "puente", "callejón", "bulevar", "sendero", "túnel", "viaducto", "muelle", "pasadizo",
				"polígono", "carril", "barrio", "parque", "malecón", "eje",
				"carrer", "passeig", "passatge", "camí", "cami", "torrent", "pont", "camiño",
			),
			with("", " a "),
		},
		Numbers: []link{with("la ", " a la ")},
		Traffic: " a la circulación",
		Unnamed: ways{
			Walkway:       way{" por el camino peatonal", " por el camino peatonal"},
			CycleTrack:    way{" por el carril bici", " por el carril bici"},
			MountainTrail: way{" por la senda de bicicleta de montaña", " por la senda de bicicleta de montaña"},
			FieldTrack:    way{" por la pista", " por la pista"},
			Crossing:      way{" por el paso de peatones", " por el paso de peatones"},
			Stairs:        way{" por las escaleras", " por las escaleras"},
			Ferry:         way{" en el ferri", " hacia el ferri"},
		},

		Start:     say("Diríjase {compass}{on}"),
		Becomes:   say("Continúe ahora{on}"),
		CarryOn:   say("Continúe"),
		Continue:  say("Continúe{on}"),
		GoOnAhead: say("Siga recto"),

		SlightRight: say("Gire ligeramente a la derecha{road}"),
		Right:       say("Gire a la derecha{road}"),
		SharpRight:  say("Haga un giro cerrado a la derecha{road}"),
		SharpLeft:   say("Haga un giro cerrado a la izquierda{road}"),
		Left:        say("Gire a la izquierda{road}"),
		SlightLeft:  say("Gire ligeramente a la izquierda{road}"),
		Uturn:       say("Cambie de sentido{road}"),

		RampStraight:    say("Siga recto por el ramal{signed}"),
		RampRight:       say("Tome el ramal de la derecha{signed}"),
		RampLeft:        say("Tome el ramal de la izquierda{signed}"),
		ExitRight:       say("Tome la salida de la derecha{signed}"),
		ExitLeft:        say("Tome la salida de la izquierda{signed}"),
		ExitWord:        "Salida",
		ExitNumber:      say("Tome la salida {number}{signed}"),
		ExitNumberRight: say("Tome la salida {number} a la derecha{signed}"),
		ExitNumberLeft:  say("Tome la salida {number} a la izquierda{signed}"),
		KeepStraight:    say("Siga recto{fork}"),
		KeepRight:       say("Manténgase a la derecha{fork}"),
		KeepLeft:        say("Manténgase a la izquierda{fork}"),
		AtExit:          say(" en la salida {number}"),
		Merge:           say("Incorpórese{merge}{toward}"),
		MergeRight:      say("Incorpórese hacia la derecha{merge}{toward}"),
		MergeLeft:       say("Incorpórese hacia la izquierda{merge}{toward}"),
		Toward:          say(" en dirección a {names}"),

		Roundabout:      say("En la rotonda, tome {exit}{out}"),
		RoundaboutNamed: say("En la rotonda {names}, tome {exit}{out}"),
		EnterRoundabout: say("Entre en la rotonda"),
		LeaveRoundabout: say("Salga de la rotonda{onto}{toward}"),
		Exits: []string{
			"la primera salida", "la segunda salida", "la tercera salida", "la cuarta salida", "la quinta salida",
			"la sexta salida", "la séptima salida", "la octava salida", "la novena salida", "la décima salida",
		},
		ExitN: say("la salida número {n}"),

		Ferry:       say("Tome el ferri"),
		FerryNamed:  say("Tome el ferri {names}"),
		FerryItself: say("Tome el {names}"),
		FerryWords:  []string{"ferri", "ferry"},
		LeaveFerry:  say("Salga del ferri{onto}"),
		Lift:        say("Tome el ascensor"),
		Steps:       say("Tome las escaleras"),
		Escalator:   say("Tome las escaleras mecánicas"),

		Arrived:       say("Ha llegado a su destino"),
		ArrivedRight:  say("Su destino está a la derecha"),
		ArrivedLeft:   say("Su destino está a la izquierda"),
		Arriving:      say("Va a llegar a su destino"),
		ArrivingRight: say("Su destino estará a la derecha"),
		ArrivingLeft:  say("Su destino estará a la izquierda"),
		Reach:         say("llegará a su destino"),
		ReachRight:    say("su destino estará a la derecha"),
		ReachLeft:     say("su destino estará a la izquierda"),

		EndOfRoad: say("Al final de la calle, "),
		Ahead:     say("A {in}, "),
		ThenAhead: say("Luego, a {in}, "),
		Then:      say("Luego "),

		Place: landmarkPhrases{At: say("A la altura de {place}, "), Before: say("Antes de {place}, "), After: say("Después de {place}, ")},
		Places: []landmarkPhrases{
			near(
				"de la", "iglesia", "estación", "farmacia", "gasolinera", "catedral", "ermita", "escuela", "biblioteca", "panadería", "parroquia", "capilla",
				"basílica", "mezquita", "universidad", "cafetería", "comisaría", "clínica", "residencia",
			),
			near(
				"del", "hotel", "hostal", "restaurante", "bar", "café", "colegio", "instituto", "museo", "teatro", "cine", "ayuntamiento", "supermercado",
				"hospital", "castillo", "centro", "mercado", "banco", "estadio", "monasterio", "convento", "faro",
			),
		},

		Carry:  say("Continúe durante {for}"),
		Aboard: say("Permanezca a bordo durante {for}"),
		Push:   say("Lleve la bicicleta a pie"),

		ToLevel:       say(" hasta el nivel {place}"),
		ToPlace:       say(" hasta {place}"),
		EnterBuilding: say("Entre en el edificio"),
		LeaveBuilding: say("Salga del edificio"),
		AndOn:         say(" y continúe{on}"),
	}
}
