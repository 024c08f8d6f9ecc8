package narrate

func british() wording {
	length := measures{
		Metre: oneOther("1 metre", "metres"), Kilometre: oneOther("1 kilometre", "kilometres"),
		Yard: oneOther("1 yard", "yards"), Foot: oneOther("1 foot", "feet"), Mile: oneOther("1 mile", "miles"),
		Quarter: "a quarter of a mile", Half: "half a mile", ThreeQuarters: "three quarters of a mile",
	}
	onto := func(into, the string, first ...string) link {
		return link{
			First: first, On: say(" on " + the + "{names}"), Onto: say(into + the + "{names}"), To: say(" onto " + the + "{names}"),
			Merge: say(" onto " + the + "{names}"), Stay: say(" to stay on " + the + "{names}"),
		}
	}
	return wording{
		Tag: "en-GB", Decimal: '.', Length: length, For: length, In: length, Plural: alwaysPlural,

		Go:      [3]string{"Drive", "Ride", "Walk"},
		Compass: [8]string{"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"},

		Names: []link{onto(" into ", "")},
		// The A48, the M4, but in America I 95 and US 1.
		Numbers: []link{onto(" onto ", "", "i ", "i-", "us ", "us-"), onto(" onto ", "the ")},
		Traffic: " into traffic",
		Unnamed: ways{
			Walkway:       way{" on the footpath", " onto the footpath"},
			CycleTrack:    way{" on the cycleway", " onto the cycleway"},
			MountainTrail: way{" on the mountain bike trail", " onto the mountain bike trail"},
			FieldTrack:    way{" on the track", " onto the track"},
			Crossing:      way{" on the crossing", " onto the crossing"},
			Stairs:        way{" on the steps", " onto the steps"},
			Ferry:         way{" on the ferry", " onto the ferry"},
		},

		Start:     say("Head {compass}{on}"),
		Becomes:   say("Continue{merge}"),
		CarryOn:   say("Carry on"),
		Continue:  say("Continue{on}"),
		GoOnAhead: say("Continue straight on"),

		SlightRight: say("Bear right{road}"),
		Right:       say("Turn right{road}"),
		SharpRight:  say("Turn sharp right{road}"),
		SharpLeft:   say("Turn sharp left{road}"),
		Left:        say("Turn left{road}"),
		SlightLeft:  say("Bear left{road}"),
		Uturn:       say("Make a U-turn{back}"),

		RampStraight:    say("Take the slip road straight ahead{signed}"),
		RampRight:       say("Take the slip road on the right{signed}"),
		RampLeft:        say("Take the slip road on the left{signed}"),
		ExitRight:       say("Take the exit on the right{signed}"),
		ExitLeft:        say("Take the exit on the left{signed}"),
		ExitWord:        "Exit",
		ExitNumber:      say("Take exit {number}{signed}"),
		ExitNumberRight: say("Take exit {number} on the right{signed}"),
		ExitNumberLeft:  say("Take exit {number} on the left{signed}"),
		KeepStraight:    say("Keep straight ahead{fork}"),
		KeepRight:       say("Keep right{fork}"),
		KeepLeft:        say("Keep left{fork}"),
		AtExit:          say(" at exit {number}"),
		Merge:           say("Merge{merge}{toward}"),
		MergeRight:      say("Merge to the right{merge}{toward}"),
		MergeLeft:       say("Merge to the left{merge}{toward}"),
		Toward:          say(" towards {names}"),

		Roundabout:      say("At the roundabout, take {exit}{out}"),
		RoundaboutNamed: say("At {names}, take {exit}{out}"),
		EnterRoundabout: say("Enter the roundabout"),
		LeaveRoundabout: say("Leave the roundabout{to}{toward}"),
		Exits: []string{
			"the 1st exit", "the 2nd exit", "the 3rd exit", "the 4th exit", "the 5th exit", "the 6th exit",
			"the 7th exit", "the 8th exit", "the 9th exit", "the 10th exit", "the 11th exit", "the 12th exit",
		},
		ExitN: say("exit number {n}"),

		Ferry:       say("Take the ferry"),
		FerryNamed:  say("Take the ferry {names}"),
		FerryItself: say("Take the {names}"),
		FerryWords:  []string{"ferry"},
		LeaveFerry:  say("Leave the ferry{to}"),
		Lift:        say("Take the lift"),
		Steps:       say("Take the steps"),
		Escalator:   say("Take the escalator"),

		Arrived:       say("You have arrived at your destination"),
		ArrivedRight:  say("Your destination is on the right"),
		ArrivedLeft:   say("Your destination is on the left"),
		Arriving:      say("You will arrive at your destination"),
		ArrivingRight: say("Your destination will be on the right"),
		ArrivingLeft:  say("Your destination will be on the left"),
		Reach:         say("you will arrive at your destination"),
		ReachRight:    say("your destination will be on the right"),
		ReachLeft:     say("your destination will be on the left"),

		EndOfRoad: say("At the end of the road, "),
		Ahead:     say("In {in}, "),
		ThenAhead: say("Then, in {in}, "),
		Then:      say("Then "),

		Place: landmarkPhrases{At: say("At {place}, "), Before: say("Before {place}, "), After: say("After {place}, ")},

		Carry:  say("Continue for {for}"),
		Aboard: say("Stay on board for {for}"),
		Push:   say("Push your bicycle"),

		ToLevel:       say(" to level {place}"),
		ToPlace:       say(" to {place}"),
		EnterBuilding: say("Enter the building"),
		LeaveBuilding: say("Leave the building"),
		AndOn:         say(" and continue{on}"),
	}
}

// american is British English but for the words that differ.
func american() wording {
	w := british()
	w.Tag, w.Feet = "en-US", true
	w.Length.Metre, w.Length.Kilometre = oneOther("1 meter", "meters"), oneOther("1 kilometer", "kilometers")
	w.Length.Quarter = "a quarter mile"
	w.For, w.In = w.Length, w.Length
	w.Compass = [8]string{"north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"}
	w.Names = w.Numbers[:1]
	w.Names[0].First = nil // no number has an article
	w.Numbers = w.Names
	w.Unnamed.Walkway = way{" on the walkway", " onto the walkway"}
	w.Unnamed.CycleTrack = way{" on the bike path", " onto the bike path"}
	w.Unnamed.Crossing = way{" on the crosswalk", " onto the crosswalk"}
	w.Unnamed.Stairs = way{" on the stairs", " onto the stairs"}

	w.CarryOn = say("Continue")
	w.GoOnAhead = say("Continue straight")
	w.SharpRight, w.SharpLeft = say("Make a sharp right{road}"), say("Make a sharp left{road}")
	w.RampStraight = say("Take the ramp straight ahead{signed}")
	w.RampRight, w.RampLeft = say("Take the ramp on the right{signed}"), say("Take the ramp on the left{signed}")
	w.KeepStraight = say("Keep straight{fork}")
	w.Toward = say(" toward {names}")
	w.LeaveRoundabout = say("Exit the roundabout{to}{toward}")
	w.Lift, w.Steps = say("Take the elevator"), say("Take the stairs")
	w.Push = say("Walk your bicycle")
	w.LeaveBuilding = say("Exit the building")
	return w
}
