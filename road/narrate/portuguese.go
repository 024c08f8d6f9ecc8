package narrate

func portuguese() wording {
	length := measures{
		Metre: oneOther("metro", "metros"), Kilometre: oneOther("quilómetro", "quilómetros"),
		Yard: oneOther("jarda", "jardas"), Foot: oneOther("pé", "pés"), Mile: oneOther("milha", "milhas"),
		Quarter: "um quarto de milha", Half: "meia milha", ThreeQuarters: "três quartos de milha",
	}
	a := link{On: say(" pela {names}"), Onto: say(" para a {names}"), Merge: say(" na {names}"), Stay: say(" para continuar na {names}")}
	o := link{On: say(" pelo {names}"), Onto: say(" para o {names}"), Merge: say(" no {names}"), Stay: say(" para continuar no {names}")}
	bare := link{On: say(" por {names}"), Onto: say(" para {names}"), Merge: say(" em {names}"), Stay: say(" para continuar em {names}")}
	number, itinerary := a, o
	itinerary.First = []string{"ic", "ip"} // itinerário; all others are roads or motorways
	a.First = []string{
		"rua", "avenida", "estrada", "praça", "travessa", "alameda", "calçada", "rotunda", "ponte", "praceta",
		"azinhaga", "ladeira", "rodovia", "via", "autoestrada", "rampa",
	}
	o.First = []string{"largo", "beco", "caminho", "campo", "cais", "túnel", "viaduto", "passeio"}

	return wording{
		Tag: "pt-PT", Decimal: ',', Length: length, For: length, In: length, Plural: singularOne,

		Go: [3]string{"Siga", "Siga", "Caminhe"},
		Compass: [8]string{
			"para norte", "para nordeste", "para leste", "para sudeste",
			"para sul", "para sudoeste", "para oeste", "para noroeste",
		},

		Names:   []link{a, o, bare},
		Numbers: []link{itinerary, number},
		Unnamed: ways{
			Walkway:       way{" pelo caminho pedonal", " para o caminho pedonal"},
			CycleTrack:    way{" pela ciclovia", " para a ciclovia"},
			MountainTrail: way{" pelo trilho de bicicleta de montanha", " para o trilho de bicicleta de montanha"},
			FieldTrack:    way{" pelo caminho de terra", " para o caminho de terra"},
			Crossing:      way{" pela passadeira", " para a passadeira"},
			Stairs:        way{" pelas escadas", " para as escadas"},
			Ferry:         way{" no ferry", " para o ferry"},
		},

		Start:     say("{go} {compass}{on}"),
		Becomes:   say("A estrada passa a chamar-se {names}"),
		CarryOn:   say("Continue"),
		Continue:  say("Continue{on}"),
		GoOnAhead: say("Siga em frente"),

		SlightRight: say("Vire ligeiramente à direita{road}"),
		Right:       say("Vire à direita{road}"),
		SharpRight:  say("Vire acentuadamente à direita{road}"),
		SharpLeft:   say("Vire acentuadamente à esquerda{road}"),
		Left:        say("Vire à esquerda{road}"),
		SlightLeft:  say("Vire ligeiramente à esquerda{road}"),
		Uturn:       say("Faça inversão de marcha{road}"),

		RampStraight:    say("Siga em frente pelo ramal{signed}"),
		RampRight:       say("Tome o ramal à direita{signed}"),
		RampLeft:        say("Tome o ramal à esquerda{signed}"),
		ExitRight:       say("Tome a saída à direita{signed}"),
		ExitLeft:        say("Tome a saída à esquerda{signed}"),
		ExitWord:        "Saída",
		ExitNumber:      say("Tome a saída {number}{signed}"),
		ExitNumberRight: say("Tome a saída {number} à direita{signed}"),
		ExitNumberLeft:  say("Tome a saída {number} à esquerda{signed}"),
		KeepStraight:    say("Siga em frente{fork}"),
		KeepRight:       say("Mantenha-se à direita{fork}"),
		KeepLeft:        say("Mantenha-se à esquerda{fork}"),
		Merge:           say("Entre no trânsito{merge}{toward}"),
		MergeRight:      say("Entre à direita{merge}{toward}"),
		MergeLeft:       say("Entre à esquerda{merge}{toward}"),
		Toward:          say(", direção {names}"),

		Roundabout:      say("Na rotunda, tome {exit}{out}"),
		EnterRoundabout: say("Entre na rotunda"),
		LeaveRoundabout: say("Saia da rotunda{onto}{toward}"),
		Exits: []string{
			"a primeira saída", "a segunda saída", "a terceira saída", "a quarta saída", "a quinta saída",
			"a sexta saída", "a sétima saída", "a oitava saída", "a nona saída", "a décima saída",
		},
		ExitN: say("a {n}.ª saída"),

		Ferry:       say("Apanhe o ferry"),
		FerryNamed:  say("Apanhe o ferry {names}"),
		FerryItself: say("Apanhe o {names}"),
		FerryWords:  []string{"ferry"},
		LeaveFerry:  say("Saia do ferry{onto}"),
		Lift:        say("Use o elevador"),
		Steps:       say("Use as escadas"),
		Escalator:   say("Use as escadas rolantes"),

		Arrived:       say("Chegou ao seu destino"),
		ArrivedRight:  say("O seu destino está à direita"),
		ArrivedLeft:   say("O seu destino está à esquerda"),
		Arriving:      say("Está a chegar ao seu destino"),
		ArrivingRight: say("O seu destino estará à direita"),
		ArrivingLeft:  say("O seu destino estará à esquerda"),
		Reach:         say("chegará ao seu destino"),
		ReachRight:    say("o seu destino estará à direita"),
		ReachLeft:     say("o seu destino estará à esquerda"),

		EndOfRoad: say("No fim da rua, "),
		Ahead:     say("Daqui a {in}, "),
		ThenAhead: say("Depois, daqui a {in}, "),
		Then:      say("Depois "),
		Before:    say("Antes de {place}, "),
		At:        say("Junto a {place}, "),
		After:     say("Depois de {place}, "),

		Carry:  say("Continue durante {for}"),
		Aboard: say("Permaneça a bordo durante {for}"),
		Push:   say("Leve a bicicleta à mão"),

		ToLevel:       say(" até ao nível {place}"),
		ToPlace:       say(" até {place}"),
		EnterBuilding: say("Entre no edifício"),
		LeaveBuilding: say("Saia do edifício"),
		AndOn:         say(" e continue{on}"),
	}
}

