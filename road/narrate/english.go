package narrate

import (
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/road/guide"
)

// style is the length of a sentence.
type style uint8

const (
	written  style = iota // every name
	spoken                // two names
	succinct              // none
)

// english words one manoeuvre of a list.
type english struct {
	list  []guide.Manoeuvre
	at    int
	miles bool
}

var compass = [...]string{"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"}

func (w english) sentence(s style) string {
	m := &w.list[w.at]
	text := w.core(m, s)
	if m.EndOfRoad && m.Type.Turn() && s != succinct {
		text = "At the end of the road, " + lowerFirst(text)
	}
	text += "."
	if m.Travel == guide.Pushing && (w.at == 0 || w.list[w.at-1].Travel != guide.Pushing) {
		text += " Push your bicycle."
	}
	return text
}

func (w english) core(m *guide.Manoeuvre, s style) string {
	switch m.Type {
	case guide.Start, guide.StartRight, guide.StartLeft:
		return "Head " + compass[(2*m.After+45)/90%8] + w.road(" on ", " on ", m, s)
	case guide.Destination:
		return "You have arrived at your destination"
	case guide.DestinationRight:
		return "Your destination is on the right"
	case guide.DestinationLeft:
		return "Your destination is on the left"
	case guide.Becomes:
		if road := w.road("", "", m, s); road != "" {
			return "The road becomes " + road
		}
		return "Carry on"
	case guide.Continue:
		return "Continue" + w.onto(m, s, " straight on")
	case guide.SlightRight, guide.Right, guide.SharpRight, guide.SharpLeft, guide.Left, guide.SlightLeft:
		return turnWords[m.Type] + w.onto(m, s, "")
	case guide.UturnRight, guide.UturnLeft:
		return "Make a U-turn" + w.onto(m, s, "")
	case guide.RampStraight:
		return "Go straight on along the slip road" + w.signed(m, s)
	case guide.RampRight:
		return "Take the slip road on the right" + w.signed(m, s)
	case guide.RampLeft:
		return "Take the slip road on the left" + w.signed(m, s)
	case guide.ExitRight, guide.ExitLeft:
		return w.exit(m, s)
	case guide.StayStraight:
		return "Keep straight on" + w.fork(m, s)
	case guide.StayRight:
		return "Keep right" + w.fork(m, s)
	case guide.StayLeft:
		return "Keep left" + w.fork(m, s)
	case guide.Merge:
		return "Merge" + w.road(" onto ", " into ", m, s)
	case guide.MergeRight:
		return "Merge to the right" + w.road(" onto ", " into ", m, s)
	case guide.MergeLeft:
		return "Merge to the left" + w.road(" onto ", " into ", m, s)
	case guide.RoundaboutEnter:
		return w.roundabout(m, s)
	case guide.RoundaboutExit:
		return "Leave the roundabout" + w.road(" onto ", " into ", m, s) + w.towards(m, s)
	case guide.FerryEnter:
		return w.ferry(m, s)
	case guide.FerryExit:
		return "Leave the ferry" + w.road(" onto ", " into ", m, s)
	case guide.Elevator:
		return "Take the lift"
	case guide.Steps:
		return "Take the steps"
	case guide.Escalator:
		return "Take the escalator"
	}
	return "Continue"
}

var turnWords = map[guide.Type]string{
	guide.SlightRight: "Bear right", guide.Right: "Turn right", guide.SharpRight: "Turn sharp right",
	guide.SharpLeft: "Turn sharp left", guide.Left: "Turn left", guide.SlightLeft: "Bear left",
}

// road names the manoeuvre's road after a word for numbers or one for names;
// "" where it has no name that the style wants.
func (w english) road(onto, into string, m *guide.Manoeuvre, s style) string {
	if s == succinct {
		return ""
	}
	names := m.Names
	if len(m.BeginNames) > 0 {
		names = m.BeginNames
	}
	if len(names) == 0 {
		if word := wayWords[m.Way]; word != "" && onto != "" {
			return onto + word
		}
		return ""
	}
	most := 4
	if s == spoken {
		most = 2
	}
	words := make([]string, 0, len(names))
	for _, n := range names {
		words = append(words, n.Text)
	}
	if names[0].Ref {
		into = onto
	}
	return into + slashed(words, most)
}

var wayWords = [...]string{
	guide.Walkway: "the footpath", guide.CycleTrack: "the cycleway", guide.MountainTrail: "the mountain bike trail",
	guide.FieldTrack: "the track", guide.CrossingWay: "the crossing", guide.Stairs: "the steps", guide.FerryLine: "the ferry",
}

// onto names the road turned into; without one it says what else fits.
func (w english) onto(m *guide.Manoeuvre, s style, without string) string {
	road := w.road(" onto ", " into ", m, s)
	if m.Type == guide.Continue {
		road = w.road(" on ", " on ", m, s)
	}
	switch {
	case road == "":
		return without
	case m.Stays && m.Type != guide.Continue:
		return w.road(" to stay on ", " to stay on ", m, s)
	}
	return road
}

