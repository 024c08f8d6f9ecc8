package narrate

func spanish() wording {
	length := measures{
		Metre: oneOther("metro", "metros"), Kilometre: oneOther("kilómetro", "kilómetros"),
		Yard: oneOther("yarda", "yardas"), Foot: oneOther("pie", "pies"), Mile: oneOther("milla", "millas"),
		Quarter: "un cuarto de milla", Half: "media milla", ThreeQuarters: "tres cuartos de milla",
	}
	la := link{On: say(" por la {names}"), Onto: say(" por la {names}"), Merge: say(" a la {names}"), Stay: say(" para seguir por la {names}")}
	el := link{On: say(" por el {names}"), Onto: say(" por el {names}"), Merge: say(" al {names}"), Stay: say(" para seguir por el {names}")}
	bare := link{On: say(" por {names}"), Onto: say(" por {names}"), Merge: say(" a {names}"), Stay: say(" para seguir por {names}")}
	number := la
	la.First = []string{
		"calle", "avenida", "carretera", "plaza", "ronda", "travesía", "glorieta", "autovía", "autopista",
		"cuesta", "gran vía", "vía", "rambla", "alameda", "senda", "vereda", "costanilla",
	}
	el.First = []string{"paseo", "camino", "pasaje", "puente", "callejón", "bulevar", "sendero", "túnel"}

	return wording{
		Tag: "es", Decimal: ',', Length: length, For: length, In: length, Plural: singularOne,

		Go: [3]string{"Circule", "Circule", "Camine"},
		Compass: [8]string{
			"hacia el norte", "hacia el noreste", "hacia el este", "hacia el sureste",
			"hacia el sur", "hacia el suroeste", "hacia el oeste", "hacia el noroeste",
		},

		Names:   []link{la, el, bare},
		Numbers: []link{number},
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
		Becomes:   say("La vía pasa a llamarse {names}"),
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
		Merge:           say("Incorpórese{merge}{toward}"),
		MergeRight:      say("Incorpórese hacia la derecha{merge}{toward}"),
		MergeLeft:       say("Incorpórese hacia la izquierda{merge}{toward}"),
		Toward:          say(" hacia {names}"),

		Roundabout:      say("En la rotonda, tome {exit}{out}"),
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
		Ahead:     say("En {in}, "),
		ThenAhead: say("Luego, en {in}, "),
		Then:      say("Luego "),
		Before:    say("Antes de {place}, "),
		At:        say("A la altura de {place}, "),
		After:     say("Después de {place}, "),

		Carry:  say("Continúe durante {for}"),
		Aboard: say("Permanezca a bordo durante {for}"),
		Push:   say("Empuje la bicicleta"),

		ToLevel:       say(" hasta el nivel {place}"),
		ToPlace:       say(" hasta {place}"),
		EnterBuilding: say("Entre en el edificio"),
		LeaveBuilding: say("Salga del edificio"),
		AndOn:         say(" y continúe{on}"),
	}
}