// brazilian is European Portuguese but for the words that differ.
func brazilian() wording {
	w := portuguese()
	w.Tag, w.Plural = "pt-BR", singularBelowTwo
	w.Length.Kilometre = oneOther("quilômetro", "quilômetros")
	w.For, w.In = w.Length, w.Length
	w.Compass = [8]string{
		"para o norte", "para o nordeste", "para o leste", "para o sudeste",
		"para o sul", "para o sudoeste", "para o oeste", "para o noroeste",
	}
	w.Unnamed.Walkway = way{" pelo caminho de pedestres", " para o caminho de pedestres"}
	w.Unnamed.MountainTrail = way{" pela trilha de mountain bike", " para a trilha de mountain bike"}
	w.Unnamed.FieldTrack = way{" pela estrada de terra", " para a estrada de terra"}
	w.Unnamed.Crossing = way{" pela faixa de pedestres", " para a faixa de pedestres"}
	w.Unnamed.Ferry = way{" na balsa", " para a balsa"}

	w.Becomes = say("A via passa a se chamar {names}")
	w.SlightRight, w.SlightLeft = say("Vire levemente à direita{road}"), say("Vire levemente à esquerda{road}")
	w.Uturn = say("Faça o retorno{road}")
	w.RampStraight = say("Siga em frente pela rampa{signed}")
	w.RampRight, w.RampLeft = say("Pegue a rampa à direita{signed}"), say("Pegue a rampa à esquerda{signed}")
	w.ExitRight, w.ExitLeft = say("Pegue a saída à direita{signed}"), say("Pegue a saída à esquerda{signed}")
	w.ExitNumber = say("Pegue a saída {number}{signed}")
	w.ExitNumberRight, w.ExitNumberLeft = say("Pegue a saída {number} à direita{signed}"), say("Pegue a saída {number} à esquerda{signed}")
	w.Roundabout = say("Na rotatória, pegue {exit}{out}")
	w.EnterRoundabout, w.LeaveRoundabout = say("Entre na rotatória"), say("Saia da rotatória{onto}{toward}")
	w.ExitN = say("a {n}ª saída")
	w.Ferry, w.FerryNamed, w.FerryItself = say("Pegue a balsa"), say("Pegue a balsa {names}"), say("Pegue a {names}")
	w.FerryWords, w.LeaveFerry = []string{"balsa"}, say("Saia da balsa{onto}")
	w.Escalator = say("Use a escada rolante")
	w.Arrived, w.Arriving = say("Você chegou ao seu destino"), say("Você está chegando ao seu destino")
	w.Reach = say("você chegará ao seu destino")
	w.Ahead, w.ThenAhead = say("Em {in}, "), say("Depois, em {in}, ")
	w.Carry, w.Aboard = say("Continue por {for}"), say("Permaneça a bordo por {for}")
	w.Push = say("Empurre a bicicleta")
	w.ToLevel = say(" até o nível {place}")
	return w
}