func (w english) fork(m *guide.Manoeuvre, s style) string {
	if m.Stays {
		return w.road(" to stay on ", " to stay on ", m, s) + w.towards(m, s)
	}
	if len(m.Sign.Branch) > 0 || len(m.Names) == 0 {
		return w.signed(m, s)
	}
	return w.road(" onto ", " into ", m, s) + w.towards(m, s)
}

// exit names the exit of a motorway; its side only where that is needed.
func (w english) exit(m *guide.Manoeuvre, s style) string {
	side := "right"
	if m.Type == guide.ExitLeft {
		side = "left"
	}
	if len(m.Sign.Number) == 0 {
		return "Take the exit on the " + side + w.signed(m, s)
	}
	text := "Take exit " + slashed(m.Sign.Number, 2)
	if (m.Type == guide.ExitLeft) != m.DriveOnLeft {
		text += " on the " + side
	}
	return text + w.signed(m, s)
}

func (w english) signed(m *guide.Manoeuvre, s style) string {
	if s == succinct {
		return ""
	}
	if len(m.Sign.Branch) == 0 {
		return w.towards(m, s)
	}
	return " onto " + slashed(m.Sign.Branch, 2) + w.towards(m, s)
}

func (w english) towards(m *guide.Manoeuvre, s style) string {
	if s == succinct || len(m.Sign.Toward) == 0 {
		return ""
	}
	most := 4
	if s == spoken {
		most = 2
	}
	return " towards " + slashed(m.Sign.Toward, most)
}

// roundabout tells the exit to take and the road it leads to, which the next
// manoeuvre knows.
func (w english) roundabout(m *guide.Manoeuvre, s style) string {
	if m.Exits == 0 {
		return "Enter the roundabout"
	}
	text := "At the roundabout, take the " + ordinal(m.Exits) + " exit"
	if w.at+1 < len(w.list) && w.list[w.at+1].Type == guide.RoundaboutExit {
		out := &w.list[w.at+1]
		text += w.road(" onto ", " into ", out, s) + w.towards(out, s)
	}
	return text
}

func (w english) ferry(m *guide.Manoeuvre, s style) string {
	road := w.road("", "", m, s)
	switch {
	case road == "":
		return "Take the ferry"
	case strings.Contains(strings.ToLower(road), "ferry"):
		return "Take the " + road
	}
	return "Take the ferry " + road
}

func (w english) arriving() string {
	switch w.list[w.at].Type {
	case guide.DestinationRight:
		return "Your destination will be on the right."
	case guide.DestinationLeft:
		return "Your destination will be on the left."
	}
	return "You will arrive at your destination."
}

func (w english) carryOn() string {
	m := &w.list[w.at]
	if m.Ferry {
		return "Stay on board for " + w.length(m.Metres) + "."
	}
	return "Continue for " + w.length(m.Metres) + "."
}

// then announces the next manoeuvre after this one's words.
func (w english) then(words, next string) string {
	if words == "" || next == "" {
		return words
	}
	if m := w.list[w.at].Metres; m >= 50 {
		return words + " Then, in " + w.length(m) + ", " + lowerFirst(next)
	}
	return words + " Then " + lowerFirst(next)
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// length puts a distance into words, as exactly as one wants to hear it.
func (w english) length(metres float64) string {
	if w.miles {
		return imperial(metres)
	}
	switch {
	case metres < 95:
		return strconv.Itoa(roundTo(math.Max(metres, 10), 10)) + " metres"
	case metres < 375:
		return strconv.Itoa(roundTo(metres, 50)) + " metres"
	case metres < 950:
		return strconv.Itoa(roundTo(metres, 100)) + " metres"
	case metres < 9750:
		return halves(metres/1000, "kilometre")
	}
	return strconv.Itoa(roundTo(metres/1000, 1)) + " kilometres"
}

func imperial(metres float64) string {
	const yard, mile = 0.9144, 1609.344
	switch {
	case metres < 95*yard:
		return strconv.Itoa(roundTo(math.Max(metres/yard, 10), 10)) + " yards"
	case metres < 325*yard:
		return strconv.Itoa(roundTo(metres/yard, 50)) + " yards"
	case metres < 0.375*mile:
		return "a quarter of a mile"
	case metres < 0.625*mile:
		return "half a mile"
	case metres < 0.875*mile:
		return "three quarters of a mile"
	case metres < 9.75*mile:
		return halves(metres/mile, "mile")
	}
	return strconv.Itoa(roundTo(metres/mile, 1)) + " miles"
}

// halves counts units to the next half.
func halves(n float64, unit string) string {
	n = math.Max(1, math.Round(n*2)/2)
	if n == 1 {
		return "1 " + unit
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + " " + unit + "s"
}

func roundTo(v float64, step int) int {
	return int(math.Round(v/float64(step))) * step
}
