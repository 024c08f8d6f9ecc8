package narrate

// wording is all that is particular to a language: its phrases and the few
// rules behind them. Every field is set in every language; the tag `slots`
// names what a phrase must contain ("a|b" is one of them, "a?" is allowed), and
// a test checks every language. A phrase has no full stop.
type wording struct {
	Tag     string   // BCP 47
	Decimal byte     // the point of 1.5
	Feet    bool     // feet go with miles, not yards
	Length  measures // standing alone
	For     measures // as after "continue for"
	In      measures // as after "in", to something ahead
	// Plural chooses a unit's form for a number of halves other than two.
	Plural func(halves int) int

	Go      [3]string // the imperative of moving: by car, by bicycle, on foot
	Compass [8]string // the directions from north, clockwise, as {compass} wants them

	Names   []link // how names are joined to a sentence; the last applies to all
	Numbers []link // and road numbers
	Unnamed ways   // roads without a name
	Traffic string `slots:"?"` // what one merges into where the road has none

	Start     phrase `slots:"go? compass on"`
	Becomes   phrase `slots:"go? names|on|merge"` // the road's name changes
	CarryOn   phrase `slots:"go?"`                // and the new one is not named
	Continue  phrase `slots:"go? on"`
	GoOnAhead phrase `slots:"go?"` // straight on over a junction, without a name

	SlightRight phrase `slots:"road|into stay?"`
	Right       phrase `slots:"road|into stay?"`
	SharpRight  phrase `slots:"road|into stay?"`
	SharpLeft   phrase `slots:"road|into stay?"`
	Left        phrase `slots:"road|into stay?"`
	SlightLeft  phrase `slots:"road|into stay?"`
	Uturn       phrase `slots:"back|road"`

	RampStraight    phrase `slots:"go? signed"`
	RampRight       phrase `slots:"signed"`
	RampLeft        phrase `slots:"signed"`
	ExitRight       phrase `slots:"signed"`
	ExitLeft        phrase `slots:"signed"`
	ExitWord        string // before a number, as a sign has it
	ExitNumber      phrase `slots:"number signed"` // on the usual side
	ExitNumberRight phrase `slots:"number signed"` // where left is usual
	ExitNumberLeft  phrase `slots:"number signed"`
	KeepStraight    phrase `slots:"go? fork"`
	KeepRight       phrase `slots:"fork"`
	KeepLeft        phrase `slots:"fork"`
	AtExit          phrase `slots:"number"` // after these, where a road forks at an exit
	Merge           phrase `slots:"merge toward"`
	MergeRight      phrase `slots:"merge toward"`
	MergeLeft       phrase `slots:"merge toward"`
	Toward          phrase `slots:"names"`

	Roundabout      phrase   `slots:"exit out"`
	RoundaboutNamed phrase   `slots:"names exit out"`
	EnterRoundabout phrase   `slots:"go?"` // the exit is not known
	LeaveRoundabout phrase   `slots:"go? onto|to|merge toward"`
	Exits           []string // "the first exit" and on, as {exit} wants them
	ExitN           phrase   `slots:"n"` // and beyond

	Ferry       phrase
	FerryNamed  phrase   `slots:"names"`
	FerryItself phrase   `slots:"names"` // where the name says already that it is one:
	FerryWords  []string // words that do, in lower case
	LeaveFerry  phrase   `slots:"go? onto|to"`
	Lift        phrase
	Steps       phrase
	Escalator   phrase

	Arrived       phrase // at the destination
	ArrivedRight  phrase
	ArrivedLeft   phrase
	Arriving      phrase // said ahead
	ArrivingRight phrase
	ArrivingLeft  phrase
	Reach         phrase // the same after Ahead, ThenAhead and Then
	ReachRight    phrase
	ReachLeft     phrase
	Inverted      bool // Reach follows without a comma, its verb first

	// Leads come before a whole sentence, whose first letter is made small.
	EndOfRoad phrase
	Ahead     phrase `slots:"in"`
	ThenAhead phrase `slots:"in"`
	Then      phrase

	Place  landmarkPhrases   // landmarks
	Places []landmarkPhrases // those whose kind wants an article, first

	Carry  phrase `slots:"go? for"` // after a manoeuvre
	Aboard phrase `slots:"for"`     // the same on a ferry
	Push   phrase

	ToLevel       phrase `slots:"place"` // the number of a floor, after Lift, Steps, Escalator and CarryOn
	ToPlace       phrase `slots:"place"` // the same with a floor that has a name: "Lobby"
	EnterBuilding phrase // on foot
	LeaveBuilding phrase
	AndOn         phrase `slots:"on"` // after these two, where the way on has a name
}

// link is how the names that it holds for are joined to a sentence. Which
// names those are is decided by how they begin or end; without either it is any name.
type link struct {
	First  []string // first words in lower case; of numbers, how they begin
	Ending []string // in lower case
	Single bool     // names with an Ending must not have a word before it

	On    phrase `slots:"names"` // along the road
	Onto  phrase `slots:"names"` // turning into it
	To    phrase `slots:"names"` // taking what leads to it
	Merge phrase `slots:"names"`
	Stay  phrase `slots:"names"` // turning with it
}

// landmarkPhrases is where a landmark is, by leads like the others. Of those in Places
// the landmark's name decides which one is used.
type landmarkPhrases struct {
	First  []string // as in link
	Ending []string
	Single bool

	At     phrase `slots:"place"`
	Before phrase `slots:"place"`
	After  phrase `slots:"place"`
}

// way has the words along and onto a road that has no name.
type way struct{ On, Onto string }

// ways are the forms of roads that have words of their own.
type ways struct {
	Walkway, CycleTrack, MountainTrail, FieldTrack, Crossing, Stairs, Ferry way
}

// measures are lengths in the form that one kind of phrase wants.
type measures struct {
	Metre, Kilometre, Yard, Foot, Mile unit
	Quarter, Half, ThreeQuarters       string // of a mile
}

// unit is a single one, with its number, and the forms between which Plural
// chooses after any other number.
type unit struct {
	One   string
	After [3]string
}

// oneOther returns the forms of a unit in a language with a singular and a plural.
func oneOther(one, other string) unit { return unit{one, [3]string{other, other, other}} }

// alwaysPlural returns the plural rule of most languages: only 1 is singular.
func alwaysPlural(int) int { return 0 }

// pluralFromTwo returns the rule of French and of Brazil: 1,5 is singular, and that
// is the last of a unit's forms.
func pluralFromTwo(halves int) int {
	if halves < 4 {
		return 2
	}
	return 0
}

// belowTwo returns the forms of a unit for pluralFromTwo.
func belowTwo(article, one, other string) unit {
	return unit{article + " " + one, [3]string{other, other, one}}
}
