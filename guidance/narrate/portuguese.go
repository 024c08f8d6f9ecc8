package narrate

func portuguese() wording {
	length := measures{
		Metre: oneOther("um metro", "metros"), Kilometre: oneOther("um quilómetro", "quilómetros"),
		Yard: oneOther("uma jarda", "jardas"), Foot: oneOther("um pé", "pés"), Mile: oneOther("uma milha", "milhas"),
		Quarter: "um quarto de milha", Half: "meia milha", ThreeQuarters: "três quartos de milha",
	}
	with := func(by, to, in string, first ...string) link {
		return link{
			First: first, On: say(by + "{names}"), Onto: say(to + "{names}"), To: say(to + "{names}"),
			Merge: say(in + "{names}"), Stay: say(" para continuar" + in + "{names}"),
		}
	}
	a := func(first ...string) link { return with(" pela ", " para a ", " na ", first...) }
	o := func(first ...string) link { return with(" pelo ", " para o ", " no ", first...) }

	near := func(at, of string, first ...string) landmarkPhrases {
		return landmarkPhrases{First: first, At: say("Junto " + at + " {place}, "), Before: say("Antes " + of + " {place}, "), After: say("Depois " + of + " {place}, ")}
	}

	return wording{
		Tag: "pt-PT", Decimal: ',', Length: length, For: length, In: length, Plural: alwaysPlural,

		Go: [3]string{"Siga", "Siga", "Caminhe"},
		Compass: [8]string{
			"para norte", "para nordeste", "para leste", "para sudeste",
			"para sul", "para sudoeste", "para oeste", "para noroeste",
		},

		Names: []link{
			a(
				"rua", "avenida", "estrada", "praça", "praceta", "travessa", "alameda", "calçada", "rotunda", "rotatória", "ponte", "azinhaga", "ladeira",
				"rodovia", "via", "autoestrada", "rampa", "viela", "vereda", "quelha", "urbanização", "marginal", "circular", "segunda circular",
				"passagem", "servidão", "linha", "quadra", "vila", "ciclovia", "passarela", "escadaria", "galeria", "variante",
			),
			o(
				"largo", "beco", "caminho", "campo", "cais", "túnel", "viaduto", "passeio", "pátio", "terreiro", "jardim", "bairro", "parque", "eixo",
				"elevado", "anel", "contorno", "acesso", "corredor", "boulevard", "calçadão", "nó", "miradouro", "trilho",
			),
			with(" pelas ", " para as ", " nas ", "escadas", "escadinhas"),
			with(" por ", " para ", " em "),
		},
		Numbers: []link{o("ic", "ip", "cm"), a()}, // itinerário, caminho municipal; all others are roads or motorways
		Traffic: " no trânsito",
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
		Becomes:   say("Continue agora{on}"),
		CarryOn:   say("Continue"),
		Continue:  say("Continue{on}"),
		GoOnAhead: say("Siga em frente"),

		SlightRight: say("Vire ligeiramente à direita{road}"),
		Right:       say("Vire à direita{road}"),
		SharpRight:  say("Vire acentuadamente à direita{road}"),
		SharpLeft:   say("Vire acentuadamente à esquerda{road}"),
		Left:        say("Vire à esquerda{road}"),
		SlightLeft:  say("Vire ligeiramente à esquerda{road}"),
		Uturn:       say("Faça inversão de marcha{back}"),

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
		AtExit:          say(" na saída {number}"),
		Merge:           say("Entre{merge}{toward}"),
		MergeRight:      say("Entre à direita{merge}{toward}"),
		MergeLeft:       say("Entre à esquerda{merge}{toward}"),
		Toward:          say(", direção {names}"),

		Roundabout:      say("Na rotunda, tome {exit}{out}"),
		RoundaboutNamed: say("Na rotunda {names}, tome {exit}{out}"),
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

		Place: landmarkPhrases{At: say("Junto a {place}, "), Before: say("Antes de {place}, "), After: say("Depois de {place}, ")},
		Places: []landmarkPhrases{
			near(
				"à", "da", "igreja", "estação", "farmácia", "escola", "capela", "biblioteca", "câmara", "prefeitura", "pastelaria", "padaria", "universidade",
				"sé", "catedral", "mesquita", "clínica", "drogaria", "lanchonete", "paróquia", "esquadra",
			),
			near(
				"ao", "do", "hotel", "restaurante", "café", "hospital", "museu", "teatro", "cinema", "centro", "supermercado", "hipermercado", "colégio",
				"castelo", "banco", "mercado", "posto", "estádio", "bar", "shopping", "convento", "mosteiro", "quartel", "instituto",
			),
		},

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
	w.Tag, w.Plural = "pt-BR", pluralFromTwo
	w.Length.Metre, w.Length.Kilometre = belowTwo("um", "metro", "metros"), belowTwo("um", "quilômetro", "quilômetros")
	w.Length.Yard, w.Length.Foot, w.Length.Mile = belowTwo("uma", "jarda", "jardas"), belowTwo("um", "pé", "pés"), belowTwo("uma", "milha", "milhas")
	w.For, w.In = w.Length, w.Length
	w.Compass = [8]string{
		"para o norte", "para o nordeste", "para o leste", "para o sudeste",
		"para o sul", "para o sudoeste", "para o oeste", "para o noroeste",
	}
	// In Brazil one turns in the street.
	for _, list := range [][]link{w.Names, w.Numbers} {
		for i := range list {
			list[i].Onto = list[i].Merge
		}
	}
	w.Unnamed.Walkway = way{" pelo caminho de pedestres", " no caminho de pedestres"}
	w.Unnamed.CycleTrack = way{" pela ciclovia", " na ciclovia"}
	w.Unnamed.MountainTrail = way{" pela trilha de mountain bike", " na trilha de mountain bike"}
	w.Unnamed.FieldTrack = way{" pela estrada de terra", " na estrada de terra"}
	w.Unnamed.Crossing = way{" pela faixa de pedestres", " na faixa de pedestres"}
	w.Unnamed.Stairs = way{" pelas escadas", " nas escadas"}
	w.Unnamed.Ferry = way{" na balsa", " para a balsa"}

	w.SlightRight, w.SlightLeft = say("Vire levemente à direita{road}"), say("Vire levemente à esquerda{road}")
	w.Uturn = say("Faça o retorno{back}")
	w.SharpRight, w.SharpLeft = say("Faça uma curva acentuada à direita{road}"), say("Faça uma curva acentuada à esquerda{road}")
	w.RampStraight = say("Siga em frente pela alça de acesso{signed}")
	w.RampRight, w.RampLeft = say("Pegue a alça de acesso à direita{signed}"), say("Pegue a alça de acesso à esquerda{signed}")
	w.ExitRight, w.ExitLeft = say("Pegue a saída à direita{signed}"), say("Pegue a saída à esquerda{signed}")
	w.ExitNumber = say("Pegue a saída {number}{signed}")
	w.ExitNumberRight, w.ExitNumberLeft = say("Pegue a saída {number} à direita{signed}"), say("Pegue a saída {number} à esquerda{signed}")
	w.Roundabout = say("Na rotatória, pegue {exit}{out}")
	w.RoundaboutNamed = say("Na rotatória {names}, pegue {exit}{out}")
	w.EnterRoundabout, w.LeaveRoundabout = say("Entre na rotatória"), say("Saia da rotatória{to}{toward}")
	w.ExitN = say("a {n}ª saída")
	w.Ferry, w.FerryNamed, w.FerryItself = say("Pegue a balsa"), say("Pegue a balsa {names}"), say("Pegue a {names}")
	w.FerryWords, w.LeaveFerry = []string{"balsa"}, say("Saia da balsa{to}")
	w.Escalator = say("Use a escada rolante")
	w.Arrived, w.Arriving = say("Você chegou ao seu destino"), say("Você está chegando ao seu destino")
	w.ArrivedRight, w.ArrivedLeft = say("Seu destino está à direita"), say("Seu destino está à esquerda")
	w.ArrivingRight, w.ArrivingLeft = say("Seu destino estará à direita"), say("Seu destino estará à esquerda")
	w.Reach = say("você chegará ao seu destino")
	w.ReachRight, w.ReachLeft = say("seu destino estará à direita"), say("seu destino estará à esquerda")
	w.Toward = say(", sentido {names}")
	w.Ahead, w.ThenAhead = say("Em {in}, "), say("Depois, em {in}, ")
	w.Carry, w.Aboard = say("Continue por {for}"), say("Permaneça a bordo por {for}")
	w.Push = say("Empurre a bicicleta")
	w.ToLevel = say(" até o nível {place}")
	return w
}
