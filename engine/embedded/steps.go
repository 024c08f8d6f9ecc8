package embedded

import (
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
)

// step writes a manoeuvre and the way to the next one. What is said and shown
// in it announces that next one.
func (w *compatibleWriter) step(d *guided, i int) {
	m := &d.list[i]
	w.geometry(`{"geometry":`, d.line.Points[m.BeginShape:m.EndShape+1])
	x := maneuverOf(d.list, i)
	w.text(`,"maneuver":{"type":`, x.kind)
	if x.modifier != "" {
		w.text(`,"modifier":`, x.modifier)
	}
	w.position(`,"location":`, d.line.Points[m.BeginShape])
	w.whole(`,"bearing_before":`, m.Before)
	w.whole(`,"bearing_after":`, m.After)
	if x.exit > 0 {
		w.whole(`,"exit":`, x.exit)
	}
	if w.r.Speaks() {
		w.text(`,"instruction":`, w.texts[i].Instruction)
	}
	name, ref := named(roadOf(d.list, i))
	w.text(`},"name":`, name)
	w.optional(`,"ref":`, ref)
	signed := &m.Sign
	if exit := guidance.Leaving(d.list, i); exit != nil && signed.Empty() {
		signed = &exit.Sign
	}
	w.optional(`,"destinations":`, destinations(signed))
	w.optional(`,"exits":`, strings.Join(m.Sign.Number, "; "))
	w.optional(`,"rotary_name":`, rotaryName(d.list, i))
	w.text(`,"mode":`, travelMode(m))
	w.text(`,"driving_side":`, drivingSide(m))
	w.number(`,"distance":`, m.Metres, 1)
	w.number(`,"duration":`, m.Seconds, 1)
	w.number(`,"weight":`, m.Cost, 1)
	if w.r.Annotations&engine.AnnotateLimit != 0 {
		w.posted(d.leg.path[min(m.Begin, len(d.leg.path)-1)].Edge)
	}
	w.put(`,"intersections":[`)
	w.intersections(d, i)
	w.put(`]`)
	if w.r.Voice {
		w.voice(d, i)
	}
	if w.r.Banners {
		w.banners(d, i)
	}
	w.put(`}`)
}

func (w *compatibleWriter) optional(name, v string) {
	if v != "" {
		w.text(name, v)
	}
}

// roadOf gives the names that a step is called by: at a roundabout those of the
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
		case m.Stays:
			out.kind = "continue"
		case len(m.Names) == 0:
			out.kind = "turn"
		}
	case t >= guidance.SlightRight && t <= guidance.SlightLeft:
		out.modifier = turns[t-guidance.SlightRight] // as it is worded, which other roads have a say in
		switch {
		case m.EndOfRoad && out.modifier != "uturn":
			out.kind = "end of road"
		case m.Stays:
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

// rotaryName is the name of the roundabout that a manoeuvre enters or leaves,
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
