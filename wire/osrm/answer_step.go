package osrm

import (
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/wire/country"
)

// step writes the members of a manoeuvre and the way to the next one. What is
// said and shown in it announces that next one.
func (w *legWriter) step(i int) {
	list := w.leg.Manoeuvres
	m := &list[i]
	w.stepGeometry(i)
	w.Open('{', "maneuver")
	x := maneuverOf(list, i)
	w.String("type", x.kind)
	w.StringIf("modifier", x.modifier)
	w.Key("location")
	w.Position(w.leg.Line[m.BeginShape])
	w.Int("bearing_before", m.Before)
	w.Int("bearing_after", m.After)
	w.IntIf("exit", x.exit)
	if w.out.Speaks() {
		w.String("instruction", w.texts[i].Instruction)
	}
	w.Close('}')
	name, ref := named(roadOf(list, i))
	w.String("name", name)
	w.StringIf("ref", ref)
	signed := &m.Sign
	if exit := guidance.Leaving(list, i); exit != nil && signed.Empty() {
		signed = &exit.Sign
	}
	w.StringIf("destinations", destinations(signed))
	w.StringIf("exits", strings.Join(m.Sign.Number, "; "))
	w.StringIf("rotary_name", rotaryName(list, i))
	w.String("mode", travelMode(m))
	w.String("driving_side", drivingSide(m))
	w.amounts(m.Metres, m.Seconds, m.Cost)
	var passed []engine.Intersection
	if i < len(w.leg.Intersections) {
		passed = w.leg.Intersections[i]
	}
	if w.out.Annotations&engine.AnnotateLimit != 0 && len(passed) > 0 {
		w.posted(passed[0].Admin)
	}
	w.intersections(i, passed)
	if w.out.Voice {
		w.voice(i, passed)
	}
	if w.out.Banners {
		w.banners(i)
	}
	if m.Landmark != nil && w.out.Speaks() {
		w.Safe("landmark_instruction", w.words.Past(w.texts[i].Instruction, m.Landmark.Name, m.Landmark.Where))
	}
}

// posted writes how limits are posted where a step begins: the shape of the
// sign, by the American manual or by the convention of Vienna, and the unit.
func (w *legWriter) posted(admin int) {
	if admin < 0 {
		return
	}
	code, sign, unit := w.leg.Admins[admin].CountryCode, "vienna", "km/h"
	switch code {
	case "US", "AS", "GU", "MP", "PR", "VI", "CA", "LR":
		sign = "mutcd"
	}
	if country.Of(code).MPH {
		unit = "mph"
	}
	w.String("speedLimitSign", sign)
	w.String("speedLimitUnit", unit)
}

// roadOf returns the names that a step is called by: at a roundabout those of the
// road that it is left by.
func roadOf(list []guidance.Manoeuvre, i int) []guidance.Name {
	if exit := guidance.Leaving(list, i); exit != nil {
		return exit.Names
	}
	return list[i].Names
}

func named(names []guidance.Name) (name, ref string) {
	refs := 0
	for _, n := range names {
		switch {
		case n.Ref && refs == 0:
			refs, ref = 1, n.Text
		case n.Ref:
			ref += "; " + n.Text
		case name == "":
			name = n.Text
		}
	}
	return name, ref
}

// destinations writes a sign as OSRM does: numbers, a colon, places.
func destinations(s *guidance.Sign) string {
	branch, toward := strings.Join(s.Branch, ", "), strings.Join(s.Toward, ", ")
	if branch != "" && toward != "" {
		return branch + ": " + toward
	}
	return branch + toward
}

func travelMode(m *guidance.Manoeuvre) string {
	switch {
	case m.Ferry:
		return "ferry"
	case m.Travel == guidance.Walking:
		return "walking"
	case m.Travel == guidance.Cycling:
		return "cycling"
	case m.Travel == guidance.Pushing:
		return "pushing bike"
	}
	return "driving"
}

func drivingSide(m *guidance.Manoeuvre) string {
	if m.DriveOnLeft {
		return "left"
	}
	return "right"
}

// maneuver is a manoeuvre in OSRM's vocabulary.
type maneuver struct {
	kind, modifier string
	exit           int
}

func maneuverOf(list []guidance.Manoeuvre, i int) maneuver {
	m := &list[i]
	out := maneuver{modifier: modifier(m)}
	switch t := m.Type; {
	case i == 0:
		out.kind, out.modifier = "depart", side(t == guidance.StartLeft, t == guidance.StartRight)
	case t.Arrival():
		out.kind, out.modifier = "arrive", side(t == guidance.DestinationLeft, t == guidance.DestinationRight)
	case t == guidance.Becomes, t == guidance.Continue:
		out.kind = "new name"
		switch {
		case list[i-1].Travel != m.Travel:
			out.kind = "notification"
		case m.ToStayOn:
			out.kind = "continue"
		case len(m.Names) == 0:
			out.kind = "turn"
		}
	case t >= guidance.SlightRight && t <= guidance.SlightLeft:
		out.modifier = turns[t-guidance.SlightRight] // as it is worded, which other roads have a say in
		switch {
		case m.EndOfRoad && out.modifier != "uturn":
			out.kind = "end of road"
		case m.ToStayOn:
			out.kind = "continue"
		default:
			out.kind = "turn"
		}
	case t == guidance.RampStraight, t == guidance.RampRight, t == guidance.RampLeft:
		out.kind = "on ramp"
	case t == guidance.ExitRight:
		out.kind, out.modifier = "off ramp", "slight right"
	case t == guidance.ExitLeft:
		out.kind, out.modifier = "off ramp", "slight left"
	case t == guidance.StayStraight:
		out.kind, out.modifier = "fork", "straight"
	case t == guidance.StayRight:
		out.kind, out.modifier = "fork", "slight right"
	case t == guidance.StayLeft:
		out.kind, out.modifier = "fork", "slight left"
	case t == guidance.Merge:
		out.kind = "merge"
	case t == guidance.MergeRight:
		out.kind, out.modifier = "merge", "slight right"
	case t == guidance.MergeLeft:
		out.kind, out.modifier = "merge", "slight left"
	case t == guidance.RoundaboutEnter:
		out.kind, out.exit = "roundabout", m.Exits
		if rotaryName(list, i) != "" {
			out.kind = "rotary"
		}
	case t == guidance.RoundaboutExit:
		out.kind, out.exit = "exit roundabout", m.Exits
		if rotaryName(list, i) != "" {
			out.kind = "exit rotary"
		}
	default: // ferries, stairs, lifts, buildings
		out.kind = "notification"
	}
	return out
}

// turns are OSRM's words for the kinds of turn from guide.SlightRight on.
var turns = [...]string{"slight right", "right", "sharp right", "uturn", "uturn", "sharp left", "left", "slight left"}

func side(left, right bool) string {
	switch {
	case left:
		return "left"
	case right:
		return "right"
	}
	return ""
}

// modifier is OSRM's word for the change of course.
func modifier(m *guidance.Manoeuvre) string {
	switch d := geo.Turn(float64(m.Before), float64(m.After)); {
	case d <= 10 || d >= 350:
		return "straight"
	case d <= 44:
		return "slight right"
	case d <= 135:
		return "right"
	case d <= 180:
		return "sharp right"
	case d <= 224:
		return "sharp left"
	case d <= 315:
		return "left"
	}
	return "slight left"
}

// rotaryName returns the name of the roundabout that a manoeuvre enters or leaves,
// if it has one of its own: not that of a road that leads through it.
func rotaryName(list []guidance.Manoeuvre, i int) string {
	switch list[i].Type {
	case guidance.RoundaboutExit:
		i--
	case guidance.RoundaboutEnter:
	default:
		return ""
	}
	if i < 1 || i+1 >= len(list) || list[i].Type != guidance.RoundaboutEnter {
		return ""
	}
	exit := guidance.Leaving(list, i)
	if exit == nil {
		exit = &list[i+1]
	}
	name, _ := named(list[i].Names)
	before, _ := named(list[i-1].Names)
	after, _ := named(exit.Names)
	if name == before || name == after {
		return ""
	}
	return name
}
